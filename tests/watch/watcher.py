# watcher.py: runs parklane-cli watch beside a writer, and waits for what it says.
# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))

import tap  # noqa: E402

BUILD = os.environ["PARKLANE_BUILD_DIR"]
DEMO = os.path.join(BUILD, "recorder", "demo", "parklane-demo")
CLI = os.path.join(BUILD, "viewer", "cli", "parklane-cli")

# For a machine that is very busy; nothing takes a tenth of it.
PATIENCE_S = 150

ALARMS = {"stalled", "killed"}


class Disk:
    """A small file system of its own, at PATH within a mount namespace of its own."""

    def __init__(self, path, size):
        self.path = path
        script = f"mount -t tmpfs -o size={size},mode=0777 none {path} && echo ready && exec sleep 1000"
        self.process = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-c", script],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise tap.Skip("needs the right to mount")

    def enter(self):
        return ["nsenter", "--target", str(self.process.pid), "--mount", "--"]

    def fill(self, leave_kib):
        """Takes all but LEAVE_KIB of the space."""
        self.shell(f"cat /dev/zero > {self.path}/filler 2>/dev/null; truncate -s -{leave_kib}K {self.path}/filler")

    def shell(self, script):
        return subprocess.run([*self.enter(), "sh", "-c", script], capture_output=True, text=True, check=False)

    def close(self):
        self.process.kill()
        self.process.wait()


class Throttle:
    """Leaves a process a thousandth of a processor, as a context."""

    GROUP = f"parklane-test-{os.getpid()}"

    def __init__(self, process):
        self.process = process
        # The first and the second version of control groups.
        self.first = os.path.isfile("/sys/fs/cgroup/cpu/cgroup.procs")
        self.root = "/sys/fs/cgroup/cpu" if self.first else "/sys/fs/cgroup"
        self.path = os.path.join(self.root, self.GROUP)

    def put(self, path, name, text):
        with open(os.path.join(path, name), "w", encoding="ascii") as file:
            file.write(text)

    def __enter__(self):
        try:
            os.mkdir(self.path)
            if self.first:
                self.put(self.path, "cpu.cfs_period_us", "1000000")
                self.put(self.path, "cpu.cfs_quota_us", "1000")
            else:
                self.put(self.path, "cpu.max", "1000 1000000")
            self.put(self.path, "cgroup.procs", str(self.process.pid))
        except OSError as reason:
            self.__exit__()
            raise tap.Skip(f"needs the right to make a control group: {reason}") from None
        return self

    def __exit__(self, *unused):
        if not os.path.isdir(self.path):
            return
        try:
            self.put(self.root, "cgroup.procs", str(self.process.pid))
            os.rmdir(self.path)
        except OSError:
            pass


class Watcher:
    """A directory, its writer and a watch on it. Ends both when it is left."""

    def __init__(self, make_disk=None):
        self.scratch = tempfile.mkdtemp(prefix="parklane-watch-")
        os.chmod(self.scratch, 0o755)
        self.disk = None
        self.dir = os.path.join(self.scratch, "session")
        if make_disk:
            disk = os.path.join(self.scratch, "disk")
            os.mkdir(disk)
            self.disk = make_disk(disk)
            self.dir = os.path.join(disk, "session")
        self.writer = None
        self.others = []
        self.watch = None
        self.seen = []
        self.lines = queue.Queue()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for process in (self.writer, *self.others, self.watch):
            if process and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
            if process:
                process.wait()
        if self.disk:
            self.disk.close()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def inside(self):
        return self.disk.enter() if self.disk else []

    def demo(self, *options, environment=None, **how):
        """Records with our recorder until it is told to stop."""
        return self.write(DEMO, "--output", self.dir, "--seconds", "1000", "--rate", "200", *options,
                          environment=environment, **how)

    def demo_beside(self, prefix):
        """Another service that records to the same directory."""
        self.others.append(subprocess.Popen([*self.inside(), DEMO, "--output", self.dir, "--prefix", prefix, "--seconds", "1000",
                                             "--rate", "200"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self.others[-1]

    def write(self, *command, environment=None, **how):
        self.writer = subprocess.Popen([*self.inside(), *command], env={**os.environ, **(environment or {})},
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
        return self.writer

    def begin(self, *how, directory=None):
        """Watches, through the command HOW if it is given, the session or where else it can be seen."""
        self.watch = subprocess.Popen([*self.inside(), *how, CLI, "watch", "--json", directory or self.dir],
                                      stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.watch.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def expect(self, verdict, cause=None, prefix=None):
        """The next change to VERDICT for CAUSE, of the session PREFIX if it is given; before it, no alarm of another kind.
        Returns it."""
        while True:
            try:
                change = self.lines.get(timeout=PATIENCE_S)
            except queue.Empty:
                raise AssertionError(f"no {verdict}/{cause}, but {self.seen}") from None
            assert change is not None, f"the watch ended after {self.seen}"
            self.seen.append(change)
            if prefix and change["prefix"] != prefix:
                assert change["verdict"] not in ALARMS, f"{change} instead of {prefix}: {verdict}/{cause}"
                continue
            # At the plateau it is recorded as well.
            found = "recording" if change["verdict"] == "plateau" and verdict != "plateau" else change["verdict"]
            if (found, change["cause"]) == (verdict, cause):
                return change
            is_other_alarm = change["verdict"] in ALARMS and verdict not in ALARMS
            assert not is_other_alarm, f"{change} instead of {verdict}/{cause}"

    def once(self):
        """Exit status and JSON of watch --once."""
        status, found = self.once_each()
        assert len(found) == 1, found
        return status, found[0]

    def once_each(self, *options):
        """Exit status of watch --once, and the JSON of each session."""
        result = subprocess.run([*self.inside(), CLI, "watch", "--once", "--json", *options, self.dir], capture_output=True,
                                text=True, check=False)
        return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def codes(change):
    return [text.split(":")[0] for text in change["evidence"]]


def remount_read_only(disk):
    """A file that is open for writing keeps a file system from it: tries until the writer is between two. Whether it
    worked."""
    script = (
        "import ctypes, sys, time\n"
        "libc = ctypes.CDLL(None)\n"
        f"path = {disk.path!r}.encode()\n"
        "until = time.monotonic() + 20\n"
        "while libc.mount(b'none', path, None, 32 | 1, None) != 0:\n"
        "    if time.monotonic() > until: sys.exit(1)\n"
    )
    return subprocess.run([*disk.enter(), sys.executable, "-c", script], check=False, timeout=PATIENCE_S).returncode == 0


def sees_processes():
    """Whether this is where all processes can be seen, as the verdict on one without a lock needs it."""
    return os.geteuid() == 0 and os.readlink("/proc/self/ns/pid") == "pid:[4026531836]"

