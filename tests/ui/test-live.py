# test-live.py: the real window on a session that is being recorded.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import os
import re
import signal
import subprocess
import tempfile

import window
from window import BUILD, Window, wait_for

window.enter_display()

import no_inotify  # noqa: E402 pylint: disable=wrong-import-position
import tap  # noqa: E402 pylint: disable=wrong-import-position

DEMO = os.path.join(BUILD, "recorder", "demo", "parklane-demo")


def case(function):
    """A case that needs a display."""
    @functools.wraps(function)
    def run():
        with tempfile.TemporaryDirectory(prefix="parklane-live-") as scratch:
            function(os.path.join(scratch, "session"))
    return window.case(run)


class Demo:
    """A demo that records into a folder, as a context: it is ended at the end."""

    def __init__(self, folder, *arguments, seconds=600, **settings):
        self.folder, self.process = folder, None
        self.arguments = ["--output", folder, "--seconds", str(seconds), "--rate", "2000", *arguments]
        # What tests are told by variables is no setting of a recorder.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PARKLANE_")}
        self.environment.update(settings)

    def __enter__(self):
        os.makedirs(self.folder, exist_ok=True)
        self.process = subprocess.Popen([DEMO, *self.arguments], env=self.environment, stdout=subprocess.DEVNULL)
        wait_for("a segment", lambda: any(name.endswith(".active") for name in os.listdir(self.folder)))
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.wait()


def summary(opened):
    found = opened.look("label", lambda node: " events" in node.name and " workers · " in node.name)
    return found.name if found else ""


def n_events(opened):
    words = summary(opened).split(" · ")
    return int(words[3].split(" events")[0].replace(" ", "")) if len(words) == 4 else 0


def n_long_polls(status):
    """How many the status bar tells: “view 10 s · 12 of 24 long polls in view”."""
    found = re.search(r" of (\d[\d ]*) long ", status.name)
    return int(found[1].replace(" ", "")) if found else 0


def rows_of(table):
    """The rows are the last child of a table, behind its header."""
    return [row for part in table.children[-1:] for row in part.children]


def rows_with(table, state):
    """The names of the rows in this state."""
    return [row.name for row in rows_of(table) if row.has(state)]


def is_followed(opened):
    import pyatspi  # pylint: disable=import-outside-toplevel

    # Newer GTK calls it what it is.
    button = next((node for node in opened.root.walk() if node.role in ("push button", "toggle button") and node.name == "Follow"), None)
    states = button.accessible.getState() if button is not None else None
    return states is not None and (states.contains(pyatspi.STATE_PRESSED) or states.contains(pyatspi.STATE_CHECKED))


def wait_for_growth(opened):
    before = n_events(opened)
    wait_for("more events", lambda: n_events(opened) > before)


@case
def view_sticks_to_the_end_lets_go_and_comes_back(folder):
    with Demo(folder), Window(folder) as opened:
        opened.wait_for_lanes(4)
        wait_for("a recording", lambda: "being recorded" in summary(opened))
        wait_for("a view that follows", lambda: is_followed(opened))
        before = opened.timeline().description
        wait_for("a view that moves", lambda: opened.timeline().description != before)

        opened.key("w", "a")
        wait_for("a view that has let go", lambda: not is_followed(opened))
        wait_for_growth(opened)
        before = opened.timeline().description
        wait_for_growth(opened)
        assert opened.timeline().description == before, (before, opened.timeline().description)

        opened.key("End")
        wait_for("a view that follows again", lambda: is_followed(opened))
        wait_for("a view that moves", lambda: opened.timeline().description != before)


@case
def h27_session_grows_on_screen_without_notifications(folder):
    if os.geteuid() != 0:
        raise tap.Skip("the bus knows another user in a user namespace")
    with Demo(folder) as demo, Window(folder, through=no_inotify.command()) as opened:
        opened.wait_for_lanes(4)
        wait_for_growth(opened)
        wait_for("the verdict", lambda: opened.look(None, lambda node: node.name.startswith("Recording status: Recording")))
        demo.process.kill()
        wait_for("another verdict", lambda: opened.look(None, lambda node: node.name.startswith("Recording status: Killed")))


@case
def open_poll_is_listed_while_it_holds_its_worker(folder):
    # It begins after a tenth of the run.
    with Demo(folder, "--hog", seconds=60), Window("--threshold", "300ms", folder) as opened:
        opened.wait_for_lanes(4)
        first = wait_for("the open poll", lambda: [row for row in opened.rows() if "at least" in row])[0]
        assert "over the threshold" in first, first
        wait_for("a longer one", lambda: [row for row in opened.rows() if "at least" in row and row != first])


@case
def h38_row_keeps_selection_and_focus_while_rows_come(folder):
    # Three a second, whose rows come above and below those that are there.
    long_polls = [argument for i in range(1024) for argument in ("--long-poll", f"{2000 + i * 97 % 256 * 40}us")]
    with Demo(folder, *long_polls, seconds=340), Window("--threshold", "2ms", folder) as opened:
        table = opened.find("tree table", lambda node: node.name == "Long polls")
        status = opened.find("label", lambda node: node.name.endswith(" in view") and " of " in node.name)
        wait_for("a full table", lambda: n_long_polls(status) >= 15)
        wait_for("rows", lambda: len(rows_of(table)) >= 15)
        opened.click(table)
        row, = wait_for("a row with the focus", lambda: rows_with(table, "focused"))
        wanted = n_long_polls(status) + 40
        while (before := n_long_polls(status)) < wanted:
            assert (found := rows_with(table, "focused")) in ([], [row]), (row, found)
            wait_for("more rows", lambda: n_long_polls(status) > before)
        wait_for("the row with the focus", lambda: rows_with(table, "focused") == [row])
        assert (found := rows_with(table, "selected")) == [row], (row, found)


@case
def folder_that_is_not_there_is_waited_for(folder):
    with Window(folder) as opened:
        opened.label("Waiting for a recording")
        opened.label_with("is not there yet")
        with Demo(folder):
            opened.wait_for_lanes(4)
            wait_for("a recording", lambda: "being recorded" in summary(opened))
            assert not opened.has_label("Waiting for a recording")


@case
def folder_of_which_nothing_can_be_read_is_followed_too(folder):
    os.mkdir(folder)
    with open(os.path.join(folder, "old.0.bin"), "w", encoding="ascii") as file:
        file.write("This is no trace.")
    with Window(folder) as opened:
        opened.label("Nothing of it could be read.")
        with Demo(folder):
            opened.wait_for_lanes(4)
            wait_for("a recording", lambda: "being recorded" in summary(opened))


@case
def folder_that_goes_and_comes_back_stays_in_view(folder):
    with Demo(folder) as demo, Window(folder) as opened:
        opened.wait_for_lanes(4)
        wait_for("a recording", lambda: "being recorded" in summary(opened))
        # It would make another folder at once.
        demo.process.send_signal(signal.SIGSTOP)
        os.rename(folder, folder + ".away")
        wait_for("a folder that is gone", lambda: "its folder is gone" in summary(opened))
        opened.wait_for_lanes(4)
        os.rename(folder + ".away", folder)
        demo.process.send_signal(signal.SIGCONT)
        wait_for("a recording", lambda: "being recorded" in summary(opened))
        wait_for_growth(opened)


@case
def damage_that_appears_is_told_with_its_place(folder):
    with Demo(folder) as demo, Window(folder) as opened:
        opened.wait_for_lanes(4)
        wait_for("a recording", lambda: "being recorded" in summary(opened))
        demo.process.send_signal(signal.SIGSTOP)
        path = os.path.join(folder, next(name for name in os.listdir(folder) if name.endswith(".active")))
        with open(path, "ab") as file:
            # It may have been stopped within a frame, whose end these bytes then are.
            file.write(b"\xee" * 4096)
        message = opened.find(None, lambda node: ": at byte " in node.name, "where the damage is")
        assert os.path.basename(path) in message.name, message.name
        opened.label_with("What comes before the fault is shown")


@case
def sealing_compressing_and_evicting_leave_what_was_seen(folder):
    with Demo(folder, PARKLANE_MAX_FILE_SIZE="65536", PARKLANE_ROTATION_COUNT="4"), Window(folder) as opened:
        opened.wait_for_lanes(4)
        wait_for("the first segment sealed and gone", lambda: not any(".0.bin" in name for name in os.listdir(folder)))
        seen = n_events(opened)
        for _ in range(5):
            wait_for_growth(opened)
            assert n_events(opened) > seen
            seen = n_events(opened)


tap.run("/ui/live")
