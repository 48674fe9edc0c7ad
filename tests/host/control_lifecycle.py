# SPDX-License-Identifier: GPL-3.0-or-later
"""Leases, pause and resume, kill, and what a restart of the host keeps."""

import concurrent.futures
import contextlib
import datetime
import os
import pathlib
import signal
import threading
import unittest

from control_support import Host, HostTest, Sandbox, alive, descendants, eventually, processes_naming


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def lease(host, sandbox):
    """Seconds from the start to the end of the lease."""
    detail = host.detail(sandbox.id).json()
    return (moment(detail["endAt"]) - moment(detail["startedAt"])).total_seconds()


class Leases(HostTest):
    def test_connect_never_shortens_and_timeout_may(self):
        sandbox = self.host.create(timeout=600)
        end = self.host.detail(sandbox.id).json()["endAt"]
        answer = sandbox.post("connect", {"timeout": 60})
        self.assertEqual((answer.status, answer.json()["envdAccessToken"]), (200, sandbox.token))
        self.assertEqual(self.host.detail(sandbox.id).json()["endAt"], end)
        self.assertEqual(sandbox.post("connect", {"timeout": 0}).status, 200)
        self.assertEqual(self.host.detail(sandbox.id).json()["endAt"], end)
        self.assertEqual(sandbox.post("connect", {"timeout": 900}).status, 200)
        self.assertAlmostEqual(lease(self.host, sandbox), 900, delta=5)
        self.assertEqual(sandbox.post("refreshes", {"duration": 20}).status, 204)
        self.assertAlmostEqual(lease(self.host, sandbox), 900, delta=5)
        self.assertEqual(sandbox.post("timeout", {"timeout": 100}).status, 204)
        self.assertAlmostEqual(lease(self.host, sandbox), 100, delta=5)
        self.assertEqual(sandbox.post("refreshes", {"duration": 3600}).status, 204)
        self.assertAlmostEqual(lease(self.host, sandbox), 3600, delta=5)
        self.assertEqual(sandbox.post("pause").status, 204)
        self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        self.assertAlmostEqual(lease(self.host, sandbox), 60, delta=1)
        self.error(sandbox.post("resume", {"timeout": 60}), 409, "already running")

    def test_a_lease_that_ends_kills(self):
        sandbox = self.host.create(timeout=1)
        eventually(lambda: self.host.detail(sandbox.id).status == 404, 20, "the end of the lease")
        eventually(lambda: not processes_naming(sandbox.id), 20, "the end of its processes")
        eventually(lambda: not list((self.host.data / "sandboxes").iterdir()), 20, "the end of its folder")
        gone = sandbox.request("GET", "/health")
        self.assertEqual((gone.status, gone.json()),
                         (502, {"sandboxId": sandbox.id, "message": "The sandbox was not found", "code": 502}))

    def test_a_lease_that_ends_pauses_where_asked_and_keeps_late_writes(self):
        sandbox = self.host.create(timeout=5, autoPause=True)
        self.assertEqual(sandbox.run("sleep 300 >/dev/null 2>&1 & echo $! > /tmp/pid; echo late > late")[0], 0)
        eventually(lambda: self.host.detail(sandbox.id).json()["state"] == "paused", 20, "the pause")
        self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        self.assertEqual(sandbox.run("cat late; kill -0 $(cat /tmp/pid)"), (0, "late\n", ""))

    def test_timeout_zero_ends_at_once(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.post("timeout", {"timeout": 0}).status, 204)
        eventually(lambda: self.host.detail(sandbox.id).status == 404, 20, "the end")
        self.error(sandbox.post("timeout", {"timeout": 5}), 404)


class PauseAndResume(HostTest):
    def test_looking_at_a_paused_sandbox_never_wakes_it(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.post("pause", {"memory": True}).status, 204)
        before = self.host.detail(sandbox.id).json()
        self.assertEqual(before["state"], "paused")
        self.assertIsNone(before["domain"])
        for path in ("/health", "/files?path=x", "/envs"):
            answer = sandbox.request("GET", path)
            self.assertEqual((answer.status, answer.json()["message"]), (502, "The sandbox was not found"))
        self.error(sandbox.post("timeout", {"timeout": 60}), 404)
        self.error(sandbox.post("refreshes"), 404)
        self.error(sandbox.post("pause"), 409, "already paused")
        self.assertEqual(self.host.detail(sandbox.id).json(), before)

    def test_processes_sleep_through_a_pause_and_stopped_jobs_stay_stopped(self):
        sandbox = self.host.create()
        # Stopped before it is `sleep`, the job would still hold the output that the call waits to end.
        begin = "sleep 300 >/dev/null 2>&1 & echo $! > %s; until grep -q sleep /proc/$!/comm; do :; done; "
        script = begin % "run" + begin % "stopped" + "kill -STOP $(cat stopped); echo made"
        self.assertEqual(sandbox.run(script)[1], "made\n")
        for _ in range(2):
            self.assertEqual(sandbox.post("pause").status, 204)
            self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        code, out, _ = sandbox.run("for n in run stopped; do awk '{print $3}' /proc/$(cat $n)/stat; done")
        self.assertEqual((code, out), (0, "S\nT\n"))

    def test_an_open_stream_is_cut_by_a_pause_not_ended(self):
        sandbox = self.host.create()
        with contextlib.closing(sandbox.start("echo begun; sleep 300")) as stream:
            events = stream.messages()
            self.assertIn("start", next(events))
            self.assertIn("data", next(events))
            self.assertEqual(sandbox.post("pause").status, 204)
            with self.assertRaises((ConnectionError, Exception)) as raised:
                for _ in events:
                    pass
            self.assertNotIsInstance(raised.exception, AssertionError)

    def test_a_pause_of_the_disk_only_loses_processes_and_keeps_files(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.run("sleep 300 >/dev/null 2>&1 & echo $! > /tmp/pid; echo kept > kept")[0], 0)
        self.assertEqual(sandbox.post("pause", {"memory": False}).status, 204)
        self.assertEqual(processes_naming(sandbox.id), [])
        self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        self.assertEqual(sandbox.run("cat kept; pgrep sleep"), (1, "kept\n", ""))
        self.assertIn("lost", self.host.detail(sandbox.id).json()["notice"])

    def test_files_survive_many_pauses(self):
        sandbox = self.host.create()
        for cycle in range(3):
            self.assertEqual(sandbox.run(f"echo {cycle} >> cycles")[0], 0)
            self.assertEqual(sandbox.post("pause", {"memory": cycle != 1}).status, 204)
            self.assertEqual(sandbox.post("resume", {"timeout": 60}).status, 201)
        self.assertEqual(sandbox.run("cat cycles")[1], "0\n1\n2\n")

    def test_racing_pauses_and_resumes_answer_only_done_or_conflict(self):
        sandbox = self.host.create(timeout=600)
        last = []
        seen = set()
        stop = threading.Event()

        def poll():
            while not stop.is_set():
                seen.add(self.host.detail(sandbox.id).status)

        def fire(number):
            verb, body = ("pause", {}) if number % 2 == 0 else ("resume", {"timeout": 600})
            answer = sandbox.post(verb, body)
            if answer.status < 300:
                last.append(verb)
            return answer.status

        poller = threading.Thread(target=poll)
        poller.start()
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            statuses = list(pool.map(fire, range(20)))
        stop.set()
        poller.join()
        self.assertEqual(set(statuses) - {201, 204, 409}, set())
        self.assertEqual(seen, {200})
        # Each pair of successes alternates, so their number tells the state whatever order the answers arrived in.
        state = "running" if last.count("pause") == last.count("resume") else "paused"
        self.assertEqual(self.host.detail(sandbox.id).json()["state"], state)

    def test_traffic_wakes_only_where_asked_and_only_with_the_token(self):
        sandbox = self.host.create(autoPause=True, autoResume={"enabled": True}, timeout=400)
        self.assertEqual(sandbox.post("pause").status, 204)
        sleeping = Sandbox(self.host, {"sandboxID": sandbox.id, "envdAccessToken": "0" * 64})
        self.assertEqual(sleeping.request("GET", "/health").status, 403)
        self.assertEqual(self.host.detail(sandbox.id).json()["state"], "paused")
        self.assertEqual(sandbox.request("GET", "/health").status, 204)
        self.assertEqual(self.host.detail(sandbox.id).json()["state"], "running")
        self.assertAlmostEqual(lease(self.host, sandbox), 400, delta=2)
        self.assertEqual(sandbox.post("pause", {"memory": False}).status, 204)
        self.assertEqual(sandbox.request("GET", "/health").status, 502)

    def test_pause_stops_a_tree_that_forks_as_fast_as_it_can(self):
        sandbox = self.host.create(timeout=600)
        self.assertEqual(sandbox.write("/home/user/storm.py", STORM).status, 200)
        stream = sandbox.start("exec python3 storm.py")
        self.addCleanup(stream.close)
        self.assertIn("start", next(stream.messages()))
        counter = self.host.data / "sandboxes" / sandbox.id / "root" / "home" / "user" / "counter"

        def value():
            with contextlib.suppress(OSError):
                return int.from_bytes(counter.read_bytes()[:8], "little")
            return 0

        eventually(lambda: value() > 1000, 20, "the storm")
        for attempt in range(20):
            with self.subTest(attempt=attempt):
                self.assertEqual(sandbox.post("pause").status, 204)
                before = value()
                threading.Event().wait(1.0)
                self.assertEqual(value(), before)
                self.assertEqual(sandbox.post("connect", {"timeout": 600}).status, 201)
                eventually(lambda: value() > before, 20, "the storm going on")


# A counter in shared memory (a mapped file, so that the test can read it from outside) driven by processes that do
# nothing but fork a successor and end.
STORM = b"""
import mmap, os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
with open('counter.new', 'wb') as file:
    file.truncate(4096)
os.rename('counter.new', 'counter')
file = open('counter', 'r+b')
memory = mmap.mmap(file.fileno(), 4096)
for lane in range(4):
    if os.fork() == 0:
        os.setsid()
        while True:
            memory[0:8] = (int.from_bytes(memory[0:8], 'little') + 1).to_bytes(8, 'little')
            if os.fork():
                os._exit(0)
signal.pause()
"""


class Memory(HostTest):
    arguments = ("--memory", "300")

    def test_measurements_are_the_sandboxes_own_and_a_greedy_one_is_paused(self):
        modest, greedy = self.host.create(), self.host.create()
        limit = self.host.detail(greedy.id).json()["limits"]["memory"]
        self.assertEqual(limit, {"state": "watched", "value": 300 << 20})
        stream = greedy.start("python3 -c 'x = bytearray(b\"x\") * (400 << 20); import time; time.sleep(100)'")
        self.addCleanup(stream.close)
        self.assertIn("start", next(stream.messages()))
        eventually(lambda: self.host.detail(greedy.id).json()["state"] == "paused", 20, "the pause")
        self.assertRegex(self.host.detail(greedy.id).json()["notice"], r"used 4\d\d MiB of memory, more than 300 MiB")
        eventually(lambda: self.host.api("GET", f"/sandboxes/{modest.id}/metrics").json(), 20, "a measurement")
        both = self.host.api("GET", f"/sandboxes/metrics?sandbox_ids={modest.id},{greedy.id}").json()["sandboxes"]
        self.assertGreater(both[greedy.id]["memUsed"], 400 << 20)
        self.assertLess(both[modest.id]["memUsed"], 50 << 20)
        self.assertEqual(self.host.detail(modest.id).json()["state"], "running")


class Ends(HostTest):
    def test_kill_leaves_no_process_mount_or_folder(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.run(
            "for i in 1 2 3; do setsid sleep 300 >/dev/null 2>&1 & done; mkdir -p a/b; chmod 0 a/b; chmod 0 a; echo")[0], 0)
        below = descendants(self.host.process.pid)
        self.assertGreaterEqual(len(below), 5)
        self.assertEqual(self.host.api("DELETE", "/sandboxes/" + sandbox.id).status, 204)
        self.assertEqual([pid for pid in below if alive(pid)], [])
        self.assertEqual(processes_naming(sandbox.id), [])
        self.assertNotIn(sandbox.id, pathlib.Path("/proc/self/mountinfo").read_text())
        self.assertEqual([str(path) for path in self.host.data.rglob("*" + sandbox.id + "*")], [])
        self.assertEqual(list((self.host.data / "trash").iterdir()), [])
        self.error(self.host.api("DELETE", "/sandboxes/" + sandbox.id), 404)
        self.error(self.host.detail(sandbox.id), 404)

    def test_kill_works_on_a_paused_one_and_on_a_fork_bomb(self):
        paused = self.host.create()
        self.assertEqual(paused.post("pause").status, 204)
        bomb = self.host.create()
        stream = bomb.start("b() { b | b & }; b; b & sleep 300")
        self.addCleanup(stream.close)
        self.assertIn("start", next(stream.messages()))
        for sandbox in (paused, bomb):
            self.assertEqual(self.host.api("DELETE", "/sandboxes/" + sandbox.id).status, 204)
        self.assertEqual(self.host.sandbox_ids(), [])
        self.assertEqual(descendants(self.host.process.pid), [])

    def test_a_daemon_that_dies_is_told_and_its_files_are_kept(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.run("echo kept > kept")[0], 0)
        below = descendants(self.host.process.pid)
        daemon = below[-1]
        os.kill(daemon, signal.SIGKILL)
        eventually(lambda: self.host.detail(sandbox.id).json()["state"] == "paused", 20, "noticing")
        self.assertIn("unexpectedly", self.host.detail(sandbox.id).json()["notice"])
        self.assertEqual(sandbox.request("GET", "/health").status, 502)
        self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        self.assertEqual(sandbox.run("cat kept")[1], "kept\n")


class Restarts(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)

    def restart(self, with_signal):
        below = descendants(self.host.process.pid)
        self.host.stop(with_signal)
        eventually(lambda: not [pid for pid in below if alive(pid)], 20, "the end of the sandboxes' processes")
        self.host.errors.close()
        self.host.start()

    def test_everything_but_the_processes_survives(self):
        for with_signal in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(with_signal=with_signal):
                key = self.host.key
                sandbox = self.host.create(timeout=600, metadata={"a": "ü"}, envVars={"NAME": "value"})
                paused = self.host.create(timeout=600)
                self.assertEqual(sandbox.run("sleep 300 >/dev/null 2>&1 & echo kept > /tmp/kept")[0], 0)
                self.assertEqual(paused.run("echo slept > slept")[0], 0)
                self.assertEqual(paused.post("pause").status, 204)
                before = self.host.detail(sandbox.id).json()
                before_paused = self.host.detail(paused.id).json()
                self.restart(with_signal)
                self.assertEqual(self.host.key, key)
                after = self.host.detail(sandbox.id).json()
                self.assertIn("lost", after.pop("notice"))
                self.assertEqual(after, before)
                after_paused = self.host.detail(paused.id).json()
                self.assertIn("lost", after_paused.pop("notice"))
                self.assertEqual(after_paused, before_paused)
                # The same tokens open the fresh daemon; the processes are gone, the variables and files are not.
                self.assertEqual(sandbox.run("cat /tmp/kept; echo $NAME; pgrep sleep"), (1, "kept\nvalue\n", ""))
                self.assertEqual(paused.post("connect", {"timeout": 60}).status, 201)
                self.assertEqual(paused.run("cat slept")[1], "slept\n")
                for one in (sandbox, paused):
                    self.assertEqual(self.host.api("DELETE", "/sandboxes/" + one.id).status, 204)

    def test_leases_that_ended_meanwhile_are_kept_to(self):
        paused = self.host.create(timeout=5, autoPause=True)
        killed = self.host.create(timeout=5)
        end = moment(self.host.detail(killed.id).json()["endAt"])
        self.host.stop()
        self.host.errors.close()
        eventually(lambda: datetime.datetime.now(datetime.timezone.utc) > end, 20, "the end of the leases")
        self.host.start()
        self.assertEqual(self.host.detail(killed.id).status, 404)
        self.assertEqual(self.host.detail(paused.id).json()["state"], "paused")
        eventually(lambda: not list((self.host.data / "trash").iterdir()), 20, "clearing up")
        self.assertEqual([one.name for one in (self.host.data / "sandboxes").iterdir()], [paused.id])
        self.assertEqual(self.host.api("DELETE", "/sandboxes/" + paused.id).status, 204)

    def test_half_made_and_unreadable_ones_do_not_stop_the_host(self):
        self.host.stop()
        self.host.errors.close()
        sandboxes = self.host.data / "sandboxes"
        (sandboxes / "ihalfmadehalfmade0001" / "root").mkdir(parents=True)
        (sandboxes / "ibrokenbrokenbroken01").mkdir()
        (sandboxes / "ibrokenbrokenbroken01" / "record.json").write_text("{")
        self.host.start()
        self.assertEqual(self.host.sandbox_ids(), [])
        eventually(lambda: not list((self.host.data / "trash").iterdir()), 20, "clearing up")
        self.assertEqual([one.name for one in sandboxes.iterdir()], ["ibrokenbrokenbroken01"])
        self.assertIn("ibrokenbrokenbroken01", self.host.stderr())
        (sandboxes / "ibrokenbrokenbroken01" / "record.json").unlink()
        (sandboxes / "ibrokenbrokenbroken01").rmdir()

    def test_many_sandboxes_at_once_and_after_a_restart(self):
        with concurrent.futures.ThreadPoolExecutor(10) as pool:
            made = list(pool.map(lambda _: self.host.create(timeout=600), range(60)))
            self.assertEqual(len({one.id for one in made}), 60)
            self.assertEqual(set(pool.map(lambda one: one.run("cat /etc/hostname")[1] == one.id + "\n", made)), {True})
            self.restart(signal.SIGKILL)
            self.assertEqual(len(self.host.sandbox_ids()), 60)
            self.assertEqual(set(pool.map(lambda one: one.run("echo up")[1], made)), {"up\n"})
            answers = pool.map(lambda one: self.host.api("DELETE", "/sandboxes/" + one.id).status, made)
            self.assertEqual(set(answers), {204})
        self.assertEqual(descendants(self.host.process.pid), [])
        eventually(lambda: len(os.listdir(f"/proc/{self.host.process.pid}/fd")) < 20, 30, "closing what nobody uses")

    def test_an_end_finishes_what_is_being_deleted(self):
        sandbox = self.host.create(timeout=600)
        self.assertEqual(sandbox.run("mkdir many; cd many; seq 30000 | xargs touch")[0], 0)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            killing = pool.submit(self.host.api, "DELETE", "/sandboxes/" + sandbox.id)
            eventually(lambda: list((self.host.data / "trash").iterdir()) or killing.done(), 30, "deleting")
            self.assertEqual(self.host.stop(), 0)
            self.assertEqual(list((self.host.data / "trash").iterdir()), [])
            with contextlib.suppress(Exception):
                killing.result()  # answered or cut, as it happened

    def test_an_orderly_end_is_orderly(self):
        self.host.create()
        self.assertEqual(self.host.stop(signal.SIGINT), 0)
        self.host.errors.close()
        self.host.start()
        self.assertEqual(len(self.host.sandbox_ids()), 1)


if __name__ == "__main__":
    unittest.main()
