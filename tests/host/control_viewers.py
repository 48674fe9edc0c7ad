# SPDX-License-Identifier: GPL-3.0-or-later
"""Many who watch output at once, through the host: a stuck one harms nobody, nobody starves, and nothing is left."""

import base64
import json
import os
import selectors
import socket
import statistics
import struct
import time
import unittest

from control_support import SLOWER, HostTest, eventually


def envelope(message):
    payload = json.dumps(message).encode()
    return struct.pack(">BI", 0, len(payload)) + payload


class Viewer:
    """A stream read as bare bytes and only when it is asked to: a client that can be stuck."""

    def __init__(self, sandbox, verb, message, buffer=0):
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(30)
        self.socket.connect(sandbox.host.address)
        body = envelope(message)
        headers = sandbox.headers({"Host": "localhost", "Content-Type": "application/connect+json",
                                   "Connect-Protocol-Version": "1", "Content-Length": str(len(body)), "Connection": "close",
                                   "Authorization": "Basic " + base64.b64encode(b"user:").decode()})
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.socket.sendall(f"POST /process.Process/{verb} HTTP/1.1\r\n{head}\r\n".encode() + body)
        self.total = 0
        self.last = b""

    def take(self):
        """One read; false at the end."""
        piece = self.socket.recv(1 << 20)
        self.total += len(piece)
        self.last = (self.last + piece)[-4096:]
        return bool(piece)

    def take_for(self, seconds):
        """Bytes read in this time."""
        begin, end = self.total, time.monotonic() + seconds
        while time.monotonic() < end and self.take():
            pass
        return self.total - begin

    def close(self):
        self.socket.close()


def start(command):
    return {"process": {"cmd": "/bin/bash", "args": ["-c", command]}, "stdin": False}


class Viewers(HostTest):
    def setUp(self):
        self.sandbox = self.host.create(timeout=600)
        self.open = []
        self.addCleanup(lambda: [viewer.close() for viewer in self.open])

    def viewer(self, verb, message, buffer=0):
        self.open.append(Viewer(self.sandbox, verb, message, buffer))
        return self.open[-1]

    def pid_of(self, tag):
        answer = self.sandbox.request("POST", "/process.Process/List", "{}", {"Content-Type": "application/json"})
        return next(one["pid"] for one in answer.json()["processes"] if one.get("tag") == tag)

    def no_zombie_left(self):
        eventually(lambda: "Z" not in self.sandbox.run("cat /proc/[0-9]*/stat | sed 's/.*) //' | cut -c1")[1], 10,
                   "reaping")

    def signal(self, pid):
        body = json.dumps({"process": {"pid": pid}, "signal": "SIGNAL_SIGKILL"})
        self.assertEqual(self.sandbox.request("POST", "/process.Process/SendSignal", body,
                                              {"Content-Type": "application/json"}).status, 200)

    def test_one_who_is_stuck_holds_up_neither_the_others_nor_the_process(self):
        stuck = self.viewer("Start", {**start("exec yes"), "tag": "chatty"}, 4096)
        stuck.take()
        pid = self.pid_of("chatty")
        fast = self.viewer("Connect", {"process": {"pid": pid}})
        alone = fast.take_for(2)
        self.assertGreater(alone, 20_000_000 / SLOWER, "slowed down at once")
        begin = time.monotonic()
        third = self.viewer("Connect", {"process": {"pid": pid}})
        while third.total < 5000:
            third.take()
        self.assertLess(time.monotonic() - begin, 1)
        # Past the ten seconds in which it takes nothing; the fast one never pauses, the third stops reading too.
        while time.monotonic() < begin + 12:
            self.assertGreater(fast.take_for(1), 1_000_000 / SLOWER, "held up")
        end = time.monotonic() + 20
        while stuck.take():
            self.assertLess(time.monotonic(), end, "never told")
        self.assertIn(b"resource_exhausted", stuck.last)
        self.assertTrue(stuck.last.endswith(b"0\r\n\r\n"), stuck.last[-40:])
        self.assertGreater(fast.take_for(1), 1_000_000 / SLOWER, "ended with the other one")
        self.signal(pid)
        while fast.take():
            pass
        self.assertIn(b'"end"', fast.last)
        self.assertNotIn(b"resource_exhausted", fast.last)
        self.no_zombie_left()

    def test_without_a_viewer_output_is_drained(self):
        lone = self.viewer("Start", {**start("for i in $(seq 400); do head -c 1000000 /dev/zero; done; touch done"), "tag": "x"})
        lone.take()
        lone.close()
        eventually(lambda: self.sandbox.read("/home/user/done").status == 200, 30, "going on without anybody")
        self.no_zombie_left()

    def test_fifty_streams_at_once_and_nobody_starves(self):
        count, seconds = 50, 6.0
        for number in range(count):
            self.viewer("Start", {**start("exec yes"), "tag": f"many{number}"})
        selector = selectors.DefaultSelector()
        self.addCleanup(selector.close)
        for viewer in self.open:
            viewer.socket.setblocking(False)
            selector.register(viewer.socket, selectors.EVENT_READ, viewer)
        quiet = dict.fromkeys(self.open, time.monotonic())
        longest = 0.0
        slowest_answer = 0.0
        end = time.monotonic() + seconds
        ask_at = time.monotonic() + 1
        while time.monotonic() < end:
            for key, _ in selector.select(0.1):
                viewer = key.data
                self.assertTrue(viewer.take(), viewer.last)
                now = time.monotonic()
                longest = max(longest, now - quiet[viewer])
                quiet[viewer] = now
            if time.monotonic() > ask_at:
                begin = time.monotonic()
                self.assertEqual(self.sandbox.request("GET", "/health").status, 204)
                self.assertEqual(self.host.api("GET", "/v2/sandboxes").status, 200)
                slowest_answer = max(slowest_answer, time.monotonic() - begin)
                ask_at = time.monotonic() + 1
        now = time.monotonic()
        longest = max([longest] + [now - at for at in quiet.values()])
        totals = sorted(viewer.total for viewer in self.open)
        print(f"{count} streams: {sum(totals) / seconds / 1e6:.0f} MB/s in all, the least {totals[0] / 1e6:.1f} MB, "
              f"the median {statistics.median(totals) / 1e6:.1f} MB, the longest silence {longest:.2f} s, "
              f"the slowest answer beside them {slowest_answer:.2f} s")
        self.assertGreater(totals[0], 0.3 * statistics.median(totals), totals)
        self.assertLess(longest, 3)
        self.assertLess(slowest_answer, 3)
        for viewer in self.open:
            viewer.close()
        self.assertEqual(self.sandbox.run("pgrep -c yes")[1], f"{count}\n")
        self.assertEqual(self.sandbox.run("pkill -9 yes")[0], 0)
        self.no_zombie_left()
        eventually(lambda: len(os.listdir(f"/proc/{self.host.process.pid}/fd")) < 25, 10, "closing what nobody watches")


if __name__ == "__main__":
    unittest.main()
