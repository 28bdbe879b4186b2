# test-licences.py: every file says under which licence it is, and it is the right one for its place.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import re

import tree
import tap

# What has no room for a comment: the licences themselves, pictures and recorded traces, JSON.
SILENT = (".png", ".pot", ".bin", ".gz", ".zst", ".active", ".json", ".jsonl", ".lock")
EXPECTED = {"recorder": "MIT OR Apache-2.0"}
LINE = re.compile(rb"SPDX-License-Identifier: (.+?)\s*(?:\*/|-->|$)", re.MULTILINE)


def speaking_files():
    for path in tree.files():
        if not path.split("/")[-1].startswith("LICENSE") and not path.startswith("LICENSES/") and not path.endswith(SILENT):
            yield path


def licence_of(path):
    """Returns the identifier in the first lines of a file, or None."""
    match = LINE.search(b"\n".join(tree.read(path).split(b"\n")[:8]))
    return match and match[1].decode()


@tap.case
def every_file_has_an_spdx_line():
    missing = [path for path in speaking_files() if licence_of(path) is None]
    assert not missing, f"without an SPDX line: {missing}"


@tap.case
def recorder_is_permissive_and_the_rest_is_gpl():
    wrong = {}
    for path in speaking_files():
        expected = EXPECTED.get(path.split("/")[0], "GPL-3.0-or-later")
        # The metainfo's own text has a licence of its own, as AppStream asks.
        if licence_of(path) not in (expected, None) and not path.endswith(".metainfo.xml.in"):
            wrong[path] = licence_of(path)
    assert not wrong, f"unexpected licence: {wrong}"


@tap.case
def text_of_every_licence_is_there():
    names = {word for path in speaking_files() for word in (licence_of(path) or "").split(" OR ")} - {""}
    missing = [name for name in names if not os.path.exists(os.path.join(tree.ROOT, "LICENSES", name + ".txt"))]
    assert names and not missing, f"no text in LICENSES/ for {missing}"


@tap.case
def first_line_of_c_files_says_what_they_do():
    silent = []
    for path in tree.files(".c", ".h"):
        first = tree.read(path).split(b"\n", 1)[0].decode()
        if not re.match(rf"/\* {re.escape(os.path.basename(path))}: \S", first):
            silent.append(path)
    assert not silent, f"first line is not '/* NAME: what it does': {silent}"


tap.run("/tree/licences")
