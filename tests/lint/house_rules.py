# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of the house that a pattern can hold. Each finding says what to do instead.

A place with a good reason says so: `// lint: allow RULE: the reason` on the line or the one above.
"""

import re

from findings import Finding, allowed, code_only, line_of

SHIPPED = ("app", "backend", "models", "ui")
CLIENT = ("app/boxdeck", "models", "ui", "backend/core", "backend/protocol", "backend/net", "backend/api",
          "backend/session", "backend/transfer", "backend/terminal")
HOST = ("app/boxdeck-host", "app/boxdeck-envd", "backend/host")

# rule, folders, pattern in code (comments and literals blanked), what to do instead
PATTERNS = [
    ("waits", ("tests",), r"\bQSKIP\s*\(",
     "A skipped test counts as passing. Make the test bring what it needs, or leave it out of this build in CMake."),
    ("waits", ("tests",) + SHIPPED, r"\bq(?:Wait|Sleep)\s*\(|\bQThread::(?:m|u)?sleep\s*\(|\bthis_thread::sleep|\bu?sleep\s*\(|"
     r"\bnanosleep\s*\(",
     "A bare wait is too short on a slow machine and too long on a fast one. Wait for the event: a signal, QTRY_*, a timer "
     "of the code's own."),
    ("waits", ("tests",) + SHIPPED, r"\bprocessEvents\s*\(",
     "processEvents re-enters whatever is running. Use QTRY_* in a test, a queued call or a state machine in the app."),
    ("waits", CLIENT, r"\bQEventLoop\b|(?:\.|->)exec\s*\(\s*\)(?!\s*;\s*//\s*main loop)",
     "A nested event loop lets the window change under the caller. Open dialogs with open() and menus with popup(), and go "
     "on in a signal."),
    ("waits", CLIENT, r"\bwaitFor(?:Finished|Started|ReadyRead|BytesWritten|Connected|Disconnected|Encrypted|NewConnection|"
     r"Done)\s*\(",
     "This blocks the GUI thread. Connect to the signal; work that must block belongs on a worker thread, and says so."),
    ("logging", CLIENT, r"\bq(?:Debug|Info|Warning|Critical)\s*\(",
     "Messages carry a category (qCWarning(lcNet) …), so that they can be filtered and nothing secret slips into them."),
    ("singletons", SHIPPED, r"\bstatic\s+[\w:]+\s*[&*]\s*(?:instance|self|get)\s*\(\s*\)",
     "A singleton can be neither replaced in a test nor told when to die. Hand the object in through the constructor."),
    ("moc-words", CLIENT + ("tests",), r"^\s*(?:public|private|protected)\s+slots\s*:|^\s*signals\s*:|^\s*emit\s+\w",
     "The project is built with QT_NO_KEYWORDS: Q_SLOTS, Q_SIGNALS, Q_EMIT."),
]

# User-visible strings are sentences that a translator sees. Format strings, names for machines and glyphs are not.
_UNTRANSLATED = re.compile(
    r"\b(?:setText|setWindowTitle|setToolTip|setStatusTip|setWhatsThis|setPlaceholderText|setAccessibleName|"
    r"setAccessibleDescription|setTitle|setLabelText|addTab|setTabText|setHeaderData|QPushButton|QToolButton|QLabel|"
    r"QCheckBox|QRadioButton|QGroupBox|QAction|addAction|addMenu|addButton|showMessage)\s*\(\s*"
    r"(?:\w+\s*,\s*)?(?:QStringLiteral|QLatin1String|QLatin1StringView|QString::fromLatin1|QString::fromUtf8|u)\s*\(?\s*"
    r"\"((?:\\.|[^\"\\])*)\"")

_MACHINE = re.compile("|".join([
    r"/wo" r"rk/", r"/tmp/b" r"d/", r"/fa" r"rm/", r"/tmp/w" r"t/", r"/home/(?!user\b|\{|\$|<)[a-z]\w*/", r"\.pye" r"nv",
    r"deb\.deb" r"ian\.org", r"py" r"pi\.org", r"registry\.np" r"mjs", r"files\.python" r"hosted"]))

_SPDX = "SPDX-License-Identifier: GPL-3.0-or-later"
_HAS_SPDX = (".cpp", ".h", ".py", ".sh", ".cmake", "CMakeLists.txt", ".in")


def patterns(tree):
    for rule, folders, pattern, instead in PATTERNS:
        matcher = re.compile(pattern, re.MULTILINE)
        for name in tree.under(*folders):
            text = tree.text(name)
            for match in matcher.finditer(code_only(text)):
                line = line_of(text, match.start() + len(match.group(0)) - len(match.group(0).lstrip()))
                if rule == "waits" and (_main_loop(text, line) or _reasoned_wait(text, line)):
                    continue
                if not allowed(text, line, rule):
                    yield Finding(rule, name, line, f"`{match.group(0).strip()}`: {instead}")


def _reasoned_wait(text, line):
    """That nothing happens can only be shown by letting time pass: QTest::qWait with its reason on the same line."""
    return re.search(r"\bqWait\s*\(.*;\s*//\s*\w.{8,}", text.split("\n")[line - 1]) is not None


def _main_loop(text, line):
    """The one event loop an application has, and the one that a drag needs."""
    return re.search(r"\b(?:app|application|QApplication::|QCoreApplication::|drag)\w*(?:\.|->|::)?exec\s*\(",
                     text.split("\n")[line - 1]) is not None


def contextless_connects(tree):
    """connect(sender, signal, lambda): the lambda outlives what it captured."""
    for name in tree.under(*SHIPPED, "tests"):
        text = tree.text(name)
        code = code_only(text)
        for match in re.finditer(r"\bconnect\s*\(", code):
            arguments = _arguments(code, match.end())
            line = line_of(text, match.start())
            if len(arguments) >= 3 and arguments[2].lstrip().startswith("[") and not allowed(text, line, "connect"):
                yield Finding("connect", name, line, "connect() with a lambda and no context object: the lambda runs after "
                              "its captures have died. Give the receiver as the third argument.")


def _arguments(code, start):
    """The top-level arguments of the call whose opening bracket ends at `start`."""
    depth, begin, arguments = 0, start, []
    for i in range(start, len(code)):
        char = code[i]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                arguments.append(code[begin:i])
                break
            depth -= 1
        elif char == "," and depth == 0:
            arguments.append(code[begin:i])
            begin = i + 1
    return arguments


_LAMBDA = re.compile(r"\[[^\[\];]*\]\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*(?:mutable|noexcept)?\s*(?:->[^{;]+)?\{")


def _without_lambdas(code):
    """The bodies of lambdas blanked out: they run on their own, not as a part of the expression they stand in."""
    position = 0
    while match := _LAMBDA.search(code, position):
        body = ",".join(_arguments(code, match.end()))
        position = match.end()
        code = code[:position] + re.sub(r"[^\n]", " ", body) + code[position + len(body):]
    return code


def _expression(code, start):
    """The code from `start` to the end of its statement or of the brackets it stands in."""
    depth = 0
    for i in range(start, len(code)):
        if code[i] in "([{":
            depth += 1
        elif code[i] in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and code[i] == ";"):
            return code[start:i]
    return code[start:]


def _operands_before(code, end):
    """The code of the same expression in front of `end`: back to an open bracket, a comma or the statement before."""
    depth = 0
    for i in range(end - 1, -1, -1):
        if code[i] == "}" and depth == 0 and re.match(r"\s*\w", code[i + 1:end]):
            return code[i + 1:end]  # the end of a block, not of an initialiser
        if code[i] in ")]}":
            depth += 1
        elif code[i] in "([{":
            depth -= 1
        if depth < 0 or (depth == 0 and code[i] in ";,"):
            return code[i + 1:end]
    return code[:end]


def miscompiled_awaits(tree):
    """GCC 12 destroys temporaries twice, or never, when they live across a suspension in these places. Each body of a
    lambda is looked at on its own."""
    for name in tree.under(*HOST):
        text = tree.text(name)
        whole = code_only(text)
        if "co_await" not in whole:
            continue
        bodies = [(0, whole)] + [(m.end(), ",".join(_arguments(whole, m.end()))) for m in _LAMBDA.finditer(whole)]
        for offset, code in ((at, _without_lambdas(body)) for at, body in bodies):
            for position, what in _awaits_in_bad_places(code):
                line = line_of(text, offset + position)
                if not allowed(text, line, "await"):
                    yield Finding("await", name, line, f"co_await {what} is miscompiled by GCC 12. Give its operand or its "
                                  "result a name in a statement of its own.")


def _awaits_in_bad_places(code):
    awaits = re.compile(r"\bco_await\b")
    for match in re.finditer(r"\b(if|while|switch)\s*(?:constexpr\s*)?\(", code):
        if awaits.search(",".join(_arguments(code, match.end()))):
            yield match.start(), f"in the condition of `{match.group(1)}`"
    for match in re.finditer(r"\?", code):
        if awaits.search(_operands_before(code, match.start()) + " " + _expression(code, match.end())):
            yield match.start(), "in an operand of ?:"
    for match in re.finditer(r"\bco_return\b[\s\w:<>]*\{", code):
        if awaits.search(",".join(_arguments(code, match.end()))):
            yield match.start(), "in an aggregate that is returned"
    for match in awaits.finditer(code):
        if re.search(r"\{\s*\.\w+\s*[={]", _expression(code, match.end())):
            yield match.start(), "of designated initialisers"


def rich_tool_tips(tree):
    """Qt takes a tool tip that looks like HTML for HTML, and a name may look like it."""
    for name in tree.under("ui", "app/boxdeck"):
        text = tree.text(name)
        code = code_only(text)
        for match in re.finditer(r"\bset(?:Tab|Item)?ToolTip\s*\(", code):
            argument = (_arguments(code, match.end()) or [""])[-1]
            line = line_of(text, match.start())
            if not all(map(_plain_tip, _branches(argument))) and not allowed(text, line, "tooltip"):
                yield Finding("tooltip", name, line, "Text that is no tr() literal goes through toolTipText(): what looks "
                              "like HTML would be shown as HTML.")


def _branches(expression):
    """What an expression of ?: can become, with the conditions left out."""
    depth, begin, branches = 0, 0, []
    for mark in re.finditer(r"::|[(){}\[\]?:]", expression):
        char = mark.group(0)
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and char in "?:":
            if char == ":":
                branches.append(expression[begin:mark.start()])
            begin = mark.end()
    return branches + [expression[begin:]]


def _plain_tip(argument):
    """One call of tr(), of toolTipText(), or of what writes a date; or nothing."""
    argument = argument.strip()
    call = re.match(r"(?:tr|toolTipText|formatUtc|QString)\s*\(", argument)
    whole = call and call.end() + len(",".join(_arguments(argument, call.end()))) == len(argument) - 1
    return argument in ("", "{}") or bool(whole)


def untranslated(tree):
    for name in tree.under("ui", "app/boxdeck", "models"):
        text = tree.text(name)
        for match in _UNTRANSLATED.finditer(code_only(text, keep_literals=True)):
            line = line_of(text, match.start())
            words = re.sub(r"%L?\d|\\.|<[^>]*>|\w+://\S*", "", match.group(1))  # places, markup and addresses aside
            if re.search(r"[A-Za-z]{2}", words) and not allowed(text, line, "tr"):
                yield Finding("tr", name, line, f'"{match.group(1)}" reaches the user without tr(): it would stay English.')


def spdx(tree):
    for name in tree.names:
        script = "." not in name.rsplit("/", 1)[-1] and tree.text(name).startswith("#!")
        if not (name.endswith(_HAS_SPDX) or script):
            continue
        head = tree.text(name).split("\n", 3)[:3]
        if not any(_SPDX in line for line in head):
            yield Finding("spdx", name, 1, f"The first lines must hold `{_SPDX}`.")


def pragma_once(tree):
    for name in tree.under(*SHIPPED, "tests", suffixes=(".h",)):
        if "#pragma once" not in tree.text(name):
            yield Finding("headers", name, 1, "A header starts with #pragma once.")


def machine_paths(tree):
    for name in tree.names:
        if name.startswith("LICENSE"):
            continue
        text = tree.text(name)
        for match in _MACHINE.finditer(text):
            line = line_of(text, match.start())
            yield Finding("machine", name, line, f"`{match.group(0)}` names one machine or one registry; the project must "
                          "build anywhere.")


def long_files(tree, limit_source=500, limit_header=200):
    """No findings, only a report: is each of these still one thing?"""
    rows = []
    for name in tree.under(*SHIPPED, "tests"):
        count = tree.text(name).count("\n")
        if count > (limit_header if name.endswith(".h") else limit_source):
            rows.append((count, name))
    return sorted(rows, reverse=True)


def check(tree):
    yield from patterns(tree)
    yield from contextless_connects(tree)
    yield from miscompiled_awaits(tree)
    yield from rich_tool_tips(tree)
    yield from untranslated(tree)
    yield from spdx(tree)
    yield from pragma_once(tree)
    yield from machine_paths(tree)
