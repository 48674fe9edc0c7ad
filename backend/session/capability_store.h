// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/capabilities.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace boxdeck::session {

/// What is known of one account's server: remembered from former runs, learned from answers, and asked for when it is
/// needed and at most now and then. Views disable what lacks() says, with the reason in find().
class CapabilityStore : public QObject
{
    Q_OBJECT

public:
    struct Source
    {
        std::function<Call<api::Capabilities>(api::Capabilities known)> probe;
        std::function<Call<QString>()> fingerprint;
        std::function<QString()> address; ///< of the API, now
    };

    CapabilityStore(Source source, const Clock &clock, QObject *parent = nullptr);
    ~CapabilityStore() override;

    const api::Capabilities &known() const { return m_known; }
    api::Finding find(api::Feature feature) const { return m_known.of(feature); }
    bool lacks(api::Feature feature) const { return m_known.lacks(feature); }
    bool checking() const { return m_probe.isValid(); }

    /// What a former run knew; forgotten if it was of another address.
    void restore(const api::Capabilities &known);
    /// Asks everything again ("Check again").
    void check();
    /// Asks what is missing: everything if nothing was asked yet, the address is another one, the server says another
    /// thing of itself, or the last time was more than a week ago. Otherwise one request. Once per address.
    void checkIfNeeded();
    /// The account has another address or key: what was known of another server is forgotten.
    void reconnected();
    /// An answer that came for whatever reason; `path` begins behind the API address.
    void learn(const QByteArray &method, const QByteArray &path, const net::HttpResponse &response);
    /// A call about an object that is known to exist said "not found": there is no such call (protocol/compat.md 2.35).
    void learnMissing(api::Feature feature, int httpStatus);

Q_SIGNALS:
    void changed();
    void checkingChanged(bool checking);

private:
    void probe(const api::Capabilities &known);
    void take(const api::Capabilities &found);

    Source m_source;
    const Clock &m_clock;
    api::Capabilities m_known;
    QString m_lookedAt; // address of the last checkIfNeeded()
    Call<QString> m_fingerprint;
    Call<api::Capabilities> m_probe;
};

} // namespace boxdeck::session
