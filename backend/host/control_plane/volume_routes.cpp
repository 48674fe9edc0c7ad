// SPDX-License-Identifier: GPL-3.0-or-later
#include <ctime>

#include <boost/json.hpp>

#include "backend/host/control_plane/routes.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

json::object toVolume(const Volume &volume)
{
    return {{"volumeID", volume.id}, {"name", volume.name}};
}

// No `domain`: the volume-content API is at the address of this one.
json::object toVolumeAndToken(const Services &services, const Volume &volume)
{
    json::object object = toVolume(volume);
    object["token"] = services.volumeTokens.issue(volume.id, std::time(nullptr));
    return object;
}

std::string readName(const std::string &body)
{
    boost::system::error_code error;
    const json::value value = json::parse(body, error);
    const json::value *name = !error && value.is_object() ? value.as_object().if_contains("name") : nullptr;
    if (name == nullptr || !name->is_string())
        throw ApiError(400, "validation error: the body must be a JSON object with name as text");
    return std::string(name->as_string());
}

asio::awaitable<void> remove(Services &services, std::string id)
{
    const Volume volume = services.volumes.get(id);
    // The reference pulls it away from under them; here they share a real folder, which would stay behind unseen.
    if (services.sandboxes.mountsVolume(id))
        throw ApiError(400, "volume '" + volume.name +
                                "' is mounted in a sandbox that is running or paused; delete the sandbox first");
    co_await services.volumes.remove(std::move(id));
}

} // namespace

asio::awaitable<Answer> routeVolumes(Services &services, Call call)
{
    const auto &segments = call.segments;
    if (call.version != 1 || segments.size() > 2)
        throw call.noSuchRoute();
    if (segments.size() == 1) {
        if (call.is("POST")) {
            const Volume volume = co_await services.volumes.create(readName(call.body));
            co_return Answer::of(toVolumeAndToken(services, volume), 201);
        }
        call.expect("GET");
        json::array volumes;
        for (const Volume &volume : services.volumes.list())
            volumes.push_back(toVolume(volume));
        co_return Answer::of(volumes);
    }
    if (call.is("DELETE")) {
        co_await remove(services, segments[1]);
        co_return Answer::empty();
    }
    call.expect("GET");
    co_return Answer::of(toVolumeAndToken(services, services.volumes.get(segments[1])));
}

} // namespace boxdeck::host
