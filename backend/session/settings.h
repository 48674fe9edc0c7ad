// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUuid>

#include <optional>

namespace boxdeck::session {

/// What the window remembers between runs: a JSON file in the data folder, written soon after a change and when
/// this object dies. Knows no secret, and has no place to put one.
class Settings : public QObject
{
    Q_OBJECT

public:
    enum class ThemeChoice { System, Light, Dark };

    /// What to do with sandboxes on this computer at quit.
    enum class AtQuit { Ask, KeepRunning, Stop };

    /// A sandbox that had a workspace tab. Opening it again only looks: it never wakes a paused one.
    struct OpenSandbox
    {
        QUuid account;
        QString sandboxId;
        bool operator==(const OpenSandbox &) const = default;
    };

    /// Reads `file`; what is missing or of another type has its default. A file that can't be parsed is set aside.
    explicit Settings(QString file, QObject *parent = nullptr);
    ~Settings() override;

    QByteArray windowGeometry() const; ///< QWidget::saveGeometry
    void setWindowGeometry(const QByteArray &geometry);
    QByteArray windowState() const; ///< QMainWindow::saveState
    void setWindowState(const QByteArray &state);

    QString language() const; ///< a code such as "zh_CN"; empty follows the system
    void setLanguage(const QString &code);
    ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);
    AtQuit localSandboxesAtQuit() const;
    void setLocalSandboxesAtQuit(AtQuit choice);

    QUuid currentAccount() const; ///< null if none was chosen yet
    void setCurrentAccount(const QUuid &account);

    QList<OpenSandbox> openSandboxes() const; ///< in tab order
    void setOpenSandboxes(const QList<OpenSandbox> &sandboxes);

    /// What one view keeps for itself (columns, sort order, splitter), under a name of its own such as "files/header".
    QJsonValue viewState(const QString &view) const;
    void setViewState(const QString &view, const QJsonValue &state);
    QByteArray viewBytes(const QString &view) const; ///< the same, for QHeaderView::saveState and its like
    void setViewBytes(const QString &view, const QByteArray &state);

    /// Writes now. Local error if the disk refuses.
    Result<void> flush();

Q_SIGNALS:
    void themeChanged();
    void languageChanged();

private:
    bool set(const QString &key, const QJsonValue &value);

    QString m_file;
    QJsonObject m_values;
    QTimer m_saveSoon;
    bool m_dirty = false;
};

} // namespace boxdeck::session
