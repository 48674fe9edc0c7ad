# SPDX-License-Identifier: GPL-3.0-or-later
"""The way in to the sandboxes: routing, tokens, signed URLs, bodies both ways, broken connections."""

import base64
import concurrent.futures
import contextlib
import hashlib
import http.client
import os
import pathlib
import socket
import time
import unittest
import urllib.parse

from control_support import SLOWER, HostTest, Sandbox, eventually, raw

MIB = 1 << 20


def sign(token, path, operation, user="", expiration=None):
    text = f"{path}:{operation}:{user}:{token}" + (f":{expiration}" if expiration is not None else "")
    return "v1_" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


class Routing(HostTest):
    def ask(self, headers, path="/health", method="GET"):
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        answer = raw(self.host.address, f"{method} {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
        head, body = answer.split(b"\r\n\r\n", 1)
        return int(head.split()[1]), body.decode(), head.decode().lower()

    def test_a_sandbox_is_found_by_host_name_or_by_headers(self):
        sandbox = self.host.create()
        label = "49983-" + sandbox.id
        for host in (label + ".localhost", label + ".e2b.app", label + "-6532622b.any.thing", label.upper() + ".X"):
            self.assertEqual(self.ask({"Host": host})[0], 204, host)
        both = {"E2b-Sandbox-Id": sandbox.id, "E2b-Sandbox-Port": "49983"}
        for host in ("localhost", "127.0.0.1", "[::1]:80", "sandbox.example"):
            self.assertEqual(self.ask({"Host": host, **both})[0], 204, host)
        self.assertEqual(self.ask({"Host": "localhost"})[0], 204)  # this host's own health

    def test_what_names_no_sandbox_is_refused_as_the_protocol_says(self):
        sandbox = self.host.create()
        self.assertEqual(self.ask({"Host": "localhost", "E2b-Sandbox-Id": sandbox.id})[:2], (400, "missing header\n"))
        self.assertEqual(self.ask({"Host": "49983-no_id.x"})[:2], (400, "Invalid sandbox ID\n"))
        self.assertEqual(self.ask({"Host": f"abc-{sandbox.id}.x"})[:2],
                         (500, "Unexpected error when routing request: invalid sandbox port\n"))
        status, body, head = self.ask({"Host": "49983-iaaaabbbbccccdddd1111.x"})
        self.assertEqual((status, body), (502, '{"sandboxId":"iaaaabbbbccccdddd1111","message":"The sandbox was not found",'
                                          '"code":502}'))
        self.assertIn("application/json", head)
        self.assertEqual(self.ask({"Host": f"8080-{sandbox.id}.x"})[:2],
                         (502, f'{{"sandboxId":"{sandbox.id}","message":"The sandbox is running but port is not open",'
                          '"port":8080,"code":502}'))

    def test_what_belongs_to_the_orchestrator_does_not_exist(self):
        sandbox = self.host.create()
        for path in ("/init", "/freeze", "/unfreeze", "/collapse", "/fsfreeze", "/fsthaw", "/upgrade", "//init/", "/%69nit"):
            for method in ("GET", "POST"):
                answer = sandbox.request(method, path)
                self.assertEqual(answer.status, 404, path)
                self.assertEqual(set(answer.json()), {"message", "path", "code"})

    def test_traffic_tokens_guard_other_ports_only(self):
        sandbox = self.host.create(network={"allowPublicTraffic": False})
        token = sandbox.created["trafficAccessToken"]
        self.assertEqual(sandbox.request("GET", "/health").status, 204)
        ports = {"E2b-Sandbox-Port": "8080"}
        refused = sandbox.request("GET", "/", headers=ports)
        self.assertEqual((refused.status, refused.json()["code"]), (403, 403))
        self.assertEqual(sandbox.request("GET", "/", headers={**ports, "e2b-traffic-access-token": "x"}).status, 403)
        self.assertEqual(sandbox.request("GET", "/", headers={**ports, "e2b-traffic-access-token": token}).status, 502)
        again = sandbox.post("connect", {"timeout": 60})
        self.assertEqual(again.json()["trafficAccessToken"], token)


class Tokens(HostTest):
    def test_a_secure_sandbox_needs_its_own_token(self):
        sandbox, other = self.host.create(), self.host.create()
        for token in ("", "wrong", other.token):
            stranger = Sandbox(self.host, {"sandboxID": sandbox.id, "envdAccessToken": token})
            for method, path in (("GET", "/envs"), ("POST", "/process.Process/List"), ("GET", "/files/../envs"),
                                 ("POST", "/files/compose"), ("GET", "/files?path=/etc/passwd"),
                                 ("POST", "/files?path=/tmp/x")):
                answer = stranger.request(method, path, "{}", {"Content-Type": "application/json"})
                self.assertEqual((answer.status, answer.json()["code"]), (401, 401), (token, path))
                self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(stranger.request("GET", "/health").status, 204)
        self.assertEqual(sandbox.run("ls /tmp")[1], "")

    def test_an_open_sandbox_ignores_tokens(self):
        answer = self.host.api("POST", "/sandboxes", {"templateID": "base", "timeout": 60})
        sandbox = Sandbox(self.host, answer.json())
        self.assertEqual(sandbox.token, "")
        self.assertEqual(sandbox.request("GET", "/envs", headers={"X-Access-Token": "any"}).status, 200)
        self.assertEqual(sandbox.write("a", b"x").status, 200)

    def test_the_daemon_never_sees_a_secret(self):
        sandbox = self.host.create()
        for user in self.host.detail(sandbox.id).json()["users"]:
            # What processes inside can find at all: every environment and command line there is.
            code, out, _ = sandbox.run("cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'", user)
            self.assertEqual(code, 0)
            self.assertIn("E2B_SANDBOX", out)
            for secret in (sandbox.token, self.host.key):
                self.assertNotIn(secret, out)

    def test_signed_urls_work_without_the_header(self):
        sandbox = self.host.create()
        stranger = Sandbox(self.host, {"sandboxID": sandbox.id})
        path = "/home/user/a b+ü.txt"
        far = int(time.time()) + 60

        def url(**query):
            return "/files?" + urllib.parse.urlencode(query)

        put = url(path=path, username="user", signature=sign(sandbox.token, path, "write", "user", far),
                  signature_expiration=far)
        self.assertEqual(stranger.request("POST", put, b"signed",
                                          {"Content-Type": "application/octet-stream"}).status, 200)
        got = stranger.request("GET", url(path=path, signature=sign(sandbox.token, path, "read")))
        self.assertEqual((got.status, got.body), (200, b"signed"))
        past = int(time.time()) - 2
        for query, part in (
                (dict(path=path, signature=sign(sandbox.token, path, "write")), "invalid signature"),
                (dict(path="/etc/passwd", signature=sign(sandbox.token, path, "read")), "invalid signature"),
                (dict(path=path, username="root", signature=sign(sandbox.token, path, "read")), "invalid signature"),
                (dict(path=path, signature=sign(sandbox.token, path, "read", "", past), signature_expiration=past),
                 "expired"),
                (dict(path=path), "missing signature")):
            answer = stranger.request("GET", url(**query))
            self.assertEqual(answer.status, 401)
            self.assertIn(part, answer.json()["message"])
        twice = stranger.request("GET", url(path=path, signature=sign(sandbox.token, path, "read")) + "&path=/etc/passwd")
        self.assertEqual(twice.status, 400)


class Bodies(HostTest):
    def test_big_bodies_come_through_whole_in_both_directions_and_forms(self):
        sandbox = self.host.create()
        content = os.urandom(MIB) * 48
        digest = hashlib.sha256(content).hexdigest()
        self.assertEqual(sandbox.write("big", content).status, 200)

        def pieces():
            for at in range(0, len(content), 300_001):
                yield content[at:at + 300_001]

        self.assertEqual(sandbox.write("chunked", pieces()).status, 200)
        self.assertEqual(sandbox.run("sha256sum big chunked")[1], f"{digest}  big\n{digest}  chunked\n")
        self.assertEqual(hashlib.sha256(sandbox.read("big").body).hexdigest(), digest)
        part = sandbox.request("GET", "/files?path=big", headers={"Range": "bytes=1048570-1048590"})
        self.assertEqual((part.status, part.body), (206, content[1048570:1048591]))

    def test_the_host_holds_no_body_in_memory(self):
        sandbox = self.host.create()
        status = pathlib.Path(f"/proc/{self.host.process.pid}/status")

        def peak():
            return int(next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1]) // 1024

        before = peak()
        block = b"x" * MIB
        self.assertEqual(sandbox.write("huge", (block for _ in range(256))).status, 200)
        connection = http.client.HTTPConnection(*self.host.address, timeout=60)
        connection.request("GET", "/files?path=huge", headers=sandbox.headers({"Accept-Encoding": "identity"}))
        response = connection.getresponse()
        response.read(MIB)
        time.sleep(0.5)  # a reader that has stopped: nothing may pile up meanwhile
        while response.read(MIB):
            pass
        connection.close()
        self.assertLess(peak() - before, 16 if SLOWER == 1 else 64)

    def test_a_refusal_does_not_wait_for_the_body(self):
        sandbox = self.host.create()
        with socket.create_connection(self.host.address, timeout=10) as connection:
            connection.sendall((f"POST /files?path=x HTTP/1.1\r\nHost: 49983-{sandbox.id}.x\r\n"
                                f"Content-Length: {1 << 40}\r\n\r\n").encode() + b"x" * 1000)
            self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 401 "))

    def test_output_arrives_as_it_is_made(self):
        sandbox = self.host.create()
        with contextlib.closing(sandbox.start("for i in 1 2 3; do echo $i; sleep 0.4; done")) as stream:
            times = [time.monotonic() for event in stream.messages() if "data" in event]
        self.assertEqual(len(times), 3)
        self.assertGreater(times[2] - times[0], 0.5)


class Breaks(HostTest):
    def open_files(self):
        return len(os.listdir(f"/proc/{self.host.process.pid}/fd"))

    def test_a_kill_cuts_downloads_and_streams_instead_of_ending_them(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.run("truncate -s 2G big")[0], 0)
        stream = sandbox.start("sleep 300")
        self.addCleanup(stream.close)
        events = stream.messages()
        self.assertIn("start", next(events))
        downloads = []
        for headers in ({"Accept-Encoding": "identity"}, {"Accept-Encoding": "gzip"}):
            connection = http.client.HTTPConnection(*self.host.address, timeout=60)
            self.addCleanup(connection.close)
            connection.request("GET", "/files?path=big", headers=sandbox.headers(headers))
            downloads.append(connection.getresponse())
            downloads[-1].read(1000)
        self.assertEqual(self.host.api("DELETE", "/sandboxes/" + sandbox.id).status, 204)
        for download in downloads:
            with self.assertRaises((http.client.IncompleteRead, ConnectionError)):
                download.read()
        with self.assertRaises((http.client.IncompleteRead, ConnectionError)):
            for _ in events:
                pass

    def test_callers_that_leave_are_forgotten(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.run("true")[0], 0)
        before = self.open_files()
        streams = [sandbox.start("sleep 300") for _ in range(8)]
        for stream in streams:
            self.assertIn("start", next(stream.messages()))
            stream.close()
        uploads = []
        for _ in range(8):
            upload = socket.create_connection(self.host.address, timeout=10)
            head = "".join(f"{name}: {value}\r\n" for name, value in sandbox.headers().items())
            upload.sendall((f"POST /files?path=part HTTP/1.1\r\nHost: localhost\r\n{head}"
                            f"Content-Type: application/octet-stream\r\nContent-Length: {1 << 30}\r\n\r\n").encode()
                           + b"x" * 100_000)
            uploads.append(upload)
        for upload in uploads:
            upload.close()
        eventually(lambda: self.open_files() <= before, 30, "closing what nobody uses")
        # Nobody watches, but the processes go on: only their viewers left.
        self.assertEqual(sandbox.run("pgrep -c sleep")[1], "8\n")

    def test_creating_and_killing_leaves_nothing_open(self):
        def once(_):
            sandbox = self.host.create()
            self.assertEqual(sandbox.run("echo hi")[1], "hi\n")
            self.assertEqual(self.host.api("DELETE", "/sandboxes/" + sandbox.id).status, 204)

        once(0)
        before = self.open_files()
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            list(pool.map(once, range(24)))
        eventually(lambda: self.open_files() <= before, 30, "closing what nobody uses")

    def test_requests_that_are_no_http_do_no_harm(self):
        sandbox = self.host.create()
        for junk in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00" + b"\x00" * 100, b"GET / HTTP/1.1\r\nA" + b"a" * 70000 + b": b\r\n\r\n",
                     b"GET /%zz HTTP/1.1\r\nHost: localhost\r\nX-API-Key: x\r\nConnection: close\r\n\r\n",
                     b"POST /sandboxes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"):
            with contextlib.suppress(ConnectionError, TimeoutError), \
                    socket.create_connection(self.host.address, timeout=5) as connection:
                connection.sendall(junk)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(65536)
        self.assertEqual(sandbox.request("GET", "/health").status, 204)


if __name__ == "__main__":
    unittest.main()
