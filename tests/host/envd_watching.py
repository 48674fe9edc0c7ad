# SPDX-License-Identifier: GPL-3.0-or-later
"""Watching directories with the real boxdeck-envd."""
import os
import shutil
import sys
import time
import unittest

from envd_client import Envd, RpcFailure

BINARY = sys.argv.pop(1)


class WatchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.envd = Envd(BINARY)

    @classmethod
    def tearDownClass(cls):
        cls.envd.stop()

    def setUp(self):
        self.folder = os.path.join(self.envd.folder, "work")
        os.mkdir(self.folder)

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def at(self, *names):
        return os.path.join(self.folder, *names)

    def touch(self, name, text=""):
        with open(self.at(name), "w") as file:
            file.write(text)

    def watch(self, headers=None, **options):
        stream = self.envd.stream("filesystem.Filesystem/WatchDir", {"path": self.folder, **options}, headers)
        self.assertEqual(stream.next(), {"start": {}})
        return stream

    def until(self, stream, kind, name):
        """Reads events up to that one: [(type, name), …]."""
        seen = []
        while seen[-1:] != [(kind, name)]:
            message = stream.next()
            self.assertIsNotNone(message, stream.end)
            event = message["filesystem"]
            seen.append((event["type"].removeprefix("EVENT_TYPE_"), event["name"]))
        return seen

    def test_what_happens_to_a_file(self):
        stream = self.watch()
        self.touch("a", "text")
        self.assertEqual(self.until(stream, "WRITE", "a"), [("CREATE", "a"), ("WRITE", "a")])
        os.chmod(self.at("a"), 0o600)
        self.assertEqual(self.until(stream, "CHMOD", "a"), [("CHMOD", "a")])
        os.rename(self.at("a"), self.at("b"))
        self.assertEqual(self.until(stream, "CREATE", "b"), [("RENAME", "a"), ("CREATE", "b")])
        os.unlink(self.at("b"))
        self.assertEqual(self.until(stream, "REMOVE", "b"), [("REMOVE", "b")])
        os.mkdir(self.at("d"))
        self.until(stream, "CREATE", "d")
        self.touch("d/inner")
        self.touch("z")
        self.assertEqual(self.until(stream, "CREATE", "z"), [("CREATE", "z")], "not recursive")
        stream.close()

    def test_new_folders_are_followed(self):
        os.makedirs(self.at("old", "deep"))
        stream = self.watch(recursive=True)
        self.touch("old/deep/x")
        self.assertEqual(self.until(stream, "CREATE", "old/deep/x"), [("CREATE", "old/deep/x")])
        os.makedirs(self.at("n1", "n2", "n3"))
        self.assertEqual(self.until(stream, "CREATE", "n1/n2/n3"),
                         [("CREATE", "n1"), ("CREATE", "n1/n2"), ("CREATE", "n1/n2/n3")])
        self.touch("n1/n2/n3/y")
        self.assertEqual(self.until(stream, "CREATE", "n1/n2/n3/y"), [("CREATE", "n1/n2/n3/y")])
        stream.close()

    def test_every_file_of_a_tree_that_appears_quickly_is_told_once(self):
        stream = self.watch(recursive=True)
        expected = set()
        for top in range(30):
            for low in range(5):
                os.makedirs(self.at(f"t{top}", f"l{low}"), exist_ok=True)
                expected |= {f"t{top}", f"t{top}/l{low}", f"t{top}/l{low}/file"}
                self.touch(f"t{top}/l{low}/file")
        self.touch("last")
        created = [name for kind, name in self.until(stream, "CREATE", "last") if kind == "CREATE"]
        # The last sub-directory may still be being read when the root tells of "last".
        end = time.monotonic() + 5
        while set(created) != expected | {"last"} and time.monotonic() < end:
            message = stream.next()["filesystem"]
            if message["type"] == "EVENT_TYPE_CREATE":
                created.append(message["name"])
        self.assertEqual(set(created), expected | {"last"})
        self.assertEqual(len(created), len(set(created)), "told twice")
        stream.close()

    def test_a_renamed_folder_keeps_being_watched_under_its_new_name(self):
        os.makedirs(self.at("a", "sub"))
        stream = self.watch(recursive=True)
        os.rename(self.at("a"), self.at("b"))
        self.assertEqual(self.until(stream, "CREATE", "b"), [("RENAME", "a"), ("CREATE", "b")])
        self.touch("b/sub/x")
        self.assertEqual(self.until(stream, "CREATE", "b/sub/x"), [("CREATE", "b/sub/x")])
        os.makedirs(self.at("a"))
        self.until(stream, "CREATE", "a")
        self.touch("a/y")
        self.assertEqual(self.until(stream, "CREATE", "a/y"), [("CREATE", "a/y")])
        stream.close()

    def test_entries_come_along_when_asked_for(self):
        stream = self.watch(includeEntry=True)
        self.touch("a")
        event = stream.next()["filesystem"]
        self.assertEqual((event["entry"]["name"], event["entry"]["path"]), ("a", self.at("a")))
        os.unlink(self.at("a"))
        while event["type"] != "EVENT_TYPE_REMOVE":
            event = stream.next()["filesystem"]
        self.assertNotIn("entry", event)
        stream.close()

    def test_two_watches_of_one_folder_do_not_disturb_each_other(self):
        first, second = self.watch(), self.watch(recursive=True)
        self.touch("a")
        self.until(first, "CREATE", "a")
        self.until(second, "CREATE", "a")
        first.close()
        for number in range(20):  # before and after the daemon has noticed
            self.touch(f"b{number}")
            self.until(second, "CREATE", f"b{number}")
        second.close()

    def test_the_watched_folder_itself_goes(self):
        stream = self.watch()
        os.rmdir(self.folder)
        self.until(stream, "REMOVE", ".")
        stream.close()

    def test_failures_keepalive_and_deadline(self):
        self.touch("file")
        for path, code in ((self.at("none"), "not_found"), (self.at("file"), "invalid_argument")):
            stream = self.envd.stream("filesystem.Filesystem/WatchDir", {"path": path})
            self.assertIsNone(stream.next())
            self.assertEqual(stream.end["error"]["code"], code)
        stream = self.watch({"Keepalive-Ping-Interval": "1", "Connect-Timeout-Ms": "1500"})
        self.assertEqual(stream.next(), {"keepalive": {}})
        self.assertIsNone(stream.next())
        self.assertEqual(stream.end["error"]["code"], "deadline_exceeded")

    def test_a_polled_watcher(self):
        rpc = self.envd.file_rpc
        watcher = rpc("CreateWatcher", path=self.folder)["watcherId"]
        self.assertRegex(watcher, "^w[a-z0-9]{20}$")
        self.assertEqual(rpc("GetWatcherEvents", watcherId=watcher), {})
        self.touch("a")
        events = []
        end = time.monotonic() + 5
        while not events and time.monotonic() < end:
            events = rpc("GetWatcherEvents", watcher_id=watcher).get("events", [])
        self.assertEqual(events[0], {"name": "a", "type": "EVENT_TYPE_CREATE"})
        self.assertEqual(rpc("RemoveWatcher", watcherId=watcher), {})
        for method in ("GetWatcherEvents", "RemoveWatcher"):
            with self.assertRaises(RpcFailure) as caught:
                rpc(method, watcherId=watcher)
            self.assertEqual(caught.exception.code, "not_found")

    def test_one_inotify_instance_made_when_first_needed(self):
        with Envd(BINARY) as envd:
            instances = lambda: sum(os.readlink(f"/proc/{envd.process.pid}/fd/{fd}") == "anon_inode:inotify"
                                    for fd in os.listdir(f"/proc/{envd.process.pid}/fd"))
            if os.getuid() == 0:
                self.assertEqual(instances(), 0)
            streams = [envd.stream("filesystem.Filesystem/WatchDir", {"path": path}) for path in ("/", "/usr", "/tmp")]
            for stream in streams:
                self.assertEqual(stream.next(), {"start": {}})
            if os.getuid() == 0:
                self.assertEqual(instances(), 1)
            for stream in streams:
                stream.close()


if __name__ == "__main__":
    unittest.main(warnings="ignore")
