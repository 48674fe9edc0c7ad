// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/logging.h"
#include "backend/session/keychain.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QLibrary>
#include <QMap>
#include <QObject>
#include <QStringList>

#include <qt6keychain/keychain.h>

using Attributes = QMap<QString, QString>;
Q_DECLARE_METATYPE(Attributes)

namespace boxdeck::session {

namespace {

const auto keychainService = QStringLiteral("Boxdeck");
const auto secretService = QStringLiteral("org.freedesktop.secrets");

// The vault has a deadline of its own; a slow service is waited for much longer, because a person may be typing the
// keychain's password and the key is welcome late.
constexpr int patientMs = 10 * 60 * 1000;

/// What the bus says before QtKeychain may be let loose.
struct Probe
{
    bool present = false; ///< somebody offers a keychain, and answers
    bool locked = false;  ///< its default collection is locked (Secret Service only)
    QString text;
};

QDBusMessage busCall(const char *method)
{
    return QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.DBus"), QStringLiteral("/"),
                                          QStringLiteral("org.freedesktop.DBus"), QLatin1String(method));
}

// QtKeychain prefers KWallet in a KDE session, so that is who must answer there.
bool inKde()
{
    return qgetenv("XDG_CURRENT_DESKTOP").contains("KDE") || qEnvironmentVariableIsSet("KDE_FULL_SESSION");
}

class SystemKeychain final : public QObject, public Keychain
{
public:
    void read(const QString &entry, Sink sink) override;
    void write(const QString &entry, const Secret &value, Sink sink) override;
    void remove(const QString &entry, Sink sink) override;

private:
    using Probed = std::function<void(Probe)>;
    template <typename F> void ask(const QDBusMessage &message, F answered);
    void probe(Probed done);
    void probeNames(const QStringList &names, Probed done);
    void probeSecretService(Probed done);
    void probeWallet(const QString &name, Probed done);
    void run(QKeychain::Job *job, const QString &entry, const Probe &before, Sink sink);
    void judge(const Probe &before, Answer answer, QKeychain::Error error, Sink sink);
    void judgeRemoval(const QString &entry, Answer answer, Sink sink);
};

template <typename F> void SystemKeychain::ask(const QDBusMessage &message, F answered)
{
    const auto pending = QDBusConnection::sessionBus().asyncCall(message, patientMs);
    auto *watcher = new QDBusPendingCallWatcher(pending, this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [watcher, answered]() mutable {
        watcher->deleteLater();
        answered(watcher->reply());
    });
}

void SystemKeychain::probe(Probed done)
{
    if (!QDBusConnection::sessionBus().isConnected()) {
        done({.text = QStringLiteral("there is no session bus")});
        return;
    }
    ask(busCall("ListNames"), [this, done](const QDBusMessage &running) {
        const QStringList names = running.arguments().value(0).toStringList();
        ask(busCall("ListActivatableNames"), [this, done, names](const QDBusMessage &startable) {
            probeNames(names + startable.arguments().value(0).toStringList(), done);
        });
    });
}

void SystemKeychain::probeNames(const QStringList &names, Probed done)
{
    if (inKde()) {
        for (const char *wallet : {"org.kde.kwalletd6", "org.kde.kwalletd5"}) {
            if (names.contains(QLatin1String(wallet))) {
                probeWallet(QLatin1String(wallet), done);
                return;
            }
        }
    }
    if (!names.contains(secretService))
        done({.text = QStringLiteral("nobody offers %1").arg(secretService)});
    else if (!QLibrary(QStringLiteral("secret-1"), 0).load()) // what QtKeychain loads when it is used
        done({.text = QStringLiteral("the library libsecret-1.so.0 is not installed")});
    else
        probeSecretService(done);
}

void SystemKeychain::probeWallet(const QString &name, Probed done)
{
    const QString path = QStringLiteral("/modules/") + name.section(u'.', -1);
    ask(QDBusMessage::createMethodCall(name, path, QStringLiteral("org.kde.KWallet"), QStringLiteral("networkWallet")),
        [done](const QDBusMessage &reply) {
            done({.present = reply.type() == QDBusMessage::ReplyMessage, .text = reply.errorMessage()});
        });
}

void SystemKeychain::probeSecretService(Probed done)
{
    auto alias =
        QDBusMessage::createMethodCall(secretService, QStringLiteral("/org/freedesktop/secrets"),
                                       QStringLiteral("org.freedesktop.Secret.Service"), QStringLiteral("ReadAlias"));
    alias << QStringLiteral("default");
    ask(alias, [this, done](const QDBusMessage &reply) {
        if (reply.type() != QDBusMessage::ReplyMessage) {
            done({.text = reply.errorMessage()});
            return;
        }
        const QString collection = reply.arguments().value(0).value<QDBusObjectPath>().path();
        if (collection.size() <= 1) { // "/": there is no default collection yet
            done({.present = true});
            return;
        }
        auto locked = QDBusMessage::createMethodCall(
            secretService, collection, QStringLiteral("org.freedesktop.DBus.Properties"), QStringLiteral("Get"));
        locked << QStringLiteral("org.freedesktop.Secret.Collection") << QStringLiteral("Locked");
        ask(locked, [done](const QDBusMessage &answer) {
            const QVariant value = answer.arguments().value(0).value<QDBusVariant>().variant();
            done({.present = true, .locked = value.toBool()});
        });
    });
}

void SystemKeychain::run(QKeychain::Job *job, const QString &entry, const Probe &before, Sink sink)
{
    // No parent: the backend calls back into a running job, so only the job itself may end its life.
    job->setAutoDelete(true);
    job->setInsecureFallback(false);
    job->setKey(entry);
    connect(job, &QKeychain::Job::finished, this, [this, before, sink](QKeychain::Job *done) {
        Answer answer{.text = done->errorString()};
        const bool removed = qobject_cast<QKeychain::DeletePasswordJob *>(done) && done->error() == QKeychain::NoError;
        if (removed && before.locked) {
            judgeRemoval(done->key(), std::move(answer), sink);
            return;
        }
        if (auto *reader = qobject_cast<QKeychain::ReadPasswordJob *>(done))
            answer.value = Secret(reader->binaryData());
        judge(before, std::move(answer), done->error(), sink);
    });
    job->start();
}

void SystemKeychain::judge(const Probe &before, Answer answer, QKeychain::Error error, Sink sink)
{
    switch (error) {
    case QKeychain::NoError:
        answer.status = Status::Done;
        break;
    case QKeychain::EntryNotFound:
        if (before.locked) {
            // libsecret answers "not found" too when the person waves the unlock question away.
            probe([answer = std::move(answer), sink](const Probe &after) mutable {
                answer.status = after.present && !after.locked ? Status::NotFound : Status::Locked;
                sink(std::move(answer));
            });
            return;
        }
        answer.status = Status::NotFound;
        break;
    case QKeychain::AccessDenied:
        answer.status = before.locked ? Status::Locked : Status::Denied;
        break;
    case QKeychain::AccessDeniedByUser:
        answer.status = Status::Denied;
        break;
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        answer.status = Status::NoService;
        break;
    default:
        answer.status = before.locked ? Status::Locked : Status::Failed;
        break;
    }
    sink(std::move(answer));
}

// libsecret passes over entries of a locked collection and calls that a success. Their names can be searched all the
// same.
void SystemKeychain::judgeRemoval(const QString &entry, Answer answer, Sink sink)
{
    qDBusRegisterMetaType<Attributes>();
    auto search =
        QDBusMessage::createMethodCall(secretService, QStringLiteral("/org/freedesktop/secrets"),
                                       QStringLiteral("org.freedesktop.Secret.Service"), QStringLiteral("SearchItems"));
    search << QVariant::fromValue(
        Attributes{{QStringLiteral("server"), keychainService}, {QStringLiteral("user"), entry}});
    ask(search, [answer = std::move(answer), sink](const QDBusMessage &reply) mutable {
        qsizetype left = 0;
        for (const QVariant &paths : reply.arguments()) // unlocked ones, then locked ones
            left += qdbus_cast<QList<QDBusObjectPath>>(paths).size();
        const bool gone = reply.type() == QDBusMessage::ReplyMessage && left == 0;
        answer.status = gone ? Status::Done : Status::Locked;
        sink(std::move(answer));
    });
}

void SystemKeychain::read(const QString &entry, Sink sink)
{
    probe([this, entry, sink](const Probe &before) {
        if (before.present)
            run(new QKeychain::ReadPasswordJob(keychainService), entry, before, sink);
        else
            sink({.status = Status::NoService, .text = before.text});
    });
}

void SystemKeychain::write(const QString &entry, const Secret &value, Sink sink)
{
    probe([this, entry, value, sink](const Probe &before) {
        if (!before.present) {
            sink({.status = Status::NoService, .text = before.text});
            return;
        }
        auto *job = new QKeychain::WritePasswordJob(keychainService);
        job->setBinaryData(value.reveal());
        run(job, entry, before, sink);
    });
}

void SystemKeychain::remove(const QString &entry, Sink sink)
{
    probe([this, entry, sink](const Probe &before) {
        if (before.present)
            run(new QKeychain::DeletePasswordJob(keychainService), entry, before, sink);
        else
            sink({.status = Status::NoService, .text = before.text});
    });
}

} // namespace

std::unique_ptr<Keychain> systemKeychain()
{
    return std::make_unique<SystemKeychain>();
}

} // namespace boxdeck::session
