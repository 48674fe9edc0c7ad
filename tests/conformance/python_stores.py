# SPDX-License-Identifier: GPL-3.0-or-later
"""What outlives sandboxes, and services inside of them, by the official Python SDK against a real boxdeck-host.

usage: python_stores.py FOLDER VERSION (BOXDECK_BIN names the folder of the programs)
"""

import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "host")]

from pypi_package import enter

enter(__file__)

import io
import unittest

from control_support import Host, eventually


class Stores(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.addClassCleanup(cls.host.close)
        os.environ.update(E2B_API_URL=cls.host.ready["apiUrl"], E2B_SANDBOX_URL=cls.host.ready["sandboxUrl"],
                          E2B_VOLUME_API_URL=cls.host.ready["apiUrl"], E2B_API_KEY=cls.host.key)
        os.environ.pop("E2B_DEBUG", None)

    def volume(self, name):
        from e2b import Volume
        volume = Volume.create(name)
        self.addCleanup(Volume.destroy, volume.volume_id)
        return volume

    def test_a_volume_is_made_listed_connected_and_destroyed(self):
        from e2b import Volume, VolumeException, VolumeNotFoundException
        volume = self.volume("kept")
        self.assertIn((volume.volume_id, "kept"), [(one.volume_id, one.name) for one in Volume.list()])
        self.assertEqual(Volume.connect(volume.volume_id).name, "kept")
        with self.assertRaises(VolumeException):
            Volume.create("kept")
        self.assertTrue(Volume.destroy(volume.volume_id))
        self.assertFalse(Volume.destroy(volume.volume_id))
        with self.assertRaises(VolumeNotFoundException):
            Volume.connect(volume.volume_id)

    def test_files_of_a_volume(self):
        from e2b import VolumeException, VolumePathNotFoundException
        volume = self.volume("files")
        made = volume.make_dir("/a/b", force=True, mode=0o750)
        self.assertEqual((made.path, made.type.value, made.mode), ("/a/b", "directory", 0o750))
        written = volume.write_file("/a/b/ü +.txt", "text", mode=0o600)
        self.assertEqual((written.size, written.mode, written.uid), (4, 0o600, 1000))
        with self.assertRaises(VolumeException):
            volume.write_file("/a/b/ü +.txt", "again")
        big = os.urandom(3 << 20)
        self.assertEqual(volume.write_file("/big", io.BytesIO(big), force=True).size, len(big))
        self.assertEqual(volume.read_file("/a/b/ü +.txt"), "text")
        self.assertEqual(volume.read_file("/big", format="bytes"), big)
        self.assertEqual(b"".join(volume.read_file("/big", format="stream")), big)
        self.assertEqual([one.path for one in volume.list("/", depth=3)], ["/a", "/a/b", "/a/b/ü +.txt", "/big"])
        self.assertEqual(volume.update_metadata("/big", mode=0o640).mode, 0o640)
        self.assertTrue(volume.exists("/big"))
        volume.remove("/big")
        self.assertFalse(volume.exists("/big"))
        with self.assertRaises(VolumePathNotFoundException):
            volume.read_file("/big")

    def test_a_volume_is_mounted_and_a_service_is_reached(self):
        from e2b import Sandbox
        volume = self.volume("shared")
        volume.write_file("/index.html", "from outside")
        sandbox = Sandbox.create(timeout=120, volume_mounts={"/mnt/site": volume})
        self.addCleanup(sandbox.kill)
        self.assertEqual(sandbox.files.read("/mnt/site/index.html"), "from outside")
        sandbox.commands.run("echo from inside > /mnt/site/note")
        self.assertEqual(volume.read_file("/note"), "from inside\n")
        self.assertEqual(sandbox.get_info().volume_mounts, [{"name": "shared", "path": "/mnt/site"}])
        sandbox.commands.run("cd /mnt/site && exec python3 -m http.server 3000", background=True)
        host = sandbox.get_host(3000)
        def served():
            answer = self.host.request("GET", "/", headers={"Host": host})
            return answer.status == 200 and answer
        self.assertEqual(eventually(served, 20, "the service").body, b"from outside")

    def test_secrets(self):
        from e2b import Secret
        secret = Secret.create("deploy-key", "hidden", {"for": "ci"})
        self.assertEqual((secret.name, secret.version, secret.metadata), ("deploy-key", 1, {"for": "ci"}))
        self.assertEqual(Secret.update("deploy-key", "hidden too").version, 2)
        self.assertEqual(Secret.get_info(secret.secret_id).metadata, {"for": "ci"})
        Secret.create("second", "x")
        pages, names = Secret.list(limit=1), []
        while pages.has_next:
            names += [one.name for one in pages.next_items()]
        self.assertEqual(names, ["second", "deploy-key"])
        self.assertTrue(Secret.exists("second"))
        self.assertTrue(Secret.destroy("second"))
        self.assertFalse(Secret.destroy("second"))
        self.assertFalse(Secret.exists("second"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
