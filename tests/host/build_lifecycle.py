# SPDX-License-Identifier: GPL-3.0-or-later
"""How builds begin and end: states, tags, cancelling, limits, restarts of the host, and logs page by page."""

import datetime
import os
import pathlib
import signal
import time
import unittest

from build_support import BuildTest, archive, copy, run, step
from control_support import Host, alive, descendants, eventually, processes_naming


def milliseconds(entry):
    moment = datetime.datetime.fromisoformat(entry["timestamp"].replace("Z", "+00:00"))
    return int(moment.timestamp() * 1_000_000) // 1000


class LeavesNothing(BuildTest):
    """Ends of builds; after each, nothing of them may be left."""

    def nothing_left(self, made):
        folder = self.host.data / "builds" / made["buildID"]
        eventually(lambda: not (folder / "root").exists() and not (folder / "copy").exists(), 20, "the end of its files")
        eventually(lambda: not processes_naming(made["buildID"]), 20, "the end of its processes")
        self.assertEqual([line for line in pathlib.Path("/proc/self/mounts").read_text().splitlines()
                          if made["buildID"] in line], [])


class Ends(LeavesNothing):
    def test_a_new_build_cancels_the_one_that_runs(self):
        first = self.add("one-at-a-time")
        self.begin(first, [run("echo begun; sleep 300")])
        eventually(lambda: any(line.endswith("[stdout]: begun") for line in self.messages(first)), 20, "the step")
        self.assertEqual(self.status(first)["status"], "building")
        second = self.add("one-at-a-time")
        self.assertEqual(self.begin(second, [run("true")]).status, 202)
        told = self.status(first)
        self.assertEqual((told["status"], told["reason"]["step"]), ("error", "1"))
        self.assertIn("canceled", told["reason"]["message"])
        self.assertEqual(self.finished(second)["status"], "ready")
        self.nothing_left(first)
        self.nothing_left(second)

    def test_a_wrong_start_still_cancels_and_says_400(self):
        first = self.add("wrong-start")
        self.begin(first, [run("sleep 300")])
        done = self.add("wrong-start", tags=["other"])
        self.begin(done, [])
        self.assertEqual(self.status(first)["status"], "error")
        self.finished(done)
        self.error(self.begin(done), 400, "not in waiting state")

    def test_waiting_builds_of_a_tag_are_superseded(self):
        first, other = self.add("queue"), self.add("queue", tags=["v1"])
        second = self.add("queue")
        told = self.status(first)
        self.assertEqual((told["status"], told["logEntries"]), ("error", []))
        self.assertIn("superseded", told["reason"]["message"])
        self.assertEqual([self.status(one)["status"] for one in (other, second)], ["waiting", "waiting"])
        self.error(self.begin(first), 400, "not in waiting state")

    def test_tags_point_at_what_is_ready(self):
        made = self.add("tagged:v1", tags=["V2", "v2"])
        self.assertEqual((sorted(made["tags"]), made["names"], made["aliases"], made["public"]),
                         (["v1", "v2"], ["local/tagged"], ["tagged"], False))
        self.begin(made, [run("echo 1 > version")])
        self.finished(made)
        self.error(self.host.api("POST", "/v2/sandboxes", {"templateID": "tagged"}), 404,
                   "tag 'default' does not exist for template 'tagged'")
        newer = self.add("tagged", tags=["v1"])
        self.assertEqual(newer["templateID"], made["templateID"])
        self.assertEqual(self.host.create(templateID="tagged:v1").run("cat version")[1], "1\n")
        self.begin(newer, [run("echo 2 > version")])
        self.finished(newer)
        self.assertEqual(self.host.create(templateID="tagged:v1").run("cat version")[1], "2\n")
        self.assertEqual(self.host.create(templateID="local/tagged:v2").run("cat version")[1], "1\n")

    def test_what_is_asked_for_is_checked(self):
        for body, status, text in (
            ({}, 400, "name is required"), ({"name": "no good!"}, 400, "no template name"), ({"name": "x" * 129}, 400, "128"),
            ({"name": "other/x"}, 400, "namespace"), ({"name": "x", "tags": ["A B"]}, 400, "tag"),
            ({"name": "x", "tags": ["5b0c8c1e-52f4-4c86-9d0b-0b0de0000001"]}, 400, "build"),
            ({"name": "x", "cpuCount": 3}, 400, "cpuCount"), ({"name": "x", "memoryMB": 100}, 400, "memoryMB"),
            ({"name": "boxdecklocalbase0001"}, 409, "id of a template"), ({"name": "base"}, 403, "built in"),
        ):
            with self.subTest(body=body):
                self.error(self.host.api("POST", "/v3/templates", body), status, text)
        legacy = self.host.api("POST", "/v2/templates", {"alias": "old-form", "cpuCount": 4, "memoryMB": 512})
        self.assertEqual((legacy.status, legacy.json()["cpuCount"], legacy.json()["memoryMB"]), (202, 4, 512))
        self.error(self.host.api("POST", "/templates", {"dockerfile": "FROM x"}), 405)
        self.error(self.host.api("POST", f"/templates/{legacy.json()['templateID']}", {"dockerfile": "FROM x"}), 405)
        made = self.add()
        unknown = "5b0c8c1e-52f4-4c86-9d0b-0b0de0009999"
        self.error(self.host.api("GET", f"/templates/{made['templateID']}/builds/{unknown}/status"), 400, "not found")
        self.error(self.host.api("GET", f"/templates/{made['templateID']}/builds/x/status"), 400, "Invalid build id")
        self.error(self.begin({**made, "buildID": unknown}), 404)
        self.error(self.begin({**made, "templateID": "none"}), 404)
        for query in ("limit=101", "logsOffset=-1", "level=loud", "limit=x"):
            self.error(self.host.api("GET", f"/templates/{made['templateID']}/builds/{made['buildID']}/status?{query}"), 400)
        answer = self.host.api("POST", f"/v2/templates/{made['templateID']}/builds/{made['buildID']}", {"fromTemplate": "base"},
                               {"User-Agent": "e2b-js-sdk/next"})
        self.error(answer, 400, "user agent")
        self.assertEqual(self.status(made)["status"], "waiting")

    def test_a_body_with_no_base_or_two_is_500_and_an_error(self):
        for members in ({"fromTemplate": ""}, {"fromTemplate": "base", "fromImage": "x"},
                        {"fromImage": "x", "fromImageRegistry": {"type": "other"}}):
            made = self.add("faulty")
            self.error(self.begin(made, **members), 500)
            told = self.status(made)
            self.assertEqual((told["status"], told["reason"]["step"]), ("error", "base"))

    def test_limits_end_a_build(self):
        host = Host(arguments=["--build-limits", "time=3,log=8", "--memory", "200"])
        self.addCleanup(host.close)
        self.addCleanup(setattr, self, "host", self.host)
        self.host = host
        made, told = self.build("too-long", [run("sleep 300")])
        self.assertIn("longer than its limit of 3 s", told["reason"]["message"])
        self.nothing_left(made)
        made, told = self.build("too-much-said", [run("seq 100000")])
        self.assertEqual(told["status"], "ready")
        lines = self.messages(made)
        self.assertLess(len(lines), 300)
        self.assertEqual([line.startswith("The log was cut here") for line in lines].count(True), 1)
        self.assertEqual(lines[-1], "Build finished")

    def test_a_build_that_eats_memory_ends(self):
        host = Host(arguments=["--memory", "200"])
        self.addCleanup(host.close)
        self.addCleanup(setattr, self, "host", self.host)
        self.host = host
        made, told = self.build("greedy", [run("python3 -c 'x = bytearray(400_000_000); import time; time.sleep(300)'")])
        self.assertIn("more than 200 MiB", told["reason"]["message"])
        self.nothing_left(made)

    def test_a_build_that_fills_the_disk_ends(self):
        host = Host(arguments=["--disk", "50"])
        self.addCleanup(host.close)
        self.addCleanup(setattr, self, "host", self.host)
        self.host = host
        made, told = self.build("full", [run("head -c 80000000 /dev/zero > big; sleep 300")])
        self.assertIn("more than 50 MiB", told["reason"]["message"])
        self.nothing_left(made)

    def test_deleting_a_template_ends_its_build(self):
        made = self.add("deleted")
        self.begin(made, [run("echo begun; sleep 300")])
        eventually(lambda: any(line.endswith("[stdout]: begun") for line in self.messages(made)), 20, "the step")
        self.assertEqual(self.host.api("DELETE", "/templates/deleted").status, 204)
        self.nothing_left(made)
        self.assertFalse((self.host.data / "builds" / made["buildID"]).exists())
        self.error(self.begin(made), 404)

    def test_more_builds_than_run_at_once_stand_in_line(self):
        host = Host(arguments=["--build-limits", "running=1"])
        self.addCleanup(host.close)
        self.addCleanup(setattr, self, "host", self.host)
        self.host = host
        first, second, third = self.add("line-1"), self.add("line-2"), self.add("line-3")
        self.begin(first, [run("while ! test -e /tmp/go; do sleep 0.1; done")])
        self.begin(second, [run("true")])
        self.begin(third, [run("true")])
        self.assertEqual(self.messages(second), ["Waiting for other builds of this host to finish"])
        self.assertEqual([self.status(one)["status"] for one in (first, second)], ["building", "building"])
        again = self.add("line-3")
        self.begin(again, [run("true")])  # ends the one in line without its turn coming
        self.assertEqual(self.status(third)["status"], "error")
        replaced = self.add("line-1")
        self.begin(replaced, [run("true")])
        for one in (second, again, replaced):
            self.assertEqual(self.finished(one)["status"], "ready")


class Leaks(LeavesNothing):
    def kept(self):
        """How many descriptors the host has, and what lies in its folders of things under way."""
        names = [(path.relative_to(self.host.data).parts[0], path.name) for folder in ("sandboxes", "trash", "run")
                 for path in (self.host.data / folder).iterdir()]
        return len(os.listdir(f"/proc/{self.host.process.pid}/fd")), names, descendants(self.host.process.pid)

    def test_builds_that_end_in_every_way_leave_nothing(self):
        self.good("warm", [run("true")])
        before = eventually(lambda: (lambda kept: not kept[1] + kept[2] and kept)(self.kept()), 20, "quiet")[0]
        made = []
        for number in range(4):
            made.append(self.good(f"leak-{number}", [run(f"echo {number} > f & sleep 300 &")], startCmd="sleep 300",
                                  readyCmd="true"))
            failing, _ = self.build(f"leak-fails-{number}", [run("sleep 300 & exit 1")])
            cancelled = self.add(f"leak-cut-{number}")
            self.begin(cancelled, [run("sleep 300")])
            made += [failing, cancelled]
            self.begin(self.add(f"leak-cut-{number}"), fromTemplate="none")
        for one in made:
            self.nothing_left(one)
        eventually(lambda: self.kept()[1:] == ([], []), 30, "the end of everything")
        eventually(lambda: self.kept()[0] <= before, 30, "closing what nobody uses")

    def test_a_build_cancelled_at_any_moment_leaves_nothing(self):
        data = archive([("f", bytes(200_000))])
        made = []
        for number in range(8):
            made.append(self.add("any-moment"))
            files = self.upload(made[-1]["templateID"], data)
            self.begin(made[-1], [copy(files, "f", f"/opt/{number}"), step("WORKDIR", "/srv/x"), run(f"echo {number}; sleep 0.2")],
                       startCmd="sleep 300", readyCmd="false")
            time.sleep(number * 0.1)  # the moment is the point
        self.begin(self.add("any-moment"), [])
        for one in made:
            self.assertEqual(self.status(one)["status"], "error")
            self.nothing_left(one)


class Restarts(LeavesNothing):
    def restart(self, how, meanwhile=lambda: None):
        self.host.stop(how)
        self.host.errors.close()
        meanwhile()
        self.host.start()

    def test_a_build_that_the_end_of_the_host_cuts_has_failed(self):
        for how, text in ((signal.SIGTERM, "stopped during the build"), (signal.SIGKILL, "restarted while this build")):
            with self.subTest(how=how):
                made = self.add("cut")
                waiting = self.add("cut-waiting")
                self.begin(made, [run("echo first > f"), run("echo begun; sleep 300")])
                eventually(lambda: any(line.endswith("[stdout]: begun") for line in self.messages(made)), 20, "the step")
                below = descendants(self.host.process.pid)
                # What a COPY leaves that is cut in the middle; hitting that moment would be luck.
                cut = self.host.data / "builds" / made["buildID"] / "copy"
                self.restart(how, lambda: cut.write_bytes(b"half"))
                told = self.status(made)
                self.assertEqual(told["status"], "error")
                self.assertIn(text, told["reason"]["message"])
                self.assertIn("[builder 2/2] [stdout]: begun", self.messages(made))  # its log is still there
                self.assertEqual(self.status(waiting)["status"], "error")
                eventually(lambda: not [pid for pid in below if alive(pid)], 20, "the end of its processes")
                self.nothing_left(made)
                eventually(lambda: not list((self.host.data / "trash").iterdir()), 20, "clearing up")
        again = self.good("cut", [run("echo first > f"), run("true")])
        self.assertIn("CACHED [builder 1/2] RUN echo first > f", self.messages(again))

    def test_templates_and_logs_outlive_the_host(self):
        made = self.good("kept", [run("echo said; echo kept > f")])
        before = self.log(made)
        self.restart(signal.SIGKILL)
        self.assertEqual(self.log(made), before)
        self.assertEqual(self.status(made)["status"], "ready")
        self.assertEqual(self.host.create(templateID="kept").run("cat f")[1], "kept\n")


class Logs(BuildTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()

    def pages(self, made, direction, limit):
        """Walks the log by its cursor, as a client does: on from the millisecond after the last one seen."""
        path = f"/templates/{made['templateID']}/builds/{made['buildID']}/logs?limit={limit}&direction={direction}"
        entries, cursor = [], None
        while True:
            page = self.host.api("GET", path + (f"&cursor={cursor}" if cursor is not None else "")).json()["logs"]
            if not page:
                return entries
            self.assertLessEqual(len(page), limit)
            entries += page
            cursor = milliseconds(page[-1]) + (1 if direction == "forward" else -1)

    def test_every_line_once_and_in_order_however_it_is_paged(self):
        made = self.good("lines", [run("for i in $(seq 210); do echo line $i; done; sleep 0.05; seq 1001 1040")])
        whole = self.log(made)
        said = [entry["message"].rsplit(" ", 1)[1] for entry in whole if "[stdout]" in entry["message"]]
        self.assertEqual(said, [str(i) for i in [*range(1, 211), *range(1001, 1041)]])
        times = [entry["timestamp"] for entry in whole]
        self.assertEqual(times, sorted(times))
        crowded = max(sum(milliseconds(one) == at for one in whole) for at in {milliseconds(one) for one in whole})
        self.assertGreater(crowded, 1)  # lines did share a millisecond
        for limit in (100, 60):
            self.assertEqual(self.pages(made, "forward", limit), whole)
            self.assertEqual(self.pages(made, "backward", limit), whole[::-1])
        offsets = []
        while len(offsets) < len(whole):
            offsets += self.status(made, f"?logsOffset={len(offsets)}&limit=7")["logEntries"]
        self.assertEqual(offsets, whole)

    def test_levels_and_offsets_go_together(self):
        made = self.good("levels", [run("echo out")], startCmd="sleep 300", readyCmd="true")
        whole = self.log(made)
        least = [entry for entry in whole if entry["level"] in ("info", "warn", "error")]
        self.assertEqual(self.status(made, "?level=info")["logEntries"], least)
        self.assertEqual(self.status(made, "?level=info&logsOffset=2")["logEntries"], least[2:])
        self.assertEqual(self.status(made, "?limit=0")["logEntries"], [])
        self.assertEqual({entry["step"] for entry in whole}, {"base", "1", "finalize"})
        path = f"/templates/{made['templateID']}/builds/{made['buildID']}/logs"
        self.assertEqual(self.host.api("GET", path + "?source=persistent").json()["logs"], whole)
        for query in ("direction=up", "source=else", "cursor=-1", "level=x"):
            self.error(self.host.api("GET", path + "?" + query), 400)

    def test_odd_output_stays_readable(self):
        made = self.good("odd", [run(r"printf 'bad \377 byte\r\nlong '; head -c 40000 /dev/zero | tr '\0' x; printf '\nno end'")])
        lines = [entry["message"] for entry in self.log(made) if "[stdout]" in entry["message"]]
        self.assertEqual(lines[0], "[builder 1/1] [stdout]: bad \ufffd byte")
        self.assertEqual("".join(line.removeprefix("[builder 1/1] [stdout]: ") for line in lines[1:-1]), "long " + "x" * 40000)
        self.assertEqual(lines[-1], "[builder 1/1] [stdout]: no end")


if __name__ == "__main__":
    unittest.main()
