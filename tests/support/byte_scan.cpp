// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/byte_scan.h"

#include <QDirIterator>
#include <QFile>

namespace boxdeck::test {

QStringList filesHolding(const QString &folder, const QList<QByteArray> &needles)
{
    QList<QByteArray> forms;
    for (const QByteArray &needle : needles) {
        if (needle.isEmpty())
            continue;
        // The last quantum of base64 depends on what follows.
        const QByteArray base64 = needle.toBase64(QByteArray::OmitTrailingEquals);
        forms << needle << base64.left(base64.size() / 4 * 4) << needle.toHex();
    }
    QStringList found;
    QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray content = file.readAll();
        for (const QByteArray &form : forms) {
            if (content.contains(form)) {
                found.append(file.fileName());
                break;
            }
        }
    }
    return found;
}

} // namespace boxdeck::test
