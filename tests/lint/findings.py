# SPDX-License-Identifier: GPL-3.0-or-later
"""What every lint rule reads and says: the project's files, and findings that explain themselves."""

import dataclasses
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Finding:
    """One broken rule at one place. `line` is 0 when the whole file is meant."""

    rule: str
    path: str
    line: int
    what: str

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.rule}] {self.what}"


class Tree:
    """The project's files by name. Tests hand in a dictionary instead of the work tree."""

    def __init__(self, files=None):
        self._files = files
        self._texts = {}
        if files is None:
            listed = subprocess.run(
                ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                check=True, capture_output=True).stdout
            self.names = sorted(n for n in listed.decode().split("\0") if n and (ROOT / n).is_file())
        else:
            self.names = sorted(files)

    def text(self, name):
        """The file's text; empty for one that is no UTF-8 (a picture)."""
        if name not in self._texts:
            if self._files is not None:
                self._texts[name] = self._files[name]
            else:
                try:
                    self._texts[name] = (ROOT / name).read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    self._texts[name] = ""
        return self._texts[name]

    def under(self, *folders, suffixes=(".cpp", ".h")):
        return [n for n in self.names
                if n.endswith(tuple(suffixes)) and any(n.startswith(f + "/") for f in folders)]


def line_of(text, position):
    return text.count("\n", 0, position) + 1


_COMMENT_OR_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<raw>[^()\s\\]{0,16})\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)


def code_only(text, keep_literals=False):
    """C++ with comments (and, unless asked to keep them, string literals) blanked out, every line where it was."""

    def blank(match):
        token = match.group(0)
        if keep_literals and not token.startswith(("//", "/*")):
            return token
        return re.sub(r"[^\n]", " ", token)

    return _COMMENT_OR_LITERAL.sub(blank, text)


def allowed(text, line, rule):
    """True when `// lint: allow RULE: reason` stands on the line or the one above. The reason is not optional."""
    lines = text.split("\n")
    pattern = re.compile(r"lint: allow " + re.escape(rule) + r":\s*\S")
    return any(pattern.search(lines[i]) for i in (line - 1, line - 2) if 0 <= i < len(lines))
