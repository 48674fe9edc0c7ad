// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/theme.h"

#include "backend/core/logging.h"
#include "ui/common/style.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFileInfo>
#include <QFontDatabase>
#include <QStandardPaths>

namespace boxdeck::ui {

namespace {

struct Pair
{
    QRgb light;
    QRgb dark;
};

Pair pairOf(Token token)
{
    switch (token) {
    case Token::Window:
        return {0xFFFFFFFF, 0xFF15181E};
    case Token::Surface:
        return {0xFFF6F7F9, 0xFF1C2028};
    case Token::Hairline:
        return {0xFFDADDE3, 0xFF2E3440};
    case Token::Text:
        return {0xFF1B1F27, 0xFFE6E9EF};
    case Token::Muted:
        return {0xFF5B6472, 0xFF9AA3B2};
    case Token::Running:
        return {0xFF1B7449, 0xFF4CC38A};
    case Token::Paused:
        return {0xFF5B5BD6, 0xFFA5A5FF};
    case Token::Warning:
        return {0xFF8F5B00, 0xFFE3A73B};
    case Token::Danger:
        return {0xFFBA332A, 0xFFFF7B72};
    case Token::Accent:
        return {0xFF2563D9, 0xFF6EA1FF};
    case Token::OnAccent:
        return {0xFFFFFFFF, 0xFF10141B};
    case Token::Selection:
        return {0xFFE6EEFD, 0xFF243450};
    case Token::Hover:
        return {0xFFEEF1F5, 0xFF232833};
    case Token::WarningGround:
        return {0xFFFFF6E3, 0xFF2D2617};
    case Token::DangerGround:
        return {0xFFFDEEEC, 0xFF321F21};
    }
    Q_UNREACHABLE();
}

const auto kAppearance = QLatin1String("org.freedesktop.appearance");
const auto kGnome = QLatin1String("org.gnome.desktop.interface");
const auto kPortalService = QLatin1String("org.freedesktop.portal.Desktop");
const auto kPortalPath = QLatin1String("/org/freedesktop/portal/desktop");
const auto kPortalSettings = QLatin1String("org.freedesktop.portal.Settings");

/// Connecting without a bus may start one through X11 and wait for it; so look first.
bool hasSessionBus()
{
    if (!qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"))
        return true;
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    return !runtime.isEmpty() && QFileInfo::exists(runtime + QLatin1String("/bus"));
}

QVariant unwrap(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

QColor Theme::color(Token token, const QPalette &palette)
{
    const Pair pair = pairOf(token);
    const bool dark = isDark(palette);
    if (isHighContrast(palette)) {
        switch (token) {
        case Token::Hairline:
        case Token::Muted:
            return dark ? QColor(0xFFC8CED8) : QColor(0xFF3A414C);
        case Token::Text:
            return dark ? QColor(Qt::white) : QColor(Qt::black);
        default:
            break;
        }
    }
    return QColor::fromRgba(dark ? pair.dark : pair.light);
}

bool Theme::isDark(const QPalette &palette)
{
    return palette.color(QPalette::Active, QPalette::Base).lightness() < 128;
}

bool Theme::isHighContrast(const QPalette &palette)
{
    const QColor text = palette.color(QPalette::Active, QPalette::WindowText);
    return text == QColor(Qt::white) || text == QColor(Qt::black);
}

QPalette Theme::palette(bool dark, bool highContrast)
{
    // The look-ups below read scheme and contrast from these two roles.
    QPalette seed;
    seed.setColor(QPalette::Base, QColor::fromRgba(dark ? pairOf(Token::Window).dark : pairOf(Token::Window).light));
    seed.setColor(QPalette::WindowText,
                  highContrast ? QColor(dark ? Qt::white : Qt::black)
                               : QColor::fromRgba(dark ? pairOf(Token::Text).dark : pairOf(Token::Text).light));
    const auto get = [&seed](Token token) { return color(token, seed); };

    QPalette result;
    const QColor text = get(Token::Text);
    result.setColor(QPalette::Window, get(Token::Surface));
    result.setColor(QPalette::WindowText, text);
    result.setColor(QPalette::Base, get(Token::Window));
    result.setColor(QPalette::AlternateBase, get(Token::Surface));
    result.setColor(QPalette::Text, text);
    result.setColor(QPalette::PlaceholderText, get(Token::Muted));
    result.setColor(QPalette::Button, get(Token::Surface));
    result.setColor(QPalette::ButtonText, text);
    result.setColor(QPalette::BrightText, get(Token::Danger));
    result.setColor(QPalette::ToolTipBase, get(Token::Text));
    result.setColor(QPalette::ToolTipText, get(Token::Window));
    result.setColor(QPalette::Highlight, get(Token::Selection));
    result.setColor(QPalette::HighlightedText, text);
    result.setColor(QPalette::Link, get(Token::Accent));
    result.setColor(QPalette::LinkVisited, get(Token::Accent));
    result.setColor(QPalette::Light, get(Token::Window));
    result.setColor(QPalette::Midlight, get(Token::Hover));
    result.setColor(QPalette::Mid, get(Token::Hairline));
    result.setColor(QPalette::Dark, get(Token::Hairline).darker(110));
    result.setColor(QPalette::Shadow, QColor(0, 0, 0, dark ? 120 : 60));
    // Disabled text is exempt from the contrast rule, but must still be readable.
    const QColor faint = dark ? QColor(0xFF6B7482) : QColor(0xFF8D95A2);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        result.setColor(QPalette::Disabled, role, faint);
    return result;
}

QFont Theme::monospace()
{
    return QFontDatabase::systemFont(QFontDatabase::FixedFont);
}

Theme::Theme(QApplication &app, SchemeChoice choice, bool assumeDark)
    : m_app(app)
    , m_choice(choice)
    , m_systemDark(assumeDark)
{
    m_app.setStyle(new Style);
    apply();
}

Theme::~Theme() = default;

void Theme::setChoice(SchemeChoice choice)
{
    if (m_choice == choice)
        return;
    m_choice = choice;
    apply();
}

void Theme::followDesktop()
{
    if (!hasSessionBus())
        return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kPortalService, kPortalPath, kPortalSettings, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    const std::initializer_list<std::pair<QLatin1String, QLatin1String>> wanted = {
        {kAppearance, QLatin1String("color-scheme")},
        {kAppearance, QLatin1String("contrast")},
        {kAppearance, QLatin1String("reduced-motion")},
        {kGnome, QLatin1String("enable-animations")},
    };
    for (const auto &[group, key] : wanted) {
        auto message =
            QDBusMessage::createMethodCall(kPortalService, kPortalPath, kPortalSettings, QStringLiteral("Read"));
        message << QString(group) << QString(key);
        auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(message), this);
        connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, group, key](QDBusPendingCallWatcher *done) {
            done->deleteLater();
            const QDBusPendingReply<QDBusVariant> reply = *done;
            if (reply.isError())
                qCDebug(lcUi) << "settings portal has no" << key << reply.error().name();
            else
                take(group, key, unwrap(QVariant::fromValue(reply.value())));
        });
    }
}

void Theme::settingChanged(const QString &group, const QString &key, const QDBusVariant &value)
{
    take(group, key, unwrap(value.variant()));
}

void Theme::take(const QString &group, const QString &key, const QVariant &value)
{
    if (group == kAppearance && key == QLatin1String("color-scheme")) {
        const bool dark = value.toUInt() == 1;
        if (dark == m_systemDark)
            return;
        m_systemDark = dark;
        Q_EMIT systemDarkChanged(dark);
    } else if (group == kAppearance && key == QLatin1String("contrast")) {
        m_highContrast = value.toUInt() == 1;
    } else if (group == kAppearance && key == QLatin1String("reduced-motion")) {
        m_reducedMotion = value.toUInt() == 1;
    } else if (group == kGnome && key == QLatin1String("enable-animations")) {
        m_reducedMotion = !value.toBool();
    } else {
        return;
    }
    apply();
}

void Theme::apply()
{
    bool dark = m_choice == SchemeChoice::Dark || (m_choice == SchemeChoice::System && m_systemDark);
    const QByteArray forced = qgetenv("BOXDECK_THEME");
    if (forced == "dark")
        dark = true;
    else if (forced == "light")
        dark = false;
    if (auto *style = qobject_cast<Style *>(m_app.style()))
        style->setReducedMotion(m_reducedMotion);
    m_app.setPalette(palette(dark, m_highContrast));
    Q_EMIT changed();
}

} // namespace boxdeck::ui
