# SPDX-License-Identifier: GPL-3.0-or-later
"""A bench that counts wrong is worse than none."""

import io
import unittest

import frame


class Frame(unittest.TestCase):
    def test_rounds_alternate_and_the_first_does_not_count(self):
        calls = []

        def contestant(name):
            def run():
                calls.append(name)
                return {"seconds": float(len(calls))}
            return run

        samples = frame.interleave(contestant("ours"), contestant("peer"), 3, say=lambda _: None)
        self.assertEqual(["ours", "peer", "peer", "ours", "ours", "peer", "peer", "ours"], calls)
        self.assertEqual([{"seconds": 4.0}, {"seconds": 5.0}, {"seconds": 8.0}], samples["ours"])

    def test_ratio_is_better_above_one_either_way(self):
        self.assertEqual(2, frame.ratio(frame.Figure("rate", "MB/s", "higher"), 20, 10))
        self.assertEqual(2, frame.ratio(frame.Figure("time", "s", "lower"), 5, 10))

    def test_goals(self):
        samples = {"ours": [{"rate": 9.0, "growth": 10.0}] * 3, "peer": [{"rate": 10.0}] * 3}
        figures = [frame.Figure("rate", "MB/s", "higher", 0.95), frame.Figure("growth", "MB", "lower", 32, alone=True)]
        result = frame.evaluate("b", "c", "curl", figures, samples)
        self.assertEqual([False, True], [row["met"] for row in result.rows])
        self.assertEqual(["rate"], [row["figure"] for row in result.missed()])

    def test_table_shows_the_spread(self):
        samples = {"ours": [{"t": 1.0}, {"t": 2.0}, {"t": 9.0}], "peer": [{"t": 4.0}] * 3}
        out = io.StringIO()
        frame.print_table([frame.evaluate("b", "c", "p", [frame.Figure("t", "s", "lower", 1)], samples)], out)
        self.assertIn("2 [1–9]", out.getvalue())
        self.assertIn("| 2.00 | ≥ 1 | met |", out.getvalue())


if __name__ == "__main__":
    unittest.main()
