// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/command_run.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <QUuid>

namespace boxdeck::api {

namespace {

using protocol::ProcessOutput;
using protocol::ProcessSelector;
using protocol::ProcessSignal;
using namespace std::chrono_literals;

constexpr auto inputPiece = 64 * 1024;
constexpr auto maxHereDocument = 64 * 1024; // one argument of a program may be 128 KiB, and base64 grows
constexpr auto serverMargin = 10s;          // the sandbox's own deadline is for when this computer is gone
constexpr auto killPatience = 5s;

Error refused(const QString &why)
{
    return {.kind = ErrorKind::InvalidRequest, .code = QStringLiteral("bad_request"), .message = why};
}

std::optional<Error> problemOf(const Command &command)
{
    if (!command.line.isEmpty() && !command.words.isEmpty())
        return refused(QStringLiteral("a command is a line or words, not both"));
    if (command.words.isEmpty() ? command.line.trimmed().isEmpty() : command.words.first().trimmed().isEmpty())
        return refused(QStringLiteral("a command is blank"));
    if (command.limit < 0ms)
        return refused(QStringLiteral("a time limit is negative"));
    if (command.shell.trimmed().isEmpty())
        return refused(QStringLiteral("no shell is named"));
    return std::nullopt;
}

/// The input as text of the line that the outer shell reads. In base64, as here-documents hold neither every byte nor
/// an end without a line break.
QString withInput(const QString &inner, const QByteArray &input)
{
    return QStringLiteral("base64 -d <<'BOXDECK_INPUT' | %1\n%2\nBOXDECK_INPUT\n")
        .arg(inner, QString::fromLatin1(input.toBase64()));
}

/// Runs one command; deletes itself.
class Runner final : public QObject
{
public:
    Runner(EnvdProcessClient processes, Command command)
        : m_processes(std::move(processes))
        , m_command(std::move(command))
        , m_tag(QStringLiteral("boxdeck-") + QUuid::createUuid().toString(QUuid::Id128))
    {
        m_limit.setSingleShot(true);
        m_limit.setTimerType(Qt::PreciseTimer); // a coarse one may be early
        connect(&m_limit, &QTimer::timeout, this, &Runner::reachLimit);
        m_patience.setSingleShot(true);
        connect(&m_patience, &QTimer::timeout, this, [this] { finish(); });
    }

    Call<CommandRun> run()
    {
        m_promise.onAbort([self = QPointer<Runner>(this)] {
            if (self)
                self->abandon();
        });
        start();
        return m_promise.call();
    }

private:
    void start()
    {
        const bool feeds = m_command.input.has_value() && m_processes.surelyClosesStdin();
        const QString line = m_command.words.isEmpty() ? m_command.line : shellLine(m_command.words);
        QStringList args = m_command.login ? QStringList{QStringLiteral("-l"), QStringLiteral("-c"), line}
                                           : QStringList{QStringLiteral("-c"), line};
        if (m_command.input && !feeds) {
            if (m_command.input->size() > maxHereDocument)
                return fail(m_processes.lacksCloseStdin());
            args = {QStringLiteral("-c"), withInput(shellLine(QStringList{m_command.shell} + args), *m_command.input)};
        }
        if (feeds)
            m_input = *m_command.input;
        m_feeds = feeds;
        m_took.start();
        m_stream = m_processes.start(
            {.config = {.cmd = m_command.shell, .args = args, .envs = m_command.envs, .cwd = m_command.cwd},
             .tag = m_tag,
             .openStdin = feeds},
            m_command.limit > 0ms ? m_command.limit + serverMargin : 0ms);
        connect(m_stream.get(), &ProcessStream::event, this, &Runner::take);
        connect(m_stream.get(), &ProcessStream::ended, this, &Runner::ended);
        if (m_command.limit > 0ms)
            m_limit.start(m_command.limit);
    }

    void take(const protocol::ProcessEvent &event)
    {
        if (const auto *output = std::get_if<ProcessOutput>(&event)) {
            const bool isErr = output->stream == ProcessOutput::Stream::Stderr;
            keep(isErr ? m_run.err : m_run.out, isErr ? m_run.errCut : m_run.outCut, output->data);
        } else if (std::holds_alternative<protocol::ProcessStarted>(event) && m_feeds && !std::exchange(m_fed, true)) {
            feed();
        }
    }

    void keep(QByteArray &kept, bool &cut, const QByteArray &data) const
    {
        const qint64 room = qMax<qint64>(0, m_command.maxOutput - kept.size());
        cut = cut || data.size() > room;
        kept += data.left(room);
    }

    /// One piece after the other: two in flight could change places.
    void feed()
    {
        const ProcessSelector process = *m_stream->pid();
        if (m_input.isEmpty()) {
            m_inputCall = m_processes.closeStdin(process);
            m_inputCall.then(this, [this](const Result<void> &closed) {
                if (!closed && closed.error().kind != ErrorKind::NotFound && closed.error().kind != ErrorKind::Internal)
                    giveUp(closed.error()); // it would wait for ever
            });
            return;
        }
        const QByteArray piece = m_input.left(inputPiece);
        m_input.remove(0, piece.size());
        m_inputCall = m_processes.sendInput(process, protocol::InputKind::Stdin, piece);
        m_inputCall.then(this, [this](const Result<void> &sent) {
            if (sent)
                feed();
            else if (sent.error().delivery != Delivery::Answered)
                giveUp(sent.error()); // a gap in its input must not look like all of it
            // Else it wants no more: it has closed its input or ended, and its end will come.
        });
    }

    void reachLimit()
    {
        m_run.end = CommandRun::End::TimeLimit;
        kill();
    }

    void giveUp(const Error &error)
    {
        m_run.error = error;
        m_run.end = CommandRun::End::Interrupted;
        kill();
    }

    void kill()
    {
        if (m_patience.isActive())
            return;
        m_limit.stop();
        m_patience.start(killPatience);
        m_killCall = m_processes.signal(process(), ProcessSignal::Kill);
        m_killCall.then(this, [this](const Result<void> &sent) {
            m_killCall = {};
            m_run.killed = m_run.killed || sent.has_value();
            if (m_over)
                finish(); // else the last output and the end are still under way
        });
    }

    ProcessSelector process() const
    {
        return m_stream->pid() ? ProcessSelector(*m_stream->pid()) : ProcessSelector::byTag(m_tag);
    }

    void ended(const net::StreamEnd &end)
    {
        using End = CommandRun::End;
        const bool heardOfIt = m_stream->pid() || m_stream->exit() || !m_run.out.isEmpty() || !m_run.err.isEmpty();
        if (m_stream->exit() || end.kind == net::StreamEnd::Kind::Finished)
            return finish();
        if (end.error.code == QLatin1String("deadline_exceeded")) {
            m_run.end = End::TimeLimit;
            m_run.killed = true; // the sandbox does that itself
            return finish();
        }
        if (m_killCall.isValid()) {
            m_over = true; // whether it is dead is about to be told
            return;
        }
        if (m_run.end == End::TimeLimit)
            return finish();
        const bool refusedIt =
            end.error.delivery == Delivery::NotSent || (end.kind == net::StreamEnd::Kind::Failed && !heardOfIt);
        if (refusedIt && m_run.end == End::Finished)
            return fail(end.error);
        if (m_run.end == End::Finished)
            m_run.error = end.error;
        m_run.end = End::Interrupted;
        finish();
    }

    void finish()
    {
        m_run.duration = std::chrono::milliseconds(m_took.elapsed());
        if (const auto &exit = m_stream->exit()) {
            m_run.exitCode = exit->exitCode;
            const bool bySignal = !exit->exited && exit->exitCode == -1;
            if (m_run.end == CommandRun::End::TimeLimit && !bySignal)
                m_run.end = CommandRun::End::Finished; // it ended by itself before the kill reached it
            m_run.killed = bySignal;
        }
        settle(m_run);
    }

    void fail(const Error &error) { settle(tl::unexpected(error)); }

    void settle(Result<CommandRun> result)
    {
        letGo();
        m_promise.settle(std::move(result));
    }

    void abandon()
    {
        if (m_stream)
            m_processes.signal(process(), ProcessSignal::Kill)
                .then(&m_processes.lastingOwner(), [](const Result<void> &) {});
        letGo();
    }

    /// Later: a signal of the stream may be what called.
    void letGo()
    {
        m_limit.stop();
        m_patience.stop();
        m_inputCall.cancel();
        m_killCall.cancel();
        if (m_stream)
            m_stream->close();
        deleteLater();
    }

    EnvdProcessClient m_processes;
    Command m_command;
    QString m_tag; ///< to kill it by when its pid is not known yet
    Promise<CommandRun> m_promise;
    CommandRun m_run;
    std::unique_ptr<ProcessStream> m_stream;
    QByteArray m_input; ///< what is left of it
    bool m_feeds = false;
    bool m_over = false; ///< the stream ended without an exit, and the kill is not answered yet
    bool m_fed = false;  ///< a second start event must not feed it twice
    Call<void> m_inputCall;
    Call<void> m_killCall;
    QTimer m_limit;
    QTimer m_patience;
    QElapsedTimer m_took;
};

} // namespace

QString shellWord(const QString &word)
{
    const auto isPlain = [](QChar c) {
        return (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || (c >= QLatin1Char('A') && c <= QLatin1Char('Z')) ||
               (c >= QLatin1Char('a') && c <= QLatin1Char('z')) || QStringLiteral("-_/.,:=+").contains(c);
    };
    if (!word.isEmpty() && std::all_of(word.begin(), word.end(), isPlain))
        return word;
    QString quoted = word;
    quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

QString shellLine(const QStringList &words)
{
    QStringList quoted;
    for (const QString &word : words)
        quoted.append(shellWord(word));
    // Without quotes "A=b" in front would be a variable of the command, not a command.
    if (!quoted.isEmpty() && quoted.first() == words.first() && words.first().contains(QLatin1Char('=')))
        quoted.first() = QLatin1Char('\'') + words.first() + QLatin1Char('\'');
    return quoted.join(QLatin1Char(' '));
}

Call<CommandRun> runCommand(const EnvdProcessClient &processes, const Command &command)
{
    if (auto problem = problemOf(command))
        return Call<CommandRun>::settled(tl::unexpected(std::move(*problem)));
    auto *runner = new Runner(command.user ? processes.asUser(*command.user) : processes, command);
    return runner->run();
}

} // namespace boxdeck::api
