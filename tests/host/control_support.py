# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of boxdeck-host share: a real host on a free port, HTTP to both planes, commands in sandboxes."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.parse

BIN = pathlib.Path(os.environ.get("BOXDECK_BIN", "build/dev/bin")).resolve()

# A build with sanitizers is this much slower, and takes this much more memory, than what the bounds of tests are for.
SLOWER = 10 if os.environ.get("BOXDECK_SANITIZED") else 1


class Answer:
    def __init__(self, response, body):
        self.status = response.status
        self.headers = response.headers
        self.body = body

    def json(self):
        return json.loads(self.body)


class Host:
    """A boxdeck-host of our own. Its data folder is removed at the end unless it was given."""

    def __init__(self, data=None, arguments=(), environment=None):
        self.owns_data = data is None
        self.data = pathlib.Path(data or tempfile.mkdtemp(prefix="boxdeck-test-"))
        self.arguments = list(arguments)
        self.environment = {**os.environ, **(environment or {})}
        if SLOWER > 1:  # AddressSanitizer keeps what was freed for a while: here for a little while only
            self.environment["ASAN_OPTIONS"] = self.environment.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=8"
        self.process = None
        self.start()

    def start(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [BIN / "boxdeck-host", "--data", self.data, *self.arguments],
            stdout=subprocess.PIPE, stderr=self.errors, env=self.environment)
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(10)
            raise AssertionError("boxdeck-host did not start: " + self.stderr())
        self.ready = json.loads(line)
        self.key = self.ready["apiKey"]
        url = urllib.parse.urlsplit(self.ready["apiUrl"])
        self.address = (url.hostname, url.port)

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def stop(self, with_signal=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        code = self.process.wait(30)
        self.process.stdout.close()
        return code

    def close(self):
        self.stop()
        self.errors.close()  # a test may have done both already
        if self.owns_data:
            left = [path for name in ("volumes", "sandboxes", "trash") for path in (self.data / name).iterdir()]
            if left:  # sandboxes that a test left on purpose: their files belong to other ids
                again = Host(self.data)
                for sandbox in again.api("GET", "/v2/sandboxes").json():
                    again.api("DELETE", "/sandboxes/" + sandbox["sandboxID"])
                for volume in again.api("GET", "/volumes").json():
                    again.api("DELETE", "/volumes/" + volume["volumeID"])
                again.stop()
                again.errors.close()
            shutil.rmtree(self.data)

    def request(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection(*self.address, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Answer(response, response.read())
        finally:
            connection.close()

    def api(self, method, path, body=None, headers=None, timeout=60):
        data = json.dumps(body) if body is not None else None
        return self.request(method, path, data, {"X-API-Key": self.key, **(headers or {})}, timeout)

    def create(self, **members):
        answer = self.api("POST", "/v2/sandboxes", {"templateID": "base", **members})
        assert answer.status == 201, answer.body
        return Sandbox(self, answer.json())

    def detail(self, sandbox_id):
        return self.api("GET", "/sandboxes/" + sandbox_id)

    def sandbox_ids(self, query=""):
        return [one["sandboxID"] for one in self.api("GET", "/v2/sandboxes" + query).json()]


class Sandbox:
    """A sandbox and its data plane, spoken to by the routing headers."""

    def __init__(self, host, created):
        self.host = host
        self.created = created
        self.id = created["sandboxID"]
        self.token = created.get("envdAccessToken", "")

    def headers(self, more=None):
        headers = {"E2b-Sandbox-Id": self.id, "E2b-Sandbox-Port": "49983"}
        if self.token:
            headers["X-Access-Token"] = self.token
        return {**headers, **(more or {})}

    def request(self, method, path, body=None, headers=None, timeout=60):
        return self.host.request(method, path, body, self.headers(headers), timeout)

    def post(self, verb, body=None):
        return self.host.api("POST", f"/sandboxes/{self.id}/{verb}", body)

    def write(self, path, content, user="user"):
        query = urllib.parse.urlencode({"path": path, "username": user})
        return self.request("POST", "/files?" + query, content, {"Content-Type": "application/octet-stream"})

    def read(self, path, user="user"):
        return self.request("GET", "/files?" + urllib.parse.urlencode({"path": path, "username": user}))

    def start(self, command, user="user", timeout=60):
        """Starts a shell command and gives the open stream of its events."""
        message = {"process": {"cmd": "/bin/bash", "args": ["-c", command]}, "stdin": False}
        payload = json.dumps(message).encode()
        connection = http.client.HTTPConnection(*self.host.address, timeout=timeout)
        connection.request(
            "POST", "/process.Process/Start", struct.pack(">BI", 0, len(payload)) + payload,
            self.headers({"Content-Type": "application/connect+json", "Connect-Protocol-Version": "1",
                          **basic(user)}))
        return Stream(connection, connection.getresponse())

    def run(self, command, user="user", timeout=20):
        """Runs a shell command: exit code, stdout, stderr."""
        with contextlib.closing(self.start(command, user, timeout)) as stream:
            return stream.result()


def basic(user):
    """The header that names an account; none for the sandbox's own default."""
    return {} if user is None else {"Authorization": "Basic " + base64.b64encode(f"{user}:".encode()).decode()}


class Stream:
    def __init__(self, connection, response):
        self.connection = connection
        self.response = response

    def close(self):
        self.response.close()
        self.connection.close()

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.response.read(count - len(data))
            if not piece:
                raise ConnectionError("the stream was cut")
            data += piece
        return data

    def messages(self):
        while True:
            flags, length = struct.unpack(">BI", self.exactly(5))
            message = json.loads(self.exactly(length))
            if flags & 2:
                if "error" in message:
                    raise AssertionError(message["error"])
                return
            yield message.get("event", {})

    def result(self):
        code, out, err = None, b"", b""
        for event in self.messages():
            data = event.get("data", {})
            out += base64.b64decode(data.get("stdout", ""))
            err += base64.b64decode(data.get("stderr", ""))
            if "end" in event:
                code = event["end"].get("exitCode", 0)
        return code, out.decode(errors="replace"), err.decode(errors="replace")


class HostTest(unittest.TestCase):
    """One host for all tests of a class; each test's sandboxes are killed after it."""

    arguments = ()
    environment = None

    @classmethod
    def setUpClass(cls):
        cls.host = Host(arguments=cls.arguments, environment=cls.environment)
        cls.addClassCleanup(cls.host.close)

    def tearDown(self):
        for sandbox_id in self.host.sandbox_ids():
            self.host.api("DELETE", "/sandboxes/" + sandbox_id)

    def error(self, answer, status, part=""):
        """Checks a refusal of the control plane: status, JSON, the number in it, and what it says."""
        self.assertEqual(answer.status, status, answer.body)
        body = answer.json()
        self.assertEqual(body["code"], status)
        self.assertIn(part, body["message"])
        return body


def eventually(check, patience=10.0, what="it"):
    """Waits until check() is true; the state changes in another process, so there is no signal to wait for."""
    end = time.monotonic() + patience
    while True:
        result = check()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen within {patience} s")
        time.sleep(0.02)


def processes_naming(text):
    """Ids of processes whose command line holds the text."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if text.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found


def descendants(pid):
    """Ids of all processes below one."""
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, left = [], [pid]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def raw(address, request):
    """Sends bytes and gives all bytes of the answer until the host closes."""
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(request)
        answer = b""
        while True:
            piece = connection.recv(65536)
            if not piece:
                return answer
            answer += piece
