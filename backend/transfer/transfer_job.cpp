// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/transfer_job.h"

#include "backend/core/logging.h"

#include <QSet>

#include <algorithm>

namespace boxdeck::transfer {

namespace {
using namespace std::chrono_literals;
constexpr auto publishInterval = 120ms;
} // namespace

TransferJob::TransferJob(TransferInfo info, EnvdSource envd, DiskQueue disk, const Clock &clock,
                         const EngineOptions &options, QObject *parent)
    : QObject(parent)
    , m_info(std::move(info))
    , m_disk(std::move(disk))
    , m_options(options)
    , m_source(std::move(envd))
    , m_clock(clock)
    , m_policy{.first = options.firstRetry}
{
    m_tick.setInterval(publishInterval);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (m_dirty || m_info.state == JobState::Running)
            publish();
        if (!isActive(m_info.state))
            m_tick.stop();
    });
    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        if (apply(m_scanDone ? JobEvent::Resumed : JobEvent::Start))
            askForEnvd();
    });
}

TransferJob::~TransferJob() = default;

bool TransferJob::apply(JobEvent event)
{
    const auto next = nextState(m_info.state, event);
    if (!next)
        return false;
    qCInfo(lcTransfer) << "transfer" << m_info.id.value << stateName(m_info.state) << "->" << stateName(*next);
    m_info.state = *next;
    m_rate.reset();
    if (isActive(*next) && !m_tick.isActive())
        m_tick.start();
    publish();
    Q_EMIT placeChanged();
    return true;
}

void TransferJob::start()
{
    m_info.error.reset();
    if (apply(JobEvent::Start))
        askForEnvd();
}

void TransferJob::pause()
{
    if (nextState(m_info.state, JobEvent::Pause)) {
        suspendAll();
        m_info.error.reset();
        apply(JobEvent::Pause);
    }
}

void TransferJob::resume()
{
    apply(JobEvent::Continue);
}

void TransferJob::cancel()
{
    if (!nextState(m_info.state, JobEvent::Cancel))
        return;
    suspendAll();
    dropTasks();
    m_info.error.reset();
    apply(JobEvent::Cancel);
}

void TransferJob::retry()
{
    if (!nextState(m_info.state, JobEvent::Retry))
        return;
    suspendAll();
    QSet<QString> again;
    for (Item &item : m_items) {
        if (item.state == ItemState::Failed) {
            item.state = ItemState::Waiting;
            again.insert(item.name);
        }
        item.attempt = 1;
    }
    // What the scan itself could not read stays told.
    m_info.problems.removeIf([&](const Problem &problem) { return !problem.skipped && again.contains(problem.name); });
    m_nextItem = 0;
    m_scanAttempt = 1;
    m_envdAttempt = 1;
    m_info.error.reset();
    apply(JobEvent::Retry);
}

void TransferJob::askForEnvd()
{
    m_envdCall = m_source();
    m_envdCall.then(this, [this](Result<std::shared_ptr<api::Envd>> envd) { envdArrived(std::move(envd)); });
}

void TransferJob::envdArrived(Result<std::shared_ptr<api::Envd>> envd)
{
    if (!envd) {
        const Error &error = envd.error();
        if (error.kind == ErrorKind::Conflict) {
            // The sandbox is paused or changing. Only the user may wake it.
            suspendAll();
            m_info.error = error;
            apply(JobEvent::Pause);
            return;
        }
        const auto delay = m_policy.delayBefore(++m_envdAttempt, error);
        return delay ? waitAndRetry(error, *delay) : failAll(error);
    }
    m_envdAttempt = 1;
    m_envd = std::move(*envd);
    if (!m_scanDone)
        return scan(m_envd);
    if (m_info.state == JobState::Scanning)
        apply(JobEvent::Scanned);
    if (m_foldersDone)
        copyMore();
    else
        makeFolders(m_envd);
}

void TransferJob::fault(const Error &error)
{
    const auto delay = m_policy.delayBefore(++m_scanAttempt, error);
    if (delay)
        waitAndRetry(error, *delay);
    else
        failAll(error);
}

void TransferJob::scanned(const Found &found, int folders, const QList<Problem> &problems)
{
    m_scanDone = true;
    m_scanAttempt = 1;
    m_items.clear();
    m_items.reserve(static_cast<size_t>(found.names.size()));
    m_info.bytesTotal = 0;
    for (qsizetype i = 0; i < found.names.size(); ++i) {
        m_items.push_back({.name = found.names[i], .size = found.sizes[i]});
        m_info.bytesTotal += found.sizes[i];
    }
    m_info.filesTotal = static_cast<int>(found.names.size());
    m_info.foldersTotal = folders;
    m_info.problems = problems;
    m_nextItem = 0;
    apply(JobEvent::Scanned);
    makeFolders(m_envd);
}

void TransferJob::foldersMade()
{
    m_foldersDone = true;
    m_scanAttempt = 1;
    copyMore();
}

void TransferJob::addProblem(Problem problem)
{
    m_info.problems.append(std::move(problem));
    noteProgress();
}

void TransferJob::copyMore()
{
    if (m_info.state != JobState::Running && m_info.state != JobState::Conflict)
        return;
    // Those that were suspended hold part files and temporary names: they go on first.
    while (!m_unfinished.empty() && m_envd) {
        const qsizetype index = *m_unfinished.begin();
        m_unfinished.erase(m_unfinished.begin());
        m_tasks.at(index)->start(m_envd);
    }
    const auto count = static_cast<qsizetype>(m_items.size());
    while (m_envd && static_cast<int>(m_tasks.size()) < m_options.parallelFiles && m_nextItem < count) {
        const qsizetype index = m_nextItem++;
        if (m_items[static_cast<size_t>(index)].state == ItemState::Waiting)
            startItem(index);
    }
    finishIfDone();
}

void TransferJob::startItem(qsizetype index)
{
    m_items[static_cast<size_t>(index)].state = ItemState::Running;
    auto task = makeTask(index);
    connectTask(index, *task);
    FileTask *started = m_tasks.emplace(index, std::move(task)).first->second.get();
    started->start(m_envd);
}

void TransferJob::connectTask(qsizetype index, FileTask &task)
{
    connect(&task, &FileTask::progress, this, [this, index] {
        Item &item = m_items[static_cast<size_t>(index)];
        const auto running = m_tasks.find(index);
        if (running == m_tasks.end())
            return;
        // Only what was never reached before counts as progress: a server that cuts at the same place for ever doesn't.
        if (running->second->bytesDone() > item.furthest) {
            item.furthest = running->second->bytesDone();
            item.attempt = 1;
        }
        // The size can differ from the scan's: a link's is known only now, and files change.
        if (const qint64 total = running->second->bytesTotal(); total != item.size) {
            m_info.bytesTotal += total - item.size;
            item.size = total;
        }
        noteProgress();
    });
    connect(&task, &FileTask::question, this,
            [this, index](const FileFacts &source, const FileFacts &target) { taskAsks(index, source, target); });
    connect(&task, &FileTask::finished, this, [this, index] { taskEnded(index, std::nullopt); });
    connect(&task, &FileTask::skipped, this, [this, index] {
        taskEnded(index, Problem{.name = m_items[static_cast<size_t>(index)].name,
                                 .skipped = true,
                                 .error = transferError(ErrorKind::Conflict, code::exists,
                                                        QStringLiteral("kept what was there"))});
    });
    connect(&task, &FileTask::failed, this, [this, index](const Error &error) { taskFailed(index, error); });
}

void TransferJob::taskAsks(qsizetype index, const FileFacts &source, const FileFacts &target)
{
    if (m_policyForRest) {
        m_tasks.at(index)->answer(decideConflict(*m_policyForRest, source, target));
        return;
    }
    m_questions[index] = {source, target};
    showQuestion();
}

void TransferJob::showQuestion()
{
    if (m_questions.empty()) {
        m_info.conflict.reset();
        if (!apply(JobEvent::Answer))
            publish();
        return;
    }
    const auto &[index, asked] = *m_questions.begin();
    m_info.conflict = ConflictQuestion{
        .name = m_items[static_cast<size_t>(index)].name, .source = asked.source, .target = asked.target};
    if (!apply(JobEvent::Conflict))
        publish();
}

void TransferJob::answer(ConflictChoice choice, bool forTheRest)
{
    if (m_info.state != JobState::Conflict)
        return;
    if (forTheRest)
        m_policyForRest = choice;
    auto open = std::move(m_questions);
    m_questions.clear();
    std::map<qsizetype, Asked> answered;
    answered.insert(open.extract(open.begin()));
    if (forTheRest)
        answered.merge(open);
    m_questions = std::move(open);
    showQuestion();
    for (const auto &[index, asked] : answered) {
        if (const auto task = m_tasks.find(index); task != m_tasks.end())
            task->second->answer(decideConflict(choice, asked.source, asked.target));
    }
}

void TransferJob::taskEnded(qsizetype index, std::optional<Problem> problem)
{
    Item &item = m_items[static_cast<size_t>(index)];
    item.state = ItemState::Done;
    m_doneBytes += item.size;
    ++m_info.filesDone;
    if (problem)
        m_info.problems.append(std::move(*problem));
    m_tasks.extract(index).mapped().release()->deleteLater(); // it is the sender
    noteProgress();
    copyMore();
}

void TransferJob::taskFailed(qsizetype index, const Error &error)
{
    Item &item = m_items[static_cast<size_t>(index)];
    m_questions.erase(index);
    if (const auto delay = m_policy.delayBefore(item.attempt + 1, error)) {
        ++item.attempt;
        m_info.attempt = item.attempt;
        return waitAndRetry(error, *delay);
    }
    if (stopsWholeJob(error))
        return failAll(error);
    item.state = ItemState::Failed;
    m_info.problems.append({.name = item.name, .skipped = false, .error = error});
    removeLeftovers(m_tasks.at(index)->leftovers());
    m_tasks.extract(index).mapped().release()->deleteLater();
    noteProgress();
    copyMore();
}

void TransferJob::waitAndRetry(const Error &error, std::chrono::milliseconds delay)
{
    qCInfo(lcTransfer) << "transfer" << m_info.id.value << "tries again in" << delay.count()
                       << "ms:" << kindName(error.kind) << error.code;
    suspendAll();
    m_info.error = error;
    apply(JobEvent::Fault);
    m_delay.start(delay);
}

void TransferJob::failAll(const Error &error)
{
    suspendAll();
    dropTasks();
    m_info.error = error;
    apply(JobEvent::Fail);
}

void TransferJob::suspendAll()
{
    m_delay.stop();
    m_envdCall.cancel();
    if (!m_scanDone || !m_foldersDone)
        abandonScan();
    m_questions.clear();
    m_info.conflict.reset();
    for (const auto &[index, task] : m_tasks) {
        task->suspend();
        m_unfinished.insert(index);
    }
    m_envd.reset();
    // From Conflict the table has no way to Retrying: whatever was asked is asked again.
    if (m_info.state == JobState::Conflict)
        m_info.state = JobState::Running;
}

void TransferJob::dropTasks()
{
    for (auto &[index, task] : m_tasks) {
        m_items[static_cast<size_t>(index)].state = ItemState::Waiting;
        removeLeftovers(task->leftovers());
        task.release()->deleteLater(); // it may be the sender
    }
    m_tasks.clear();
    m_unfinished.clear();
    m_nextItem = 0;
}

void TransferJob::finishIfDone()
{
    if (!m_tasks.empty() || m_nextItem < static_cast<qsizetype>(m_items.size()) || m_info.state != JobState::Running)
        return;
    const auto failure = std::find_if(m_info.problems.begin(), m_info.problems.end(),
                                      [](const Problem &problem) { return !problem.skipped; });
    if (failure == m_info.problems.end()) {
        m_info.error.reset();
        apply(JobEvent::Finish);
        return;
    }
    m_info.error = failure->error;
    apply(JobEvent::Fail);
}

void TransferJob::removeLeftovers(const QList<RemotePath> &paths)
{
    if (paths.isEmpty())
        return;
    // By a fresh look at the sandbox: if it was paused meanwhile this must not wake it. Best effort: what can't be
    // removed is hidden and says by its name whose it is.
    // The queue waits for it, as this job may be forgotten at once.
    m_source().then(parent(), [owner = parent(), paths](const Result<std::shared_ptr<api::Envd>> &envd) {
        if (!envd)
            return;
        for (const RemotePath &path : paths) {
            (*envd)->filesystem().remove(path).then(owner, [](const Result<void> &removed) {
                if (!removed)
                    qCInfo(lcTransfer) << "a temporary file could not be removed:" << kindName(removed.error().kind);
            });
        }
    });
}

void TransferJob::noteProgress()
{
    m_dirty = true;
}

void TransferJob::publish()
{
    m_dirty = false;
    qint64 done = m_doneBytes;
    for (const auto &[index, task] : m_tasks)
        done += task->bytesDone();
    m_info.bytesDone = done;
    const qint64 now = m_clock.monotonicMs();
    if (m_info.state == JobState::Running) {
        m_rate.add(now, done);
        m_info.bytesPerSecond = m_rate.bytesPerSecond(now);
        m_info.secondsLeft = m_rate.secondsLeft(now, m_info.bytesTotal - done);
    } else {
        m_info.bytesPerSecond = 0;
        m_info.secondsLeft.reset();
    }
    Q_EMIT changed();
}

} // namespace boxdeck::transfer
