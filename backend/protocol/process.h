// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <variant>

namespace boxdeck::protocol {

/// What to run. No shell looks at `args`.
struct ProcessConfig
{
    QString cmd;
    QStringList args;
    QMap<QString, QString> envs; ///< may hold secrets: never log or show
    std::optional<QString> cwd;  ///< not set: the sandbox's default

    bool operator==(const ProcessConfig &) const = default;
};

/// A process envd started and still runs.
struct ProcessInfo
{
    quint32 pid = 0;
    ProcessConfig config;
    QString tag; ///< may be empty

    bool operator==(const ProcessInfo &) const = default;
};

/// The size of a terminal in cells.
struct PtySize
{
    int cols = 80;
    int rows = 24;

    bool operator==(const PtySize &) const = default;
};

/// The first event of a process stream.
struct ProcessStarted
{
    quint32 pid = 0;

    bool operator==(const ProcessStarted &) const = default;
};

/// Output. Cut anywhere: decode text incrementally per stream.
struct ProcessOutput
{
    enum class Stream { Stdout, Stderr, Pty };

    Stream stream = Stream::Stdout;
    QByteArray data;

    bool operator==(const ProcessOutput &) const = default;
};

/// How the process ended: a separate answer from how the stream ended.
struct ProcessEnded
{
    std::optional<int> exitCode; ///< not set only if the server said nothing that can be read; -1 when killed
    bool exited = false;         ///< false: killed by a signal
    QString status;              ///< "exit status 3", "signal: killed"
    QString error;               ///< repeats status when the code is not 0

    bool operator==(const ProcessEnded &) const = default;
};

/// Nothing happened for a while; the connection lives.
struct KeepAlive
{
    bool operator==(const KeepAlive &) const = default;
};

using ProcessEvent = std::variant<ProcessStarted, ProcessOutput, ProcessEnded, KeepAlive>;

/// Names one process. By its tag only if no other process has one: envd may stop its search at another tag.
struct ProcessSelector
{
    std::variant<quint32, QString> by; ///< pid or tag

    ProcessSelector(quint32 pid) // implicit: a pid is what callers have
        : by(pid)
    {
    }
    static ProcessSelector byTag(const QString &tag) { return ProcessSelector(tag); }

    bool operator==(const ProcessSelector &) const = default;

private:
    explicit ProcessSelector(const QString &tag)
        : by(tag)
    {
    }
};

enum class InputKind { Stdin, Pty };
enum class ProcessSignal { Term, Kill };

} // namespace boxdeck::protocol
