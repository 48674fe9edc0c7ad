// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/envd.h"
#include "backend/transfer/awaiting.h"
#include "backend/transfer/transfer_info.h"

#include <QObject>

#include <memory>

namespace boxdeck::transfer {

/// Copies one file, one way. Runs from start() until finished(), skipped() or failed(); after suspend() nothing is
/// emitted until the next start(), which goes on where that is possible.
///
/// Asks by question() when the target exists, and waits for answer(). Whatever ends it, nothing half-written has the
/// target's name.
class FileTask : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Begins, or goes on after suspend() or failed().
    virtual void start(std::shared_ptr<api::Envd> envd) = 0;
    /// Lets go of the network. What is needed to go on is kept.
    virtual void suspend() = 0;
    /// The answer to question().
    virtual void answer(ConflictAction action) = 0;

    /// Files this task leaves in the sandbox if it is given up now; the caller removes them.
    virtual QList<RemotePath> leftovers() const { return {}; }

    qint64 bytesDone() const { return m_bytesDone; }
    qint64 bytesTotal() const { return m_bytesTotal; }

Q_SIGNALS:
    void progress();
    void question(const boxdeck::transfer::FileFacts &source, const boxdeck::transfer::FileFacts &target);
    void finished();
    void skipped();
    void failed(const boxdeck::Error &error);

protected:
    void setProgress(qint64 done, qint64 total)
    {
        m_bytesDone = done;
        m_bytesTotal = total;
        Q_EMIT progress();
    }

    /// Waits for one call; abandon() drops it.
    template <typename T, typename F> void await(Call<T> &&call, F f)
    {
        m_waiting.await(this, std::move(call), std::move(f));
    }
    void abandon() { m_waiting.drop(); }

private:
    Awaiting m_waiting;
    qint64 m_bytesDone = 0;
    qint64 m_bytesTotal = 0;
};

/// An error that transfers find out themselves.
Error transferError(ErrorKind kind, QLatin1String code, const QString &message);

} // namespace boxdeck::transfer
