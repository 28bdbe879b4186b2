# installed.py: installs a build tree into a folder, for the tests of what is installed.
# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import re
import shutil
import subprocess
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TESTS)
BUILD = os.environ.get("PARKLANE_BUILD_DIR", os.path.join(ROOT, "build"))
DATA = os.environ.get("PARKLANE_TEST_DATA", os.path.join(TESTS, "data"))
SHARED = os.environ.get("PARKLANE_TEST_SHARED", "")
sys.path.insert(0, TESTS)

import tap  # noqa: E402 pylint: disable=wrong-import-position


def need(*tools):
    """Skips the case where one of TOOLS is not there."""
    for tool in tools:
        if shutil.which(tool) is None:
            raise tap.Skip(f"{tool} is not installed")


def run(*command, **options):
    """Returns what COMMAND printed; it has to succeed."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    assert result.returncode == 0, f"{' '.join(command)}: status {result.returncode}\n{result.stdout}"
    return result.stdout


def options_of(build):
    """The options of a build tree, by name."""
    return {option["name"]: option["value"] for option in json.loads(run("meson", "introspect", "--buildoptions", build))}


def install(build, folder):
    """Installs with DESTDIR. Returns the folder that stands for the prefix."""
    need("meson", "ninja")
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", env=dict(os.environ, DESTDIR=folder))
    return folder + options_of(build)["prefix"]


def files_below(folder):
    """The paths of all files in a folder, relative to it, sorted."""
    return sorted(os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names)


def traces():
    """The recorded files that there are, those of the project and, where they are, those beside it."""
    found = []
    for folder in (DATA, os.path.join(SHARED, "traces")):
        found += [os.path.join(folder, path) for path in files_below(folder) if ".bin" in os.path.basename(path)]
    return found


def program(name):
    """A program of the build tree."""
    path = os.path.join(BUILD, "viewer", "ui" if name == "parklane" else "cli", name)
    if not os.path.exists(path):
        raise tap.Skip(f"built without {name}")
    return path


COMMANDS = ("info", "report", "watch", "render", "record", "recover")


def help_of(name, *command):
    """What --help says, in English."""
    words = [program(name), *command, "--help"]
    if name == "parklane":
        need("Xvfb", "dbus-run-session")
        words.insert(0, os.path.join(ROOT, "tools", "with-display"))
    return run(*words, env=dict(os.environ, LC_ALL="C.UTF-8", G_DEBUG=""))


def options_in(text):
    """The options that a help lists: long ones, and short ones where they have one."""
    found = set()
    for short, long in re.findall(r"^ +(?:(-\w), )?(--[\w-]+)", text, re.MULTILINE):
        found |= {short, long} - {""}
    assert "--help" in found, text
    return found
