# test-translations.py: every word a person reads can be translated, numbers follow the language, JSON does not.
# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import re
import subprocess

import installed
import tap
import translations
from installed import COMMANDS, need, program, run

TRACE = os.path.join(installed.DATA, "v057-multi", "trace.0.bin")
# GLib's own words in a help, which come from GLib's translations, and what an operator types.
FOREIGN = {"Usage", "Help", "Options", "Show", "help", "options", "Application", "OPTION", "parklane"}


@tap.case
def list_of_files_with_words_is_complete_and_sorted():
    expected, told = translations.with_words(), translations.listed("POTFILES")
    assert expected, "no file at all"
    assert told == expected, f"missing: {sorted(set(expected) - set(told))}, gone: {sorted(set(told) - set(expected))}"


@tap.case
def no_sentence_is_torn_by_a_macro():
    torn = []
    for path in translations.with_words():
        if path.endswith(".c"):
            with open(os.path.join(installed.ROOT, path), encoding="utf-8") as file:
                torn += [path for text in re.findall(r"(?<!\w)(?:_|ngettext) ?\([^;]*?\)", file.read())
                         if re.search(r"G_G(U?INT64|S?SIZE)_FORMAT", text)]
    assert not torn, f"xgettext does not know GLib's macros, PRIu64 it does: {torn}"


@tap.case
def every_language_is_listed_and_well_formed():
    need("msgfmt")
    languages = translations.listed("LINGUAS")
    files = sorted(name[:-3] for name in os.listdir(os.path.join(installed.ROOT, "po")) if name.endswith(".po"))
    assert sorted(languages) == languages == files, (languages, files)
    for language in languages:
        run("msgfmt", "--check", "--output=/dev/null", os.path.join(installed.ROOT, "po", language + ".po"))


@tap.case
def arguments_of_every_sentence_can_change_places():
    need("msgfmt")
    # msgfmt takes a directive such as %2$s only where all of a sentence are named: none may be "*".
    with open(translations.template(), encoding="utf-8") as file:
        starred = [line for line in file if line.startswith("msgid") and re.search(r"%[-0-9]*\*", line)]
    assert not starred, starred


@tap.case
def numbers_have_the_comma_of_the_language():
    told = run(program("parklane-cli"), "report", "--threshold", "12,2ms", TRACE, env=translations.environment("de_DE"))
    assert "90,1 ms" in told and "90.1" not in told, told
    assert run(program("parklane-cli"), "report", "--threshold", "12.2ms", TRACE, env=translations.environment("de_DE")) == told


@tap.case
def json_is_the_same_in_every_language():
    for command in (("info",), ("report",)):
        words = [program("parklane-cli"), *command, "--json", TRACE]
        plain = run(*words, env=dict(os.environ, LC_ALL="C.UTF-8"))
        json.loads(plain)
        assert run(*words, env=translations.environment("de_DE")) == plain, command
        prefix = translations.pseudo_tree()
        words[0] = os.path.join(prefix, "bin", "parklane-cli")
        assert run(*words, env=translations.pseudo_environment()) == plain, command


def untranslated(text):
    """The plain words of a text that is said in the pseudo-language."""
    text = re.sub(r"--?[a-z][\w-]*(=\S+)?", " ", text)  # options, and what stands for their values
    return set(re.findall(r"[A-Za-z]{3,}", text)) - FOREIGN - set(COMMANDS)


@tap.case
def command_line_says_everything_in_the_language():
    command_line = os.path.join(translations.pseudo_tree(), "bin", "parklane-cli")
    environment = translations.pseudo_environment()
    for command in COMMANDS:
        plain = untranslated(run(command_line, command, "--help", env=environment))
        assert not plain - {"cli", "status", "pause", "resume", "rotate", "stop", "start"}, f"{command} --help: {plain}"
    plain = untranslated(run(command_line, "--help", env=environment))
    assert not plain - {"cli"}, f"--help: {plain}"


@tap.case
def errors_are_said_in_the_language():
    command_line = os.path.join(translations.pseudo_tree(), "bin", "parklane-cli")
    for words in (("info", __file__), ("info", "/nowhere"), ("report", "--threshold", "7", TRACE)):
        result = subprocess.run([command_line, *words], env=translations.pseudo_environment(), capture_output=True, text=True,
                                check=False)
        assert result.returncode != 0, words
        said = result.stderr.replace(__file__, "").replace("/nowhere", "")
        # The system's own reason has the system's own translation.
        plain = untranslated(said.replace(os.strerror(2), "")) - {"cli", "TRC"}
        assert not plain, f"{words}: {said}"


tap.run("/install/translations")
