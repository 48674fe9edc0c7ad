# SPDX-License-Identifier: GPL-3.0-or-later
"""boxdeck-host itself: starting a sandbox, one large file each way, and many streams at once.

All clients are the same on both sides, so that what differs is the server.
"""

import os
import pathlib
import selectors
import statistics
import subprocess
import sys
import time

import bench_transfer
import frame
import nginx

ROOT = pathlib.Path(__file__).resolve().parents[2]
STREAMS = 50

SPAWN = frame.Figure("p50", "s", "lower")
OVER = frame.Figure("over bwrap", "ms", "lower", goal=40, alone=True)
RATE = frame.Figure("MB/s", "10^6 bytes per second", "higher", goal=0.9)
SHARE = frame.Figure("least share", "of the median stream", "higher", goal=0.5, alone=True)
SILENCE = frame.Figure("longest silence", "s", "lower", goal=1, alone=True)
TOTAL = frame.Figure("total", "10^6 bytes per second", "higher", alone=True)


def host_support(build):
    """The clients of the host's tests, on this build."""
    os.environ["BOXDECK_BIN"] = str(build / "bin")
    sys.path.insert(0, str(ROOT / "tests/host"))
    import control_support
    import control_viewers
    return control_support, control_viewers


def bare_command(support, host, sandbox):
    """What bubblewrap was called with for a sandbox, to run /usr/bin/true instead of the daemon.

    The host's helper maps a range of ids before it and stages two mounts; here bubblewrap makes its own namespace of one
    id, and finds the same root at its real place.
    """
    words = next(text for pid in support.descendants(host.process.pid)
                 for text in [pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]]
                 if "--hostname" in text and sandbox.id in text and "bwrap" in text[0])
    root = str(host.data / "sandboxes" / sandbox.id / "root")
    bare, skip = [], 0
    for at, word in enumerate(words):
        if skip:
            skip -= 1
        elif word in ("--cap-add", "--info-fd"):
            skip = 1
        elif word == "--":
            break
        elif at > 1 and words[at - 1] == "--bind" and words[at + 1] == "/":
            bare.append(root)
        elif words[at + 1] == "/.boxdeck/envd":
            bare.append("/usr/bin/true")
        else:
            bare.append(word)
    if "--unshare-user" not in bare:
        bare[1:1] = ["--unshare-user", "--uid", "1000", "--gid", "1000"]
    return [*bare, "--", "/usr/bin/true"]


def spawns(support, arguments):
    times = 5 if arguments.quick else 20
    host = support.Host()
    try:
        model = host.create(timeout=3600)
        command = bare_command(support, host, model)

        def ours():
            took = []
            for _ in range(times):
                begin = time.perf_counter()
                sandbox = host.create(timeout=600)
                code, _, _ = sandbox.run("true")
                took.append(time.perf_counter() - begin)
                if code != 0:
                    raise RuntimeError("the command failed")
                host.api("DELETE", "/sandboxes/" + sandbox.id)
            return {"p50": statistics.median(took)}

        def bare():
            took = []
            for _ in range(times):
                begin = time.perf_counter()
                subprocess.run(command, check=True)
                took.append(time.perf_counter() - begin)
            return {"p50": statistics.median(took)}

        samples = frame.interleave(ours, bare, arguments.rounds)
        for mine, theirs in zip(samples["ours"], samples["peer"]):
            mine["over bwrap"] = 1000 * (mine["p50"] - theirs["p50"])
        return [frame.evaluate("host", "create to first exec", "bare bwrap", [SPAWN, OVER], samples)]
    finally:
        host.close()


def curl(size, *arguments, headers=()):
    # Headers come on standard input: a token has no place in an argument list.
    config = "".join(f'header = "{name}: {value}"\n' for name, value in headers)
    done = subprocess.run(["curl", "-sS", "--fail", "-K", "-", "-o", "/dev/null", "-w", "%{time_total}", "-H", "Expect:", *arguments],
                          input=config, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError("curl: " + done.stderr)
    return {"MB/s": size / float(done.stdout) / 1e6}


def transfers(support, arguments):
    size = (64 if arguments.quick else 1024) << 20
    results = []
    host = support.Host()
    try:
        folder = host.data / "bench"  # the same disk as the sandboxes'
        folder.mkdir()
        source = folder / "big.bin"
        bench_transfer.make_file(source, size)
        sandbox = host.create(timeout=3600)
        ours = f"http://{host.address[0]}:{host.address[1]}/files?path=big.bin&username=user"
        headers = list(sandbox.headers({"Content-Type": "application/octet-stream"}).items())
        with nginx.pair(folder) as (root, store, front):
            def put_ours():
                sandbox.run("rm -f big.bin")
                return curl(size, "-X", "POST", "-T", str(source), ours, headers=headers)

            def put_nginx():
                (root / "big.bin").unlink(missing_ok=True)
                return curl(size, "-T", str(source), store + "/big.bin")

            samples = frame.interleave(put_ours, put_nginx, arguments.rounds)
            results.append(frame.evaluate("host", f"PUT {size >> 20} MiB", "nginx (DAV)", [RATE], samples))
            put_ours()
            put_nginx()
            samples = frame.interleave(lambda: curl(size, ours, headers=headers), lambda: curl(size, front + "/big.bin"),
                                       arguments.rounds)
            results.append(frame.evaluate("host", f"GET {size >> 20} MiB", "nginx behind nginx", [RATE], samples))
        return results
    finally:
        host.close()


def streams(support, viewers, arguments):
    seconds = 2 if arguments.quick else 5
    host = support.Host()
    try:
        sandbox = host.create(timeout=3600)

        def ours():
            opened = [viewers.Viewer(sandbox, "Start", viewers.start("exec yes")) for _ in range(STREAMS)]
            selector = selectors.DefaultSelector()
            last = {}
            for one in opened:
                one.take()
                one.socket.setblocking(False)
                selector.register(one.socket, selectors.EVENT_READ, one)
                one.total = 0
            begin = time.monotonic()
            last = dict.fromkeys(opened, begin)
            longest = 0.0
            while time.monotonic() < begin + seconds:
                for key, _ in selector.select(0.1):
                    key.data.take()
                    now = time.monotonic()
                    longest = max(longest, now - last[key.data])
                    last[key.data] = now
            now = time.monotonic()
            longest = max([longest, *(now - at for at in last.values())])
            selector.close()
            for one in opened:
                one.close()
            sandbox.run("pkill -9 yes")
            totals = [one.total for one in opened]
            return {"least share": min(totals) / statistics.median(totals), "longest silence": longest,
                    "total": sum(totals) / (now - begin) / 1e6}

        samples = frame.interleave(ours, None, arguments.rounds)
        return [frame.evaluate("host", f"{STREAMS} streams at once", "", [SHARE, SILENCE, TOTAL], samples)]
    finally:
        host.close()


def run(arguments):
    support, viewers = host_support(arguments.build)
    return spawns(support, arguments) + transfers(support, arguments) + streams(support, viewers, arguments)
