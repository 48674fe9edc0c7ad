// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/boxdeck/command_line.h"

#include <QJsonObject>
#include <QObject>

#include <memory>

class QApplication;

namespace boxdeck::app {

/// The composition root: makes every part once, gives each what it needs, and lets go of them in the right order.
class Application : public QObject
{
    Q_OBJECT

public:
    /// `dataDir` exists and is ours alone.
    Application(QApplication &app, const CommandLine &commandLine, const QString &dataDir);
    ~Application() override;

    /// Shows the window and brings the accounts to life.
    void start();

    /// A later instance was started with this request: come to the front and do what it was asked.
    void takeRequest(const QJsonObject &request);

private:
    void connectForThisRun();
    void chooseAccount();

    struct Parts;
    QApplication &m_app;
    CommandLine m_commandLine;
    std::unique_ptr<Parts> m_parts;
};

} // namespace boxdeck::app
