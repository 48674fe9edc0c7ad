# SPDX-License-Identifier: GPL-3.0-or-later
"""Every string that the sources show must be in every translation, translated, with its places intact."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as xml

from findings import ROOT, Finding

RULE = "translations"
FOLDER = "resources/translations"
SOURCES = ("app/boxdeck", "models", "ui", "backend")


def find_lupdate():
    for candidate in (shutil.which("lupdate6"), "/usr/lib/qt6/bin/lupdate", shutil.which("lupdate")):
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    return None


def check_file(name, text, updated):
    """Findings in one .ts file. With `updated` it was just refreshed from the sources, so new strings are in it."""
    places = re.compile(r"%L?\d|%n")
    for context in xml.fromstring(text).iter("context"):
        where = context.findtext("name")
        for message in context.iter("message"):
            source, translation = message.findtext("source") or "", message.find("translation")
            kind = translation.get("type") if translation is not None else "unfinished"
            if kind in ("vanished", "obsolete"):
                continue
            forms = [form.text or "" for form in translation.iter("numerusform")] if translation is not None else []
            texts = forms or [(translation.text or "") if translation is not None else ""]
            short = source if len(source) < 60 else source[:57] + "…"
            if kind == "unfinished" or not all(texts):
                yield Finding(RULE, name, 0, f"{where}: “{short}” is not translated"
                              + (" (new in the sources: run `./dev translations`)" if updated else ""))
            elif any(set(places.findall(source)) - {"%n"} - set(places.findall(form)) for form in texts):
                yield Finding(RULE, name, 0, f"{where}: the translation of “{short}” lost one of its places (%1 …)")


def refresh(files, into):
    """Runs lupdate over the sources into the .ts files of the folder `into`."""
    lupdate = find_lupdate()
    subprocess.run([lupdate, "-silent", "-no-obsolete", "-locations", "none", "-extensions", "cpp,h",
                    # Without our headers it can't tell which namespace a class is in, and its strings are never found.
                    "-I", str(ROOT),
                    *[str(ROOT / s) for s in SOURCES if (ROOT / s).is_dir()],
                    "-ts", *[str(pathlib.Path(into) / f) for f in files]],
                   check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def check(tree):
    names = [n for n in tree.names if n.startswith(FOLDER + "/") and n.endswith(".ts")]
    if not names:
        yield Finding(RULE, FOLDER, 0, "There are no translations.")
        return
    if find_lupdate() is None:
        yield Finding(RULE, FOLDER, 0, "lupdate is missing (package qt6-l10n-tools): cannot tell whether strings are new.")
        return
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in names:
            files.append(name.rsplit("/", 1)[-1])
            (pathlib.Path(folder) / files[-1]).write_text(tree.text(name), encoding="utf-8")
        refresh(files, folder)
        for name, file in zip(names, files):
            yield from check_file(name, (pathlib.Path(folder) / file).read_text(encoding="utf-8"), True)


if __name__ == "__main__":
    # Used by `./dev translations`: brings the new strings into the files of the work tree.
    refresh(sorted(p.name for p in (ROOT / FOLDER).glob("*.ts")), ROOT / FOLDER)
