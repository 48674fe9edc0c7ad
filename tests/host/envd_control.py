# SPDX-License-Identifier: GPL-3.0-or-later
"""The control socket of the real boxdeck-envd; pausing as the first process of a PID namespace."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

from envd_client import Envd, Outcome, b64, read_until

BINARY = sys.argv.pop(1)
NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"]


def eventually(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class ControlTest(unittest.TestCase):
    def test_the_host_going_away_ends_everything(self):
        envd = Envd(BINARY)
        streams = [envd.start("sleep", ["60"]), envd.start("/bin/sh", ["-c", "trap '' HUP TERM; sleep 61"], pty=(80, 24))]
        pids = [stream.next()["event"]["start"]["pid"] for stream in streams]
        envd.control.close()
        self.assertEqual(envd.process.wait(timeout=10), 0)
        for pid in pids:
            self.assertTrue(eventually(lambda pid=pid: not os.path.exists(f"/proc/{pid}")
                                       or open(f"/proc/{pid}/stat").read().split(") ")[1][0] == "Z"))

    def test_quit(self):
        envd = Envd(BINARY)
        self.assertEqual(envd.ask({"op": "quit"}), {"ok": True})
        self.assertEqual(envd.process.wait(timeout=10), 0)

    def test_requests(self):
        with Envd(BINARY) as envd:
            metrics = envd.ask({"op": "metrics"})["metrics"]
            self.assertGreater(metrics["mem_total"], metrics["mem_used"])
            self.assertFalse(envd.ask({"op": "unknown"})["ok"])
            envd.control.send(b"no json")
            self.assertFalse(json.loads(envd.control.recv(65536))["ok"])
            self.assertFalse(envd.ask({"op": "freeze"})["ok"], "outside a namespace it must not stop the whole computer")

    def test_plain_routes(self):
        with Envd(BINARY, env_vars={"A": "b"}) as envd:
            response, body = envd.request("GET", "/health", headers={"Authorization": "Basic bm9zdWNoOg=="})
            self.assertEqual((response.status, body, response.getheader("Cache-Control")), (204, b"", "no-store"))
            envs = json.loads(envd.request("GET", "/envs")[1])
            self.assertEqual(envs, {"A": "b", "E2B_SANDBOX": "true", "E2B_SANDBOX_ID": "sbx", "E2B_TEMPLATE_ID": "base"})
            metrics = json.loads(envd.request("GET", "/metrics")[1])
            self.assertEqual(set(metrics), {"ts", "cpu_count", "cpu_used_pct", "mem_total", "mem_used", "mem_cache",
                                            "mem_total_mib", "mem_used_mib", "disk_used", "disk_total"})
            self.assertLess(metrics["cpu_used_pct"], 100.01)

    def test_web_pages_of_any_origin_may_call(self):
        with Envd(BINARY) as envd:
            response, _ = envd.request("OPTIONS", "/process.Process/Start", headers={
                "Origin": "https://app.example", "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type,x-access-token"})
            self.assertEqual((response.status, response.getheader("Access-Control-Allow-Origin"),
                              response.getheader("Access-Control-Allow-Headers"),
                              response.getheader("Access-Control-Max-Age")),
                             (204, "*", "content-type,x-access-token", "7200"))
            self.assertIn("POST", response.getheader("Access-Control-Allow-Methods"))
            response, _ = envd.request("GET", "/health", headers={"Origin": "https://app.example"})
            self.assertEqual(response.getheader("Access-Control-Allow-Origin"), "*")
            self.assertIsNone(envd.request("GET", "/health")[0].getheader("Access-Control-Allow-Origin"))

    def test_wrong_arguments(self):
        for arguments in ([], ["--listen-fd"], ["--listen-fd", "x"], ["--listen-fd", "77"], ["--what", "3"]):
            self.assertEqual(subprocess.run([BINARY, *arguments], stderr=subprocess.DEVNULL).returncode, 2, arguments)


class FreezeTest(unittest.TestCase):
    def setUp(self):
        self.envd = Envd(BINARY, default_user="root", wrapper=NAMESPACE)

    def tearDown(self):
        self.envd.stop()

    def test_a_tree_that_forks_as_fast_as_it_can_stands_still(self):
        counter = os.path.join(self.envd.folder, "counter")
        with open(counter, "wb") as file:
            file.write(bytes(8))
        program = ("import mmap,os,struct,sys\n"
                   "f=open(sys.argv[1],'r+b'); m=mmap.mmap(f.fileno(),8)\n"
                   "while True:\n"
                   "  n=struct.unpack('q',m[:])[0]+1; m[:]=struct.pack('q',n)\n"
                   "  if os.fork(): os._exit(0)\n")
        streams = [self.envd.start(sys.executable, ["-c", program, counter], cwd="/") for _ in range(3)]
        read = lambda: int.from_bytes(open(counter, "rb").read(), "little")
        self.assertTrue(eventually(lambda: read() > 50))
        for round_number in range(20):
            self.assertTrue(self.envd.ask({"op": "freeze"})["ok"])
            before = read()
            time.sleep(0.1 if round_number else 1.0)  # the time in which nothing may happen
            self.assertEqual(read(), before, f"moved in round {round_number}")
            self.assertTrue(self.envd.ask({"op": "thaw"})["ok"])
            self.assertTrue(eventually(lambda: read() > before), f"did not go on in round {round_number}")
        os.truncate(counter, 0)  # the next access of each is its end
        for stream in streams:
            stream.close()
        os.unlink(counter)

    def test_a_job_stopped_by_its_user_stays_stopped_and_shells_notice_nothing(self):
        stream = self.envd.start("/bin/bash", ["--norc", "--noprofile", "-i"], pty=(80, 24), cwd="/", envs={"PS1": "$ "})
        outcome = Outcome()
        send = lambda text: self.envd.process_rpc("SendInput", process={"pid": outcome.pid}, input={"pty": b64(text)})
        read_until(stream, outcome, lambda o: o.pty.endswith(b"$ "))
        send(b"sh -c 'echo be\"\"gan; exec sleep 100'\n")
        read_until(stream, outcome, lambda o: b"began" in o.pty)  # it has the terminal now
        send(b"\x1a")
        read_until(stream, outcome, lambda o: b"Stopped" in o.pty)
        send(b"sh -c 'echo sec\"\"ond; sleep 1; echo fore\"\"ground'\n")
        read_until(stream, outcome, lambda o: b"second" in o.pty)
        stopped = len(outcome.pty)
        self.assertGreaterEqual(self.envd.ask({"op": "freeze"})["frozen"], 2)
        self.envd.ask({"op": "thaw"})
        read_until(stream, outcome, lambda o: b"foreground" in o.pty)
        self.assertNotIn(b"Stopped", outcome.pty[stopped:], "the shell saw its job stopped")
        send(b"jobs; echo do''ne\n")
        read_until(stream, outcome, lambda o: b"done" in o.pty)
        self.assertIn(b"Stopped", outcome.pty[stopped:])
        stream.close()

    def test_the_daemon_is_out_of_reach_of_its_sandbox(self):
        self.assertEqual(self.envd.shell("kill -9 1; kill -STOP 1; echo alive", cwd="/").stdout, b"alive\n")
        self.assertEqual(self.envd.request("GET", "/health")[0].status, 204)
        outcome = self.envd.shell("ls -l /proc/1/fd; cat /proc/1/environ", cwd="/", user="nobody")
        self.assertNotIn(b"->", outcome.stdout)

    def test_the_end_of_the_daemon_ends_the_namespace(self):
        stream = self.envd.start("/bin/sh", ["-c", "trap '' TERM HUP; setsid sleep 123456 & sleep 123456"], cwd="/")
        stream.next()
        mine = lambda: subprocess.run(["pgrep", "-f", "^sleep 123456$"], stdout=subprocess.PIPE).stdout
        self.assertTrue(eventually(lambda: len(mine().split()) == 2))
        self.envd.stop()
        self.assertTrue(eventually(lambda: not mine()))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
