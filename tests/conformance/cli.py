# SPDX-License-Identifier: GPL-3.0-or-later
"""The official command line tool against a real boxdeck-host.

usage: cli.py FOLDER VERSION (BOXDECK_BIN names the folder of the programs; the tool is installed under FOLDER)
"""

import json
import os
import pathlib
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

    def test_templates_are_listed(self):
        self.assertIn("base", self.e2b("template", "list"))


if __name__ == "__main__":
    tool = str(install(sys.argv[1], "@e2b/cli@" + sys.argv[2]) / "node_modules/.bin/e2b")
    unittest.main(argv=sys.argv[:1], verbosity=2)
