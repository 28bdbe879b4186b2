# test-preferences.py: preferences and what the window remembers: their files, their dialog, the desktop's wishes.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import shutil
import subprocess
import sys

import window
from window import Window, data, wait_for, xdotool

window.enter_display()
sys.path.insert(0, window.TESTS)

import tap  # noqa: E402 pylint: disable=wrong-import-position

MULTI = data("v057-multi", "trace.0.bin")


def case(function):
    """A case that needs a display, and begins without settings."""
    def run():
        reason = window.why_not()
        if reason:
            raise tap.Skip(reason)
        for path in (preferences(), state()):
            shutil.rmtree(os.path.dirname(path), ignore_errors=True)
        function()
    run.__name__ = function.__name__
    return tap.case(run)


def preferences():
    return os.path.join(os.environ["XDG_CONFIG_HOME"], "parklane", "preferences.ini")


def state():
    return os.path.join(os.environ["XDG_STATE_HOME"], "parklane", "window.ini")


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def set_threshold(opened, text):
    opened.click(opened.entry())
    opened.key("ctrl+a")
    opened.type(text)
    opened.key("Return")


@case
def settings_are_kept_without_any_daemon():
    environment = dict(os.environ, GSETTINGS_SCHEMA_DIR=os.path.join(window.BUILD, "data"),
                       DBUS_SESSION_BUS_ADDRESS="unix:path=" + os.path.join(os.environ["XDG_RUNTIME_DIR"], "none"))
    del environment["GSETTINGS_BACKEND"]
    with subprocess.Popen([window.PROGRAM, "--threshold", "40ms", MULTI], env=environment,
                          stderr=subprocess.DEVNULL) as process:
        wait_for("the threshold on file", lambda: "threshold-ns=40000000" in read(preferences()))
        process.terminate()
    with Window(MULTI, settings="file") as opened:
        wait_for("the threshold again", lambda: opened.entry().text == "40 ms")


@case
def size_of_the_window_is_no_preference():
    with Window(MULTI, settings="file") as opened:
        opened.wait_for_rows(9)
        subprocess.run([window.PROGRAM], check=True, timeout=window.DEADLINE)
        wait_for("a second window", lambda: len([node for node in opened.root.children if node.role == "frame"]) == 2)
        xdotool("windowfocus", opened.id)
        opened.key("ctrl+w")
        wait_for("the size on file", lambda: "width=" in read(state()))
    assert "width" not in read(preferences()), read(preferences())


@case
def broken_file_is_set_aside_with_a_word():
    write(preferences(), "threshold-ns=1 without a group\n")
    with Window(MULTI, settings="file") as opened:
        opened.find(None, lambda node: node.name.startswith("Some settings start afresh")
                    and preferences() + ".broken" in node.name, "a message")
        opened.wait_for_rows(9)
        set_threshold(opened, "40 ms")
        wait_for("the threshold on file", lambda: "threshold-ns=40000000" in read(preferences()))
    assert read(preferences() + ".broken") == "threshold-ns=1 without a group\n"
    with Window(MULTI, settings="file") as opened:
        wait_for("the threshold again", lambda: opened.entry().text == "40 ms")
        assert opened.look(None, lambda node: "start afresh" in node.name) is None


@case
def what_is_valid_beside_a_broken_value_is_kept():
    write(preferences(), "[settings]\nthreshold-ns=40000000\ntheme='pink'\nmemory-budget=many\nof-later=1\n")
    with Window(MULTI, settings="file") as opened:
        message = opened.find(None, lambda node: node.name.startswith("Some settings start afresh"), "a message").name
        assert "theme" in message and "memory-budget" in message and "threshold" not in message, message
        wait_for("the threshold", lambda: opened.entry().text == "40 ms")
    text = read(preferences())
    assert "pink" not in text and "of-later=1" in text, text


tap.run("/ui/preferences")
