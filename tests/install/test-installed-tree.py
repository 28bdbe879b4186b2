# test-installed-tree.py: a second build installs the same files, which run from wherever their tree was moved to.
# SPDX-License-Identifier: GPL-3.0-or-later
"""One more build tree, elsewhere and deeper: first without the window, then with it. It is gone when its programs run."""

import functools
import os
import shutil
import subprocess
import tempfile

import installed
import tap
from installed import need, run

SCRATCH = tempfile.TemporaryDirectory(prefix="parklane-install-")  # pylint: disable=consider-using-with # goes with the process
BUILD = os.path.join(SCRATCH.name, "elsewhere", "and", "deeper", "tree")
SAME = ("prefix", "libdir", "buildtype", "optimization", "debug", "warning_level", "werror", "c_args", "c_link_args", "b_ndebug",
        "b_lto", "b_pie", "b_lundef")
TRACE = os.path.join(installed.DATA, "v057-multi", "trace.0.bin")


def setup(*options):
    """Configures and builds the second tree with the options of the first but for OPTIONS."""
    need("meson", "ninja")
    first = installed.options_of(installed.BUILD)
    if first["b_sanitize"] != "none" or first["fuzz"] == "enabled":
        raise tap.Skip("this kind of build is not for installing")
    if not os.path.exists(os.path.join(installed.BUILD, "viewer", "cli", "parklane-cli")):
        raise tap.Skip("built without parklane-cli")
    same = []
    for name in SAME:
        value = first[name]
        text = ",".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else value
        same.append(f"-D{name}={text}")
    how = ["--reconfigure"] if os.path.exists(BUILD) else []
    run("meson", "setup", *how, BUILD, installed.ROOT, *same, "-Dtests=false", *options)
    run("ninja", "-C", BUILD)


@functools.cache
def server():
    """The tree of a server: installed without the window."""
    setup("-Dviewer=disabled", "-Dcli=enabled")
    return installed.install(BUILD, os.path.join(SCRATCH.name, "server"))


@functools.cache
def desktop():
    """The whole tree, moved after it was installed, and its build tree gone."""
    server()
    if not os.path.exists(os.path.join(installed.BUILD, "viewer", "ui", "parklane")):
        raise tap.Skip("built without the window")
    setup("-Dviewer=enabled")
    prefix = installed.install(BUILD, os.path.join(SCRATCH.name, "packed"))
    moved = os.path.join(SCRATCH.name, "moved")
    shutil.move(prefix, moved)
    os.rename(BUILD, BUILD + "-gone")
    return moved


@tap.case
def without_the_window_recorder_and_command_line_are_installed():
    files = installed.files_below(server())
    assert "bin/parklane-cli" in files and "include/parklane-recorder.h" in files, files
    assert any("libparklane-recorder.so" in path for path in files), files
    graphical = [path for path in files if path == "bin/parklane" or path.endswith((".desktop", ".svg", ".gschema.xml"))]
    assert not graphical, graphical
    told = run(os.path.join(server(), "bin", "parklane-cli"), "info", TRACE)
    assert "workload-multi" in told or "worker" in told, told


@tap.case
def command_line_runs_from_a_moved_tree():
    told = run(os.path.join(desktop(), "bin", "parklane-cli"), "report", "--threshold", "5ms", TRACE)
    assert "90.1" in told, told


@tap.case
def window_runs_from_a_moved_tree():
    need("Xvfb", "dbus-run-session")
    with_display = os.path.join(installed.ROOT, "tools", "with-display")
    environment = {name: value for name, value in os.environ.items() if name not in ("G_DEBUG", "GSETTINGS_SCHEMA_DIR")}
    told = run(with_display, os.path.join(desktop(), "bin", "parklane"), "--version", env=environment)
    assert "parklane " in told, told
    script = '"$0" "$1" & program=$!; for i in $(seq 300); do xdotool search --onlyvisible --name . >/dev/null 2>&1 && break; ' \
             'kill -0 $program || exit 1; sleep 0.1; done; xdotool search --onlyvisible --name . >/dev/null && kill $program'
    need("xdotool")
    run(with_display, "bash", "-c", script, os.path.join(desktop(), "bin", "parklane"), TRACE, env=environment)


@tap.case
def nothing_names_the_build_tree_or_the_sources():
    places = [place.encode() for place in (BUILD, installed.BUILD, installed.ROOT, SCRATCH.name)]
    telling = []
    for path in installed.files_below(desktop()):
        with open(os.path.join(desktop(), path), "rb") as file:
            content = file.read()
        telling += [path for place in places if place in content]
    assert not telling, telling


@tap.case
def two_builds_install_the_same_bytes():
    first = installed.install(installed.BUILD, os.path.join(SCRATCH.name, "first"))
    names = installed.files_below(first)
    assert names == installed.files_below(desktop()), set(names) ^ set(installed.files_below(desktop()))
    different = [name for name in names
                 if subprocess.run(["cmp", "--silent", os.path.join(first, name), os.path.join(desktop(), name)],
                                   check=False).returncode != 0]
    assert not different, different


tap.run("/install/installed-tree")
