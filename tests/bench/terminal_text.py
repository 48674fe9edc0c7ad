# SPDX-License-Identifier: GPL-3.0-or-later
"""The three texts of the terminal bench, made by rule so that every run writes the same bytes."""

import random

COLUMNS, LINES = 120, 40


def _fill(line, size):
    """Lines from `line(random)` until there are `size` bytes."""
    source = random.Random(20240117)
    block = bytearray()
    while len(block) < min(size, 1 << 20):
        block += line(source)
    return bytes(block) * max(1, -(-size // len(block)))


def _plain(source):
    words = ("request", "sandbox", "started", "in", "build", "ok", "GET", "/files", "200", "template", "lease", "ended")
    length, text = source.randrange(20, 140), f"2024-01-17T10:{source.randrange(60):02}:{source.randrange(60):02}Z "
    while len(text) < length:
        text += source.choice(words) + " "
    return (text[:length] + "\r\n").encode()


def _dense(source):
    """Every cell in colours of its own, as a full-screen program redraws them."""
    row = [f"\033[{source.randrange(1, LINES + 1)};1H"]
    for _ in range(COLUMNS):
        row.append(f"\033[38;5;{source.randrange(256)};48;5;{source.randrange(256)};{source.choice((1, 3, 4))}m"
                   f"{chr(source.randrange(33, 127))}")
    return ("".join(row) + "\033[0m").encode()


def _unicode(source):
    """Wide, accented, combining and emoji cells in lines of mixed length."""
    text = ""
    for _ in range(source.randrange(10, 60)):
        kind = source.randrange(6)
        if kind < 2:
            text += chr(source.randrange(0x4E00, 0x9FA5))
        elif kind == 2:
            text += chr(source.randrange(0x430, 0x450))
        elif kind == 3:
            text += source.choice("aeiou") + source.choice("\u0301\u0308\u0302")
        elif kind == 4:
            text += chr(source.randrange(0x1F600, 0x1F640))
        else:
            text += source.choice("─│┌┐└┘├┤█▓░ éüñçø")
    return (text + "\r\n").encode()


TEXTS = {"plain": _plain, "dense": _dense, "unicode": _unicode}


def make(kind, size):
    return _fill(TEXTS[kind], size)
