// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/workspace_init.h"

#include "backend/core/logging.h"

namespace boxdeck::session {

namespace {

api::Command folderCommand(const QList<RemotePath> &folders)
{
    QStringList words{QStringLiteral("mkdir"), QStringLiteral("-p"), QStringLiteral("--")};
    for (const RemotePath &folder : folders)
        words.append(folder.toString());
    return {.words = words, .shell = QStringLiteral("/bin/sh"), .login = false};
}

/// A lost connection counts like a refused one here: making folders twice is making them once.
Result<void> made(const Result<api::CommandRun> &run)
{
    if (!run)
        return tl::unexpected(run.error());
    if (run->succeeded())
        return {};
    if (run->end == api::CommandRun::End::Interrupted)
        return tl::unexpected(run->error);
    const QString code = run->exitCode ? QString::number(*run->exitCode) : QStringLiteral("none");
    return tl::unexpected(Error{
        .kind = ErrorKind::Internal,
        .delivery = Delivery::Answered,
        .code = QStringLiteral("folders_failed"),
        .message = QStringLiteral("exit code %1: %2").arg(code, QString::fromUtf8(run->err.trimmed().right(2000)))});
}

Call<void> tryFolders(int attempt, const api::EnvdProcessClient &processes, const WorkspacePlan &plan,
                      const api::Pauses &pauses)
{
    return api::runCommand(processes, folderCommand(plan.folders)).chain([=](const Result<api::CommandRun> &run) {
        auto result = made(run);
        if (result)
            return Call<void>::settled({});
        Error judged = result.error();
        if (judged.httpStatus >= 500) // of whatever stands in front of a sandbox that is still starting
            judged.kind = ErrorKind::Unavailable;
        const auto delay = plan.retry.delayBefore(attempt + 1, judged, api::throwDice(pauses));
        if (!delay)
            return Call<void>::settled(std::move(result));
        qCInfo(lcApi) << "a new sandbox is not ready, next try in" << delay->count() << "ms";
        return api::waitFor(*delay, pauses).chain([=](const Result<void> &) {
            return tryFolders(attempt + 1, processes, plan, pauses);
        });
    });
}

Error initialisationFailed(Error cause)
{
    cause.message =
        QStringLiteral("%1: %2").arg(cause.code.isEmpty() ? QString(kindName(cause.kind)) : cause.code, cause.message);
    cause.code = QStringLiteral("initialisation_failed");
    return cause;
}

} // namespace

Call<void> makeWorkspaceFolders(const api::EnvdProcessClient &processes, const WorkspacePlan &plan,
                                const api::Pauses &pauses)
{
    if (plan.folders.isEmpty())
        return Call<void>::settled({});
    return tryFolders(1, processes, plan, pauses);
}

Call<void> prepareSandbox(api::ControlPlaneClient &control, std::shared_ptr<api::Envd> envd, const WorkspacePlan &plan,
                          const api::Pauses &pauses)
{
    return makeWorkspaceFolders(envd->processes(), plan, pauses)
        .chain([envd, plan](const Result<void> &done) {
            if (!done || !plan.archive)
                return Call<void>::settled(done);
            return installBootstrap(envd, plan.archive, plan.binding, plan.place);
        })
        .chain([control, envd](const Result<void> &done) mutable {
            if (done)
                return Call<void>::settled(done);
            return control.kill(envd->target().id).map([cause = done.error()](const Result<void> &killed) {
                if (!killed)
                    qCWarning(lcApi) << "a sandbox that could not be prepared is left over:"
                                     << kindName(killed.error().kind);
                return Result<void>(tl::unexpected(initialisationFailed(cause)));
            });
        });
}

} // namespace boxdeck::session
