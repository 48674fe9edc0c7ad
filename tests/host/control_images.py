#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Images: root file systems of folders and archives, registered with --image, and templates built from them."""

import os
import pathlib
import re
import shutil
import stat
import subprocess
import tarfile
import tempfile
import unittest

import build_support
from build_support import archive, hard_link, link
from control_support import BIN, Host

PROGRAMS = ("bash", "cat", "id", "ls", "env", "stat", "readlink")


def make_root(folder):
    """A small root file system: a shell and a few programs of this computer with the libraries they need."""
    root = pathlib.Path(folder)
    for name in ("usr/bin", "usr/lib", "etc", "home", "opt", "var/empty"):
        (root / name).mkdir(parents=True)
    for program in PROGRAMS:
        path = shutil.which(program, path="/usr/bin:/bin")
        shutil.copy(path, root / "usr/bin" / program)
        for library in re.findall(r"(/\S+)", subprocess.run(["ldd", path], capture_output=True, text=True).stdout):
            target = root / library.lstrip("/").replace("lib64/", "usr/lib64/", 1) if library.startswith("/lib64/") \
                else root / ("usr" + library if library.startswith("/lib/") else library).lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                shutil.copy(library, target)
    for name in ("bin", "lib", "lib64"):
        (root / "usr" / name).mkdir(exist_ok=True)
        (root / name).symlink_to("usr/" + name)
    (root / "usr/bin/sh").symlink_to("bash")
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\nowner:x:1000:1000::/home/owner:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\nowner:x:1000:\n")
    (root / "etc/only-here").write_text("of the image\n")
    (root / "etc/absolute").symlink_to("/etc/only-here")
    (root / "opt/one").write_text("one\n")
    os.link(root / "opt/one", root / "opt/two")
    (root / "opt/private").mkdir(mode=0o700)
    (root / "opt/private/file").write_text("deep\n")
    (root / "opt/private/file").chmod(0o640)
    return root


class Images(build_support.BuildTest):
    @classmethod
    def setUpClass(cls):
        place = pathlib.Path(tempfile.mkdtemp(prefix="boxdeck-image-"))
        cls.addClassCleanup(shutil.rmtree, place)
        cls.root = make_root(place / "root")
        cls.tar = place / "root.tar.gz"
        with tarfile.open(cls.tar, "w:gz") as tar:
            tar.add(cls.root, ".")
        cls.arguments = (*build_support.BuildTest.arguments, "--image", f"mine:1={cls.root}",
                         "--image", f"docker.io/library/packed={cls.tar}")
        super().setUpClass()

    def built(self, image, steps=(), name="thing", **members):
        made = self.add(name)
        self.begin(made, steps, fromImage=image, **members)
        told = self.finished(made)
        self.assertEqual(told["status"], "ready", told)
        return self.host.create(templateID=name)

    def test_a_sandbox_of_an_image_has_the_images_files_and_none_of_this_computers(self):
        for image in ("mine:1", "packed", "packed:latest"):
            with self.subTest(image=image):
                sandbox = self.built(image, name="of-" + image.replace(":", "-"))
                code, out, err = sandbox.run("cat /etc/only-here /etc/absolute; ls /usr/bin; readlink /bin; id -un")
                self.assertEqual((code, err), (0, ""))
                self.assertEqual(out.split(), ["of", "the", "image"] * 2 + sorted([*PROGRAMS, "sh"]) + ["usr/bin", "user"])
                self.assertEqual(sandbox.run("ls /usr/share /usr/include 2>/dev/null; cd /.boxdeck; echo * etc/* etc/ssl/*")[1],
                                 "envd etc etc/ssl etc/ssl/*\n")
                out = sandbox.run("cd /opt; stat -c '%n %a %u %g %h' one two private private/file; cat private/file",
                                  user="root")[1]
                self.assertEqual(out.splitlines(), ["one 644 0 0 2", "two 644 0 0 2", "private 700 0 0 2",
                                                    "private/file 640 0 0 1", "deep"])
                self.assertEqual(sandbox.run("echo x > /usr/bin/new && cat /usr/bin/new", user="root")[1], "x\n")
                self.assertFalse(pathlib.Path("/usr/bin/new").exists())
                self.assertEqual(sandbox.run("cat /etc/hostname")[1].strip(), sandbox.id)
                self.assertEqual(sandbox.write("/home/user/a", "1").status, 200)

    def test_steps_run_in_the_image(self):
        sandbox = self.built("mine:1", [{"type": "RUN", "args": ["echo built > /etc/by-step", "root"]},
                                        {"type": "ENV", "args": ["A", "b"]}], name="stepped")
        self.assertEqual(sandbox.run("cat /etc/by-step; echo $A")[1], "built\nb\n")

    def test_copies_keep_the_image(self):
        source = self.built("mine:1", name="copied")
        source.run("echo mine > ~/a")
        made = source.post("snapshots", {"name": "of-image"}).json()
        for copy in (self.host.create(templateID=made["snapshotID"]),):
            self.assertEqual(copy.run("cat ~/a /etc/only-here; ls /usr/share 2>/dev/null")[1], "mine\nof the image\n")
        source.post("pause", {"memory": False})
        source.post("connect", {"timeout": 60})
        self.assertEqual(source.run("cat /etc/only-here")[1], "of the image\n")

    def test_an_image_that_is_not_there_says_how_to_register_it(self):
        made = self.add("missing")
        self.begin(made, fromImage="python:3.12")
        told = self.finished(made)
        self.assertEqual((told["status"], told["reason"]["step"]), ("error", "base"))
        self.assertIn("--image python:3.12=PATH", told["reason"]["message"])


class Registering(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="boxdeck-image-"))
        self.addCleanup(shutil.rmtree, self.place)

    def start(self, *options, data=None):
        arguments = [word for option in options for word in ("--image", option)]
        return Host(data=data, arguments=arguments)

    def refused(self, path, part):
        data = tempfile.mkdtemp(prefix="boxdeck-test-")
        self.addCleanup(shutil.rmtree, data)
        done = subprocess.run([BIN / "boxdeck-host", "--data", data, "--image", f"bad={path}"],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(part, done.stderr)
        self.assertIn("the image bad cannot be read", done.stderr)
        self.assertEqual(list(pathlib.Path(data, "layers").iterdir()), [])
        return done.stderr

    def tar(self, entries, mode="w:gz"):
        path = self.place / "image.tar"
        path.write_bytes(archive(entries, mode))
        return path

    def layer(self, host):
        (only,) = (host.data / "layers").iterdir()
        return only / "root"

    def unpacked(self, entries, mode="w:gz"):
        host = self.start(f"image={self.tar(entries, mode)}")
        self.addCleanup(host.close)
        return self.layer(host)

    def test_an_archive_that_climbs_out_is_refused_whole(self):
        outside = self.place / "outside"
        for name in ("../outside", "usr/../../outside", "/../outside", "usr/.."):
            self.refused(self.tar([("usr", None), (name, b"x")]), "leads out of it")
        self.refused(self.tar([("usr", None), ("hard", hard_link("../../../../etc/passwd"))]), "leads out of it")
        self.refused(self.tar([("usr", None), ("hard", hard_link("/etc/shadow"))]), "which is not in it")
        self.assertFalse(outside.exists())

    def test_links_of_the_archive_lead_nowhere_but_into_it(self):
        outside = self.place / "outside"
        outside.mkdir()
        root = self.unpacked([
            ("usr", None), (str(outside).lstrip("/"), None), ("away", link(str(outside))), ("away/planted", b"x"), ("up", link("../../../../../..")),
            ("up/planted", b"x"), ("usr/deep", link("/" + "../" * 20 + "tmp")), ("tmp", None),
            ("usr/deep/planted", b"x"), ("etc", link("/usr")), ("/leading", b"x")])
        self.assertEqual(list(outside.iterdir()), [])
        self.assertEqual((root / "planted").read_bytes(), b"x")
        self.assertEqual((root / "tmp/planted").read_bytes(), b"x")
        self.assertEqual(((root / str(outside).lstrip("/")) / "planted").read_bytes(), b"x")
        self.assertEqual((root / "leading").read_bytes(), b"x")
        self.assertTrue(stat.S_ISDIR((root / "etc").lstat().st_mode))
        self.assertFalse(pathlib.Path("/tmp/planted").exists())
        self.refused(self.tar([("usr", None), ("away", link("/nosuch")), ("away/planted", b"x")]), "than a folder")

    def test_device_nodes_are_left_out_and_later_entries_win(self):
        root = self.unpacked([
            ("usr", None), ("dev", None), ("dev/sda", {"type": tarfile.BLKTYPE, "devmajor": 8}),
            ("dev/null", {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3}), ("pipe", {"type": tarfile.FIFOTYPE}),
            ("twice", b"first"), ("twice", b"second"), ("proc", b"a file"), ("setid", {"data": b"#!", "mode": 0o4755}),
            ("owned", {"data": b"x", "uid": 1000, "gid": 1000}), ("far", {"data": b"x", "uid": 3_000_000_000})])
        self.assertEqual(list((root / "dev").iterdir()), [])
        self.assertTrue(stat.S_ISFIFO((root / "pipe").lstat().st_mode))
        self.assertEqual((root / "twice").read_bytes(), b"second")
        self.assertTrue((root / "proc").is_dir())
        self.assertEqual((root / "setid").stat().st_mode & 0o7777, 0o4755)
        base = (root / "usr").stat().st_uid
        self.assertEqual((root / "owned").stat().st_uid - base, 1000)
        self.assertLess((root / "far").stat().st_uid - base, 65536)

    def test_what_is_no_root_file_system_is_refused_with_a_reason(self):
        self.refused(self.place / "nosuch", "No such file")
        self.refused("/dev/null", "neither a folder nor a file")
        text = self.place / "text"
        text.write_text("this is no archive\n" * 100)
        self.refused(text, "no readable tar archive")
        cut = self.place / "cut.tar.gz"
        cut.write_bytes(archive([("usr", None), ("usr/big", os.urandom(200_000))])[:100_000])
        self.refused(cut, "no readable tar archive")
        self.refused(self.tar([("readme", b"x")]), "neither /usr nor /bin")
        self.refused(self.tar([("manifest.json", b"[]"), ("abc/layer.tar", b"")]), "docker export")
        self.refused(self.tar([("usr", b"file"), ("usr/x", b"x")]), "something else than a folder")
        for option in ("noname", "=path", "a b=/x"):
            done = subprocess.run([BIN / "boxdeck-host", "--image", option], capture_output=True, text=True, timeout=20,
                                  check=False)
            self.assertIn("--image needs a name and a path", done.stderr)

    def test_an_image_is_read_once_and_stays(self):
        path = self.tar([("usr", None), ("usr/a", b"1")], "w:xz")
        host = self.start(f"image={path}")
        self.addCleanup(host.close)
        first = self.layer(host)
        host.stop()
        host.arguments = []
        host.start()
        self.assertEqual(self.layer(host), first)
        host.stop()
        host.arguments = ["--image", f"image={path}"]
        host.start()
        self.assertEqual(self.layer(host), first)
        self.assertNotIn("reading the image", host.stderr())
        host.stop()
        path.write_bytes(archive([("usr", None), ("usr/a", b"2")]))
        host.start()
        self.assertEqual((self.layer(host) / "usr/a").read_bytes(), b"2")
        host.stop()
        host.arguments = ["--image", "image="]
        host.start()
        self.assertEqual(list((host.data / "layers").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
