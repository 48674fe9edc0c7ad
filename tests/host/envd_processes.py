# SPDX-License-Identifier: GPL-3.0-or-later
"""process.Process of the real boxdeck-envd, with real processes and terminals."""
import os
import pwd
import signal
import socket
import struct
import sys
import threading
import time
import unittest

from envd_client import SLOWER, Envd, Outcome, RpcFailure, UnixConnection, add_event, b64, collect, read_until

BINARY = sys.argv.pop(1)
ROOT = os.getuid() == 0


def eventually(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class ProcessTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.envd = Envd(BINARY, env_vars={"FROM_SANDBOX": "1", "BOTH": "sandbox"})

    @classmethod
    def tearDownClass(cls):
        cls.envd.stop()

    def assertRefused(self, code, call, *args, **named):
        with self.assertRaises(RpcFailure) as caught:
            call(*args, **named)
        self.assertEqual(caught.exception.code, code, caught.exception)
        return caught.exception

    def assertStreamRefused(self, code, outcome, text=""):
        self.assertEqual(outcome.stream_end["error"]["code"], code, outcome.stream_end)
        self.assertIn(text, outcome.stream_end["error"]["message"])

    # --- Start ---

    def test_start_then_data_then_end(self):
        outcome = self.envd.shell("echo out; echo err >&2; exit 3")
        self.assertEqual((outcome.events[0], outcome.events[-1]), ("start", "end"))
        self.assertGreater(outcome.pid, 1)
        self.assertEqual((outcome.stdout, outcome.stderr), (b"out\n", b"err\n"))
        self.assertEqual(outcome.event, {"exitCode": 3, "exited": True, "status": "exit status 3",
                                         "error": "exit status 3"})
        self.assertEqual(outcome.stream_end, {})

    def test_exit_code_zero_is_left_out(self):
        self.assertEqual(self.envd.run("true").event, {"exited": True, "status": "exit status 0"})

    def test_all_output_comes_before_the_end_every_time(self):
        expected = b"".join(b"%d\n" % i for i in range(1, 20001))
        for round_number in range(200):
            outcome = self.envd.shell("seq 1 20000; printf tail")
            self.assertEqual(outcome.stdout, expected + b"tail", f"round {round_number}")
            self.assertEqual(outcome.events.count("end"), 1)
            self.assertEqual(outcome.stream_end, {})

    def test_arguments_are_not_interpreted(self):
        outcome = self.envd.run("printf", ["%s|", "a b", "$HOME", "*", "", "\u00e9"])
        self.assertEqual(outcome.stdout.decode(), "a b|$HOME|*||\u00e9|")

    def test_a_missing_command_starts_and_ends_with_127(self):
        outcome = self.envd.run("no-such-command")
        self.assertEqual(outcome.events, ["start", "data", "end"])
        self.assertIn(b"not found", outcome.stderr)
        self.assertEqual(outcome.event["exitCode"], 127)

    def test_no_command_at_all_is_a_missing_one(self):
        self.assertEqual(self.envd.run("").event["exitCode"], 127)

    def test_arguments_longer_than_the_kernel_takes_are_refused(self):
        outcome = self.envd.run("/bin/sh", ["-c", "echo hi #" + "x" * 200000])
        self.assertEqual(outcome.events, [])
        self.assertEqual(outcome.stream_end["error"]["code"], "invalid_argument")
        self.assertIn("too long", outcome.stream_end["error"]["message"])

    def test_a_file_that_may_not_run_ends_with_126(self):
        self.assertEqual(self.envd.run("/etc/passwd").event["exitCode"], 126)

    def test_a_script_without_an_interpreter_line_runs_in_a_shell(self):
        path = os.path.join(self.envd.folder, "script")
        with open(path, "w") as script:
            script.write("echo shell $1\n")
        os.chmod(path, 0o755)
        self.assertEqual(self.envd.run(path, ["x"]).stdout, b"shell x\n")
        os.unlink(path)

    def test_environment_is_path_user_sandbox_request_and_nothing_else(self):
        os.environ["LEAKED_FROM_OUTSIDE"] = "1"
        outcome = self.envd.run("env", envs={"BOTH": "request", "MINE": "2"})
        variables = dict(line.split("=", 1) for line in outcome.stdout.decode().splitlines())
        home = pwd.getpwuid(os.getuid())
        self.assertTrue(variables.pop("PATH"))
        self.assertEqual(variables, {"HOME": home.pw_dir, "PWD": home.pw_dir, "USER": home.pw_name, "LOGNAME": home.pw_name,
                                     "FROM_SANDBOX": "1", "BOTH": "request", "MINE": "2", "E2B_SANDBOX": "true",
                                     "E2B_SANDBOX_ID": "sbx", "E2B_TEMPLATE_ID": "base"})

    def test_working_directory(self):
        home = pwd.getpwuid(os.getuid()).pw_dir
        self.assertEqual(self.envd.run("pwd").stdout.decode(), home + "\n")
        self.assertEqual(self.envd.run("pwd", cwd="/usr/bin").stdout, b"/usr/bin\n")
        self.assertEqual(self.envd.run("pwd", cwd="~").stdout.decode(), home + "\n")
        self.assertStreamRefused("invalid_argument", self.envd.run("pwd", cwd="/nope"), "cwd '/nope' does not exist")
        self.assertStreamRefused("invalid_argument", self.envd.run("pwd", cwd="/etc/passwd"), "not a directory")
        self.assertStreamRefused("invalid_argument", self.envd.run("pwd", cwd="~nobody"))

    def test_the_named_user_runs_the_process(self):
        outcome = self.envd.shell("id -u; echo $HOME; echo $USER", user="nobody", cwd="/")
        if not ROOT:
            self.assertStreamRefused("permission_denied", outcome, "nobody")
            return
        nobody = pwd.getpwnam("nobody")
        self.assertEqual(outcome.stdout.decode().split(), [str(nobody.pw_uid), nobody.pw_dir, "nobody"])
        self.assertEqual(self.envd.shell("id -G", user="nobody", cwd="/").stdout.decode().split(),
                         [str(nobody.pw_gid)])
        folder = os.path.join(self.envd.folder, "private")
        os.mkdir(folder, 0o700)
        self.assertStreamRefused("invalid_argument", self.envd.run("pwd", user="nobody", cwd=folder), "entered")
        os.rmdir(folder)

    def test_an_unknown_user_is_refused_inside_the_stream(self):
        self.assertStreamRefused("unauthenticated", self.envd.run("true", user="nosuchuser"),
                                 "invalid username: 'nosuchuser'")

    def test_stdin_false_is_dev_null(self):
        self.assertEqual(self.envd.run("cat").event["status"], "exit status 0")

    def test_signals_and_masks_are_those_of_a_fresh_process(self):
        status = self.envd.shell("grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status").stdout.decode()
        values = {line.split(":")[0]: int(line.split()[1], 16) for line in status.splitlines()}
        self.assertEqual(values["SigBlk"], 0)
        self.assertEqual(values["SigIgn"], 0)

    def test_no_descriptor_of_the_daemon_is_inherited(self):
        quiet = self.envd.start("sleep", ["30"])
        quiet.next()
        names = self.envd.shell("ls /proc/self/fd").stdout.decode().split()
        self.assertEqual([name for name in names if int(name) > 3], [], "3 is the ls itself reading the folder")
        quiet.close()

    def test_a_child_that_keeps_the_output_delays_the_end(self):
        outcome = self.envd.shell("(sleep 0.3; echo late) & echo early")
        self.assertEqual(outcome.stdout, b"early\nlate\n")

    def test_orphans_are_reaped(self):
        orphan = int(self.envd.shell("sleep 0.2 >/dev/null 2>&1 & echo $!").stdout)
        self.assertTrue(eventually(lambda: not os.path.exists(f"/proc/{orphan}")), "a zombie was left")

    # --- errors of the protocol itself ---

    def test_wrong_content_types_and_methods(self):
        for method, kind, status in (("Start", "application/json", 415), ("List", "application/connect+json", 415),
                                     ("List", "application/proto", 415), ("List", "text/plain", 415)):
            response, body = self.envd.request("POST", "/process.Process/" + method, "{}", {"Content-Type": kind})
            self.assertEqual((response.status, body), (status, b""), (method, kind))
            self.assertTrue(response.getheader("Accept-Post"))
        response, _ = self.envd.request("GET", "/process.Process/List?message={}")
        self.assertEqual((response.status, response.getheader("Allow")), (405, "POST"))
        response, _ = self.envd.request("POST", "/process.Process/Nope", "{}", {"Content-Type": "application/json"})
        self.assertEqual(response.status, 404)
        response, _ = self.envd.request("POST", "/process.Process/List", "{}",
                                        {"Content-Type": "application/json; charset=utf-8"})
        self.assertEqual(response.status, 200)

    def test_bad_messages(self):
        self.assertRefused("invalid_argument", self.envd.rpc, "process.Process/List", raw="")
        self.assertRefused("invalid_argument", self.envd.rpc, "process.Process/List", raw="[]")
        self.assertRefused("invalid_argument", self.envd.rpc, "process.Process/SendSignal",
                           raw='{"process":{"pid":"x"}}')
        self.assertStreamRefused("invalid_argument", self.envd.run("true", headers={"Connect-Timeout-Ms": "soon"}))
        self.assertStreamRefused("invalid_argument",
                                 self.envd.run("true", headers={"Connect-Protocol-Version": "2"}))

    def test_a_cut_envelope_is_answered_inside_the_stream(self):
        connection = UnixConnection(self.envd.path)
        connection.request("POST", "/process.Process/Start", struct.pack(">BI", 0, 100) + b"{}",
                           {"Content-Type": "application/connect+json"})
        response = connection.getresponse()
        self.assertEqual(response.status, 200)
        self.assertIn(b"invalid_argument", response.read())
        connection.close()

    def test_chunked_requests_and_snake_case_and_nulls(self):
        connection = UnixConnection(self.envd.path)
        payload = b'{"process":{"cmd":"echo","args":["hi"],"cwd":null},"stdin":null,"pty":null,"tag":null}'
        body = struct.pack(">BI", 0, len(payload)) + payload
        connection.request("POST", "/process.Process/Start", iter([body[:3], body[3:20], body[20:]]),
                           {"content-type": "application/connect+json"}, encode_chunked=True)
        response = connection.getresponse()
        self.assertIn(b"aGkK", response.read())
        connection.close()

    # --- terminals ---

    def test_a_terminal_has_its_size_before_the_program_looks(self):
        outcome = self.envd.run("stty", ["size"], pty=(132, 43))
        self.assertEqual(outcome.pty, b"43 132\r\n")
        self.assertEqual(outcome.events[0], "start")

    def test_resizing_reaches_the_program(self):
        stream = self.envd.start("/bin/bash", ["-c", "trap 'stty size' WINCH; echo ready; read -t 20 x; read -t 20 x"],
                                 pty=(80, 24))
        outcome = Outcome()
        read_until(stream, outcome, lambda o: b"ready" in o.pty)
        self.envd.process_rpc("Update", process={"pid": outcome.pid}, pty={"size": {"cols": 100, "rows": 30}})
        read_until(stream, outcome, lambda o: b"30 100" in o.pty)
        self.assertEqual(self.envd.process_rpc("Update", process={"pid": outcome.pid}), {})
        self.envd.process_rpc("SendSignal", process={"pid": outcome.pid}, signal="SIGNAL_SIGKILL")
        stream.close()

    def test_the_terminal_belongs_to_the_user_and_controls_the_session(self):
        user = "nobody" if ROOT else None
        outcome = self.envd.run("/bin/sh", ["-c", 'stat -c %U "$(tty)"; ps -o tpgid= -p $$ | tr -d " "; echo $$'],
                                pty=(80, 24), user=user, cwd="/")
        owner, foreground, shell = outcome.pty.decode().split()
        self.assertEqual(owner, user or pwd.getpwuid(os.getuid()).pw_name)
        self.assertEqual(foreground, shell)

    def test_a_terminal_gets_a_utf8_locale_unless_one_was_chosen(self):
        ask = ["-c", "echo $TERM/$LANG/$LC_ALL"]
        self.assertEqual(self.envd.run("/bin/sh", ask, pty=(80, 24)).pty, b"xterm-256color/C.UTF-8/C.UTF-8\r\n")
        self.assertEqual(self.envd.run("/bin/sh", ask, pty=(80, 24), envs={"LANG": "de_DE.UTF-8", "TERM": "vt100"}).pty,
                         b"vt100/de_DE.UTF-8/\r\n")
        self.assertEqual(self.envd.run("/bin/sh", ask).stdout, b"//\n")

    def test_keys_arrive_as_the_bytes_they_are(self):
        stream = self.envd.start("/bin/sh", ["-c", "stty raw -echo; echo ready; od -An -tx1 -v -w1 -N12"], pty=(80, 24))
        outcome = Outcome()
        read_until(stream, outcome, lambda o: b"ready" in o.pty)
        for data in (b"exit", "\U0001f600".encode(), b"\x03", b"\xff", b"\r\n"):
            self.envd.process_rpc("SendInput", process={"pid": outcome.pid}, input={"pty": b64(data)})
        for message in stream:
            add_event(outcome, message)
        self.assertEqual(outcome.pty.split(b"ready")[1].split(),
                         b"65 78 69 74 f0 9f 98 80 03 ff 0d 0a".split())

    def test_job_control_works(self):
        stream = self.envd.start("/bin/bash", ["--norc", "--noprofile", "-i"], pty=(80, 24))
        outcome = Outcome()
        send = lambda text: self.envd.process_rpc("SendInput", process={"pid": outcome.pid}, input={"pty": b64(text)})
        read_until(stream, outcome, lambda o: b"$" in o.pty or b"#" in o.pty)
        send(b"sh -c 'echo be\"\"gan; exec sleep 50'\n")
        read_until(stream, outcome, lambda o: b"began" in o.pty)  # it has the terminal now
        send(b"\x1a")
        read_until(stream, outcome, lambda o: b"Stopped" in o.pty)
        send(b"kill %1; wait; exit 7\nexit 7\n")  # a first "exit" may only warn of the job
        for message in stream:
            add_event(outcome, message)
        self.assertEqual(outcome.event["exitCode"], 7)

    def test_a_lot_of_terminal_output_is_complete(self):
        outcome = self.envd.run("/bin/sh", ["-c", "stty -opost; seq 1 300000"], pty=(80, 24))
        self.assertEqual(outcome.pty, b"".join(b"%d\n" % i for i in range(1, 300001)))

    # --- input ---

    def test_input_keeps_its_order_and_closes(self):
        stream = self.envd.start("/bin/sh", ["-c", "cat; sleep 0.5"], stdin=True)
        outcome = Outcome()
        read_until(stream, outcome, lambda o: o.pid)
        data = [os.urandom(1000) for _ in range(50)]
        for piece in data:
            self.envd.process_rpc("SendInput", process={"pid": outcome.pid}, input={"stdin": b64(piece)})
        self.assertEqual(self.envd.process_rpc("CloseStdin", process={"pid": outcome.pid}), {})
        self.assertEqual(self.envd.process_rpc("CloseStdin", process={"pid": outcome.pid}), {})
        for message in stream:
            add_event(outcome, message)
        self.assertEqual(outcome.stdout, b"".join(data))
        self.assertEqual(outcome.event["status"], "exit status 0")

    def test_a_client_stream_of_input(self):
        stream = self.envd.start("cat", stdin=True)
        outcome = Outcome()
        read_until(stream, outcome, lambda o: o.pid)
        messages = [b'{"start":{"process":{"pid":%d}}}' % outcome.pid, b'{"keepalive":{}}',
                    b'{"data":{"input":{"stdin":"aGkK"}}}']
        connection = UnixConnection(self.envd.path)
        connection.request("POST", "/process.Process/StreamInput",
                           b"".join(struct.pack(">BI", 0, len(m)) + m for m in messages),
                           {"Content-Type": "application/connect+json"})
        self.assertEqual(connection.getresponse().read(), b"\0\0\0\0\x02{}\x02\0\0\0\x02{}")
        connection.close()
        read_until(stream, outcome, lambda o: o.stdout == b"hi\n")
        self.envd.process_rpc("SendSignal", process={"pid": outcome.pid}, signal="SIGNAL_SIGKILL")
        stream.close()

    def test_wrong_input_is_refused(self):
        pipe = self.envd.start("sleep", ["30"])
        pid = pipe.next()["event"]["start"]["pid"]
        terminal = self.envd.start("sleep", ["30"], pty=(80, 24))
        terminal_pid = terminal.next()["event"]["start"]["pid"]
        rpc = self.envd.process_rpc
        self.assertRefused("internal", rpc, "SendInput", process={"pid": pid}, input={"stdin": b64(b"x")})
        self.assertRefused("internal", rpc, "SendInput", process={"pid": pid}, input={"pty": b64(b"x")})
        self.assertRefused("internal", rpc, "SendInput", process={"pid": terminal_pid}, input={"stdin": b64(b"x")})
        self.assertRefused("unimplemented", rpc, "SendInput", process={"pid": pid})
        self.assertRefused("invalid_argument", rpc, "SendInput", process={"pid": pid}, input={"stdin": "***"})
        error = self.assertRefused("unknown", rpc, "CloseStdin", process={"pid": terminal_pid})
        self.assertIn("Ctrl+D", error.message)
        self.assertRefused("internal", rpc, "Update", process={"pid": pid}, pty={"size": {"cols": 1, "rows": 1}})
        error = self.assertRefused("not_found", rpc, "SendInput", process={"pid": 999999999}, input={"stdin": ""})
        self.assertEqual((error.status, error.message), (404, "process with pid 999999999 not found"))
        error = self.assertRefused("not_found", rpc, "SendSignal", process={"tag": "none"}, signal=9)
        self.assertEqual(error.message, "process with tag none not found")
        self.assertRefused("unimplemented", rpc, "SendSignal", signal="SIGNAL_SIGKILL")
        self.assertRefused("unimplemented", rpc, "SendSignal", process={"pid": pid}, signal=2)
        self.assertRefused("unimplemented", rpc, "SendSignal", process={"pid": pid})
        for stream, number in ((pipe, pid), (terminal, terminal_pid)):
            rpc("SendSignal", process={"pid": number}, signal="SIGNAL_SIGKILL")
            stream.close()

    # --- signals, deadlines, keepalive ---

    def test_signals_end_the_process(self):
        for name, text in (("SIGNAL_SIGKILL", "signal: killed"), ("SIGNAL_SIGTERM", "signal: terminated"),
                           (9, "signal: killed")):
            stream = self.envd.start("sleep", ["30"])
            pid = stream.next()["event"]["start"]["pid"]
            self.envd.process_rpc("SendSignal", process={"pid": pid}, signal=name)
            self.assertEqual(collect(stream).event, {"exitCode": -1, "status": text, "error": text})

    def test_a_killed_process_does_not_wait_for_its_children(self):
        stream = self.envd.start("/bin/sh", ["-c", "sleep 30 & echo $!; wait"])
        outcome = Outcome()
        read_until(stream, outcome, lambda o: b"\n" in o.stdout)
        begin = time.monotonic()
        self.envd.process_rpc("SendSignal", process={"pid": outcome.pid}, signal="SIGNAL_SIGKILL")
        for message in stream:
            add_event(outcome, message)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(outcome.event["status"], "signal: killed")
        os.kill(int(outcome.stdout), signal.SIGKILL)

    def test_killing_what_is_gone_but_for_its_children_ends_it(self):
        stream = self.envd.start("/bin/sh", ["-c", "sleep 30 & echo $!"])
        outcome = Outcome()
        read_until(stream, outcome, lambda o: b"\n" in o.stdout)
        self.assertTrue(eventually(lambda: not os.path.exists(f"/proc/{outcome.pid}")))
        self.assertIn(outcome.pid, [p["pid"] for p in self.envd.process_rpc("List")["processes"]])
        self.envd.process_rpc("SendSignal", process={"pid": outcome.pid}, signal="SIGNAL_SIGKILL")
        for message in stream:
            add_event(outcome, message)
        self.assertEqual(outcome.event, {"exited": True, "status": "exit status 0"})
        os.kill(int(outcome.stdout), signal.SIGKILL)

    def test_the_deadline_kills_the_process_and_ends_the_stream(self):
        stream = self.envd.start("sleep", ["30"], headers={"Connect-Timeout-Ms": "300"})
        outcome = collect(stream)
        self.assertStreamRefused("deadline_exceeded", outcome)
        self.assertTrue(eventually(lambda: not os.path.exists(f"/proc/{outcome.pid}")))

    def test_the_deadline_holds_after_the_viewer_has_left(self):
        stream = self.envd.start("sleep", ["30"], headers={"Connect-Timeout-Ms": "500"})
        pid = stream.next()["event"]["start"]["pid"]
        stream.close()
        self.assertTrue(os.path.exists(f"/proc/{pid}"))
        self.assertTrue(eventually(lambda: not os.path.exists(f"/proc/{pid}")))

    def test_a_quick_process_is_not_touched_by_its_deadline(self):
        self.assertEqual(self.envd.run("true", headers={"Connect-Timeout-Ms": "60000"}).event["status"],
                         "exit status 0")

    def test_keepalive_when_nothing_was_sent(self):
        stream = self.envd.start("sleep", ["30"], headers={"Keepalive-Ping-Interval": "1"})
        pid = stream.next()["event"]["start"]["pid"]
        begin = time.monotonic()
        self.assertEqual(stream.next(), {"event": {"keepalive": {}}})
        self.assertGreater(time.monotonic() - begin, 0.8)
        self.envd.process_rpc("SendSignal", process={"pid": pid}, signal=9)
        stream.close()

    def test_a_keepalive_of_zero_is_the_default(self):
        for value in ("0", "-1"):
            outcome = self.envd.shell("sleep 0.3", headers={"Keepalive-Ping-Interval": value})
            self.assertEqual(outcome.events, ["start", "end"])

    # --- List and Connect ---

    def test_list_names_what_runs(self):
        stream = self.envd.start("sleep", ["31"], tag="agent", envs={"A": "b"}, cwd="/")
        pid = stream.next()["event"]["start"]["pid"]
        listed = [p for p in self.envd.process_rpc("List")["processes"] if p["pid"] == pid]
        self.assertEqual(listed, [{"config": {"cmd": "sleep", "args": ["31"], "envs": {"A": "b"}, "cwd": "/"},
                                   "pid": pid, "tag": "agent"}])
        self.envd.process_rpc("SendSignal", process={"tag": "agent"}, signal=9)
        self.assertEqual(collect(stream).event["status"], "signal: killed")
        self.assertNotIn(pid, [p["pid"] for p in self.envd.process_rpc("List").get("processes", [])])

    def test_a_process_outlives_its_viewer_and_can_be_attached_again(self):
        stream = self.envd.start("/bin/sh", ["-c", "read x; echo got $x"], stdin=True)
        pid = stream.next()["event"]["start"]["pid"]
        stream.close()
        again = self.envd.stream("process.Process/Connect", {"process": {"pid": pid}})
        outcome = Outcome()
        read_until(again, outcome, lambda o: o.pid == pid)
        self.envd.process_rpc("SendInput", process={"pid": pid}, input={"stdin": b64(b"word\n")})
        for message in again:
            add_event(outcome, message)
        self.assertEqual(outcome.stdout, b"got word\n")
        self.assertEqual(outcome.event["status"], "exit status 0")

    def test_an_exit_is_remembered(self):
        pid = self.envd.shell("exit 9").pid
        outcome = collect(self.envd.stream("process.Process/Connect", {"process": {"pid": pid}}))
        self.assertEqual((outcome.events, outcome.event["exitCode"]), (["start", "end"], 9))
        missing = collect(self.envd.stream("process.Process/Connect", {"process": {"pid": 999999999}}))
        self.assertStreamRefused("not_found", missing)

    def test_the_deadline_of_an_attached_viewer_is_only_its_own(self):
        stream = self.envd.start("sleep", ["30"])
        pid = stream.next()["event"]["start"]["pid"]
        other = collect(self.envd.stream("process.Process/Connect", {"process": {"pid": pid}},
                                         {"Connect-Timeout-Ms": "200"}))
        self.assertStreamRefused("deadline_exceeded", other)
        self.assertTrue(os.path.exists(f"/proc/{pid}"))
        self.envd.process_rpc("SendSignal", process={"pid": pid}, signal=9)
        self.assertEqual(collect(stream).event["status"], "signal: killed")


class ViewerTest(unittest.TestCase):
    """One stuck viewer must not hold up the process or the others."""

    def setUp(self):
        self.envd = Envd(BINARY)

    def tearDown(self):
        self.envd.stop()

    @staticmethod
    def count(stream, seconds):
        end = time.monotonic() + seconds
        total = 0
        while time.monotonic() < end:
            event = stream.next()["event"]
            total += len(event.get("data", {}).get("stdout", ""))
        return total

    def test_others_go_on_and_the_stuck_one_is_told(self):
        stuck = self.envd.start("yes")
        pid = stuck.next()["event"]["start"]["pid"]
        second = self.envd.stream("process.Process/Connect", {"process": {"pid": pid}})
        self.assertGreater(self.count(second, 2), 20_000_000 / SLOWER, "the process was slowed down")
        third = self.envd.stream("process.Process/Connect", {"process": {"pid": pid}})
        begin = time.monotonic()
        self.assertEqual(third.next()["event"], {"start": {"pid": pid}})
        self.assertIn("data", third.next()["event"])
        self.assertLess(time.monotonic() - begin, 1)
        outcome = collect(stuck)
        self.assertEqual(outcome.stream_end["error"]["code"], "resource_exhausted")
        self.assertNotIn("end", outcome.events)
        third.close()
        self.assertGreater(self.count(second, 0.5), 1_000_000 / SLOWER)
        self.envd.process_rpc("SendSignal", process={"pid": pid}, signal=9)
        second.close()

    def test_a_lone_viewer_throttles_the_process_for_ten_seconds_and_then_loses_its_place(self):
        path = os.path.join(self.envd.folder, "count")
        stream = self.envd.start("/bin/sh", ["-c", f"while :; do head -c 65536 /dev/zero; echo x >> {path}; done"])
        pid = stream.next()["event"]["start"]["pid"]
        self.assertTrue(eventually(lambda: os.path.exists(path)))
        time.sleep(1)
        throttled = os.path.getsize(path)
        time.sleep(2)  # the time in which next to nothing may be written
        self.assertLess(os.path.getsize(path) - throttled, 4, "not throttled")
        self.assertTrue(eventually(lambda: os.path.getsize(path) > throttled + 100, 20), "still throttled")
        self.assertEqual(collect(stream).stream_end["error"]["code"], "resource_exhausted")
        self.envd.process_rpc("SendSignal", process={"pid": pid}, signal=9)
        self.assertTrue(eventually(lambda: not os.path.exists(f"/proc/{pid}")))
        os.unlink(path)

    def test_without_a_viewer_output_is_dropped(self):
        path = os.path.join(self.envd.folder, "done")
        stream = self.envd.start("/bin/sh", ["-c", f"head -c 50000000 /dev/zero; touch {path}"])
        stream.next()
        stream.close()
        self.assertTrue(eventually(lambda: os.path.exists(path)))
        os.unlink(path)

    def test_a_process_that_never_stops_printing_does_not_starve_the_daemon(self):
        stream = self.envd.start("yes")
        pid = stream.next()["event"]["start"]["pid"]
        stream.close()
        begin = time.monotonic()
        for _ in range(20):
            self.assertEqual(self.envd.request("GET", "/health")[0].status, 204)
        self.assertLess(time.monotonic() - begin, 5)
        self.envd.process_rpc("SendSignal", process={"pid": pid}, signal=9)

    def test_many_processes_at_once(self):
        outcomes = []
        threads = [threading.Thread(target=lambda n=n: outcomes.append(self.envd.shell(f"seq 1 1000; exit {n}")))
                   for n in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(o.event.get("exitCode", 0) for o in outcomes), list(range(40)))
        self.assertEqual({len(o.stdout) for o in outcomes}, {3893})


if __name__ == "__main__":
    unittest.main(warnings="ignore")
