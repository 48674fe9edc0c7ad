# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes one picture for the README: pictures.py BUILD FOLDER NAME      (inside tests/support/desktop_session.sh)"""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import pyatspi
from desktop_driver import Program, text_of, until

HOME = pathlib.Path(os.environ["HOME"])


class Stage:
    """The app on its screen."""

    def __init__(self, build, arguments=(), environment=None):
        self.app = Program([build / "bin/boxdeck", "--data-dir", HOME / "boxdeck", *arguments], log=sys.stderr,
                           environment={**os.environ, **(environment or {})})

    def shoot(self, path):
        """Saves what is on the screen where the main window is, with whatever lies over it."""
        subprocess.run(["xdotool", "mousemove", "1439", "899"], check=True)
        time.sleep(1.5)  # the last animation and the cursor's blink
        frame = next(n for n in self.app.root if n.getRoleName() == "frame")
        box = frame.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        subprocess.run(["import", "-silent", "-window", "root", "-crop", f"{box.width}x{box.height}+{box.x}+{box.y}",
                        "+repage", "-strip", "-define", "png:compression-level=9", str(path)], check=True)
        print(f"saved {path}", flush=True)

    def create(self, name, metadata=(), minutes=None):
        app = self.app
        app.press("push button", "New sandbox…", within=app.find("tool bar", "Main toolbar"))
        dialog = app.find("dialog", "New sandbox")
        app.set_text(name, "text", "Name", within=dialog)
        if minutes:
            spin = app.find("spin button", "Time to live", within=dialog)
            spin.queryValue().currentValue = minutes
        for key, value in metadata:
            app.set_text(key, "text", "Key, row 1", within=dialog)
            app.set_text(value, "text", "Value, row 1", within=dialog)
        app.press("push button", "Create sandbox", within=dialog)
        app.find("table cell", name, patience=60)
        app.find("terminal", patience=60)

    def shell(self, *lines):
        """Types command lines into the terminal in front and waits for each to be done."""
        terminal = self.app.find("terminal", patience=60)
        until("a prompt", lambda: re.search(r"\$ *$", text_of(terminal).rstrip("\n")), 60)
        self.app.focus(terminal)
        for line in lines:
            self.app.type(line + "\n")
            until(f"{line} to be done", lambda: re.search(r"\$ *$", text_of(terminal).rstrip("\n")), 60)


@contextlib.contextmanager
def other_host(build):
    """A boxdeck-host that the app did not start, as a server somewhere would be."""
    host = subprocess.Popen([build / "bin/boxdeck-host", "--listen", "127.0.0.1:0", "--data", HOME / "server"],
                            stdout=subprocess.PIPE)
    try:
        yield host, json.loads(host.stdout.readline())
    finally:
        host.kill()
        host.wait()


PROJECT = (
    "mkdir -p src tests data && printf 'def answer():\\n    return 42\\n' > src/answer.py && "
    "printf 'from answer import answer\\n\\ndef test_answer():\\n    assert answer() == 42\\n' > tests/test_answer.py && "
    "printf '# Answers\\n' > README.md && head -c 3500000 /dev/urandom > data/sample.bin && ln -s src/answer.py answer.py; clear",
    "ls -l --color",
    "python3 -c \"print('the answer is', 6 * 7)\" && df -h / | tail -1 | cut -c1-60",
)


def work(stage):
    stage.create("nightly build", [("owner", "ci")], 45)
    stage.create("fix flaky test", [("owner", "ana")], 90)
    app = stage.app
    app.click(app.find("table cell", "nightly build"))
    app.press("push button", "Pause", within=app.find("tool bar", "Sandbox commands"))
    app.find("table cell", "Paused", patience=60)
    stage.create("api worker", [("owner", "ana")], 120)
    stage.shell(*PROJECT)
    app.find("table cell", "README.md", patience=60)


def first_run(build, out):
    stage = Stage(build)
    stage.app.find("label", re.compile("0 running"), patience=60)
    stage.shoot(out)
    return stage


def empty(build, out):
    with other_host(build) as (_, ready):
        stage = Stage(build, ["--connect", ready["apiUrl"], "--sandbox-url", ready["sandboxUrl"]],
                      {"E2B_API_KEY": ready["apiKey"]})
        stage.app.find("label", re.compile("0 running"), patience=60)
        stage.shoot(out)
        return stage


def work_light(build, out):
    stage = Stage(build)
    work(stage)
    stage.shoot(out)
    return stage


def work_dark(build, out):
    stage = Stage(build)
    stage.app.press("menu item", "Dark")
    work(stage)
    stage.shoot(out)
    return stage


def work_chinese(build, out):
    stage = Stage(build)
    work(stage)
    stage.app.end()
    # The sandboxes run on; the same folder in another language finds them again.
    stage = Stage(build, ["--lang", "zh_CN"])
    stage.app.click(stage.app.find("table cell", "api worker", patience=90), times=2)
    stage.app.find("table cell", "README.md", patience=60)
    stage.app.find("terminal", patience=60)
    stage.shell("clear", "ls -l --color")
    stage.shoot(out)
    return stage


def metrics(build, out):
    stage = Stage(build)
    work(stage)
    stage.shell("timeout 25 sh -c 'while :; do :; done'", "head -c 200M /dev/zero > data/blob; sleep 12")
    stage.app.press("page tab", "Metrics")
    stage.app.find(name="Memory", patience=60)
    stage.shoot(out)
    return stage


def transfer(build, out):
    large = HOME / "measurements.tar"
    with open(large, "wb") as file:
        file.truncate(6 << 30)
    stage = Stage(build)
    stage.create("api worker", [("owner", "ana")], 120)
    stage.shell(*PROJECT[:1])
    app = stage.app
    app.find("table cell", "README.md", patience=60)
    app.press("push button", "Upload files…")
    dialog = app.find("dialog", re.compile("Upload files"))
    app.set_text(str(large), "text", re.compile("File name"), within=dialog)
    app.press("push button", "Upload", within=dialog)
    app.find("table cell", re.compile("measurements"), patience=60)
    stage.shoot(out)
    return stage


def host_killed(build, out):
    with other_host(build) as (host, ready):
        stage = Stage(build, ["--connect", ready["apiUrl"], "--sandbox-url", ready["sandboxUrl"]],
                      {"E2B_API_KEY": ready["apiKey"]})
        stage.app.find("label", re.compile("0 running"), patience=60)
        stage.create("api worker", [("owner", "ana")], 120)
        stage.shell(*PROJECT)
        host.kill()
        time.sleep(8)  # a poll must have failed
        stage.shoot(out)
        return stage


def wrong_key(build, out):
    with other_host(build) as (_, ready):
        stage = Stage(build)
        app = stage.app
        app.find("label", re.compile("0 running"), patience=60)
        app.press("push button", "Add account…")
        dialog = app.find("dialog", "Add account")
        app.press("radio button", "Own server", within=dialog)
        app.set_text("Staging", "text", "Account name", within=dialog)
        app.set_text(ready["apiUrl"], "text", "Server address", within=dialog)
        key = app.find("password text", "API key", within=dialog)
        key.queryEditableText().setTextContents("e2b_" + "0" * 40)
        app.press("push button", "Test the connection", within=dialog)
        time.sleep(3)  # all steps of the test
        stage.shoot(out)
        return stage


SCENES = {"first-run": first_run, "empty": empty, "work": work_light, "work-dark": work_dark, "metrics": metrics,
          "work-chinese": work_chinese, "transfer": transfer, "host-killed": host_killed, "wrong-key": wrong_key}


def main(build, folder, name):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    stage = SCENES[name](pathlib.Path(build), folder / f"{name}.png")
    stage.app.process.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
