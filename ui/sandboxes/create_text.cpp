// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/create_text.h"

#include "backend/core/display_text.h"
#include "ui/common/error_sentence.h"

#include <QCoreApplication>

namespace boxdeck::ui {

namespace {

struct CreateText
{
    Q_DECLARE_TR_FUNCTIONS(CreateText)
};

} // namespace

QString createProblem(const Error &error)
{
    const auto is = [&](const char *code) { return error.code == QLatin1String(code); };
    if (is("no_template"))
        return CreateText::tr("Choose a template.");
    if (is("bad_timeout"))
        return CreateText::tr("A sandbox lives for at least one second. There is none that never ends.");
    if (is("auto_resume_without_pause"))
        return CreateText::tr(
            "Only a sandbox that is paused at its end can be woken. Choose pausing, or don't wake it.");
    if (is("disk_only_without_pause"))
        return CreateText::tr("Keeping only the disk means something for a sandbox that is paused at its end. Choose "
                              "pausing, or keep the memory.");
    if (is("disk_only_with_auto_resume"))
        return CreateText::tr("A sandbox of which only the disk is kept can't be woken by traffic. Keep its memory, or "
                              "don't wake it.");
    if (is("private_needs_secure"))
        return CreateText::tr("Ports can be closed to others only if the sandbox asks for a token. Switch that on, or "
                              "leave the ports open.");
    if (is("domain_denied"))
        return CreateText::tr("Only addresses and ranges can be denied, no host names. Deny 0.0.0.0/0 and allow the "
                              "others instead.");
    if (is("domains_need_deny_all"))
        return CreateText::tr("Allowing host names means something only if everything else is denied. Add 0.0.0.0/0 to "
                              "what is denied.");
    if (is("bad_port"))
        return CreateText::tr("A port for HTTPS is a number from 1 to 65535, and not that of envd.");
    if (is("bad_mount"))
        return CreateText::tr("Each volume needs a name and an absolute path of its own.");
    if (is("too_many_tokens"))
        return CreateText::tr("A sandbox has at most 5 identity tokens.");
    const QString said = displayText(error.message, 200);
    if (is("bad_rules"))
        return CreateText::tr("The network rules can't be used: %1").arg(said);
    if (is("bad_proxy"))
        return CreateText::tr("The proxy for outgoing connections can't be used: %1").arg(said);
    if (is("bad_mcp"))
        return CreateText::tr("The MCP settings can't be used: %1").arg(said);
    return errorReason(error);
}

} // namespace boxdeck::ui
