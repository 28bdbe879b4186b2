# test-binaries.py: what the built library exports, and what library and programs need to run.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import re
import subprocess

import tree
import tap


LIBRARY = "recorder/libparklane-recorder.so"
COMMAND_LINE = "viewer/cli/parklane-cli"


def built(path):
    return os.path.join(tree.BUILD, path)


def lines_of(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return result.stdout.splitlines()


def needed_by(path):
    """Returns the libraries that a binary names itself, without their versions."""
    lines = lines_of("readelf", "--dynamic", "--wide", built(path))
    return {match[1] for line in lines if (match := re.search(r"\(NEEDED\).*\[(lib[^].]+|ld-[^].]+)", line))}


def is_sanitized(path):
    return needed_by(path) & {"libasan", "libtsan", "libubsan"}


@tap.case
def library_exports_only_its_own_names():
    if is_sanitized(LIBRARY):
        raise tap.Skip("a sanitizer adds symbols of its own")
    symbols = [line.split()[-2:] for line in lines_of("nm", "--dynamic", "--defined-only", built(LIBRARY))]
    # A: the name of the version that the others belong to.
    exported = [name for kind, name in symbols if kind != "A"]
    assert exported, "nothing is exported at all"
    foreign = [name for name in exported if not name.startswith("parklane_")]
    assert not foreign, foreign


@tap.case
def library_needs_only_libc_and_zstd():
    if is_sanitized(LIBRARY):
        raise tap.Skip("a sanitizer is linked as well")
    assert needed_by(LIBRARY) <= {"libc", "libpthread", "libzstd", "ld-linux-x86-64", "ld-linux-aarch64"}, needed_by(LIBRARY)


@tap.case
def recorder_does_not_change_the_process_it_lives_in():
    calls = {line.split()[-1].split("@")[0] for line in lines_of("nm", "--dynamic", "--undefined-only", built(LIBRARY))}
    assert calls, "calls nothing at all"
    taboo = calls & {"exit", "_exit", "abort", "signal", "setlocale", "atexit", "printf", "puts", "perror", "__printf_chk"}
    if is_sanitized(LIBRARY):
        raise tap.Skip("a sanitizer calls what it wants")
    assert not taboo, taboo


@tap.case
def command_line_needs_no_gtk():
    path = built(COMMAND_LINE)
    if not os.path.exists(path):
        raise tap.Skip("built without parklane-cli")
    loaded = [line.split()[0] for line in lines_of("ldd", path)]
    assert any(name.startswith("libglib-2.0") for name in loaded), loaded
    graphical = [name for name in loaded if name.startswith(("libgtk-", "libgdk-3", "libgdk-4"))]
    assert not graphical, graphical


tap.run("/tree/binaries")
