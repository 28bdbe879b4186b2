# test-verdicts.py: what the window says of a session's writer, with real writers.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import shutil
import signal
import subprocess
import tempfile
import threading

import window
from window import Window, case, data, wait_for

window.enter_display()

import tap  # noqa: E402 pylint: disable=wrong-import-position

DEMO = os.path.join(window.BUILD, "recorder", "demo", "parklane-demo")
CLI = os.path.join(window.BUILD, "viewer", "cli", "parklane-cli")
CHIP = "Recording status: "


class Session:
    """A directory that is recorded into, as a context: its writer is ended at the end."""

    def __init__(self):
        self.scratch = tempfile.mkdtemp(prefix="parklane-verdicts-")
        self.dir = os.path.join(self.scratch, "session")
        self.writer = None
        self.beside = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for writer in filter(None, (self.writer, self.beside)):
            writer.send_signal(signal.SIGCONT)
            writer.kill()
            writer.wait()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def record(self, *options, **environment):
        self.writer = subprocess.Popen([DEMO, "--output", self.dir, "--seconds", "1000", "--rate", "2000", *options],
                                       env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("a segment", lambda: os.path.isdir(self.dir) and any(n.endswith(".active") for n in os.listdir(self.dir)))

    def record_beside(self, prefix):
        """Another service that records to the same directory."""
        self.beside = subprocess.Popen([DEMO, "--output", self.dir, "--prefix", prefix, "--seconds", "1000", "--rate", "200"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self.beside


class Growth:
    """A segment that grows as one of dial9 does, until it is told to stop."""

    def __init__(self, directory):
        os.mkdir(directory)
        with open(data("v057-multi", "trace.0.bin"), "rb") as file:
            self.bytes = file.read()
        self.file = open(os.path.join(directory, "trace.0.bin.active"), "wb", buffering=0)
        self.file.write(self.bytes[:300000])
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.grow, daemon=True)
        self.thread.start()

    def grow(self):
        at = 300000
        while not self.stopped.wait(0.5):
            self.file.write(self.bytes[at:at + 753])
            at += 753


def chip(opened):
    return opened.look(None, lambda node: node.name.startswith(CHIP))


def expect(opened, verdict):
    """Waits until the chip says VERDICT, and returns it."""
    return wait_for(f"the verdict “{verdict}”, not “{chip(opened) and chip(opened).name}”",
                    lambda: (found := chip(opened)) and found.name.startswith(CHIP + verdict) and found)


def bar(opened):
    """What the bar says, or None while it is hidden."""
    close = opened.look("push button", lambda node: node.name == "Hide until the next stall")
    if close is None or close.extents()[2] == 0:
        return None
    return [node.name for node in opened.root.walk() if node.name.startswith(("Stalled: ", "Killed: "))]


@case
def file_has_no_verdict():
    with Window(data("v057-multi", "trace.0.bin")) as opened:
        opened.wait_for_lanes(3)
        assert chip(opened) is None


@case
def directory_of_sealed_segments_is_finished():
    with Session() as session:
        os.mkdir(session.dir)
        shutil.copy(data("v057-multi", "trace.0.bin"), session.dir)
        with Window(session.dir) as opened:
            found = expect(opened, "Finished")
            assert "sealed" in found.description, found.description
            assert bar(opened) is None


@case
def writer_that_stops_and_goes_on_is_told():
    with Session() as session, Window(session.dir) as opened:
        assert "does not exist yet" in expect(opened, "Not known yet").description
        session.record()
        expect(opened, "Recording")
        session.writer.send_signal(signal.SIGSTOP)
        found = expect(opened, "Stalled: process stopped")
        assert "heartbeat" in found.description and "stopped (state T)" in found.description, found.description
        wait_for("a bar", lambda: bar(opened))
        opened.label_with("kill -CONT")
        opened.button("Hide until the next stall").press()
        wait_for("no bar", lambda: bar(opened) is None)
        session.writer.send_signal(signal.SIGCONT)
        expect(opened, "Recording")
        session.writer.send_signal(signal.SIGSTOP)
        expect(opened, "Stalled: process stopped")
        wait_for("a bar again", lambda: bar(opened))
        session.writer.send_signal(signal.SIGCONT)
        expect(opened, "Recording")
        wait_for("no bar", lambda: bar(opened) is None)
        session.writer.terminate()
        session.writer.wait()
        expect(opened, "Finished")


@case
def plateau_and_kill_are_told():
    with Session() as session:
        session.record(PARKLANE_MAX_FILE_SIZE="100000", PARKLANE_ROTATION_COUNT="3")
        with Window(session.dir) as opened:
            expect(opened, "At plateau")
            strip = opened.find(None, lambda node: node.name == "Disk usage" and node.description, "the disk usage")
            wait_for("usage and budget", lambda: "At plateau" in strip.description
                     and " of 300.0 kB" in strip.description.replace("\u00a0", " "))
            session.writer.kill()
            session.writer.wait()
            found = expect(opened, "Killed: process gone")
            assert "10 ms" in found.description, found.description
            wait_for("a bar", lambda: bar(opened))
            opened.label_with("no longer recorded")


@case
def silence_is_quiet_before_it_is_a_stall():
    with Session() as session:
        growth = Growth(session.dir)
        with Window(session.dir) as opened:
            expect(opened, "Recording")
            growth.stopped.set()
            found = expect(opened, "Quiet")
            assert "will be judged" in found.description, found.description
            assert bar(opened) is None
            expect(opened, "Stalled: paused or dead")


@case
def pause_is_told_and_left():
    with Session() as session:
        session.record(PARKLANE_CONTROL="1")
        with Window(session.dir) as opened:
            opened.wait_for_lanes(4)
            expect(opened, "Recording, since")
            subprocess.run([CLI, "record", "pause", session.dir], check=True, stdout=subprocess.DEVNULL)
            expect(opened, "Recording: paused")
            opened.label("Paused")
            opened.label_with("recording is paused")
            subprocess.run([CLI, "record", "resume", session.dir], check=True, stdout=subprocess.DEVNULL)
            expect(opened, "Recording, since")
            opened.label_with("being recorded")


@case
def session_that_never_recorded_is_told():
    with Session() as session:
        os.mkdir(session.dir)
        with open(data("v057-multi", "trace.0.bin"), "rb") as file:
            opening = file.read(65)
        with open(os.path.join(session.dir, "trace.0.bin.active"), "wb") as file:
            file.write(opening)
        with Window(session.dir) as opened:
            expect(opened, "Not known yet: never started")
            opened.label("Never started")


@case
def directory_that_is_taken_away_is_told():
    with Session() as session:
        session.record()
        with Window(session.dir) as opened:
            expect(opened, "Recording")
            os.rename(session.dir, session.dir + ".away")
            with open(session.dir, "w", encoding="utf-8"):
                pass
            found = expect(opened, "Stalled: directory removed")
            assert "removed while it was written to" in found.description, found.description
            os.unlink(session.dir)
            expect(opened, "Recording")


@case
def worst_of_several_sessions_is_shown_by_name():
    with Session() as session:
        session.record("--prefix", "api")
        beside = session.record_beside("db")
        with Window(session.dir) as opened:
            expect(opened, "Recording – ")
            beside.send_signal(signal.SIGSTOP)
            found = expect(opened, "Stalled: process stopped – db")
            wait_for("the other session", lambda: "Recording – api, since" in found.description)
            wait_for("a bar", lambda: bar(opened))
            assert any(" – db" in text for text in bar(opened)), bar(opened)
            beside.send_signal(signal.SIGCONT)
            expect(opened, "Recording – ")
            wait_for("no bar", lambda: bar(opened) is None)
            beside.terminate()
            beside.wait()
            expect(opened, "Recording – api")


@case
def verdict_is_read_by_keyboard_alone():
    with Session() as session:
        session.record("--long-poll", "5ms")
        with Window(session.dir) as opened:
            expect(opened, "Recording")
            # As many as there are things to reach, whatever is in the table.
            for _ in range(40):
                opened.key("Tab")
                found = opened.focused()
                if found and found.name.startswith(CHIP):
                    break
            assert found and found.name.startswith(CHIP + "Recording"), found and found.name
            assert "are written each second" in found.description, found.description
            opened.key("space")
            opened.label_with("are written each second")
            opened.key("Escape")
            wait_for("the chip with the focus", lambda: (again := opened.focused()) and again.name.startswith(CHIP))


tap.run("/ui/verdicts")
