// SPDX-License-Identifier: GPL-3.0-or-later
// The peer of the start-up bench: the least a Qt Widgets program can do and still show a window with a menu and a
// status bar. What Boxdeck takes beyond this is its own doing.
#include <QApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>

int main(int argc, char **argv)
{
    const QApplication app(argc, argv);
    QMainWindow window;
    window.resize(1280, 800);
    window.menuBar()->addMenu(QStringLiteral("&File"));
    window.statusBar()->showMessage(QStringLiteral("Ready"));
    window.show();
    return QApplication::exec();
}
