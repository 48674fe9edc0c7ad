# SPDX-License-Identifier: GPL-3.0-or-later
"""Volumes: records, tokens, the content API, mounts in sandboxes, and every way out of a volume that can be tried."""

import base64
import concurrent.futures
import hashlib
import hmac
import json
import os
import pathlib
import shutil
import signal
import stat
import tempfile
import time
import unittest
import urllib.parse

from control_support import Host, HostTest, Sandbox, alive, descendants, eventually


class Volume:
    def __init__(self, host, created):
        self.host = host
        self.id = created["volumeID"]
        self.name = created["name"]
        self.token = created["token"]
        self.folder = host.data / "volumes" / self.id / "data"

    def call(self, method, what, path, body=None, token=None, raw_query=None, headers=None, **query):
        text = raw_query if raw_query is not None else urllib.parse.urlencode({"path": path, **query})
        return self.host.request(method, f"/volumecontent/{self.id}/{what}?{text}", body,
                                 {"Authorization": "Bearer " + (self.token if token is None else token), **(headers or {})})

    def put(self, path, content, **query):
        return self.call("PUT", "file", path, content, **query)

    def get(self, path):
        return self.call("GET", "file", path)

    def stat(self, path):
        return self.call("GET", "path", path)


class VolumeTest(HostTest):
    made = 0

    def volume(self, name=None):
        VolumeTest.made += 1
        answer = self.host.api("POST", "/volumes", {"name": name or f"vol-{VolumeTest.made}"})
        self.assertEqual(answer.status, 201, answer.body)
        return Volume(self.host, answer.json())

    def refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.json()["code"]), (status, code), answer.body)
        self.assertEqual(set(answer.json()), {"code", "message"})


class Records(VolumeTest):
    def test_make_list_get_and_delete(self):
        volume = self.volume("First_Volume-1")
        listed = self.host.api("GET", "/volumes").json()
        self.assertIn({"volumeID": volume.id, "name": volume.name}, listed)
        self.assertNotIn(volume.token, json.dumps(listed))
        again = self.host.api("GET", "/volumes/" + volume.id).json()
        self.assertEqual((again["volumeID"], again["name"]), (volume.id, volume.name))
        self.assertNotEqual(again["token"], volume.token)
        self.error(self.host.api("POST", "/volumes", {"name": "First_Volume-1"}), 400, "already")
        for name in ("", "a b", "../x", "a/b", "ü", "x" * 200, 7, None):
            self.error(self.host.api("POST", "/volumes", {"name": name}), 400)
        self.assertEqual(self.host.api("DELETE", "/volumes/" + volume.id).status, 204)
        for method in ("GET", "DELETE"):
            self.error(self.host.api(method, "/volumes/" + volume.id), 404)
        self.assertFalse(volume.folder.exists())
        self.refused(volume.stat("/"), 404, "volume_not_found")
        self.assertEqual(self.host.api("POST", "/volumes", {"name": "First_Volume-1"}).status, 201)
        self.assertEqual(self.host.request("GET", "/volumes").status, 401)

    def test_one_name_is_given_once_even_at_the_same_time(self):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: self.host.api("POST", "/volumes", {"name": "race"}).status, range(8)))
        self.assertEqual(sorted(answers), [201] + [400] * 7)

    def test_everything_is_there_after_a_restart_even_a_hard_one(self):
        host = Host()
        self.addCleanup(host.close)
        volume = Volume(host, host.api("POST", "/volumes", {"name": "kept"}).json())
        self.assertEqual(volume.put("/a/b.txt", b"kept", force="true").status, 201)
        (host.data / "volumes" / "11111111-2222-4333-8444-555555555555").mkdir()  # a crash in the middle of a create
        for how in (signal.SIGTERM, signal.SIGKILL):
            host.stop(how)
            host.start()
            volume.host = host
            self.assertEqual(volume.get("/a/b.txt").body, b"kept")
            self.assertEqual([one["name"] for one in host.api("GET", "/volumes").json()], ["kept"])
        self.assertFalse((host.data / "volumes" / "11111111-2222-4333-8444-555555555555").exists())
        self.assertEqual(stat.S_IMODE((host.data / "volume-key").stat().st_mode), 0o600)
        self.assertEqual(host.api("DELETE", "/volumes/" + volume.id).status, 204)

    def test_the_process_for_the_files_ends_with_the_host(self):
        for how in (signal.SIGTERM, signal.SIGKILL):
            host = Host()
            volume = Volume(host, host.api("POST", "/volumes", {"name": "x"}).json())
            self.assertEqual(volume.put("/x", b"1").status, 201)
            below = descendants(host.process.pid)
            self.assertTrue(below)
            host.stop(how)
            eventually(lambda: not any(alive(pid) for pid in below), 10, "the end of what the host started")
            host.start()
            self.assertEqual(host.api("DELETE", "/volumes/" + volume.id).status, 204)
            host.close()

    def test_a_process_that_was_killed_is_started_again(self):
        volume = self.volume()
        self.assertEqual(volume.put("/x", b"1").status, 201)
        for pid in descendants(self.host.process.pid):
            os.kill(pid, signal.SIGKILL)
        eventually(lambda: volume.get("/x").status == 200, 10, "being served again")


class Tokens(VolumeTest):
    def forge(self, key, head, claims):
        def text(value):
            return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).rstrip(b"=").decode()
        signed = text(head) + "." + text(claims)
        mac = hmac.new(key.encode(), signed.encode(), hashlib.sha256).digest()
        return signed + "." + base64.urlsafe_b64encode(mac).rstrip(b"=").decode()

    def test_only_a_fresh_token_of_this_very_volume_is_taken(self):
        volume, other = self.volume(), self.volume()
        self.assertEqual(volume.put("/x", b"1").status, 201)
        key = (self.host.data / "volume-key").read_text().strip()
        head = {"alg": "HS256", "typ": "JWT"}
        now = int(time.time())
        good = {"volid": volume.id, "exp": now + 60}
        self.assertEqual(volume.call("GET", "path", "/x", token=self.forge(key, head, good)).status, 200)
        changed = volume.token[:-1] + ("A" if volume.token[-1] != "A" else "B")
        parts = volume.token.split(".")
        claims = base64.urlsafe_b64encode(json.dumps({**good, "volid": other.id}).encode()).rstrip(b"=").decode()
        for token in ("", "x", ".", "..", "a.b.c", changed, volume.token + "x", other.token, self.host.key,
                      f"{parts[0]}.{parts[1]}.", f"{parts[0]}.{claims}.{parts[2]}",
                      self.forge(key, head, {**good, "exp": now - 1}), self.forge(key, head, {"volid": volume.id}),
                      self.forge(key, head, {**good, "exp": str(now + 60)}), self.forge(key, head, [1]),
                      self.forge("0" * 64, head, good), self.forge(key, {"alg": "none", "typ": "JWT"}, good),
                      self.forge(key, {"alg": "HS512", "typ": "JWT"}, good)):
            for method, what in (("GET", "path"), ("PUT", "file"), ("DELETE", "path")):
                self.refused(volume.call(method, what, "/x", token=token), 401, "unauthenticated")
        self.assertEqual(self.host.request("GET", f"/volumecontent/{volume.id}/path?path=/x",
                                           headers={"X-API-Key": self.host.key}).status, 401)
        self.assertEqual(volume.get("/x").body, b"1")


class Content(VolumeTest):
    def test_files_go_in_and_come_out_with_owner_mode_and_times(self):
        volume = self.volume()
        before = time.time() - 5
        answer = volume.put("/docs/a b+ü.txt", b"hello", force="true", mode=0o640, uid=0, gid=1000)
        if answer.status == 400:  # a host without a range has one account
            answer = volume.put("/docs/a b+ü.txt", b"hello", force="true", mode=0o640)
        self.assertEqual(answer.status, 201, answer.body)
        entry = answer.json()
        self.assertEqual((entry["name"], entry["path"], entry["type"], entry["size"], entry["mode"], entry["gid"]),
                         ("a b+ü.txt", "/docs/a b+ü.txt", "file", 5, 0o640, 1000))
        self.assertRegex(entry["mtime"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$")
        self.assertEqual(volume.stat("docs/a b+ü.txt").json(), entry)
        got = volume.get("/docs/a b+ü.txt")
        self.assertEqual((got.body, got.headers["Content-Type"], got.headers["Content-Length"]),
                         (b"hello", "application/octet-stream", "5"))
        self.assertGreater(volume.folder.stat().st_mtime, before)
        self.refused(volume.put("/docs/a b+ü.txt", b"x"), 409, "path_already_exists")
        self.assertEqual(volume.put("/docs/a b+ü.txt", b"new one", force="true").json()["size"], 7)
        self.assertEqual(volume.get("/docs/a b+ü.txt").body, b"new one")
        self.refused(volume.put("/none/x", b"x"), 404, "path_not_found")
        changed = volume.call("PATCH", "path", "/docs", json.dumps({"mode": 0o711}))
        self.assertEqual((changed.status, changed.json()["mode"], changed.json()["type"]), (200, 0o711, "directory"))

    def test_big_files_are_streamed_in_both_forms_and_appear_whole(self):
        volume = self.volume()
        content = os.urandom(1 << 20) * 24
        self.assertEqual(volume.put("/big", content).json()["size"], len(content))
        pieces = (content[at:at + 99_991] for at in range(0, len(content), 99_991))
        self.assertEqual(volume.put("/chunked", pieces).json()["size"], len(content))
        for name in ("/big", "/chunked"):
            self.assertEqual(hashlib.sha256(volume.get(name).body).digest(), hashlib.sha256(content).digest())
        # An upload that breaks off leaves what was there, and nothing besides.
        import socket
        with socket.create_connection(self.host.address) as connection:
            connection.sendall((f"PUT /volumecontent/{volume.id}/file?path=/big&force=true HTTP/1.1\r\nHost: x\r\n"
                                f"Authorization: Bearer {volume.token}\r\nContent-Length: 9999999\r\n\r\n").encode() + b"half")
        if os.access(volume.folder.parent / "upload", os.R_OK):  # not where the files belong to other ids
            eventually(lambda: not list((volume.folder.parent / "upload").iterdir()), 10, "throwing the half away")
        self.assertEqual(len(volume.get("/big").body), len(content))

    def test_folders(self):
        volume = self.volume()
        self.refused(volume.call("POST", "dir", "/a/b/c"), 404, "path_not_found")
        made = volume.call("POST", "dir", "/a/b/c", force="true", mode=0o750)
        self.assertEqual((made.status, made.json()["mode"], made.json()["path"]), (201, 0o750, "/a/b/c"))
        self.refused(volume.call("POST", "dir", "/a/b/c"), 409, "path_already_exists")
        self.assertEqual(volume.call("POST", "dir", "/a/b/c", force="true").status, 201)
        self.assertEqual(volume.put("/a/file", b"1").status, 201)
        self.refused(volume.call("POST", "dir", "/a/file", force="true"), 409, "path_already_exists")
        self.refused(volume.call("POST", "dir", "/a/file/x", force="true"), 400, "invalid_request")
        def paths(path, **query):
            return [one["path"] for one in volume.call("GET", "dir", path, **query).json()]
        self.assertEqual(paths("/"), ["/a"])
        self.assertEqual(paths("/", depth=2), ["/a", "/a/b", "/a/file"])
        self.assertEqual(paths("/", depth=10), ["/a", "/a/b", "/a/b/c", "/a/file"])
        self.assertEqual(paths("/a/b/c"), [])
        self.refused(volume.call("GET", "dir", "/", depth=11), 400, "depth_out_of_range")
        self.refused(volume.call("GET", "dir", "/none"), 404, "path_not_found")
        self.refused(volume.call("GET", "dir", "/a/file"), 400, "invalid_request")
        self.refused(volume.call("GET", "file", "/a"), 400, "invalid_request")
        self.refused(volume.stat("/a/file/below"), 404, "path_not_found")
        self.assertEqual(volume.stat("/").json()["type"], "directory")
        self.assertEqual(volume.call("DELETE", "path", "/a").status, 204)
        self.refused(volume.call("DELETE", "path", "/a"), 404, "path_not_found")
        for root in ("/", ".", "..", "/a/..", "//"):
            self.refused(volume.call("DELETE", "path", root), 400, "cannot_delete_root")
        self.assertEqual(paths("/"), [])

    def test_odd_requests_are_refused(self):
        volume = self.volume()
        self.assertEqual(volume.put("/x", b"1").status, 201)
        for query in ("", "path=", "path=%zz", "path=/x&path=/y", "path=/x%00y", "path=" + "a" * 300,
                      "path=" + "a/" * 3000, "path=/x&depth=-1", "path=/x&depth=one"):
            self.refused(volume.call("GET", "dir", None, raw_query=query), 400, "invalid_request")
        self.refused(volume.put("/y", b"", mode="rw"), 400, "invalid_request")
        self.refused(volume.put("/y", b"", force="maybe"), 400, "invalid_request")
        self.assertEqual(volume.put("/y", b"", uid=4_000_000_000).status, 400)
        for body in ("", "[]", '{"mode":"x"}', '{"uid":-1}', '{"mode":1.5}'):
            self.refused(volume.call("PATCH", "path", "/x", body), 400, "invalid_request")
        self.refused(volume.call("POST", "path", "/x"), 405, "method_not_allowed")
        for path in (f"/volumecontent/{volume.id}", f"/volumecontent/{volume.id}/path/", "/volumecontent/../volumes",
                     f"/volumecontent/{volume.id[:-1]}%30/path", f"/volumecontent/{volume.id}/%70ath", "/volumecontent/x/path"):
            answer = self.host.request("GET", path + "?path=/x", headers={"Authorization": "Bearer " + volume.token})
            self.assertEqual((answer.status, answer.json()["code"]), (404, "not_found"), path)


class Escapes(VolumeTest):
    def setUp(self):
        # A file of this computer beside the volumes, and another volume: neither may ever be seen or changed.
        self.one, self.two = self.volume(), self.volume()
        self.assertEqual(self.two.put("/secret", b"of the other").status, 201)
        self.outside = self.host.data / "outside"
        self.outside.write_bytes(b"of the host")
        self.outside.chmod(0o644)
        self.sandbox = self.host.create(volumeMounts=[{"name": self.one.name, "path": "/mnt/v"}])

    def test_dots_in_any_encoding_stay_inside(self):
        for path in ("/../../outside", "../../../outside", "/a/../../../outside", "..%2f..%2foutside", "/%2e%2e/%2e%2e/outside",
                     "/..\\..\\outside", "/proc/self/root/etc/passwd", f"/../../{self.two.id}/data/secret", "/etc/passwd",
                     "/./.././../etc/passwd", "....//....//outside", "/\u2025/outside"):
            for query in (urllib.parse.urlencode({"path": path}), "path=" + path.replace("\\", "%5C").replace("\u2025", "%e2%80%a5")):
                self.refused(self.one.call("GET", "file", None, raw_query=query), 404, "path_not_found")
        self.assertEqual(self.one.put("/../../outside", b"inside").status, 201)
        self.assertEqual(self.outside.read_bytes(), b"of the host")
        self.assertEqual(self.one.get("/outside").body, b"inside")

    def test_links_that_lead_out_are_not_followed(self):
        targets = [str(self.outside), f"../../../outside", f"../../{self.two.id}/data/secret", str(self.two.folder / "secret"),
                   "/etc/passwd", "/proc/self/environ", "/volumes"]
        for number, target in enumerate(targets):
            self.assertEqual(self.sandbox.run(f"ln -s '{target}' /mnt/v/link{number}")[0], 0)
            link = f"/link{number}"
            self.refused(self.one.get(link), 400, "invalid_request")
            self.refused(self.one.call("PATCH", "path", link, '{"mode":511}'), 400, "invalid_request")
            self.refused(self.one.call("GET", "dir", link), 400, "invalid_request")
            entry = self.one.stat(link).json()
            self.assertEqual((entry["type"], entry["target"]), ("symlink", target))
            self.assertEqual(self.one.put(link, b"mine", force="true").json()["type"], "file")  # the link itself is replaced
        for target in ("..", "../..", "/", "/etc", str(self.host.data), "../../../"):
            self.assertEqual(self.sandbox.run(f"ln -sfn '{target}' /mnt/v/dir")[0], 0)
            for answer in (self.one.get("/dir/outside"), self.one.put("/dir/new", b"x", force="true"),
                           self.one.call("POST", "dir", "/dir/new", force="true"), self.one.call("GET", "dir", "/dir", depth=3),
                           self.one.call("DELETE", "path", "/dir/outside"), self.one.stat("/dir/outside")):
                self.refused(answer, 400, "invalid_request")
        self.assertEqual(self.one.call("DELETE", "path", "/dir").status, 204)
        self.assertEqual(self.outside.read_bytes(), b"of the host")
        self.assertEqual(self.outside.stat().st_mode & 0o777, 0o644)
        self.assertEqual(self.two.get("/secret").body, b"of the other")
        # A listing shows links and does not walk into them.
        self.assertEqual(self.sandbox.run("ln -s .. /mnt/v/up; mkdir /mnt/v/d; ln -s ../d /mnt/v/d/again")[0], 0)
        listed = {one["path"]: one["type"] for one in self.one.call("GET", "dir", "/", depth=10).json()}
        self.assertEqual((listed["/up"], listed["/d/again"]), ("symlink", "symlink"))
        # One that stays inside is an ordinary link.
        self.assertEqual(self.sandbox.run("echo in > /mnt/v/d/file; ln -s d/file /mnt/v/good; ln -s loop /mnt/v/loop")[0], 0)
        self.assertEqual(self.one.get("/good").body, b"in\n")
        self.refused(self.one.get("/loop"), 400, "invalid_request")

    def test_a_link_that_is_swapped_in_meanwhile_leads_nowhere(self):
        # Renames that exchange a folder and a link out of the volume, as fast as they go.
        swap = ("import ctypes, os\nlibc = ctypes.CDLL(None)\nos.chdir('/mnt/v')\nos.makedirs('flip', exist_ok=True)\n"
                "open('flip/outside', 'w').write('inside')\nopen('flip/secret', 'w').write('inside')\n"
                f"os.symlink('../../..', 'flop')\nprint('go', flush=True)\n"
                "while True: libc.renameat2(-100, b'flip', -100, b'flop', 2)\n")
        self.assertEqual(self.sandbox.write("/tmp/swap.py", swap.encode()).status, 200)
        stream = self.sandbox.start("exec python3 /tmp/swap.py")
        self.addCleanup(stream.close)
        events = stream.messages()
        while "data" not in next(events):
            pass
        seen = set()
        end = time.monotonic() + 4
        while time.monotonic() < end:
            got = self.one.get("/flip/outside")
            seen.add(got.status)
            self.assertIn(got.body if got.status == 200 else b"inside", (b"inside", b"new"))
            self.one.put("/flip/outside", b"new", force="true")
            self.one.call("POST", "dir", "/flip/made", force="true")
            self.one.call("PATCH", "path", "/flip/outside", '{"mode":420}')
            self.one.call("DELETE", "path", "/flip/lock")
            for one in self.one.call("GET", "dir", "/flip", depth=4).json() if got.status == 200 else ():
                if isinstance(one, dict):
                    self.assertNotIn("api-key", one["path"])
        self.assertIn(200, seen)
        self.assertEqual(self.outside.read_bytes(), b"of the host")
        self.assertTrue((self.host.data / "lock").exists())
        self.assertFalse((self.host.data / "made").exists())

    def test_special_files_are_neither_waited_for_nor_read(self):
        self.assertEqual(self.sandbox.run("mkfifo /mnt/v/pipe; python3 -c 'import socket; "
                                          "socket.socket(socket.AF_UNIX).bind(\"/mnt/v/socket\")'")[0], 0)
        self.refused(self.one.get("/pipe"), 400, "invalid_request")
        self.assertIn(self.one.get("/socket").status, (400, 500))
        self.assertEqual(self.one.stat("/pipe").json()["type"], "unknown")
        self.refused(self.one.call("PATCH", "path", "/socket", '{"mode":511}'), 400, "not_supported")
        for name in ("/pipe", "/socket"):
            self.assertEqual(self.one.call("DELETE", "path", name).status, 204)

    def test_names_that_are_no_text_can_be_seen_and_deleted(self):
        self.assertEqual(self.sandbox.run(r"touch $'/mnt/v/\xff\xfe' $'/mnt/v/new\nline' '/mnt/v/per%cent'")[0], 0)
        listed = self.one.call("GET", "dir", "/")
        self.assertEqual(listed.status, 200)
        self.assertEqual(len(listed.json()), 3)
        for query in ("path=/%ff%fe", "path=/new%0Aline", "path=/per%25cent"):
            self.assertEqual(self.one.call("DELETE", "path", None, raw_query=query).status, 204)
        self.assertEqual(self.one.call("GET", "dir", "/").json(), [])


class Mounts(VolumeTest):
    def test_a_volume_is_shared_and_outlives_its_sandboxes(self):
        volume, second = self.volume(), self.volume()
        mounts = [{"name": volume.name, "path": "/data/shared"}, {"name": second.name, "path": "/home/user/second"}]
        one = self.host.create(volumeMounts=mounts)
        two = self.host.create(volumeMounts=[{"name": volume.name, "path": "/mnt/other"}])
        self.assertEqual(self.host.detail(one.id).json()["volumeMounts"], mounts)
        self.assertEqual(one.run("echo from one > /data/shared/x && echo 2 > /home/user/second/y")[0], 0)
        self.assertEqual(two.run("cat /mnt/other/x")[1], "from one\n")
        self.assertEqual(volume.get("/x").body, b"from one\n")
        self.assertEqual(volume.stat("/x").json()["uid"], 1000)
        self.assertEqual(volume.put("/y", b"from outside").status, 201)
        self.assertEqual(one.run("cat /data/shared/y; rm /data/shared/y; echo $?")[1], "from outside0\n")
        self.assertEqual(second.get("/y").body, b"2\n")
        self.assertEqual(two.run("ls /home/user")[1], "")
        for sandbox in (one, two):
            self.error(self.host.api("DELETE", "/volumes/" + volume.id), 400, "mounted")
            self.assertEqual(sandbox.post("pause", {}).status, 204)
            self.assertNotIn("volumeMounts", self.host.detail(sandbox.id).json())
            self.error(self.host.api("DELETE", "/volumes/" + volume.id), 400, "mounted")
            self.assertEqual(self.host.api("DELETE", "/sandboxes/" + sandbox.id).status, 204)
        self.assertEqual(volume.get("/x").body, b"from one\n")
        self.assertEqual(self.host.api("DELETE", "/volumes/" + volume.id).status, 204)

    def test_a_mount_is_there_again_after_a_resume_from_disk_and_a_restart(self):
        host = Host()
        self.addCleanup(host.close)
        volume = Volume(host, host.api("POST", "/volumes", {"name": "v"}).json())
        sandbox = host.create(volumeMounts=[{"name": "v", "path": "/mnt/v"}])
        self.assertEqual(sandbox.run("echo 1 > /mnt/v/x")[0], 0)
        self.assertEqual(sandbox.post("pause", {"memory": False}).status, 204)
        self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
        self.assertEqual(sandbox.run("cat /mnt/v/x")[1], "1\n")
        host.stop()
        host.start()
        self.assertEqual(sandbox.run("cat /mnt/v/x; grep -c ' /mnt/v ' /proc/self/mounts")[1], "1\n1\n")
        host.api("DELETE", "/sandboxes/" + sandbox.id)
        self.assertEqual(host.api("DELETE", "/volumes/" + volume.id).status, 204)

    def test_paths_where_nothing_may_be_mounted(self):
        volume = self.volume()
        def create(*paths):
            return self.host.api("POST", "/v2/sandboxes", {
                "templateID": "base", "volumeMounts": [{"name": volume.name, "path": path} for path in paths]})
        for path in ("", "relative", "/", "//", "/a//b", "/a/", "/a/./b", "/a/../b", "/..", "/proc", "/proc/self/root", "/dev",
                     "/dev/shm", "/sys", "/usr", "/usr/local/x", "/etc", "/etc/ssl", "/bin", "/lib64/x", "/.boxdeck",
                     "/home", "/home/user", "/tmp", "/root", "/var", "/run", "/a\nb", "/a\u0000b", "/" + "x" * 2000):
            self.error(create(path), 400, "volumeMounts")
        self.error(create("/a", "/a"), 400, "twice")
        self.error(create("/a", "/a/b"), 400, "each other")
        self.error(create("/a/b", "/a"), 400, "each other")
        self.error(create(*(f"/m{n}" for n in range(17))), 400, "16")
        for mounts in ({}, [1], [{}], [{"name": volume.name}], [{"name": "nobody", "path": "/a"}], [{"name": 1, "path": "/a"}]):
            self.error(self.host.api("POST", "/v2/sandboxes", {"templateID": "base", "volumeMounts": mounts}), 400)
        self.assertEqual(self.host.sandbox_ids(), [])
        self.assertEqual(create("/var/lib/x", "/tmp/y", "/a/b/c").status, 201)

    def test_a_link_put_in_the_way_of_a_mount_leads_nowhere(self):
        volume = self.volume()
        victim = pathlib.Path(tempfile.mkdtemp(prefix="boxdeck-victim-"))
        self.addCleanup(shutil.rmtree, victim)
        victim.chmod(0o777)
        # The files of a sandbox become those of another one, which mounts where the first left a link.
        first = self.host.create()
        self.assertEqual(first.run(f"ln -s {victim} deep; touch plain")[0], 0)
        snapshot = first.post("snapshots", {})
        self.assertEqual(snapshot.status, 201, snapshot.body)
        for path in ("/home/user/deep/v", "/home/user/deep", "/home/user/plain", "/home/user/plain/v"):
            refused = self.host.api("POST", "/v2/sandboxes", {"templateID": snapshot.json()["snapshotID"],
                                                              "volumeMounts": [{"name": volume.name, "path": path}]})
            self.assertEqual(refused.status, 500, refused.body)
            self.assertIn("link or a file", refused.json()["message"])
        self.host.api("DELETE", "/sandboxes/" + first.id)
        self.assertEqual(self.host.api("DELETE", "/templates/" + urllib.parse.quote(snapshot.json()["snapshotID"], safe="")).status,
                         204)
        self.assertEqual(self.host.api("DELETE", "/volumes/" + volume.id).status, 204)  # nobody has it after all
        self.assertEqual(list(victim.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
