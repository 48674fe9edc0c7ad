// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/file_preview.h"

#include "backend/api/envd.h"
#include "backend/core/display_text.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/common/format.h"
#include "ui/common/labels.h"
#include "ui/common/theme.h"
#include "ui/common/ui_util.h"

#include <QPlainTextEdit>
#include <QStringDecoder>
#include <QVBoxLayout>

namespace boxdeck::ui {

PreviewText previewOf(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(bytes);
    if (bytes.contains('\0') || decoder.hasError())
        return {.binary = true, .text = {}};
    PreviewText preview;
    preview.text.reserve(text.size());
    for (QStringView line : QStringView(text).split(u'\n')) {
        if (line.endsWith(u'\r'))
            line.chop(1);
        // Tabs are not harmful in a text, everything else that displayText() escapes is.
        bool first = true;
        for (const QStringView part : line.split(u'\t')) {
            if (!std::exchange(first, false))
                preview.text += QLatin1Char('\t');
            preview.text += displayText(part.toString(), FilePreview::maxBytes);
        }
        preview.text += QLatin1Char('\n');
    }
    preview.text.chop(1);
    return preview;
}

FilePreview::FilePreview(transfer::EnvdSource envd, protocol::EntryInfo entry, QWidget *parent)
    : QDialog(parent)
    , m_source(std::move(envd))
    , m_entry(std::move(entry))
    , m_error(new ErrorBar(QStringLiteral("previewError"), this))
    , m_empty(new EmptyState(QStringLiteral("previewEmpty"), "waiting", this))
    , m_text(new QPlainTextEdit(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("filePreview"));
    const QString name = displayText(QString::fromUtf8(m_entry.name), 200);
    setWindowTitle(name);
    setAccessibleName(tr("Preview of %1").arg(name));
    resize(90 * kGrid, 64 * kGrid);

    auto *path = new IdLabel(QStringLiteral("previewPath"), this);
    path->setFullText(m_entry.path.toString());
    path->setAccessibleName(tr("Path"));
    nameWidget(m_text, QStringLiteral("previewText"), tr("Content of %1").arg(name));
    m_text->setReadOnly(true);
    m_text->setFont(Theme::monospace());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_empty->setText(tr("Opening %1").arg(name), {});

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(path);
    layout->addWidget(m_error);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_text, 1);
    m_text->hide();

    connect(m_error, &ErrorBar::retryRequested, this, &FilePreview::load);
    connect(m_empty, &EmptyState::actionTriggered, this, [this] { Q_EMIT saveRequested(m_entry); });
    load();
}

void FilePreview::load()
{
    m_error->clear();
    // The whole chain, so that a file of a sandbox that was paused meanwhile wakes nothing.
    m_source()
        .chain([path = m_entry.path](Result<std::shared_ptr<api::Envd>> envd) {
            return envd ? (*envd)->files().readSmall(path, maxBytes)
                        : Call<QByteArray>::settled(tl::unexpected(envd.error()));
        })
        .then(this, [this](Result<QByteArray> bytes) { present(bytes); });
}

void FilePreview::present(const Result<QByteArray> &bytes)
{
    const QString name = displayText(QString::fromUtf8(m_entry.name), 80);
    if (!bytes && bytes.error().code == QLatin1String("too_large")) {
        m_empty->setDrawing("folder");
        m_empty->setText(tr("%1 is too large for a preview").arg(name),
                         tr("Previews show up to %1. Save it to this computer to open it.").arg(formatBytes(maxBytes)));
        m_empty->setAction(tr("Save “%1” to…").arg(name), "download");
        return;
    }
    if (!bytes) {
        m_empty->setText({}, {});
        m_error->showError(bytes.error(), tr("The file “%1” was not opened.").arg(name), tr("Open again"));
        return;
    }
    const PreviewText preview = previewOf(*bytes);
    if (preview.binary) {
        m_empty->setDrawing("folder");
        m_empty->setText(
            tr("%1 is a binary file").arg(name),
            tr("It has %1 and is not text. Save it to this computer to open it.").arg(formatBytes(bytes->size())));
        m_empty->setAction(tr("Save “%1” to…").arg(name), "download");
        return;
    }
    m_empty->hide();
    m_text->setPlainText(preview.text);
    m_text->show();
    m_text->setFocus();
}

} // namespace boxdeck::ui
