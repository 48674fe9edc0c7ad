// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/capability_text.h"

#include "backend/core/display_text.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QAction>
#include <QCoreApplication>

namespace boxdeck::ui {

using api::Feature;
using api::Finding;
using api::Support;
using api::Why;

namespace {

struct CapabilityText
{
    Q_DECLARE_TR_FUNCTIONS(CapabilityText)
};

} // namespace

QString featureName(Feature feature)
{
    switch (feature) {
    case Feature::SandboxPages:
        return CapabilityText::tr("Listing paused sandboxes, and in pages");
    case Feature::SandboxListV1:
        return CapabilityText::tr("The older list of sandboxes");
    case Feature::CreateV2:
        return CapabilityText::tr("The newer way of creating sandboxes");
    case Feature::Pause:
        return CapabilityText::tr("Pausing and resuming");
    case Feature::Fork:
        return CapabilityText::tr("Forking sandboxes");
    case Feature::NetworkUpdate:
        return CapabilityText::tr("Changing network rules of running sandboxes");
    case Feature::Metrics:
        return CapabilityText::tr("Metrics of a sandbox");
    case Feature::BatchMetrics:
        return CapabilityText::tr("Metrics of many sandboxes at once");
    case Feature::LogsV2:
        return CapabilityText::tr("Logs with levels and search");
    case Feature::LogsV1:
        return CapabilityText::tr("The older logs");
    case Feature::Snapshots:
        return CapabilityText::tr("Snapshots");
    case Feature::Templates:
        return CapabilityText::tr("Listing templates");
    case Feature::TemplatePages:
        return CapabilityText::tr("Listing templates in pages");
    case Feature::TemplateBuilds:
        return CapabilityText::tr("Building templates");
    case Feature::TemplateTags:
        return CapabilityText::tr("Template tags");
    case Feature::Volumes:
        return CapabilityText::tr("Volumes");
    case Feature::Secrets:
        return CapabilityText::tr("Stored secrets");
    case Feature::Teams:
        return CapabilityText::tr("Teams");
    case Feature::ApiKeys:
        return CapabilityText::tr("Managing API keys");
    case Feature::Nodes:
        return CapabilityText::tr("Nodes of the cluster");
    }
    return {};
}

SupportLook supportLook(Support support)
{
    switch (support) {
    case Support::Yes:
        return {"check", Token::Running, CapabilityText::tr("Yes")};
    case Support::No:
        return {"minus", Token::Danger, CapabilityText::tr("No")};
    case Support::Unknown:
        break;
    }
    return {"unknown", Token::Muted, CapabilityText::tr("Unknown")};
}

QString findingReason(const Finding &finding)
{
    const QString words = finding.words.isEmpty() ? QString() : quoted(displayText(finding.words, 200));
    switch (finding.why) {
    case Why::NotAsked:
        return CapabilityText::tr("Not asked, and not needed so far.");
    case Why::SideEffect:
        return CapabilityText::tr("Not asked, as asking would change something on some servers.");
    case Why::NoAnswer:
        return CapabilityText::tr("The server gave no usable answer. Check again later.");
    case Why::KeyRefused:
        return CapabilityText::tr("The server did not accept the key, so nothing else was asked.");
    case Why::NoObject:
        return CapabilityText::tr("Can't be told before it is used: the server says the same of a missing sandbox.");
    case Why::Answered:
        return CapabilityText::tr("The server answered such a call.");
    case Why::NoSuchCall:
        return words.isEmpty() ? CapabilityText::tr("The server has no such call (HTTP %1).").arg(finding.httpStatus)
                               : CapabilityText::tr("The server says: %1").arg(words);
    case Why::Gated:
        return words.isEmpty() ? CapabilityText::tr("The server has it, but not for this account.")
                               : CapabilityText::tr("Not for this account; the server says: %1").arg(words);
    case Why::OtherLogin:
        return CapabilityText::tr("Needs the login of a person or an administrator; an API key is not enough.");
    }
    return {};
}

QString lackReason(const session::CapabilityStore &store, Feature feature)
{
    if (!store.lacks(feature))
        return {};
    return CapabilityText::tr("%1: this server does not offer it to this account. %2")
        .arg(featureName(feature), findingReason(store.find(feature)));
}

void offerAction(QAction *action, const session::CapabilityStore *store, Feature feature, bool usable,
                 const QString &hint)
{
    const QString reason = store ? lackReason(*store, feature) : QString();
    action->setEnabled(usable && reason.isEmpty());
    action->setToolTip(toolTipText(reason.isEmpty() ? hint : reason));
    action->setStatusTip(reason);
}

} // namespace boxdeck::ui
