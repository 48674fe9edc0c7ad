# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers: which library may link which, and so whose headers may be included.

The list is the project's architecture. A new edge is a commit of its own that changes this file and says why.
"""

import re

from findings import Finding, allowed, code_only, line_of

RULE = "layering"

# target: (folder, libraries of ours it may link, libraries of others it may link)
LAYERS = {
    "boxdeck_core": ("backend/core", [], ["Qt6::Core"]),
    "boxdeck_protocol": ("backend/protocol", ["boxdeck_core"], ["Qt6::Core"]),
    "boxdeck_net": ("backend/net", ["boxdeck_core"], ["Qt6::Core", "Qt6::Network"]),
    "boxdeck_api": ("backend/api", ["boxdeck_protocol", "boxdeck_net"], ["Qt6::Core", "Qt6::Network"]),
    # D-Bus: whether a keychain is there and answers is asked without blocking, before QtKeychain asks in its way.
    # libarchive: packs the folders a sandbox begins with.
    "boxdeck_session": ("backend/session", ["boxdeck_api"],
                        ["Qt6::Core", "Qt6::Network", "Qt6::DBus", "Qt6Keychain::Qt6Keychain",
                         "LibArchive::LibArchive"]),
    "boxdeck_transfer": ("backend/transfer", ["boxdeck_api"], ["Qt6::Core", "Qt6::Network"]),
    "boxdeck_terminal": ("backend/terminal", ["boxdeck_api"], ["Qt6::Core", "PkgConfig::VTERM"]),
    "boxdeck_models": ("models", ["boxdeck_session", "boxdeck_transfer", "boxdeck_terminal"], ["Qt6::Core"]),
    "boxdeck_ui": ("ui", ["boxdeck_models"],
                   ["Qt6::Core", "Qt6::Gui", "Qt6::Widgets", "Qt6::Svg", "Qt6::SvgWidgets", "Qt6::DBus"]),
    "boxdeck": ("app/boxdeck", ["boxdeck_ui"],
                ["Qt6::Core", "Qt6::Gui", "Qt6::Widgets", "Qt6::Svg", "Qt6::Network", "Qt6::DBus"]),
    # The host links no client library, on purpose: two independent readings of the protocol check each other.
    "boxdeck_host_http": ("backend/host/http", [], ["Boost::headers", "Threads::Threads"]),
    "boxdeck_host_lib": ("backend/host", ["boxdeck_host_http"],
                         ["Boost::headers", "Boost::json", "OpenSSL::Crypto", "Threads::Threads",
                          "LibArchive::LibArchive"]),
    # envd runs inside the sandbox and has no business with the control plane's records and keys.
    "boxdeck_envd_lib": ("backend/host/envd", ["boxdeck_host_http"],
                         ["Boost::headers", "ZLIB::ZLIB", "${BOXDECK_ENVD_ZLIB}", "Threads::Threads"]),
    "boxdeck-host": ("app/boxdeck-host", ["boxdeck_host_lib"], ["Threads::Threads"]),
    "boxdeck-envd": ("app/boxdeck-envd", ["boxdeck_envd_lib"], ["Threads::Threads"]),
}

# Words of target_link_libraries that are no library, and targets that carry options or data only.
NO_LIBRARY = {"PUBLIC", "PRIVATE", "INTERFACE", "boxdeck_options", "boxdeck_resources", "boxdeck_translations"}

# The proxy lives beside the HTTP server that it uses, and is the host's: files of a folder that another target builds.
ELSEWHERE = {"boxdeck_host_lib": ("backend/host/http/forward", "backend/host/http/proxy", "backend/host/http/upstream_head")}

# Headers of others that only the named folders may see, with the reason.
OUTSIDERS = [
    (re.compile(r"(qt6keychain|qtkeychain)/|^keychain\.h$"), ("backend/session",),
     "QtKeychain is a private matter of SecretVault"),
    (re.compile(r"^vterm(_keycodes)?\.h$"), ("backend/terminal",), "libvterm is a private matter of the emulator"),
    (re.compile(r"^boost/"), ("backend/host", "app/boxdeck-host", "app/boxdeck-envd", "tests/host", "tests/fuzz"),
     "Boost belongs to the host"),
    (re.compile(r"^(Qt(Widgets|Gui|Svg|SvgWidgets)(/|$)|QWidget$|QApplication$|QIcon$|QPixmap$|QPainter$)"),
     ("ui", "app/boxdeck", "tests"), "nothing under backend/ or models/ knows about windows"),
    (re.compile(r"^Q[A-Z]\w+$|^Qt[A-Z]\w+/"),
     ("app/boxdeck", "backend/core", "backend/protocol", "backend/net", "backend/api", "backend/session",
      "backend/transfer", "backend/terminal", "models", "ui", "tests"), "the host is built without Qt"),
]

# Each file that sees Beast costs half a minute to compile; a plain interface stands in front of it.
BEAST_FILES = 4


def closure(target):
    """What a target reaches through its arrows, itself included."""
    reached, todo = set(), [target]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += LAYERS[name][1]
    return reached


def owner_of(path):
    """The target whose folder holds the file, or None (tests may link what they like)."""
    for target, prefixes in ELSEWHERE.items():
        if path.startswith(prefixes):
            return target
    best = None
    for target, (folder, _, _) in LAYERS.items():
        if path.startswith(folder + "/") and (best is None or len(folder) > len(LAYERS[best][0])):
            best = target
    return best


def _calls(text):
    """(command, words, line) of every CMake call, comments aside."""
    text = re.sub(r"#[^\n]*", "", text)
    for match in re.finditer(r"\b(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text):
        yield match.group(1).lower(), match.group(2).split(), line_of(text, match.start())


def _linked(command, words):
    """(target, libraries) when the call links something."""
    if command == "target_link_libraries" and words:
        return words[0], words[1:]
    if command == "boxdeck_qt_library" and words:
        linked, taking = [], False
        for word in words[1:]:
            if word in ("SOURCES", "LINK", "PRIVATE"):
                taking = word != "SOURCES"
            elif taking:
                linked.append(word)
        return words[0], linked
    return None, []


def check_links(tree):
    for name in tree.names:
        if not (name.endswith("CMakeLists.txt") and name.startswith(("app/", "backend/", "models/", "ui/"))):
            continue
        for command, words, line in _calls(tree.text(name)):
            target, libraries = _linked(command, words)
            if target is None:
                if command in ("add_library", "add_executable", "qt_add_executable") and words and words[0] not in LAYERS:
                    yield Finding(RULE, name, line, f"{words[0]} is a target that no layer knows. "
                                  "Add it to tests/lint/layering.py, with what it may link.")
                continue
            if target.startswith("$"):
                continue
            if target not in LAYERS:
                yield Finding(RULE, name, line, f"{target} is a target that no layer knows. "
                              "Add it to tests/lint/layering.py, with what it may link.")
                continue
            _, ours, others = LAYERS[target]
            for library in libraries:
                if library in NO_LIBRARY or library in ours or library in others or library.startswith("-"):
                    continue
                may = ", ".join(ours + others) or "nothing"
                yield Finding(RULE, name, line, f"{target} links {library}, which is no arrow of the architecture. "
                              f"It may link: {may}. What you need from further down comes through these; what lies "
                              "beside or above has to be handed in by whoever owns both.")


_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)


def check_includes(tree):
    beast = []
    for name in tree.under("app", "backend", "models", "ui", "tests"):
        text = tree.text(name)
        owner = owner_of(name)
        for match in _INCLUDE.finditer(code_only(text, keep_literals=True)):
            header, line = match.group(1), line_of(text, match.start())
            if allowed(text, line, RULE):
                continue
            if header.startswith("boost/beast") and name.startswith("backend/host/") and name not in beast:
                beast.append(name)
            theirs = owner_of(header)
            if owner and theirs and theirs not in closure(owner):
                yield Finding(RULE, name, line, f"{LAYERS[owner][0]} includes {header} of {LAYERS[theirs][0]}, which it "
                              "does not stand on. Dependencies point down the list in tests/lint/layering.py only: move "
                              "the shared thing down, or let the layer above hand it in.")
            if owner and header.startswith("tests/"):
                yield Finding(RULE, name, line, f"{header} belongs to the tests; shipped code must not need it.")
            for pattern, folders, reason in OUTSIDERS:
                if pattern.search(header) and not name.startswith(tuple(f + "/" for f in folders)):
                    yield Finding(RULE, name, line, f"{header} may be included under {', '.join(folders)} only: {reason}.")
                    break
    if len(beast) > BEAST_FILES:
        yield Finding(RULE, beast[-1], 0, f"{len(beast)} files of backend/host include Boost.Beast ({', '.join(beast)}); "
                      f"{BEAST_FILES} at most, since each takes 25 s to compile and 100 s with sanitizers. "
                      "Use the plain interface of backend/host/http.")


def check(tree):
    yield from check_links(tree)
    yield from check_includes(tree)
