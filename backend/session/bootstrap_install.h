// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/command_run.h"
#include "backend/api/envd.h"
#include "backend/session/bootstrap_archive.h"

#include <memory>

namespace boxdeck::session {

/// Where an archive is unpacked in a sandbox.
struct BootstrapPlace
{
    RemotePath state = RemotePath::parse(QByteArrayLiteral("/home/user/.boxdeck")).value(); ///< our own folder there
    RemotePath temp = RemotePath::parse(QByteArrayLiteral("/tmp")).value();                 ///< for the archive itself
    std::chrono::milliseconds limit{std::chrono::minutes(15)};                              ///< for unpacking
};

/// What a sandbox was begun with.
struct BootstrapManifest
{
    static constexpr int currentVersion = 1;

    int version = currentVersion;
    QString archiveSha256;
    QString binding; ///< the caller's word for what this is, e.g. the id of a project

    bool operator==(const BootstrapManifest &) const = default;
};

/// The files of one installation, under names nobody else has.
struct BootstrapFiles
{
    QByteArray nonce;
    RemotePath archive;
    RemotePath manifest;
};

/// The command that unpacks an uploaded archive: see installBootstrap(). Its exit codes are those of exitError().
api::Command bootstrapCommand(const BootstrapFiles &files, const QString &sha256, const QList<BootstrapTree> &trees,
                              const BootstrapPlace &place);

/// Uploads an archive and puts its trees in place, all of them or none: the digest is checked in the sandbox, the trees
/// are unpacked beside their targets, what stands there is moved aside and the new ones are moved in, the manifest
/// last. Each step of that is one rename. If one fails the earlier ones are taken back in reverse order; whatever
/// happens nothing else is left behind. Sent once.
///
/// Errors by code: those of the uploads and of runCommand(); "digest_mismatch", "tree_missing" (Internal: the archive
/// did not arrive as it was), "not_prepared" (nothing was changed), "rolled_back" (all is as before), "not_rolled_back"
/// (the message names where the old trees are), "interrupted" (Unavailable: whether it happened is unknown, look with
/// readBootstrapManifest()). The message holds what the sandbox said.
Call<void> installBootstrap(std::shared_ptr<api::Envd> envd, BootstrapArchivePtr archive, const QString &binding,
                            const BootstrapPlace &place = {});

/// What the sandbox says it was begun with. NotFound if nothing was ever installed.
Call<BootstrapManifest> readBootstrapManifest(api::Envd &envd, const BootstrapPlace &place = {});

/// Conflict, code "bootstrap_differs", unless the sandbox was begun with exactly this version and archive.
Call<void> checkBootstrap(api::Envd &envd, const BootstrapManifest &expected, const BootstrapPlace &place = {});

/// The error behind an exit code of bootstrapCommand(); `said` is its error output.
Error bootstrapExitError(std::optional<int> exitCode, const QByteArray &said);

} // namespace boxdeck::session
