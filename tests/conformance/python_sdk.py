# SPDX-License-Identifier: GPL-3.0-or-later
"""The official Python SDK against a real boxdeck-host: a witness that was not written here.

Installs the pinned SDK into a virtual environment under the build folder and runs the tests in it.
usage: python_sdk.py FOLDER VERSION (BOXDECK_BIN names the folder of the programs)
"""

import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "host")]

from pypi_package import enter

enter(__file__)

import threading
import unittest

from control_support import eventually
from sdk_test import SdkTest


class Story(SdkTest):
    def test_create_list_and_kill(self):
        from e2b import Sandbox, SandboxQuery, SandboxState
        made = [self.create(metadata={"purpose": "listing & more", "n": str(n)}) for n in range(3)]
        pages = Sandbox.list(query=SandboxQuery(metadata={"purpose": "listing & more"}, state=[SandboxState.RUNNING]), limit=2)
        seen = []
        while pages.has_next:
            seen += [one.sandbox_id for one in pages.next_items()]
        self.assertEqual(sorted(seen), sorted(one.sandbox_id for one in made))
        info = made[0].get_info()
        self.assertEqual((info.metadata["n"], info.name), ("0", "base"))
        self.assertTrue(made[0].is_running())
        made[0].set_timeout(300)
        self.assertGreater(made[0].get_info().end_at, info.end_at)
        self.assertTrue(made[0].kill())
        self.assertFalse(made[0].kill())
        self.assertFalse(made[0].is_running())

    def test_commands(self):
        from e2b import CommandExitException
        sandbox = self.create(envs={"FROM_CREATE": "yes"})
        done = sandbox.commands.run("echo out; echo err >&2; echo $FROM_CREATE $FROM_RUN; pwd; id -un", envs={"FROM_RUN": "too"})
        self.assertEqual((done.exit_code, done.stdout, done.stderr), (0, "out\nyes too\n/home/user\nuser\n", "err\n"))
        with self.assertRaises(CommandExitException) as failed:
            sandbox.commands.run("echo bad >&2; exit 3")
        self.assertEqual((failed.exception.exit_code, failed.exception.stderr), (3, "bad\n"))
        self.assertEqual(sandbox.commands.run("id -un", user="root").stdout, "root\n")
        lines = []
        sandbox.commands.run("for i in 1 2 3; do echo $i; done", on_stdout=lines.append)
        self.assertEqual("".join(lines), "1\n2\n3\n")
        background = sandbox.commands.run("cat; exit 5", background=True, stdin=True)
        self.assertIn(background.pid, [one.pid for one in sandbox.commands.list()])
        sandbox.commands.send_stdin(background.pid, "hello\n")
        sandbox.commands.close_stdin(background.pid)
        with self.assertRaises(CommandExitException) as ended:
            background.wait()
        self.assertEqual((ended.exception.exit_code, ended.exception.stdout), (5, "hello\n"))
        sleeper = sandbox.commands.run("sleep 300", background=True)
        self.assertTrue(sandbox.commands.kill(sleeper.pid))
        self.assertFalse(sandbox.commands.kill(99999))

    def test_files(self):
        from e2b import FileType, NotFoundException
        sandbox = self.create()
        odd = "odd 'name' \u00fc %41 +&=.txt"
        sandbox.files.write(f"/home/user/dir/{odd}", "text\n")
        self.assertEqual(sandbox.files.read(f"dir/{odd}"), "text\n")
        data = os.urandom(3_000_000)
        sandbox.files.write("binary", data)
        self.assertEqual(bytes(sandbox.files.read("binary", format="bytes")), data)
        self.assertTrue(sandbox.files.make_dir("new"))
        self.assertFalse(sandbox.files.make_dir("new"))
        listed = {one.name: one.type for one in sandbox.files.list("/home/user")}
        self.assertEqual((listed["dir"], listed["binary"]), (FileType.DIR, FileType.FILE))
        self.assertEqual(sandbox.files.rename("binary", "new/moved").path, "/home/user/new/moved")
        self.assertFalse(sandbox.files.exists("binary"))
        info = sandbox.files.get_info("new/moved")
        self.assertEqual((info.size, info.owner), (3_000_000, "user"))
        sandbox.files.remove("new")
        self.assertFalse(sandbox.files.exists("new"))
        with self.assertRaises(NotFoundException):
            sandbox.files.read("none")
        watch = sandbox.files.watch_dir("dir")
        sandbox.files.write("dir/watched", "x")
        names = []

        def seen():
            names.extend(event.name for event in watch.get_new_events())
            return "watched" in names

        eventually(seen, 20, "the event")
        watch.stop()

    def test_signed_urls(self):
        import urllib.request
        sandbox = self.create()
        sandbox.files.write("signed +file", "through a URL")
        # The SDK signs for the sandbox's own host name, which this computer cannot resolve: keep the path, take our address.
        url = sandbox.download_url("signed +file")
        request = urllib.request.Request(self.host.ready["apiUrl"] + "/files?" + url.split("/files?", 1)[1], headers={
            "E2b-Sandbox-Id": sandbox.sandbox_id, "E2b-Sandbox-Port": "49983"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            self.assertEqual(answer.read(), b"through a URL")

    def test_terminal(self):
        from e2b import PtySize
        sandbox = self.create()
        output, seen = [], threading.Event()
        terminal = sandbox.pty.create(PtySize(rows=43, cols=132), timeout=60)

        def take():
            try:
                for _, _, data in terminal:
                    if data:
                        output.append(data)
                        if b"24 80" in b"".join(output):
                            seen.set()
            except Exception:
                pass

        reader = threading.Thread(target=take)
        reader.start()
        sandbox.pty.send_stdin(terminal.pid, b"stty size; locale 2>/dev/null | head -1; echo $TERM\n")
        eventually(lambda: b"43 132" in b"".join(output), 30, "the size")
        sandbox.pty.resize(terminal.pid, PtySize(rows=24, cols=80))
        sandbox.pty.send_stdin(terminal.pid, b"stty size\n")
        self.assertTrue(seen.wait(10))
        self.assertIn(b"xterm", b"".join(output))
        self.assertTrue(sandbox.pty.kill(terminal.pid))
        reader.join(10)
        self.assertFalse(reader.is_alive())

    def test_pause_and_connect(self):
        from e2b import Sandbox, SandboxState
        sandbox = self.create()
        sandbox.files.write("kept", "kept")
        sleeper = sandbox.commands.run("sleep 300", background=True)
        sandbox.pause()
        self.assertEqual(Sandbox.get_info(sandbox.sandbox_id).state, SandboxState.PAUSED)
        self.assertFalse(sandbox.pause())
        again = Sandbox.connect(sandbox.sandbox_id, timeout=90)
        self.assertEqual(again.files.read("kept"), "kept")
        self.assertIn(sleeper.pid, [one.pid for one in again.commands.list()])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
