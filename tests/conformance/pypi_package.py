# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages of PyPI, installed once into a virtual environment of their own."""

import os
import pathlib
import subprocess
import sys
import venv

from installing import alone, fresh


def install(folder, package):
    """Installs `package` ("name==version") into an environment at `folder` unless it is there, and gives its Python."""
    home = pathlib.Path(folder)
    python = home / "bin" / "python"
    with alone(home), fresh(home, package) as stale:
        if stale:
            venv.create(home, with_pip=True, clear=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package], check=True)
    return python


def enter(script):
    """Runs `script` again in an environment with the SDK: its arguments are FOLDER VERSION. Returns inside of it."""
    if "--inside" in sys.argv:
        return
    folder, version = sys.argv[1:3]
    python = install(folder, "e2b==" + version)
    os.execv(python, [str(python), script, "--inside"])
