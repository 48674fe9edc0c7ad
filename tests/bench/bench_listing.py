# SPDX-License-Identifier: GPL-3.0-or-later
"""Listing 10,000 sandboxes: every page through Boxdeck's own client, against curl fetching the same pages.

The sandboxes are records of paused ones: nothing of them runs. Boxdeck reads every page into values; curl writes them to
/dev/null, and only its own time of each page counts, without its start or this script's.
"""

import datetime
import json
import os
import shutil
import subprocess
import urllib.parse

import frame

FIGURES = [frame.Figure("seconds", "s", "lower", goal=1 / 1.2)]  # at most 1.2 times curl


def multiply(host, count):
    """Makes the host's one paused sandbox into so many: the same record under other ids and start times."""
    host.stop()
    host.errors.close()
    folder = host.data / "sandboxes"
    (model,) = folder.iterdir()
    record = json.loads((model / "record.json").read_text())
    shutil.rmtree(model)
    begin = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    for number in range(count):
        one = folder / f"i{number:020d}"
        (one / "root").mkdir(parents=True)
        moment = (begin + datetime.timedelta(seconds=number // 3)).strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z"
        text = json.dumps({**record, "sandboxID": one.name, "startedAt": moment, "createdAt": moment})
        (one / "record.json").write_text(text)
    host.start()


def boxdeck(build, host, count):
    order = {"apiUrl": host.ready["apiUrl"], "sandboxUrl": host.ready["sandboxUrl"]}
    done = subprocess.run([str(build / "tests/bench_listing"), json.dumps(order)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "BOXDECK_BENCH_KEY": host.key})
    if done.returncode:
        raise RuntimeError("bench_listing: " + done.stderr)
    report = json.loads(done.stdout.strip().splitlines()[-1])
    if report["count"] != count:
        raise RuntimeError(f"{report['count']} of {count} were listed")
    return {"seconds": report["seconds"]}


def curl(host):
    total, token = 0.0, ""
    while True:
        url = f"{host.ready['apiUrl']}/v2/sandboxes?state=running%2Cpaused&limit=100"
        if token:
            url += "&nextToken=" + urllib.parse.quote(token, safe="")
        done = subprocess.run(["curl", "-sS", "--fail", "-K", "-", "-o", "/dev/null", "-w",
                               "%{time_total}\n%header{x-next-token}", url], capture_output=True, text=True, timeout=60,
                              input=f'header = "X-API-Key: {host.key}"\n')
        if done.returncode:
            raise RuntimeError("curl: " + done.stderr)
        seconds, token = done.stdout.split("\n")
        total += float(seconds)
        if not token:
            return {"seconds": total}


def run(arguments):
    import bench_host
    support, _ = bench_host.host_support(arguments.build)
    count = 500 if arguments.quick else 10_000
    host = support.Host()
    try:
        model = host.create(timeout=3600, metadata={"owner": "somebody", "purpose": "a bench"}, envVars={"A": "b"})
        if model.post("pause").status != 204:
            raise RuntimeError("the pause failed")
        multiply(host, count)
        samples = frame.interleave(lambda: boxdeck(arguments.build, host, count), lambda: curl(host), arguments.rounds)
        return [frame.evaluate("listing", f"{count} sandboxes", "curl, page by page", FIGURES, samples)]
    finally:
        host.stop()
        host.errors.close()
        shutil.rmtree(host.data)
