# SPDX-License-Identifier: GPL-3.0-or-later
"""The official JavaScript SDK against a real boxdeck-host.

Installs the pinned SDK with npm under the build folder and runs the .mjs files beside this one there.
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
from npm_package import install


def main():
    folder, version = sys.argv[1:3]
    home = install(folder, "e2b@" + version)
    scripts = sorted(here.glob("js_*.mjs"))
    for script in scripts:
        shutil.copy(script, home)
    host = Host()
    try:
        environment = {**os.environ, "E2B_API_URL": host.ready["apiUrl"], "E2B_SANDBOX_URL": host.ready["sandboxUrl"],
                       "E2B_API_KEY": host.key}
        environment.pop("E2B_DEBUG", None)
        return subprocess.run(["node", "--test", "--test-reporter=spec", *(script.name for script in scripts)], cwd=home,
                              env=environment, timeout=240).returncode
    finally:
        host.close()


if __name__ == "__main__":
    sys.exit(main())
