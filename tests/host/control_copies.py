#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots, forks and what is made from them: real sandboxes of a real host."""

import concurrent.futures
import pathlib
import unittest
import urllib.parse

from control_support import Host, HostTest, Sandbox, eventually


def segment(text):
    return urllib.parse.quote(text, safe="")


class CopyTest(HostTest):
    def tearDown(self):
        super().tearDown()
        for snapshot in self.host.api("GET", "/snapshots").json():
            self.host.api("DELETE", "/templates/" + segment(snapshot["snapshotID"]))

    def snapshot(self, sandbox, body=None):
        answer = sandbox.post("snapshots", {} if body is None else body)
        self.assertEqual(answer.status, 201, answer.body)
        return answer.json()

    def snapshots(self, query=""):
        answer = self.host.api("GET", "/snapshots" + query)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()


class Snapshots(CopyTest):
    def test_a_snapshot_has_the_files_with_everything_about_them(self):
        source = self.host.create(envVars={"TEAM": "blue"})
        code, _, err = source.run(
            "cd ~ && mkdir -m 750 private && echo deep > private/file && chmod 4755 private/file"
            " && ln private/file hard && ln -s ../user/hard soft && truncate -s 50M holes && mkfifo pipe"
            " && touch -d 2001-02-03T04:05:06Z old && printf x > $'odd\\nname \\xff'"
            " && python3 -c 'import os; os.setxattr(\"old\", \"user.k\", b\"v\")'")
        self.assertEqual((code, err), (0, ""))
        source.run("echo root > /opt/of-root", user="root")
        made = self.snapshot(source)
        self.assertRegex(made["snapshotID"], r"^[a-z0-9]{20}:default$")
        self.assertEqual(made["names"], [])
        copy = self.host.create(templateID=made["snapshotID"])
        self.assertEqual(copy.created["templateID"], made["snapshotID"].split(":")[0])
        look = ("cd /home/user; stat -c '%n %f %u %g %h %s' private private/file hard soft pipe holes;"
                " stat -c '%Y' old; readlink soft; ls -1b; [ private/file -ef hard ] && echo same;"
                " [ $(stat -c %b holes) -lt 1000 ] && echo sparse; cat /opt/of-root; echo $TEAM;"
                " python3 -c 'import os; print(os.getxattr(\"old\", \"user.k\"))'")
        before = source.run(look, user="root")
        self.assertEqual(before, copy.run(look, user="root"))
        self.assertIn("same\nsparse\nroot\nblue\nb'v'\n", before[1])
        self.assertIn("private/file 89ed 1000 1000 2 5\n", before[1])
        self.assertEqual(source.run("cat ~/private/file; echo still here")[1], "deep\nstill here\n")

    def test_the_source_goes_on_with_its_processes_lease_and_open_stream(self):
        source = self.host.create(timeout=600)
        before = self.host.detail(source.id).json()
        stream = source.start("for i in $(seq 100); do echo $i; sleep 0.02; done")
        self.snapshot(source)
        code, out, _ = stream.result()
        stream.close()
        self.assertEqual((code, out.split()), (0, [str(i) for i in range(1, 101)]))
        after = self.host.detail(source.id).json()
        self.assertEqual({**before, "notice": None}, {**after, "notice": None})

    def test_what_is_written_later_is_in_neither(self):
        source = self.host.create()
        source.write("/home/user/a", "1")
        made = self.snapshot(source)
        source.write("/home/user/a", "2")
        copy = self.host.create(templateID=made["snapshotID"])
        self.assertEqual(copy.read("/home/user/a").body, b"1")
        copy.write("/home/user/a", "3")
        again = self.host.create(templateID=made["snapshotID"])
        self.assertEqual(again.read("/home/user/a").body, b"1")
        self.assertEqual(source.read("/home/user/a").body, b"2")

    def test_a_copy_has_a_name_of_its_own_and_says_what_it_is(self):
        source = self.host.create()
        copy = self.host.create(templateID=self.snapshot(source)["snapshotID"])
        code, out, _ = copy.run("cat /etc/hostname; hostname; getent hosts $(hostname) | wc -l; cat /etc/hosts")
        self.assertEqual(out.split()[:3], [copy.id, copy.id, "1"])
        self.assertNotIn(source.id, out)
        self.assertIn("snapshot", self.host.detail(copy.id).json()["notice"])

    def test_the_same_name_again_is_a_new_build_of_the_same_template(self):
        source = self.host.create()
        source.write("/home/user/a", "1")
        first = self.snapshot(source, {"name": "After-Setup"})
        self.assertEqual(first, {"snapshotID": "local/after-setup:default", "names": ["local/after-setup"]})
        source.write("/home/user/a", "2")
        second = self.snapshot(source, {"name": "local/after-setup:v2"})
        self.assertEqual(second["snapshotID"], "local/after-setup:v2")
        self.assertEqual(self.snapshots(), [second])
        for name, content in (("after-setup", b"1"), ("local/after-setup:v2", b"2")):
            copy = self.host.create(templateID=name)
            self.assertEqual(copy.read("/home/user/a").body, content)
            self.assertEqual(copy.created["alias"], "after-setup")
        self.snapshot(source, {"name": "after-setup"})
        self.assertEqual(self.host.create(templateID="after-setup").read("/home/user/a").body, b"2")
        template = self.host.create(templateID="after-setup").created["templateID"]
        builds = self.host.api("GET", "/templates/" + template).json()["builds"]
        self.assertEqual([build["status"] for build in builds], ["ready"] * 3)

    def test_the_list_has_pages_and_filters(self):
        first, second = self.host.create(), self.host.create()
        for name in ("one", "two:v1", "three"):
            self.snapshot(first, {"name": name})
        self.snapshot(second, {"name": "four"})
        unnamed = self.snapshot(second)
        ids = [one["snapshotID"] for one in self.snapshots()]
        self.assertEqual(ids, [unnamed["snapshotID"], "local/four:default", "local/three:default", "local/two:v1",
                               "local/one:default"])
        seen, token = [], None
        while token != "":
            page = self.host.api("GET", "/snapshots?limit=2" + (f"&nextToken={segment(token)}" if token else ""))
            seen += [one["snapshotID"] for one in page.json()]
            token = page.headers.get("X-Next-Token", "")
        self.assertEqual(seen, ids)
        self.assertEqual(len(self.snapshots(f"?sandboxID={first.id}")), 3)
        self.assertEqual([one["snapshotID"] for one in self.snapshots("?name=two")], ["local/two:v1"])
        self.assertEqual(self.snapshots("?name=two:default"), [])
        self.assertEqual(self.snapshots("?name=nosuch"), [])
        self.error(self.host.api("GET", "/snapshots?nextToken=nonsense"), 400, "Invalid next token")
        self.error(self.host.api("GET", "/snapshots?limit=0"), 400, "limit")
        self.assertEqual([one["templateID"] for one in self.host.api("GET", "/templates").json()],
                         ["boxdecklocalbase0001"])

    def test_what_cannot_be_taken_is_refused(self):
        sandbox = self.host.create()
        for name, part in (("base", "name of a template"), ("other/x", "namespace"), ("a b", "no template name"),
                           ("x:11111111-1111-4111-8111-111111111111", "build"), (7, "must be text")):
            self.error(sandbox.post("snapshots", {"name": name}), 400, part)
        self.error(self.host.api("GET", f"/sandboxes/{sandbox.id}/snapshots"), 405)
        self.error(self.host.api("POST", "/sandboxes/inosuchsandbox000000/snapshots", {}), 404)
        sandbox.post("pause")
        self.error(sandbox.post("snapshots", {}), 404, "paused")
        self.error(sandbox.post("fork", {}), 409, "paused")
        self.assertEqual(self.snapshots(), [])

    def test_killed_while_it_is_copied(self):
        sandbox = self.host.create()
        sandbox.run("cd ~; for i in $(seq 3000); do echo $i > f$i; done", timeout=60)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            taken = pool.submit(sandbox.post, "snapshots", {"name": "late"})
            killed = pool.submit(self.host.api, "DELETE", "/sandboxes/" + sandbox.id)
            self.assertIn(taken.result().status, (201, 404))
            self.assertEqual(killed.result().status, 204)
        for one in self.snapshots():  # it was quicker: then it is whole
            copy = self.host.create(templateID=one["snapshotID"])
            self.assertEqual(copy.run("cd ~; ls f* | wc -l")[1], "3000\n")
        if not self.snapshots():
            eventually(lambda: not list((self.host.data / "layers").iterdir()), what="removal of the layer")

    def test_deleted_while_sandboxes_are_made_of_it(self):
        source = self.host.create()
        source.run("mkdir many && cd many && seq 1 8000 | xargs touch", timeout=60)
        made = self.snapshot(source)["snapshotID"]
        before = set((self.host.data / "sandboxes").iterdir())
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            begun = [pool.submit(self.host.api, "POST", "/v2/sandboxes", {"templateID": made}) for _ in range(3)]
            eventually(lambda: len(set((self.host.data / "sandboxes").iterdir()) - before) == 3, 20, "the copying")
            self.assertEqual(self.host.api("DELETE", "/templates/" + segment(made)).status, 204)
            self.error(self.host.api("POST", "/v2/sandboxes", {"templateID": made}), 404)
            for answer in [one.result() for one in begun]:
                self.assertEqual(answer.status, 201, answer.body)
                self.assertEqual(Sandbox(self.host, answer.json()).run("ls many | wc -l")[1], "8000\n")
        eventually(lambda: not list((self.host.data / "layers").iterdir()), 20, "the end of its files")

    def test_many_at_once_are_each_whole(self):
        sandbox = self.host.create()
        sandbox.run("cd ~; for i in $(seq 500); do echo $i > f$i; done")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answers = list(pool.map(lambda _: sandbox.post("snapshots", {"name": "same"}), range(4)))
        self.assertEqual([answer.status for answer in answers], [201] * 4)
        self.assertEqual(len(self.snapshots()), 1)
        copy = self.host.create(templateID="same")
        self.assertEqual(copy.run("cd ~; ls f* | wc -l")[1], "500\n")

    def test_files_of_all_cycles_survive_pauses(self):
        sandbox = self.host.create(timeout=300, autoPause=True)
        for cycle in range(3):
            self.assertEqual(sandbox.write(f"/home/user/cycle{cycle}", str(cycle)).status, 200)
            if cycle < 2:
                self.assertEqual(sandbox.post("pause", {"memory": cycle == 0}).status, 204)
            else:
                self.assertEqual(sandbox.post("timeout", {"timeout": 1}).status, 204)
                eventually(lambda: self.host.detail(sandbox.id).json()["state"] == "paused", what="the pause")
            self.assertEqual(sandbox.post("connect", {"timeout": 300}).status, 201)
            for earlier in range(cycle + 1):
                self.assertEqual(sandbox.read(f"/home/user/cycle{earlier}").body, str(earlier).encode())
        copy = self.host.create(templateID=self.snapshot(sandbox)["snapshotID"])
        self.assertEqual(copy.run("cat ~/cycle*")[1], "012")


class Forks(CopyTest):
    def test_five_forks_each_stand_alone(self):
        source = self.host.create(timeout=600, secure=True, metadata={"owner": "ci"}, envVars={"A": "b"},
                                  autoPause=True)
        source.write("/home/user/a", "1")
        answer = source.post("fork", {"count": 5, "timeout": 120})
        self.assertEqual(answer.status, 201)
        forks = [Sandbox(self.host, one["sandbox"]) for one in answer.json()]
        self.assertEqual(len({fork.id for fork in forks} | {source.id}), 6)
        self.assertEqual(len({fork.token for fork in forks} | {source.token}), 6)
        for number, fork in enumerate(forks):
            for member in ("templateID", "sandboxID", "clientID", "envdVersion"):
                self.assertTrue(fork.created[member])
            fork.write("/home/user/a", f"fork {number}")
        for number, fork in enumerate(forks):
            self.assertEqual(fork.run("cat ~/a; hostname; echo $A")[1], f"fork {number}{fork.id}\nb\n")
            detail = self.host.detail(fork.id).json()
            self.assertEqual((detail["metadata"], detail["lifecycle"]["onTimeout"]), ({"owner": "ci"}, "pause"))
            self.assertIn("not carried over", detail["notice"])
        self.assertEqual(source.read("/home/user/a").body, b"1")
        self.assertEqual(self.host.api("DELETE", "/sandboxes/" + source.id).status, 204)
        self.assertEqual(forks[0].read("/home/user/a").body, b"fork 0")
        self.assertEqual(list((self.host.data / "layers").iterdir()), [])
        self.assertEqual(self.snapshots(), [])

    def test_the_source_keeps_running_and_one_fork_is_the_default(self):
        source = self.host.create(timeout=600)
        stream = source.start("for i in $(seq 100); do echo $i; sleep 0.02; done")
        answer = self.host.request("POST", f"/sandboxes/{source.id}/fork", None, {"X-API-Key": self.host.key})
        self.assertEqual((answer.status, len(answer.json())), (201, 1))
        self.assertEqual(stream.result()[1].split(), [str(i) for i in range(1, 101)])
        stream.close()
        self.assertEqual(self.host.detail(source.id).json()["state"], "running")

    def test_numbers_out_of_bounds_start_nothing(self):
        source = self.host.create()
        for body in ({"count": 0}, {"count": 101}, {"count": -1}, {"timeout": 0}, {"timeout": -3600}, {"count": "2"}):
            self.error(source.post("fork", body), 400)
        self.assertEqual(self.host.sandbox_ids(), [source.id])
        self.error(self.host.api("POST", "/sandboxes/inosuchsandbox000000/fork", {"count": 0}), 404)

    def test_a_fork_that_fails_says_so_in_its_own_place(self):
        source = self.host.create()
        sandboxes = self.host.data / "sandboxes"
        sandboxes.chmod(0o500)  # nothing new can be made there; no hindrance for root
        try:
            answer = source.post("fork", {"count": 2})
        finally:
            sandboxes.chmod(0o700)
        self.assertEqual(answer.status, 201)
        for one in answer.json():
            if "error" in one:
                self.assertEqual(one["error"]["code"], 500)
                self.assertIn("could not be started", one["error"]["message"])
        self.assertEqual(source.run("echo on")[1], "on\n")


class Restarts(unittest.TestCase):
    def test_snapshots_and_forks_outlive_the_host(self):
        host = Host()
        self.addCleanup(host.close)
        source = host.create()
        source.write("/home/user/a", "1")
        made = source.post("snapshots", {"name": "kept:v1"}).json()
        fork = Sandbox(host, source.post("fork", {"timeout": 300}).json()[0]["sandbox"])
        host.stop()
        half = host.data / "layers" / "halfwaycopied0000000"
        half.mkdir()
        host.start()
        self.assertFalse(half.exists())
        self.assertEqual(host.api("GET", "/snapshots").json(), [made])
        self.assertEqual(host.create(templateID="local/kept:v1").read("/home/user/a").body, b"1")
        self.assertEqual(fork.read("/home/user/a").body, b"1")
        for sandbox in host.sandbox_ids():
            host.api("DELETE", "/sandboxes/" + sandbox)
        self.assertEqual(host.api("DELETE", "/templates/" + segment(made["snapshotID"])).status, 204)
        self.assertEqual(list((host.data / "layers").iterdir()), [])
        self.assertEqual(list((host.data / "templates").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
