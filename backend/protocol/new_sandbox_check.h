// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/sandbox.h"

namespace boxdeck::protocol {

// What every server refuses, told before a request is made (protocol/control-plane.md 8.3). Errors: InvalidRequest,
// NotSent, with a code that names the rule.

/// "no_template", "bad_timeout", "auto_resume_without_pause", "disk_only_without_pause", "disk_only_with_auto_resume",
/// "private_needs_secure", "bad_mount", "bad_port", "bad_mcp", "too_many_tokens", and those of checkEgress().
std::optional<Error> checkNewSandbox(const NewSandbox &sandbox);

/// "domain_denied", "domains_need_deny_all", "bad_rules", "bad_proxy".
std::optional<Error> checkEgress(const EgressRules &rules);

/// True for a CIDR or an address; else the text is a domain.
bool isAddressRange(const QString &text);

} // namespace boxdeck::protocol
