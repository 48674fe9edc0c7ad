// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/host_process.h"

#include "backend/core/logging.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;

namespace boxdeck::session {

namespace {

constexpr qsizetype maxStartLine = 64 * 1024;
constexpr qint64 maxLastWords = 4 * 1024;
constexpr qint64 maxArguments = 64 * 1024;

// The host has a key of its own; ours is for other servers and nothing to hand to a child.
constexpr std::array keptFromChild{"E2B_API_KEY=", "E2B_ACCESS_TOKEN="};

int pidfdOpen(qint64 pid)
{
    return int(syscall(SYS_pidfd_open, pid_t(pid), 0));
}

Error systemError(const QString &what, int number, const char *code)
{
    Error error = localError(QStringLiteral("%1: %2").arg(what, QString::fromLocal8Bit(std::strerror(number))));
    error.code = QLatin1String(code);
    return error;
}

/// posix_spawn's settings, freed with this object.
class SpawnSetup
{
public:
    SpawnSetup()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnSetup()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSetup(const SpawnSetup &) = delete;
    SpawnSetup &operator=(const SpawnSetup &) = delete;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

std::vector<char *> childEnvironment()
{
    std::vector<char *> entries;
    for (char **entry = environ; *entry; ++entry) {
        const bool kept = std::any_of(keptFromChild.begin(), keptFromChild.end(), [&](const char *prefix) {
            return std::strncmp(*entry, prefix, std::strlen(prefix)) == 0;
        });
        if (!kept)
            entries.push_back(*entry);
    }
    entries.push_back(nullptr);
    return entries;
}

} // namespace

Result<HostStartLine> parseStartLine(const QByteArray &line)
{
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    HostStartLine start;
    start.apiUrl = QUrl(object.value(QLatin1String("apiUrl")).toString(), QUrl::StrictMode);
    start.sandboxUrl = QUrl(object.value(QLatin1String("sandboxUrl")).toString(), QUrl::StrictMode);
    start.apiKey = Secret(object.value(QLatin1String("apiKey")).toString().toUtf8());
    start.pid = object.value(QLatin1String("pid")).toInteger();
    if (start.apiUrl.host().isEmpty() || start.sandboxUrl.host().isEmpty() || start.apiKey.isEmpty() || start.pid <= 0)
        return Failure(Error{.message = QStringLiteral("boxdeck-host printed a start line that can't be read")});
    return start;
}

std::optional<ProcessIdentity> ProcessIdentity::of(qint64 pid)
{
    const QString folder = QStringLiteral("/proc/%1").arg(pid);
    if (pid <= 0 || QFileInfo(folder).ownerId() != geteuid())
        return std::nullopt;
    QFile file(folder + QStringLiteral("/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray text = file.readAll();
    // The second field is the program's name in brackets, and may hold brackets and blanks itself.
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    if (fields.size() < 20 || fields.at(0) == "Z" || fields.at(0) == "X")
        return std::nullopt;
    return ProcessIdentity{.pid = pid, .startTicks = fields.at(19).toULongLong()};
}

HostProcess::~HostProcess()
{
    m_exitNotifier.reset();
    m_stdoutNotifier.reset();
    if (m_pidFd >= 0)
        ::close(m_pidFd);
    if (m_stdoutFd >= 0)
        ::close(m_stdoutFd);
}

Result<std::unique_ptr<HostProcess>> HostProcess::launch(const QString &program, const QStringList &arguments,
                                                         const QString &logFile)
{
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0)
        return Failure(systemError(program, errno, "missing"));

    const QByteArray log = QFile::encodeName(logFile);
    SpawnSetup setup;
    posix_spawn_file_actions_addopen(&setup.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&setup.actions, pipe[1], STDOUT_FILENO);
    // A file and not a pipe: the host may outlive us, and must be able to complain then.
    posix_spawn_file_actions_addopen(&setup.actions, STDERR_FILENO, log.constData(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_addchdir_np(&setup.actions, "/");
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&setup.attributes, &none);
    posix_spawnattr_setsigdefault(&setup.attributes, &all);
    // A session of its own: a Ctrl+C or hang-up in the terminal that started the app is not meant for the host.
    posix_spawnattr_setflags(&setup.attributes,
                             short(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));

    std::vector<QByteArray> words{QFile::encodeName(program)};
    for (const QString &argument : arguments)
        words.push_back(QFile::encodeName(argument));
    std::vector<char *> argv;
    for (QByteArray &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<char *> environment = childEnvironment();

    pid_t pid = 0;
    const int failed = posix_spawn(&pid, argv[0], &setup.actions, &setup.attributes, argv.data(), environment.data());
    ::close(pipe[1]);
    if (failed != 0) {
        ::close(pipe[0]);
        return Failure(systemError(program, failed, "missing"));
    }

    std::unique_ptr<HostProcess> process(new HostProcess);
    process->m_child = true;
    process->m_logFile = logFile;
    process->m_identity = ProcessIdentity::of(pid).value_or(ProcessIdentity{.pid = pid});
    process->m_pidFd = pidfdOpen(pid);
    process->m_stdoutFd = pipe[0];
    fcntl(pipe[0], F_SETFL, fcntl(pipe[0], F_GETFL) | O_NONBLOCK);
    process->m_stdoutNotifier = std::make_unique<QSocketNotifier>(pipe[0], QSocketNotifier::Read);
    connect(process->m_stdoutNotifier.get(), &QSocketNotifier::activated, process.get(), &HostProcess::readStdout);
    process->watch();
    return process;
}

std::optional<ProcessIdentity> HostProcess::findByArgument(const QString &program, const QString &argument)
{
    const QByteArray name = QFile::encodeName(program);
    const QByteArray wanted = QFile::encodeName(argument);
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &entry : entries) {
        const qint64 pid = entry.toLongLong();
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
        if (pid <= 0 || pid == getpid() || !file.open(QIODevice::ReadOnly))
            continue;
        const QList<QByteArray> words = file.read(maxArguments).split('\0');
        if (words.first().split('/').last() != name || !words.mid(1).contains(wanted))
            continue;
        if (const auto identity = ProcessIdentity::of(pid))
            return identity;
    }
    return std::nullopt;
}

std::unique_ptr<HostProcess> HostProcess::attach(const ProcessIdentity &identity)
{
    std::unique_ptr<HostProcess> process(new HostProcess);
    // First the handle, then the check: what it refers to can't change any more.
    process->m_pidFd = pidfdOpen(identity.pid);
    process->m_identity = identity;
    if (ProcessIdentity::of(identity.pid) != identity)
        return nullptr;
    process->watch();
    return process;
}

void HostProcess::watch()
{
    if (m_pidFd >= 0) {
        m_exitNotifier = std::make_unique<QSocketNotifier>(m_pidFd, QSocketNotifier::Read);
        connect(m_exitNotifier.get(), &QSocketNotifier::activated, this, &HostProcess::reap);
        return;
    }
    m_alivePoll.setInterval(500ms); // kernels before 5.3
    connect(&m_alivePoll, &QTimer::timeout, this, [this] {
        if (ProcessIdentity::of(m_identity.pid) != m_identity)
            reap();
    });
    m_alivePoll.start();
}

void HostProcess::readStdout()
{
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(m_stdoutFd, buffer.data(), buffer.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        m_stdoutNotifier->setEnabled(false);
        return;
    }
    // Only the first line is ours; what may follow is read away, so that the host never blocks on it.
    const bool complete = m_line.contains('\n');
    if (complete || m_line.size() > maxStartLine)
        return;
    m_line.append(buffer.data(), count);
    const qsizetype end = m_line.indexOf('\n');
    if (end >= 0) {
        const QByteArray line = m_line.left(end);
        m_line.fill('\0'); // it holds the key
        m_line = "\n";
        Q_EMIT startLine(line);
    }
}

void HostProcess::terminate()
{
    signalProcess(SIGTERM);
}

void HostProcess::kill()
{
    signalProcess(SIGKILL);
}

void HostProcess::signalProcess(int signal)
{
    if (m_ended)
        return;
    if (m_pidFd >= 0)
        syscall(SYS_pidfd_send_signal, m_pidFd, signal, nullptr, 0);
    else if (ProcessIdentity::of(m_identity.pid) == m_identity)
        ::kill(pid_t(m_identity.pid), signal);
}

void HostProcess::reap()
{
    if (m_ended)
        return;
    m_ended = true;
    m_alivePoll.stop();
    if (m_exitNotifier)
        m_exitNotifier->setEnabled(false);
    if (m_child)
        waitpid(pid_t(m_identity.pid), nullptr, WNOHANG);
    Q_EMIT ended();
}

QString HostProcess::lastWords() const
{
    QFile file(m_logFile);
    if (m_logFile.isEmpty() || !file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max<qint64>(0, file.size() - maxLastWords));
    return QString::fromUtf8(file.read(maxLastWords)).trimmed();
}

} // namespace boxdeck::session
