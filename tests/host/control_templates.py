#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates, their tags and names: what the catalog shows, and what sandboxes get from a template."""

import json
import pathlib
import shutil
import tempfile
import unittest
import urllib.parse

from control_support import Host, HostTest, eventually


def segment(text):
    return urllib.parse.quote(text, safe="")


def uuid(number):
    return f"{number:08d}-1111-4111-8111-111111111111"


def build(number, status="ready", **config):
    when = f"2026-03-02T10:11:{number:02d}.000000Z"
    return {"buildID": uuid(number), "status": status, "cpuCount": 2, "memoryMB": 512, "layer": "", "sourceSandbox": "",
            "config": {"ownUsr": False, "defaultUser": "user", "workdir": "", "envVars": {}, "startCmd": "",
                       "readyCmd": "", **config},
            "createdAt": when, "updatedAt": when, "startedAt": when, "finishedAt": when}


def template(number, builds, tags):
    when = f"2026-03-02T10:11:{number:02d}.000000Z"
    return {"version": 1, "templateID": f"template{number:012d}", "name": f"tool-{number}", "kind": "template",
            "public": False, "createdAt": when, "updatedAt": when, "spawnCount": 0, "builds": builds,
            "tags": [{"tag": tag, "buildID": uuid(one), "createdAt": when} for tag, one in tags]}


class Templates(HostTest):
    """A host that finds templates of an earlier run in its data folder."""

    known = ()

    @classmethod
    def setUpClass(cls):
        data = pathlib.Path(tempfile.mkdtemp(prefix="boxdeck-test-"))
        cls.addClassCleanup(shutil.rmtree, data)
        (data / "templates").mkdir()
        for one in cls.templates():
            (data / "templates" / (one["templateID"] + ".json")).write_text(json.dumps(one))
        cls.host = Host(data)
        cls.addClassCleanup(cls.host.close)

    @staticmethod
    def templates():
        return [template(number, [build(number)], [("default", number)]) for number in range(1, 6)]

    def get(self, path, status=200):
        answer = self.host.api("GET", path)
        self.assertEqual(answer.status, status, answer.body)
        return answer.json()


class Listing(Templates):
    def test_both_lists_hold_every_template_in_their_own_order(self):
        names = [f"local/tool-{number}" for number in range(1, 6)]
        older = self.get("/templates")
        self.assertEqual([one["names"] for one in older], [["base"]] + [[name] for name in names])
        newer = self.get("/v2/templates")
        self.assertEqual(newer, list(reversed(older)))
        for one in newer:
            for member in ("templateID", "buildID", "cpuCount", "memoryMB", "diskSizeMB", "public", "aliases", "names",
                           "createdAt", "updatedAt", "createdBy", "lastSpawnedAt", "spawnCount", "buildCount",
                           "envdVersion", "buildStatus"):
                self.assertIn(member, one)
        self.assertEqual((newer[0]["cpuCount"], newer[0]["memoryMB"], newer[0]["aliases"]), (2, 512, ["tool-5"]))

    def test_pages_hold_each_template_once(self):
        seen, token, pages = [], None, 0
        while token != "":
            answer = self.host.api("GET", "/v2/templates?limit=4" + (f"&nextToken={segment(token)}" if token else ""))
            seen += [one["templateID"] for one in answer.json()]
            token = answer.headers.get("X-Next-Token", "")
            pages += 1
        self.assertEqual((len(seen), len(set(seen)), pages), (6, 6, 2))
        self.error(self.host.api("GET", "/v2/templates?nextToken=x"), 400, "Invalid next token")
        self.error(self.host.api("GET", "/v2/templates?limit=101"), 400, "limit")

    def test_unknown_ways_are_refused_with_json(self):
        self.error(self.host.api("GET", "/templates/tool-1"), 404, "not found")  # the id only
        self.error(self.host.api("GET", "/templates/nosuch0000000000000"), 404)
        self.error(self.host.api("PUT", "/templates/nosuch"), 405)
        self.error(self.host.api("POST", "/v2/templates/nosuch", {}), 405)
        self.error(self.host.api("GET", "/templates/a/b/c/d"), 404)
        self.error(self.host.api("GET", "/v3/templates/a"), 404)


class Tags(Templates):
    @staticmethod
    def templates():
        return [template(1, [build(1), build(2), build(3, "error"), build(4)],
                         [("default", 1), ("default", 2), ("v1", 1), ("v2", 2), ("broken", 3)]),
                template(2, [build(5)], [("v1", 5)])]

    def tags(self, name="tool-1"):
        return {one["tag"]: one["buildID"] for one in self.get(f"/templates/{segment(name)}/tags")}

    def assign(self, target, tags):
        return self.host.api("POST", "/templates/tags", {"target": target, "tags": tags})

    def test_builds_have_pages(self):
        first = self.host.api("GET", "/templates/template000000000001?limit=3")
        self.assertEqual([one["buildID"] for one in first.json()["builds"]], [uuid(4), uuid(3), uuid(2)])
        token = segment(first.headers["X-Next-Token"])
        second = self.host.api("GET", f"/templates/template000000000001?limit=3&nextToken={token}")
        self.assertEqual([one["buildID"] for one in second.json()["builds"]], [uuid(1)])
        self.assertNotIn("X-Next-Token", second.headers)
        broken = first.json()["builds"][1]
        self.assertEqual(broken["status"], "error")
        self.assertNotIn("envdVersion", broken)

    def test_tags_move_and_go(self):
        self.assertEqual(self.tags(), {"default": uuid(2), "v1": uuid(1), "v2": uuid(2), "broken": uuid(3)})
        answer = self.assign("tool-1:v1", ["default", "Stable", "stable"])
        self.assertEqual(answer.status, 201)
        self.assertEqual(answer.json(), {"tags": ["default", "stable"], "buildID": uuid(1)})
        self.assertEqual(self.tags()["default"], uuid(1))
        listed = {one["aliases"][0]: one for one in self.get("/templates")}["tool-1"]
        self.assertEqual((listed["buildID"], listed["buildStatus"]), (uuid(1), "ready"))
        removed = self.host.api("DELETE", "/templates/tags", {"name": "local/tool-1", "tags": ["stable"]})
        self.assertEqual((removed.status, removed.body), (204, b""))
        self.assertNotIn("stable", self.tags("template000000000001"))
        self.error(self.assign("tool-1:stable", ["x"]), 404, "tag 'stable' does not exist")
        self.host.stop()
        self.host.start()
        self.assertEqual(self.tags("local/tool-1")["default"], uuid(1))
        self.assertEqual(self.assign("tool-1:v2", ["default"]).status, 201)

    def test_what_no_tag_may_be_is_refused(self):
        before = self.tags()
        self.error(self.assign("tool-1:v1", []), 400, "at least one")
        self.error(self.assign("tool-1:v1", [uuid(1)]), 400, "looks like the id of a build")
        self.error(self.assign("tool-1:v1", ["a b"]), 400)
        self.error(self.assign("tool-1:broken", ["x"]), 404)
        self.error(self.assign("nosuch:v1", ["x"]), 404)
        self.error(self.assign("base", ["x"]), 403, "built in")
        self.error(self.host.api("POST", "/templates/tags", {"tags": ["x"]}), 400, "target")
        for body, part in (({"name": "tool-1", "tags": ["default"]}, "default"),
                           ({"name": "tool-1", "tags": []}, "at least one"),
                           ({"name": "tool-1:v1", "tags": ["v1"]}, "without a tag")):
            self.error(self.host.api("DELETE", "/templates/tags", body), 400, part)
        self.error(self.host.api("DELETE", "/templates/tags", {"name": "tool-1", "tags": ["nosuch"]}), 404)
        self.error(self.host.api("GET", "/templates/nosuch/tags"), 404)
        self.assertEqual(self.tags(), before)

    def test_aliases_answer_for_taken_names(self):
        taken = self.get("/templates/aliases/tool-1")
        self.assertEqual(taken, {"templateID": "template000000000001", "public": False})
        for name in ("local/tool-1", "tool-1:v1", " Tool-1", "template000000000001"):
            self.assertEqual(self.get("/templates/aliases/" + segment(name)), taken, name)
        self.error(self.host.api("GET", "/templates/aliases/free"), 404)
        self.error(self.host.api("GET", "/templates/aliases/tool-1%3Anosuch"), 404, "tag")
        self.error(self.host.api("GET", "/templates/aliases/other%2Ftool-1"), 400, "namespace")
        self.error(self.host.api("GET", "/templates/aliases/a%20b"), 400)

    def test_a_template_without_default_is_only_found_by_its_tag(self):
        self.error(self.host.api("POST", "/sandboxes", {"templateID": "tool-2"}), 404,
                   "tag 'default' does not exist for template 'tool-2'")
        listed = {one["aliases"][0]: one for one in self.get("/templates")}["tool-2"]
        self.assertEqual((listed["buildID"], listed["buildStatus"], listed["cpuCount"], listed["envdVersion"]),
                         ("00000000-0000-0000-0000-000000000000", "waiting", 0, ""))
        self.assertEqual(self.host.create(templateID="tool-2:v1").created["alias"], "tool-2")


class Changing(Templates):
    def test_visibility_changes_by_both_forms(self):
        newer = self.host.api("PATCH", "/v2/templates/local%2Ftool-1", {"public": True})
        self.assertEqual((newer.status, newer.json()), (200, {"names": ["local/tool-1"]}))
        self.assertTrue(self.get("/templates/aliases/tool-1")["public"])
        older = self.host.api("PATCH", "/templates/template000000000001", {"public": False})
        self.assertEqual((older.status, older.body, older.headers["Content-Length"]), (200, b"", "0"))
        self.assertFalse(self.get("/templates/aliases/tool-1")["public"])
        self.error(self.host.api("PATCH", "/v2/templates/tool-1", {"public": "yes"}), 400, "public")
        self.error(self.host.api("PATCH", "/v2/templates/nosuch", {"public": True}), 404)
        self.error(self.host.api("PATCH", "/v2/templates/base", {"public": False}), 403, "built in")

    def test_a_template_in_use_says_who_uses_it(self):
        sandbox = self.host.create(templateID="tool-2")
        path = "/templates/" + segment("local/tool-2:default")
        self.assertIn(sandbox.id, self.error(self.host.api("DELETE", path), 400, "exist")["message"])
        sandbox.post("pause")
        self.error(self.host.api("DELETE", path), 400, sandbox.id + " (paused)")
        self.host.api("DELETE", "/sandboxes/" + sandbox.id)
        answer = self.host.api("DELETE", path)
        self.assertEqual((answer.status, answer.body), (204, b""))
        self.error(self.host.api("DELETE", path), 404)
        self.error(self.host.api("DELETE", "/templates/base"), 403, "built in")
        # One segment only, and encoded once.
        for wrong in ("/templates/local/tool-1", "/templates/local%252Ftool-1"):
            self.assertIn(self.host.api("DELETE", wrong).status, (400, 404), wrong)
        self.assertEqual(self.host.api("DELETE", "/templates/template000000000003").status, 204)
        self.assertEqual(self.get("/templates/aliases/tool-1")["public"], False)

    def test_use_is_counted_and_kept(self):
        for _ in range(2):
            self.host.create(templateID="tool-4")
        self.host.stop()
        self.host.start()
        one = self.get("/templates/template000000000004")
        self.assertEqual(one["spawnCount"], 2)
        self.assertIsNotNone(one["lastSpawnedAt"])


if __name__ == "__main__":
    unittest.main()
