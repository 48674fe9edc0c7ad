// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace boxdeck::host {

/// The envd version told to clients. The official SDKs switch features on it (protocol/envd.md, section 11), so it is
/// the highest version whose gates boxdeck-envd really meets.
inline constexpr const char *envdVersion = "0.6.4";

} // namespace boxdeck::host
