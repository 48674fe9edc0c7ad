// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/save_text.h"

#include "backend/core/display_text.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QPointer>
#include <QSaveFile>
#include <QThreadPool>

namespace boxdeck::ui {

namespace {

struct SaveText
{
    Q_DECLARE_TR_FUNCTIONS(SaveText)
};

QString write(const QString &path, const QByteArray &bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return SaveText::tr("Nothing was saved to “%1”: %2.").arg(displayText(path), file.errorString());
    return SaveText::tr("Saved to “%1”.").arg(displayText(path));
}

} // namespace

void saveText(QWidget *parent, const TextToSave &what, std::function<void(const QString &sentence)> told)
{
    auto *dialog = new QFileDialog(parent, what.title);
    dialog->setObjectName(what.name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(what.fileName);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [parent, text = what.text, told](const QString &path) {
        QThreadPool::globalInstance()->start([path, bytes = text().toUtf8(), told, weak = QPointer<QWidget>(parent)] {
            const QString sentence = write(path, bytes);
            // The application outlives the pool's work; only its thread may look at the widget.
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [weak, told, sentence] {
                    if (weak)
                        told(sentence);
                },
                Qt::QueuedConnection);
        });
    });
    dialog->open();
}

} // namespace boxdeck::ui
