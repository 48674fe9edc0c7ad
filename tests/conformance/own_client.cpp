// SPDX-License-Identifier: GPL-3.0-or-later
// Boxdeck's own client as a program that a script can drive, to compare what it sees with what the official SDK sees.
//
// Reads one JSON object per line from stdin, {"do": NAME, …}, and writes one per line to stdout: {"ok": VALUE} or
// {"error": {kind, status, code, message}}. Bytes are base64. E2B_API_URL, E2B_SANDBOX_URL and E2B_API_KEY say where.
#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "backend/net/request_body.h"
#include "tests/support/waiting.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <iostream>
#include <map>
#include <string>

using namespace boxdeck;
using namespace boxdeck::protocol;
using boxdeck::test::outcome;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

using Answer = Result<QJsonValue>;

constexpr auto patience = 60s;

QString text(const QJsonObject &command, const char *name)
{
    return command[QLatin1String(name)].toString();
}

SandboxId sandboxOf(const QJsonObject &command)
{
    return {text(command, "id")};
}

QJsonValue base64(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

QJsonValue seconds(const QDateTime &time)
{
    return time.isValid() ? QJsonValue(time.toSecsSinceEpoch()) : QJsonValue();
}

QJsonObject toJson(const QMap<QString, QString> &map)
{
    QJsonObject object;
    for (auto entry = map.begin(); entry != map.end(); ++entry)
        object[entry.key()] = entry.value();
    return object;
}

QMap<QString, QString> mapOf(const QJsonValue &value)
{
    QMap<QString, QString> map;
    const QJsonObject object = value.toObject();
    for (auto entry = object.begin(); entry != object.end(); ++entry)
        map[entry.key()] = entry.value().toString();
    return map;
}

QJsonObject toJson(const SandboxSummary &sandbox)
{
    return {{u"id"_s, sandbox.id.value},
            {u"template"_s, sandbox.templateId.value},
            {u"name"_s, sandbox.alias},
            {u"state"_s, sandbox.rawState},
            {u"started"_s, seconds(sandbox.startedAt)},
            {u"end"_s, seconds(sandbox.endAt)},
            {u"cpus"_s, sandbox.cpuCount},
            {u"memory"_s, sandbox.memoryMB},
            {u"metadata"_s, toJson(sandbox.metadata)},
            {u"envd"_s, sandbox.envdVersion}};
}

QString word(FileType type)
{
    switch (type) {
    case FileType::File:
        return u"file"_s;
    case FileType::Directory:
        return u"dir"_s;
    case FileType::Unknown:
        break;
    }
    return {};
}

QJsonObject toJson(const EntryInfo &entry)
{
    return {{u"name"_s, QString::fromUtf8(entry.name)},
            {u"path"_s, entry.path.toString()},
            {u"type"_s, word(entry.type)},
            {u"size"_s, entry.size},
            {u"mode"_s, qint64(entry.mode)},
            {u"permissions"_s, entry.permissions},
            {u"owner"_s, entry.owner},
            {u"group"_s, entry.group},
            {u"modified"_s, seconds(entry.modified)},
            {u"target"_s, entry.symlinkTarget ? QJsonValue(QString::fromUtf8(*entry.symlinkTarget)) : QJsonValue()}};
}

QJsonObject toJson(const Snapshot &snapshot)
{
    return {{u"id"_s, snapshot.id.value}, {u"names"_s, QJsonArray::fromStringList(snapshot.names)}};
}

QJsonObject toJson(const SandboxMetric &sample)
{
    return {{u"at"_s, seconds(sample.at)},    {u"cpus"_s, sample.cpuCount},      {u"cpu"_s, sample.cpuUsedPct},
            {u"memUsed"_s, sample.memUsed},   {u"memTotal"_s, sample.memTotal},  {u"memCache"_s, sample.memCache},
            {u"diskUsed"_s, sample.diskUsed}, {u"diskTotal"_s, sample.diskTotal}};
}

QJsonObject toJson(const VolumeEntry &entry)
{
    static const QMap<VolumeEntryType, QString> words{{VolumeEntryType::File, u"file"_s},
                                                      {VolumeEntryType::Directory, u"directory"_s},
                                                      {VolumeEntryType::Symlink, u"symlink"_s},
                                                      {VolumeEntryType::Unknown, u"unknown"_s}};
    return {{u"name"_s, entry.name},       {u"type"_s, words[entry.type]},    {u"path"_s, entry.path},
            {u"size"_s, entry.size},       {u"mode"_s, qint64(entry.mode)},   {u"uid"_s, qint64(entry.uid)},
            {u"gid"_s, qint64(entry.gid)}, {u"mtime"_s, seconds(entry.mtime)}};
}

template <class List> QJsonValue toArray(const List &list)
{
    QJsonArray array;
    for (const auto &item : list)
        array.append(toJson(item));
    return array;
}

/// The value of a call that gives nothing.
Answer done(Result<void> result)
{
    return result.map([] { return QJsonValue(true); });
}

class Driver
{
public:
    Driver()
    {
        m_endpoint.apiUrl = QUrl(qEnvironmentVariable("E2B_API_URL"));
        m_endpoint.sandboxUrl = QUrl(qEnvironmentVariable("E2B_SANDBOX_URL"));
        m_endpoint.apiKey = Secret(qgetenv("E2B_API_KEY"));
        m_control = std::make_unique<api::ControlPlaneClient>(m_transport, m_endpoint);
        addControlPlane();
        addCopies();
        addTelemetry();
        addVolumes();
        addFiles();
        addProcesses();
    }

    QJsonObject run(const QJsonObject &command)
    {
        const auto action = m_actions.find(text(command, "do"));
        if (action == m_actions.end())
            return {{u"error"_s, QJsonObject{{u"message"_s, u"no such command"_s}}}};
        const Answer answer = action->second(command);
        if (answer)
            return {{u"ok"_s, *answer}};
        const Error &error = answer.error();
        return {{u"error"_s, QJsonObject{{u"kind"_s, QString(kindName(error.kind))},
                                         {u"status"_s, error.httpStatus},
                                         {u"code"_s, error.code},
                                         {u"message"_s, error.message}}}};
    }

private:
    void addControlPlane();
    void addCopies();
    void addTelemetry();
    void addVolumes();
    void addFiles();
    void addProcesses();

    /// The data plane of the command's sandbox, with the token of its detail: looking never wakes it.
    Result<api::Envd *> envd(const QJsonObject &command)
    {
        const SandboxId id = sandboxOf(command);
        auto &kept = m_envds[id.value];
        if (!kept) {
            const auto detail = outcome(m_control->sandbox(id), patience);
            if (!detail)
                return tl::unexpected(detail.error());
            kept = std::make_unique<api::Envd>(m_transport, api::targetOf(m_endpoint, *detail));
        }
        return kept.get();
    }

    /// An action on a path of a sandbox.
    template <class Action> void onPath(const QString &name, Action action)
    {
        m_actions[name] = [this, action](const QJsonObject &command) -> Answer {
            const auto reached = envd(command);
            if (!reached)
                return tl::unexpected(reached.error());
            const auto path = RemotePath::parse(text(command, "path"));
            if (!path)
                return tl::unexpected(path.error());
            return action(**reached, *path, command);
        };
    }

    /// An action on a path of a volume, with a fresh token.
    template <class Action> void inVolume(const QString &name, Action action)
    {
        m_actions[name] = [this, action](const QJsonObject &command) -> Answer {
            const auto access = outcome(m_control->volumes().access({text(command, "volume")}), patience);
            if (!access)
                return tl::unexpected(access.error());
            const auto path = RemotePath::parse(text(command, "path"));
            if (!path)
                return tl::unexpected(path.error());
            api::VolumeContentClient content = m_control->volumes().content(*access);
            return action(content, *path, command);
        };
    }

    Answer runProcess(api::Envd &envd, const QJsonObject &command);

    net::HttpTransport m_transport;
    api::Endpoint m_endpoint;
    std::unique_ptr<api::ControlPlaneClient> m_control;
    std::map<QString, std::unique_ptr<api::Envd>> m_envds;
    std::map<QString, std::function<Answer(const QJsonObject &)>> m_actions;
};

void Driver::addControlPlane()
{
    m_actions[u"list"_s] = [this](const QJsonObject &) -> Answer {
        return outcome(m_control->listAllSandboxes(), patience).map([](const auto &list) { return toArray(list); });
    };
    m_actions[u"sandbox"_s] = [this](const QJsonObject &command) -> Answer {
        return outcome(m_control->sandbox(sandboxOf(command)), patience).map([](const SandboxDetail &detail) {
            QJsonObject object = toJson(static_cast<const SandboxSummary &>(detail));
            object[u"onTimeout"_s] = detail.onTimeout;
            object[u"autoResume"_s] = detail.autoResume;
            return QJsonValue(object);
        });
    };
    m_actions[u"create"_s] = [this](const QJsonObject &command) -> Answer {
        NewSandbox wanted;
        if (command.contains("template"_L1))
            wanted.templateId = text(command, "template");
        wanted.timeout = std::chrono::seconds(command["timeout"_L1].toInt(300));
        wanted.autoPause = command["autoPause"_L1].toBool();
        wanted.metadata = mapOf(command["metadata"_L1]);
        wanted.envVars = mapOf(command["envs"_L1]);
        return outcome(m_control->create(wanted), patience).map([](const SandboxAccess &access) {
            return QJsonValue(access.id.value);
        });
    };
    m_actions[u"connect"_s] = [this](const QJsonObject &command) -> Answer {
        m_envds.erase(text(command, "id"));
        const std::chrono::seconds timeout(command["timeout"_L1].toInt(300));
        return outcome(m_control->connect(sandboxOf(command), timeout), patience).map([](const SandboxAccess &access) {
            return QJsonValue(access.id.value);
        });
    };
    m_actions[u"pause"_s] = [this](const QJsonObject &command) -> Answer {
        return done(outcome(m_control->pause(sandboxOf(command)), patience));
    };
    m_actions[u"kill"_s] = [this](const QJsonObject &command) -> Answer {
        return done(outcome(m_control->kill(sandboxOf(command)), patience));
    };
    m_actions[u"timeout"_s] = [this](const QJsonObject &command) -> Answer {
        const std::chrono::seconds timeout(command["timeout"_L1].toInt());
        return done(outcome(m_control->setTimeout(sandboxOf(command), timeout), patience));
    };
    m_actions[u"templates"_s] = [this](const QJsonObject &) -> Answer {
        return outcome(m_control->listTemplates(), patience).map([](const QList<TemplateSummary> &list) {
            QJsonArray array;
            for (const TemplateSummary &one : list) {
                array.append(QJsonObject{{u"id"_s, one.id.value},
                                         {u"build"_s, one.buildId.value},
                                         {u"name"_s, one.displayName()},
                                         {u"status"_s, one.rawStatus}});
            }
            return QJsonValue(array);
        });
    };
}

void Driver::addCopies()
{
    m_actions[u"snapshots"_s] = [this](const QJsonObject &command) -> Answer {
        const SnapshotQuery query{.source = sandboxOf(command), .limit = command["limit"_L1].toInt(100)};
        return outcome(m_control->snapshots().listAll(query), patience).map([](const auto &list) {
            return toArray(list);
        });
    };
    m_actions[u"takeSnapshot"_s] = [this](const QJsonObject &command) -> Answer {
        return outcome(m_control->snapshots().create(sandboxOf(command), text(command, "name")), patience)
            .map([](const Snapshot &made) { return QJsonValue(toJson(made)); });
    };
    m_actions[u"deleteSnapshot"_s] = [this](const QJsonObject &command) -> Answer {
        return done(outcome(m_control->snapshots().remove({text(command, "id")}), patience));
    };
    m_actions[u"fork"_s] = [this](const QJsonObject &command) -> Answer {
        const ForkRequest request{.count = command["count"_L1].toInt(1), .timeout = 120s};
        return outcome(m_control->fork(sandboxOf(command), request), patience).map([](const QList<ForkResult> &forks) {
            QJsonArray array;
            for (const ForkResult &one : forks)
                array.append(one ? QJsonValue(one->id.value) : QJsonValue());
            return QJsonValue(array);
        });
    };
    m_actions[u"tags"_s] = [this](const QJsonObject &command) -> Answer {
        return outcome(m_control->templates().tags(text(command, "template")), patience)
            .map([](const QList<TemplateTag> &tags) {
                QJsonArray array;
                for (const TemplateTag &one : tags) {
                    array.append(QJsonObject{
                        {u"tag"_s, one.tag}, {u"build"_s, one.buildId.value}, {u"created"_s, seconds(one.createdAt)}});
                }
                return QJsonValue(array);
            });
    };
    m_actions[u"assignTags"_s] = [this](const QJsonObject &command) -> Answer {
        const QStringList tags = command["tags"_L1].toVariant().toStringList();
        return outcome(m_control->templates().assignTags(text(command, "target"), tags), patience)
            .map([](const BuildId &build) { return QJsonValue(build.value); });
    };
    m_actions[u"deleteTemplate"_s] = [this](const QJsonObject &command) -> Answer {
        return done(outcome(m_control->templates().remove({text(command, "template")}), patience));
    };
}

void Driver::addTelemetry()
{
    m_actions[u"metrics"_s] = [this](const QJsonObject &command) -> Answer {
        return outcome(m_control->telemetry().metrics(sandboxOf(command)), patience).map([](const auto &samples) {
            return toArray(samples);
        });
    };
    m_actions[u"logs"_s] = [this](const QJsonObject &command) -> Answer {
        return outcome(m_control->telemetry().logs(sandboxOf(command)), patience).map([](const QList<LogEntry> &lines) {
            QJsonArray array;
            for (const LogEntry &one : lines)
                array.append(one.message);
            return QJsonValue(array);
        });
    };
}

void Driver::addVolumes()
{
    m_actions[u"volumes"_s] = [this](const QJsonObject &) -> Answer {
        return outcome(m_control->volumes().list(), patience).map([](const QList<Volume> &list) {
            QJsonArray array;
            for (const Volume &one : list)
                array.append(QJsonObject{{u"id"_s, one.id.value}, {u"name"_s, one.name}});
            return QJsonValue(array);
        });
    };
    inVolume(u"volumeList"_s,
             [](api::VolumeContentClient &content, const RemotePath &path, const QJsonObject &) -> Answer {
                 return outcome(content.list(path), patience).map([](const auto &list) { return toArray(list); });
             });
    inVolume(u"volumeWrite"_s,
             [](api::VolumeContentClient &content, const RemotePath &path, const QJsonObject &command) {
                 const QByteArray bytes = QByteArray::fromBase64(text(command, "content").toLatin1());
                 return outcome(content.upload(path, net::sourceOf(bytes)), patience).map([](const VolumeEntry &entry) {
                     return QJsonValue(toJson(entry));
                 });
             });
    inVolume(
        u"volumeRead"_s, [](api::VolumeContentClient &content, const RemotePath &path, const QJsonObject &) -> Answer {
            const auto stream = content.download(path);
            std::optional<Result<void>> end;
            QObject::connect(stream.get(), &net::ByteStream::finished, stream.get(), [&] { end = Result<void>(); });
            QObject::connect(stream.get(), &net::ByteStream::failed, stream.get(),
                             [&](const Error &error) { end = tl::unexpected(error); });
            QByteArray bytes;
            boxdeck::test::eventually(
                [&] {
                    bytes += stream->read(1 << 20);
                    return end.has_value();
                },
                patience);
            if (!end || !*end)
                return tl::unexpected(end ? end->error() : Error{.kind = ErrorKind::Timeout});
            return base64(bytes + stream->read(1 << 20));
        });
}

void Driver::addFiles()
{
    onPath(u"listFolder"_s, [](api::Envd &envd, const RemotePath &path, const QJsonObject &command) -> Answer {
        const int depth = command["depth"_L1].toInt(1);
        return outcome(envd.filesystem().list(path, depth), patience).map([](const auto &list) {
            return toArray(list);
        });
    });
    onPath(u"stat"_s, [](api::Envd &envd, const RemotePath &path, const QJsonObject &) -> Answer {
        return outcome(envd.filesystem().stat(path), patience).map([](const EntryInfo &entry) {
            return QJsonValue(toJson(entry));
        });
    });
    onPath(u"read"_s, [](api::Envd &envd, const RemotePath &path, const QJsonObject &) -> Answer {
        return outcome(envd.files().readSmall(path, 16 * 1024 * 1024), patience).map(base64);
    });
    onPath(u"write"_s, [](api::Envd &envd, const RemotePath &path, const QJsonObject &command) -> Answer {
        const QByteArray content = QByteArray::fromBase64(text(command, "content").toLatin1());
        return done(outcome(envd.files().writeSmall(path, content), patience));
    });
    onPath(u"makeFolder"_s, [](api::Envd &envd, const RemotePath &path, const QJsonObject &) -> Answer {
        return outcome(envd.filesystem().makeDir(path), patience).map([](const EntryInfo &entry) {
            return QJsonValue(toJson(entry));
        });
    });
    onPath(u"move"_s, [](api::Envd &envd, const RemotePath &path, const QJsonObject &command) -> Answer {
        const auto to = RemotePath::parse(text(command, "to"));
        if (!to)
            return tl::unexpected(to.error());
        return outcome(envd.filesystem().move(path, *to), patience).map([](const EntryInfo &entry) {
            return QJsonValue(toJson(entry));
        });
    });
    onPath(u"remove"_s, [](api::Envd &envd, const RemotePath &path, const QJsonObject &) -> Answer {
        return done(outcome(envd.filesystem().remove(path), patience));
    });
}

Answer Driver::runProcess(api::Envd &envd, const QJsonObject &command)
{
    ProcessStart start{.config = {.cmd = u"/bin/bash"_s, .args = {u"-l"_s, u"-c"_s, text(command, "line")}}};
    start.config.envs = mapOf(command["envs"_L1]);
    const auto stream = envd.processes().start(start);
    QByteArray out;
    QByteArray err;
    std::optional<net::StreamEnd> end;
    QObject::connect(stream.get(), &api::ProcessStream::event, stream.get(), [&](const ProcessEvent &event) {
        if (const auto *output = std::get_if<ProcessOutput>(&event))
            (output->stream == ProcessOutput::Stream::Stderr ? err : out) += output->data;
    });
    QObject::connect(stream.get(), &api::ProcessStream::ended, stream.get(),
                     [&](const net::StreamEnd &told) { end = told; });
    if (!boxdeck::test::eventually([&] { return end.has_value(); }, patience))
        return tl::unexpected(Error{.kind = ErrorKind::Timeout, .message = u"the process did not end"_s});
    if (end->kind != net::StreamEnd::Kind::Finished)
        return tl::unexpected(end->error);
    QJsonObject answer{{u"stdout"_s, base64(out)}, {u"stderr"_s, base64(err)}};
    if (const auto &exit = stream->exit(); exit && exit->exitCode)
        answer[u"exitCode"_s] = *exit->exitCode;
    return answer;
}

void Driver::addProcesses()
{
    m_actions[u"run"_s] = [this](const QJsonObject &command) -> Answer {
        const auto reached = envd(command);
        return reached ? runProcess(**reached, command) : Answer(tl::unexpected(reached.error()));
    };
    m_actions[u"processes"_s] = [this](const QJsonObject &command) -> Answer {
        const auto reached = envd(command);
        if (!reached)
            return tl::unexpected(reached.error());
        return outcome((*reached)->processes().list(), patience).map([](const QList<ProcessInfo> &list) {
            QJsonArray array;
            for (const ProcessInfo &one : list) {
                array.append(QJsonObject{{u"pid"_s, qint64(one.pid)},
                                         {u"cmd"_s, one.config.cmd},
                                         {u"args"_s, QJsonArray::fromStringList(one.config.args)},
                                         {u"tag"_s, one.tag}});
            }
            return QJsonValue(array);
        });
    };
    m_actions[u"signalKill"_s] = [this](const QJsonObject &command) -> Answer {
        const auto reached = envd(command);
        if (!reached)
            return tl::unexpected(reached.error());
        return done(
            outcome((*reached)->processes().signal(quint32(command["pid"_L1].toInt()), ProcessSignal::Kill), patience));
    };
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    Driver driver;
    for (std::string line; std::getline(std::cin, line);) {
        const QJsonObject answer = driver.run(QJsonDocument::fromJson(QByteArray::fromStdString(line)).object());
        std::cout << QJsonDocument(answer).toJson(QJsonDocument::Compact).constData() << std::endl;
    }
    return 0;
}
