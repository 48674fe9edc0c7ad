# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the benches: run.py [--build DIR] [--rounds N | --quick] [NAME ...]. tests/bench/README.md says what they mean."""

import argparse
import importlib
import pathlib
import sys

import frame

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHES = ("transfer", "startup", "terminal", "host", "listing")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHES], metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--rounds", type=int, default=frame.ROUNDS)
    parser.add_argument("--quick", action="store_true", help="three rounds on less data: to see that it works, not to quote")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds = min(arguments.rounds, 3)
    arguments.build = arguments.build.resolve()

    about = frame.machine()
    print(about)
    results = []
    for name in arguments.names or BENCHES:
        module = importlib.import_module(f"bench_{name}")
        print(f"{name}: {module.__doc__.splitlines()[0]}", flush=True)
        results += module.run(arguments)
    frame.print_table(results)
    frame.save(results, str(ROOT / "build/bench/latest.json"), about)
    missed = [f"{r.bench}/{r.case}/{row['figure']}" for r in results for row in r.missed()]
    if missed:
        print("Below their goal: " + ", ".join(missed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
