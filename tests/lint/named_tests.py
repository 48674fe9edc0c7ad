# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables that say which test holds what must name tests that exist: a renamed test would leave its row empty."""

import pathlib
import re

from findings import Finding

RULE = "tables"
TABLES = re.compile(r"tests/conformance/\w+\.md")
SHORT = {name: f"tst_api_compat_{name}" for name in ("control", "lists", "data")}
NAMED = re.compile(r"\b(tst_\w+)|\bhost/(\w+)|\b(control|lists|data)\b(?= `)|`(\w+)`")
# Members and values stand in backticks, too; a test is two words at least.
TEST = re.compile("^test_|^[a-z]+[A-Z][a-zA-Z0-9]*$")


def check(tree):
    programs = {pathlib.PurePath(name).stem: name for name in tree.names
                if name.startswith("tests/") and name.endswith((".cpp", ".py"))}
    for table in filter(TABLES.fullmatch, tree.names):
        for number, line in enumerate(tree.text(table).splitlines(), 1):
            program = None
            for match in NAMED.finditer(line) if line.startswith("|") else ():
                if not match[4]:
                    program = match[1] or match[2] or SHORT[match[3]]
                    if program not in programs:
                        yield Finding(RULE, table, number, f"there is no test program {program}")
                elif program in programs and TEST.match(match[4]):
                    if not re.search(rf"\b{match[4]}\b", tree.text(programs[program])):
                        yield Finding(RULE, table, number, f"{program} has no test {match[4]}")
