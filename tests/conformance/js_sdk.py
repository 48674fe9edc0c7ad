# SPDX-License-Identifier: GPL-3.0-or-later
"""The official JavaScript SDK against a real boxdeck-host.

Installs the pinned SDK with npm under the build folder and runs js_sdk.mjs there.
usage: js_sdk.py FOLDER VERSION (BOXDECK_BIN names the folder of the programs)
"""

import os
import pathlib
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "host"))

from control_support import Host


def prepare(folder, version):
    sdk = "e2b@" + version
    home = pathlib.Path(folder)
    stamp = home / "installed"
    if not stamp.exists() or stamp.read_text() != sdk:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        (home / "package.json").write_text('{"private": true, "type": "module"}')
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", sdk], cwd=home,
                       check=True)
        stamp.write_text(sdk)
    shutil.copy(here / "js_sdk.mjs", home)
    return home


def main():
    home = prepare(*sys.argv[1:3])
    host = Host()
    try:
        environment = {**os.environ, "E2B_API_URL": host.ready["apiUrl"], "E2B_SANDBOX_URL": host.ready["sandboxUrl"],
                       "E2B_API_KEY": host.key}
        environment.pop("E2B_DEBUG", None)
        return subprocess.run(["node", "--test", "--test-reporter=spec", "js_sdk.mjs"], cwd=home, env=environment,
                              timeout=240).returncode
    finally:
        host.close()


if __name__ == "__main__":
    sys.exit(main())
