# SPDX-License-Identifier: GPL-3.0-or-later
"""Seconds from starting a program until its first window is on the screen, painted. Prints one number.

usage: first_window.py COMMAND [ARG ...]      (on an X screen of its own)
Looked at from outside, through libX11, so that every program is timed by the same clock and needs no hook.
"""

import ctypes
import os
import select
import subprocess
import sys
import time

SUBSTRUCTURE_NOTIFY, MAP_NOTIFY, Z_PIXMAP, ALL_PLANES = 1 << 19, 19, 2, ctypes.c_ulong(-1)
LIMIT = 60.0

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
x11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
x11.XSelectInput.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_long]
x11.XPending.argtypes = [ctypes.c_void_p]
x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
x11.XConnectionNumber.argtypes = [ctypes.c_void_p]
x11.XNextEvent.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
x11.XGetImage.restype = ctypes.c_void_p
x11.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint,
                          ctypes.c_ulong, ctypes.c_int]
x11.XGetPixel.restype = ctypes.c_ulong
x11.XGetPixel.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
x11.XDestroyImage.argtypes = [ctypes.c_void_p]
x11.XGetGeometry.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_void_p] * 7
x11.XFree.argtypes = [ctypes.c_void_p]

# A window may be gone when we ask about it; that is no reason to die.
_IGNORE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda _display, _error: 0)
x11.XSetErrorHandler(_IGNORE)


class MapEvent(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("event", ctypes.c_ulong), ("window", ctypes.c_ulong),
                ("override_redirect", ctypes.c_int), ("pad", ctypes.c_long * 24)]


def geometry(display, window):
    root, border = ctypes.c_ulong(), ctypes.c_uint()
    x, y, width, height, depth = ctypes.c_int(), ctypes.c_int(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    good = x11.XGetGeometry(display, window, *(ctypes.byref(v) for v in (root, x, y, width, height, border, depth)))
    return (x.value, y.value, width.value, height.value) if good else (0, 0, 0, 0)


def painted(display, root, area):
    """True when the window's corner and middle are no longer the bare screen, which is black."""
    x, y, width, height = area
    for dx, dy in ((8, 8), (width // 2, height // 2), (width // 2, height - 8)):
        image = x11.XGetImage(display, root, max(0, x) + dx, max(0, y) + dy, 1, 1, ALL_PLANES, Z_PIXMAP)
        if not image:
            return False
        pixel = x11.XGetPixel(image, 0, 0) & 0xFFFFFF
        x11.XDestroyImage(image)
        if pixel == 0:
            return False
    return True


def main(command):
    display = x11.XOpenDisplay(None)
    if not display:
        sys.exit("first_window.py: no display")
    root = x11.XDefaultRootWindow(display)
    x11.XSelectInput(display, root, SUBSTRUCTURE_NOTIFY)
    x11.XSync(display, 0)
    event, area = MapEvent(), None
    began = time.monotonic()
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while time.monotonic() - began < LIMIT:
            if area is None:
                select.select([x11.XConnectionNumber(display)], [], [], 0.05)
                while x11.XPending(display):
                    x11.XNextEvent(display, ctypes.byref(event))
                    if event.type == MAP_NOTIFY:
                        found = geometry(display, event.window)
                        if found[2] >= 300 and found[3] >= 200:
                            area = found
            elif painted(display, root, area):
                print(f"{time.monotonic() - began:.4f}")
                return
            else:
                time.sleep(0.001)
            if program.poll() is not None:
                sys.exit(f"first_window.py: {command[0]} ended with {program.returncode} before its window was there")
        sys.exit(f"first_window.py: no painted window within {LIMIT:.0f} s")
    finally:
        program.terminate()
        try:
            program.wait(10)
        except subprocess.TimeoutExpired:
            program.kill()
        os.sync()


if __name__ == "__main__":
    main(sys.argv[1:])
