#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk with no room left: what fails says so, leaves nothing half, and can be tried again when there is room."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from build_support import BuildTest, run
from control_support import Host, Sandbox, eventually


class FullDisk(BuildTest):
    """A host whose data folder is a file system of 32 MiB, mounted where only this test sees it."""

    @classmethod
    def setUpClass(cls):
        place = pathlib.Path(tempfile.mkdtemp(prefix="boxdeck-full-"))
        cls.addClassCleanup(place.rmdir)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "boxdeck", place], check=True)
        # Lazily: a mount namespace of a sandbox that has ended may hold it for a moment.
        cls.addClassCleanup(subprocess.run, ["umount", "--lazy", place], check=True)
        cls.host = Host(place)
        cls.addClassCleanup(cls.host.close)

    def tearDown(self):
        super().tearDown()
        for snapshot in self.host.api("GET", "/snapshots").json():
            self.host.api("DELETE", "/templates/" + urllib.parse.quote(snapshot["snapshotID"], safe=""))
        self.assertEqual(list(self.host.data.rglob("*.new")), [])

    @contextlib.contextmanager
    def full(self):
        """Not one byte free meanwhile."""
        filler = self.host.data / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        try:
            yield
        finally:
            filler.unlink()

    def no_room(self, answer):
        """Says what is missing, and nothing of where on this computer."""
        self.assertIn(answer.status, (500, 503, 507), answer.body)
        message = answer.json()["message"]
        self.assertIn("No space left", message)
        self.assertNotIn(str(self.host.data), message)
        self.assertNotIn("boxdeck-host", message)

    def test_what_cannot_be_written_did_not_happen(self):
        sandbox = self.host.create(timeout=600)
        made = self.good("before", [])
        waiting = self.add("waits")
        with self.full():
            for method, path, body in (
                ("POST", "/v2/sandboxes", {"templateID": "base"}), ("POST", "/volumes", {"name": "v"}),
                ("POST", "/v3/templates", {"name": "new"}), ("POST", "/templates/tags", {"target": "before", "tags": ["late"]}),
                ("PUT", f"/sandboxes/{sandbox.id}/network", {}), ("POST", f"/sandboxes/{sandbox.id}/snapshots", {}),
                ("POST", f"/sandboxes/{sandbox.id}/fork", {}),
            ):
                with self.subTest(path=path):
                    self.no_room(self.host.api(method, path, body))
            self.no_room(self.begin(waiting, [run("true")]))
            self.assertEqual(self.status(waiting)["status"], "waiting")
        self.assertEqual(self.host.sandbox_ids(), [sandbox.id])
        self.assertEqual(self.host.api("GET", "/snapshots").json(), [])
        self.assertEqual(self.host.api("GET", "/volumes").json(), [])
        tags = self.host.api("GET", f"/templates/{made['templateID']}/tags").json()
        self.assertEqual([tag["tag"] for tag in tags], ["default"])
        self.assertEqual(sandbox.run("echo goes on")[1], "goes on\n")
        self.assertEqual(self.begin(waiting, [run("true")]).status, 202)
        self.assertEqual(self.finished(waiting)["status"], "ready")

    def test_a_build_that_ends_meanwhile_has_ended(self):
        made = self.add("ends")
        self.begin(made, [run("echo begun; sleep 2")])
        eventually(lambda: any(line.endswith("begun") for line in self.messages(made)), 20, "the step")
        with self.full():
            told = self.finished(made)
        self.assertEqual(told["status"], "error")
        self.assertIn("No space left", told["reason"]["message"])
        self.assertNotIn(str(self.host.data), told["reason"]["message"])

    def test_snapshots_fill_it_until_there_is_no_room_and_no_half_one(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.write("/home/user/big", os.urandom(9 << 20)).status, 200)
        made = []
        for _ in range(4):
            answer = sandbox.post("snapshots", {})
            if answer.status != 201:
                self.no_room(answer)
                break
            made.append(answer.json()["snapshotID"])
        self.assertEqual(len(made), 2)
        self.assertEqual(len(self.host.api("GET", "/snapshots").json()), 2)
        layers = list((self.host.data / "layers").iterdir())
        self.assertEqual([layer for layer in layers if not (layer / "bytes").exists()], [])
        self.assertEqual(list((self.host.data / "trash").iterdir()), [])
        self.assertEqual(sandbox.run("wc -c < big")[1], f"{9 << 20}\n")

    def test_a_host_starts_so_that_room_can_be_made(self):
        sandbox = self.host.create(timeout=600)
        sandbox.write("/home/user/f", b"kept")
        made = self.good("kept", [run("echo kept > f")])
        self.add("kept", tags=["other"])  # so that its file would have to be written at the start
        self.host.stop()
        self.host.errors.close()
        with self.full():
            self.host.start()
            self.assertEqual(self.host.sandbox_ids(), [sandbox.id])
        self.host.stop()
        self.host.errors.close()
        self.host.start()
        sandbox = Sandbox(self.host, self.host.api("POST", f"/sandboxes/{sandbox.id}/connect", {"timeout": 600}).json())
        self.assertEqual(sandbox.read("/home/user/f").body, b"kept")
        self.assertEqual(self.status(made)["status"], "ready")
        self.assertEqual(self.host.create(templateID="kept").run("cat f")[1], "kept\n")


if __name__ == "__main__":
    if os.environ.get("BOXDECK_OWN_MOUNTS") != "yes":
        # Mounts of its own, which end with it; who is not root becomes it in a user namespace.
        words = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--user", "--map-root-user"]
        os.environ["BOXDECK_OWN_MOUNTS"] = "yes"
        os.execvp(words[0], [*words, sys.executable, *sys.argv])
    unittest.main()
