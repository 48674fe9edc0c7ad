# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives of COPY steps: the links to put them at, and what hostile ones come to."""

import gzip
import os
import socket
import tarfile
import unittest
import urllib.parse

from build_support import BuildTest, archive, copy, hard_link, hash_of, link, run, step
from control_support import raw

MIB = 1024 * 1024


class Links(BuildTest):
    def test_a_link_takes_the_archive_without_a_key_once(self):
        made = self.add()
        data = archive([("f", os.urandom(100_000))])
        there = self.link_for(made["templateID"], hash_of(data))
        self.assertFalse(there["present"])
        self.assertEqual(urllib.parse.urlsplit(there["url"]).query, "")
        self.assertNotIn(self.host.key, there["url"])
        self.assertEqual(self.put(there["url"], data).status, 200)
        self.error(self.put(there["url"], data), 403, "unknown or has expired")
        again = self.link_for(made["templateID"], hash_of(data).upper())
        self.assertTrue(again["present"])
        self.assertNotEqual(again["url"], there["url"])
        stored = self.host.data / "uploads" / hash_of(data)
        self.assertEqual((stored.read_bytes(), stored.stat().st_mode & 0o777), (data, 0o600))

    def test_links_cannot_be_guessed_or_used_otherwise(self):
        made = self.add()
        there = self.link_for(made["templateID"], "a" * 64)
        self.error(self.put(there["url"][:-1] + ("0" if there["url"][-1] != "0" else "1"), b"x"), 403)
        self.error(self.put(there["url"] + "/../../api-key", b"x"), 403)
        path = urllib.parse.urlsplit(there["url"]).path
        self.error(self.host.request("PUT", "/boxdeck/uploads/", b"x"), 403)
        self.error(self.host.request("GET", path), 405)
        self.error(self.host.request("PUT", path, b""), 400)
        self.error(self.host.request("PUT", path, iter([b"piece"]), {"Transfer-Encoding": "chunked"}), 501, "Content-Length")
        self.error(self.host.request("PUT", path, bytes(4 * MIB + 1)), 413, "4 MiB")
        self.assertFalse(self.link_for(made["templateID"], "a" * 64)["present"])

    def test_an_upload_that_breaks_off_leaves_nothing(self):
        made = self.add()
        there = self.link_for(made["templateID"], "b" * 64)
        path = urllib.parse.urlsplit(there["url"]).path
        with socket.create_connection(self.host.address, timeout=20) as connection:
            connection.sendall(f"PUT {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbegun".encode())
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1000)
        self.assertFalse(self.link_for(made["templateID"], "b" * 64)["present"])
        self.assertEqual(self.put(there["url"], archive([("f", b"x")])).status, 200)  # the link is still good
        self.assertEqual([one.name for one in (self.host.data / "uploads").iterdir() if "part" in one.name], [])

    def test_hashes_that_are_no_hashes_are_refused(self):
        made = self.add()
        for text in ("x", "a" * 63, "a" * 65, "g" * 64, "..%2F..%2Fapi-key", "%2e%2e", "a" * 62 + "%2Fx", "a" * 63 + "%00",
                     "a" * 64 + "%0a", "%2Fetc%2Fpasswd"):
            with self.subTest(text=text):
                self.error(self.host.api("GET", f"/templates/{made['templateID']}/files/{text}"), 400, "64 hexadecimal")
        self.error(self.host.api("GET", f"/templates/none/files/{'a' * 64}"), 404)
        self.assertEqual(self.host.request("GET", f"/templates/{made['templateID']}/files/{'a' * 64}").status, 401)


class Hostile(BuildTest):
    def refused(self, data, source=".", text=""):
        made = self.add("hostile")
        files = self.upload(made["templateID"], data)
        self.begin(made, [copy(files, source, "/tmp/placed/")])
        told = self.finished(made)
        self.assertEqual((told["status"], told["reason"]["step"]), ("error", "1"))
        self.assertIn(text, told["reason"]["message"])

    def test_archives_that_reach_out_are_refused(self):
        fifo = {"type": tarfile.FIFOTYPE}
        device = {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3}
        for name, entries, text in (
            ("dots", [("../out", b"x")], "outside the context folder"),
            ("inner dots", [("a/../../out", b"x")], "outside the context folder"),
            ("absolute", [("/etc/out", b"x")], "outside the context folder"),
            ("behind a link", [("l", link("/etc")), ("l/out", b"x")], "behind the link 'l'"),
            ("behind a relative link", [("d", None), ("d/l", link(".")), ("d/l/out", b"x")], "behind the link"),
            ("climbing link", [("d", None), ("d/l", link("../../out"))], "leads out of the context folder"),
            ("climbing later", [("d", None), ("d/l", link("a/../../../out"))], "leads out of the context folder"),
            ("hard link out", [("h", hard_link("/etc/passwd"))], "hard link"),
            ("hard link nowhere", [("h", hard_link("none"))], "not in it"),
            ("hard link to a link", [("l", link("/etc/passwd")), ("h", hard_link("l"))], "not in it"),
            ("pipe", [("p", fifo)], "device, pipe or socket"),
            ("device", [("null", device)], "device, pipe or socket"),
        ):
            with self.subTest(name=name):
                self.refused(archive(entries), text=text)

    def test_archives_that_are_none_and_bombs(self):
        self.refused(b"no archive at all" * 100, text="no readable tar")
        whole = archive([("f", os.urandom(50_000))])
        self.refused(whole[:len(whole) // 2], text="the uploaded archive")
        bomb = gzip.compress(archive([("zeros", bytes(20 * MIB))], "w"))
        self.assertLess(len(bomb), 4 * MIB)
        self.refused(bomb, text="unpacks to more than 16 MiB")
        self.refused(archive([("other", b"x")]), "wanted", "holds nothing at 'wanted'")

    def test_sources_that_reach_out_are_refused(self):
        data = archive([("f", b"x")])
        for source in ("../f", "/f", "a/../../f"):
            with self.subTest(source=source):
                self.refused(data, source, "outside the context folder")

    def test_links_inside_the_template_lead_nowhere_else(self):
        # The target lies behind links that an earlier step made: what is placed stays in the sandbox.
        secret = self.host.data / "outside"
        secret.mkdir()
        made = self.add("links")
        files = self.upload(made["templateID"], archive([("f", b"placed\n")]))
        self.begin(made, [run(f"mkdir -p {secret}; ln -s {secret} /tmp/to-host; ln -s ../../../../../../..{secret} /tmp/up; ln -s /proc/1/root /tmp/p"),
                          copy(files, "f", "/tmp/up/f"), copy(files, "f", "/tmp/to-host/g"), copy(files, "f", f"{secret}/h")])
        told = self.finished(made)
        self.assertEqual(list(secret.iterdir()), [])
        self.assertEqual(told["status"], "ready", told)

    def test_this_computers_programs_cannot_be_replaced(self):
        made = self.add("usr")
        files = self.upload(made["templateID"], archive([("f", b"x")]))
        self.begin(made, [copy(files, "f", "/usr/bin/evil")])
        told = self.finished(made)
        self.assertEqual(told["status"], "error")
        self.assertIn("/usr is this computer's", told["reason"]["message"])


if __name__ == "__main__":
    unittest.main()
