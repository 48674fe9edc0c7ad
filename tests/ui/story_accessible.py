# SPDX-License-Identifier: GPL-3.0-or-later
"""The first story, told by accessible names alone: a newcomer who can't see the window creates a sandbox, opens it, types in
its terminal and reads the answer, finds the file in the list, and kills the sandbox again.

usage: story_accessible.py BOXDECK      (inside tests/support/desktop_session.sh)
"""

import os
import re
import sys
import time

from desktop_driver import NotThere, Program, text_of, until

NAME = "read aloud"


def cells(app, tree):
    return [node.name for node in app.nodes("table cell", within=app.find("tree", tree))]


def create(app):
    app.find("label", re.compile("0 running"), patience=60)
    app.press("push button", re.compile("^New sandbox on this computer"))
    dialog = app.find("dialog", "New sandbox")
    app.set_text(NAME, "text", "Name", within=dialog)
    app.press("push button", "Create sandbox", within=dialog)
    until("the new sandbox in the list", lambda: NAME in cells(app, "Sandboxes"), 60)
    assert "Running" in cells(app, "Sandboxes"), cells(app, "Sandboxes")


def open_it(app):
    app.click(app.find("table cell", NAME))
    app.press("push button", "Open", within=app.find("tool bar", "Sandbox commands"))


def type_and_read(app):
    terminal = app.find("terminal", patience=60)
    until("a prompt", lambda: re.search(r"[$#] *$", text_of(terminal).rstrip("\n")), 60)
    app.focus(terminal)
    app.type("echo heard-$((40 + 2))")
    app.key("Return")
    # The sum proves that a shell read it: what was typed does not hold "heard-42".
    until("the answer on the grid", lambda: "heard-42" in text_of(terminal), 60)
    app.type("touch made-by-name.txt")
    app.key("Return")
    return terminal


def see_the_file(app):
    if next(app.nodes("page tab", "Files"), None):
        app.press("page tab", "Files")
    # The list is live: nobody pressed refresh.
    until("the file in the list", lambda: "made-by-name.txt" in cells(app, "Files"), 60)


def kill(app):
    app.click(app.find("table cell", NAME))
    app.press("push button", re.compile("^Kill"), within=app.find("tool bar", "Sandbox commands"))
    question = app.find("alert", patience=10) if next(app.nodes("alert"), None) else app.find("dialog")
    app.press("push button", re.compile("^Kill"), within=question)
    until("the sandbox to leave the list", lambda: next(app.nodes("table cell", NAME), None) is None, 60)


def main(boxdeck):
    app = Program([boxdeck, "--data-dir", os.path.join(os.environ["HOME"], "boxdeck")], log=sys.stderr)
    try:
        for step in (create, open_it, type_and_read, see_the_file, kill):
            began = time.monotonic()
            step(app)
            print(f"{step.__name__}: {time.monotonic() - began:.1f} s", flush=True)
    except (NotThere, AssertionError):
        print(app.describe(), file=sys.stderr)
        raise
    finally:
        app.end()
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main(sys.argv[1])
