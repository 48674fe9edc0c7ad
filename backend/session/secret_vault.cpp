// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/secret_vault.h"

#include "backend/core/logging.h"

#include <QPointer>
#include <QTimer>

namespace boxdeck::session {

namespace {

QString entryOf(const QUuid &profile)
{
    return profile.toString(QUuid::WithoutBraces);
}

Error toError(const Keychain::Answer &answer)
{
    using Status = Keychain::Status;
    const auto error = [&](ErrorKind kind, const char *code) {
        return Error{.kind = kind, .delivery = Delivery::Answered, .code = QLatin1String(code), .message = answer.text};
    };
    switch (answer.status) {
    case Status::NotFound:
        return error(ErrorKind::NotFound, "not_found");
    case Status::Locked:
        return error(ErrorKind::Authentication, "locked");
    case Status::Denied:
        return error(ErrorKind::Authentication, "denied");
    case Status::NoService:
        return error(ErrorKind::Unavailable, "no_service");
    case Status::Done:
    case Status::Failed:
        break;
    }
    return error(ErrorKind::Internal, "failed");
}

Error noAnswer()
{
    return Error{.kind = ErrorKind::Timeout, .delivery = Delivery::Unknown, .code = QStringLiteral("timeout")};
}

} // namespace

SecretVault::SecretVault(std::unique_ptr<Keychain> keychain, QObject *parent)
    : QObject(parent)
    , m_keychain(std::move(keychain))
{
}

SecretVault::~SecretVault() = default;

template <typename T> void SecretVault::startDeadline(const Promise<T> &promise)
{
    QTimer::singleShot(m_deadline, Qt::PreciseTimer, this, [promise] { promise.fail(noAnswer()); });
}

Call<Secret> SecretVault::read(const QUuid &profile)
{
    if (const auto known = m_memory.constFind(profile); known != m_memory.constEnd())
        return Call<Secret>::settled(*known);

    Promise<Secret> promise;
    m_awaited.insert(profile);
    startDeadline(promise);
    m_keychain->read(entryOf(profile), [this, self = QPointer(this), profile, promise](Keychain::Answer answer) {
        if (!self)
            return;
        const bool awaited = m_awaited.remove(profile);
        if (answer.status != Keychain::Status::Done) {
            qCInfo(lcSession) << "keychain has no key for" << profile << toError(answer).code << answer.text;
            promise.fail(toError(answer));
        } else if (promise.wanted()) {
            promise.settle(std::move(answer.value));
        } else if (awaited && !m_memory.contains(profile)) {
            m_memory.insert(profile, std::move(answer.value));
            Q_EMIT arrivedLate(profile);
        }
    });
    return promise.call();
}

Call<void> SecretVault::write(const QUuid &profile, const Secret &secret)
{
    return store(profile, secret, false);
}

Call<void> SecretVault::replace(const QUuid &profile, const Secret &secret)
{
    return store(profile, secret, true);
}

Call<void> SecretVault::store(const QUuid &profile, const Secret &secret, bool overwrite)
{
    Promise<void> promise;
    startDeadline(promise);
    m_keychain->read(entryOf(profile), [this, self = QPointer(this), profile, secret, overwrite,
                                        promise](const Keychain::Answer &found) {
        using Status = Keychain::Status;
        // After the deadline the person was told that nothing was stored, so nothing is.
        if (!self || !promise.wanted())
            return;
        if (found.status == Status::Done && found.value == secret) {
            promise.settle({});
            return;
        }
        if (found.status == Status::Done && !overwrite) {
            promise.fail(Error{.kind = ErrorKind::Conflict,
                               .delivery = Delivery::Answered,
                               .code = QStringLiteral("exists"),
                               .message = QStringLiteral("the keychain holds another key for this account")});
            return;
        }
        if (found.status != Status::Done && found.status != Status::NotFound) {
            promise.fail(toError(found));
            return;
        }
        m_keychain->write(entryOf(profile), secret, [self, profile, promise](const Keychain::Answer &written) {
            if (written.status != Status::Done) {
                promise.fail(toError(written));
                return;
            }
            if (self)
                self->m_memory.remove(profile);
            promise.settle({});
        });
    });
    return promise.call();
}

Call<void> SecretVault::remove(const QUuid &profile)
{
    m_memory.remove(profile);
    m_awaited.remove(profile);
    Promise<void> promise;
    startDeadline(promise);
    m_keychain->remove(entryOf(profile), [promise](const Keychain::Answer &answer) {
        if (answer.status == Keychain::Status::Done || answer.status == Keychain::Status::NotFound)
            promise.settle({});
        else
            promise.fail(toError(answer));
    });
    return promise.call();
}

void SecretVault::keepInMemory(const QUuid &profile, const Secret &secret)
{
    m_awaited.remove(profile);
    m_memory.insert(profile, secret);
}

void SecretVault::forgetMemory(const QUuid &profile)
{
    m_awaited.remove(profile);
    m_memory.remove(profile);
}

} // namespace boxdeck::session
