# SPDX-License-Identifier: GPL-3.0-or-later
"""filesystem.Filesystem of the real boxdeck-envd on real files."""
import os
import pwd
import shutil
import socket
import sys
import time
import unittest
import urllib.parse

from envd_client import Envd, RpcFailure

BINARY = sys.argv.pop(1)
ROOT = os.getuid() == 0
ME = pwd.getpwuid(os.getuid())


class FilesystemTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.envd = Envd(BINARY)

    @classmethod
    def tearDownClass(cls):
        cls.envd.stop()

    def setUp(self):
        self.folder = os.path.join(self.envd.folder, "work")
        os.mkdir(self.folder)
        self.rpc = self.envd.file_rpc

    def tearDown(self):
        shutil.rmtree(self.folder)

    def at(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content=b""):
        with open(self.at(name), "wb") as file:
            file.write(content)
        return self.at(name)

    def assertRefused(self, code, method, **message):
        with self.assertRaises(RpcFailure) as caught:
            self.rpc(method, **message)
        self.assertEqual(caught.exception.code, code, caught.exception)
        return caught.exception

    def names(self, **message):
        return [entry["path"][len(self.folder) + 1:] for entry in self.rpc("ListDir", **message).get("entries", [])]

    def test_stat_of_a_file(self):
        path = self.write("a.txt", b"12345")
        os.chmod(path, 0o640)
        os.utime(path, ns=(0, 1_700_000_000_120_000_000))
        self.assertEqual(self.rpc("Stat", path=path)["entry"], {
            "name": "a.txt", "type": "FILE_TYPE_FILE", "path": path, "size": "5", "mode": 0o640,
            "permissions": "-rw-r-----", "owner": ME.pw_name, "group": os.popen("id -gn").read().strip(),
            "modifiedTime": "2023-11-14T22:13:20.120Z"})

    def test_stat_of_links_and_special_files(self):
        target = self.write("target", b"x" * 100)
        os.chmod(target, 0o600)
        os.symlink("target", self.at("link"))
        entry = self.rpc("Stat", path=self.at("link"))["entry"]
        self.assertEqual((entry["type"], entry["mode"], entry["permissions"], entry["size"], entry["symlinkTarget"]),
                         ("FILE_TYPE_FILE", 0o600, "Lrwxrwxrwx", "6", target))
        os.symlink("nowhere", self.at("broken"))
        entry = self.rpc("Stat", path=self.at("broken"))["entry"]
        self.assertNotIn("type", entry)
        self.assertNotIn("mode", entry)
        self.assertEqual(entry["symlinkTarget"], self.at("broken"))
        os.mkfifo(self.at("pipe"))
        self.assertNotIn("type", self.rpc("Stat", path=self.at("pipe"))["entry"])
        self.assertNotIn("symlinkTarget", self.rpc("Stat", path=target)["entry"])

    def test_stat_failures(self):
        error = self.assertRefused("not_found", "Stat", path=self.at("none"))
        self.assertEqual(error.status, 404)
        self.write("file")
        self.assertRefused("internal", "Stat", path=self.at("file", "below"))
        self.assertRefused("invalid_argument", "Stat", path="~root/x")
        with self.assertRaises(RpcFailure) as caught:
            self.envd.rpc("filesystem.Filesystem/Stat", {"path": "/"}, user="nosuchuser")
        self.assertEqual((caught.exception.status, caught.exception.code, caught.exception.message),
                         (401, "unauthenticated", "invalid username: 'nosuchuser'"))

    def test_paths_are_relative_to_the_users_home(self):
        self.assertEqual(self.rpc("Stat", path="")["entry"]["path"], ME.pw_dir)
        self.assertEqual(self.rpc("Stat", path="~")["entry"]["path"], ME.pw_dir)
        self.assertEqual(self.rpc("Stat", path="../etc/../usr")["entry"]["path"],
                         os.path.normpath(os.path.join(ME.pw_dir, "../usr")))
        self.assertEqual(self.rpc("Stat", path="/usr/../usr")["entry"]["path"], "/usr/../usr")

    def test_making_a_folder_that_exists(self):
        error = self.assertRefused("already_exists", "MakeDir", path=self.folder)
        self.assertEqual(error.status, 409)
        self.write("file")
        error = self.assertRefused("invalid_argument", "MakeDir", path=self.at("file"))
        self.assertEqual(error.status, 400)
        self.assertRefused("internal", "MakeDir", path=self.at("file", "below"))
        entry = self.rpc("MakeDir", path=self.at("a", "b", "c"))["entry"]
        self.assertEqual((entry["name"], entry["type"], entry["mode"]), ("c", "FILE_TYPE_DIRECTORY", 0o755))
        self.assertTrue(os.path.isdir(self.at("a", "b", "c")))

    def test_folders_belong_to_the_named_user(self):
        if not ROOT:
            self.assertEqual(self.rpc("MakeDir", path=self.at("mine"))["entry"]["owner"], ME.pw_name)
            return
        entry = self.envd.rpc("filesystem.Filesystem/MakeDir", {"path": self.at("x", "y")}, user="nobody")["entry"]
        self.assertEqual(entry["owner"], "nobody")
        self.assertEqual(os.stat(self.at("x")).st_uid, pwd.getpwnam("nobody").pw_uid)

    def test_move(self):
        self.write("from", b"new")
        self.write("to", b"old")
        entry = self.rpc("Move", source=self.at("from"), destination=self.at("to"))["entry"]
        self.assertEqual((entry["name"], entry["size"]), ("to", "3"))
        self.assertFalse(os.path.exists(self.at("from")))
        self.rpc("Move", source=self.at("to"), destination=self.at("deep", "er", "to"))
        self.assertTrue(os.path.exists(self.at("deep", "er", "to")))
        os.mkdir(self.at("empty"))
        self.write("f")
        os.mkdir(self.at("d"))
        self.assertRefused("internal", "Move", source=self.at("f"), destination=self.at("empty"))
        self.assertRefused("internal", "Move", source=self.at("d"), destination=self.at("empty"))
        self.assertRefused("internal", "Move", source=self.at("d"), destination=self.at("f"))
        self.assertTrue(os.path.isdir(self.at("empty")) and os.path.isdir(self.at("d")))
        self.assertRefused("not_found", "Move", source=self.at("none"), destination=self.at("p", "q"))
        self.assertTrue(os.path.isdir(self.at("p")), "parents are made even then")

    def test_remove(self):
        os.makedirs(self.at("tree", "a", "b"))
        outside = self.write("outside", b"kept")
        os.symlink(outside, self.at("tree", "a", "link"))
        os.symlink(self.folder, self.at("tree", "up"))
        self.write("tree/a/b/file")
        self.assertEqual(self.rpc("Remove", path=self.at("tree")), {})
        self.assertFalse(os.path.lexists(self.at("tree")))
        self.assertTrue(os.path.exists(outside))
        self.assertEqual(self.rpc("Remove", path=self.at("tree")), {}, "missing is fine")
        os.symlink("outside", self.at("link"))
        self.rpc("Remove", path=self.at("link"))
        self.assertTrue(os.path.exists(outside))
        self.assertRefused("internal", "Remove", path=self.at("."))
        self.assertTrue(os.path.isdir(self.folder))

    def test_list_is_pre_order_and_sorted_by_bytes(self):
        for name in ("b/y", "b/x", "a", "B", "c d/e/f", "\u00e9"):
            os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
            self.write(name)
        self.assertEqual(self.names(path=self.folder), ["B", "a", "b", "c d", "\u00e9"])
        self.assertEqual(self.names(path=self.folder, depth=0), ["B", "a", "b", "c d", "\u00e9"])
        self.assertEqual(self.names(path=self.folder, depth="2"),
                         ["B", "a", "b", "b/x", "b/y", "c d", "c d/e", "\u00e9"])
        self.assertEqual(self.names(path=self.folder, depth=9),
                         ["B", "a", "b", "b/x", "b/y", "c d", "c d/e", "c d/e/f", "\u00e9"])
        os.mkdir(self.at("empty"))
        self.assertEqual(self.rpc("ListDir", path=self.at("empty")), {})

    def test_a_listed_link_keeps_the_requested_prefix_and_nested_links_are_not_followed(self):
        os.makedirs(self.at("real", "sub"))
        os.symlink("real", self.at("link"))
        os.symlink(self.folder, self.at("real", "sub", "loop"))
        entries = self.rpc("ListDir", path=self.at("link") + "/", depth=5)["entries"]
        self.assertEqual([e["path"] for e in entries], [self.at("link", "sub"), self.at("link", "sub", "loop")])
        self.assertEqual((entries[1]["type"], entries[1]["symlinkTarget"]), ("FILE_TYPE_DIRECTORY", self.folder))

    def test_one_broken_link_does_not_hide_the_folder(self):
        self.write("good", b"x")
        os.symlink("nothing", self.at("dangling"))
        os.symlink("itself", self.at("itself"))
        os.mkdir(self.at("closed"))
        os.symlink("closed/inside", self.at("into"))
        os.chmod(self.at("closed"), 0)
        self.assertEqual(self.names(path=self.folder), ["closed", "dangling", "good", "into", "itself"])
        entries = {e["name"]: e for e in self.rpc("ListDir", path=self.folder)["entries"]}
        self.assertEqual(entries["good"]["type"], "FILE_TYPE_FILE")
        for name in ("dangling", "into", "itself"):
            self.assertNotIn("type", entries[name])
            self.assertIn("symlinkTarget", entries[name])
        for name in ("dangling", "itself"):
            response, _ = self.envd.request("GET", "/files?path=" + urllib.parse.quote(self.at(name)))
            self.assertIn(response.status, (404, 500))
        os.chmod(self.at("closed"), 0o700)

    def test_list_failures(self):
        self.assertRefused("not_found", "ListDir", path=self.at("none"))
        self.write("file")
        self.assertRefused("invalid_argument", "ListDir", path=self.at("file"))
        self.assertRefused("internal", "ListDir", path=self.at("file", "below"))
        os.symlink("loop", self.at("loop"))
        self.assertRefused("failed_precondition", "ListDir", path=self.at("loop"))

    def test_percent_signs_are_plain_characters(self):
        contents = {"report%20name.txt": b"1", "report name.txt": b"2", "100%.txt": b"3", "%2e%2e": b"4", "a+b": b"5"}
        for name, content in contents.items():
            self.write(name, content)
        self.assertEqual(self.names(path=self.folder), sorted(contents))
        for name, content in contents.items():
            response, body = self.envd.request("GET", "/files?path=" + urllib.parse.quote(self.at(name)))
            self.assertEqual((response.status, body), (200, content), name)
            self.assertEqual(self.rpc("Stat", path=self.at(name))["entry"]["name"], name)
            self.rpc("Move", source=self.at(name), destination=self.at(name + "%41"))
            self.assertTrue(os.path.exists(self.at(name + "%41")))
            self.rpc("Remove", path=self.at(name + "%41"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_names_that_are_no_utf8_do_not_break_the_listing(self):
        with open(os.path.join(self.folder.encode(), b"bad\xff"), "wb"):
            self.write("good")
        self.assertEqual(self.names(path=self.folder), ["bad\ufffd", "good"])

    def test_a_hundred_thousand_entries(self):
        count = 100_000
        for number in range(count):
            os.close(os.open(self.at(f"{number:06}" + "n" * (number % 190)), os.O_CREAT | os.O_WRONLY))
        begin = time.monotonic()
        response, body = self.envd.request("POST", "/filesystem.Filesystem/ListDir",
                                           '{"path":"%s"}' % self.folder, {"Content-Type": "application/json"})
        seconds = time.monotonic() - begin
        self.assertEqual(response.status, 200)
        self.assertEqual(body.count(b'"modifiedTime"'), count)
        print(f"listing {count} entries: {seconds:.2f} s, {len(body) / 1e6:.1f} MB")
        self.assertLess(seconds, 15, "0.5 s are usual; a tree in between would take minutes")
        begin = time.monotonic()
        self.rpc("Remove", path=self.folder)
        print(f"removing them: {time.monotonic() - begin:.2f} s")
        os.mkdir(self.folder)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
