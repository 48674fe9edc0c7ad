# SPDX-License-Identifier: GPL-3.0-or-later
"""Each limit is tried to be passed, and holds, is watched or is not there exactly as the detail of the sandbox says."""

import unittest

from control_support import HostTest, eventually

MIB = 1 << 20

# Opens files until it is refused, after having asked for more as hard as it can.
OPEN_FILES = """
import errno, os, resource
for wanted in ((resource.RLIM_INFINITY,) * 2, (1 << 20, 1 << 20)):
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, wanted)
        print('raised')
    except (OSError, ValueError):
        pass
held = []
try:
    while len(held) < 1 << 20:
        held.append(os.open('/dev/null', os.O_RDONLY))
except OSError as error:
    print(max(held) + 1, errno.errorcode[error.errno])
"""

PROCESSES = """
import errno, os, resource, signal
try:
    resource.setrlimit(resource.RLIMIT_NPROC, (1 << 20, 1 << 20))
    print('raised')
except (OSError, ValueError):
    pass
children = []
try:
    for _ in range(5000):
        pid = os.fork()
        if pid == 0:
            signal.pause()
        children.append(pid)
    print('no end')
except OSError as error:
    print(len(children), errno.errorcode[error.errno])
for pid in children:
    os.kill(pid, signal.SIGKILL)
"""


class Enforced(HostTest):
    def setUp(self):
        self.sandbox = self.host.create(timeout=600)
        detail = self.host.detail(self.sandbox.id).json()
        self.limits, self.users = detail["limits"], detail["users"]

    def test_each_is_told_with_its_number_or_as_not_there(self):
        self.assertEqual(set(self.limits), {"processes", "openFiles", "memory", "disk"})
        for name, limit in self.limits.items():
            self.assertIn(limit["state"], ("enforced", "watched", "not available"), name)
            self.assertEqual("value" in limit, limit["state"] != "not available", name)
        # These two can't be enforced without a cgroup or a quota of the sandbox's own, so nobody says so.
        self.assertEqual((self.limits["memory"]["state"], self.limits["disk"]["state"]), ("watched", "watched"))

    def test_sizes_shown_are_what_a_sandbox_may_really_use(self):
        code, out, _ = self.sandbox.run("nproc")
        for shown in (self.host.detail(self.sandbox.id).json(), self.host.api("GET", "/v2/sandboxes").json()[0]):
            self.assertEqual((code, int(out)), (0, shown["cpuCount"]))
            self.assertEqual(shown["memoryMB"], self.limits["memory"]["value"] // MIB)
            self.assertEqual(shown["diskSizeMB"], self.limits["disk"]["value"] // MIB)

    def test_open_files_end_where_they_are_said_to(self):
        self.assertEqual(self.limits["openFiles"]["state"], "enforced")
        self.sandbox.write("/tmp/files.py", OPEN_FILES.encode())
        for user in self.users:
            self.assertEqual(self.sandbox.run("ulimit -c", user)[1], "0\n")  # no core dumps: they are the disk's
            self.assertEqual(self.sandbox.run("python3 /tmp/files.py", user)[1],
                             f"{self.limits['openFiles']['value']} EMFILE\n")

    def test_processes_end_where_they_are_said_to(self):
        if self.limits["processes"]["state"] != "enforced":
            self.assertEqual(self.limits["processes"], {"state": "not available"})
            return
        most = self.limits["processes"]["value"]
        self.sandbox.write("/tmp/forks.py", PROCESSES.encode())
        for user in self.users:
            count, reason = self.sandbox.run("python3 /tmp/forks.py", user, 60)[1].split()
            self.assertEqual(reason, "EAGAIN")
            self.assertTrue(most - 40 < int(count) <= most, count)
        # A bomb of one account leaves the daemon, the other account and other sandboxes alone.
        stream = self.sandbox.start("python3 /tmp/forks.py; b() { b | b & }; b; sleep 300")
        self.addCleanup(stream.close)
        self.assertIn("start", next(stream.messages()))
        other = self.host.create()
        self.assertEqual(other.run("echo here")[1], "here\n")
        self.assertEqual(self.sandbox.request("GET", "/health").status, 204)
        if "root" in self.users:
            self.assertEqual(self.sandbox.run("echo root can", "root")[1], "root can\n")


class Watched(HostTest):
    arguments = ("--memory", "200", "--disk", "100")

    def paused(self, sandbox):
        return self.host.detail(sandbox.id).json()["state"] == "paused"

    def test_shared_memory_counts_too(self):
        sandbox = self.host.create(timeout=600)
        self.assertEqual(self.host.detail(sandbox.id).json()["limits"]["memory"], {"state": "watched", "value": 200 * MIB})
        self.assertEqual(sandbox.run("head -c 300000000 /dev/zero > /dev/shm/x")[0], 0)
        eventually(lambda: self.paused(sandbox), 20, "the pause")
        self.assertRegex(self.host.detail(sandbox.id).json()["notice"], r"used \d+ MiB of memory, more than 200 MiB")

    def test_files_count_and_one_who_is_over_may_clean_up(self):
        modest, greedy = self.host.create(timeout=600), self.host.create(timeout=600)
        self.assertEqual(self.host.detail(greedy.id).json()["limits"]["disk"], {"state": "watched", "value": 100 * MIB})
        # Once, whatever its names; a hole takes nothing; and a link leads nowhere.
        self.assertEqual(modest.run("head -c 60000000 /dev/zero > a; ln a b; ln a c; truncate -s 10G hole; ln -s / d/ || ln -s / all")[0], 0)
        self.assertEqual(greedy.run("mkdir -p x/y/z; cd x/y/z; for i in $(seq 15); do head -c 10000000 /dev/zero > $i; done")[0], 0)
        eventually(lambda: self.paused(greedy), 30, "the pause")
        notice = self.host.detail(greedy.id).json()["notice"]
        self.assertRegex(notice, r"^Paused because its files take 14\d MiB of the disk, more than 100 MiB\.$")
        self.assertIn(notice, [line["message"] for line in self.host.api("GET", f"/v2/sandboxes/{greedy.id}/logs").json()["logs"]])
        self.assertEqual(greedy.post("connect", {"timeout": 600}).status, 201)
        before = len(self.host.api("GET", f"/sandboxes/{greedy.id}/metrics").json())
        eventually(lambda: len(self.host.api("GET", f"/sandboxes/{greedy.id}/metrics").json()) > before + 1, 30, "measuring")
        self.assertFalse(self.paused(greedy), "stopped again before it could clean up")
        self.assertEqual(greedy.run("head -c 20000000 /dev/zero > more")[0], 0)
        eventually(lambda: self.paused(greedy), 30, "the pause of one that takes still more")
        self.assertEqual(greedy.post("connect", {"timeout": 600}).status, 201)
        self.assertEqual(greedy.run("rm -r x more")[0], 0)
        last = lambda one: self.host.api("GET", f"/sandboxes/{one.id}/metrics").json()[-1]
        eventually(lambda: last(greedy)["diskUsed"] < 5 * MIB, 30, "seeing what was cleaned up")
        self.assertFalse(self.paused(greedy) or self.paused(modest))
        self.assertEqual((last(modest)["memTotal"], last(modest)["diskTotal"]), (200 * MIB, 100 * MIB))
        self.assertTrue(57 * MIB < last(modest)["diskUsed"] < 60 * MIB, last(modest))


if __name__ == "__main__":
    unittest.main()
