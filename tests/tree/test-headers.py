# test-headers.py: every header compiles alone, in any order, with the flags of its own folder.
# SPDX-License-Identifier: GPL-3.0-or-later
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess

import tree
import tap


def flags_by_folder():
    """Returns, per source folder, a compile command of a file there without its input and output.

    A file may be compiled for another folder too, such as a fuzz target's, which has flags for that file alone."""
    with open(os.path.join(tree.BUILD, "compile_commands.json"), encoding="utf-8") as commands:
        entries = json.load(commands)
    flags = {}
    for entry in entries:
        source = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
        if not entry["output"].startswith(os.path.relpath(os.path.dirname(source), tree.ROOT) + os.sep):
            continue
        words = shlex.split(entry["command"])
        # Everything from -MD on names this file's outputs and its input.
        flags.setdefault(os.path.dirname(source), (entry["directory"], words[: words.index("-MD")]))
    return flags


def compile_alone(path, flags):
    """Returns the compiler's complaint about a header, or an empty string."""
    directory, command = flags[os.path.dirname(os.path.join(tree.ROOT, path))]
    command = command + ["-Werror", "-fdiagnostics-color=never", "-fsyntax-only", "-x", "c", "-"]
    source = f'#include "{os.path.join(tree.ROOT, path)}"\ntypedef int not_empty;\n'
    result = subprocess.run(command, cwd=directory, input=source, capture_output=True, text=True, check=False)
    return result.stderr if result.returncode != 0 else ""


@tap.case
def every_header_compiles_alone():
    flags = flags_by_folder()
    headers = [path for path in tree.files(".h") if os.path.dirname(os.path.join(tree.ROOT, path)) in flags]
    assert headers, "no header has a built neighbour"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for text in pool.map(lambda path: compile_alone(path, flags), headers) if text]
    assert not complaints, "\n".join(complaints)


@tap.case
def every_header_has_an_include_guard():
    # A tracepoint provider is read several times on purpose: its guard is "#if !defined(…) || …".
    guards = (b"#pragma once", b"#ifndef", b"#if !defined(")
    bare = [path for path in tree.files(".h") if not any(guard in tree.read(path) for guard in guards)]
    assert not bare, bare


@tap.case
def public_recorder_header_is_also_cplusplus():
    compiler = shutil.which("c++")
    if compiler is None:
        raise tap.Skip("no C++ compiler here")
    source = f'#include "{os.path.join(tree.ROOT, "recorder", "parklane-recorder.h")}"\n'
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


tap.run("/tree/headers")
