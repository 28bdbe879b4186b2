# test-completions.py: bash, zsh and fish offer every option that --help lists.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import re

import installed
import tap
from installed import COMMANDS, help_of, need, options_in, run

FOLDER = os.path.join(installed.ROOT, "data", "completions")
ASK_BASH = 'source "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && "$FUNCTION" && printf "%s\\n" "${COMPREPLY[@]}"'


def bash(program, *words):
    """What bash offers for the last of WORDS."""
    need("bash")
    function = "_" + program.replace("-", "_")
    told = run("bash", "-c", ASK_BASH, os.path.join(FOLDER, program + ".bash"), program, *words,
               env=dict(os.environ, FUNCTION=function))
    return {word.rstrip("=") for word in told.split()}


def fish(program, *words):
    need("fish")
    told = run("fish", "--no-config", "-c", f"source {os.path.join(FOLDER, program)}.fish; complete -C '{' '.join([program, *words])}'")
    return {re.split(r"[\t=]", line)[0] for line in told.splitlines()}


def lines():
    """Each program and command, with the words that lead to its options."""
    for command in COMMANDS:
        yield "parklane-cli", (command,)
    yield "parklane", ()


@tap.case
def bash_offers_every_option():
    for program, command in lines():
        missing = options_in(help_of(program, *command)) - bash(program, *command, "-")
        assert not missing, f"{program} {command}: {missing}"


@tap.case
def bash_offers_commands_requests_and_values():
    assert set(COMMANDS) <= bash("parklane-cli", ""), bash("parklane-cli", "")
    assert bash("parklane-cli", "re") == {"report", "render", "record", "recover"}
    assert {"status", "rotate"} <= bash("parklane-cli", "record", "")
    assert bash("parklane-cli", "render", "--theme", "=", "d") == {"dark"}
    assert bash("parklane", "--theme", "=") == {"light", "dark", "system"}


@tap.case
def bash_offers_files():
    with_slash = os.path.join(installed.ROOT, "meson.b")
    assert bash("parklane-cli", "info", with_slash) == {os.path.join(installed.ROOT, "meson.build")}


@tap.case
def fish_offers_every_option():
    for program, command in lines():
        listed = options_in(help_of(program, *command))
        missing = {option for option in listed if option.startswith("--")} - fish(program, *command, "--")
        assert not missing, f"{program} {command}: {missing}"
    assert set(COMMANDS) <= fish("parklane-cli", "")


@tap.case
def zsh_understands_its_files_and_they_name_every_option():
    need("zsh")
    for program in ("parklane-cli", "parklane"):
        run("zsh", "-n", os.path.join(FOLDER, "_" + program))
    for program, command in lines():
        with open(os.path.join(FOLDER, "_" + program), encoding="utf-8") as file:
            text = file.read()
        if command:
            # What all commands share, and the branch of this one.
            text = text[:text.index("if ((")] + re.search(rf"^  {command[0]}\)(.*?);;", text, re.MULTILINE | re.DOTALL)[1]
        missing = [option for option in options_in(help_of(program, *command)) if not re.search(rf"[\'{{,(]{option}\b", text)]
        assert not missing, f"{program} {command}: {missing}"


tap.run("/install/completions")
