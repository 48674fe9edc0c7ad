# SPDX-License-Identifier: GPL-3.0-or-later
"""A hundred sandboxes come and go in every way there is, and nothing of them is left: no process, zombie, mount, cgroup,
namespace, folder or descriptor."""

import collections
import concurrent.futures
import contextlib
import ctypes
import os
import pathlib
import re
import resource
import signal
import unittest

from control_support import Host, alive, descendants, eventually

PROC = pathlib.Path("/proc")
CGROUPS = pathlib.Path("/sys/fs/cgroup")
# Not the one of mounts: it is held by what is compared here, and would hold the mounts; those are looked at themselves.
NAMESPACES = ("net", "pid", "ipc", "uts", "user", "cgroup")


def namespace(pid, kind):
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/ns/{kind}")
    return None


def all_pids():
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def namespaces_in_use(kinds=NAMESPACES):
    """Every namespace that a process of this computer, of whomever, is in."""
    return {namespace(pid, kind) for pid in all_pids() for kind in kinds} - {None}


class HeldNamespaces:
    """Namespaces that processes were seen in. Each is kept open: its number could be another one's by the time we look."""

    def __init__(self):
        self.names = set()
        self.files = []

    def add(self, pids):
        for path in (f"/proc/{pid}/ns/{kind}" for pid in pids for kind in NAMESPACES):
            with contextlib.suppress(OSError):
                name = os.readlink(path)
                if name not in self.names:
                    self.files.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
                    self.names.add(os.readlink(f"/proc/self/fd/{self.files[-1]}"))

    def close(self):
        for file in self.files:
            os.close(file)
        self.files.clear()


def cgroups_of(pid):
    with contextlib.suppress(OSError):
        return {line.split(":", 2)[2] for line in (PROC / str(pid) / "cgroup").read_text().splitlines()}
    return set()


def started(pid):
    """When a process started, in ticks: with its id, its identity. Nothing for one that is gone."""
    with contextlib.suppress(OSError):
        return (PROC / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[19]
    return None


def descriptors(pid):
    """How many descriptors of each kind a process has."""
    kinds = collections.Counter()
    for entry in (PROC / str(pid) / "fd").iterdir():
        with contextlib.suppress(OSError):
            kinds[re.sub(r":\[\d+\]$", "", os.readlink(entry))] += 1
    return kinds


def mounts(pid):
    return set((PROC / str(pid) / "mountinfo").read_text().splitlines())


def held(host):
    """What one host holds: everything here must be the same before and after."""
    pid = host.process.pid
    return {"descendants": descendants(pid), "descriptors": descriptors(pid),
            "threads": len(list((PROC / str(pid) / "task").iterdir())),
            "files": sorted(str(path.relative_to(host.data)) for path in host.data.rglob("*"))}


class Leaks(unittest.TestCase):
    SANDBOXES = 100
    # Two that outlive their shell, one of them in a session of its own, and one whose output is watched to the end.
    COMMAND = "sleep 1000 >/dev/null 2>&1 & setsid sleep 1000 >/dev/null 2>&1 & echo up; exec sleep 1000"

    @classmethod
    def setUpClass(cls):
        # What the host loses comes to us, and we reap nothing: a zombie stays one.
        become_subreaper = 36
        assert ctypes.CDLL(None).prctl(become_subreaper, 1, 0, 0, 0) == 0

    def setUp(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.host = Host()
        self.addCleanup(self.host.close)
        self.streams = []
        self.addCleanup(lambda: [stream.close() for stream in self.streams])

    def populate(self, _):
        sandbox = self.host.create(timeout=3600)
        stream = sandbox.start(self.COMMAND)
        self.streams.append(stream)
        events = stream.messages()
        while "data" not in next(events):
            pass
        return sandbox

    def first_process(self, sandbox):
        """The daemon of a sandbox, and the process outside that waits for it."""
        monitor = next(pid for pid in descendants(self.host.process.pid)
                       if f"--hostname\0{sandbox.id}\0".encode() in self.command(pid))
        return descendants(monitor)[0], monitor

    @staticmethod
    def command(pid):
        with contextlib.suppress(OSError):
            return (PROC / str(pid) / "cmdline").read_bytes()
        return b""

    def test_a_hundred_sandboxes_leave_nothing(self):
        with concurrent.futures.ThreadPoolExecutor(10) as pool:
            # Once round first: what is made when it is first needed is no leak.
            self.round_trip(pool, 10)
            eventually(lambda: not descendants(self.host.process.pid), 20, "the end of the first ones")
            eventually(lambda: not descriptors(self.host.process.pid)["anon_inode:[pidfd]"], 20, "forgetting them")
            before, mounts_before = held(self.host), {pid: mounts(pid) for pid in ("self", self.host.process.pid)}
            own = {namespace(self.host.process.pid, kind) for kind in NAMESPACES}
            own_cgroups = cgroups_of(self.host.process.pid)
            seen = self.round_trip(pool, self.SANDBOXES)
        processes, namespaces, cgroups = seen
        # A bubblewrap, a daemon and three processes each, in namespaces of their own: it was really seen.
        self.assertGreaterEqual(len(processes), 5 * self.SANDBOXES)
        self.assertGreaterEqual(len([name for name in namespaces - own if name and name.startswith("net:")]), self.SANDBOXES)

        with contextlib.suppress(AssertionError):  # said better below
            eventually(lambda: held(self.host) == before, 30)
        self.assertEqual(held(self.host), before)
        self.assertEqual([pid for pid, start in processes.items() if started(pid) == start], [], "processes or zombies")
        self.assertEqual(namespaces_in_use() & (namespaces - own), set())
        for pid, known in mounts_before.items():
            # Others may mount something for a moment meanwhile; what a sandbox leaves stays.
            eventually(lambda: not mounts(pid) - known, 20, f"the mounts of {pid} being as before")
        for group in cgroups - own_cgroups:
            self.assertEqual(list(CGROUPS.glob("*" + group)) + list(CGROUPS.glob(group.lstrip("/"))), [])
        self.assertEqual(list((self.host.data / "sandboxes").iterdir()) + list((self.host.data / "trash").iterdir()), [])

    def round_trip(self, pool, count):
        """Starts, pauses, resumes and ends so many sandboxes; gives the processes, namespaces and cgroups they had."""
        made = list(pool.map(self.populate, range(count)))
        below = descendants(self.host.process.pid)
        processes = {pid: started(pid) for pid in below}
        held_open = HeldNamespaces()
        self.addCleanup(held_open.close)
        held_open.add(below)
        cgroups = set().union(*(cgroups_of(pid) for pid in below))

        self.assertEqual(set(pool.map(lambda one: one.post("pause").status, made)), {204})
        self.assertEqual(set(pool.map(lambda one: one.post("connect", {"timeout": 3600}).status, made)), {201})
        self.assertEqual([pid for pid, start in processes.items() if started(pid) != start], [], "lost by a pause")

        fifth = max(1, count // 5)
        by_kill, by_lease, paused, by_daemon, by_monitor = (made[at * fifth:(at + 1) * fifth] for at in range(5))
        self.assertEqual(set(pool.map(lambda one: one.post("timeout", {"timeout": 1}).status, by_lease)), {204})
        self.assertEqual(set(pool.map(lambda one: one.post("pause").status, paused)), {204})
        victims = [(one, self.first_process(one)) for one in by_daemon + by_monitor]
        for one, (daemon, monitor) in victims:
            os.kill(daemon if one in by_daemon else monitor, signal.SIGKILL)
        # One whose daemon died is kept as paused, with its files. Half of them start afresh before they go.
        for one, _ in victims:
            eventually(lambda one=one: self.host.detail(one.id).json()["state"] == "paused", 20, "noticing")
        again = [one for one, _ in victims][::2]
        self.assertEqual(set(pool.map(lambda one: one.post("connect", {"timeout": 3600}).status, again)), {201})
        for pid in descendants(self.host.process.pid):
            processes.setdefault(pid, started(pid))
            held_open.add([pid])
        ends = by_kill + paused + [one for one, _ in victims]
        self.assertEqual(set(pool.map(lambda one: self.host.api("DELETE", "/sandboxes/" + one.id).status, ends)), {204})
        eventually(lambda: not self.host.sandbox_ids(), 20, "the end of the leases")
        for stream in self.streams:
            stream.close()
        self.streams.clear()
        return processes, held_open.names, cgroups

    def test_a_host_that_is_killed_leaves_no_process_or_namespace(self):
        with concurrent.futures.ThreadPoolExecutor(5) as pool:
            list(pool.map(self.populate, range(10)))
        below = descendants(self.host.process.pid)
        own = {namespace(self.host.process.pid, kind) for kind in NAMESPACES}
        held_open = HeldNamespaces()
        self.addCleanup(held_open.close)
        held_open.add(below)
        theirs = held_open.names - own
        self.assertGreaterEqual(len(below), 50)
        self.host.stop(signal.SIGKILL)
        eventually(lambda: not [pid for pid in below if alive(pid)], 20, "the end of the sandboxes' processes")
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, 0):  # what an init does for orphans
                pass
        eventually(lambda: not namespaces_in_use() & theirs, 20, "the end of their namespaces")


if __name__ == "__main__":
    unittest.main()
