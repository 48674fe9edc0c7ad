# SPDX-License-Identifier: GPL-3.0-or-later
"""What installing from any registry has in common: once for all tests that use the same folder, whole or not at all."""

import contextlib
import fcntl
import pathlib


@contextlib.contextmanager
def alone(home):
    """Keeps other tests from installing into `home` at the same time."""
    lock = pathlib.Path(str(home) + ".lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    with open(lock, "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def fresh(home, package):
    """Gives whether `package` has to be installed into `home`; after a body without an error it counts as installed."""
    stamp = home / "installed"
    stale = not stamp.exists() or stamp.read_text() != package
    yield stale
    stamp.write_text(package)
