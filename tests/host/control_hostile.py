# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths, files and neighbours that mean harm: nothing that a sandbox or its client says reaches a file of this computer,
a key of it, or another sandbox."""

import base64
import concurrent.futures
import ctypes
import http.client
import json
import os
import pathlib
import tempfile
import time
import unittest
import urllib.parse

from control_support import HostTest, raw

SECRET = "boxdeck-test-secret-of-this-computer"


def keyctl(*arguments):
    """keyctl(2); not in Python. The same words run in a sandbox, see KEYS."""
    return ctypes.CDLL(None, use_errno=True).syscall(250, *arguments)


# Prints what a process in a sandbox can read of a key with the name $1 or the number $2, looked for in every keyring.
KEYS = r"""
import ctypes, sys
call = ctypes.CDLL(None).syscall
name, number = sys.argv[1].encode(), int(sys.argv[2])
found = [number] + [call(250, 10, ring, b"user", name, 0) for ring in (-1, -2, -3, -4, -5)]
found.append(call(249, b"user", name, None, 0))
for key in found:
    buffer = ctypes.create_string_buffer(200)
    if key > 0 and call(250, 11, key, buffer, 200) > 0:
        print(buffer.value.decode())
"""


class Hostile(HostTest):
    def setUp(self):
        self.sandbox = self.host.create(timeout=600)
        secret = tempfile.NamedTemporaryFile("w", dir="/var/tmp", prefix="boxdeck-test-")
        self.addCleanup(secret.close)
        secret.write(SECRET)
        secret.flush()
        os.chmod(secret.name, 0o666)
        self.secret = secret.name
        self.users = self.host.detail(self.sandbox.id).json()["users"]

    def get(self, path, user="user", **headers):
        """GET /files of a path that may be any bytes."""
        query = "path=" + urllib.parse.quote(path, safe="") + "&username=" + user
        return self.sandbox.request("GET", "/files?" + query, headers=headers)

    def put(self, path, content=b"x", user="user"):
        query = "path=" + urllib.parse.quote(path, safe="") + "&username=" + user
        return self.sandbox.request("POST", "/files?" + query, content, {"Content-Type": "application/octet-stream"})

    def rpc(self, verb, user="user", **message):
        return self.sandbox.request("POST", "/filesystem.Filesystem/" + verb, json.dumps(message), {
            "Content-Type": "application/json", "Connect-Protocol-Version": "1",
            "Authorization": "Basic " + base64.b64encode(f"{user}:".encode()).decode()})

    def untouched(self):
        self.assertEqual(pathlib.Path(self.secret).read_text(), SECRET)

    def refused(self, answer, *statuses):
        """Refused as JSON, by the daemon or the host, and without a word of what must stay unknown."""
        self.assertIn(answer.status, statuses or range(400, 600), answer.body)
        self.assertNotIn(SECRET.encode(), answer.body)
        self.assertIn("message", answer.json(), answer.body)


class Paths(Hostile):
    def ways_to(self, target):
        """Names that would lead to a file of this computer if there were anything beyond the root."""
        up = "../" * 12
        data = str(self.host.data / "sandboxes" / self.sandbox.id / "root")
        yield target
        yield up + target.lstrip("/")
        yield "/" + up + target.lstrip("/")
        yield "/home/user/" + up + target.lstrip("/")
        yield "/proc/1/root" + target
        yield "/proc/self/root" + target
        yield "/proc/1/cwd/" + up + target.lstrip("/")
        yield data + "/../../../../.." + target
        yield "/link" + target
        yield "file-link"

    def test_no_name_leads_to_a_file_of_this_computer(self):
        self.assertEqual(self.sandbox.run(f"ln -s {self.secret} ~/file-link")[0], 0)
        if "root" in self.users:
            self.assertEqual(self.sandbox.run("ln -s / /link", "root")[0], 0)
        for user in self.users:
            for path in self.ways_to(self.secret):
                with self.subTest(user=user, path=path):
                    self.refused(self.get(path, user), 404)
                    if path != "file-link":  # a link that leads nowhere is still a link
                        self.refused(self.rpc("Stat", user, path=path), 404)
        for path in self.ways_to("/etc/shadow"):
            with self.subTest(path=path):
                answer = self.get(path, self.users[-1])
                # A sandbox has a shadow file of its own; this computer's names accounts that it has not.
                self.assertNotIn(b":$", answer.body)
                self.assertNotIn(b"systemd", answer.body)
        for path in self.ways_to(str(self.host.data / "api-key")):
            self.refused(self.get(path, self.users[-1]), 404)

    def test_what_is_written_through_such_names_stays_inside(self):
        self.assertEqual(self.sandbox.run(f"ln -s {self.secret} ~/file-link; mkdir -p d; ln -s /var/tmp d/out")[0], 0)
        for user in self.users:
            for path in [*self.ways_to(self.secret), "d/out/" + os.path.basename(self.secret)]:
                with self.subTest(user=user, path=path):
                    self.put(path, b"overwritten", user)
                    self.rpc("MakeDir", user, path=path + "-folder")
                    self.rpc("Move", user, source=path, destination=path + "-moved")
                    self.rpc("Remove", user, path=path)
                    self.untouched()
        self.assertEqual([path for path in pathlib.Path("/var/tmp").iterdir()
                          if path.name.startswith(os.path.basename(self.secret)) and path != pathlib.Path(self.secret)], [])

    def test_odd_encodings_of_dots_are_names_or_nothing(self):
        leaf = os.path.basename(self.secret)
        # As they stand in the address: each is decoded once, and none of it twice.
        for path in ("%2e%2e/%2e%2e/%2e%2e/var/tmp/", "..%2f..%2f..%2fvar%2ftmp%2f", "%252e%252e%252f%252e%252e%252fvar%252ftmp/",
                     "%c0%ae%c0%ae/%c0%ae%c0%ae/var/tmp/", "..%5c..%5cvar%5ctmp%5c", "%uff0e%uff0e/var/tmp/", "//var//tmp//./",
                     "%e3%80%82%e3%80%82/var/tmp/", "~root/../var/tmp/", "%00/var/tmp/"):
            with self.subTest(path=path):
                answer = self.sandbox.request("GET", f"/files?username=user&path={path}{leaf}")
                self.assertIn((answer.status, answer.body if answer.status == 200 else b""),
                              ((400, b""), (404, b""), (200, b"inside")))  # what was written for another name of it
                self.sandbox.request("POST", f"/files?username=user&path={path}{leaf}", b"inside",
                                     {"Content-Type": "application/octet-stream"})
                self.untouched()
        for target in ("/files/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/files%2f..%2f..%2fetc%2fpasswd", "//etc/passwd",
                       "/files/..%00/x", "/\\..\\..\\etc"):
            self.assertEqual(self.sandbox.request("GET", target).status, 404, target)
        for method, target in (("GET", "/sandboxes/../api-key"), ("DELETE", "/sandboxes/..%2f..%2fapi-key"), ("GET", "/sandboxes/%2e%2e"),
                               ("POST", "/sandboxes/..%2frun/pause"), ("GET", "/templates/..%2f..%2fapi-key"),
                               ("DELETE", "/v2/sandboxes/%00"), ("GET", "/sandboxes/" + "i" * 60000)):
            answer = self.host.api(method, target)
            self.assertIn(answer.status, (400, 404, 405, 414, 431), (target, answer.body))
        for name in ("..", "../" + self.sandbox.id, "./" + self.sandbox.id, self.sandbox.id + "/../x", "%2e%2e", "a" * 5000):
            answer = raw(self.host.address, f"GET /health HTTP/1.1\r\nHost: localhost\r\nE2b-Sandbox-Id: {name}\r\n"
                                            "E2b-Sandbox-Port: 49983\r\nConnection: close\r\n\r\n".encode())
            self.assertIn(int(answer.split()[1]), (400, 502), answer)
        self.assertTrue((self.host.data / "api-key").is_file())

    def test_names_of_any_bytes_and_lengths(self):
        for name in (b"\xff\xfe\x80.bin", b"caf\xe9", b"a\nb\r\nX: y", b" lead", b"-rf", b"%2e%2e", b"..x", b"...", b"\x1b]0;x\x07",
                     "ü".encode() * 100):
            with self.subTest(name=name):
                self.assertEqual(self.put(b"/home/user/odd/" + name, name).status, 200)
                answer = self.get(b"/home/user/odd/" + name)
                self.assertEqual((answer.status, answer.body), (200, name))
                self.assertIsNone(answer.headers["X"])
        inside = self.host.data / "sandboxes" / self.sandbox.id / "root/home/user/odd"
        self.assertEqual(len(list(os.listdir(os.fsencode(inside)))), 10)
        listed = self.rpc("ListDir", path="/home/user/odd", depth=1)
        self.assertEqual((listed.status, len(listed.json()["entries"])), (200, 10))
        self.refused(self.put("n" * 256), 400, 500)
        self.refused(self.get("n" * 256), 400, 404, 500)
        for path in ("a/" * 3000, "/" + "a" * 8000, "a../" * 5000 + "x"):
            self.refused(self.put(path), 400, 500)
            self.refused(self.get(path))
            self.refused(self.rpc("MakeDir", path=path))
        # Longer than any request may be: an answer at once, and the next one works.
        self.assertIn(self.get("x" * 200_000).status, (400, 414, 431))
        self.refused(self.put("a\0b"), 400)
        self.refused(self.rpc("Stat", path="a\0b"), 400, 404)
        self.assertEqual(self.sandbox.request("GET", "/health").status, 204)

    def test_what_is_no_file_is_refused_at_once(self):
        made = self.sandbox.run("cd /tmp; mkfifo fifo; ln -s fifo to-fifo; ln -s loop loop; ln -s /dev/zero to-zero; python3 -c \""
                                "import socket; s = socket.socket(socket.AF_UNIX); s.bind('socket')\"")
        self.assertEqual(made[0], 0, made)
        for path in ("/tmp/fifo", "/tmp/to-fifo", "/tmp/socket", "/dev/zero", "/tmp/to-zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/null",
                     "/dev/random", "/tmp/loop", "/proc/1/mem", "/proc/kmsg", "/proc/kcore", "/proc/1/fd/0", "/proc/1/fd/3",
                     "/proc/1/fd/4", "/proc/self/fd/4", "/dev/fd/3", "/dev/stdin"):
            for user in self.users:
                with self.subTest(path=path, user=user):
                    begin = time.monotonic()
                    self.refused(self.get(path, user))
                    self.assertLess(time.monotonic() - begin, 3)
        for path in ("/tmp/fifo", "/tmp/to-fifo", "/tmp/socket", "/dev/tty", "/dev/full", "/tmp/loop", "/proc/1/fd/3"):
            for user in self.users:
                with self.subTest(path=path, user=user):
                    self.refused(self.put(path, b"x", user))

    def test_the_daemon_lends_nobody_its_descriptors(self):
        # By name they are links of the kernel's, which lead out of the root where a descriptor does.
        outside = self.host.data / "sandboxes" / self.sandbox.id / "daemon.log"
        before = outside.read_bytes()
        for number in range(12):
            for at in ("/proc/1/fd/", "/proc/self/fd/"):
                answer = self.get(at + str(number), self.users[-1])
                self.assertGreaterEqual(answer.status, 400, (at, number, answer.body[:200]))
                self.put(at + str(number), b"written by a stranger", self.users[-1])
        self.assertEqual(outside.read_bytes(), before)
        self.assertEqual(self.sandbox.request("GET", "/health").status, 204)

    def test_settings_of_the_kernel_and_the_daemon_stay_as_they_are(self):
        # The same value again: were it taken, nothing would change but the test's verdict.
        for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/hostname",
                     "/proc/sys/fs/file-max"):
            value = pathlib.Path(path).read_bytes()
            for user in self.users:
                self.refused(self.put(path, value, user))
                self.assertNotEqual(self.sandbox.run(f"cat {path} > {path}", user)[0], 0)
        for path in ("/.boxdeck/envd", "/.boxdeck/etc/x", "/.boxdeck/x", "/usr/bin/x", "/proc/1/oom_score_adj/x", "/dev/x",
                     "/proc/1/root/usr/x"):
            for user in self.users:
                with self.subTest(path=path, user=user):
                    self.refused(self.put(path, b"x", user))
                    self.refused(self.rpc("Remove", user, path=path)) if "envd" in path else None
        self.assertNotEqual(self.get("/.boxdeck/envd").body, b"x")

    def test_devices_of_this_computer_stay_as_they_are(self):
        def looks():
            return [(at.st_mode, at.st_uid, at.st_gid, at.st_mtime_ns) for at in map(os.stat, ("/dev/null", "/dev/zero", "/dev/tty"))]

        before = looks()
        for user in self.users:
            self.put("/dev/null", b"x", user)
            self.put("/dev/zero", b"", user)
            self.rpc("Remove", user, path="/dev/null")
            self.rpc("Move", user, source="/dev/null", destination="/dev/was-null")
            self.assertNotEqual(self.sandbox.run("chmod 600 /dev/null", user)[0], 0)
            self.assertNotEqual(self.sandbox.run("chown 1000 /dev/zero; touch -d @1 /dev/tty", user)[0], 0)
            self.assertNotEqual(self.sandbox.run("mknod /tmp/disk b 8 0 && head -c 1 /tmp/disk", user)[0], 0)
        self.assertEqual(looks(), before)

    def test_links_swapped_under_uploads_and_downloads(self):
        folder = os.path.dirname(self.secret)
        leaf = os.path.basename(self.secret)
        script = (f"import os\nos.makedirs('real', exist_ok=True)\nopen('real/{leaf}', 'w').write('mine')\n"
                  f"os.symlink('real', 'good')\nos.symlink('../../../../../..{folder}', 'bad')\nos.symlink('{folder}', 'worse')\n"
                  "print('up', flush=True)\nn = 0\nwhile True:\n    n += 1\n"
                  "    os.symlink(os.readlink(('good', 'bad', 'worse')[n % 3]), 'next')\n    os.rename('next', 'swap')\n")
        self.assertEqual(self.sandbox.write("/home/user/swap.py", script.encode()).status, 200)
        stream = self.sandbox.start("exec python3 swap.py")
        self.addCleanup(stream.close)
        while "data" not in next(stream.messages()):
            pass
        seen = set()

        def attack(number):
            path = f"swap/{leaf}"
            if number % 4 == 0:
                self.put(path, b"mine")
            elif number % 4 == 1:
                self.rpc("Remove", path=path + "-x")
            elif number % 4 == 2:
                self.rpc("Move", source=f"swap/{leaf}", destination=f"swap/{leaf}")
            try:
                answer = self.get(path)
            except http.client.IncompleteRead:
                return  # shortened while it was read: cut, which is the truth
            seen.add((answer.status, answer.body if answer.status == 200 else b""))

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(attack, range(400)))
        self.untouched()
        self.assertIn((200, b"mine"), seen)
        self.assertEqual({body for status, body in seen if status == 200} - {b"mine", b""}, set())
        # Deleting such a tree on the way follows no link either, while it still swaps.
        canary = pathlib.Path(tempfile.mkdtemp(prefix="boxdeck-test-", dir="/var/tmp"))
        self.addCleanup(canary.rmdir)
        self.addCleanup((canary / "kept").unlink)
        (canary / "kept").write_text("kept")
        os.chmod(canary, 0o777)
        self.assertEqual(self.sandbox.run(f"mkdir deep; ln -s {canary} deep/link; ln -s {canary}/kept deep/kept; "
                                          f"mkdir -p .{canary}; touch .{canary}/kept")[0], 0)
        self.assertEqual(self.host.api("DELETE", "/sandboxes/" + self.sandbox.id).status, 204)
        self.assertEqual((canary / "kept").read_text(), "kept")
        self.untouched()


SERVICE = """
import socket
listener = socket.create_server(('127.0.0.1', 8080))
print('up', flush=True)
while True:
    connection, _ = listener.accept()
    number = int(connection.recv(65536).split()[1].strip(b'/'))
    connection.sendall((
        b'HTTP/1.1 200 OK\\r\\nX: y\\nTransfer-Encoding: chunked\\r\\nContent-Length: 2\\r\\n\\r\\nhi',
        b'HTTP/1.1 200 OK\\r\\nX: y\\rContent-Length: 9\\r\\nContent-Length: 2\\r\\n\\r\\nhi',
        b'HTTP/1.1 200 OK\\r\\nX\\n: y\\r\\nContent-Length: 2\\r\\n\\r\\nhi',
        b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nContent-Length: 3\\r\\n\\r\\nhi',
        b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n',
        b'HTTP/1.1 200 OK\\r\\nX: ' + b'y' * 1000000 + b'\\r\\n\\r\\n',
        b'SSH-2.0-OpenSSH_9.2\\r\\n\\r\\n',
        b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhiHTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nevil')[number])
    connection.close()
"""


class Services(Hostile):
    def test_what_a_service_answers_cannot_pass_for_an_answer_of_the_host(self):
        self.assertEqual(self.sandbox.write("/tmp/service.py", SERVICE.encode()).status, 200)
        stream = self.sandbox.start("exec python3 /tmp/service.py")
        self.addCleanup(stream.close)
        events = stream.messages()
        while "data" not in next(events):
            pass
        # On one connection, as a client that holds a key would: after each the next answer must be the host's own.
        connection = http.client.HTTPConnection(*self.host.address, timeout=20)
        self.addCleanup(connection.close)
        for number in range(8):
            with self.subTest(number=number):
                connection.request("GET", f"/{number}", headers=self.sandbox.headers({"E2b-Sandbox-Port": "8080"}))
                response = connection.getresponse()
                body = response.read()
                self.assertEqual(response.status, 200 if number == 7 else 502)
                if number == 7:
                    self.assertEqual(body, b"hi")
                connection.request("GET", "/v2/sandboxes", headers={"X-API-Key": self.host.key})
                response = connection.getresponse()
                self.assertEqual((response.status, [one["sandboxID"] for one in json.loads(response.read())]),
                                 (200, [self.sandbox.id]))


class Copies(Hostile):
    def test_a_tree_that_means_harm_is_copied_and_deleted_as_it_is(self):
        folder = os.path.dirname(self.secret)
        make = (f"cd ~; ln -s {self.secret} link; ln -s {folder} folder; ln -s / root; mkfifo pipe; echo x > a; ln a b; "
                "python3 -c \"\nimport os, socket\nsocket.socket(socket.AF_UNIX).bind('socket')\n"
                "open(b'\\xff\\xfe', 'w').close()\nos.makedirs(os.path.expanduser('~/deep'))\nos.chdir('deep')\n"
                "for _ in range(1500):\n    os.mkdir('d' * 50)\n    os.chdir('d' * 50)\nopen('leaf', 'w').write('leaf')\"")
        self.assertEqual(self.sandbox.run(make)[0], 0)
        if "root" in self.users:  # what the host writes into a copy must not follow this one out
            self.assertEqual(self.sandbox.run(f"mv /etc /was && mkdir /etc && cp /was/passwd /was/group /etc/ && "
                                              f"ln -s {self.secret} /etc/hostname && ln -s {self.secret} /etc/hosts", "root")[0], 0)
        answer = self.sandbox.post("snapshots", {})
        self.assertEqual(answer.status, 201, answer.body)
        name = answer.json()["snapshotID"]
        self.addCleanup(lambda: self.host.api("DELETE", "/templates/" + urllib.parse.quote(name, safe="")))
        self.untouched()
        copy = self.host.create(templateID=name, timeout=600)
        self.untouched()
        look = (f"cd ~; readlink link folder root; stat -c %F pipe socket; stat -c %h a; cat link; "
                "python3 -c \"\nimport os\nos.chdir('deep')\nwhile os.path.isdir('d' * 50):\n    os.chdir('d' * 50)\n"
                "print(open('leaf').read())\"")
        self.assertEqual(copy.run(look)[1].split("\n"),
                         [self.secret, folder, "/", "fifo", "socket", "2", "leaf", ""])
        self.assertEqual(self.host.api("DELETE", "/sandboxes/" + copy.id).status, 204)
        self.assertEqual(self.host.api("DELETE", "/sandboxes/" + self.sandbox.id).status, 204)
        self.untouched()
        self.assertTrue(os.path.isdir(folder))


class Neighbours(Hostile):
    def setUp(self):
        super().setUp()
        self.other = self.host.create(timeout=600)
        self.assertEqual(self.other.run(f"echo {SECRET} > ~/theirs; chmod 777 ~ ~/theirs")[0], 0)

    def test_files_of_another_sandbox_have_no_name(self):
        root = self.host.data / "sandboxes" / self.other.id / "root/home/user/theirs"
        for user in self.users:
            for path in (str(root), "../" * 9 + str(root).lstrip("/"), f"/proc/1/root/../{self.other.id}/root/home/user/theirs",
                         f"/../{self.other.id}/root/home/user/theirs", f"/../../{self.other.id}/root/home/user/theirs"):
                with self.subTest(user=user, path=path):
                    self.refused(self.get(path, user), 404)
            code, out, _ = self.sandbox.run("find / -name theirs -not -path '/proc/*' 2>/dev/null; cat /proc/*/root/home/user/theirs "
                                            "2>/dev/null", user)
            self.assertEqual(out, "", code)

    def test_processes_of_another_sandbox_cannot_be_seen_or_hit(self):
        stream = self.other.start("echo up; exec sleep 300")
        self.addCleanup(stream.close)
        events = stream.messages()
        while "data" not in next(events):
            pass
        for user in self.users:
            self.assertNotIn("sleep", self.sandbox.run("cat /proc/[0-9]*/comm", user)[1].split())
        # Every number a process here can have, and everybody at once. What it hits is its own.
        self.sandbox.run("python3 -c \"\nimport os\nfor pid in range(2, 200000):\n    try:\n        if pid != os.getpid(): "
                         "os.kill(pid, 9)\n    except OSError: pass\"; kill -9 -1", self.users[-1])
        self.assertEqual(self.other.run("pgrep -c sleep")[1], "1\n")
        self.assertEqual(self.other.request("GET", "/health").status, 204)
        self.assertEqual(self.sandbox.request("GET", "/health").status, 204)

    def test_sockets_of_this_computer_and_of_another_sandbox_are_out_of_reach(self):
        listen = ("python3 -c \"\nimport socket, time\na = socket.socket(socket.AF_UNIX); a.bind('\\0theirs'); a.listen()\n"
                  "b = socket.socket(socket.AF_UNIX); b.bind('/tmp/theirs.sock'); b.listen()\n"
                  "c = socket.create_server(('0.0.0.0', 7777)); print('up', flush=True); time.sleep(300)\"")
        stream = self.other.start(listen)
        self.addCleanup(stream.close)
        events = stream.messages()
        while "data" not in next(events):
            pass
        reach = ("python3 -c \"\nimport socket\nfor family, at in ((socket.AF_UNIX, '\\0theirs'), (socket.AF_UNIX, '/tmp/theirs.sock'), "
                 "(socket.AF_UNIX, '%s'), (socket.AF_UNIX, '%s'), (socket.AF_INET, ('127.0.0.1', 7777)), "
                 "(socket.AF_INET, ('127.0.0.1', %d))):\n    s = socket.socket(family); print(s.connect_ex(at) != 0)\"")
        own = next((self.host.data / "run").resolve().glob(f"*{self.other.id[-4:]}*"), self.host.data / "run")
        for user in self.users:
            code, out, err = self.sandbox.run(reach % (own, "/run/user/0/bus", self.host.address[1]), user)
            self.assertEqual((code, out), (0, "True\n" * 6), err)

    def test_keys_of_the_session_and_of_another_sandbox_cannot_be_read(self):
        for user in self.users:
            self.assertEqual(self.sandbox.write("/tmp/keys.py", KEYS.encode()).status, 200)
            code, out, err = self.sandbox.run(f"python3 /tmp/keys.py boxdeck-test {self.key}", user)
            self.assertEqual((code, out), (0, ""), err)
        add = ("python3 -c \"\nimport ctypes\ncall = ctypes.CDLL(None).syscall\nfor ring in (-3, -4, -5):\n"
               "    print(call(248, b'user', b'theirs', b'theirs', 6, ring))\"")
        for user in self.users:
            numbers = [int(word) for word in self.other.run(add, user)[1].split()]
            for number in numbers or [-1]:
                code, out, err = self.sandbox.run(f"python3 /tmp/keys.py theirs {number}", user)
                self.assertEqual((code, out), (0, ""), err)

    @classmethod
    def setUpClass(cls):
        # Where this computer keeps secrets for whoever is of the session: the host and all it starts would be.
        keyctl(1, None)
        cls.key = ctypes.CDLL(None).syscall(248, b"user", b"boxdeck-test", SECRET.encode(), len(SECRET), -3)
        super().setUpClass()


if __name__ == "__main__":
    unittest.main()
