// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/bootstrap_install.h"

#include "backend/core/logging.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>

namespace boxdeck::session {

namespace {

constexpr qint64 maxManifest = 64 * 1024;
constexpr qsizetype maxSaid = 2000;

enum Exit { DigestMismatch = 41, TreeMissing = 42, RolledBack = 44, NotPrepared = 45, NotRolledBack = 46 };

/// Arguments: archive, digest, manifest, state folder, nonce, then a name and a target for each tree. Only POSIX shell,
/// coreutils and tar are needed. New and old trees stand beside their targets, so that each move within the swap is a
/// rename on one file system: it happens or it does not, and it can be taken back.
const QString script = QStringLiteral(R"sh(
archive=$1 digest=$2 manifest=$3 state=$4 nonce=$5
shift 5
new=.boxdeck-new-$nonce
old=.boxdeck-old-$nonce
staging=
lost=
trap '' HUP INT TERM

present() { [ -e "$1" ] || [ -L "$1" ]; }

# Also what has folders nobody may write in; the target of a link is left alone.
discard() {
    rm -rf -- "$1" 2>/dev/null && return
    [ -L "$1" ] || chmod -R u+rwx -- "$1"
    rm -rf -- "$1"
}
discard_new() {
    while [ "$#" -gt 0 ]; do discard "$2$new"; shift 2; done
}
discard_old() {
    while [ "$#" -gt 0 ]; do discard "$2$old"; shift 2; done
}
clean() {
    discard_new "$@"
    [ -z "$staging" ] || discard "$staging"
    rm -f -- "$archive" "$manifest"
}
# A folder without the right to write in it can't change its parent.
place() {
    mode=$(stat -c %a -- "$1") && chmod u+w -- "$1" && mv -T -- "$1" "$2" && chmod "$mode" -- "$2"
}
prepare() {
    mkdir -p -- "$state/bootstrap" || return 45
    sum=$(sha256sum < "$archive") || return 45
    [ "${sum%% *}" = "$digest" ] || return 41
    staging=$(mktemp -d -- "$state/staging.XXXXXX") || return 45
    tar -x -f "$archive" -C "$staging" --no-same-owner --same-permissions || return 45
    while [ "$#" -gt 0 ]; do
        [ -d "$staging/$1" ] || { echo "$1 is not in the archive" >&2; return 42; }
        mkdir -p -- "${2%/*}/" && place "$staging/$1" "$2$new" || return 45
        shift 2
    done
}
# Swaps the first tree, then the rest. What fails further down is undone here on the way back.
swap() {
    if [ "$#" -eq 0 ]; then
        mv -f -T -- "$manifest" "$state/bootstrap/manifest.json"
        return
    fi
    if present "$2"; then mv -T -- "$2" "$2$old" || return 1; fi
    if mv -T -- "$2$new" "$2"; then
        swap_rest "$@" && return 0
        mv -T -- "$2" "$2$new" || { lost="$lost $2$old"; return 1; }
    fi
    if present "$2$old" && ! mv -T -- "$2$old" "$2"; then lost="$lost $2$old"; fi
    return 1
}
swap_rest() { shift 2; swap "$@"; }

prepare "$@"
code=$?
if [ "$code" -ne 0 ]; then clean "$@"; exit "$code"; fi
if swap "$@"; then discard_old "$@"; clean "$@"; exit 0; fi
clean "$@"
if [ -n "$lost" ]; then echo "kept aside:$lost" >&2; exit 46; fi
exit 44
)sh");

RemotePath below(const RemotePath &folder, const QByteArray &name)
{
    return folder.child(name).value(); // the names are ours
}

RemotePath manifestPath(const BootstrapPlace &place)
{
    return below(below(place.state, "bootstrap"), "manifest.json");
}

BootstrapFiles newFiles(const BootstrapPlace &place)
{
    const QByteArray nonce = QByteArray::number(QRandomGenerator::system()->generate64(), 16);
    return {.nonce = nonce,
            .archive = below(place.temp, "boxdeck-bootstrap-" + nonce + ".tar"),
            .manifest = below(place.state, ".bootstrap-manifest-" + nonce + ".json")};
}

QByteArray encode(const BootstrapManifest &manifest)
{
    const QJsonObject object{{QStringLiteral("version"), manifest.version},
                             {QStringLiteral("archive_sha256"), manifest.archiveSha256},
                             {QStringLiteral("binding"), manifest.binding}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

Result<BootstrapManifest> decode(const QByteArray &json)
{
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    const BootstrapManifest manifest{.version = object.value(QLatin1String("version")).toInt(),
                                     .archiveSha256 = object.value(QLatin1String("archive_sha256")).toString(),
                                     .binding = object.value(QLatin1String("binding")).toString()};
    if (manifest.version <= 0 || manifest.archiveSha256.isEmpty())
        return tl::unexpected(Error{.kind = ErrorKind::Internal,
                                    .delivery = Delivery::Answered,
                                    .code = QStringLiteral("bad_answer"),
                                    .message = QStringLiteral("the manifest can't be read")});
    return manifest;
}

/// After a step that failed before the script could clean up. Best effort, and nobody waits for it.
void removeUploads(const std::shared_ptr<api::Envd> &envd, const BootstrapFiles &files)
{
    for (const RemotePath &path : {files.archive, files.manifest}) {
        envd->filesystem().remove(path).then(&envd->filesystem().lastingOwner(), [](const Result<void> &removed) {
            if (!removed)
                qCInfo(lcApi) << "a file of a bootstrap could not be removed:" << kindName(removed.error().kind);
        });
    }
}

net::UploadSource sourceOf(const BootstrapArchivePtr &archive)
{
    return {.open = [archive]() -> std::unique_ptr<QIODevice> {
                auto file = std::make_unique<QFile>(archive->path());
                return file->open(QIODevice::ReadOnly) ? std::move(file) : nullptr;
            },
            .size = archive->size()};
}

Result<void> installed(const Result<api::CommandRun> &run)
{
    if (!run)
        return tl::unexpected(run.error());
    if (run->end == api::CommandRun::End::Finished)
        return run->exitCode == 0 ? Result<void>() : tl::unexpected(bootstrapExitError(run->exitCode, run->err));
    const bool late = run->end == api::CommandRun::End::TimeLimit;
    return tl::unexpected(Error{.kind = late ? ErrorKind::Timeout : ErrorKind::Unavailable,
                                .delivery = Delivery::Unknown,
                                .code = QStringLiteral("interrupted"),
                                .message = late ? QStringLiteral("unpacking took too long") : run->error.message});
}

} // namespace

api::Command bootstrapCommand(const BootstrapFiles &files, const QString &sha256, const QList<BootstrapTree> &trees,
                              const BootstrapPlace &place)
{
    QStringList words{QStringLiteral("/bin/sh"), QStringLiteral("-c"),     script,
                      QStringLiteral("boxdeck"), files.archive.toString(), sha256,
                      files.manifest.toString(), place.state.toString(),   QString::fromLatin1(files.nonce)};
    for (const BootstrapTree &tree : trees)
        words << QString::fromUtf8(tree.name) << tree.target.toString();
    // No profile of the user's: it may print, or change what the commands are.
    return {.words = words, .shell = QStringLiteral("/bin/sh"), .login = false, .limit = place.limit};
}

Call<void> installBootstrap(std::shared_ptr<api::Envd> envd, BootstrapArchivePtr archive, const QString &binding,
                            const BootstrapPlace &place)
{
    const BootstrapFiles files = newFiles(place);
    const QByteArray manifest = encode({.archiveSha256 = archive->sha256(), .binding = binding});
    return envd->files()
        .upload(files.archive, sourceOf(archive))
        .chain([envd, files, manifest](const Result<void> &sent) {
            return sent ? envd->files().writeSmall(files.manifest, manifest) : Call<void>::settled(sent);
        })
        .chain([envd, files, archive, place](const Result<void> &sent) {
            if (!sent)
                return Call<api::CommandRun>::settled(tl::unexpected(sent.error()));
            return api::runCommand(envd->processes(),
                                   bootstrapCommand(files, archive->sha256(), archive->trees(), place));
        })
        .map([envd, files](const Result<api::CommandRun> &run) {
            // Interrupted it may still be at work, and cleans up itself.
            if (!run || run->end == api::CommandRun::End::TimeLimit)
                removeUploads(envd, files);
            return installed(run);
        });
}

Call<BootstrapManifest> readBootstrapManifest(api::Envd &envd, const BootstrapPlace &place)
{
    return envd.files()
        .readSmall(manifestPath(place), maxManifest)
        .map([](const Result<QByteArray> &json) -> Result<BootstrapManifest> {
            if (!json)
                return tl::unexpected(json.error());
            return decode(*json);
        });
}

Call<void> checkBootstrap(api::Envd &envd, const BootstrapManifest &expected, const BootstrapPlace &place)
{
    return readBootstrapManifest(envd, place).map([expected](const Result<BootstrapManifest> &found) -> Result<void> {
        if (!found)
            return tl::unexpected(found.error());
        if (found->version == expected.version && found->archiveSha256 == expected.archiveSha256)
            return {};
        return tl::unexpected(Error{
            .kind = ErrorKind::Conflict,
            .delivery = Delivery::Answered,
            .code = QStringLiteral("bootstrap_differs"),
            .message =
                QStringLiteral("the sandbox was begun with another archive (%1)").arg(found->archiveSha256.left(12))});
    });
}

Error bootstrapExitError(std::optional<int> exitCode, const QByteArray &said)
{
    Error error{.kind = ErrorKind::Internal,
                .delivery = Delivery::Answered,
                .code = QStringLiteral("bootstrap_failed"),
                .message = QString::fromUtf8(said.trimmed().right(maxSaid))};
    switch (exitCode.value_or(0)) {
    case DigestMismatch:
        error.code = QStringLiteral("digest_mismatch");
        break;
    case TreeMissing:
        error.code = QStringLiteral("tree_missing");
        break;
    case RolledBack:
        error.code = QStringLiteral("rolled_back");
        break;
    case NotPrepared:
        error.code = QStringLiteral("not_prepared");
        break;
    case NotRolledBack:
        error.code = QStringLiteral("not_rolled_back");
        break;
    default:
        break;
    }
    const QString how = exitCode ? QStringLiteral("exit code %1").arg(*exitCode) : QStringLiteral("no exit code");
    error.message = error.message.isEmpty() ? how : QStringLiteral("%1: %2").arg(how, error.message);
    return error;
}

} // namespace boxdeck::session
