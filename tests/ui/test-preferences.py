# test-preferences.py: preferences and what the window remembers: their files, their dialog, the desktop's wishes.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import os
import shutil
import signal
import subprocess
import sys

import window
from window import Window, data, wait_for, xdotool

window.enter_display()

import tap  # noqa: E402 pylint: disable=wrong-import-position

MULTI = data("v057-multi", "trace.0.bin")


def case(function):
    """A case that needs a display, and begins without settings."""
    @functools.wraps(function)
    def run():
        for path in (preferences(), state()):
            shutil.rmtree(os.path.dirname(path), ignore_errors=True)
        function()
    return window.case(run)


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


def dialog(opened):
    return wait_for("the preferences", lambda: next((window.Node(node.accessible) for node in opened.root.children
                                                     if node.role == "frame" and node.name == "Preferences"), None))


def control(opened, name):
    def look():
        return next((node for node in dialog(opened).walk() if node.name == name and node.role != "label"), None)
    return wait_for(f"the control “{name}”", look)


@case
def preferences_open_by_key_and_count_at_once():
    with Window(MULTI, settings="file") as opened:
        import pyatspi  # pylint: disable=import-outside-toplevel

        opened.wait_for_rows(9)
        opened.key("ctrl+comma")
        control(opened, "Follow by default").press()
        wait_for("the switch on file", lambda: "follow-by-default=false" in read(preferences()))
        for name in ("Threshold", "Memory budget (MiB)", "Colours", "Palette", "Notify of stalls", "Notify of long polls",
                     "Editor command", "Source folder"):
            relations = [relation.getRelationType() for relation in control(opened, name).accessible.getRelationSet()]
            assert pyatspi.RELATION_DESCRIBED_BY in relations, (name, relations)


@case
def threshold_that_is_none_is_marked_in_the_preferences():
    write(preferences(), "[settings]\nthreshold-ns=40000000\n")
    with Window(MULTI, settings="file") as opened:
        opened.wait_for_rows(2)
        opened.key("ctrl+comma")
        wait_for("the threshold", lambda: control(opened, "Threshold").text == "40 ms")
        child = opened.ask("xdotool", "search", "--all", "--onlyvisible", "--pid", str(opened.process.pid), "--name",
                           "^Preferences$")
        xdotool("windowfocus", child)
        wait_for("the focus", lambda: opened.ask("xdotool", "getwindowfocus") == child)
        opened.key("ctrl+a")
        opened.type("soon")
        opened.key("Return")
        opened.find("label", lambda node: "“soon” is no duration" in node.name, "the reason")
        assert "threshold-ns=40000000" in read(preferences())
        opened.key("ctrl+a")
        opened.type("5 ms")
        opened.key("Return")
        wait_for("the threshold on file", lambda: "threshold-ns=5000000" in read(preferences()))


@case
def editor_gets_the_place_as_one_argument_without_a_shell():
    told = os.path.join(os.environ["XDG_RUNTIME_DIR"], "told")
    editor = os.path.join(os.environ["XDG_RUNTIME_DIR"], "editor")
    write(editor, f'#!/bin/sh\nprintf "%s|" "$#" "$@" >{told}.part\nmv {told}.part {told}\n')
    os.chmod(editor, 0o755)
    write(preferences(), f"[settings]\neditor-command='{editor} %f %l,%c'\nsource-folder='/src'\n")
    with Window(MULTI, settings="file") as opened:
        opened.wait_for_rows(9)
        opened.key("n")
        opened.button("Open in the Editor").press()
        wait_for("the editor", lambda: read(told))
    assert read(told) == "2|/workloads.rs|90,29|", read(told)


@case
def without_an_editor_nothing_is_offered():
    with Window(MULTI, settings="file") as opened:
        opened.wait_for_rows(9)
        opened.key("n")
        opened.label("Spawned at")
        assert opened.look("push button", lambda node: node.name == "Open in the Editor" and node.extents()[2] > 0) is None


class Portal:
    """The settings portal of a desktop, as a context: what is written into its file counts at once."""

    def __enter__(self):
        self.file = os.path.join(os.environ["XDG_RUNTIME_DIR"], "scheme")
        write(self.file, "0 0")
        self.process = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(__file__), "portal.py"), self.file],
                                        stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"
        return self

    def say(self, scheme, contrast):
        write(self.file, f"{scheme} {contrast}")
        self.process.send_signal(signal.SIGUSR1)

    def __exit__(self, *exception):
        self.process.terminate()
        self.process.communicate()


def brightness(opened):
    return sum(opened.pixel(1300, 880)) / 3


@case
def desktop_chooses_the_colours_and_changes_them():
    with Portal() as portal, Window(MULTI, settings="file") as opened:
        opened.wait_for_rows(9)
        wait_for("a light window", lambda: brightness(opened) > 200)
        portal.say(1, 0)
        wait_for("a dark window", lambda: brightness(opened) < 80)
        portal.say(1, 1)
        wait_for("a black window", lambda: brightness(opened) == 0)
        portal.say(2, 0)
        wait_for("a light window", lambda: brightness(opened) > 200)


@case
def own_choice_comes_before_the_desktops():
    write(preferences(), "[settings]\ntheme='light'\npalette='high-contrast'\n")
    with Portal() as portal, Window(MULTI, settings="file") as opened:
        opened.wait_for_rows(9)
        portal.say(1, 0)
        wait_for("a white window", lambda: brightness(opened) == 255)


tap.run("/ui/preferences")
