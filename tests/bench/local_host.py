# SPDX-License-Identifier: GPL-3.0-or-later
"""A boxdeck-host of the bench's own, and one sandbox in it."""

import contextlib
import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request


@dataclasses.dataclass
class Sandbox:
    api_url: str
    sandbox_url: str
    api_key: str
    id: str
    token: str
    host_pid: int
    folder: pathlib.Path  # scratch space on the same disk as the host's data

    def data_headers(self):
        return {"E2b-Sandbox-Id": self.id, "E2b-Sandbox-Port": "49983", "X-Access-Token": self.token}

    def files_url(self, path):
        return f"{self.sandbox_url}/files?{urllib.parse.urlencode({'path': path, 'username': 'user'})}"

    def put(self, path, data):
        """Writes a small file in the sandbox."""
        request = urllib.request.Request(self.files_url(path), data=data, method="POST", headers={
            **self.data_headers(), "Content-Type": "application/octet-stream"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()

    def get(self, path):
        """Reads a small file of the sandbox."""
        request = urllib.request.Request(self.files_url(path), headers=self.data_headers())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()


@contextlib.contextmanager
def sandbox(build, scratch=None):
    """Starts boxdeck-host on a free port, creates a sandbox, and takes both down again."""
    with tempfile.TemporaryDirectory(prefix="boxdeck-bench.", dir=scratch) as folder:
        folder = pathlib.Path(folder)
        with open(folder / "host.log", "wb") as log:
            host = subprocess.Popen([str(pathlib.Path(build) / "bin/boxdeck-host"), "--listen", "127.0.0.1:0",
                                     "--data", str(folder / "data")], stdout=subprocess.PIPE, stderr=log)
        try:
            line = host.stdout.readline()
            if not line:
                raise RuntimeError("boxdeck-host did not start:\n" + (folder / "host.log").read_text(errors="replace"))
            ready = json.loads(line)
            made = call(ready, "POST", "/sandboxes", {"templateID": "base", "timeout": 3600, "secure": True})
            yield Sandbox(ready["apiUrl"], ready["sandboxUrl"], ready["apiKey"], made["sandboxID"],
                          made.get("envdAccessToken") or "", host.pid, folder)
            with contextlib.suppress(urllib.error.URLError):
                call(ready, "DELETE", f"/sandboxes/{made['sandboxID']}")
        finally:
            host.terminate()
            try:
                host.wait(10)
            except subprocess.TimeoutExpired:
                host.kill()
                host.wait()


def call(ready, method, path, body=None):
    request = urllib.request.Request(ready["apiUrl"] + path, method=method,
                                     data=None if body is None else json.dumps(body).encode(),
                                     headers={"X-API-Key": ready["apiKey"], "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        data = answer.read()
    return json.loads(data) if data else None


def cpu_seconds(pid):
    """User and system time of a process so far, its reaped children left out."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descendants(pid):
    """The process and everything below it."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as stat:
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
                children.setdefault(parent, []).append(int(entry))
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        todo += children.get(one, [])
    return found
