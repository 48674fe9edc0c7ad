# SPDX-License-Identifier: GPL-3.0-or-later
"""Transfers: one large file up and down, against curl on the same host and sandbox.

Boxdeck's side does what the app does: a temporary name, the check, the move. curl writes straight to the target. Times are
each program's own, without its start. The growth is the most memory beyond what was resident before the first byte.
"""

import filecmp
import json
import os
import subprocess
import urllib.request

import frame
import local_host

RATE = frame.Figure("MB/s", "10^6 bytes per second", "higher", goal=0.95)
GROWTH = frame.Figure("growth", "10^6 bytes", "lower", goal=32 * 1.048576, alone=True)
REMOTE = "/home/user/up"


def make_file(path, size):
    """Random bytes, so that nothing on the way can make them smaller."""
    block = os.urandom(64 << 20)
    with open(path, "wb") as out:
        left = size
        while left > 0:
            left -= out.write(block[:left])


def rpc(box, name, body):
    request = urllib.request.Request(f"{box.sandbox_url}/filesystem.Filesystem/{name}", data=json.dumps(body).encode(),
                                     method="POST", headers={**box.data_headers(), "Content-Type": "application/json",
                                                             "Connect-Protocol-Version": "1",
                                                             "Authorization": "Basic dXNlcjo="})
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()


def boxdeck(build, box, size, direction, local, remote):
    order = {"apiUrl": box.api_url, "sandboxUrl": box.sandbox_url, "sandboxId": box.id, "direction": direction,
             "local": str(local), "remote": remote}
    done = subprocess.run([str(build / "tests/bench_transfer"), json.dumps(order)], capture_output=True, text=True,
                          env={**os.environ, "BOXDECK_BENCH_KEY": box.api_key}, timeout=600)
    if done.returncode:
        raise RuntimeError("bench_transfer: " + done.stderr)
    report = json.loads(done.stdout.strip().splitlines()[-1])
    return {"MB/s": size / report["seconds"] / 1e6, "growth": report["growth"]}


def curl(box, size, arguments):
    # Headers come on standard input: a token has no place in an argument list.
    config = "".join(f'header = "{k}: {v}"\n' for k, v in box.data_headers().items())
    done = subprocess.run(["curl", "-sS", "--fail", "-K", "-", "-w", "%{time_total} %{http_code}", *arguments],
                          input=config, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError("curl: " + done.stderr)
    return {"MB/s": size / float(done.stdout.split()[-2]) / 1e6}


def run(arguments):
    size = (64 if arguments.quick else 1024) << 20
    results = []
    with local_host.sandbox(arguments.build) as box:
        source, target = box.folder / "big.bin", box.folder / "down"
        make_file(source, size)
        target.mkdir()
        rpc(box, "MakeDir", {"path": REMOTE})

        def fresh_remote(run_one):
            def run_fresh():
                figures = run_one()
                rpc(box, "Remove", {"path": f"{REMOTE}/big.bin"})
                return figures
            return run_fresh

        def fresh_local(run_one):
            def run_fresh():
                (target / "big.bin").unlink(missing_ok=True)
                return run_one()
            return run_fresh

        url = box.files_url(f"{REMOTE}/big.bin")
        samples = frame.interleave(
            fresh_remote(lambda: boxdeck(arguments.build, box, size, "up", source, REMOTE)),
            fresh_remote(lambda: curl(box, size, ["-o", "/dev/null", "-X", "POST", "-H",
                                                  "Content-Type: application/octet-stream", "-T", str(source), url])),
            arguments.rounds)
        results.append(frame.evaluate("transfer", f"{size >> 20} MiB up", "curl", [RATE, GROWTH], samples))

        boxdeck(arguments.build, box, size, "up", source, REMOTE)
        samples = frame.interleave(
            fresh_local(lambda: boxdeck(arguments.build, box, size, "down", target, f"{REMOTE}/big.bin")),
            fresh_local(lambda: curl(box, size, ["-o", str(target / "big.bin"), url])),
            arguments.rounds)
        results.append(frame.evaluate("transfer", f"{size >> 20} MiB down", "curl", [RATE, GROWTH], samples))
        fresh_local(lambda: boxdeck(arguments.build, box, size, "down", target, f"{REMOTE}/big.bin"))()
        if not filecmp.cmp(source, target / "big.bin", shallow=False):
            raise RuntimeError("what came back is not what was sent")
    return results
