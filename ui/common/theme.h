// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QGuiApplication>
#include <QObject>
#include <QPalette>

class QApplication;
class QDBusVariant;

namespace boxdeck::ui {

/// The grid everything sits on, in device-independent pixels.
inline constexpr int kGrid = 8;
/// Height of one row of a table, list or tree.
inline constexpr int kRowHeight = 28;
/// Side of a small icon.
inline constexpr int kIconSize = 16;

/// The colours of the window. Every text token has at least 4.5:1 on Window, Surface and Selection, in both schemes.
enum class Token {
    Window,    ///< ground of lists and pages
    Surface,   ///< ground of bars, docks and dialogs
    Hairline,  ///< the line that separates
    Text,      ///< main text
    Muted,     ///< secondary text
    Running,   ///< a sandbox that runs, a job that is done
    Paused,    ///< a paused sandbox
    Warning,   ///< building, needs attention
    Danger,    ///< failed, destructive
    Accent,    ///< links, focus, the default button
    OnAccent,  ///< text on an Accent or Danger ground
    Selection, ///< ground of selected rows; text keeps its colour on it
    Hover,     ///< ground under the pointer
    WarningGround,
    DangerGround,
};

/// What the user chose for the colour scheme; System follows the desktop.
enum class SchemeChoice { System, Light, Dark };

/// Colours, fonts and motion of the whole application.
///
/// The truth is the application's palette: colours are looked up from it, so a widget has nothing to remember and
/// repaints by QEvent::PaletteChange alone. One object of this class, owned by the composition root, sets that palette
/// from the user's choice and the desktop's settings portal (Qt 6.4 has no hint for the colour scheme), which is asked
/// without waiting for it. BOXDECK_THEME=light|dark wins over both.
class Theme : public QObject
{
    Q_OBJECT

public:
    /// The colour of `token` in the scheme that `palette` shows.
    static QColor color(Token token, const QPalette &palette = QGuiApplication::palette());
    static bool isDark(const QPalette &palette = QGuiApplication::palette());
    /// True while the desktop asks for more contrast.
    static bool isHighContrast(const QPalette &palette = QGuiApplication::palette());
    /// The palette of one scheme.
    static QPalette palette(bool dark, bool highContrast = false);
    /// The desktop's fixed-width font, for ids, paths and terminals.
    static QFont monospace();

    /// Installs our style and the first palette. `assumeDark` is what the desktop said last time, so that the window
    /// does not flash while the portal is asked.
    explicit Theme(QApplication &app, SchemeChoice choice = SchemeChoice::System, bool assumeDark = false);
    ~Theme() override;

    SchemeChoice choice() const { return m_choice; }
    void setChoice(SchemeChoice choice);
    /// What the desktop asks for; false until it has answered.
    bool systemDark() const { return m_systemDark; }
    bool reducedMotion() const { return m_reducedMotion; }

    /// Asks the settings portal and listens to its changes. Does nothing without a session bus.
    void followDesktop();

Q_SIGNALS:
    void changed();
    void systemDarkChanged(bool dark);

private Q_SLOTS:
    void settingChanged(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void take(const QString &group, const QString &key, const QVariant &value);
    void apply();

    QApplication &m_app;
    SchemeChoice m_choice;
    bool m_systemDark;
    bool m_highContrast = false;
    bool m_reducedMotion = false;
};

} // namespace boxdeck::ui
