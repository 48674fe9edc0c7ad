# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages of the npm registry, installed once into a folder of their own."""

import pathlib
import shutil
import subprocess

from installing import alone, fresh


def install(folder, package):
    """Installs `package` ("name@version") under `folder` unless it is there, and gives the folder's path."""
    home = pathlib.Path(folder)
    with alone(home), fresh(home, package) as stale:
        if stale:
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            (home / "package.json").write_text('{"private": true, "type": "module"}')
            subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", package],
                           cwd=home, check=True)
    return home
