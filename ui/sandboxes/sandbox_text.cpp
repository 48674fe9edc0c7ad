// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandbox_text.h"

#include "backend/core/display_text.h"
#include "backend/session/sandbox_store.h"
#include "backend/session/session.h"
#include "models/sandbox_model.h"
#include "ui/common/format.h"

#include <QCoreApplication>

namespace boxdeck::ui {

namespace {

struct SandboxText
{
    Q_DECLARE_TR_FUNCTIONS(SandboxText)
};

} // namespace

StateLook stateLook(const protocol::SandboxSummary &sandbox)
{
    const QString word = models::SandboxModel::stateText(sandbox.state, sandbox.rawState);
    switch (sandbox.state) {
    case protocol::SandboxState::Running:
        return {"running", Token::Running, word};
    case protocol::SandboxState::Paused:
        return {"paused", Token::Paused, word};
    case protocol::SandboxState::Transitioning:
        return {"waiting", Token::Warning, word};
    case protocol::SandboxState::Terminal:
        return endedLook();
    case protocol::SandboxState::Unknown:
        break;
    }
    return {"unknown", Token::Muted, word};
}

StateLook endedLook()
{
    return {"ended", Token::Muted, SandboxText::tr("Ended")};
}

QString sandboxName(const protocol::SandboxSummary &sandbox)
{
    const QString name = models::SandboxModel::displayName(sandbox);
    return displayText(name.isEmpty() ? sandbox.id.value : name, 80);
}

QString sandboxName(const session::SandboxStore &store, const protocol::SandboxId &id)
{
    const auto known = store.find(id);
    return known ? sandboxName(*known) : displayText(id.value, 80);
}

QString quoted(const QString &name)
{
    return SandboxText::tr("“%1”").arg(name);
}

QString timeLeftText(const protocol::SandboxSummary &sandbox, std::optional<qint64> secondsLeft)
{
    if (sandbox.state != protocol::SandboxState::Running)
        return QStringLiteral("–");
    if (!secondsLeft)
        return SandboxText::tr("no limit");
    if (*secondsLeft <= 0)
        return SandboxText::tr("ending");
    return formatDuration(std::chrono::seconds(*secondsLeft));
}

Token timeLeftToken(std::optional<qint64> secondsLeft)
{
    if (!secondsLeft || *secondsLeft > kLeaseWarning)
        return Token::Text;
    return *secondsLeft > kLeaseLastWarning ? Token::Warning : Token::Danger;
}

QMap<QString, QString> visibleMetadata(QMap<QString, QString> metadata)
{
    metadata.remove(session::Session::createMark());
    return metadata;
}

QString metadataText(const QMap<QString, QString> &metadata)
{
    QStringList parts;
    const auto shown = visibleMetadata(metadata);
    for (auto it = shown.cbegin(); it != shown.cend(); ++it) {
        if (it.key() != QLatin1String("name"))
            parts << displayText(it.key(), 60) + QLatin1Char('=') + displayText(it.value(), 120);
    }
    return parts.join(QStringLiteral("  "));
}

} // namespace boxdeck::ui
