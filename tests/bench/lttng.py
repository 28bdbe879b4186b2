# lttng.py: an LTTng session that a program's tracepoints go to while it is measured.
# SPDX-License-Identifier: GPL-3.0-or-later
import contextlib
import os
import shutil
import signal
import subprocess
import time

SECONDS = 30


class Missing(Exception):
    """Says why there is no session."""


def call(environment, *words):
    """Whether the command line of LTTng did it."""
    try:
        return subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, timeout=SECONDS, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def control(environment, *words):
    # Otherwise it starts a daemon that nobody stops.
    return call(environment, "lttng", "--no-sessiond", *words)


def stop_daemon(pid_file):
    with contextlib.suppress(OSError, ValueError):
        with open(pid_file, encoding="ascii") as content:
            pid = int(content.read())
        os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + SECONDS
        while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
            time.sleep(0.05)


@contextlib.contextmanager
def session(folder, provider):
    """Records all tracepoints of PROVIDER into FOLDER; yields the environment of a program that begins with them enabled.
    A daemon that runs already is used and left alone: root's is one for the whole machine."""
    if shutil.which("lttng") is None or shutil.which("lttng-sessiond") is None:
        raise Missing("lttng-tools are not installed")
    # Where those who are not root have their daemon; the program waits for it before main().
    environment = {**os.environ, "LTTNG_HOME": folder, "LTTNG_UST_REGISTER_TIMEOUT": str(SECONDS * 1000)}
    pid_file = os.path.join(folder, "sessiond.pid")
    name = f"parklane-bench-{os.getpid()}"
    with contextlib.ExitStack() as stack:
        if not control(environment, "list"):
            stack.callback(stop_daemon, pid_file)
            if not call(environment, "lttng-sessiond", "--daemonize", f"--pidfile={pid_file}"):
                raise Missing("lttng-sessiond does not start")
        if not control(environment, "create", name, f"--output={folder}/lttng"):
            raise Missing("no session can be created")
        stack.callback(control, environment, "destroy", name)
        if not (control(environment, "enable-channel", "-u", "-s", name, "--subbuf-size=4M", "--num-subbuf=8", "bench")
                and control(environment, "enable-event", "-u", "-s", name, "-c", "bench", f"{provider}:*")
                and control(environment, "start", name)):
            raise Missing("the session cannot be started")
        yield environment
