// SPDX-License-Identifier: GPL-3.0-or-later
#include <boost/json.hpp>

#include "backend/host/control_plane/paging.h"
#include "backend/host/control_plane/requests.h"
#include "backend/host/control_plane/routes.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

json::object toSecret(const SecretInfo &info)
{
    json::object metadata;
    for (const auto &[key, value] : info.metadata)
        metadata[key] = value;
    return {{"secretID", info.id},
            {"name", info.name},
            {"currentVersion", info.version},
            {"metadata", std::move(metadata)},
            {"createdAt", toText(info.createdAt)},
            {"updatedAt", toText(info.updatedAt)}};
}

struct SecretRequest
{
    std::string name;
    std::string value;
    std::optional<std::map<std::string, std::string>> metadata;
};

// None of the messages may quote what was sent.
SecretRequest readSecret(const std::string &body, bool withName)
{
    boost::system::error_code error;
    const json::value parsed = json::parse(body, error);
    const json::object *object = error ? nullptr : parsed.if_object();
    if (object == nullptr)
        throw ApiError(400, "validation error: the body must be a JSON object");
    const auto text = [object](const char *name) {
        const json::value *value = object->if_contains(name);
        if (value == nullptr || !value->is_string())
            throw ApiError(400, std::string("validation error: ") + name + " is required and must be text");
        return std::string(value->as_string());
    };
    SecretRequest request{.name = withName ? text("name") : std::string(), .value = text("value")};
    if (const json::value *metadata = object->if_contains("metadata"); metadata != nullptr) {
        if (!metadata->is_object())
            throw ApiError(400, "validation error: metadata must be an object");
        request.metadata.emplace();
        for (const auto &[key, value] : metadata->as_object()) {
            if (!value.is_string())
                throw ApiError(400, "validation error: metadata must hold text only");
            request.metadata->emplace(key, value.as_string());
        }
    }
    return request;
}

Answer list(const Services &services, const Call &call)
{
    std::vector<SecretInfo> infos = services.secrets.list();
    const PageRequest page = readPageRequest(readQuery(call.query));
    const std::string token = cutToPage(infos, page, [](const SecretInfo &info) {
        return PageCursor{info.createdAt, info.id};
    });
    json::array secrets;
    for (const SecretInfo &info : infos)
        secrets.push_back(toSecret(info));
    return withNextToken(Answer::of(secrets), token);
}

} // namespace

asio::awaitable<Answer> routeSecrets(Services &services, Call call)
{
    SecretStore &secrets = services.secrets;
    const auto &segments = call.segments;
    if (call.version != 1 || segments.size() > 2)
        throw call.noSuchRoute();
    if (segments.size() == 1) {
        if (!call.is("POST")) {
            call.expect("GET");
            co_return list(services, call);
        }
        SecretRequest request = readSecret(call.body, true);
        std::map<std::string, std::string> metadata;
        if (request.metadata)
            metadata = std::move(*request.metadata);
        const SecretInfo info = secrets.create(request.name, std::move(request.value), std::move(metadata));
        co_return Answer::of(toSecret(info), 201);
    }
    if (call.is("DELETE")) {
        secrets.remove(segments[1]);
        co_return Answer::empty();
    }
    if (call.is("POST")) {
        SecretRequest request = readSecret(call.body, false);
        co_return Answer::of(toSecret(
            secrets.update(segments[1], std::move(request.value), request.metadata ? &*request.metadata : nullptr)));
    }
    call.expect("GET");
    co_return Answer::of(toSecret(secrets.get(segments[1])));
}

} // namespace boxdeck::host
