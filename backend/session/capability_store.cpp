// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/capability_store.h"

#include "backend/core/logging.h"

namespace boxdeck::session {

using api::Capabilities;
using api::Feature;
using api::Support;

namespace {

constexpr int keptForDays = 7;

} // namespace

CapabilityStore::CapabilityStore(Source source, const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_clock(clock)
{
    m_known.address = m_source.address();
}

CapabilityStore::~CapabilityStore() = default;

void CapabilityStore::restore(const Capabilities &known)
{
    if (known.address != m_source.address())
        return;
    m_known = known;
    Q_EMIT changed();
}

void CapabilityStore::reconnected()
{
    m_probe.cancel();
    m_fingerprint.cancel();
    Q_EMIT checkingChanged(false);
    if (m_known.address == m_source.address())
        return;
    m_known = {};
    m_known.address = m_source.address();
    Q_EMIT changed();
}

void CapabilityStore::check()
{
    m_fingerprint.cancel();
    // What real answers have told of this server stays where asking tells nothing.
    if (!checking())
        probe(m_known);
}

void CapabilityStore::checkIfNeeded()
{
    if (m_lookedAt == m_source.address() || checking())
        return;
    m_lookedAt = m_source.address();
    if (!m_known.probedAt.isValid() || m_known.probedAt.daysTo(m_clock.now()) >= keptForDays) {
        probe(m_known);
        return;
    }
    m_fingerprint = m_source.fingerprint();
    m_fingerprint.then(this, [this](const Result<QString> &fingerprint) {
        if (!fingerprint || *fingerprint == m_known.fingerprint)
            return;
        qCInfo(lcSession) << "another server answers at the address of old";
        m_known = {};
        m_known.address = m_source.address();
        probe(m_known);
    });
}

void CapabilityStore::probe(const Capabilities &known)
{
    m_probe = m_source.probe(known);
    Q_EMIT checkingChanged(true);
    m_probe.then(this, [this](const Result<Capabilities> &found) {
        m_probe.cancel();
        if (found)
            take(*found);
        Q_EMIT checkingChanged(false);
    });
}

void CapabilityStore::take(const Capabilities &found)
{
    Capabilities next = found;
    // Lessons of the meantime.
    for (const Feature feature : api::allFeatures()) {
        if (next.of(feature).support == Support::Unknown && m_known.of(feature).support != Support::Unknown)
            next.set(feature, m_known.of(feature));
    }
    m_known = next;
    Q_EMIT changed();
}

void CapabilityStore::learn(const QByteArray &method, const QByteArray &path, const net::HttpResponse &response)
{
    if (m_known.learn(method, path, response, m_clock.now()))
        Q_EMIT changed();
}

void CapabilityStore::learnMissing(Feature feature, int httpStatus)
{
    if (lacks(feature))
        return;
    m_known.set(feature, {.support = Support::No,
                          .why = api::Why::NoSuchCall,
                          .httpStatus = httpStatus,
                          .words = {},
                          .at = m_clock.now()});
    Q_EMIT changed();
}

} // namespace boxdeck::session
