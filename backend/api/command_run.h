// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/envd_process_client.h"

#include <chrono>
#include <optional>

namespace boxdeck::api {

/// A command to run in a sandbox to its end: either a line for a shell or single words, never both.
struct Command
{
    QString line;      ///< a shell reads it
    QStringList words; ///< a program and its arguments; no shell sees anything in them but plain text
    QString shell = QStringLiteral("/bin/bash");
    bool login = true;                       ///< with the profile of the user, as a terminal has it
    std::optional<QString> user;             ///< not set: the target's
    std::optional<QString> cwd;              ///< not set: the sandbox's default
    QMap<QString, QString> envs;             ///< may hold secrets
    std::optional<QByteArray> input;         ///< all of its standard input; not set: none, as from /dev/null
    std::chrono::milliseconds limit{60'000}; ///< then it is killed; 0: no limit
    qint64 maxOutput = 64LL * 1024 * 1024;   ///< bytes kept of each output; the rest is counted out
};

/// What became of a command that was sent.
struct CommandRun
{
    enum class End {
        Finished,   ///< the sandbox said that it ended
        TimeLimit,  ///< it ran into its limit; `killed` says whether it is known to be dead
        Interrupted ///< the connection was lost: it runs or has completed, nobody knows. Never repeat it blindly.
    };

    End end = End::Finished;
    std::optional<int> exitCode; ///< -1 if killed by a signal; not set if nobody said
    bool killed = false;
    QByteArray out; ///< as far as it came, however it ended
    QByteArray err;
    bool outCut = false; ///< there was more than maxOutput
    bool errCut = false;
    std::chrono::milliseconds duration{}; ///< from sending to the end, by the clock of this computer
    Error error;                          ///< why it was interrupted

    bool succeeded() const { return end == End::Finished && exitCode == 0; }
};

/// One word for a POSIX shell: as it is if nothing in it means something, else in single quotes.
QString shellWord(const QString &word);
/// Words as one line that a POSIX shell takes apart into exactly these words.
QString shellLine(const QStringList &words);

/// Runs a command and waits for its end. It is sent once. An exit code other than 0 is no error; an error means that
/// nothing was started: InvalidRequest for a blank command, both forms, a negative limit or a bad folder, and whatever
/// the server refused it with. Input goes through SendInput; where the sandbox can't end it (protocol/compat.md 3.33)
/// in a here-document, which holds no more than 64 KiB (else Unsupported). Dropping the call kills the process, as far
/// as it is known. Children it left in the background are not ended with it. The transport outlives it.
Call<CommandRun> runCommand(const EnvdProcessClient &processes, const Command &command);

} // namespace boxdeck::api
