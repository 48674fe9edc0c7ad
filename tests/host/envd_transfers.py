# SPDX-License-Identifier: GPL-3.0-or-later
"""GET and POST /files of the real boxdeck-envd."""
import email.utils
import gzip
import hashlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse

from envd_client import SLOWER, Envd, UnixConnection

BINARY = sys.argv.pop(1)
ROOT = os.getuid() == 0


def disposition(name):
    return name.replace("\\", "\\\\").replace('"', '\\"')


def multipart(*parts, boundary="XbX7q1"):
    body = b""
    for name, file_name, content in parts:
        body += (f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; '
                 f'filename="{disposition(file_name)}"\r\n\r\n').encode() + content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}


class TransferTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.envd = Envd(BINARY)

    @classmethod
    def tearDownClass(cls):
        cls.envd.stop()

    def setUp(self):
        self.folder = os.path.join(self.envd.folder, "work")
        os.mkdir(self.folder)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def at(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content=b""):
        with open(self.at(name), "wb") as file:
            file.write(content)
        return self.at(name)

    def read(self, name):
        with open(self.at(name), "rb") as file:
            return file.read()

    def get(self, path, **headers):
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.envd.request("GET", "/files?path=" + urllib.parse.quote(path, safe=""), headers=names)

    def put(self, path, content, user=None, **headers):
        target = "/files?path=" + urllib.parse.quote(path, safe="") + (f"&username={user}" if user else "")
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.envd.request("POST", target, content, {"Content-Type": "application/octet-stream", **names})

    def post_parts(self, *parts, query="", **headers):
        body, names = multipart(*parts)
        names.update({name.replace("_", "-"): value for name, value in headers.items()})
        return self.envd.request("POST", "/files" + query, body, names)

    def assertError(self, answer, status, text=""):
        response, body = answer
        self.assertEqual(response.status, status, body)
        self.assertEqual(response.getheader("Content-Type"), "application/json; charset=utf-8")
        error = json.loads(body)
        self.assertEqual(error["code"], status)
        self.assertIn(text, error["message"])

    # --- download ---

    def test_download(self):
        content = bytes(range(256)) * 5000
        path = self.write("a b.bin", content)
        response, body = self.get(path)
        self.assertEqual((response.status, body), (200, content))
        self.assertEqual(response.getheader("Content-Length"), str(len(content)))
        self.assertEqual(response.getheader("Content-Disposition"), 'inline; filename="a b.bin"')
        self.assertEqual(response.getheader("Vary"), "Accept-Encoding")
        self.assertTrue(response.getheader("Last-Modified"))
        response, body = self.get(self.write("empty"))
        self.assertEqual((response.status, response.getheader("Content-Length"), body), (200, "0", b""))

    def test_download_failures(self):
        self.assertError(self.get(self.at("none")), 404, f"path '{self.at('none')}' does not exist")
        self.assertError(self.get(self.folder), 400, f"path '{self.folder}' is a directory")
        self.assertError(self.get(""), 400, "is a directory")
        self.assertError(self.get("~other/x"), 400, "cannot expand")
        self.assertError(self.get(os.path.join(self.write("file"), "below")), 500)
        self.assertError(self.envd.request("GET", "/files?path=/&username=nosuchuser"), 401,
                         "error looking up user 'nosuchuser'")
        self.assertError(self.get(self.at("file"), Accept_Encoding="identity;q=0, br"), 406)
        for query in ("path=a&path=b", "path=%zz"):
            for method in ("GET", "POST"):
                response, body = self.envd.request(method, "/files?" + query)
                self.assertEqual((response.status, response.getheader("Content-Type")),
                                 (400, "text/plain; charset=utf-8"), query)
        os.mkfifo(self.at("pipe"))
        self.assertError(self.get(self.at("pipe")), 400, "not a regular file")
        self.assertEqual(self.envd.request("HEAD", "/files?path=/etc/passwd")[0].status, 405)
        self.assertEqual(self.envd.request("DELETE", "/files?path=/etc/passwd")[0].status, 405)
        self.assertEqual(self.envd.request("GET", "/nothing")[0].status, 404)

    def test_ranges(self):
        path = self.write("file", b"0123456789")
        for header, status, body, content_range in (
                ("bytes=2-4", 206, b"234", "bytes 2-4/10"), ("bytes=8-", 206, b"89", "bytes 8-9/10"),
                ("bytes=-3", 206, b"789", "bytes 7-9/10"), ("bytes=0-99", 206, b"0123456789", "bytes 0-9/10"),
                ("bytes=10-", 416, None, "bytes */10"), ("bytes=0-0,5-5", 200, b"0123456789", None)):
            response, got = self.get(path, Range=header)
            self.assertEqual((response.status, response.getheader("Content-Range")), (status, content_range), header)
            if body is not None:
                self.assertEqual(got, body)
                self.assertEqual(response.getheader("Content-Length"), str(len(body)))

    def test_conditions(self):
        path = self.write("file", b"0123456789")
        modified = self.get(path)[0].getheader("Last-Modified")
        self.assertEqual(self.get(path, If_Modified_Since=modified)[0].status, 304)
        earlier = email.utils.formatdate(os.stat(path).st_mtime - 100, usegmt=True)
        self.assertEqual(self.get(path, If_Modified_Since=earlier)[0].status, 200)
        self.assertEqual(self.get(path, Range="bytes=5-", If_Range=modified)[0].status, 206)
        self.assertEqual(self.get(path, Range="bytes=5-", If_Range=earlier)[0].status, 200)
        self.assertEqual(self.get(path, Range="bytes=5-", If_Range='"tag"')[0].status, 200)

    def test_compression_is_used_only_when_it_is_preferred(self):
        content = b"compressible " * 100_000
        path = self.write("file.txt", content)
        response, body = self.get(path, Accept_Encoding="gzip")
        self.assertEqual(response.getheader("Content-Encoding"), "gzip")
        self.assertIsNone(response.getheader("Content-Length"))
        self.assertEqual(gzip.decompress(body), content)
        for header in ("identity", "br", "gzip;q=0", "gzip;q=0.5, identity"):
            response, body = self.get(path, Accept_Encoding=header)
            self.assertEqual((response.getheader("Content-Encoding"), body), (None, content), header)
        response, body = self.get(path, Accept_Encoding="gzip", Range="bytes=0-9")
        self.assertEqual((response.status, body), (206, content[:10]))

    def test_files_without_a_size_of_their_own(self):
        response, body = self.get("/proc/self/status")
        self.assertIn(b"boxdeck-envd", body)
        self.assertEqual(response.getheader("Content-Length"), str(len(body)))

    # --- upload ---

    def test_raw_upload(self):
        response, body = self.put(self.at("new", "dir", "file.txt"), b"hello")
        self.assertEqual(response.status, 200)
        self.assertEqual(json.loads(body), [{"name": "file.txt", "path": self.at("new", "dir", "file.txt"),
                                             "type": "file"}])
        self.assertEqual(self.read("new/dir/file.txt"), b"hello")
        self.assertEqual(os.stat(self.at("new", "dir")).st_mode & 0o777, 0o755)
        self.assertEqual(os.stat(self.at("new", "dir", "file.txt")).st_mode & 0o777, 0o644)
        self.assertEqual(self.put(self.at("empty"), b"")[0].status, 200)
        self.assertEqual(self.read("empty"), b"")

    def test_an_existing_file_is_rewritten_in_place(self):
        path = self.write("script", b"a long old content")
        os.chmod(path, 0o755)
        os.symlink("script", self.at("link"))
        os.link(path, self.at("hard"))
        self.assertEqual(self.put(self.at("link"), b"new")[0].status, 200)
        self.assertTrue(os.path.islink(self.at("link")))
        self.assertEqual((self.read("script"), self.read("hard")), (b"new", b"new"))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o755)

    def test_files_belong_to_the_named_user(self):
        if not ROOT:
            self.assertError(self.put(self.at("x"), b"", user="nobody"), 500, "ownership")
            return
        nobody = pwd.getpwnam("nobody").pw_uid
        self.write("old")
        for path in (self.at("old"), self.at("made", "new")):
            self.assertEqual(self.put(path, b"x", user="nobody")[0].status, 200)
            self.assertEqual(os.stat(path).st_uid, nobody)
        self.assertEqual(os.stat(self.at("made")).st_uid, nobody)

    def test_upload_failures(self):
        self.assertError(self.put(self.folder, b"x"), 400, f"path is a directory: {self.folder}")
        self.write("file")
        self.assertError(self.put(self.at("file", "below"), b"x"), 500)
        self.assertError(self.put("~other/x", b"x"), 400)
        self.assertError(self.put(self.at("x"), b"x", user="nosuchuser"), 401, "error looking up user 'nosuchuser'")
        self.assertError(self.envd.request("POST", "/files", b"x", {"Content-Type": "application/octet-stream"}), 400,
                         "path query parameter is required")
        self.assertError(self.envd.request("POST", "/files?path=/x", b"x", {"Content-Type": "text/plain"}), 400,
                         "unsupported content type")
        self.assertError(self.put(self.at("x"), b"x", Content_Encoding="br"), 400, "unsupported Content-Encoding")
        self.assertError(self.put(self.at("x"), b"not gzip", Content_Encoding="gzip"), 400)
        damaged = bytearray(gzip.compress(os.urandom(100_000)))
        damaged[50_000] ^= 0xFF
        damaged[50_001] ^= 0xFF
        self.assertError(self.put(self.at("x"), bytes(damaged[:60_000]), Content_Encoding="gzip"), 500)
        self.assertFalse(os.path.exists(self.at("x")), "a failed upload left a file")

    def test_a_pipe_is_refused_and_holds_nothing(self):
        os.mkfifo(self.at("pipe"))
        # More of them than there are threads for the disk: each would wait for a reader that never comes.
        for _ in range(20):
            self.assertError(self.put(self.at("pipe"), b"x"), 400, "not a regular file")
        self.assertEqual(self.put(self.at("file"), b"x")[0].status, 200)

    def test_a_path_with_a_nul_names_no_other_file(self):
        self.write("victim", b"kept")
        self.assertError(self.put(self.at("victim\0.txt"), b"lost"), 400, "NUL")
        self.assertError(self.get(self.at("victim\0.txt")), 400, "NUL")
        self.assertEqual(self.read("victim"), b"kept")

    def test_multipart_upload_with_paths_in_the_parts(self):
        response, body = self.post_parts(("file", self.at("d", "one"), b"1" * 100_000), ("note", "ignored", b"?"),
                                         ("file", self.at("two"), b""))
        self.assertEqual([entry["path"] for entry in json.loads(body)], [self.at("d", "one"), self.at("two")])
        self.assertEqual((self.read("d/one"), self.read("two")), (b"1" * 100_000, b""))
        self.assertEqual(json.loads(self.post_parts(("other", "x", b"y"))[1]), [])

    def test_the_querys_path_wins_and_two_parts_cannot_share_it(self):
        query = "?path=" + urllib.parse.quote(self.at("q"))
        self.assertEqual(self.post_parts(("file", "/elsewhere", b"1"), query=query)[0].status, 200)
        self.assertEqual(self.read("q"), b"1")
        self.assertError(self.post_parts(("file", "a", b"first"), ("file", "b", b"second"), query=query), 400,
                         "same path")
        self.assertEqual(self.read("q"), b"first")

    def test_a_broken_form(self):
        body, headers = multipart(("file", self.at("cut"), b"x" * 1000))
        self.assertError(self.envd.request("POST", "/files", body[:500], headers), 500)
        self.assertFalse(os.path.exists(self.at("cut")))
        self.assertError(self.envd.request("POST", "/files", body, {"Content-Type": "multipart/form-data"}), 500)

    def test_names_with_quotes_backslashes_and_line_breaks(self):
        names = ['re"port.txt', "ends\\", "semi;x=1", "\u6587" * 66, "a%22b", "tab\tname"]
        for name in names:
            self.assertEqual(self.post_parts(("file", self.at(name), name.encode()))[0].status, 200, name)
        for name in ["line\nfeed", "cr\r\nX-Evil: 1", 'q"u\\o']:
            names.append(name)
            self.assertEqual(self.put(self.at(name), name.encode())[0].status, 200, name)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))
        for name in names:
            self.assertEqual(self.read(name), name.encode())
            response, body = self.get(self.at(name))
            self.assertEqual((body, response.getheader("X-Evil")), (name.encode(), None))

    def test_compressed_upload(self):
        content = os.urandom(300_000) + b"0" * 5_000_000
        self.assertEqual(self.put(self.at("x"), gzip.compress(content), Content_Encoding="gzip")[0].status, 200)
        self.assertEqual(self.read("x"), content)
        body, headers = multipart(("file", self.at("y"), content))
        self.assertEqual(self.envd.request("POST", "/files", gzip.compress(body),
                                           {**headers, "Content-Encoding": "gzip"})[0].status, 200)
        self.assertEqual(self.read("y"), content)

    def test_chunked_upload_cut_anywhere(self):
        content = os.urandom(3_000_000)
        connection = UnixConnection(self.envd.path)
        pieces = [content[i:i + 77_777] for i in range(0, len(content), 77_777)]
        connection.request("POST", "/files?path=" + urllib.parse.quote(self.at("x")), iter(pieces),
                           {"Content-Type": "application/octet-stream"}, encode_chunked=True)
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        self.assertEqual(self.read("x"), content)

    def test_an_upload_that_breaks_off_leaves_no_half_file_under_a_new_name(self):
        connection = UnixConnection(self.envd.path)
        connection.putrequest("POST", "/files?path=" + urllib.parse.quote(self.at("half")))
        connection.putheader("Content-Type", "application/octet-stream")
        connection.putheader("Content-Length", "10000000")
        connection.endheaders(b"x" * 2_000_000)
        end = time.monotonic() + 10
        while not os.path.exists(self.at("half")) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertTrue(os.path.exists(self.at("half")))
        connection.close()
        while os.path.exists(self.at("half")) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertFalse(os.path.exists(self.at("half")))

    def test_metadata(self):
        path = self.at("x")
        body = json.loads(self.put(path, b"1", X_Metadata_Origin="demo", x_metadata_UPPER="b c")[1])
        if "metadata" not in body[0]:
            try:
                os.setxattr(path, "user.test", b"1")
            except OSError:
                return  # a file system without attributes: the answer tells the truth
        self.assertEqual(body[0]["metadata"], {"origin": "demo", "upper": "b c"})
        self.assertEqual(os.getxattr(path, "user.e2b.origin"), b"demo")
        self.assertEqual(self.envd.file_rpc("Stat", path=path)["entry"]["metadata"], {"origin": "demo", "upper": "b c"})
        self.assertEqual(json.loads(self.put(path, b"2", X_Metadata_Other="1")[1])[0]["metadata"], {"other": "1"})
        self.assertNotIn("metadata", json.loads(self.put(path, b"3")[1])[0])
        self.assertError(self.put(path, b"4", X_Metadata_k="v" * 5000), 400, "metadata")
        self.assertEqual(self.read("x"), b"3")

    def test_parallel_uploads_into_a_new_folder(self):
        user = "nobody" if ROOT else None
        owner = pwd.getpwnam("nobody").pw_uid if ROOT else os.getuid()
        for round_number in range(50):
            base = self.at(f"new{round_number}", "a", "b")
            answers = []
            threads = [threading.Thread(target=lambda n=n: answers.append(
                self.put(os.path.join(base, f"f{n:02}"), b"%d" % n, user=user)[0].status)) for n in range(1, 17)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(answers, [200] * 16)
            for path in (self.at(f"new{round_number}"), self.at(f"new{round_number}", "a"), base,
                         *(os.path.join(base, name) for name in os.listdir(base))):
                self.assertEqual(os.stat(path).st_uid, owner, path)
            self.assertEqual(len(os.listdir(base)), 16)

    def test_a_full_disk_is_507_and_leaves_nothing(self):
        if not ROOT:
            return  # no disk of a chosen size can be made; the rule itself is in upload.cpp
        os.mkdir(self.at("small"))
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", self.at("small")], check=True)
        try:
            self.assertError(self.put(self.at("small", "x"), b"x" * 8_000_000), 507, "not enough disk space")
            self.assertEqual(os.listdir(self.at("small")), [])
            self.assertEqual(self.put(self.at("small", "x"), b"x" * 1_000_000)[0].status, 200)
        finally:
            subprocess.run(["umount", self.at("small")], check=True)

    def test_large_bodies_pass_with_bounded_memory(self):
        size = 512 * 1024 * 1024
        with open(self.at("big"), "wb") as file:
            file.truncate(size)
            file.seek(size // 2)
            file.write(os.urandom(1 << 20))
        memory = lambda: int(next(line.split()[1] for line in open(f"/proc/{self.envd.process.pid}/status")
                                  if line.startswith("VmHWM")))
        before = memory()
        begin = time.monotonic()
        with open(self.at("big"), "rb") as file:
            response, _ = self.put(self.at("copy"), file, Content_Length=str(size))
        up = time.monotonic() - begin
        self.assertEqual(response.status, 200)
        begin = time.monotonic()
        connection = UnixConnection(self.envd.path)
        connection.request("GET", "/files?path=" + urllib.parse.quote(self.at("copy")),
                           headers={"Accept-Encoding": "identity"})
        response = connection.getresponse()
        digest = hashlib.sha1()
        buffer = bytearray(1 << 20)
        while got := response.readinto(buffer):
            digest.update(memoryview(buffer)[:got])
        connection.close()
        down = time.monotonic() - begin
        with open(self.at("big"), "rb") as file:
            self.assertEqual(digest.digest(), hashlib.file_digest(file, "sha1").digest())
        print(f"512 MiB: up {size / up / 1e6:.0f} MB/s, down (with SHA-1) {size / down / 1e6:.0f} MB/s, "
              f"peak memory +{memory() - before} KiB")
        self.assertLess(memory() - before, (16 if SLOWER == 1 else 64) * 1024)

    # --- compose ---

    def compose(self, **message):
        return self.envd.request("POST", "/files/compose", json.dumps(message), {"Content-Type": "application/json"})

    def test_compose(self):
        parts = [self.write(f"part{n}", os.urandom(200_000)) for n in range(3)]
        whole = b"".join(self.read(f"part{n}") for n in range(3))
        self.write("target", b"old")
        response, body = self.compose(source_paths=parts, destination=self.at("target"))
        self.assertEqual((response.status, json.loads(body)),
                         (200, {"name": "target", "path": self.at("target"), "type": "file"}))
        self.assertEqual(self.read("target"), whole)
        self.assertEqual(os.listdir(self.folder), ["target"])

    def test_compose_failures(self):
        part = self.write("part", b"x")
        self.write("target", b"kept")
        self.assertError(self.compose(source_paths=[], destination="/x"), 400, "source_paths")
        self.assertError(self.compose(source_paths=[part]), 400, "destination")
        self.assertError(self.compose(source_paths=[part], destination=part), 400, "same as destination")
        self.assertError(self.compose(source_paths=[self.folder], destination=self.at("t")), 400, "regular file")
        self.assertError(self.compose(source_paths=[part, self.at("none")], destination=self.at("target")), 404)
        self.assertError(self.compose(source_paths=[part], destination="/x", username="nosuchuser"), 401)
        self.assertError(self.envd.request("POST", "/files/compose", "{"), 400)
        self.assertEqual(self.read("target"), b"kept")
        self.assertEqual(sorted(os.listdir(self.folder)), ["part", "target"])


if __name__ == "__main__":
    unittest.main(warnings="ignore")
