# SPDX-License-Identifier: GPL-3.0-or-later
"""Start-up: from exec to a painted window, against a bare Qt window."""

import subprocess
import tempfile

import frame

FIGURES = [frame.Figure("seconds", "s", "lower", goal=1 / 1.5)]  # at most 1.5 times the bare window


def run(arguments):
    tests = arguments.build / "tests"
    session = str(frame.TESTS / "support/desktop_session.sh")
    probe = str(frame.TESTS / "bench/first_window.py")

    def timed(*command):
        done = subprocess.run([session, "--no-secret-service", "--", "/usr/bin/python3", probe, *map(str, command)],
                              check=True, capture_output=True, text=True)
        return {"seconds": float(done.stdout.strip().splitlines()[-1])}

    with tempfile.TemporaryDirectory(prefix="boxdeck-bench.") as data:
        samples = frame.interleave(lambda: timed(arguments.build / "bin/boxdeck", "--data-dir", data),
                                   lambda: timed(tests / "bench_bare_window"), arguments.rounds)
    return [frame.evaluate("startup", "second start", "bare Qt window", FIGURES, samples)]

