// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/local_host.h"

#include "backend/core/logging.h"
#include "backend/session/json_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>

#include <array>

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace boxdeck::session {

namespace {

const auto kPid = QLatin1String("pid");
const auto kStartTicks = QLatin1String("startTicks");
const auto kBoot = QLatin1String("boot");
const auto kApiUrl = QLatin1String("apiUrl");
const auto kSandboxUrl = QLatin1String("sandboxUrl");

// A host that dies right after its start again and again is not helped by a fifth try.
constexpr std::array restartPauses{0ms, 500ms, 2000ms, 5000ms};
constexpr qint64 quickDeathMs = 10'000;
constexpr auto strangerLimit = 5s;

/// Process ids and their start times count from the boot.
QString bootId()
{
    QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    return file.open(QIODevice::ReadOnly) ? QString::fromLatin1(file.readAll().trimmed()) : QString();
}

Secret readKeyFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Secret(file.read(4096).trimmed()) : Secret();
}

Error hostError(const char *code, const QString &message)
{
    Error error = localError(message);
    error.code = QLatin1String(code);
    return error;
}

} // namespace

LocalHost::LocalHost(Options options, net::HttpTransport &transport, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_transport(transport)
{
    m_options.dataDir = QDir(m_options.dataDir).absolutePath(); // the host runs in another working folder
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, &LocalHost::deadlinePassed);
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, [this] { launch(m_apiUrl.port(0)); });
}

LocalHost::~LocalHost() = default;

qint64 LocalHost::pid() const
{
    return m_process ? m_process->pid() : 0;
}

QString LocalHost::hostDir() const
{
    return m_options.dataDir + QStringLiteral("/host");
}

QString LocalHost::stateFile() const
{
    return m_options.dataDir + QStringLiteral("/local-host.json");
}

void LocalHost::setState(State state)
{
    if (m_state == state)
        return;
    m_state = state;
    Q_EMIT stateChanged();
}

void LocalHost::start()
{
    if (m_state != State::Off && m_state != State::Failed)
        return;
    m_lastError.reset();
    m_quickDeaths = 0;
    setState(State::Starting);
    lookForKept();
}

void LocalHost::lookForKept()
{
    const QJsonObject saved = readJsonFile(stateFile()).value_or(QJsonObject());
    HostStartLine line;
    line.pid = saved.value(kPid).toInteger();
    line.apiUrl = QUrl(saved.value(kApiUrl).toString());
    line.sandboxUrl = QUrl(saved.value(kSandboxUrl).toString());
    line.apiKey = readKeyFile(hostDir() + QStringLiteral("/api-key"));
    m_apiUrl = line.apiUrl; // a host started anew gets the old port if it can

    const ProcessIdentity identity{.pid = line.pid, .startTicks = saved.value(kStartTicks).toString().toULongLong()};
    if (line.pid > 0 && saved.value(kBoot).toString() == bootId())
        adopt(HostProcess::attach(identity));
    if (!m_process) {
        launch(m_apiUrl.port(0));
        return;
    }
    qCInfo(lcSession) << "found boxdeck-host" << line.pid << "at" << line.apiUrl;
    if (line.sandboxUrl.isEmpty() || line.apiKey.isEmpty()) {
        replaceKept(); // it was still starting when the app went away
        return;
    }
    m_deadline.start(m_options.startLimit);
    check(line);
}

void LocalHost::replaceKept()
{
    qCWarning(lcSession) << "boxdeck-host" << pid() << "does not answer and is replaced";
    m_replacing = true;
    m_check.cancel();
    m_process->terminate();
    m_deadline.start(m_options.stopLimit);
}

void LocalHost::adopt(std::unique_ptr<HostProcess> process)
{
    m_process = std::move(process);
    if (m_process)
        connect(
            m_process.get(), &HostProcess::ended, this,
            [this, watched = QPointer(m_process.get())] {
                if (watched && watched == m_process.get())
                    hostEnded();
            },
            Qt::QueuedConnection);
}

QString LocalHost::findProgram() const
{
    const auto name = QStringLiteral("boxdeck-host");
    if (!m_options.program.isEmpty())
        return m_options.program;
    if (const QString named = qEnvironmentVariable("BOXDECK_HOST"); !named.isEmpty())
        return named;
    const QString beside = QCoreApplication::applicationDirPath() + u'/' + name;
    return QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable(name);
}

void LocalHost::launch(int port)
{
    const QString program = findProgram();
    if (program.isEmpty() || !QFileInfo(program).isExecutable()) {
        fail(hostError("missing", program.isEmpty() ? QStringLiteral("boxdeck-host") : program));
        return;
    }
    if (!QDir().mkpath(hostDir())) {
        fail(hostError("refused", hostDir()));
        return;
    }
    m_portAsked = port;
    auto process = HostProcess::launch(
        QFileInfo(program).absoluteFilePath(),
        {QStringLiteral("--listen"), QStringLiteral("127.0.0.1:%1").arg(port), QStringLiteral("--data"), hostDir()},
        hostDir() + QStringLiteral("/host.log"));
    if (!process) {
        fail(process.error());
        return;
    }
    adopt(std::move(*process));
    connect(m_process.get(), &HostProcess::startLine, this, [this](const QByteArray &text) {
        const auto line = parseStartLine(text);
        if (line)
            check(*line);
        else
            giveUpOn(line.error());
    });
    saveState({.pid = m_process->pid()});
    m_deadline.start(m_options.startLimit);
}

// The start line, or a state file, says where the host is; the host itself proves it, and that the key is right.
void LocalHost::check(const HostStartLine &line)
{
    api::Endpoint endpoint;
    endpoint.apiUrl = line.apiUrl;
    endpoint.apiKey = line.apiKey;
    m_check = api::ControlPlaneClient(m_transport, endpoint).probe();
    m_check.then(this, [this, line](const Result<void> &answer) {
        if (answer) {
            becomeReady(line);
            return;
        }
        qCWarning(lcSession) << "boxdeck-host does not answer yet:" << kindName(answer.error().kind);
        QTimer::singleShot(250ms, m_process.get(), [this, line] { // until m_deadline ends it
            if (m_state == State::Starting || m_state == State::Restarting)
                check(line);
        });
    });
}

void LocalHost::becomeReady(const HostStartLine &line)
{
    m_deadline.stop();
    m_strangersRefusal.clear();
    m_apiUrl = line.apiUrl;
    m_sandboxUrl = line.sandboxUrl;
    m_apiKey = line.apiKey;
    m_lastError.reset();
    m_uptime.start();
    saveState(line);
    setState(State::Ready);
    Q_EMIT ready(m_apiUrl, m_sandboxUrl, m_apiKey);
}

void LocalHost::saveState(const HostStartLine &line) const
{
    QJsonObject object;
    object[kPid] = m_process->pid();
    object[kStartTicks] = QString::number(m_process->identity().startTicks);
    object[kBoot] = bootId();
    object[kApiUrl] = (line.apiUrl.isEmpty() ? m_apiUrl : line.apiUrl).toString();
    if (!line.sandboxUrl.isEmpty())
        object[kSandboxUrl] = line.sandboxUrl.toString();
    if (const auto saved = writeJsonFile(stateFile(), object); !saved)
        qCWarning(lcSession) << "boxdeck-host could not be found again later:" << saved.error().message;
}

void LocalHost::deadlinePassed()
{
    if (!m_process)
        return;
    if (m_state == State::Stopping || m_replacing) {
        m_process->kill();
        return;
    }
    if (!m_strangersRefusal.isEmpty()) { // alive, but not at our address: nothing of ours to end
        m_check.cancel();
        m_process.reset();
        fail(hostError("refused", std::exchange(m_strangersRefusal, {})));
        return;
    }
    if (!m_process->isOurChild()) {
        replaceKept();
        return;
    }
    giveUpOn(hostError("silent", m_process->lastWords()));
}

void LocalHost::giveUpOn(Error error)
{
    m_check.cancel();
    m_process->disconnect(this);
    m_process->kill();
    m_dying = std::move(m_process); // kept until it is reaped
    fail(std::move(error));
}

void LocalHost::hostEnded()
{
    m_check.cancel();
    m_deadline.stop();
    const QString words = m_process->lastWords();
    const State before = m_state;
    m_process.reset();
    m_strangersRefusal.clear();

    if (before == State::Stopping) {
        QFile::remove(stateFile());
        setState(State::Off);
        return;
    }
    if (std::exchange(m_replacing, false)) {
        launch(m_apiUrl.port(0));
        return;
    }
    if (before == State::Ready) {
        qCWarning(lcSession) << "boxdeck-host ended by itself:" << words;
        m_quickDeaths = m_uptime.elapsed() < quickDeathMs ? m_quickDeaths + 1 : 0;
        if (size_t(m_quickDeaths) >= restartPauses.size()) {
            Q_EMIT lost();
            fail(hostError("refused", words));
            return;
        }
        setState(State::Restarting);
        m_retry.start(restartPauses.at(size_t(m_quickDeaths)));
        Q_EMIT lost();
        return;
    }
    if (adoptStranger(words))
        return;
    if (m_portAsked != 0)
        launch(0); // the old port may be taken by another program now
    else
        fail(hostError("refused", words));
}

// Somebody may have started a host on our folder by hand, e.g. right after the last one died; ours then refuses to
// start. If that one answers at the address we know, with the key we know, it is as good as ours.
bool LocalHost::adoptStranger(const QString &refusal)
{
    HostStartLine line{.apiUrl = m_apiUrl, .sandboxUrl = m_sandboxUrl.isEmpty() ? m_apiUrl : m_sandboxUrl};
    line.apiKey = readKeyFile(hostDir() + QStringLiteral("/api-key"));
    const auto stranger = HostProcess::findByArgument(QStringLiteral("boxdeck-host"), hostDir());
    if (line.apiUrl.isEmpty() || line.apiKey.isEmpty() || !stranger)
        return false;
    adopt(HostProcess::attach(*stranger));
    if (!m_process)
        return false;
    m_strangersRefusal = refusal;
    m_deadline.start(strangerLimit);
    check(line);
    return true;
}

void LocalHost::fail(Error error)
{
    m_deadline.stop();
    qCWarning(lcSession) << "boxdeck-host could not be started:" << error.code << error.message;
    m_lastError = error;
    setState(State::Failed);
    Q_EMIT failed(error);
}

void LocalHost::stop()
{
    m_retry.stop();
    m_check.cancel();
    m_replacing = false;
    if (!m_process) {
        setState(State::Off);
        return;
    }
    setState(State::Stopping);
    m_deadline.start(m_options.stopLimit);
    m_process->terminate();
}

void LocalHost::keepRunning()
{
    m_retry.stop();
    m_deadline.stop();
    m_check.cancel();
    m_process.reset();
    setState(State::Off);
}

} // namespace boxdeck::session
