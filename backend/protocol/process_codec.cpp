// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/process_codec.h"

#include "backend/protocol/json_reader.h"

#include <QJsonDocument>
#include <QRegularExpression>

namespace boxdeck::protocol {

namespace {

QLatin1String operator""_key(const char *text, size_t size)
{
    return QLatin1String(text, static_cast<qsizetype>(size));
}

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QJsonObject selector(const ProcessSelector &process)
{
    if (const auto *pid = std::get_if<quint32>(&process.by))
        return {{QStringLiteral("pid"), static_cast<qint64>(*pid)}};
    return {{QStringLiteral("tag"), std::get<QString>(process.by)}};
}

QJsonObject inputObject(InputKind kind, const QByteArray &data)
{
    const QString member = kind == InputKind::Pty ? QStringLiteral("pty") : QStringLiteral("stdin");
    return {{member, QString::fromLatin1(data.toBase64())}};
}

QJsonObject ptyObject(PtySize size)
{
    return {{QStringLiteral("size"),
             QJsonObject{{QStringLiteral("cols"), size.cols}, {QStringLiteral("rows"), size.rows}}}};
}

/// The code behind protocol/compat.md 3.13: proto JSON leaves out a zero, so an absent code of a process that exited
/// is 0. Else the status text tells, else nobody knows.
std::optional<int> exitCodeOf(const JsonReader &code, bool exited, const QString &status)
{
    if (!code.isAbsent())
        return code.smallInt();
    static const QRegularExpression shape(QStringLiteral("^exit status (-?\\d{1,9})$"));
    const QRegularExpressionMatch match = shape.match(status.trimmed());
    if (match.hasMatch())
        return match.captured(1).toInt();
    if (exited)
        return 0;
    if (status.trimmed().startsWith(QLatin1String("signal:")))
        return -1;
    return std::nullopt;
}

ProcessEnded readEnd(const JsonReader &reader)
{
    ProcessEnded end;
    end.exited = reader["exited"_key].boolean();
    end.status = reader["status"_key].text();
    end.error = reader["error"_key].text();
    end.exitCode = exitCodeOf(reader.either("exitCode"_key, "exit_code"_key), end.exited, end.status);
    return end;
}

} // namespace

QByteArray encodeStart(const ProcessStart &start)
{
    QJsonObject process{{QStringLiteral("cmd"), start.config.cmd},
                        {QStringLiteral("args"), QJsonArray::fromStringList(start.config.args)}};
    QJsonObject envs;
    for (auto it = start.config.envs.begin(); it != start.config.envs.end(); ++it)
        envs.insert(it.key(), it.value());
    if (!envs.isEmpty())
        process.insert(QStringLiteral("envs"), envs);
    if (start.config.cwd)
        process.insert(QStringLiteral("cwd"), *start.config.cwd);
    QJsonObject body{{QStringLiteral("process"), process}};
    if (start.pty)
        body.insert(QStringLiteral("pty"), ptyObject(*start.pty));
    else
        body.insert(QStringLiteral("stdin"), start.openStdin); // absent means true
    if (!start.tag.isEmpty())
        body.insert(QStringLiteral("tag"), start.tag);
    return compact(body);
}

QByteArray encodeSelector(const ProcessSelector &process)
{
    return compact({{QStringLiteral("process"), selector(process)}});
}

QByteArray encodeInput(const ProcessSelector &process, InputKind kind, const QByteArray &data)
{
    return compact(
        {{QStringLiteral("process"), selector(process)}, {QStringLiteral("input"), inputObject(kind, data)}});
}

QByteArray encodeInputStart(const ProcessSelector &process)
{
    return compact({{QStringLiteral("start"), QJsonObject{{QStringLiteral("process"), selector(process)}}}});
}

QByteArray encodeInputData(InputKind kind, const QByteArray &data)
{
    return compact({{QStringLiteral("data"), QJsonObject{{QStringLiteral("input"), inputObject(kind, data)}}}});
}

QByteArray encodeSignal(const ProcessSelector &process, ProcessSignal signal)
{
    const QString name =
        signal == ProcessSignal::Kill ? QStringLiteral("SIGNAL_SIGKILL") : QStringLiteral("SIGNAL_SIGTERM");
    return compact({{QStringLiteral("process"), selector(process)}, {QStringLiteral("signal"), name}});
}

QByteArray encodeResize(const ProcessSelector &process, PtySize size)
{
    return compact({{QStringLiteral("process"), selector(process)}, {QStringLiteral("pty"), ptyObject(size)}});
}

Result<QList<ProcessInfo>> decodeProcessList(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    QList<ProcessInfo> list;
    for (const JsonReader &item : (*reader)["processes"_key].items()) {
        const JsonReader config = item["config"_key];
        ProcessInfo info;
        info.pid = item["pid"_key].uint32();
        info.tag = item["tag"_key].text();
        info.config.cmd = config["cmd"_key].text();
        info.config.args = config["args"_key].texts();
        info.config.envs = config["envs"_key].textMap();
        if (const JsonReader cwd = config["cwd"_key]; !cwd.isAbsent())
            info.config.cwd = cwd.text();
        list.append(std::move(info));
    }
    return reader->result(std::move(list));
}

Result<QList<ProcessEvent>> decodeProcessEvents(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    const JsonReader event = (*reader)["event"_key];
    QList<ProcessEvent> events;
    if (const JsonReader start = event["start"_key]; !start.isAbsent())
        events.append(ProcessStarted{.pid = start["pid"_key].uint32()});
    if (const JsonReader data = event["data"_key]; !data.isAbsent()) {
        const auto output = [&](QLatin1String member, ProcessOutput::Stream stream) {
            if (const JsonReader bytes = data[member]; !bytes.isAbsent())
                events.append(ProcessOutput{.stream = stream, .data = bytes.bytes()});
        };
        output("stdout"_key, ProcessOutput::Stream::Stdout);
        output("stderr"_key, ProcessOutput::Stream::Stderr);
        output("pty"_key, ProcessOutput::Stream::Pty);
    }
    if (const JsonReader keepalive = event["keepalive"_key]; !keepalive.isAbsent())
        events.append(KeepAlive{});
    if (const JsonReader end = event["end"_key]; !end.isAbsent())
        events.append(readEnd(end));
    return reader->result(std::move(events));
}

} // namespace boxdeck::protocol
