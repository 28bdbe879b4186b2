# test-pseudo-window.py: the window in a language that is half as long again and nowhere plain: what is not translated shows.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))

import window  # noqa: E402 pylint: disable=wrong-import-position
from window import Window, data, wait_for  # noqa: E402 pylint: disable=wrong-import-position

window.enter_display()

import installed  # noqa: E402 pylint: disable=wrong-import-position
import tap  # noqa: E402 pylint: disable=wrong-import-position
import translations  # noqa: E402 pylint: disable=wrong-import-position

MULTI = data("v057-multi", "trace.0.bin")
# Names, which are the same in every language, and GTK's own words, which GTK translates.
NAMES = {"Parklane", "Tokio", "UTC", "min", "GTK"}
GTK = {"Close", "Minimize", "Maximize", "the", "window", "Restore", "More", "Cut", "Copy", "Paste", "Delete", "Select", "All", "Undo", "Redo", "Ctrl",
       "Shift", "Alt", "Home", "End", "Page", "Down", "Escape", "Return", "Space", "Insert", "Emoji", "Left", "Right"}


def case(function):
    @functools.wraps(function)
    def run():
        installed.program("parklane")
        window.PROGRAM = os.path.join(translations.pseudo_tree(), "bin", "parklane")
        before = dict(os.environ)
        os.environ.update(translations.pseudo_environment())
        try:
            function()
        finally:
            os.environ.clear()
            os.environ.update(before)
    return window.case(run)


def words_of(path):
    """The words that a trace itself has."""
    found = set(re.findall(r"[A-Za-z]{3,}", installed.run(installed.program("parklane-cli"), "info", "--json", path)))
    found |= set(re.findall(r"[A-Za-z]{3,}", installed.run(installed.program("parklane-cli"), "report", "--json", path)))
    return found | set(re.findall(r"[A-Za-z]{3,}", path))


def plain_words(opened, known):
    """What a screen reader would read out in plain English, by widget."""
    found = set()
    for node in opened.root.walk():
        for text in (node.name, node.description):
            # What has no name of its own is told by its type.
            if node.role == "application" or re.fullmatch(r"(Gtk|Pl)[A-Z]\w+", text):
                continue
            plain = set(re.findall(r"[A-Za-z]{3,}", text)) - known - NAMES - GTK
            if plain:
                found.add((node.role, text))
    return found


@case
def every_word_of_a_window_with_a_trace_is_translated():
    known = words_of(MULTI)
    with Window(MULTI) as opened:
        wait_for("the long polls", lambda: sum(node.role == "table row" for node in opened.root.walk()) >= 9)
        assert any("ṽ" in node.name or "ĺ" in node.name for node in opened.root.walk()), "not in the pseudo-language at all"
        plain = plain_words(opened, known)
        assert not plain, plain
        opened.key("n")
        wait_for("the details", lambda: any("workloads.rs" in node.name and node.role == "label" for node in opened.root.walk()))
        plain = plain_words(opened, known)
        assert not plain, plain


@case
def every_word_of_an_empty_window_is_translated():
    with Window() as opened:
        wait_for("the offer to open something", lambda: opened.look("label", lambda node: "ƥéé" in node.name))
        # The trace of the case before is among the recent ones.
        plain = plain_words(opened, words_of(MULTI))
        assert not plain, plain


@case
def every_word_of_an_error_is_translated():
    path = os.path.join(translations.SCRATCH.name, "notes.bin")
    with open(path, "wb") as file:
        file.write(b"Shopping list\n")
    with Window(path) as opened:
        wait_for("the message", lambda: opened.look(None, lambda node: "notes.bin" in node.name and "ťéé" in node.name))
        plain = plain_words(opened, words_of(MULTI) | set(re.findall("[A-Za-z]{3,}", path)) | {"TRC"})
        assert not plain, plain


def clipped(environment, *arguments):
    """The labels of a window that have no room for their words."""
    finder = os.path.join(translations.pseudo_tree(), "bin", "find-clipped")
    # Beside the programs, or it would not find the language.
    shutil.copy(os.path.join(installed.BUILD, "tests", "ui", "find-clipped"), finder)
    with tempfile.TemporaryDirectory() as home:
        environment = dict(environment, XDG_CONFIG_HOME=home, XDG_STATE_HOME=home, XDG_CACHE_HOME=home, XDG_DATA_HOME=home)
        result = subprocess.run([finder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    assert result.returncode in (0, 1), f"status {result.returncode}: {result.stderr}"
    assert bool(result.stdout) == bool(result.returncode), result.stdout
    return result.stdout.splitlines()


@case
def no_label_is_clipped():
    for name in (MULTI, os.path.dirname(MULTI)):
        # The column beside the lanes does not grow: it has room for real languages, in every font.
        found = [text for text in clipped(os.environ, name) if not text.startswith("beside the lanes: ")]
        assert not found, found
    found = clipped(os.environ)
    assert not found, found


@case
def no_label_is_clipped_in_german_and_chinese():
    for locale in ("de_DE", "zh_CN"):
        found = clipped(translations.environment(locale, LANGUAGE=""), MULTI)
        assert not found, (locale, found)


tap.run("/install/pseudo-window")
