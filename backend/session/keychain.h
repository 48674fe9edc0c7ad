// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/secret.h"

#include <QString>

#include <functional>
#include <memory>

namespace boxdeck::session {

/// The desktop's keychain, as narrow as SecretVault needs it. Every function returns at once; the answer comes
/// later or never. Destroying the keychain drops the answers, not the work.
class Keychain
{
public:
    enum class Status {
        Done,
        NotFound,  ///< asked, and there is no such entry: the only status that allows a first write
        Locked,    ///< the keychain is locked and was not unlocked
        Denied,    ///< the person or the desktop said no
        NoService, ///< nobody offers a keychain here
        Failed,    ///< anything else; `text` says what
    };
    struct Answer
    {
        Status status = Status::Failed;
        Secret value; ///< of a read
        QString text; ///< the keychain's own words
    };
    using Sink = std::function<void(Answer)>;

    virtual ~Keychain() = default;
    virtual void read(const QString &entry, Sink sink) = 0;
    virtual void write(const QString &entry, const Secret &value, Sink sink) = 0; ///< overwrites
    virtual void remove(const QString &entry, Sink sink) = 0;
};

/// The keychain of this desktop (Secret Service or KWallet) through QtKeychain, under the service "Boxdeck".
///
/// QtKeychain's first job asks KWallet with a blocking D-Bus call in the calling thread, and a job of its can't be
/// deleted while it runs. So the bus is asked first, without blocking, who is there and whether it answers, and jobs
/// are left to delete themselves.
std::unique_ptr<Keychain> systemKeychain();

} // namespace boxdeck::session
