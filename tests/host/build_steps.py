# SPDX-License-Identifier: GPL-3.0-or-later
"""What the steps of a template do, and what a sandbox made from it has."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

from build_support import BuildTest, archive, copy, hard_link, hash_of, link, run, step
from control_isolation import SetprivHost
from control_support import BIN, Host, eventually


class Steps(BuildTest):
    def test_every_kind_of_step_shows_in_a_sandbox(self):
        made = self.add("all-kinds")
        files = self.upload(made["templateID"], archive([
            ("app", None), ("app/run.sh", {"data": b"#!/bin/sh\necho ran\n", "mode": 0o755}), ("app/sub", None),
            ("app/sub/text", b"text\n"), ("app/link", link("sub/text"))]))
        self.assertTrue(self.link_for(made["templateID"], files)["present"])
        self.begin(made, [
            step("ENV", "ONE", "1", "TWO", "$ONE-two $(id) `id`"),
            step("arg", "THREE=3"),
            step("USER", "worker"),
            step("WORKDIR", "/srv/project"),
            step("WORKDIR", "inner"),
            copy(files, "app", "placed"),
            run("echo $ONE:$TWO:$THREE:$(id -un):$(pwd) | tee seen; sh placed/run.sh >> seen"),
            run("id -un > /root/who", "root"),
        ], startCmd="echo $$ > /tmp/started; exec sleep 300", readyCmd="test -s /tmp/started")
        told = self.finished(made)
        self.assertEqual(told["status"], "ready", told)
        sandbox = self.host.create(templateID="all-kinds")
        self.assertEqual(sandbox.created["alias"], "all-kinds")
        code, out, _ = sandbox.run("cat seen placed/link; pwd; id -un; echo $ONE $THREE; stat -c '%U %a' placed/run.sh", None)
        self.assertEqual((code, out), (0, "1:1-two $(id) `id`:3:worker:/srv/project/inner\nran\ntext\n"
                                          "/srv/project/inner\nworker\n1 3\nworker 755\n"))
        self.assertEqual(sandbox.run("cat /root/who; stat -c %U /srv/project/inner", "root")[1], "root\nworker\n")
        code, out, _ = sandbox.run("kill -0 $(cat /tmp/started) && tr '\\0' ' ' < /proc/$(cat /tmp/started)/cmdline", "root")
        self.assertEqual((code, out), (0, "sleep 300 "))
        lines = self.messages(made)
        self.assertIn("[builder 7/8] [stdout]: 1:1-two $(id) `id`:3:worker:/srv/project/inner", lines)
        self.assertTrue(any(line.startswith("Running start command: echo") for line in lines))
        detail = self.host.api("GET", "/templates/" + made["templateID"]).json()
        self.assertEqual([(one["buildID"], one["status"]) for one in detail["builds"]], [(made["buildID"], "ready")])

    def test_the_start_command_runs_again_after_its_memory_was_lost(self):
        self.good("starts", startCmd="echo $$ >> /tmp/starts; exec sleep 300", readyCmd="test -s /tmp/starts")
        sandbox = self.host.create(templateID="starts")
        first = sandbox.run("wc -l < /tmp/starts")[1]
        self.assertEqual(sandbox.post("pause", {"memory": False}).status, 204)
        self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        self.assertEqual(int(sandbox.run("wc -l < /tmp/starts")[1]), int(first) + 1)
        self.assertEqual(sandbox.run("kill -0 $(tail -1 /tmp/starts)")[0], 0)

    def test_copy_places_as_docker_does(self):
        made = self.add("copies")
        one = self.upload(made["templateID"], archive([("one.txt", b"new one\n")]))
        tree = self.upload(made["templateID"], archive([
            ("dir", None), ("dir/a", b"a\n"), ("dir/sub", None), ("dir/sub/b", b"b\n"), ("dir/c", hard_link("dir/a"))]))
        flat = self.upload(made["templateID"], archive([("x.py", b"x\n"), ("y.py", b"y\n")], "w"))
        many = self.upload(made["templateID"], archive([("lnk", link("/etc/hostname"))]))
        self.begin(made, [
            run("mkdir -p /home/user/old/sub real && echo keep > /home/user/old/sub/keep && ln -s real linked "
                "&& echo victim > victim && ln -s victim one-link && chmod 700 old"),
            copy(one, "one.txt", "renamed"), copy(one, "one.txt", "into/"), copy(one, "./one.txt", "/opt/deep/er/file"),
            copy(one, "one.txt", "old"), copy(one, "one.txt", "one-link"), copy(one, "one.txt", "owned", "root:users", "0600"),
            copy(tree, "dir", "old"), copy(tree, "dir/*", "linked"), copy(flat, "*.py", "py"), copy(many, "lnk", "l"),
        ])
        told = self.finished(made)
        self.assertEqual(told["status"], "ready", told)
        sandbox = self.host.create(templateID="copies")
        code, out, err = sandbox.run(
            "cat renamed into/one.txt /opt/deep/er/file old/one.txt one-link victim && "
            "cat old/a old/sub/b old/sub/keep real/a real/sub/b py/x.py py/y.py && readlink l linked && "
            "stat -c '%n %U:%G %a' renamed old old/sub /opt/deep && stat -c %h old/a && test ! -L one-link")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, "new one\n" * 5 + "victim\n" + "a\nb\nkeep\na\nb\nx\ny\n/etc/hostname\nreal\n"
                         "renamed user:user 644\nold user:user 700\nold/sub user:user 755\n/opt/deep user:user 755\n2\n")
        self.assertEqual(sandbox.run("stat -c '%U:%G %a' /home/user/owned", "root")[1], "root:users 600\n")

    def test_a_failing_step_says_which_and_why(self):
        made, told = self.build(steps=[run("true"), run("echo out; echo err >&2; exit 3"), run("echo never")])
        self.assertEqual(told["status"], "error")
        self.assertEqual((told["reason"]["step"], told["reason"]["message"]),
                         ("2", "failed to run command 'echo out; echo err >&2; exit 3': exit status 3"))
        self.assertEqual([one["level"] for one in told["reason"]["logEntries"]], ["error"])
        entries = [(one["step"], one["message"]) for one in self.log(made)]
        self.assertIn(("2", "[builder 2/3] [stdout]: out"), entries)
        self.assertIn(("2", "[builder 2/3] [stderr]: err"), entries)
        self.assertFalse(any("never" in message for _, message in entries))
        self.error(self.host.api("POST", "/v2/sandboxes", {"templateID": "thing"}), 404, "tag 'default' does not exist")

    def test_what_a_build_cannot_do_is_its_reason(self):
        for steps, where, text in (
            ([step("ENV")], "1", "ENV needs at least one name and value"),
            ([step("ENV", "A", "1", "B")], "1", "both a key and value"),
            ([step("VOLUME", "/x")], "1", "type 'VOLUME' is not known"),
            ([run("true"), step("RUN")], "2", "RUN requires a command"),
            ([step("ENV", "A", "x" * 1000)] + [step("ENV", "A", "$A" * 10)] * 20, "3", "longer than 64 KiB"),
            ([step("ENV", "A", "x" * 40_000), step("ENV", "B", "$A")], "2", "together larger than 64 KiB"),
            ([step("WORKDIR", "/proc/x")], "1", "cannot make the folder /proc/x"),
            ([step("USER", "no good")], "1", "cannot be the name of an account"),
            ([step("COPY", "a", "b")], "1", "requires files hash"),
            ([copy("../../api-key", "a", "b")], "1", "not 64 hexadecimal"),
            ([copy("0" * 64, "a", "b")], "1", "were not uploaded"),
            ([run("true", "nobody-here")], "1", "nobody-here"),
        ):
            with self.subTest(text=text):
                reason = self.failed(steps)
                self.assertEqual(reason["step"], where)
                self.assertIn(text, reason["message"])

    def test_bases_that_are_not_here(self):
        reason = self.failed(fromImage="debian:13")
        self.assertEqual(reason["step"], "base")
        self.assertIn("'debian:13' is not on this host", reason["message"])
        reason = self.failed(fromTemplate="no-such-template")
        self.assertEqual((reason["step"], reason["message"]), ("base", "template 'no-such-template' not found"))
        self.good("from-sdk-default", [run("id -un")], fromImage="e2bdev/base")

    def test_a_template_from_a_template_goes_on_where_it_ended(self):
        self.good("first", [step("ENV", "A", "1"), step("USER", "worker"), step("WORKDIR", "/srv/x"), run("echo one > f")],
                  startCmd="sleep 301", readyCmd="true")
        self.good("second", [run("echo $A:$(id -un):$(cat f) > g")], fromTemplate="first")
        sandbox = self.host.create(templateID="second")
        self.assertEqual(sandbox.run("cat g; pgrep -cx sleep", None)[1], "1:worker:one\n1\n")

    def test_what_a_step_leaves_running_ends_with_it(self):
        made = self.good(steps=[run("sleep 300 & (trap '' TERM HUP; sleep 301) & echo begun"),
                                run("pgrep -c sleep; true", "root")])
        self.assertIn("[builder 2/2] [stdout]: 0", self.messages(made))

    def test_a_start_command_that_fails_and_one_that_never_gets_ready(self):
        reason = self.failed(startCmd="exit 4", readyCmd="false")
        self.assertEqual((reason["step"], reason["message"]), ("finalize", "start command failed: exit status 4"))
        reason = self.failed(startCmd="sleep 300", readyCmd="sleep 300", patience=90)
        self.assertEqual(reason["step"], "finalize")
        self.assertIn("ready command timed out after 6 s", reason["message"])
        self.good(startCmd="sleep 300")  # without a ready command a while is enough


class Cache(BuildTest):
    def test_what_was_built_before_is_taken_from_the_cache(self):
        steps = [run("date +%s%N > when"), step("ENV", "A", "1"), run("echo second")]
        first = self.good("cached", steps)
        self.assertFalse(any(line.startswith("CACHED") for line in self.messages(first)))
        second = self.good("cached", steps)
        self.assertEqual([line for line in self.messages(second) if line.startswith("CACHED")], [
            "CACHED [builder 1/3] RUN date +%s%N > when", "CACHED [builder 2/3] ENV A 1",
            "CACHED [builder 3/3] RUN echo second"])
        self.assertEqual(second["templateID"], first["templateID"])
        third = self.good("cached", steps[:1] + [{**steps[1], "force": True}] + steps[2:])
        self.assertEqual([line for line in self.messages(third) if line.startswith("CACHED")],
                         ["CACHED [builder 1/3] RUN date +%s%N > when"])
        fourth = self.good("cached", steps, force=True)
        self.assertFalse(any(line.startswith("CACHED") for line in self.messages(fourth)))
        changed = self.good("cached", [run("date +%s%N > when"), run("echo other")])
        self.assertEqual(sum(line.startswith("CACHED") for line in self.messages(changed)), 1)
        self.assertEqual(self.host.create(templateID="cached").run("wc -l < when")[1], "1\n")

    def test_the_cache_outlives_the_host(self):
        steps = [run("echo kept > kept")]
        self.good("outlives", steps)
        self.host.stop()
        self.host.errors.close()
        self.host.start()
        made = self.good("outlives-too", steps)
        self.assertIn("CACHED [builder 1/1] RUN echo kept > kept", self.messages(made))
        self.assertEqual(self.host.create(templateID="outlives-too").run("cat kept")[1], "kept\n")
        self.assertEqual(self.host.create(templateID="outlives").run("cat kept")[1], "kept\n")

    def test_deleting_a_template_leaves_what_others_share(self):
        steps = [run("echo shared > shared")]
        self.good("share-one", steps)
        self.good("share-two", steps)
        gone = self.good("share-none", steps + [run("echo own > own")], startCmd="true", readyCmd="true")
        folder = self.host.data / "layers"
        before = {one.name for one in folder.iterdir()}
        self.assertEqual(self.host.api("DELETE", "/templates/share-one").status, 204)
        self.assertEqual(self.host.api("DELETE", "/templates/share-none").status, 204)
        self.assertEqual(self.host.create(templateID="share-two").run("cat shared")[1], "shared\n")
        self.assertEqual(len(before - {one.name for one in folder.iterdir()}), 1)  # what its start command left
        self.assertFalse((self.host.data / "builds" / gone["buildID"]).exists())

    def test_the_cache_keeps_to_its_limit(self):
        host = Host(arguments=["--build-limits", "cache=6"])
        self.addCleanup(host.close)
        self.addCleanup(setattr, self, "host", self.host)
        self.host = host
        for number in range(5):
            self.good(f"big-{number}", [run(f"head -c 3000000 /dev/urandom > {number}")])
        for number in range(5):
            self.assertEqual(self.host.api("DELETE", f"/templates/big-{number}").status, 204)
        self.good("last", [run("true")])  # the cache is looked after when a build ends
        eventually(lambda: len(list((host.data / "layers").iterdir())) <= 3, 20, "throwing away what is too much")
        newest = self.good("again", [run("head -c 3000000 /dev/urandom > 4")])
        self.assertTrue(any(line.startswith("CACHED") for line in self.messages(newest)))

    def test_the_same_steps_at_once_make_no_layer_too_many(self):
        made = [self.add(f"twin-{number}") for number in range(3)]
        for one in made:
            self.begin(one, [run("sleep 0.5; echo twin > f"), run("echo more > g")])
        for one in made:
            self.assertEqual(self.finished(one)["status"], "ready")
        used = {build["layer"] for one in (self.host.data / "templates").glob("*.json")
                for build in json.loads(one.read_text())["builds"]}
        used |= {json.loads(one.read_text())["layerId"] for one in (self.host.data / "build-cache").iterdir()}
        eventually(lambda: {one.name for one in (self.host.data / "layers").iterdir()} <= used, 10, "the end of the others")


class OneAccount(BuildTest):
    """A host that cannot map a range of ids builds as `user`, and says what it cannot do."""

    def test_builds_with_one_account(self):
        if os.geteuid() != 0:
            return  # this host is the one of the other tests already
        account = 54322
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            for name in ("boxdeck-host", "boxdeck-envd"):
                shutil.copy(BIN / name, folder)
            data = pathlib.Path(folder) / "data"
            data.mkdir()
            os.chown(data, account, account)
            host = SetprivHost(folder, account, data)
            shared, self.host = self.host, host
            try:
                made = self.add("one-account")
                files = self.upload(made["templateID"], archive([("f", b"placed\n")]))
                self.begin(made, [step("ENV", "A", "1"), step("WORKDIR", "work"), copy(files, "f", "sub/", "root"),
                                  run("cat sub/f > said; id -un >> said")], startCmd="sleep 300", readyCmd="true")
                told = self.finished(made)
                self.assertEqual(told["status"], "ready", told)
                sandbox = self.host.create(templateID="one-account")
                self.assertEqual(sandbox.run("cat said; echo $A; pwd", None)[1], "placed\nuser\n1\n/work\n")
                self.host.api("DELETE", "/sandboxes/" + sandbox.id)
                for bad, text in ((step("USER", "worker"), "account `user` only"), (run("id", "root"), "root")):
                    self.assertIn(text, self.failed([bad])["message"])
            finally:
                self.host = shared
                host.stop()
                host.errors.close()


if __name__ == "__main__":
    unittest.main()
