# test-manual.py: the manual pages are well formed and tell of every command and option there is.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import os
import re
import subprocess

import installed
import tap
from installed import COMMANDS, help_of, need, options_in, run

PAGES = ("parklane.1", "parklane-cli.1", "parklane-trace.5", "parklane-recorder.3")


@functools.cache
def page(name):
    """The path of a page of the build tree."""
    path = os.path.join(installed.BUILD, "data", "man", name)
    if not os.path.exists(path):
        raise tap.Skip("built without scdoc")
    return path


@functools.cache
def source(name):
    folder = "recorder" if name.endswith(".3") else os.path.join("data", "man")
    with open(os.path.join(installed.ROOT, folder, name + ".scd"), encoding="utf-8") as file:
        return file.read().replace("*", "")


def section(text, title):
    """The text of one section, with what stands for all commands."""
    common = text[text.index("# OPTIONS OF EVERY COMMAND"):text.index("# INFO")]
    start = text.index(f"# {title.upper()}\n")
    return common + text[start:text.index("\n# ", start)]


@tap.case
def pages_are_well_formed():
    need("mandoc")
    for name in PAGES:
        run("mandoc", "-T", "lint", "-W", "error", page(name))


@tap.case
def man_shows_every_page():
    need("man")
    for name in PAGES:
        shown = subprocess.run(["man", "--warnings", "-l", page(name)], capture_output=True, text=True, check=False,
                               env=dict(os.environ, MANWIDTH="100", MAN_KEEP_FORMATTING="", LC_ALL="C.UTF-8"))
        assert shown.returncode == 0 and "NAME" in shown.stdout, shown.stderr


@tap.case
def every_option_of_every_command_is_told():
    for command in COMMANDS:
        told = section(source("parklane-cli.1"), command)
        missing = [option for option in options_in(help_of("parklane-cli", command))
                   if not re.search(rf"(?<![\w-]){option}(?![\w-])", told)]
        assert not missing, f"parklane-cli {command}: {missing}"


@tap.case
def every_command_of_the_program_is_told():
    listed = re.findall(r"^  (\w+) ", help_of("parklane-cli"), re.MULTILINE)
    assert tuple(sorted(listed)) == tuple(sorted(COMMANDS)), listed


@tap.case
def every_option_of_the_window_is_told():
    missing = [option for option in options_in(help_of("parklane"))
               if not re.search(rf"(?<![\w-]){option}(?![\w-])", source("parklane.1"))]
    assert not missing, missing


@tap.case
def every_setting_of_the_recorder_is_told():
    with open(os.path.join(installed.ROOT, "recorder", "config.c"), encoding="utf-8") as file:
        names = set(re.findall(r'read_\w+ \(&reader, "([A-Z_]+)"', file.read()))
    missing = [name for name in names if not re.search(rf"^{name}$", source("parklane-recorder.3"), re.MULTILINE)]
    assert names and not missing, missing


tap.run("/install/manual")
