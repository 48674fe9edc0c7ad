# SPDX-License-Identifier: GPL-3.0-or-later
"""Template builds with the official Python SDK against a real boxdeck-host.

usage: python_builds.py FOLDER VERSION (see python_sdk.py)
"""

import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "host")]

from pypi_package import enter

enter(__file__)

import tempfile
import unittest

from sdk_test import SdkTest


class Builds(SdkTest):
    host_arguments = ["--build-limits", "ready=30,ready-wait=1"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.context = pathlib.Path(folder.name)

    def template(self):
        from e2b import Template
        return Template(file_context_path=self.context)

    def test_a_template_with_every_kind_of_step(self):
        from e2b import Template
        from e2b.template.logger import LogEntry
        (self.context / "app" / "deep").mkdir(parents=True)
        (self.context / "app" / "main.sh").write_text("#!/bin/sh\necho main\n")
        (self.context / "app" / "main.sh").chmod(0o755)
        (self.context / "app" / "deep" / "data").write_bytes(os.urandom(2_000_000))
        (self.context / "app" / "latest").symlink_to("deep/data")
        (self.context / "app" / "skip.log").write_text("ignored")
        (self.context / ".dockerignore").write_text("**/*.log\n")
        (self.context / "a.txt").write_text("a")
        (self.context / "b.txt").write_text("b")
        template = (self.template().from_image("e2bdev/base")
                    .set_envs({"GREETING": "hello", "PLACE": "$GREETING/there"})
                    .set_user("builder").set_workdir("/srv/site")
                    .copy("app", "app").copy("*.txt", "texts/", mode=0o600, user="root")
                    .run_cmd(["sh app/main.sh > said", "echo $PLACE >> said"])
                    .make_dir("made", mode=0o750).make_symlink("said", "linked").rename("made", "renamed")
                    .run_cmd("ls -l /srv/site/texts > /tmp/texts", user="root")
                    .remove("app/deep", recursive=True)
                    .set_start_cmd("python3 -m http.server 8123", "curl -sf http://localhost:8123/ > /dev/null"))
        seen = []
        built = Template.build(template, "sdk-everything", tags=["v1"], on_build_logs=seen.append)
        self.assertEqual((built.name, sorted(built.tags)), ("sdk-everything", ["v1"]))
        messages = [entry.message for entry in seen if isinstance(entry, LogEntry)]
        self.assertTrue(any("RUN sh app/main.sh" in message for message in messages), messages)
        self.assertTrue(any("Template is ready" in message for message in messages), messages)
        sandbox = self.create("sdk-everything:v1")
        done = sandbox.commands.run("cat linked; pwd; id -un; stat -c %a app/main.sh renamed; ls app; echo $PLACE")
        self.assertEqual(done.stdout, "main\nhello/there\n/srv/site\nbuilder\n755\n750\nlatest\nmain.sh\nhello/there\n")
        self.assertEqual(sandbox.commands.run("stat -c '%U %a' /srv/site/texts/a.txt; cat /srv/site/texts/*.txt", user="root").stdout,
                         "root 600\nab")
        self.assertEqual(sandbox.commands.run("curl -s -o /dev/null -w '%{http_code}' localhost:8123").stdout, "200")

    def test_a_second_build_uses_uploads_and_cache(self):
        from e2b import Template
        (self.context / "f").write_text("content\n")
        template = self.template().from_template("base").copy("f", "/opt/f").run_cmd("cat /opt/f")
        for first in (True, False):
            seen = []
            Template.build(template, "sdk-cached", on_build_logs=seen.append)
            messages = [entry.message for entry in seen]
            self.assertEqual(any(message.startswith("Uploaded 'f'") for message in messages), first, messages)
            self.assertEqual(any(message.startswith("CACHED [builder 2/2]") for message in messages), not first, messages)
        seen = []
        Template.build(template, "sdk-cached", skip_cache=True, on_build_logs=seen.append)
        self.assertFalse(any(entry.message.startswith("CACHED") for entry in seen))
        self.assertEqual(self.create("sdk-cached").files.read("/opt/f"), "content\n")

    def test_failures_point_at_their_step(self):
        from e2b import BuildException, Template
        with self.assertRaises(BuildException) as failed:
            Template.build(self.template().from_template("base").run_cmd("true").run_cmd("exit 7"), "sdk-fails")
        self.assertIn("exit status 7", str(failed.exception))
        with self.assertRaises(BuildException) as failed:
            Template.build(self.template().from_python_image("3"), "sdk-fails")
        self.assertIn("not on this host", str(failed.exception))

    def test_a_build_in_the_background(self):
        from e2b import Template
        from e2b.template.types import TemplateBuildStatus
        info = Template.build_in_background(self.template().from_template("base").run_cmd("sleep 1"), "sdk-background")
        status = Template.get_build_status(info)
        self.assertIn(status.status, (TemplateBuildStatus.BUILDING, TemplateBuildStatus.WAITING))
        self.assertTrue(Template.exists("sdk-background"))
        self.assertFalse(Template.exists("sdk-never-built"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
