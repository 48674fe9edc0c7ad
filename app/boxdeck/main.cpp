// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/boxdeck/application.h"
#include "app/boxdeck/single_instance.h"
#include "backend/net/proxy_environment.h"

#include <QApplication>
#include <QDir>
#include <QStandardPaths>

#include <cstdio>

using namespace boxdeck;

namespace {

void print(std::FILE *where, const QString &text)
{
    const QByteArray bytes = text.toLocal8Bit();
    std::fwrite(bytes.constData(), 1, std::size_t(bytes.size()), where);
    std::fflush(where);
}

/// The folder for everything we write, for its owner alone; empty if it can't be made.
QString prepareDataDir(const QString &wanted)
{
    const QString folder =
        wanted.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) : wanted;
    const QFileDevice::Permissions ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;
    const bool isNew = !QFileInfo::exists(folder);
    if (folder.isEmpty() || !QDir().mkpath(folder))
        return {};
    if (isNew)
        QFile::setPermissions(folder, ownerOnly);
    return folder;
}

} // namespace

int main(int argc, char *argv[])
{
    QApplication::setApplicationName(QStringLiteral("boxdeck"));
    QApplication::setApplicationVersion(QLatin1String(BOXDECK_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("boxdeck"));
    {
        // Without a display QApplication ends the process; what --help and --version print needs none.
        const QCoreApplication textOnly(argc, argv);
        const auto asked = app::parseCommandLine(QCoreApplication::arguments());
        if (asked && asked->answer) {
            print(stdout, *asked->answer);
            return 0;
        }
    }
    QApplication app(argc, argv);

    const auto commandLine = app::parseCommandLine(QApplication::arguments());
    if (!commandLine) {
        print(stderr, QStringLiteral("boxdeck: ") + commandLine.error().message + QLatin1Char('\n'));
        return 64;
    }
    if (commandLine->answer) {
        print(stdout, *commandLine->answer);
        return 0;
    }
    const QString dataDir = prepareDataDir(commandLine->dataDir);
    if (dataDir.isEmpty()) {
        print(stderr, QStringLiteral("boxdeck: ") +
                          QCoreApplication::translate("main", "The data folder could not be made: %1\n")
                              .arg(commandLine->dataDir));
        return 73;
    }

    app::SingleInstance instance(dataDir);
    if (!instance.claim()) {
        QObject::connect(&instance, &app::SingleInstance::handedOver, &app, [] { QApplication::exit(0); });
        QObject::connect(&instance, &app::SingleInstance::failed, &app, [&dataDir] {
            print(stderr, QStringLiteral("boxdeck: ") +
                              QCoreApplication::translate(
                                  "main", "Another Boxdeck uses the data folder %1 and does not answer.\n")
                                  .arg(dataDir));
            QApplication::exit(75);
        });
        instance.handOver({{QStringLiteral("open"), commandLine->open}});
        return app.exec();
    }

    app::Application boxdeck(app, *commandLine, dataDir);
    QObject::connect(&instance, &app::SingleInstance::requested, &boxdeck, &app::Application::takeRequest);
    boxdeck.start();
    return app.exec();
}
