# tree.py: the files of the source tree, for the tests that check all of them.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.realpath(os.path.join(here, "..", ".."))
BUILD = os.environ.get("PARKLANE_BUILD_DIR", os.path.join(ROOT, "build"))
sys.path.insert(0, os.path.dirname(here))


def files(*extensions, under=""):
    """Yields the paths, relative to the top, of the files with one of EXTENSIONS, or of all. What is built or hidden
    (apart from .ci) is no part of the tree."""
    for folder, folders, names in os.walk(os.path.join(ROOT, under)):
        relative = os.path.relpath(folder, ROOT)
        folders[:] = sorted(name for name in folders if not is_foreign(relative, name))
        for name in sorted(names):
            if not name.startswith(".") and (not extensions or name.endswith(extensions)):
                yield os.path.normpath(os.path.join(relative, name))


def is_foreign(parent, name):
    if name.startswith(".") and name != ".ci" or name in ("__pycache__", "target"):
        return True
    return parent == "." and (name == "build" or name.startswith("build-"))


def read(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()
