# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports of services inside sandboxes: who is reached, what goes through, what is refused."""

import base64
import contextlib
import hashlib
import http.client
import json
import os
import socket
import threading
import time
import unittest

from control_support import HostTest, eventually, raw

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

# A small service: echoes what it is sent, streams slowly, speaks WebSocket's handshake and echoes raw bytes after it.
SERVICE = r"""
import http.server, json, sys, time, hashlib, base64, socket
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            data = b""
            while True:
                size = int(self.rfile.readline(), 16)
                data += self.rfile.read(size)
                self.rfile.readline()
                if not size: return data
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))
    def do_GET(self):
        if self.path == "/slow":
            self.send_response(200); self.send_header("Transfer-Encoding", "chunked"); self.end_headers()
            for n in range(3):
                self.wfile.write(b"1\r\n%d\r\n" % n); self.wfile.flush(); time.sleep(0.4)
            self.wfile.write(b"0\r\n\r\n"); return
        if self.path == "/until-close":
            self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\nall there is"); self.close_connection = True; return
        if self.path == "/hold":
            open("/tmp/held", "w").close()
            self.connection.recv(1)
            try:
                while True: self.wfile.write(b"x"); self.wfile.flush(); time.sleep(0.05)
            except OSError: open("/tmp/gone", "w").close()
            self.close_connection = True; return
        if self.path == "/mute":
            self.close_connection = True; return
        if self.path == "/unasked":
            self.wfile.write(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"); return
        if self.headers.get("Upgrade"):
            if self.path == "/refuse":
                self.send_response(426); self.send_header("Content-Length", "2"); self.end_headers()
                self.wfile.write(b"no"); return
            key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            self.send_response(101)
            self.send_header("Upgrade", "websocket"); self.send_header("Connection", "Upgrade")
            self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
            self.end_headers(); self.wfile.write(b"hello"); self.wfile.flush()
            while True:
                data = self.connection.recv(65536)
                if not data: break
                self.connection.sendall(data.upper())
            self.connection.sendall(b"bye"); self.close_connection = True; return
        self.answer()
    def answer(self):
        text = json.dumps({"method": self.command, "path": self.path, "headers": list(self.headers.items()),
                           "body": hashlib.sha256(self.body()).hexdigest()}).encode()
        self.send_response(200); self.send_header("Content-Type", "application/json")
        self.send_header("X-Own", "yes"); self.send_header("Content-Length", str(len(text))); self.end_headers()
        self.wfile.write(text)
    do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = answer
class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6 if ":" in sys.argv[2] else socket.AF_INET
Server((sys.argv[2], int(sys.argv[1])), Handler).serve_forever()
"""


class PortTest(HostTest):
    def ask(self, sandbox, port, method="GET", path="/", body=None, headers=None):
        return self.host.request(method, path, body,
                                 {"E2b-Sandbox-Id": sandbox.id, "E2b-Sandbox-Port": str(port), **(headers or {})})

    def serve(self, sandbox, port, address="127.0.0.1"):
        self.assertEqual(sandbox.write("/tmp/service.py", SERVICE.encode()).status, 200)
        stream = sandbox.start(f"exec python3 /tmp/service.py {port} {address}")
        self.addCleanup(stream.close)
        self.assertIn("start", next(stream.messages()))
        eventually(lambda: self.ask(sandbox, port).status == 200, 20, "the service answering")
        return stream


class Reaching(PortTest):
    def test_a_service_on_any_loopback_address_is_reached_by_host_name_and_headers(self):
        sandbox = self.host.create()
        for port, address in ((8080, "127.0.0.1"), (8081, "::1"), (8082, "0.0.0.0")):
            self.serve(sandbox, port, address)
            answer = self.host.request("GET", "/a%20b?c=d%2Fe", headers={"Host": f"{port}-{sandbox.id}.my.test"})
            self.assertEqual(answer.status, 200, answer.body)
            seen = answer.json()
            self.assertEqual(seen["path"], "/a%20b?c=d%2Fe")
            self.assertIn(["Host", f"{port}-{sandbox.id}.my.test"], seen["headers"])
            self.assertEqual(answer.headers["X-Own"], "yes")

    def test_the_sandbox_of_the_name_answers_and_no_other(self):
        one, two = self.host.create(), self.host.create()
        self.serve(one, 8080)
        refused = self.ask(two, 8080)
        self.assertEqual((refused.status, refused.json()),
                         (502, {"sandboxId": two.id, "message": "The sandbox is running but port is not open",
                                "port": 8080, "code": 502}))

    def test_what_listens_on_this_computer_is_never_reached(self):
        sandbox = self.host.create()
        for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"), (socket.AF_INET, "0.0.0.0")):
            with socket.socket(family, socket.SOCK_STREAM) as listener:
                listener.bind((address, 0))
                listener.listen()
                listener.settimeout(0.2)
                self.assertEqual(self.ask(sandbox, listener.getsockname()[1]).status, 502)
                with self.assertRaises(TimeoutError):
                    listener.accept()
        # Nor the host itself by its own port.
        self.assertEqual(self.ask(sandbox, self.host.address[1]).status, 502)

    def test_a_service_that_is_just_starting_is_waited_for(self):
        sandbox = self.host.create()
        self.assertEqual(sandbox.write("/tmp/service.py", SERVICE.encode()).status, 200)
        with contextlib.closing(sandbox.start("sleep 0.3; exec python3 -S -m http.server 8090 --bind 127.0.0.1")) as stream:
            self.assertIn("start", next(stream.messages()))
            self.assertEqual(self.ask(sandbox, 8090).status, 200)

    def test_callers_may_not_use_the_hosts_own_way_in(self):
        sandbox = self.host.create()
        for port in (49983, 8080):
            head = (f"CONNECT localhost:22 HTTP/1.1\r\nHost: {port}-{sandbox.id}.x\r\nX-Access-Token: {sandbox.token}\r\n"
                    "Connection: close\r\n\r\n")
            self.assertTrue(raw(self.host.address, head.encode()).startswith(b"HTTP/1.1 405 "))

    def test_the_envd_token_is_not_needed_and_secrets_do_not_go_in(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        answer = self.ask(sandbox, 8080, headers={
            "X-API-Key": self.host.key, "X-Access-Token": sandbox.token, "Authorization": "Bearer " + self.host.key,
            "e2b-traffic-access-token": "x", "X-Own-Key": "mine"})
        text = json.dumps(answer.json())
        self.assertNotIn(self.host.key, text)
        self.assertNotIn(sandbox.token, text)
        self.assertNotIn("traffic", text.lower())
        self.assertIn("X-Own-Key", text)
        # A service may have keys of its own under the same names.
        own = self.ask(sandbox, 8080, headers={"X-API-Key": "of the service", "X-Access-Token": "too"})
        self.assertIn(["X-API-Key", "of the service"], own.json()["headers"])
        self.assertIn(["X-Access-Token", "too"], own.json()["headers"])


class Traffic(PortTest):
    def test_a_sandbox_that_is_not_public_asks_for_its_token(self):
        sandbox = self.host.create(network={"allowPublicTraffic": False})
        token = sandbox.created["trafficAccessToken"]
        good = {"e2b-traffic-access-token": token}
        self.assertEqual(sandbox.write("/tmp/service.py", SERVICE.encode()).status, 200)
        stream = sandbox.start("exec python3 /tmp/service.py 8080 127.0.0.1")
        self.addCleanup(stream.close)
        eventually(lambda: self.ask(sandbox, 8080, headers=good).status == 200, 20, "the service answering")
        other = self.host.create(network={"allowPublicTraffic": False}).created["trafficAccessToken"]
        for headers in ({}, {"e2b-traffic-access-token": other}, {"e2b-traffic-access-token": token[:-1]},
                        {"X-Access-Token": sandbox.token}):
            refused = self.ask(sandbox, 8080, headers=headers)
            self.assertEqual((refused.status, refused.json()["code"], refused.json()["sandboxId"]), (403, 403, sandbox.id))

    def test_traffic_wakes_a_sandbox_that_asked_for_it(self):
        sandbox = self.host.create(autoPause=True, autoResume={"enabled": True}, network={"allowPublicTraffic": False})
        token = {"e2b-traffic-access-token": sandbox.created["trafficAccessToken"]}
        self.assertEqual(sandbox.write("/tmp/service.py", SERVICE.encode()).status, 200)
        stream = sandbox.start("exec python3 /tmp/service.py 8080 127.0.0.1")
        self.addCleanup(stream.close)
        eventually(lambda: self.ask(sandbox, 8080, headers=token).status == 200, 20, "the service answering")
        self.assertEqual(sandbox.post("pause", {}).status, 204)
        self.assertEqual(self.ask(sandbox, 8080).status, 403)
        self.assertEqual(self.host.detail(sandbox.id).json()["state"], "paused")
        self.assertEqual(self.ask(sandbox, 8080, headers=token).status, 200)
        self.assertEqual(self.host.detail(sandbox.id).json()["state"], "running")

    def test_a_paused_sandbox_without_auto_resume_stays_paused(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        self.assertEqual(sandbox.post("pause", {}).status, 204)
        refused = self.ask(sandbox, 8080)
        self.assertEqual((refused.status, refused.json()["message"]), (502, "The sandbox was not found"))
        self.assertEqual(self.host.detail(sandbox.id).json()["state"], "paused")

    def test_the_name_that_services_see_can_be_masked(self):
        sandbox = self.host.create(network={"maskRequestHost": "localhost:${PORT}"})
        self.serve(sandbox, 8080)
        headers = [value for name, value in self.ask(sandbox, 8080).json()["headers"] if name == "Host"]
        self.assertEqual(headers, ["localhost:8080"])

    def test_browsers_get_a_page_and_programs_get_json(self):
        sandbox = self.host.create()
        unknown = "iaaaabbbbccccdddd1111"
        for sandbox_id, part in ((sandbox.id, "port is not open"), (unknown, "not found")):
            def ask(**headers):
                return self.host.request("GET", "/", headers={"Host": f"8080-{sandbox_id}.x", "User-Agent": BROWSER, **headers})

            for headers in ({}, {"Accept": "text/html,*/*"}, {"Accept": "application/json, text/html"},
                            {"Sec-Fetch-Mode": "navigate", "X-Requested-With": "x"}):
                answer = ask(**headers)
                self.assertEqual(answer.status, 502)
                self.assertTrue(answer.headers["Content-Type"].startswith("text/html"), headers)
                self.assertIn(part, answer.body.decode())
                self.assertIn(sandbox_id, answer.body.decode())
            for headers in ({"Accept": "application/json"}, {"Sec-Fetch-Mode": "cors"}, {"Sec-Fetch-Mode": "websocket"},
                            {"X-Requested-With": "XMLHttpRequest"}, {"User-Agent": "curl/8"}):
                self.assertEqual(ask(**headers).json()["code"], 502, headers)


class Bodies(PortTest):
    def test_bodies_go_in_whole_in_both_forms(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        content = os.urandom(1 << 20) * 9
        digest = hashlib.sha256(content).hexdigest()
        self.assertEqual(self.ask(sandbox, 8080, "PUT", "/x", content).json()["body"], digest)
        pieces = (content[at:at + 77_777] for at in range(0, len(content), 77_777))
        self.assertEqual(self.ask(sandbox, 8080, "POST", "/x", pieces).json()["body"], digest)
        self.assertEqual(self.ask(sandbox, 8080, "DELETE", "/x", b"why").json()["method"], "DELETE")
        self.assertEqual(self.ask(sandbox, 8080, "GET", "/until-close").body, b"all there is")

    def test_an_answer_arrives_as_it_is_made_and_the_connection_is_kept(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        connection = http.client.HTTPConnection(*self.host.address, timeout=20)
        self.addCleanup(connection.close)
        headers = {"Host": f"8080-{sandbox.id}.x"}
        connection.request("GET", "/slow", headers=headers)
        response = connection.getresponse()
        times = []
        while response.read(1):
            times.append(time.monotonic())
        self.assertEqual(len(times), 3)
        self.assertGreater(times[2] - times[0], 0.5)
        own = connection.sock
        connection.request("GET", "/again", headers=headers)
        self.assertEqual(json.loads(connection.getresponse().read())["path"], "/again")
        self.assertIs(connection.sock, own)

    def test_a_caller_that_leaves_is_seen_by_the_service(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        with socket.create_connection(self.host.address) as connection:
            connection.sendall(f"GET /hold HTTP/1.1\r\nHost: 8080-{sandbox.id}.x\r\n\r\n".encode())
            eventually(lambda: sandbox.read("/tmp/held").status == 200, 10, "the request reaching the service")
        eventually(lambda: sandbox.read("/tmp/gone").status == 200, 10, "the service seeing it")

    def test_a_service_that_says_nothing_or_nonsense_is_no_answer(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        for path in ("/mute", "/unasked"):
            answer = self.ask(sandbox, 8080, path=path)
            self.assertEqual((answer.status, answer.body), (502, b"Failed to route request to sandbox\n"))

    def test_chunks_that_are_none_are_the_callers_fault(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        for port, token in ((8080, ""), (49983, sandbox.token)):
            for chunks in (b"zz\r\nabc\r\n0\r\n\r\n", b"3\r\nabcdef\r\n0\r\n\r\n", b"-1\r\n\r\n", b"ffffffffffffffffff\r\n"):
                head = (f"POST /files?path=/tmp/x HTTP/1.1\r\nHost: {port}-{sandbox.id}.x\r\nX-Access-Token: {token}\r\n"
                        "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
                answer = raw(self.host.address, head.encode() + chunks)
                self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), (port, chunks, answer))


class Upgrades(PortTest):
    def open(self, sandbox, port=8080, path="/ws", early=b"", extra=""):
        connection = socket.create_connection(self.host.address, timeout=20)
        self.addCleanup(connection.close)
        key = base64.b64encode(b"0123456789abcdef").decode()
        connection.sendall((f"GET {path} HTTP/1.1\r\nHost: {port}-{sandbox.id}.x\r\nConnection: keep-alive, Upgrade\r\n"
                            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{extra}\r\n"
                            ).encode() + early)
        answer = b""
        while b"\r\n\r\n" not in answer:
            piece = connection.recv(65536)
            if not piece:
                break
            answer += piece
        head, _, rest = answer.partition(b"\r\n\r\n")
        return connection, head, rest

    def read(self, connection, have, wanted):
        while len(have) < wanted:
            piece = connection.recv(65536)
            if not piece:
                break
            have += piece
        return have

    def test_a_websocket_goes_through_both_ways(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        connection, head, rest = self.open(sandbox, early=b"early")
        self.assertTrue(head.startswith(b"HTTP/1.1 101 "), head)
        self.assertIn(b"BACScCJPNqyz+UBoqMH89VmURoA=", head)
        self.assertIn(b"\r\nupgrade: websocket", head.lower())
        self.assertEqual(self.read(connection, rest, 10), b"helloEARLY")
        big = b"abc" * 700_000
        got = []
        reader = threading.Thread(target=lambda: got.append(self.read(connection, b"", len(big))))
        reader.start()
        connection.sendall(big)
        reader.join(30)
        self.assertEqual(hashlib.sha256(got[0]).digest(), hashlib.sha256(big.upper()).digest())
        connection.shutdown(socket.SHUT_WR)  # half: the last word still comes through
        self.assertEqual(self.read(connection, b"", 4), b"bye")

    def test_a_refused_upgrade_is_an_ordinary_answer(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        connection, head, rest = self.open(sandbox, path="/refuse")
        self.assertTrue(head.startswith(b"HTTP/1.1 426 "), head)
        self.assertEqual(self.read(connection, rest, 2), b"no")

    def test_an_upgrade_to_a_closed_port_is_refused(self):
        sandbox = self.host.create()
        _, head, rest = self.open(sandbox, port=9999)
        self.assertTrue(head.startswith(b"HTTP/1.1 502 "), head)
        self.assertIn(b'"port":9999', rest)

    def test_pausing_and_killing_end_it_and_nothing_stays_open(self):
        sandbox = self.host.create()
        self.serve(sandbox, 8080)
        def files():
            return len(os.listdir(f"/proc/{self.host.process.pid}/fd"))
        before = files()
        connections = [self.open(sandbox)[0] for _ in range(6)]
        for connection in connections[:3]:
            connection.close()
        eventually(lambda: files() <= before + 6, 20, "closing what the callers left")
        self.assertEqual(sandbox.post("pause", {}).status, 204)
        for connection in connections[3:]:
            with contextlib.suppress(ConnectionError):
                self.assertEqual(self.read(connection, b"", 1_000_000)[:5].strip(b"helo"), b"")
        self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        self.assertEqual(self.ask(sandbox, 8080).status, 200)
        eventually(lambda: files() <= before, 20, "closing what the pause cut")


if __name__ == "__main__":
    unittest.main()
