# SPDX-License-Identifier: GPL-3.0-or-later
"""How Boxdeck is measured: two contestants take turns in one run, and the medians are compared.

Numbers from different days or machines say little about each other; a ratio taken in one run does. So each figure stands
beside a named peer doing the same work, the order changes every round, and the spread is printed with the median.
"""

import dataclasses
import json
import os
import pathlib
import platform
import statistics
import sys
import time

ROUNDS = 7
TESTS = pathlib.Path(__file__).resolve().parents[1]


@dataclasses.dataclass(frozen=True)
class Figure:
    """One thing that is measured. `goal` is a limit for the ratio ours/peer, or for our own value when no peer has it."""

    key: str
    unit: str
    better: str  # "higher" or "lower"
    goal: float | None = None
    alone: bool = False  # no peer: `goal` limits our own median


@dataclasses.dataclass(frozen=True)
class Summary:
    median: float
    least: float
    most: float

    @staticmethod
    def of(values):
        return Summary(statistics.median(values), min(values), max(values))

    def __str__(self):
        return f"{self.median:.4g} [{self.least:.4g}–{self.most:.4g}]"


def ratio(figure, ours, peer):
    """Above 1 is better for us, whichever way the figure points."""
    if not ours or not peer:
        return float("nan")
    return ours / peer if figure.better == "higher" else peer / ours


def interleave(ours, peer, rounds, say=print):
    """Runs both in turn, `rounds` times after one round that does not count; each returns {key: number}.

    The order alternates, so that neither always finds the other's leavings in the caches.
    """
    samples = {"ours": [], "peer": []}
    for number in range(rounds + 1):
        order = [("ours", ours), ("peer", peer)]
        if number % 2:
            order.reverse()
        for who, run in order:
            if run is None:
                continue
            figures = run()
            if number:
                samples[who].append(figures)
        if number:
            say(f"  round {number}/{rounds}: " + ", ".join(
                f"{who} {_short(samples[who][-1])}" for who, run in (("ours", ours), ("peer", peer)) if run))
    return samples


def _short(figures):
    return " ".join(f"{k}={v:.4g}" for k, v in figures.items())


@dataclasses.dataclass
class Result:
    bench: str
    case: str
    peer: str
    rows: list  # dictionaries, ready for JSON

    def missed(self):
        return [row for row in self.rows if row["met"] is False]


def evaluate(bench, case, peer, figures, samples):
    rows = []
    for figure in figures:
        ours = Summary.of([s[figure.key] for s in samples["ours"]])
        theirs = None
        if not figure.alone and samples["peer"] and all(figure.key in s for s in samples["peer"]):
            theirs = Summary.of([s[figure.key] for s in samples["peer"]])
        compared = ratio(figure, ours.median, theirs.median) if theirs else None
        met = None
        if figure.goal is not None:
            if figure.alone:
                met = ours.median >= figure.goal if figure.better == "higher" else ours.median <= figure.goal
            elif compared is not None:
                met = compared >= figure.goal
        rows.append({"figure": figure.key, "unit": figure.unit, "better": figure.better, "ours": vars(ours),
                     "peer": vars(theirs) if theirs else None, "ratio": compared, "goal": figure.goal,
                     "alone": figure.alone, "met": met})
    return Result(bench, case, peer, rows)


def print_table(results, out=sys.stdout):
    print("\n| bench | case | figure | Boxdeck, median [least–most] | peer | ratio | goal | |", file=out)
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", file=out)
    for result in results:
        for row in result.rows:
            peer = f"{result.peer}: {Summary(**row['peer'])}" if row["peer"] else "–"
            compared = f"{row['ratio']:.2f}" if row["ratio"] is not None else "–"
            goal = "–"
            if row["goal"] is not None:
                sign = "≥" if not row["alone"] or row["better"] == "higher" else "≤"
                goal = f"{sign} {row['goal']:g}" + (f" {row['unit']}" if row["alone"] else "")
            met = {True: "met", False: "**missed**", None: ""}[row["met"]]
            print(f"| {result.bench} | {result.case} | {row['figure']}, {row['unit']} | {Summary(**row['ours'])} | {peer} | "
                  f"{compared} | {goal} | {met} |", file=out)
    print("\nRatios are turned so that above 1 is better for Boxdeck.", file=out)


def machine():
    """What the figures were taken on, in one line."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), model)
    except OSError:
        pass
    return (f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
            f"load {os.getloadavg()[0]:.2f} at the start, {time.strftime('%Y-%m-%d')}")


def save(results, path, about):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"machine": about, "results": [vars(r) for r in results]}, out, indent=1)
