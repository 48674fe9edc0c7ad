// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/json_file.h"

#include "backend/core/logging.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

namespace boxdeck::session {

namespace {

constexpr qint64 maxSettingsBytes = 8 * 1024 * 1024; // ours are a few KiB; anything bigger is not ours

constexpr auto ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

} // namespace

Result<QJsonObject> readJsonFile(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return QJsonObject();
    if (!file.open(QIODevice::ReadOnly))
        return Failure(localError(QStringLiteral("%1: %2").arg(path, file.errorString())));
    const QByteArray bytes = file.read(maxSettingsBytes + 1);
    file.close();
    QJsonParseError parse;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &parse);
    if (bytes.size() <= maxSettingsBytes && document.isObject())
        return document.object();

    const QString aside = path + QStringLiteral(".unreadable");
    QFile::remove(aside);
    QFile::rename(path, aside);
    const QString why =
        parse.error == QJsonParseError::NoError ? QStringLiteral("not a JSON object") : parse.errorString();
    qCWarning(lcSession) << "set aside" << path << why;
    return Failure(localError(QStringLiteral("%1: %2").arg(path, why)));
}

Result<void> writeJsonFile(const QString &path, const QJsonObject &object)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (!QFileInfo::exists(folder)) {
        if (!QDir().mkpath(folder))
            return Failure(localError(QStringLiteral("%1: the folder can't be made").arg(folder)));
        QFile::setPermissions(folder, ownerOnly | QFileDevice::ExeOwner);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return Failure(localError(QStringLiteral("%1: %2").arg(path, file.errorString())));
    file.setPermissions(ownerOnly);
    file.write(QJsonDocument(object).toJson(QJsonDocument::Indented));
    if (!file.commit())
        return Failure(localError(QStringLiteral("%1: %2").arg(path, file.errorString())));
    return {};
}

Result<QByteArray> readSmallFile(const QString &path)
{
    constexpr qint64 most = 1024 * 1024;
    const auto refused = [&](const QString &why) {
        return Failure(localError(QStringLiteral("%1: %2").arg(path, why)));
    };
    if (!QFileInfo(path).isFile()) // a pipe would be waited for without end
        return refused(QStringLiteral("not a file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refused(file.errorString());
    QByteArray bytes = file.read(most + 1);
    if (bytes.size() > most)
        return refused(QStringLiteral("larger than 1 MiB"));
    return bytes;
}

} // namespace boxdeck::session
