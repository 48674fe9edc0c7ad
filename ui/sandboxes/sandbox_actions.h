// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/sandbox.h"

#include <QObject>
#include <QPointer>
#include <QSet>

#include <chrono>
#include <functional>

class QWidget;

namespace boxdeck::session {
class Session;
}

namespace boxdeck::ui {

/// What a person can do to sandboxes, wherever it is asked for: with the questions it needs, one notice for a batch,
/// and a failure told whole. Acts on the ids that the question named, never on what a view shows by then.
class SandboxActions : public QObject
{
    Q_OBJECT

public:
    using Ids = QList<protocol::SandboxId>;

    /// `window` is the parent of the questions.
    explicit SandboxActions(QWidget *window);

    void pause(session::Session &session, const Ids &ids);
    /// Asks for the lifetime first: resuming starts a new lease.
    void resume(session::Session &session, const Ids &ids);
    void extend(session::Session &session, const Ids &ids, std::chrono::seconds by);
    /// Asks by how much.
    void extendBy(session::Session &session, const Ids &ids);
    /// Asks how many copies, and tells of each that was not made.
    void fork(session::Session &session, const protocol::SandboxId &id);
    /// Asks first, naming every sandbox.
    void kill(session::Session &session, const Ids &ids);

    /// True while a command for this sandbox is on its way.
    bool isBusy(const protocol::SandboxId &id) const { return m_busy.contains(id); }

Q_SIGNALS:
    /// One sentence about what was done.
    void done(const QString &sentence);
    /// `what` says which command failed for which sandbox; see errorSentence().
    void failed(const boxdeck::Error &error, const QString &what);
    void busyChanged();

private:
    struct Batch;
    using Command =
        std::function<void(session::Session &, const protocol::SandboxId &, std::function<void(Result<void>)>)>;
    /// `doneOne` has one place for the name, `doneMany` is a plural; `failedOne` has one place for the name.
    struct Words
    {
        QString doneOne;
        std::function<QString(int)> doneMany;
        QString failedOne;
    };
    void tellForks(const QString &name, const Result<QList<protocol::ForkResult>> &forks);
    void run(session::Session &session, const Ids &ids, const Words &words, const Command &command);

    QWidget *m_window;
    QSet<protocol::SandboxId> m_busy;
};

} // namespace boxdeck::ui
