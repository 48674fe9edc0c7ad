// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/keychain.h"

#include <QHash>

#include <memory>

namespace boxdeck::test {

/// A keychain that says what the test wants. What is in it survives the app, if the test keeps `entries`.
class ScriptedKeychain final : public session::Keychain
{
public:
    using Entries = QHash<QString, Secret>;

    explicit ScriptedKeychain(std::shared_ptr<Status> trouble,
                              std::shared_ptr<Entries> entries = std::make_shared<Entries>())
        : m_trouble(std::move(trouble))
        , m_entries(std::move(entries))
    {
    }

    void read(const QString &entry, Sink sink) override
    {
        if (*m_trouble != Status::Done)
            sink({.status = *m_trouble});
        else if (m_entries->contains(entry))
            sink({.status = Status::Done, .value = m_entries->value(entry)});
        else
            sink({.status = Status::NotFound});
    }
    void write(const QString &entry, const Secret &value, Sink sink) override
    {
        if (*m_trouble == Status::Done)
            m_entries->insert(entry, value);
        sink({.status = *m_trouble});
    }
    void remove(const QString &entry, Sink sink) override
    {
        m_entries->remove(entry);
        sink({.status = *m_trouble});
    }

private:
    std::shared_ptr<Status> m_trouble;
    std::shared_ptr<Entries> m_entries;
};

} // namespace boxdeck::test
