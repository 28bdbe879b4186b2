#!/usr/bin/python3
# test-cli-interrupt.py: who waits for parklane-cli sees how far it is, and can end it at any moment.
# SPDX-License-Identifier: GPL-3.0-or-later
"""A command that is to be met at work cannot finish, since nobody takes what it writes: no case depends on how fast the
machine is."""

import fcntl
import os
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import tap

CLI = os.path.join(os.environ["PARKLANE_BUILD_DIR"], "viewer", "cli", "parklane-cli")
TRACE = os.path.join(os.environ["PARKLANE_TEST_DATA"], "v057-blockmix")

# The least that a pipe holds: every output here is larger.
PIPE_SIZE = 4096


def start_blocked(*arguments, stderr=subprocess.PIPE):
    """Starts a command that prints to a pipe, of which the first byte is taken and no other."""
    read, write = os.pipe()
    fcntl.fcntl(read, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    command = subprocess.Popen([CLI, *arguments], stdout=write, stderr=stderr, stdin=subprocess.DEVNULL)
    os.close(write)
    assert os.read(read, 1) != b""
    return command, read


def end(command, read, number):
    command.send_signal(number)
    said = command.stderr.read() if command.stderr else b""
    assert command.wait() == -number, command.returncode
    os.close(read)
    return said


@tap.case
def ctrl_c_ends_a_report_at_once_with_a_sentence():
    command, read = start_blocked("report", "--json", "--threshold", "0ns", TRACE)
    assert end(command, read, signal.SIGINT) == b"parklane-cli: interrupted\n"


def other_names():
    """Paths of nothing, each of which takes a line of the answer."""
    return ["/" + "x" * 200 + str(i) for i in range(40)]


@tap.case
def ctrl_c_ends_an_info_at_once_with_a_sentence():
    command, read = start_blocked("info", "--json", TRACE, *other_names())
    assert end(command, read, signal.SIGINT) == b"parklane-cli: interrupted\n"


@tap.case
def polite_kill_ends_without_a_word():
    command, read = start_blocked("report", "--json", "--threshold", "0ns", TRACE)
    assert end(command, read, signal.SIGTERM) == b""


@tap.case
def ignored_signal_stays_ignored():
    """As under nohup: the hang-up does nothing, and the report comes to its end."""
    read, write = os.pipe()
    fcntl.fcntl(read, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    with subprocess.Popen([CLI, "report", "--json", "--threshold", "0ns", TRACE], stdout=write, stderr=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as command:
        os.close(write)
        with os.fdopen(read, "rb") as out:
            assert out.read(1) == b"{"
            command.send_signal(signal.SIGHUP)
            assert out.read().endswith(b"}\n")
        assert command.wait() == 0


@tap.case
def terminal_shows_how_long_it_takes_until_it_is_interrupted():
    primary, secondary = os.openpty()
    command, read = start_blocked("render", "-o", "/dev/stdout", TRACE, stderr=secondary)
    os.close(secondary)
    shown = b""
    while b" s" not in shown:
        shown += os.read(primary, 1000)
    end(command, read, signal.SIGINT)
    while not shown.endswith(b"interrupted\r\n"):
        shown += os.read(primary, 1000)
    os.close(primary)
    # The line of progress is gone before anything else stands there.
    assert shown.rpartition(b"parklane-cli")[0].endswith(b"\r" + b" " * 20 + b"\r"), shown


def is_picture(path):
    with open(path, "rb") as file:
        content = file.read()
    return content.startswith(b"\x89PNG") and content.endswith(b"IEND\xaeB`\x82")


@tap.case
def interrupted_picture_leaves_nothing_behind():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.png")
        with subprocess.Popen([CLI, "render", "-o", path, "--width", "16000", "--height", "1500", TRACE],
                              stderr=subprocess.PIPE) as command:
            while command.poll() is None and not os.listdir(folder):
                pass
            command.send_signal(signal.SIGINT)
            command.wait()
        # It may have come to its end just before.
        if command.returncode == 0:
            assert os.listdir(folder) == ["out.png"] and is_picture(path)
        else:
            assert command.returncode == -signal.SIGINT
            assert os.listdir(folder) in ([], ["out.png"]), os.listdir(folder)
            assert not os.path.exists(path) or is_picture(path)


def render_within(size, path):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return subprocess.run([CLI, "render", "-o", path, TRACE], stderr=subprocess.PIPE, preexec_fn=limit, check=False,
                          encoding="utf-8")


@tap.case
def picture_that_finds_no_room_leaves_the_one_before():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.png")
        with open(path, "w", encoding="ascii") as file:
            file.write("before")
        done = render_within(4096, path)
        assert done.returncode == 1 and "was not written: File too large" in done.stderr, done
        with open(path, encoding="ascii") as file:
            assert file.read() == "before"
        assert os.listdir(folder) == ["out.png"]


@tap.case
def picture_takes_the_place_of_a_link_s_target_and_keeps_its_mode():
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "target.png")
        link = os.path.join(folder, "link.png")
        with open(target, "w", encoding="ascii"):
            os.chmod(target, 0o604)
        os.symlink("target.png", link)
        subprocess.run([CLI, "render", "-o", link, TRACE], check=True)
        assert os.path.islink(link) and is_picture(target) and os.stat(target).st_mode & 0o7777 == 0o604
        assert sorted(os.listdir(folder)) == ["link.png", "target.png"]


@tap.case
def picture_goes_into_a_full_device_with_a_sentence():
    done = subprocess.run([CLI, "render", "-o", "/dev/full", TRACE], stderr=subprocess.PIPE, check=False, encoding="utf-8")
    assert done.returncode == 1 and "/dev/full was not written: No space left on device" in done.stderr, done
    assert os.path.exists("/dev/full")


tap.run("/cli/interrupt")
