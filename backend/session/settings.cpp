// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/settings.h"

#include "backend/core/logging.h"
#include "backend/session/json_file.h"

#include <QJsonArray>

#include <array>
#include <chrono>

using namespace std::chrono_literals;

namespace boxdeck::session {

namespace {

const auto kGeometry = QStringLiteral("windowGeometry");
const auto kState = QStringLiteral("windowState");
const auto kLanguage = QStringLiteral("language");
const auto kTheme = QStringLiteral("theme");
const auto kAtQuit = QStringLiteral("localSandboxesAtQuit");
const auto kAccount = QStringLiteral("currentAccount");
const auto kOpen = QStringLiteral("openSandboxes");
const auto kViews = QStringLiteral("views");

// The words stand in the order of the enumerators.
constexpr std::array themeWords{"system", "light", "dark"};
constexpr std::array atQuitWords{"ask", "keep", "stop"};

template <typename Enum, size_t N> Enum fromWord(const QJsonValue &value, const std::array<const char *, N> &words)
{
    for (size_t i = 0; i < N; ++i) {
        if (value.toString() == QLatin1String(words[i]))
            return Enum(i);
    }
    return Enum(0);
}

QJsonValue packed(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray unpacked(const QJsonValue &value)
{
    return QByteArray::fromBase64(value.toString().toLatin1());
}

} // namespace

Settings::Settings(QString file, QObject *parent)
    : QObject(parent)
    , m_file(std::move(file))
{
    if (auto values = readJsonFile(m_file))
        m_values = *values;
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(500ms);
    connect(&m_saveSoon, &QTimer::timeout, this, [this] { (void)flush(); });
}

Settings::~Settings()
{
    (void)flush();
}

QByteArray Settings::windowGeometry() const
{
    return unpacked(m_values.value(kGeometry));
}

void Settings::setWindowGeometry(const QByteArray &geometry)
{
    set(kGeometry, packed(geometry));
}

QByteArray Settings::windowState() const
{
    return unpacked(m_values.value(kState));
}

void Settings::setWindowState(const QByteArray &state)
{
    set(kState, packed(state));
}

QString Settings::language() const
{
    return m_values.value(kLanguage).toString();
}

void Settings::setLanguage(const QString &code)
{
    if (set(kLanguage, code))
        Q_EMIT languageChanged();
}

Settings::ThemeChoice Settings::theme() const
{
    return fromWord<ThemeChoice>(m_values.value(kTheme), themeWords);
}

void Settings::setTheme(ThemeChoice theme)
{
    if (set(kTheme, QLatin1String(themeWords[size_t(theme)])))
        Q_EMIT themeChanged();
}

Settings::AtQuit Settings::localSandboxesAtQuit() const
{
    return fromWord<AtQuit>(m_values.value(kAtQuit), atQuitWords);
}

void Settings::setLocalSandboxesAtQuit(AtQuit choice)
{
    set(kAtQuit, QLatin1String(atQuitWords[size_t(choice)]));
}

QUuid Settings::currentAccount() const
{
    return QUuid(m_values.value(kAccount).toString());
}

void Settings::setCurrentAccount(const QUuid &account)
{
    set(kAccount, account.toString(QUuid::WithoutBraces));
}

QList<Settings::OpenSandbox> Settings::openSandboxes() const
{
    QList<OpenSandbox> sandboxes;
    const QJsonArray entries = m_values.value(kOpen).toArray();
    for (const QJsonValue &entry : entries) {
        const OpenSandbox open{QUuid(entry[QLatin1String("account")].toString()),
                               entry[QLatin1String("sandbox")].toString()};
        if (!open.account.isNull() && !open.sandboxId.isEmpty())
            sandboxes.append(open);
    }
    return sandboxes;
}

void Settings::setOpenSandboxes(const QList<OpenSandbox> &sandboxes)
{
    QJsonArray entries;
    for (const OpenSandbox &open : sandboxes) {
        entries.append(QJsonObject{{QStringLiteral("account"), open.account.toString(QUuid::WithoutBraces)},
                                   {QStringLiteral("sandbox"), open.sandboxId}});
    }
    set(kOpen, entries);
}

QJsonValue Settings::viewState(const QString &view) const
{
    return m_values.value(kViews).toObject().value(view);
}

void Settings::setViewState(const QString &view, const QJsonValue &state)
{
    QJsonObject views = m_values.value(kViews).toObject();
    views[view] = state;
    set(kViews, views);
}

QByteArray Settings::viewBytes(const QString &view) const
{
    return unpacked(viewState(view));
}

void Settings::setViewBytes(const QString &view, const QByteArray &state)
{
    setViewState(view, packed(state));
}

Result<void> Settings::flush()
{
    m_saveSoon.stop();
    if (!m_dirty)
        return {};
    auto done = writeJsonFile(m_file, m_values);
    if (done)
        m_dirty = false;
    else
        qCWarning(lcSession) << "settings not saved:" << done.error().message;
    return done;
}

bool Settings::set(const QString &key, const QJsonValue &value)
{
    if (m_values.value(key) == value)
        return false;
    m_values[key] = value;
    m_dirty = true;
    if (!m_saveSoon.isActive())
        m_saveSoon.start();
    return true;
}

} // namespace boxdeck::session
