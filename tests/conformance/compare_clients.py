# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxdeck's own client and the official Python SDK look at the same host and must see the same.

Each makes things that the other one then reads. usage: compare_clients.py FOLDER VERSION (BOXDECK_BIN names the folder of
the programs, BOXDECK_OWN_CLIENT the program of own_client.cpp; the SDK is installed under FOLDER)
"""

import base64
import json
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "host")]

from pypi_package import enter

enter(__file__)

import unittest

from control_support import eventually
from e2b import CommandExitException, FileType, NotFoundException, Sandbox, SandboxQuery, SandboxState, Template, Volume
from sdk_test import SdkTest

HOME = "/home/user"


class Failed(Exception):
    """What our client says of a failure: kind, status, code, message."""

    def __init__(self, error):
        super().__init__(str(error))
        self.kind = error.get("kind")


class OwnClient:
    def __init__(self):
        self.process = subprocess.Popen([os.environ["BOXDECK_OWN_CLIENT"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def __call__(self, command, **arguments):
        self.process.stdin.write(json.dumps({"do": command, **arguments}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["ok"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


def seen_sandbox(info):
    """What the SDK tells of a sandbox, in our client's words."""
    return {"id": info.sandbox_id, "template": info.template_id, "name": info.name or "", "state": info.state.value,
            "started": int(info.started_at.timestamp()), "end": int(info.end_at.timestamp()), "cpus": info.cpu_count,
            "memory": info.memory_mb, "metadata": info.metadata, "envd": info.envd_version}


def seen_entry(entry):
    kinds = {FileType.FILE: "file", FileType.DIR: "dir"}
    return {"name": entry.name, "path": entry.path, "type": kinds.get(entry.type, ""), "size": entry.size,
            "mode": entry.mode, "permissions": entry.permissions, "owner": entry.owner, "group": entry.group,
            "modified": int(entry.modified_time.timestamp()), "target": entry.symlink_target}


def all_pages(pages):
    seen = []
    while pages.has_next:
        seen += pages.next_items()
    return seen


class Comparison(SdkTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.own = OwnClient()
        cls.addClassCleanup(cls.own.close)

    def test_the_same_sandboxes_are_listed(self):
        made = [self.create(metadata={"owner": "ci & co", "n": str(n)}) for n in range(3)]
        made[1].pause()
        created_here = self.own("create", timeout=300, metadata={"owner": "us", "sign": "100 % = +"})
        self.addCleanup(self.own, "kill", id=created_here)
        states = [SandboxState.RUNNING, SandboxState.PAUSED]
        theirs = [seen_sandbox(one) for one in all_pages(Sandbox.list(query=SandboxQuery(state=states)))]
        ours = self.own("list")
        by_id = {"key": lambda one: one["id"]}
        self.assertEqual(sorted(ours, **by_id), sorted(theirs, **by_id))
        self.assertEqual(len(ours), 4)

    def test_the_same_details_are_told(self):
        sandbox = self.create(metadata={"note": "ä & b"})
        ours = self.own("sandbox", id=sandbox.sandbox_id)
        self.assertEqual((ours.pop("onTimeout"), ours.pop("autoResume")), ("kill", False))
        self.assertEqual(ours, seen_sandbox(sandbox.get_info()))

    def test_what_one_changes_the_other_sees(self):
        sandbox = self.create()
        name = sandbox.sandbox_id
        self.own("timeout", id=name, timeout=900)
        self.assertEqual(int(sandbox.get_info().end_at.timestamp()), self.own("sandbox", id=name)["end"])
        self.own("pause", id=name)
        self.assertEqual(sandbox.get_info().state, SandboxState.PAUSED)
        self.own("connect", id=name, timeout=60)
        self.assertEqual(sandbox.get_info().state, SandboxState.RUNNING)
        sandbox.pause()
        self.assertEqual(self.own("sandbox", id=name)["state"], "paused")
        self.own("kill", id=name)
        self.assertFalse(sandbox.kill())
        with self.assertRaises(Failed) as gone:
            self.own("sandbox", id=name)
        self.assertEqual(gone.exception.kind, "not_found")

    def test_the_same_snapshots_are_kept(self):
        sandbox = self.create()
        sandbox.files.write("state", "kept")
        theirs = [sandbox.create_snapshot(name="compare-theirs"), sandbox.create_snapshot()]
        ours = self.own("takeSnapshot", id=sandbox.sandbox_id, name="compare-ours:v1")
        seen = [{"id": one.snapshot_id, "names": one.names}
                for one in all_pages(Sandbox.list_snapshots(sandbox_id=sandbox.sandbox_id))]
        self.assertEqual(self.own("snapshots", id=sandbox.sandbox_id, limit=2), seen)
        self.assertEqual(len(seen), 3)
        self.assertIn(ours["id"], [one["id"] for one in seen])
        copy = self.create(template=ours["id"])
        self.assertEqual(base64.b64decode(self.own("read", id=copy.sandbox_id, path=HOME + "/state")), b"kept")
        copy.kill()
        self.own("deleteSnapshot", id=theirs[0].snapshot_id)
        self.own("deleteSnapshot", id=theirs[0].snapshot_id)  # gone already is no failure
        self.assertFalse(Sandbox.delete_snapshot(theirs[0].snapshot_id))
        self.assertTrue(Sandbox.delete_snapshot(ours["id"]))
        self.assertTrue(Sandbox.delete_snapshot(theirs[1].snapshot_id))
        self.assertEqual(self.own("snapshots", id=sandbox.sandbox_id), [])

    def test_a_fork_made_by_one_is_a_sandbox_to_the_other(self):
        sandbox = self.create()
        sandbox.files.write("who", "source")
        forks = self.own("fork", id=sandbox.sandbox_id, count=2)
        for name in forks:
            self.addCleanup(Sandbox.kill, name)
            self.assertEqual(Sandbox.connect(name).files.read("who"), "source")
        with self.assertRaises(Failed) as missing:
            self.own("fork", id="iaaaabbbbccccdddd1111")
        self.assertEqual(missing.exception.kind, "not_found")

    def test_tags_point_at_the_same_builds(self):
        built = Template.build(Template().from_base_image().run_cmd("echo hi > ~/hi"), "compared:v1")
        moved = self.own("assignTags", target="compared:v1", tags=["stable", "default"])
        self.assertEqual(moved, built.build_id)
        theirs = sorted((one.tag, one.build_id, int(one.created_at.timestamp())) for one in Template.get_tags("compared"))
        ours = sorted((one["tag"], one["build"], one["created"]) for one in self.own("tags", template="compared"))
        self.assertEqual(ours, theirs)
        self.assertEqual([tag for tag, *_ in ours], ["default", "stable", "v1"])
        listed = {one["name"].split("/")[-1]: one for one in self.own("templates")}
        self.assertEqual((listed["compared"]["build"], listed["compared"]["status"]), (built.build_id, "ready"))
        self.own("deleteTemplate", template=built.template_id)
        self.assertFalse(Template.exists("compared"))

    def test_the_same_is_measured(self):
        sandbox = self.create()
        eventually(lambda: len(self.own("metrics", id=sandbox.sandbox_id)) >= 2, 30, "a second sample")
        ours = self.own("metrics", id=sandbox.sandbox_id)
        theirs = [{"at": int(one.timestamp.timestamp()), "cpus": one.cpu_count, "cpu": one.cpu_used_pct,
                   "memUsed": one.mem_used, "memTotal": one.mem_total, "memCache": one.mem_cache,
                   "diskUsed": one.disk_used, "diskTotal": one.disk_total} for one in sandbox.get_metrics()]
        self.assertEqual(ours, theirs[:len(ours)])
        self.assertTrue(any("Created" in line for line in self.own("logs", id=sandbox.sandbox_id)))

    def test_volumes_hold_the_same_files(self):
        volume = Volume.create("compared-volume")
        self.addCleanup(Volume.destroy, volume.volume_id)
        listed = [(one["id"], one["name"]) for one in self.own("volumes")]
        self.assertEqual(listed, [(one.volume_id, one.name) for one in Volume.list()])
        volume.make_dir("/deep/folder", force=True)
        volume.write_file("/deep/theirs & 100%.bin", bytes(range(256)))
        here = {"volume": volume.volume_id}
        self.own("volumeWrite", **here, path="/deep/ours ü+.bin", content=base64.b64encode(b"ours\0").decode())
        self.assertEqual(volume.read_file("/deep/ours ü+.bin", format="bytes"), b"ours\0")
        theirs = self.own("volumeRead", **here, path="/deep/theirs & 100%.bin")
        self.assertEqual(base64.b64decode(theirs), bytes(range(256)))
        ours = sorted(self.own("volumeList", **here, path="/deep"), key=lambda one: one["path"])
        self.assertEqual(ours, sorted(({"name": one.name, "type": one.type.value, "path": one.path, "size": one.size,
                                        "mode": one.mode, "uid": one.uid, "gid": one.gid,
                                        "mtime": int(one.mtime.timestamp())} for one in volume.list("/deep")),
                                      key=lambda one: one["path"]))
        with self.assertRaises(Failed) as missing:
            self.own("volumeRead", **here, path="/deep/missing")
        self.assertEqual(missing.exception.kind, "not_found")
        sandbox = self.create(volume_mounts={"/home/user/shared": volume})
        self.assertEqual(sandbox.commands.run("cat '/home/user/shared/deep/ours ü+.bin' | od -c | head -1").exit_code, 0)
        sandbox.kill()

    def test_the_same_files_are_listed(self):
        sandbox = self.create()
        sandbox.commands.run("mkdir -p tree/sub && cd tree && printf 12345 > plain && printf x > 'a b&c+d%41' && printf y > sub/ü"
                             " && ln -s plain link && ln -s nowhere broken && mkfifo pipe && chmod 751 sub && chmod 640 plain")
        ours = self.own("listFolder", id=sandbox.sandbox_id, path=HOME + "/tree", depth=2)
        theirs = [seen_entry(one) for one in sandbox.files.list("tree", depth=2)]
        by_path = {"key": lambda one: one["path"]}
        self.assertEqual(len(ours), 7)
        # The SDK leaves out what is neither file nor folder; a person wants to see it.
        shared = [one for one in ours if one["type"]]
        self.assertEqual(sorted(shared, **by_path), sorted(theirs, **by_path))
        self.assertEqual({one["name"] for one in ours if not one["type"]}, {"broken", "pipe"})
        for name in ("plain", "link", "sub", "a b&c+d%41"):
            self.assertEqual(self.own("stat", id=sandbox.sandbox_id, path=f"{HOME}/tree/{name}"),
                             seen_entry(sandbox.files.get_info("tree/" + name)), name)

    def test_what_one_writes_the_other_reads(self):
        sandbox = self.create()
        every_byte = bytes(range(256)) * 40
        for name in ("plain.bin", 'quote " and \\ back', "percent%2Fslash", "日本語"):
            self.own("write", id=sandbox.sandbox_id, path=f"{HOME}/{name}", content=base64.b64encode(every_byte).decode())
            self.assertEqual(bytes(sandbox.files.read(f"{HOME}/{name}", format="bytes")), every_byte, name)
            sandbox.files.write(f"{HOME}/{name}", every_byte[::-1])
            ours = base64.b64decode(self.own("read", id=sandbox.sandbox_id, path=f"{HOME}/{name}"))
            self.assertEqual(ours, every_byte[::-1], name)
        self.own("makeFolder", id=sandbox.sandbox_id, path=HOME + "/new/deep")
        self.assertTrue(sandbox.files.exists("new/deep"))
        self.own("move", id=sandbox.sandbox_id, path=HOME + "/plain.bin", to=HOME + "/new/moved.bin")
        self.assertTrue(sandbox.files.exists("new/moved.bin"))
        self.own("remove", id=sandbox.sandbox_id, path=HOME + "/new")
        self.assertFalse(sandbox.files.exists("new"))

    def test_both_miss_the_same(self):
        sandbox = self.create()
        with self.assertRaises(NotFoundException):
            sandbox.files.read("missing")
        with self.assertRaises(Failed) as missing:
            self.own("read", id=sandbox.sandbox_id, path=HOME + "/missing")
        self.assertEqual(missing.exception.kind, "not_found")
        sandbox.files.make_dir("there")
        self.assertFalse(sandbox.files.make_dir("there"))
        with self.assertRaises(Failed) as there:
            self.own("makeFolder", id=sandbox.sandbox_id, path=HOME + "/there")
        self.assertEqual(there.exception.kind, "conflict")

    def test_commands_end_alike(self):
        sandbox = self.create()
        for line in ("true", "exit 3", "echo out; echo err >&2", "printf '\\303'; sleep 0.1; printf '\\244'", "kill -9 $$",
                     "seq 20000", "echo $GIVEN; pwd; id -un"):
            try:
                theirs = sandbox.commands.run(line, envs={"GIVEN": "a value"})
            except CommandExitException as ended:
                theirs = ended
            ours = self.own("run", id=sandbox.sandbox_id, line=line, envs={"GIVEN": "a value"})
            text = {name: base64.b64decode(ours[name]).decode() for name in ("stdout", "stderr")}
            self.assertEqual((ours["exitCode"], text["stdout"], text["stderr"]),
                             (theirs.exit_code, theirs.stdout, theirs.stderr), line)

    def test_the_same_processes_run(self):
        sandbox = self.create()
        started = sandbox.commands.run("exec sleep 600", background=True)
        theirs = [(one.pid, one.cmd, one.args, one.tag or "") for one in sandbox.commands.list()]
        ours = [(one["pid"], one["cmd"], one["args"], one["tag"]) for one in self.own("processes", id=sandbox.sandbox_id)]
        self.assertEqual(ours, theirs)
        self.own("signalKill", id=sandbox.sandbox_id, pid=started.pid)
        with self.assertRaises(CommandExitException):
            started.wait()
        self.assertEqual(self.own("processes", id=sandbox.sandbox_id), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
