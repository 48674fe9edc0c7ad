// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_link.h"
#include "backend/protocol/sandbox.h"

#include <QSet>

#include <concepts>
#include <functional>

namespace boxdeck::api {

// What every client of the control plane does with requests and answers.

/// A call that is refused here, without a request.
template <typename T> Call<T> refused(const QString &message, const QString &code = QStringLiteral("bad_request"))
{
    return Call<T>::settled(tl::unexpected(Error{.kind = ErrorKind::InvalidRequest, .code = code, .message = message}));
}

/// True for the id of nothing. A blank id in a path would name the whole collection, and dots what is above it: they
/// stay dots however they are encoded.
template <typename Tag> bool isBlank(const protocol::Id<Tag> &id)
{
    const QString text = id.value.trimmed();
    return text.isEmpty() || text == QLatin1String(".") || text == QLatin1String("..");
}

/// For calls before whose answer the memory of a sandbox goes to disk.
constexpr std::chrono::minutes stateIsWritten{3};

/// A success that can't be read: the server said yes, but not to what. There may be something new now, so look for it
/// as if the answer were lost.
template <typename T> Result<T> asLost(Result<T> read)
{
    if (!read)
        read.error().delivery = Delivery::Unknown;
    return read;
}

/// How a server says that it has no such call. 404 may also mean that the object is missing.
inline bool isMissingCall(int status)
{
    return status == 404 || status == 405 || status == 410 || status == 501;
}

/// An answer as T, or its error. `decode` takes the answer or its body.
template <typename T, typename Decode>
Result<T> answer(Result<net::HttpResponse> response, Operation operation, Decode decode)
{
    if (!response)
        return tl::unexpected(std::move(response.error()));
    if (!response->isSuccess())
        return tl::unexpected(controlError(*response, operation));
    if constexpr (std::invocable<Decode, const net::HttpResponse &>)
        return decode(*response);
    else
        return decode(response->body);
}

inline Result<void> done(Result<net::HttpResponse> response, Operation operation)
{
    return answer<void>(std::move(response), operation, [](const net::HttpResponse &) { return Result<void>(); });
}

/// Sends, again after a short outage if that does no harm, and reads the answer's body.
template <typename T, typename Decode>
Call<T> ask(const LinkPtr &link, net::HttpRequest request, Operation operation, Decode decode)
{
    return link->sendSafely(std::move(request)).map([operation, decode](Result<net::HttpResponse> response) {
        return answer<T>(std::move(response), operation, decode);
    });
}

/// Sends what answers nothing but yes or no.
inline Call<void> tell(const LinkPtr &link, net::HttpRequest request, Operation operation = Operation::Other)
{
    return link->sendSafely(std::move(request)).map([operation](Result<net::HttpResponse> response) {
        return done(std::move(response), operation);
    });
}

/// Sends a deletion: what is gone already was deleted.
inline Call<void> removeWith(const LinkPtr &link, net::HttpRequest request, Operation operation = Operation::Other)
{
    return tell(link, std::move(request), operation).map([](Result<void> result) -> Result<void> {
        if (!result && provesGone(result.error().kind))
            return {};
        return result;
    });
}

/// One page of a list, its token in a header (protocol/control-plane.md section 5).
template <typename T, typename Decode>
Call<protocol::Page<T>> askPage(const LinkPtr &link, net::HttpRequest request, Decode decode)
{
    using Page = protocol::Page<T>;
    return ask<Page>(link, std::move(request), Operation::List,
                     [decode](const net::HttpResponse &good) -> Result<Page> {
                         auto items = decode(good.body);
                         if (!items)
                             return tl::unexpected(std::move(items.error()));
                         return Page{.items = std::move(*items),
                                     .nextToken = QString::fromLatin1(good.header("X-Next-Token").trimmed())};
                     });
}

/// "limit=…&nextToken=…". Tokens hold = and +, and are opaque: encoded once, whatever is in them.
inline QByteArray pageQuery(int limit, const QString &nextToken)
{
    QByteArray query = "limit=" + QByteArray::number(qBound(1, limit, 100));
    if (!nextToken.isEmpty())
        query += "&nextToken=" + encodeSegment(nextToken);
    return query;
}

/// Adds "name=value" with the value encoded.
inline void addParameter(QByteArray &query, const char *name, const QString &value)
{
    if (!query.isEmpty())
        query += '&';
    query += name + ('=' + encodeSegment(value));
}

/// All pages of a list, from the first on. Internal, code "bad_paging", if a token comes twice or pages never end.
template <typename T> Call<QList<T>> allPages(std::function<Call<protocol::Page<T>>(const QString &nextToken)> fetch)
{
    struct Walk
    {
        std::function<Call<protocol::Page<T>>(const QString &)> fetch;
        QList<T> items;
        QSet<QString> tokens;

        static Call<QList<T>> from(std::shared_ptr<Walk> walk, const QString &token)
        {
            using All = Call<QList<T>>;
            return walk->fetch(token).chain([walk](Result<protocol::Page<T>> page) -> All {
                constexpr qsizetype maxPages = 1000;
                if (!page)
                    return All::settled(tl::unexpected(std::move(page.error())));
                walk->items += page->items;
                if (page->nextToken.isEmpty())
                    return All::settled(std::move(walk->items));
                if (walk->tokens.contains(page->nextToken) || walk->tokens.size() + 1 >= maxPages)
                    return All::settled(
                        tl::unexpected(Error{.kind = ErrorKind::Internal,
                                             .delivery = Delivery::Answered,
                                             .code = QStringLiteral("bad_paging"),
                                             .message = QStringLiteral("the pages of the list never end")}));
                walk->tokens.insert(page->nextToken);
                return from(walk, page->nextToken);
            });
        }
    };
    return Walk::from(std::make_shared<Walk>(Walk{.fetch = std::move(fetch)}), {});
}

/// The path of one sandbox.
inline QByteArray sandboxPath(const protocol::SandboxId &id, const QByteArray &rest = {})
{
    return "/sandboxes/" + encodeSegment(id.value) + rest;
}

} // namespace boxdeck::api
