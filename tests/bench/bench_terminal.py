# SPDX-License-Identifier: GPL-3.0-or-later
"""Terminal: output on the grid, through the HTTP stream, against Alacritty on a local PTY.

Both run terminal_load.sh in a window of 120 by 40 cells on a virtual screen. The rate is bytes over the time from the
first byte written to the reply to a cursor question, so nothing counts that is not on the grid yet. Boxdeck's output comes
out of a sandbox: PTY, envd, host, HTTP stream, emulator. The CPU seconds are the terminal's own; what boxdeck-host and envd
spend besides is printed as a figure of its own.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time

import frame
import local_host
import terminal_text

FIGURES = [frame.Figure("MB/s", "10^6 bytes per second", "higher", goal=1.0),
           frame.Figure("cpu", "s", "lower", goal=1.0),
           frame.Figure("cpu of host and envd", "s", "lower")]
LIMIT = 180
SCRIPT = frame.TESTS / "bench/terminal_load.sh"
SESSION = str(frame.TESTS / "support/desktop_session.sh")


def alacritty(file, size):
    """One run of Alacritty on a local file."""
    with tempfile.TemporaryDirectory(prefix="boxdeck-bench.") as folder:
        answer, pid_file = pathlib.Path(folder) / "answer", pathlib.Path(folder) / "pid"
        program = subprocess.Popen(
            [SESSION, "--no-secret-service", "--", "sh", "-c", 'echo $$ >"$1"; shift; exec "$@"', "sh", str(pid_file),
             "env", "LIBGL_ALWAYS_SOFTWARE=1", "alacritty", "--config-file", "/dev/null",
             "-o", f"window.dimensions.columns={terminal_text.COLUMNS}",
             "-o", f"window.dimensions.lines={terminal_text.LINES}",
             "-e", str(SCRIPT), str(file), str(answer), "stay"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(pathlib.Path(f"{answer}.started"), program)
            pid = int(pid_file.read_text())
            before = local_host.cpu_seconds(pid)
            pathlib.Path(f"{answer}.go").touch()
            wait_for(answer, program)
            spent = local_host.cpu_seconds(pid) - before
            return {"MB/s": size / float(answer.read_text()), "cpu": spent}
        finally:
            program.terminate()
            program.wait()


def wait_for(path, program):
    end = time.monotonic() + LIMIT
    while not path.exists():
        if program.poll() is not None:
            raise RuntimeError(f"the terminal ended with {program.returncode}")
        if time.monotonic() > end:
            raise RuntimeError(f"{path} did not come within {LIMIT} s")
        time.sleep(0.02)


def boxdeck(build, box, kind, size):
    """One run of Boxdeck's terminal on the file that lies in the sandbox."""
    before = {pid: local_host.cpu_seconds(pid) for pid in local_host.descendants(box.host_pid)}
    order = {"apiUrl": box.api_url, "sandboxUrl": box.sandbox_url, "sandboxId": box.id,
             "columns": terminal_text.COLUMNS, "lines": terminal_text.LINES,
             "command": f"bash /home/user/load.sh /home/user/{kind} /home/user/answer; exit"}
    done = subprocess.run([SESSION, "--no-secret-service", "--", str(build / "tests/bench_terminal"), json.dumps(order)],
                          env={**os.environ, "BOXDECK_BENCH_KEY": box.api_key}, capture_output=True, text=True,
                          timeout=LIMIT)
    if done.returncode:
        raise RuntimeError("bench_terminal: " + done.stderr)
    report = json.loads(done.stdout.strip().splitlines()[-1])
    microseconds = float(box.get("/home/user/answer"))
    behind = sum(local_host.cpu_seconds(pid) - before.get(pid, 0) for pid in local_host.descendants(box.host_pid)
                 if pid in before)
    return {"MB/s": size / microseconds, "cpu": report["cpu"], "cpu of host and envd": behind}


def run(arguments):
    size = (4 if arguments.quick else 32) << 20
    results = []
    with local_host.sandbox(arguments.build) as box:
        box.put("/home/user/load.sh", SCRIPT.read_bytes())
        for kind in terminal_text.TEXTS:
            text = terminal_text.make(kind, size)
            file = box.folder / kind
            file.write_bytes(text)
            box.put(f"/home/user/{kind}", text)
            samples = frame.interleave(lambda: boxdeck(arguments.build, box, kind, len(text)),
                                       lambda: alacritty(file, len(text)), arguments.rounds)
            results.append(frame.evaluate("terminal", kind, "Alacritty", FIGURES, samples))
    return results
