# SPDX-License-Identifier: GPL-3.0-or-later
"""The control plane of a real host: keys, routes, bodies, lists."""

import datetime
import json
import os
import pathlib
import stat
import subprocess
import tempfile
import unittest
import urllib.parse

from control_support import BIN, Host, HostTest, raw


class Keys(HostTest):
    def test_every_call_but_health_needs_the_right_key(self):
        for method, path in (("GET", "/v2/sandboxes"), ("POST", "/sandboxes"), ("GET", "/templates"),
                             ("DELETE", "/sandboxes/iaaaabbbbccccdddd1111"), ("GET", "/nothing")):
            with self.subTest(path=path):
                self.error(self.host.request(method, path), 401, "Missing authorization header")
                self.error(self.host.request(method, path, headers={"X-API-Key": ""}), 401)
                self.error(self.host.request(method, path, headers={"X-API-Key": "other"}), 401, "Invalid API key format")
                wrong = "e2b_" + "0" * 40
                self.error(self.host.request(method, path, headers={"X-API-Key": wrong}), 401, "Invalid API key")
                near = self.host.key[:-1] + ("0" if self.host.key[-1] != "0" else "1")
                self.error(self.host.request(method, path, headers={"X-API-Key": near}), 401, "Invalid API key")
        answer = self.host.request("GET", "/health")
        self.assertEqual((answer.status, answer.body), (204, b""))

    def test_key_is_kept_private_and_stays_the_same(self):
        self.assertRegex(self.host.key, r"\Ae2b_[0-9a-f]{40}\Z")
        self.assertEqual(self.host.ready["apiUrl"], self.host.ready["sandboxUrl"])
        self.assertEqual(self.host.ready["pid"], self.host.process.pid)
        file = self.host.data / "api-key"
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertEqual(file.read_text().strip(), self.host.key)
        sandbox = self.host.create()
        record = self.host.data / "sandboxes" / sandbox.id / "record.json"
        self.assertEqual(stat.S_IMODE(record.stat().st_mode), 0o600)
        for pid in [self.host.process.pid, *map(int, filter(str.isdigit, os.listdir("/proc")))]:
            try:
                line = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() + pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            except OSError:
                continue
            for secret in (self.host.key, sandbox.token):
                self.assertNotIn(secret.encode(), line)
        log = self.host.stderr() + (self.host.data / "sandboxes" / sandbox.id / "daemon.log").read_text()
        self.assertNotIn(self.host.key, log)
        self.assertNotIn(sandbox.token, log)

    def test_browsers_may_ask_from_anywhere(self):
        answer = self.host.request("OPTIONS", "/v2/sandboxes", headers={
            "Origin": "http://a.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "x-api-key"})
        self.assertEqual(answer.status, 204)
        self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "*")
        self.assertIn("x-api-key", answer.headers["Access-Control-Allow-Headers"])
        self.assertIn("X-Next-Token", self.host.api("GET", "/v2/sandboxes").headers["Access-Control-Expose-Headers"])


class Starting(unittest.TestCase):
    def run_host(self, *arguments, **more):
        return subprocess.run([BIN / "boxdeck-host", *arguments], capture_output=True, text=True, timeout=30, **more)

    def test_a_key_file_is_taken_and_a_missing_one_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            key = pathlib.Path(folder, "key")
            key.write_text("my own key\n")
            self.assertIn("cannot be sent", self.run_host("--data", folder + "/d", "--api-key-file", key).stderr)
            key.write_text("my-own-key\n")
            host = Host(folder + "/d", ["--api-key-file", key])
            self.assertEqual(host.key, "my-own-key")
            self.assertEqual(host.api("GET", "/v2/sandboxes").status, 200)
            self.assertFalse((host.data / "api-key").exists())
            self.assertEqual(host.stop(), 0)
            host.errors.close()
            gone = self.run_host("--data", folder + "/d", "--api-key-file", folder + "/none")
            self.assertNotEqual(gone.returncode, 0)
            self.assertIn("none", gone.stderr)

    def test_two_hosts_never_share_a_data_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            host = Host(folder)
            second = self.run_host("--data", folder)
            self.assertEqual((second.returncode, second.stdout), (1, ""))
            self.assertIn("another boxdeck-host", second.stderr)
            self.assertEqual(host.api("GET", "/v2/sandboxes").status, 200)
            host.stop()
            host.errors.close()

    def test_wrong_arguments_are_named(self):
        for words, part in ((["--lisen", "x"], "--lisen"), (["--listen"], "--listen"), (["--listen", "3000"], "3000"),
                            (["--listen", "127.0.0.1:99999"], "99999"), (["--envd", "/nowhere"], "boxdeck-envd"),
                            (["--listen", "203.0.113.1:80", "--data", "@"], "cannot listen on 203.0.113.1:80")):
            with self.subTest(words=words), tempfile.TemporaryDirectory() as folder:
                result = self.run_host(*[folder if word == "@" else word for word in words])
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn(part, result.stderr)

    def test_without_bubblewrap_it_refuses_and_says_what_to_install(self):
        # A copy of this computer's root without the program, in a mount namespace of its own.
        with tempfile.TemporaryDirectory() as folder:
            script = ('mount --bind /dev/null "$(readlink -f "$(command -v bwrap)")" && '
                      f'exec "{BIN}/boxdeck-host" --data "{folder}/d"')
            user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
            result = subprocess.run(["unshare", *user, "--mount", "sh", "-c", script], capture_output=True, text=True,
                                    timeout=30)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("apt install bubblewrap", result.stderr)

    def test_where_namespaces_are_forbidden_it_refuses_and_says_what_to_change(self):
        with tempfile.TemporaryDirectory() as folder:
            script = ('echo 0 > /proc/sys/user/max_user_namespaces && '
                      f'exec "{BIN}/boxdeck-host" --data "{folder}/d"')
            # The limit counts below the namespace it is set in, so this computer is not touched.
            result = subprocess.run(["unshare", "--user", "--map-root-user", "sh", "-c", script], capture_output=True,
                                    text=True, timeout=30)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("max_user_namespaces", result.stderr)


class Routes(HostTest):
    def test_plain_and_v2_forms_create_and_connect(self):
        for prefix, secure in (("", False), ("/v2", True)):
            with self.subTest(prefix=prefix):
                answer = self.host.api("POST", prefix + "/sandboxes", {"templateID": "base"})
                self.assertEqual(answer.status, 201)
                made = answer.json()
                self.assertRegex(made["sandboxID"], r"\Ai[a-z0-9]{20}\Z")
                self.assertRegex(made["envdVersion"], r"\A\d+\.\d+\.\d+\Z")
                self.assertEqual("envdAccessToken" in made, secure)
                if secure:
                    self.assertRegex(made["envdAccessToken"], r"\A[0-9a-f]{64}\Z")
                connected = self.host.api("POST", f"{prefix}/sandboxes/{made['sandboxID']}/connect", {"timeout": 400})
                self.assertEqual((connected.status, connected.json()), (200, made))
                empty = self.host.api("POST", f"{prefix}/sandboxes/{made['sandboxID']}/connect")
                self.assertEqual(empty.status, 200)

    def test_unknown_routes_and_methods_answer_at_once(self):
        sandbox = self.host.create()
        for method, path, status in (
                ("GET", "/v3/sandboxes", 404), ("GET", "/v3/templates", 404), ("GET", "/", 404),
                ("POST", "/snapshots", 405), ("GET", "/nobodys", 404), ("PATCH", "/sandboxes", 405),
                ("PUT", "/v2/sandboxes", 405), ("POST", f"/sandboxes/{sandbox.id}", 405),
                ("GET", f"/sandboxes/{sandbox.id}/pause", 405), ("GET", f"/sandboxes/{sandbox.id}/fork", 405),
                ("GET", f"/v2/sandboxes/{sandbox.id}", 404), ("PUT", "/templates/base", 405),
                ("GET", f"/sandboxes/{sandbox.id}/metrics/x", 404)):
            with self.subTest(method=method, path=path):
                self.error(self.host.api(method, path, timeout=5), status)

    def test_ids_are_checked_before_anything_else(self):
        for path in ("UPPER", "a-b-c", "i%2Fx", "i..x"):
            self.error(self.host.detail(path), 400, "Invalid sandbox ID")
        self.error(self.host.detail("iaaaabbbbccccdddd1111"), 404)
        self.error(self.host.detail("iaaaabbbbccccdddd1111-6532622b"), 404)
        sandbox = self.host.create()
        self.assertEqual(self.host.detail(sandbox.id + "-6532622b").json()["sandboxID"], sandbox.id)
        self.error(self.host.api("DELETE", "/sandboxes/iaaaabbbbccccdddd1111"), 404)

    def test_a_lease_that_is_over_at_birth_is_refused(self):
        before = self.host.sandbox_ids()
        for timeout in (0, -1, -3600):
            for path in ("/sandboxes", "/v2/sandboxes"):
                answer = self.host.api("POST", path, {"templateID": "base", "timeout": timeout})
                self.error(answer, 400, "greater than 0")
        self.assertEqual(self.host.sandbox_ids(), before)
        sandbox = self.host.create()
        self.assertEqual(sandbox.post("pause").status, 204)
        for timeout in (0, -1, -3600):
            self.error(sandbox.post("resume", {"timeout": timeout}), 400, "greater than 0")
        self.error(sandbox.post("connect", {"timeout": -1}), 400, "greater than 0")
        self.assertEqual(self.host.detail(sandbox.id).json()["state"], "paused")

    def test_templates_and_bad_bodies(self):
        self.error(self.host.api("POST", "/sandboxes", {"templateID": "nightly-tools"}), 404,
                   "template 'nightly-tools' not found")
        self.error(self.host.api("POST", "/sandboxes", {"templateID": "base:v9"}), 404, "tag 'v9'")
        self.error(self.host.api("POST", "/sandboxes", {}), 400, "validation error")
        self.error(self.host.request("POST", "/sandboxes", "{", {"X-API-Key": self.host.key}), 400, "validation error")
        for rules in ({"allowOut": ["1.1.1.1"]}, {"allowOut": ["a.b"], "denyOut": ["0.0.0.0/0"]},
                      {"rules": {"a.b": [{}]}}, {"egressProxy": {"address": "a:1"}}):
            answer = self.host.api("POST", "/v2/sandboxes", {"templateID": "base", "network": rules})
            self.error(answer, 400, "no network")
        listed = self.host.api("GET", "/templates").json()
        self.assertEqual(listed, self.host.api("GET", "/v2/templates").json())
        self.assertEqual([one["names"] for one in listed], [["base"]])
        self.assertEqual(listed[0]["buildStatus"], "ready")
        one = self.host.api("GET", "/templates/" + listed[0]["templateID"]).json()
        self.assertEqual(one["builds"][0]["buildID"], listed[0]["buildID"])
        alias = self.host.api("GET", "/templates/aliases/base").json()
        self.assertEqual(alias, {"templateID": listed[0]["templateID"], "public": True})
        self.error(self.host.api("GET", "/templates/aliases/free"), 404)
        self.error(self.host.api("GET", "/templates/team%2Ffork%3Adefault"), 404)
        made = self.host.api("POST", "/sandboxes", {"templateID": listed[0]["templateID"]})
        self.assertEqual((made.status, made.json()["alias"]), (201, "base"))

    def test_bodies_may_come_in_chunks_and_answers_carry_a_length(self):
        body = json.dumps({"templateID": "base"}).encode()
        chunks = b"".join(b"%x\r\n%c\r\n" % (1, byte) for byte in body) + b"0\r\n\r\n"
        head = (f"POST /v2/sandboxes HTTP/1.1\r\nHost: localhost\r\nx-api-key: {self.host.key}\r\n"
                "transfer-encoding: chunked\r\nConnection: close\r\n\r\n").encode()
        answer = raw(self.host.address, head + chunks)
        self.assertTrue(answer.startswith(b"HTTP/1.1 201 "), answer)
        sandbox_id = json.loads(answer.split(b"\r\n\r\n", 1)[1])["sandboxID"]
        answer = raw(self.host.address, f"DELETE /sandboxes/{sandbox_id} HTTP/1.1\r\nHost: localhost\r\n"
                     f"X-API-Key: {self.host.key}\r\nConnection: close\r\n\r\n".encode())
        self.assertTrue(answer.startswith(b"HTTP/1.1 204 "))
        self.assertNotIn(b"transfer-encoding", answer.lower())
        big = self.host.api("POST", "/sandboxes", {"templateID": "base", "metadata": {"a": "x" * (17 << 20)}})
        self.error(big, 413)

    def test_detail_tells_what_this_host_can_and_cannot(self):
        sandbox = self.host.create(metadata={"a": "b"}, autoPause=True, allow_internet_access=False,
                                   network={"denyOut": ["0.0.0.0/0"]})
        detail = self.host.detail(sandbox.id).json()
        self.assertEqual(detail["metadata"], {"a": "b"})
        self.assertEqual(detail["lifecycle"], {"autoResume": False, "onTimeout": "pause"})
        self.assertEqual(detail["envdAccessToken"], sandbox.token)
        self.assertIs(detail["allowInternetAccess"], False)
        self.assertEqual(detail["network"], {"denyOut": ["0.0.0.0/0"]})
        self.assertFalse(detail["internet"]["available"])
        self.assertEqual({limit["state"] for limit in detail["limits"].values()} - {"enforced", "watched", "not available"},
                         set())
        self.assertIn("user", detail["users"])
        self.assertNotIn("trafficAccessToken", detail)
        self.error(self.host.api("PUT", f"/sandboxes/{sandbox.id}/network", {"allowOut": ["1.1.1.1"]}), 400, "no network")
        self.assertEqual(self.host.api("PUT", f"/sandboxes/{sandbox.id}/network", {}).status, 204)
        self.assertEqual(self.host.detail(sandbox.id).json()["network"], {})


class Lists(HostTest):
    def test_pages_show_each_sandbox_once_while_others_come_and_go(self):
        ids = {self.host.create().id for _ in range(5)}
        seen, pages, query = [], 0, "?limit=2"
        while True:
            answer = self.host.api("GET", "/v2/sandboxes" + query)
            seen += [one["sandboxID"] for one in answer.json()]
            pages += 1
            if pages == 1:
                self.assertEqual(answer.headers["X-Total-Running"], "5")
                extra = self.host.create()
                self.host.api("DELETE", "/sandboxes/" + seen[0])
            token = answer.headers.get("X-Next-Token")
            if not token:
                break
            query = "?limit=2&nextToken=" + urllib.parse.quote(token, safe="")
        self.assertEqual(pages, 3)
        self.assertEqual(len(seen), len(set(seen)))
        self.assertEqual(set(seen) - {extra.id}, ids)
        for bad in ("bogus", urllib.parse.quote("äöü"), "AAAA"):
            self.error(self.host.api("GET", "/v2/sandboxes?nextToken=" + bad), 400, "Invalid next token")

    def test_filters(self):
        odd = "a b&c=d+e%f ü"
        first = self.host.create(metadata={"team": odd, "n": "1"})
        second = self.host.create(metadata={"team": "plain", "n": "1"})
        self.assertEqual(second.post("pause").status, 204)
        quote = lambda text: urllib.parse.quote(text, safe="")
        triple = quote(quote("team") + "=" + quote(quote(odd)))
        self.assertEqual(self.host.sandbox_ids("?metadata=" + triple), [first.id])
        self.assertEqual(self.host.sandbox_ids("?metadata=" + quote("team=plain&n=1")), [second.id])
        self.assertEqual(self.host.sandbox_ids("?metadata=" + quote("team=plain&n=2")), [])
        self.error(self.host.api("GET", "/v2/sandboxes?metadata=team"), 400, "Error parsing metadata")
        self.assertEqual(self.host.sandbox_ids("?state=paused"), [second.id])
        self.assertEqual(self.host.sandbox_ids("?state=running"), [first.id])
        self.assertEqual(set(self.host.sandbox_ids("?state=running,paused")), {first.id, second.id})
        self.assertIsNone(self.host.api("GET", "/v2/sandboxes?state=paused").headers.get("X-Total-Running"))
        self.error(self.host.api("GET", "/v2/sandboxes?state=running&state=paused"), 400, "more than once")
        self.assertEqual([one["sandboxID"] for one in self.host.api("GET", "/sandboxes").json()], [first.id])
        self.assertEqual(len(self.host.sandbox_ids("?template=base")), 2)
        self.assertEqual(self.host.sandbox_ids("?template=other"), [])
        self.error(self.host.api("GET", "/v2/sandboxes?template=base:v1"), 400)
        self.assertEqual(self.host.sandbox_ids("?order=asc"), list(reversed(self.host.sandbox_ids())))
        started = self.host.detail(second.id).json()["startedAt"]
        self.assertEqual(self.host.sandbox_ids("?startedAfter=" + quote(started)), [second.id])
        later = datetime.datetime.fromisoformat(started.replace("Z", "+00:00")) + datetime.timedelta(microseconds=1)
        self.assertEqual(self.host.sandbox_ids("?startedAfter=" + quote(later.isoformat())), [])

    def test_metrics_and_logs(self):
        sandbox = self.host.create()
        self.assertEqual(self.host.api("GET", f"/sandboxes/{sandbox.id}/metrics?start=1&end=2").json(), [])
        self.error(self.host.api("GET", "/sandboxes/iaaaabbbbccccdddd1111/metrics"), 404)
        self.assertEqual(self.host.api("GET", "/sandboxes/metrics?sandbox_ids=iaaaabbbbccccdddd1111").json(),
                         {"sandboxes": {}})
        self.error(self.host.api("GET", "/sandboxes/metrics"), 400)
        self.error(self.host.api("GET", "/sandboxes/metrics?sandbox_ids=" + ",".join(["a"] * 101)), 400, "100")
        logs = self.host.api("GET", f"/sandboxes/{sandbox.id}/logs").json()
        line = json.loads(logs["logs"][0]["line"])
        self.assertEqual(line["message"], logs["logEntries"][0]["message"])
        self.assertEqual((line["level"], line["logger"]), ("info", "host"))
        newest = self.host.api("GET", f"/v2/sandboxes/{sandbox.id}/logs?limit=1&level=info").json()
        self.assertEqual(len(newest["logs"]), 1)
        self.assertEqual(self.host.api("GET", f"/v2/sandboxes/{sandbox.id}/logs?level=error").json(), {"logs": []})
        self.assertEqual(self.host.api("GET", "/v2/sandboxes/iaaaabbbbccccdddd1111/logs").json(), {"logs": []})


class ProxyVariables(HostTest):
    environment = {name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "ALL_PROXY")}

    def test_proxy_settings_of_the_environment_do_not_matter(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.request("GET", "/health").status, 204)


if __name__ == "__main__":
    unittest.main()
