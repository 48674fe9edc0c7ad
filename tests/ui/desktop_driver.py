# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives a desktop program the way a screen-reader user does: by role and accessible name, through AT-SPI.

Needs the system's Python with pyatspi, a screen, a session bus and an accessibility bus: run it inside
tests/support/desktop_session.sh. Knows nothing of Boxdeck's code.
"""

import re
import subprocess
import time

import pyatspi

PATIENCE = 20.0


class NotThere(AssertionError):
    """What was looked for did not come in time. Says what was there instead."""


def until(what, look, patience=PATIENCE):
    """Asks `look` again and again until it gives something true, and returns that."""
    end = time.monotonic() + patience
    while True:
        try:
            answer = look()
        except Exception as error:  # AT-SPI objects die while they are looked at; D-Bus errors come in many classes
            answer, last = None, error
        else:
            last = None
        if answer:
            return answer
        if time.monotonic() > end:
            raise NotThere(f"{what} did not come within {patience:.0f} s" + (f" (last: {last})" if last else ""))
        time.sleep(0.05)


def _matches(pattern, text):
    if pattern is None:
        return True
    return pattern.search(text) is not None if isinstance(pattern, re.Pattern) else pattern == text


class Program:
    """A running program and its accessible tree."""

    def __init__(self, command, log=None, environment=None):
        self.command = [str(c) for c in command]
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        self.root = until(f"{self.command[0]} on the accessibility bus", self._find_root)

    def _find_root(self):
        if self.process.poll() is not None:
            raise NotThere(f"{self.command[0]} ended with {self.process.returncode}")
        for application in pyatspi.Registry.getDesktop(0):
            if application and application.get_process_id() == self.process.pid:
                return application
        return None

    # ---- looking

    def nodes(self, role=None, name=None, within=None, showing=True):
        """Every node below `within` of that role and name (a string or a compiled pattern), in tree order."""
        todo = [within or self.root]
        while todo:
            node = todo.pop()
            if node is None:
                continue
            try:
                if node is not within and (role is None or node.getRoleName() == role) and _matches(name, node.name) and (
                        not showing or node.getState().contains(pyatspi.STATE_SHOWING)):
                    yield node
                # A large table answers for its cells by position; walking all of them would take for ever.
                count = min(node.childCount, 500)
                todo += [node.getChildAtIndex(i) for i in range(count - 1, -1, -1)]
            except Exception:  # gone meanwhile
                continue

    def find(self, role=None, name=None, within=None, patience=PATIENCE, showing=True):
        what = f"{role or 'anything'} called {name.pattern if isinstance(name, re.Pattern) else name!r}"
        try:
            return until(what, lambda: next(self.nodes(role, name, within, showing), None), patience)
        except NotThere as error:
            raise NotThere(f"{error}\nOn the screen:\n{self.describe()}") from None

    def gone(self, role=None, name=None, patience=PATIENCE):
        until(f"the end of {role} {name}", lambda: next(self.nodes(role, name), None) is None, patience)

    def describe(self, within=None, depth=12):
        lines = []

        def walk(node, level):
            if node is None or level > depth:
                return
            try:
                state = node.getState()
                if level == 0 or state.contains(pyatspi.STATE_SHOWING) or node.getRoleName() in ("menu item", "popup menu"):
                    off = "" if level == 0 or state.contains(pyatspi.STATE_ENABLED) else " (disabled)"
                    lines.append("  " * level + f"{node.getRoleName()} {node.name!r}{off}")
                    for index in range(min(node.childCount, 200)):
                        walk(node.getChildAtIndex(index), level + 1)
            except Exception:
                lines.append("  " * level + "(gone)")

        walk(within or self.root, 0)
        return "\n".join(lines)

    # ---- doing

    def press(self, role=None, name=None, within=None, patience=PATIENCE):
        """Presses a button, menu item or tab once it is there and enabled. A menu need not be open."""
        node = self.find(role, name, within, patience, showing=role != "menu item")
        until(f"{name!r} to be enabled", lambda: node.getState().contains(pyatspi.STATE_ENABLED), patience)
        act(node)
        return node

    def set_text(self, text, role=None, name=None, within=None):
        """Replaces the text of an entry."""
        node = self.find(role, name, within)
        editable = node.queryEditableText()
        editable.setTextContents(text)
        until(f"{name!r} to hold the text", lambda: text_of(node) == text)
        return node

    def click(self, node, button=1, times=1):
        """Points at the middle of a node and clicks. Views of Qt have no action of their own to focus or select."""
        box = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        subprocess.run(["xdotool", "mousemove", str(box.x + box.width // 2), str(box.y + box.height // 2),
                        "click", "--repeat", str(times), "--delay", "60", str(button)], check=True)

    def focus(self, node):
        node.queryComponent().grabFocus()
        until(f"{node.name!r} to have the focus", lambda: node.getState().contains(pyatspi.STATE_FOCUSED))

    def type(self, text):
        """Types at the keyboard, wherever the focus is."""
        subprocess.run(["xdotool", "type", "--delay", "5", "--", text], check=True)

    def key(self, *names):
        subprocess.run(["xdotool", "key", "--delay", "20", "--", *names], check=True)

    def end(self, patience=15):
        """Ends the program as a session manager does, and says how it ended."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise NotThere(f"{self.command[0]} did not end within {patience} s") from None


def act(node, wanted=("press", "click", "toggle", "activate", "showmenu")):
    """Does the node's own action: the first of `wanted` that it has, else its only one."""
    action = node.queryAction()
    names = [action.getName(i).lower() for i in range(action.nActions)]
    for name in wanted:
        if name in names:
            action.doAction(names.index(name))
            return
    if not names:
        raise NotThere(f"{node.getRoleName()} {node.name!r} can't be pressed")
    action.doAction(0)


def text_of(node):
    """What a screen reader reads in a text field or terminal."""
    text = node.queryText()
    return text.getText(0, text.characterCount)
