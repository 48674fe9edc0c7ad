# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets, teams, keys, nodes, logs over time, and network rules that cannot be kept."""

import json
import pathlib
import signal
import stat
import time
import unittest
import urllib.parse

from control_support import Host, HostTest, eventually

TEAM = "b0bdec00-0000-4000-8000-000000000001"


class Secrets(HostTest):
    def make(self, **members):
        return self.host.api("POST", "/secrets", {"value": "v4lue-of-it", **members})

    def test_a_secret_is_made_changed_found_and_deleted_and_never_shown(self):
        made = self.make(name="My-Token", metadata={"team": "a b"})
        self.assertEqual(made.status, 201, made.body)
        secret = made.json()
        self.assertEqual(set(secret), {"secretID", "name", "currentVersion", "metadata", "createdAt", "updatedAt"})
        self.assertRegex(secret["secretID"], "^sec_[a-z0-9]{20}$")
        self.assertEqual((secret["name"], secret["currentVersion"], secret["metadata"]), ("my-token", 1, {"team": "a b"}))
        for name in (secret["secretID"], "my-token", "MY-TOKEN"):
            self.assertEqual(self.host.api("GET", "/secrets/" + name).json(), secret)
        second = self.host.api("POST", "/secrets/my-token", {"value": "n3w"})
        self.assertEqual((second.status, second.json()["currentVersion"], second.json()["metadata"]), (200, 2, {"team": "a b"}))
        third = self.host.api("POST", "/secrets/" + secret["secretID"], {"value": "n3w", "metadata": {}}).json()
        self.assertEqual((third["currentVersion"], third["metadata"]), (3, {}))
        self.assertGreater(third["updatedAt"], third["createdAt"])
        answers = [made, second, self.host.api("GET", "/secrets"), self.host.api("GET", "/secrets/my-token"),
                   self.make(name="my-token"), self.make(name="other", metadata=7)]
        for answer in answers:
            self.assertNotIn(b"v4lue", answer.body)
            self.assertNotIn(b"n3w", answer.body)
            self.assertEqual(answer.headers["Cache-Control"], "no-store")
        file = self.host.data / "secrets.json"
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertEqual(self.host.api("DELETE", "/secrets/my-token").status, 204)
        self.assertNotIn("n3w", file.read_text())
        for method in ("GET", "DELETE"):
            self.error(self.host.api(method, "/secrets/my-token"), 404)
        self.assertEqual(self.host.request("GET", "/secrets").status, 401)

    def test_bad_secrets_are_refused(self):
        self.assertEqual(self.make(name="taken").status, 201)
        self.error(self.make(name="TAKEN"), 409, "already")
        for name in ("", "a b", "sec_x", "a/b", "x" * 129, 3):
            self.error(self.make(name=name), 400)
        self.error(self.host.api("POST", "/secrets", {"name": "x"}), 400, "value")
        self.error(self.make(name="x", value=None), 400)
        self.error(self.make(name="x", value="x" * 70000), 400)
        for metadata in ([], {"a": 1}, {"": "x"}, {"k" * 129: "x"}, {"k": "v" * 1025}, {str(n): "" for n in range(33)},
                         {str(n): "v" * 1000 for n in range(9)}):
            self.error(self.make(name="x", metadata=metadata), 400)
        self.error(self.host.api("POST", "/secrets/taken", {"metadata": {}}), 400)
        self.assertEqual(self.host.api("DELETE", "/secrets/taken").status, 204)

    def test_the_list_has_pages_and_outlives_the_host(self):
        host = Host()
        self.addCleanup(host.close)
        for number in range(5):
            self.assertEqual(host.api("POST", "/secrets", {"name": f"s{number}", "value": "x"}).status, 201)
        host.stop(signal.SIGKILL)
        host.start()
        names, token = [], ""
        for _ in range(3):
            answer = host.api("GET", "/secrets?limit=2" + (f"&nextToken={urllib.parse.quote(token, safe='')}" if token else ""))
            names += [one["name"] for one in answer.json()]
            token = answer.headers.get("X-Next-Token", "")
        self.assertEqual((names, token), (["s4", "s3", "s2", "s1", "s0"], ""))
        self.error(host.api("GET", "/secrets?nextToken=x"), 400, "Invalid next token")


class Teams(HostTest):
    def test_there_is_one_team_and_asking_makes_no_key(self):
        for _ in range(2):
            teams = self.host.api("GET", "/teams").json()
            self.assertEqual(teams, [{"teamID": TEAM, "name": "This computer", "apiKey": self.host.key, "isDefault": True}])
        self.assertEqual(self.host.request("GET", "/teams").status, 401)

    def test_team_metrics_count_what_ran(self):
        self.host.create()
        def concurrent():
            metrics = self.host.api("GET", f"/teams/{TEAM}/metrics").json()
            return metrics and metrics[-1]["concurrentSandboxes"] >= 1 and metrics
        metrics = eventually(concurrent, 15, "a sample")
        self.assertEqual(set(metrics[-1]), {"timestamp", "timestampUnix", "concurrentSandboxes", "sandboxStartRate"})
        self.assertGreater(sum(one["sandboxStartRate"] for one in metrics), 0)
        now = int(time.time())
        peak = self.host.api("GET", f"/teams/{TEAM}/metrics/max?metric=concurrent_sandboxes&start={now - 600}").json()
        self.assertEqual((set(peak), peak["value"]), ({"timestamp", "timestampUnix", "value"}, 1))
        self.assertEqual(self.host.api("GET", f"/teams/{TEAM}/metrics?start={now - 9000}&end={now - 8000}").json(), [])
        self.error(self.host.api("GET", f"/teams/{TEAM}/metrics?start=10&end=5"), 400, "after")
        self.error(self.host.api("GET", f"/teams/{TEAM}/metrics/max"), 400, "metric")
        self.error(self.host.api("GET", "/teams/11111111-2222-4333-8444-555555555555/metrics"), 403)

    def test_keys_are_shown_masked_and_cannot_be_changed(self):
        keys = self.host.api("GET", "/api-keys")
        self.assertNotIn(self.host.key[4:], keys.body.decode())
        mask = keys.json()[0]["mask"]
        self.assertEqual((mask["prefix"], mask["valueLength"], mask["maskedValuePrefix"], mask["maskedValueSuffix"]),
                         ("e2b_", 40, self.host.key[4:6], self.host.key[-4:]))
        for method, path in (("POST", "/api-keys"), ("PATCH", "/api-keys/x"), ("DELETE", "/api-keys/x"),
                             ("DELETE", "/access-tokens/x")):
            self.error(self.host.api(method, path, {"name": "x"}), 501, "one person")
        self.error(self.host.api("POST", "/access-tokens", {"name": "x"}), 410, "deprecated")

    def test_the_one_node_is_this_computer(self):
        self.host.create()
        node = self.host.api("GET", "/nodes").json()[0]
        self.assertEqual((node["status"], node["sandboxCount"]), ("ready", 1))
        self.assertGreater(node["metrics"]["memoryTotalBytes"], 1 << 27)
        self.assertGreaterEqual(node["createSuccesses"], 1)
        detail = self.host.api("GET", "/nodes/" + node["id"]).json()
        self.assertEqual(detail["machineInfo"], node["machineInfo"])
        self.error(self.host.api("GET", "/nodes/other"), 404)
        self.error(self.host.api("POST", "/nodes/" + node["id"], {"status": "draining"}), 501)
        for path in ("/admin/sandboxes/running-counts", "/admin/teams/x/sandboxes/kill"):
            self.error(self.host.api("GET", path), 404, "not served")


class Logs(HostTest):
    def logs(self, host, sandbox, query="", version="/v2"):
        answer = host.api("GET", f"{version}/sandboxes/{sandbox}/logs{query}")
        self.assertEqual(answer.status, 200, answer.body)
        return [one["message"] for one in answer.json()["logs" if version else "logEntries"]]

    def test_what_happened_is_still_told_after_restarts(self):
        host = Host()
        self.addCleanup(host.close)
        sandbox = host.create(metadata={"x": "y"})
        self.assertEqual(sandbox.post("pause", {}).status, 204)
        self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        host.stop()
        file = host.data / "sandboxes" / sandbox.id / "log.jsonl"
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        with file.open("a") as log:
            log.write('{"time":"2020-01-01T00:00:00.000000Z","level":"info","message":"older than seven days"}\n{"time":"cut')
        host.start()
        def told():
            return any("Started again" in one for one in self.logs(host, sandbox.id))
        eventually(told, 20, "the restart")
        messages = self.logs(host, sandbox.id, "?direction=forward")
        for part in ("Created from template base", "Paused", "Resumed", "Stopped, because the host ends",
                     "The host was restarted", "Started again with the host"):
            self.assertTrue(any(part in one for one in messages), (part, messages))
        order = [next(at for at, one in enumerate(messages) if part in one) for part in ("Created", "Paused", "Resumed", "Stopped")]
        self.assertEqual(order, sorted(order))
        self.assertFalse(any("older" in one for one in messages))
        self.assertEqual(self.logs(host, sandbox.id), messages[::-1])
        self.assertEqual(self.logs(host, sandbox.id, "", ""), messages)
        self.assertEqual(self.logs(host, sandbox.id, "?search=Paused"), ["Paused"])
        self.assertEqual(self.logs(host, sandbox.id, "?search=paused&limit=5"), [])
        self.assertTrue(all("restarted" in one for one in self.logs(host, sandbox.id, "?level=warn")))
        self.error(host.api("GET", f"/v2/sandboxes/{sandbox.id}/logs?search=" + "x" * 257), 400, "search")
        for query in ("level=all", "direction=up", "limit=1001", "cursor=-1"):
            self.error(host.api("GET", f"/v2/sandboxes/{sandbox.id}/logs?{query}"), 400)
        self.assertEqual(self.logs(host, "iaaaabbbbccccdddd1111"), [])
        self.error(host.api("GET", "/sandboxes/iaaaabbbbccccdddd1111/logs"), 404)
        host.api("DELETE", "/sandboxes/" + sandbox.id)

    def test_a_log_is_cut_before_it_grows_too_big(self):
        host = Host()
        self.addCleanup(host.close)
        sandbox = host.create()
        host.stop()
        folder = host.data / "sandboxes" / sandbox.id
        line = json.dumps({"time": "2100-01-01T00:00:00.000000Z", "level": "info", "message": "x" * 200}) + "\n"
        (folder / "log.jsonl").write_text(line * 1500)
        host.start()
        def rotated():
            return (folder / "log.old.jsonl").exists()
        eventually(rotated, 20, "a second file")
        self.assertLess((folder / "log.jsonl").stat().st_size, 10_000)
        self.assertEqual(len(self.logs(host, sandbox.id)), 1000)
        host.api("DELETE", "/sandboxes/" + sandbox.id)


class Network(HostTest):
    def test_there_is_no_internet_and_the_detail_says_so(self):
        sandbox = self.host.create(allow_internet_access=True)
        detail = self.host.detail(sandbox.id).json()
        self.assertEqual((detail["internet"]["available"], detail["allowInternetAccess"]), (False, True))
        self.assertEqual(sandbox.run("ls /sys/class/net 2>/dev/null; cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '")[1], "lo\n")
        self.assertNotEqual(sandbox.run("exec 3<>/dev/tcp/192.0.2.1/80")[0], 0)

    def test_rules_that_cannot_be_kept_are_refused_by_name(self):
        rules = ({"allowOut": ["10.0.0.0/8"]}, {"allowOut": ["packages.example.org"], "denyOut": ["0.0.0.0/0"]},
                 {"rules": {"a.b": [{"transform": {"headers": {"X": "${e2b.secrets.NAME}"}}}]}},
                 {"egressProxy": {"address": "a:1"}}, {"denyOut": ["example.org"]})
        sandbox = self.host.create()
        for network in rules:
            name = next(iter(network))
            self.error(self.host.api("POST", "/v2/sandboxes", {"templateID": "base", "network": network}), 400, "network." + name)
            self.error(self.host.api("PUT", f"/sandboxes/{sandbox.id}/network", network), 400, "network." + name)
        # Taking away is kept by having none.
        self.assertEqual(self.host.api("PUT", f"/sandboxes/{sandbox.id}/network", {"denyOut": ["0.0.0.0/0"]}).status, 204)
        for network, part in (({"maskRequestHost": "a\r\nX: y"}, "maskRequestHost"), ({"maskRequestHost": ""}, "maskRequestHost"),
                              ({"maskRequestHost": 1}, "maskRequestHost"), ({"httpsPorts": [8443]}, "httpsPorts")):
            self.error(self.host.api("POST", "/v2/sandboxes", {"templateID": "base", "network": network}), 400, part)


if __name__ == "__main__":
    unittest.main()
