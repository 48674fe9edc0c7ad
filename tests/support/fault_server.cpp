// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fault_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace boxdeck::test {

class FaultServer::Private
{
public:
    explicit Private(Handler handlerToRun)
        : handler(std::move(handlerToRun))
        , stopEvent(::eventfd(0, EFD_CLOEXEC))
        , listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(listener, reinterpret_cast<sockaddr *>(&address), size) != 0 || ::listen(listener, 64) != 0 ||
            ::getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size) != 0)
            qFatal("the fault server can't listen");
        port = ntohs(address.sin_port);
        acceptor = std::thread([this] { acceptLoop(); });
    }

    ~Private()
    {
        const quint64 one = 1;
        (void)!::write(stopEvent, &one, sizeof one);
        acceptor.join();
        for (std::thread &thread : threads)
            thread.join();
        ::close(listener);
        ::close(stopEvent);
    }

    /// Waits for one of `events` on `socket`; false when the server stops or the time is over.
    bool waitFor(int socket, short events, int milliseconds = -1) const
    {
        pollfd fds[2] = {{stopEvent, POLLIN, 0}, {socket, events, 0}};
        const int ready = ::poll(fds, 2, milliseconds);
        return ready > 0 && fds[0].revents == 0;
    }

    bool pauseFor(int milliseconds) const
    {
        pollfd stop{stopEvent, POLLIN, 0};
        return ::poll(&stop, 1, milliseconds) == 0;
    }

    void acceptLoop()
    {
        while (waitFor(listener, POLLIN)) {
            const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket < 0)
                continue;
            const int number = connections++;
            ++open;
            threads.emplace_back([this, socket, number] {
                serve(socket, number);
                ::close(socket);
                --open;
            });
        }
    }

    struct Reader
    {
        int socket;
        QByteArray buffer;
    };

    bool fill(Reader &reader)
    {
        char bytes[64 * 1024];
        if (!waitFor(reader.socket, POLLIN))
            return false;
        const ssize_t count = ::recv(reader.socket, bytes, sizeof bytes, 0);
        if (count <= 0)
            return false;
        reader.buffer.append(bytes, count);
        return true;
    }

    bool readLine(Reader &reader, QByteArray &line)
    {
        qsizetype end = 0;
        while ((end = reader.buffer.indexOf("\r\n")) < 0) {
            if (!fill(reader))
                return false;
        }
        line = reader.buffer.left(end);
        reader.buffer.remove(0, end + 2);
        return true;
    }

    bool readCounted(Reader &reader, qint64 length, QByteArray &into)
    {
        const qint64 limit = bodyLimit;
        qint64 sincePause = 0;
        while (length > 0) {
            if (limit >= 0 && into.size() >= limit) {
                waitFor(reader.socket, 0); // until the server stops or the peer hangs up
                return false;
            }
            if (bodyCut > 0 && into.size() >= bodyCut)
                return true;
            if (reader.buffer.isEmpty() && !fill(reader))
                return false;
            qint64 count = qMin<qint64>(length, reader.buffer.size());
            if (bodyCut > 0)
                count = qMin<qint64>(count, bodyCut - into.size());
            into.append(reader.buffer.constData(), count);
            reader.buffer.remove(0, count);
            length -= count;
            sincePause += count;
            if (paceMs > 0 && sincePause >= paceBytes) {
                sincePause = 0;
                if (!pauseFor(paceMs))
                    return false;
            }
        }
        return true;
    }

    bool readBody(Reader &reader, RecordedRequest &request)
    {
        if (!request.header("Transfer-Encoding").toLower().contains("chunked"))
            return readCounted(reader, request.header("Content-Length").toLongLong(), request.body);
        for (;;) {
            QByteArray line;
            if (!readLine(reader, line))
                return false;
            const qint64 size = line.trimmed().toLongLong(nullptr, 16);
            if (size == 0)
                return readLine(reader, line);
            QByteArray chunk;
            if (!readCounted(reader, size, chunk) || !readLine(reader, line))
                return false;
            request.body += chunk;
        }
    }

    bool readRequest(Reader &reader, RecordedRequest &request)
    {
        QByteArray line;
        if (!readLine(reader, line))
            return false;
        const QList<QByteArray> parts = line.split(' ');
        request.method = parts.value(0);
        request.target = parts.value(1);
        while (readLine(reader, line) && !line.isEmpty()) {
            const qsizetype colon = line.indexOf(':');
            request.headers.append({line.left(colon), line.mid(colon + 1).trimmed()});
        }
        return early || readBody(reader, request);
    }

    void serve(int socket, int number)
    {
        Reader reader{socket, {}};
        for (;;) {
            RecordedRequest request;
            request.connection = number;
            if (!readRequest(reader, request))
                return;
            int nth = 0;
            {
                const std::lock_guard lock(mutex);
                nth = static_cast<int>(recorded.size());
                recorded.append(request);
            }
            const bool unread = early || (bodyCut > 0 && request.body.size() >= bodyCut);
            if (!play(socket, handler(request, nth)) || unread)
                return;
        }
    }

    /// False when the connection is over.
    bool play(int socket, const Script &script) const
    {
        for (const Script::Step &step : script.steps()) {
            switch (step.kind) {
            case Script::Step::Kind::Send:
                if (!sendAll(socket, step.bytes))
                    return false;
                break;
            case Script::Step::Kind::Wait:
                if (!pauseFor(step.milliseconds))
                    return false;
                break;
            case Script::Step::Kind::Stall:
                waitFor(socket, POLLRDHUP); // until the peer hangs up
                return false;
            case Script::Step::Kind::Drain: {
                char byte = 0;
                while (waitFor(socket, POLLIN) && ::recv(socket, &byte, 1, 0) > 0) {
                }
                return false;
            }
            case Script::Step::Kind::HalfClose:
                ::shutdown(socket, SHUT_WR);
                break;
            case Script::Step::Kind::Close:
                return false;
            case Script::Step::Kind::Reset: {
                const linger now{1, 0};
                ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
                return false;
            }
            }
        }
        return true;
    }

    bool sendAll(int socket, const QByteArray &bytes) const
    {
        qsizetype sent = 0;
        while (sent < bytes.size()) {
            if (!waitFor(socket, POLLOUT))
                return false;
            const ssize_t count = ::send(socket, bytes.constData() + sent, static_cast<size_t>(bytes.size() - sent),
                                         MSG_NOSIGNAL | MSG_DONTWAIT);
            if (count < 0 && errno != EAGAIN)
                return false;
            sent += qMax<ssize_t>(0, count);
        }
        return true;
    }

    Handler handler;
    int stopEvent;
    int listener;
    quint16 port = 0;
    std::thread acceptor;
    std::vector<std::thread> threads; ///< touched by the acceptor until it is joined
    std::atomic<int> connections = 0;
    std::atomic<int> open = 0;
    std::atomic<qint64> bodyLimit = -1;
    std::atomic<qint64> bodyCut = 0;
    std::atomic<qint64> paceBytes = 0;
    std::atomic<int> paceMs = 0;
    std::atomic<bool> early = false;
    mutable std::mutex mutex;
    QList<RecordedRequest> recorded;
};

FaultServer::FaultServer(Handler handler)
    : d(std::make_unique<Private>(std::move(handler)))
{
}

FaultServer::FaultServer(const Script &script)
    : FaultServer([script](const RecordedRequest &, int) { return script; })
{
}

FaultServer::~FaultServer() = default;

quint16 FaultServer::port() const
{
    return d->port;
}

QByteArray FaultServer::authority() const
{
    return "127.0.0.1:" + QByteArray::number(d->port);
}

QUrl FaultServer::url(const QByteArray &pathAndQuery) const
{
    return QUrl::fromEncoded("http://" + authority() + pathAndQuery);
}

QList<RecordedRequest> FaultServer::requests() const
{
    const std::lock_guard lock(d->mutex);
    return d->recorded;
}

int FaultServer::requestCount() const
{
    return static_cast<int>(requests().size());
}

int FaultServer::connectionCount() const
{
    return d->connections;
}

int FaultServer::openConnections() const
{
    return d->open;
}

void FaultServer::stopReadingBodiesAfter(qint64 bytes)
{
    d->bodyLimit = bytes;
}

void FaultServer::answerBeforeBodies()
{
    d->early = true;
}

void FaultServer::answerInBodiesAfter(qint64 bytes)
{
    d->bodyCut = bytes;
}

void FaultServer::paceBodies(qint64 bytes, int milliseconds)
{
    d->paceBytes = bytes;
    d->paceMs = milliseconds;
}

} // namespace boxdeck::test
