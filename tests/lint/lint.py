# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the sources against the rules of the house, and explains each finding.

usage: lint.py [layering] [house] [translations] [tables]     (all of them when none is named)
"""

import sys

import house_rules
import layering
import named_tests
import translations
from findings import Tree

CHECKS = {"layering": layering.check, "house": house_rules.check, "translations": translations.check,
          "tables": named_tests.check}


def main(arguments):
    unknown = [a for a in arguments if a not in CHECKS]
    if unknown:
        print(__doc__, file=sys.stderr)
        return 64
    tree = Tree()
    count = 0
    for name in arguments or CHECKS:
        for finding in CHECKS[name](tree):
            print(finding)
            count += 1
    if "house" in (arguments or CHECKS):
        for lines, name in house_rules.long_files(tree):
            print(f"{name}: {lines} lines; is it still one thing? (a report, no finding)")
    print(f"lint: {count} findings in {len(tree.names)} files")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
