# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the real boxdeck-envd outside a sandbox, as the current user, and speaks HTTP and Connect to it.

Standard library only, and on purpose not sharing a line with the C++ client: a second reading of the protocol."""
import base64
import http.client
import json
import os
import pwd
import socket
import struct
import subprocess
import tempfile
import time

USER = pwd.getpwuid(os.getuid()).pw_name
# A build with sanitizers is this much slower, and takes this much more memory, than what the bounds of tests are for.
SLOWER = 10 if os.environ.get("BOXDECK_SANITIZED") else 1


def environment():
    """The daemon's. What was freed stays taken for a while under AddressSanitizer: here for a little while only."""
    if SLOWER == 1:
        return None
    return {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=8"}


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout=30 * SLOWER):
        super().__init__("envd", timeout=timeout, blocksize=1 << 20)
        self.unix_path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.unix_path)


class RpcFailure(Exception):
    def __init__(self, status, error):
        super().__init__(f"{status} {error}")
        self.status = status
        self.code = error.get("code")
        self.message = error.get("message", "")


class Stream:
    """A server stream: iterate over its messages; `end` is the payload of its last envelope."""

    def __init__(self, connection, response):
        self.connection = connection
        self.response = response
        self.end = None

    def read_exactly(self, size):
        data = b""
        while len(data) < size:
            piece = self.response.read1(size - len(data))
            if not piece:
                raise EOFError(f"stream cut after {len(data)} of {size} bytes")
            data += piece
        return data

    def next(self):
        flags, size = struct.unpack(">BI", self.read_exactly(5))
        payload = self.read_exactly(size)
        if flags & 2:
            self.end = json.loads(payload)
            assert self.response.read() == b"", "data after the end of the stream"
            return None
        return json.loads(payload)

    def __iter__(self):
        while (message := self.next()) is not None:
            yield message

    def close(self):
        self.connection.close()
        self.response.close()


class Envd:
    def __init__(self, binary, default_user=USER, env_vars=None, wrapper=(), workdir=""):
        self.folder = tempfile.mkdtemp(prefix="boxdeck-envd-")
        self.path = os.path.join(self.folder, "envd.sock")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.path)
        listener.listen(128)
        self.control, remote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(30)
        self.process = subprocess.Popen(
            [*wrapper, binary, "--listen-fd", str(listener.fileno()), "--control-fd", str(remote.fileno())],
            pass_fds=[listener.fileno(), remote.fileno()], stdin=subprocess.DEVNULL, env=environment())
        listener.close()
        remote.close()
        assert json.loads(self.control.recv(65536)) == {"event": "ready"}
        reply = self.ask({"op": "init", "defaultUser": default_user, "defaultWorkdir": workdir,
                          "envVars": env_vars or {}, "sandboxId": "sbx", "templateId": "base"})
        assert reply == {"ok": True}, reply

    def ask(self, message):
        self.control.send(json.dumps(message).encode())
        return json.loads(self.control.recv(1 << 20))

    def stop(self):
        self.control.close()
        return self.process.wait(timeout=20)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()
        os.unlink(self.path)
        os.rmdir(self.folder)

    def request(self, method, target, body=None, headers=None, timeout=30 * SLOWER):
        connection = UnixConnection(self.path, timeout)
        connection.request(method, target, body=body, headers=headers or {})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response, data

    def rpc(self, method, message=None, user=None, headers=None, raw=None):
        head = {"Content-Type": "application/json", "Connect-Protocol-Version": "1", **(headers or {})}
        if user is not None:
            head["Authorization"] = "Basic " + base64.b64encode(f"{user}:".encode()).decode()
        body = raw if raw is not None else json.dumps(message or {})
        response, data = self.request("POST", "/" + method, body, head)
        if response.status != 200:
            raise RpcFailure(response.status, json.loads(data))
        return json.loads(data)

    def process_rpc(self, method, **message):
        return self.rpc("process.Process/" + method, message)

    def file_rpc(self, method, **message):
        return self.rpc("filesystem.Filesystem/" + method, message)

    def stream(self, method, message, headers=None, user=None, timeout=30):
        connection = UnixConnection(self.path, timeout)
        head = {"Content-Type": "application/connect+json", "Connect-Protocol-Version": "1", **(headers or {})}
        if user is not None:
            head["Authorization"] = "Basic " + base64.b64encode(f"{user}:".encode()).decode()
        payload = json.dumps(message).encode()
        connection.request("POST", "/" + method, struct.pack(">BI", 0, len(payload)) + payload, head)
        response = connection.getresponse()
        assert response.status == 200, (response.status, response.read())
        assert response.getheader("Content-Type") == "application/connect+json"
        return Stream(connection, response)

    def start(self, cmd, args=(), pty=None, headers=None, user=None, tag=None, stdin=False, timeout=30, **config):
        message = {"process": {"cmd": cmd, "args": list(args), **config}, "stdin": stdin}
        if pty:
            message["pty"] = {"size": {"cols": pty[0], "rows": pty[1]}}
        if tag is not None:
            message["tag"] = tag
        return self.stream("process.Process/Start", message, headers, user, timeout)

    def run(self, cmd, args=(), **options):
        """Runs to the end: (pid, stdout, stderr, pty, end event, end of stream)."""
        return collect(self.start(cmd, args, **options))

    def shell(self, script, **options):
        return self.run("/bin/sh", ["-c", script], **options)


class Outcome:
    def __init__(self):
        self.pid = None
        self.output = {"stdout": b"", "stderr": b"", "pty": b""}
        self.event = None
        self.stream_end = None
        self.events = []

    @property
    def stdout(self):
        return self.output["stdout"]

    @property
    def stderr(self):
        return self.output["stderr"]

    @property
    def pty(self):
        return self.output["pty"]


def add_event(outcome, message):
    event = message["event"]
    assert len(event) == 1, event
    kind, value = next(iter(event.items()))
    outcome.events.append(kind)
    if kind == "start":
        outcome.pid = value["pid"]
    elif kind == "data":
        assert len(value) == 1, value
        name, text = next(iter(value.items()))
        outcome.output[name] += base64.b64decode(text, validate=True)
    elif kind == "end":
        assert outcome.event is None, "two end events"
        outcome.event = value


def collect(stream):
    outcome = Outcome()
    for message in stream:
        add_event(outcome, message)
    outcome.stream_end = stream.end
    stream.connection.close()
    return outcome


def read_until(stream, outcome, condition, seconds=20):
    """Takes messages until the condition holds. Gives up loudly."""
    end = time.monotonic() + seconds
    while not condition(outcome):
        assert time.monotonic() < end, f"never came; so far: {outcome.output}"
        message = stream.next()
        assert message is not None, f"stream ended: {stream.end}"
        add_event(outcome, message)


def b64(data):
    return base64.b64encode(data).decode()
