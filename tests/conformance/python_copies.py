# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots, forks and tags with the official Python SDK against a real boxdeck-host.

usage: python_copies.py FOLDER VERSION (see python_sdk.py)
"""

import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "host")]

from pypi_package import enter

enter(__file__)

import unittest

from e2b import NotFoundException, Sandbox, SandboxException, Template
from sdk_test import SdkTest


class Copies(SdkTest):
    def snapshots(self, **options):
        pages = Sandbox.list_snapshots(**options)
        found = []
        while pages.has_next:
            found += pages.next_items()
        return found

    def test_a_snapshot_is_taken_used_listed_and_deleted(self):
        source = self.create()
        source.files.write("state.txt", "before")
        taken = source.create_snapshot()
        self.addCleanup(Sandbox.delete_snapshot, taken.snapshot_id)
        source.files.write("state.txt", "after")
        copy = self.create(taken.snapshot_id)
        self.assertEqual(copy.files.read("state.txt"), "before")
        self.assertEqual(source.files.read("state.txt"), "after")
        self.assertNotEqual(copy.sandbox_id, source.sandbox_id)
        self.assertEqual([one.snapshot_id for one in self.snapshots(sandbox_id=source.sandbox_id)], [taken.snapshot_id])
        self.assertEqual(self.snapshots(sandbox_id=copy.sandbox_id), [])
        copy.kill()
        self.assertTrue(Sandbox.delete_snapshot(taken.snapshot_id))
        self.assertFalse(Sandbox.delete_snapshot(taken.snapshot_id))
        with self.assertRaises(SandboxException):
            Sandbox.create(taken.snapshot_id, timeout=60)

    def test_many_snapshots_come_in_pages(self):
        source = self.create()
        taken = {source.create_snapshot().snapshot_id for _ in range(5)}
        pages = Sandbox.list_snapshots(sandbox_id=source.sandbox_id, limit=2)
        sizes, found = [], []
        while pages.has_next:
            page = pages.next_items()
            sizes.append(len(page))
            found += [one.snapshot_id for one in page]
        self.assertEqual((sizes, set(found), len(found)), ([2, 2, 1], taken, 5))
        for snapshot in taken:
            Sandbox.delete_snapshot(snapshot)

    def test_a_snapshot_outlives_its_source(self):
        source = self.create()
        source.files.write("kept.bin", bytes(range(256)) * 1000)
        taken = source.create_snapshot()
        source.kill()
        copy = self.create(taken.snapshot_id)
        self.assertEqual(bytes(copy.files.read("kept.bin", format="bytes")), bytes(range(256)) * 1000)
        copy.kill()
        Sandbox.delete_snapshot(taken.snapshot_id)

    def test_forks_stand_alone(self):
        source = self.create(metadata={"role": "source"})
        source.files.write("who.txt", "source")
        forks = source.fork(count=3, timeout=90)
        self.assertEqual([type(one).__name__ for one in forks], ["Sandbox"] * 3)
        for fork in forks:
            self.addCleanup(fork.kill)
        self.assertEqual(len({one.sandbox_id for one in forks} | {source.sandbox_id}), 4)
        forks[0].files.write("who.txt", "first fork")
        self.assertEqual([one.files.read("who.txt") for one in (source, *forks)],
                         ["source", "first fork", "source", "source"])
        self.assertEqual(forks[1].commands.run("echo works").stdout, "works\n")
        with self.assertRaises(NotFoundException):
            Sandbox.fork("iaaaabbbbccccdddd1111")

    def test_tags_point_at_builds(self):
        info = Template.build(Template().from_base_image().run_cmd("echo one > ~/which"), "tagged:v1", skip_cache=True)
        self.assertTrue(Template.exists("tagged:v1"))
        Template.assign_tags("tagged:v1", ["stable", "default"])
        tags = {one.tag for one in Template.get_tags(info.template_id)}
        self.assertEqual(tags, {"v1", "stable", "default"})
        Template.build(Template().from_base_image().run_cmd("echo two > ~/which"), "tagged:v2", skip_cache=True)
        self.assertEqual(self.create("tagged:stable").files.read("which"), "one\n")
        self.assertEqual(self.create("tagged:v2").files.read("which"), "two\n")
        Template.assign_tags("tagged:v2", "default")
        self.assertEqual(self.create("tagged").files.read("which"), "two\n")
        Template.remove_tags("tagged", ["stable"])
        with self.assertRaises(SandboxException):
            Sandbox.create("tagged:stable", timeout=60)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
