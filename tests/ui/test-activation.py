# test-activation.py: the window as a service of the session bus: started by it, one process, a window per trace.
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bus starts the program by the file that is installed, with the program's place in the build tree put in."""

import os
import re
import subprocess

import window
from window import Window, case, data, wait_for

window.enter_display()

import tap  # noqa: E402 pylint: disable=wrong-import-position

NAME = "org.parklane.Parklane"
MULTI = data("v057-multi", "trace.0.bin")


def call(dest, path, method, *arguments):
    command = ["gdbus", "call", "--session", "--timeout", str(int(window.DEADLINE)), "--dest", dest, "--object-path", path,
               "--method", method, *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def call_bus(method, *arguments):
    return call("org.freedesktop.DBus", "/org/freedesktop/DBus", f"org.freedesktop.DBus.{method}", *arguments)


def call_program(method, *arguments):
    return call(NAME, "/org/parklane/Parklane", f"org.freedesktop.Application.{method}", *arguments)


def uri(path):
    return "file://" + path


def names():
    return call_bus("ListNames")


class Service(Window):
    """The installed service file, as a context. The process is started by the first call and ended at the end."""

    def __enter__(self):
        with open(os.path.join(window.BUILD, "data", NAME + ".service"), encoding="utf-8") as file:
            text = file.read()
        text, n_replaced = re.subn(r"(?m)^Exec=\S*/parklane ",
                                   f"Exec=/usr/bin/env GSETTINGS_SCHEMA_DIR={self.schemas} GSETTINGS_BACKEND=memory "
                                   f"{window.PROGRAM} ", text)
        assert n_replaced == 1, text
        folder = os.path.join(os.environ["XDG_DATA_HOME"], "dbus-1", "services")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, NAME + ".service"), "w", encoding="utf-8") as file:
            file.write(text)
        call_bus("ReloadConfig")
        return self

    def attach(self):
        """Finds the process that the bus has started."""
        self.process = Started(int(re.search(r"uint32 (\d+)", call_bus("GetConnectionUnixProcessID", NAME)).group(1)))
        self.root = wait_for("the program on the accessibility bus", self.find_program)
        return self

    def frames(self):
        return sorted(node.name for node in self.root.children if node.role == "frame")

    def __exit__(self, *exception):
        if NAME in names():
            call(NAME, "/org/parklane/Parklane", "org.gtk.Actions.Activate", "quit", "@av []", "@a{sv} {}")
        wait_for("the end of the program", lambda: NAME not in names())


class Started:
    """A process that is not ours to wait for."""

    def __init__(self, pid):
        self.pid = pid

    def poll(self):
        return None if os.path.exists(f"/proc/{self.pid}") else 0


@case
def bus_starts_the_program_for_a_file():
    with Service() as service:
        call_program("Open", f"['{uri(MULTI)}']", "@a{sv} {}")
        service.attach()
        service.wait_for_lanes(3)
        service.label("workload-multi")


@case
def each_call_of_open_is_a_window_in_one_process():
    with Service() as service:
        call_program("Open", f"['{uri(MULTI)}']", "@a{sv} {}")
        service.attach()
        wait_for("the first window", lambda: service.frames() == ["workload-multi"])
        call_program("Open", f"['{uri(data('v057-idle'))}']", "@a{sv} {}")
        wait_for("a second window", lambda: service.frames() == ["workload-idle", "workload-multi"])
        pid = service.process.pid
        assert service.attach().process.pid == pid


@case
def files_of_one_call_are_one_session():
    with Service() as service:
        folder = data("v057-killrot")
        files = ", ".join(f"'{uri(os.path.join(folder, name))}'" for name in sorted(os.listdir(folder))
                          if ".bin" in name)
        call_program("Open", f"[{files}]", "@a{sv} {}")
        service.attach()
        service.wait_for_lanes(4)
        assert len(service.frames()) == 1, service.frames()


@case
def window_that_waits_for_a_trace_is_taken():
    with Service() as service:
        call_program("Activate", "@a{sv} {}")
        service.attach().label("Open a trace")
        call_program("Open", f"['{uri(MULTI)}']", "@a{sv} {}")
        wait_for("the trace in the only window", lambda: service.frames() == ["workload-multi"])


@case
def what_is_not_on_this_computer_says_so_in_the_window():
    with Service() as service:
        call_program("Open", "['sftp://host.invalid/trace.0.bin']", "@a{sv} {}")
        service.attach().find(None, lambda node: "is not on this computer" in node.name, "a message")


@case
def command_line_reaches_the_started_program_with_its_options():
    with Service() as service:
        call_program("Activate", "@a{sv} {}")
        service.attach().label("Open a trace")
        second = subprocess.run([window.PROGRAM, "--threshold", "12.2ms", MULTI], check=False, timeout=window.DEADLINE)
        assert second.returncode == 0
        service.wait_for_rows(3)


tap.run("/ui/activation")
