# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of template builds share: archives, uploads, builds and their logs, over plain HTTP."""

import hashlib
import io
import json
import tarfile
import urllib.parse

from control_support import HostTest, eventually


def archive(entries, mode="w:gz"):
    """A tar of (name, content or TarInfo changes) pairs. Content: bytes = file, None = folder, dict = members."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as tar:
        for name, content in entries:
            info = tarfile.TarInfo(name)
            info.mtime = 1_700_000_000
            if isinstance(content, bytes):
                info.size, info.mode = len(content), 0o644
                tar.addfile(info, io.BytesIO(content))
                continue
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            body = None
            for member, value in (content or {}).items():
                if member == "data":
                    info.type, info.size, body = tarfile.REGTYPE, len(value), io.BytesIO(value)
                    info.mode = 0o644
                else:
                    setattr(info, member, value)
            tar.addfile(info, body)
    return data.getvalue()


def link(target):
    return {"type": tarfile.SYMTYPE, "linkname": target}


def hard_link(target):
    return {"type": tarfile.LNKTYPE, "linkname": target}


def hash_of(data):
    return hashlib.sha256(data).hexdigest()


class BuildTest(HostTest):
    """Builds over the API of one host."""

    arguments = ("--build-limits", "ready=6,ready-wait=1,log=64,archive=4,time=60")

    def add(self, name="thing", **members):
        answer = self.host.api("POST", "/v3/templates", {"name": name, **members})
        self.assertEqual(answer.status, 202, answer.body)
        return answer.json()

    def put(self, url, data, headers=None):
        parts = urllib.parse.urlsplit(url)
        self.assertEqual((parts.hostname, parts.port), self.host.address)
        return self.host.request("PUT", parts.path, data, {"Content-Type": "application/octet-stream", **(headers or {})})

    def link_for(self, template_id, files_hash):
        answer = self.host.api("GET", f"/templates/{template_id}/files/{files_hash}")
        self.assertEqual(answer.status, 201, answer.body)
        return answer.json()

    def upload(self, template_id, data):
        files_hash = hash_of(data)
        there = self.link_for(template_id, files_hash)
        if not there["present"]:
            answer = self.put(there["url"], data)
            self.assertEqual((answer.status, answer.body), (200, b""))
        return files_hash

    def begin(self, made, steps=(), **members):
        if "fromImage" not in members:
            members.setdefault("fromTemplate", "base")
        path = f"/v2/templates/{made['templateID']}/builds/{made['buildID']}"
        return self.host.api("POST", path, {"steps": list(steps), **members})

    def status(self, made, query=""):
        path = f"/templates/{made['templateID']}/builds/{made['buildID']}/status{query}"
        answer = self.host.api("GET", path)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()

    def finished(self, made, patience=60):
        return eventually(lambda: (lambda told: told["status"] in ("ready", "error") and told)(self.status(made)),
                          patience, "the end of the build")

    def build(self, name="thing", steps=(), patience=60, **members):
        """Registers, starts and waits: what was made, and the last status."""
        made = self.add(name)
        answer = self.begin(made, steps, **members)
        self.assertEqual((answer.status, answer.headers["Content-Length"], answer.body), (202, "0", b""))
        return made, self.finished(made, patience)

    def good(self, name="thing", steps=(), **members):
        made, told = self.build(name, steps, **members)
        self.assertEqual(told["status"], "ready", json.dumps(told.get("reason")))
        return made

    def failed(self, steps=(), name="thing", **members):
        """The reason a build failed for."""
        _, told = self.build(name, steps, **members)
        self.assertEqual(told["status"], "error")
        return told["reason"]

    def log(self, made):
        """The whole log, page by page."""
        entries = []
        while True:
            page = self.status(made, f"?logsOffset={len(entries)}")["logEntries"]
            if not page:
                return entries
            entries += page

    def messages(self, made):
        return [entry["message"] for entry in self.log(made)]


def run(command, user=None, **members):
    return {"type": "RUN", "args": [command] + ([user] if user else []), "force": False, **members}


def copy(files_hash, source, target, owner="", mode="", **members):
    return {"type": "COPY", "args": [source, target, owner, mode], "filesHash": files_hash, "force": False, **members}


def step(kind, *args):
    return {"type": kind, "args": list(args), "force": False}
