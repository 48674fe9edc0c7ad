// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/filesystem.h"
#include "backend/transfer/transfer_engine.h"

#include <QDialog>

class QPlainTextEdit;

namespace boxdeck::ui {

class ErrorBar;
class EmptyState;

/// What a preview shows of some bytes: text, or that it is none.
struct PreviewText
{
    bool binary = false;
    QString text; ///< with control and direction characters made visible
};

/// Decodes UTF-8; a NUL or a byte that is not UTF-8 makes it binary, so that nothing is shown that is not in the file.
PreviewText previewOf(const QByteArray &bytes);

/// A read-only look at a text file of a sandbox, in a window of its own.
class FilePreview : public QDialog
{
    Q_OBJECT

public:
    static constexpr qint64 maxBytes = 1024 * 1024;

    FilePreview(transfer::EnvdSource envd, protocol::EntryInfo entry, QWidget *parent = nullptr);

Q_SIGNALS:
    void saveRequested(const boxdeck::protocol::EntryInfo &entry);

private:
    void load();
    void present(const Result<QByteArray> &bytes);

    transfer::EnvdSource m_source;
    protocol::EntryInfo m_entry;
    ErrorBar *m_error;
    EmptyState *m_empty;
    QPlainTextEdit *m_text;
};

} // namespace boxdeck::ui
