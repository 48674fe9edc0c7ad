// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandbox_actions.h"

#include "backend/session/session.h"
#include "ui/common/confirm.h"
#include "ui/common/error_sentence.h"
#include "ui/common/format.h"
#include "ui/sandboxes/fork_dialog.h"
#include "ui/sandboxes/lifetime_dialog.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QWidget>

#include <memory>

namespace boxdeck::ui {

using protocol::SandboxId;
using session::Session;

namespace {

QString nameOf(Session &session, const SandboxId &id)
{
    return sandboxName(session.sandboxes(), id);
}

/// One line of a question: the name, and the id if that is something else.
QString lineOf(Session &session, const SandboxId &id)
{
    const QString name = nameOf(session, id);
    return name == id.value ? name : name + QStringLiteral("  ·  ") + id.value;
}

} // namespace

/// One command over several sandboxes, told once when the last has answered.
struct SandboxActions::Batch
{
    Words words;
    int open = 0;
    QStringList done;
    QStringList gone;
    QList<std::pair<QString, Error>> failures;
};

SandboxActions::SandboxActions(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

void SandboxActions::run(Session &session, const Ids &ids, const Words &words, const Command &command)
{
    const auto batch = std::make_shared<Batch>();
    batch->words = words;
    const auto finish = [this, batch] {
        if (batch->open > 0)
            return;
        if (batch->done.size() == 1)
            Q_EMIT done(batch->words.doneOne.arg(quoted(batch->done.first())));
        else if (!batch->done.isEmpty())
            Q_EMIT done(batch->words.doneMany(int(batch->done.size())));
        if (batch->gone.size() == 1)
            Q_EMIT done(tr("The sandbox %1 was gone already. Nothing was done.").arg(quoted(batch->gone.first())));
        else if (!batch->gone.isEmpty())
            Q_EMIT done(
                tr("%n sandboxes were gone already. Nothing was done to them.", nullptr, int(batch->gone.size())));
        if (batch->failures.isEmpty())
            return;
        const auto &[name, error] = batch->failures.first();
        QString what = batch->words.failedOne.arg(quoted(name));
        for (qsizetype i = 1; i < batch->failures.size(); ++i)
            what += QLatin1Char('\n') + batch->words.failedOne.arg(quoted(batch->failures[i].first));
        Q_EMIT failed(error, what);
    };
    for (const SandboxId &id : ids) {
        const QString name = nameOf(session, id);
        if (!session.sandboxes().find(id)) {
            batch->gone << name;
            continue;
        }
        if (m_busy.contains(id))
            continue;
        ++batch->open;
        m_busy.insert(id);
        command(session, id, [this, batch, id, name, finish](const Result<void> &result) {
            m_busy.remove(id);
            Q_EMIT busyChanged();
            if (result)
                batch->done << name;
            else
                batch->failures.append({name, result.error()});
            --batch->open;
            finish();
        });
    }
    Q_EMIT busyChanged();
    if (batch->open == 0)
        finish();
}

void SandboxActions::pause(Session &session, const Ids &ids)
{
    run(session, ids,
        {.doneOne = tr("The sandbox %1 is paused."),
         .doneMany = [](int count) { return tr("%n sandboxes are paused.", nullptr, count); },
         .failedOne = tr("The sandbox %1 was not paused.")},
        [this](Session &target, const SandboxId &id, const std::function<void(Result<void>)> &answered) {
            target.pause(id).then(this, answered);
        });
}

void SandboxActions::resume(Session &session, const Ids &ids)
{
    if (ids.isEmpty())
        return;
    const QString subject = ids.size() == 1 ? tr("the sandbox %1").arg(quoted(nameOf(session, ids.first())))
                                            : tr("%n sandboxes", nullptr, int(ids.size()));
    auto *dialog =
        new LifetimeDialog({.name = QStringLiteral("resumeDialog"),
                            .title = tr("Resume"),
                            .question = tr("For how long shall %1 run?").arg(subject),
                            .consequence = tr("Resuming starts a new lease from now, and on a paid server "
                                              "the time is billed."),
                            .verb = ids.size() == 1 ? tr("Resume %1").arg(quoted(nameOf(session, ids.first())))
                                                    : tr("Resume %n sandboxes", nullptr, int(ids.size()))},
                           session.profile().lifetime, m_window);
    connect(
        dialog, &LifetimeDialog::chosen, this,
        [this, ids, weak = QPointer<Session>(&session)](std::chrono::seconds lifetime) {
            if (!weak)
                return;
            run(*weak, ids,
                {.doneOne = tr("The sandbox %1 runs again."),
                 .doneMany = [](int count) { return tr("%n sandboxes run again.", nullptr, count); },
                 .failedOne = tr("The sandbox %1 was not resumed.")},
                [this, lifetime](Session &target, const SandboxId &id,
                                 const std::function<void(Result<void>)> &answered) {
                    target.resume(id, lifetime).then(this, [answered](const Result<protocol::SandboxAccess> &access) {
                        answered(access ? Result<void>() : Failure(access.error()));
                    });
                });
        });
    dialog->open();
}

void SandboxActions::extend(Session &session, const Ids &ids, std::chrono::seconds by)
{
    const QString length = formatDuration(by);
    run(session, ids,
        {.doneOne = tr("The sandbox %2 lives %1 longer.").arg(length, QStringLiteral("%1")),
         .doneMany = [length](int count) { return tr("%n sandboxes live %1 longer.", nullptr, count).arg(length); },
         .failedOne = tr("The lifetime of the sandbox %1 was not extended.")},
        [this, by](Session &target, const SandboxId &id, const std::function<void(Result<void>)> &answered) {
            target.extend(id, by).then(this, [answered](const Result<QDateTime> &end) {
                answered(end ? Result<void>() : Failure(end.error()));
            });
        });
}

void SandboxActions::extendBy(Session &session, const Ids &ids)
{
    if (ids.isEmpty())
        return;
    const bool one = ids.size() == 1;
    const QString name = quoted(nameOf(session, ids.first()));
    auto *dialog = new LifetimeDialog(
        {.name = QStringLiteral("extendDialog"),
         .title = tr("Extend"),
         .question = one ? tr("How much longer shall the sandbox %1 live?").arg(name)
                         : tr("How much longer shall %n sandboxes live?", nullptr, int(ids.size())),
         .consequence = tr("This is added to the time it has left."),
         .verb = one ? tr("Extend %1").arg(name) : tr("Extend %n sandboxes", nullptr, int(ids.size()))},
        std::chrono::minutes(30), m_window);
    connect(dialog, &LifetimeDialog::chosen, this,
            [this, ids, weak = QPointer<Session>(&session)](std::chrono::seconds by) {
                if (weak)
                    extend(*weak, ids, by);
            });
    dialog->open();
}

void SandboxActions::fork(Session &session, const SandboxId &id)
{
    const QString name = quoted(nameOf(session, id));
    auto *dialog = new ForkDialog(name, session.profile().lifetime, m_window);
    connect(dialog, &ForkDialog::chosen, this,
            [this, id, name, weak = QPointer<Session>(&session)](const protocol::ForkRequest &request) {
                if (!weak || m_busy.contains(id))
                    return;
                m_busy.insert(id);
                Q_EMIT busyChanged();
                weak->fork(id, request).then(this, [this, id, name](const Result<QList<protocol::ForkResult>> &forks) {
                    m_busy.remove(id);
                    Q_EMIT busyChanged();
                    tellForks(name, forks);
                });
            });
    dialog->open();
}

void SandboxActions::tellForks(const QString &name, const Result<QList<protocol::ForkResult>> &forks)
{
    if (!forks) {
        Q_EMIT failed(forks.error(), tr("The sandbox %1 was not forked.").arg(name));
        return;
    }
    int made = 0;
    std::optional<Error> failure;
    for (const protocol::ForkResult &one : *forks) {
        if (one)
            ++made;
        else if (!failure)
            failure = one.error();
    }
    if (made == 1)
        Q_EMIT done(tr("A copy of the sandbox %1 was made.").arg(name));
    else if (made > 1)
        Q_EMIT done(tr("%n copies of the sandbox %1 were made.", nullptr, made).arg(name));
    if (failure)
        Q_EMIT failed(*failure, tr("Copies of the sandbox %1 that were not made: %2 of %3.")
                                    .arg(name)
                                    .arg(forks->size() - made)
                                    .arg(forks->size()));
}

void SandboxActions::kill(Session &session, const Ids &ids)
{
    if (ids.isEmpty())
        return;
    const bool one = ids.size() == 1;
    QStringList lines;
    for (const SandboxId &id : ids)
        lines << lineOf(session, id);
    const QString verb = one ? tr("Kill %1").arg(quoted(nameOf(session, ids.first())))
                             : tr("Kill %n sandboxes", nullptr, int(ids.size()));
    confirm(m_window,
            {.name = QStringLiteral("killQuestion"),
             .title = one ? tr("Kill sandbox") : tr("Kill sandboxes"),
             .text = one ? tr("Kill the sandbox %1?").arg(quoted(nameOf(session, ids.first())))
                         : tr("Kill these %n sandboxes?", nullptr, int(ids.size())),
             .consequence = one ? tr("Its programs end at once and its files are deleted. This can't be undone.")
                                : tr("Their programs end at once and their files are deleted. This can't be undone."),
             .items = lines,
             .acceptVerb = verb,
             .cancelVerb = one ? tr("Keep it") : tr("Keep them"),
             .danger = true},
            &session, [this, ids, weak = QPointer<Session>(&session)] {
                if (!weak)
                    return;
                run(*weak, ids,
                    {.doneOne = tr("The sandbox %1 was killed."),
                     .doneMany = [](int count) { return tr("%n sandboxes were killed.", nullptr, count); },
                     .failedOne = tr("The sandbox %1 was not killed.")},
                    [this](Session &target, const SandboxId &id, const std::function<void(Result<void>)> &answered) {
                        target.kill(id).then(this, answered);
                    });
            });
}

} // namespace boxdeck::ui
