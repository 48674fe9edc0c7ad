# SPDX-License-Identifier: GPL-3.0-or-later
"""What a sandbox can and cannot reach, and that ordinary work works in it."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
import urllib.parse

from control_support import BIN, Host, HostTest


class Walls(HostTest):
    def setUp(self):
        self.sandbox = self.host.create(timeout=600)

    def both(self, command):
        """Runs a command as each account there is."""
        for user in self.host.detail(self.sandbox.id).json()["users"]:
            with self.subTest(user=user, command=command):
                yield self.sandbox.run(command, user)

    def test_nothing_of_this_computer_can_be_read(self):
        with tempfile.NamedTemporaryFile(dir="/tmp", prefix="boxdeck-secret-") as secret:
            os.chmod(secret.name, 0o644)
            for _, out, _ in self.both(f"cat /etc/shadow {secret.name} {self.host.data}/api-key 2>&1; ls /home /root /tmp; "
                                       "ls /sys /boot /mnt 2>&1"):
                self.assertEqual(out.count("No such file"), 5, out)
        for _, out, _ in self.both("ls -A /home /tmp /mnt /media /opt /srv /var/lib"):
            self.assertEqual([line for line in out.split() if not line.endswith(":")], ["user"])
        for _, out, _ in self.both("cut -d: -f1 /etc/passwd"):
            self.assertIn("user", out.split())
            self.assertLess(len(out.split()), 12)
        for _, out, _ in self.both("find / -xdev -name record.json -o -xdev -name api-key 2>/dev/null"):
            self.assertEqual(out, "")

    def test_programs_are_there_but_cannot_be_changed(self):
        for code, _, err in self.both("touch /usr/x"):
            self.assertNotEqual(code, 0)
            self.assertIn("Read-only", err)
        for _, out, _ in self.both("cat /proc/self/status | grep NoNewPrivs"):
            self.assertEqual(out.split(), ["NoNewPrivs:", "1"])
        for code, _, _ in self.both("mount -t tmpfs none /mnt 2>/dev/null || umount /usr 2>/dev/null"):
            self.assertNotEqual(code, 0)

    def test_processes_outside_are_out_of_sight(self):
        for _, out, _ in self.both("ls -d /proc/[0-9]* | wc -l; hostname"):
            count, name = out.split()
            self.assertLess(int(count), 12)
            self.assertEqual(name, self.sandbox.id)
        for code, _, _ in self.both("cat /proc/1/environ > /dev/null || ls /proc/1/fd/3 > /dev/null"):
            self.assertNotEqual(code, 0)
        for code, _, _ in self.both("kill -9 1; kill -STOP 1; sleep 0.2"):
            self.assertIsNotNone(code)
        self.assertEqual(self.sandbox.request("GET", "/health").status, 204)

    def test_the_network_ends_at_the_sandbox(self):
        name = "\0boxdeck-test-" + self.sandbox.id
        with socket.socket(socket.AF_UNIX) as abstract:
            abstract.bind(name)
            abstract.listen()
            for _, out, _ in self.both("cat /proc/net/unix; ls /sys/class/net 2>/dev/null; cat /proc/net/dev"):
                self.assertNotIn("boxdeck-test", out)
                self.assertNotIn("eth", out)
        port = self.host.address[1]
        probe = (f"python3 -c \"import socket; s = socket.socket(); print(s.connect_ex(('127.0.0.1', {port})))\"; "
                 "python3 -c \"import socket; s = socket.socket(); s.settimeout(2); print(s.connect_ex(('1.1.1.1', 53)))\"")
        for _, out, _ in self.both(probe):
            refused, unreachable = map(int, out.split())
            self.assertEqual(refused, 111)
            self.assertIn(unreachable, (101, 113))
        # Its own loopback works.
        for _, out, err in self.both("python3 -c \"import socket; a = socket.create_server(('127.0.0.1', 0)); "
                                     "b = socket.create_connection(a.getsockname()); print('ok')\""):
            self.assertEqual(out, "ok\n", err)

    def test_sandboxes_cannot_reach_each_other(self):
        other = self.host.create()
        self.assertEqual(other.run("echo secret > /tmp/theirs; python3 -c \"\nimport socket, os\n"
                                   "s = socket.create_server(('127.0.0.1', 7777))\nif os.fork(): os._exit(0)\n"
                                   "os.setsid(); os.close(1); os.close(2)\nimport time; time.sleep(100)\"")[0], 0)
        for _, out, _ in self.both("ls /tmp; python3 -c \"import socket; "
                                   "print(socket.socket().connect_ex(('127.0.0.1', 7777)))\""):
            self.assertEqual(out, "111\n")
        for code, _, _ in self.both("ipcmk -M 100 > /dev/null; ipcs -m | grep -c 0x"):
            self.assertEqual(code, 0)
        self.assertEqual(other.run("ipcs -m | grep -c 0x")[1], "0\n")

    def test_ordinary_work_works(self):
        for command, expected in (
                ("mkdir -p a && echo x > a/f && mv a /tmp/a && mv /tmp/a /code/a && cat /code/a/f", "x\n"),
                ("stat -c %d /home/user /tmp /var/tmp /code | sort -u | wc -l", "1\n"),
                ("git init -q r && cd r && git -c user.name=a -c user.email=b commit -q --allow-empty -m m && git log --format=%s", "m\n"),
                ("python3 -c 'import ssl, json, sqlite3, ctypes; print(1)'", "1\n"),
                ("echo one | awk '{print $1}'", "one\n"),
                ("python3 -c 'import os, pty; pid, fd = pty.fork(); pid or os._exit(0); print(os.waitpid(pid, 0)[1])'", "0\n"),
                ("echo data > /dev/shm/x && cat /dev/shm/x; stat -c %a /dev/shm /tmp", "data\n1777\n1777\n"),
                ("id -un; cd; pwd; touch ~/made && stat -c %U ~/made", "user\n/home/user\nuser\n"),
                ("getent hosts localhost | wc -l", "1\n"),
                ("openssl version > /dev/null && ls /etc/ssl/certs | wc -l | grep -qv '^0$' && echo certificates", "certificates\n"),
                ("bash -lc 'echo $PATH'", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n")):
            with self.subTest(command=command):
                self.assertEqual(self.sandbox.run(command), (0, expected, ""))

    def test_root_inside_is_root_only_there(self):
        owner = (self.host.data / "sandboxes" / self.sandbox.id / "root").stat().st_uid
        if "root" not in self.host.detail(self.sandbox.id).json()["users"]:
            self.assertEqual(owner, os.geteuid())
            with self.assertRaises(Exception):
                self.sandbox.run("true", "root")
            return
        self.assertEqual(self.sandbox.run("id -u; touch /root/x; chown user: /root/x; stat -c %U /root/x", "root")[1],
                         "0\nuser\n")
        self.assertNotEqual(self.sandbox.run("ls /root")[0], 0)
        self.assertNotIn(owner, (0, os.geteuid()))


class OneAccount(unittest.TestCase):
    """Where no range of ids can be mapped there is `user` only, and that is said."""

    @unittest.skipIf(os.geteuid() != 0, "only root can become an account without a range")
    def test_an_account_without_a_range(self):
        nobody_special = 54321
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            for name in ("boxdeck-host", "boxdeck-envd"):
                shutil.copy(BIN / name, folder)
            data = pathlib.Path(folder, "data")
            data.mkdir()
            os.chown(data, nobody_special, nobody_special)
            host = SetprivHost(folder, nobody_special, data)
            self.addCleanup(host.errors.close)
            self.assertIn("account user only", host.stderr())
            sandbox = host.create()
            self.assertEqual(host.detail(sandbox.id).json()["users"], ["user"])
            self.assertEqual(sandbox.run("id -u; echo x > ~/f; cat ~/f"), (0, "1000\nx\n", ""))
            with self.assertRaises(Exception) as refused:
                sandbox.run("id", "root")
            self.assertNotIsInstance(refused.exception, TimeoutError)
            # The ids are the host's own here, so nothing but the walls keeps its files.
            log = data / "sandboxes" / sandbox.id / "daemon.log"
            said = log.read_bytes()
            for number in range(12):
                for name in (f"/proc/1/fd/{number}", f"/proc/self/fd/{number}"):
                    query = "/files?" + urllib.parse.urlencode({"path": name})
                    answer = sandbox.request("GET", query)
                    self.assertGreaterEqual(answer.status, 400, (name, answer.body[:200]))
                    sandbox.write(name, b"written by a stranger")
            self.assertEqual(log.read_bytes(), said)
            # Files keep their owners, so a host that could map a range by now keeps to one account here.
            host.stop()
            host.errors.close()
            os.chown(data, 0, 0)
            root_host = subprocess.run([BIN / "boxdeck-host", "--data", data, "--listen", "203.0.113.1:1"],
                                       capture_output=True, text=True, timeout=30)
            self.assertIn("without a range", root_host.stderr)
            for path in [data, *data.iterdir()]:
                os.chown(path, nobody_special, nobody_special)
            host.start()
            self.assertEqual(sandbox.run("cat ~/f")[1], "x\n")
            self.assertEqual(sandbox.run("mkdir d; touch d/f; chmod 0 d")[0], 0)
            self.assertEqual(sandbox.post("pause").status, 204)
            self.assertEqual(sandbox.post("connect", {"timeout": 60}).status, 201)
            self.assertEqual(host.api("DELETE", "/sandboxes/" + sandbox.id).status, 204)
            self.assertEqual(list((data / "sandboxes").iterdir()) + list((data / "trash").iterdir()), [])
            self.assertEqual(host.stop(signal.SIGTERM), 0)


class SetprivHost(Host):
    def __init__(self, folder, account, data):
        self.prefix = ["setpriv", f"--reuid={account}", f"--regid={account}", "--clear-groups",
                       os.path.join(folder, "boxdeck-host")]
        super().__init__(data)

    def start(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([*self.prefix, "--data", self.data], stdout=subprocess.PIPE, stderr=self.errors)
        line = self.process.stdout.readline()
        assert line, self.stderr()
        self.ready = json.loads(line)
        self.key = self.ready["apiKey"]
        url = urllib.parse.urlsplit(self.ready["apiUrl"])
        self.address = (url.hostname, url.port)


if __name__ == "__main__":
    unittest.main()
