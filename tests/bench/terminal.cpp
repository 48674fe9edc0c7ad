// SPDX-License-Identifier: GPL-3.0-or-later
// One run of Boxdeck's terminal: its own pane in a window, a shell in the sandbox, one command that ends by writing
// "bench done". Reports the CPU seconds between the command and its end.
#include "backend/core/clock.h"
#include "backend/session/session.h"
#include "tests/bench/order.h"
#include "ui/common/theme.h"
#include "ui/terminal/terminal_pane.h"

#include <QAccessible>
#include <QApplication>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QTimer>

using namespace boxdeck;

namespace {

QString screenText(QWidget *terminal)
{
    QAccessibleInterface *read = terminal ? QAccessible::queryAccessibleInterface(terminal) : nullptr;
    return read ? read->text(QAccessible::Value) : QString();
}

void type(QWidget *terminal, const QString &line)
{
    for (const QChar &letter : line) {
        QKeyEvent press(QEvent::KeyPress, letter == QLatin1Char('\r') ? Qt::Key_Return : 0, Qt::NoModifier, letter);
        QCoreApplication::sendEvent(terminal, &press);
    }
}

} // namespace

int main(int argc, char **argv)
{
    const QApplication app(argc, argv);
    const QJsonObject order = bench::readOrder(QCoreApplication::arguments());
    const ui::Theme theme(*qApp, ui::SchemeChoice::Dark);
    const SystemClock clock;
    net::HttpTransport transport;
    auto profile = session::ConnectionProfile::selfHosted(QStringLiteral("bench"),
                                                          QUrl(order[QLatin1String("apiUrl")].toString()));
    profile.sandboxUrl = QUrl(order[QLatin1String("sandboxUrl")].toString());
    session::Session session(profile, bench::endpointOf(order).apiKey, transport, clock);
    session.start();
    ui::TerminalPane pane(session, {order[QLatin1String("sandboxId")].toString()});
    const QFontMetrics cell(ui::Theme::monospace());
    pane.resize(order[QLatin1String("columns")].toInt() * cell.horizontalAdvance(QLatin1Char('M')) + 24,
                order[QLatin1String("lines")].toInt() * cell.height() + 48);
    pane.show();

    // The screen is asked seldom, so that asking costs nothing beside what is measured.
    enum class Step { Prompt, Running } step = Step::Prompt;
    double before = 0;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &look, [&] {
        auto *terminal = pane.findChild<QWidget *>(QStringLiteral("terminalView"));
        const QString text = screenText(terminal);
        if (step == Step::Prompt && text.trimmed().endsWith(QLatin1Char('$'))) {
            step = Step::Running;
            before = bench::cpuSeconds();
            type(terminal, order[QLatin1String("command")].toString() + QLatin1Char('\r'));
        } else if (step == Step::Running && text.contains(QLatin1String("bench done"))) {
            look.stop();
            bench::finish({{QStringLiteral("cpu"), bench::cpuSeconds() - before}});
        }
    });
    look.start(100);
    QTimer::singleShot(170'000, &look, [] { bench::giveUp(QStringLiteral("the command did not end")); });
    return QApplication::exec();
}
