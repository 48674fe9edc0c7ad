# SPDX-License-Identifier: GPL-3.0-or-later
"""The official command line tool against a real boxdeck-host.

usage: cli.py FOLDER VERSION (BOXDECK_BIN names the folder of the programs; the tool is installed under FOLDER)
"""

import contextlib
import json
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "host"))

from control_support import Host
from npm_package import install

tool = None


class Cli(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.home = tempfile.TemporaryDirectory()
        # Its configuration lies in HOME: ours stays untouched, and nobody is logged in.
        cls.environment = {**os.environ, "E2B_API_URL": cls.host.ready["apiUrl"], "HOME": cls.home.name,
                           "E2B_SANDBOX_URL": cls.host.ready["sandboxUrl"], "E2B_API_KEY": cls.host.key, "NO_COLOR": "1"}
        cls.environment.pop("E2B_DEBUG", None)

    @classmethod
    def tearDownClass(cls):
        cls.host.close()
        cls.home.cleanup()

    def run_tool(self, *words, stdin=""):
        return subprocess.run([tool, *words], env=self.environment, input=stdin, capture_output=True, text=True, timeout=120)

    def e2b(self, *words, **options):
        done = self.run_tool(*words, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def create(self, *options):
        return self.e2b("sandbox", "create", "--detach", *options).split()[-1]

    def test_a_sandbox_from_create_to_kill(self):
        sandbox = self.create("base", "--timeout", "600")
        listed = json.loads(self.e2b("sandbox", "list", "--format", "json"))
        self.assertIn(sandbox, [one["sandboxId"] for one in listed])
        self.assertIn("Envd version", self.e2b("sandbox", "info", sandbox))
        self.e2b("sandbox", "pause", sandbox)
        paused = json.loads(self.e2b("sandbox", "list", "--state", "paused", "--format", "json"))
        self.assertEqual([one["sandboxId"] for one in paused], [sandbox])
        self.e2b("sandbox", "resume", sandbox)
        self.e2b("sandbox", "kill", sandbox)
        self.assertNotIn(sandbox, self.e2b("sandbox", "list", "--state", "running,paused"))

    def test_exec_gives_output_and_exit_code(self):
        sandbox = self.create()
        self.assertEqual(self.e2b("sandbox", "exec", sandbox, "echo", "hello"), "hello\n")
        self.assertEqual(self.e2b("sandbox", "exec", sandbox, "--", "tr", "a-z", "A-Z", stdin="from here\n"), "FROM HERE\n")
        failed = self.run_tool("sandbox", "exec", sandbox, "--", "sh", "-c", "echo wrong >&2; exit 3")
        self.assertEqual((failed.returncode, "wrong" in failed.stderr), (3, True), failed.stdout + failed.stderr)
        self.e2b("sandbox", "kill", sandbox)

    def test_logs_and_metrics_can_be_read(self):
        sandbox = self.create()
        self.assertIn("Created", self.e2b("sandbox", "logs", sandbox))
        end = time.monotonic() + 30
        while "CPU" not in (shown := self.e2b("sandbox", "metrics", sandbox)):  # one is taken every few seconds
            self.assertLess(time.monotonic(), end, shown)
        self.e2b("sandbox", "kill", sandbox)

    def test_what_is_not_there_is_said(self):
        failed = self.run_tool("sandbox", "info", "iaaaabbbbccccdddd1111")
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("wasn't found", failed.stdout + failed.stderr)

    def test_a_terminal_is_connected(self):
        sandbox = self.create()
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(tool, [tool, "sandbox", "connect", sandbox], self.environment)
        shown = ""
        for wanted, typed in (("$ ", "echo $((6 * 7)) is the answer\n"), ("42 is the answer", "exit\n")):
            end = time.monotonic() + 60
            while wanted not in shown:
                self.assertLess(time.monotonic(), end, shown)
                if select.select([terminal], [], [], 1)[0]:
                    shown += os.read(terminal, 65536).decode(errors="replace")
            os.write(terminal, typed.encode())
        with contextlib.suppress(OSError):  # the end of a terminal
            while os.read(terminal, 65536):
                pass
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        self.e2b("sandbox", "kill", sandbox)

    def test_snapshots_are_taken_listed_and_deleted(self):
        sandbox = self.create()
        taken = self.e2b("sandbox", "snapshot", "create", sandbox, "--name", "from-tool")
        listed = json.loads(self.e2b("sandbox", "snapshot", "list", sandbox, "--format", "json"))
        self.assertEqual(len(listed), 1)
        snapshot = listed[0]["snapshotId"]
        self.assertIn(snapshot, taken)
        copy = self.create(snapshot)
        self.e2b("sandbox", "kill", sandbox, copy)
        self.e2b("sandbox", "snapshot", "delete", snapshot)
        self.assertEqual(json.loads(self.e2b("sandbox", "snapshot", "list", "--format", "json")), [])

    def test_a_template_is_built_published_used_and_deleted(self):
        with tempfile.TemporaryDirectory() as folder:
            context = pathlib.Path(folder)
            (context / "hello.txt").write_text("hello\n")
            (context / "e2b.Dockerfile").write_text("FROM e2bdev/base\nENV GREETING=hi\nWORKDIR /home/user/app\n"
                                                    "COPY hello.txt .\nRUN cat hello.txt hello.txt > twice.txt\n")
            self.e2b("template", "create", "from-tool-template", "--path", folder)
        self.assertIn("from-tool-template", self.e2b("template", "list"))
        self.e2b("template", "publish", "--yes", "from-tool-template")
        sandbox = self.create("from-tool-template")
        said = self.e2b("sandbox", "exec", sandbox, "--", "sh", "-c", "echo $GREETING; cat /home/user/app/twice.txt")
        self.assertEqual(said, "hi\nhello\nhello\n")
        self.e2b("sandbox", "kill", sandbox)
        self.e2b("template", "delete", "--yes", "from-tool-template")
        self.assertNotIn("from-tool-template", self.e2b("template", "list"))

    def test_a_build_that_fails_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "e2b.Dockerfile").write_text("FROM no-such/image\nRUN true\n")
            failed = self.run_tool("template", "create", "no-image", "--path", folder)
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("no-such/image", failed.stdout + failed.stderr)

    def test_templates_are_listed(self):
        self.assertIn("base", self.e2b("template", "list"))


if __name__ == "__main__":
    tool = str(install(sys.argv[1], "@e2b/cli@" + sys.argv[2]) / "node_modules/.bin/e2b")
    unittest.main(argv=sys.argv[:1], verbosity=2)
