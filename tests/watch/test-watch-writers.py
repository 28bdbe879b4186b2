# test-watch-writers.py: the verdict on real writers, ours and dial9's, whatever happens to them.
# SPDX-License-Identifier: GPL-3.0-or-later
"""All cases are begun at once, since they wait most of the time, and looked at one after another."""
import concurrent.futures
import functools
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
sys.path.insert(0, os.path.join(os.path.dirname(here), "interop"))

import no_inotify  # noqa: E402
import peer  # noqa: E402
import tap  # noqa: E402
from watcher import BUILD, CLI, DEMO, Disk, Throttle, Watcher, codes, remount_read_only, sees_processes  # noqa: E402

NOBODY = 65534

pool = concurrent.futures.ThreadPoolExecutor(max_workers=32)
building = threading.Lock()


def begun(function):
    """A case that begins at once, in a thread."""
    future = pool.submit(function)

    @functools.wraps(function)
    def wait():
        future.result()

    return tap.case(wait)


@functools.cache
def build_service():
    try:
        return peer.build(BUILD, "dial9-service")
    except peer.Missing as reason:
        return str(reason)


def service():
    with building:
        path = build_service()
    if not os.path.isfile(path):
        raise tap.Skip(path)
    return path


def wait_for_segment(w, prefix):
    while not os.path.isdir(w.dir) or not any(name.startswith(prefix + ".") and name.endswith(".active")
                                              for name in os.listdir(w.dir)):
        time.sleep(0.01)


# ---- our recorder ----

@begun
def clean_stop_is_finished():
    with Watcher() as w:
        w.begin()
        w.demo()
        change = w.expect("recording")
        assert change["budget_bytes"] > 0, change
        w.writer.terminate()
        w.writer.wait()
        change = w.expect("finished")
        assert "lock-free" in codes(change) and "incomplete" not in codes(change), change
        assert w.once()[0] == 0


@begun
def directory_that_comes_later_is_waited_for():
    with Watcher() as w:
        w.begin()
        assert "no-directory" in codes(w.expect("unknown"))
        w.demo()
        w.expect("recording")


@begun
def h28_stopped_process_is_told_and_continues():
    with Watcher() as w:
        w.begin()
        w.demo()
        w.expect("recording")
        w.writer.send_signal(signal.SIGSTOP)
        change = w.expect("stalled", "process-stopped")
        assert {"no-heartbeat", "process-stopped", "last-segment"} <= set(codes(change)), change
        assert w.once()[0] == 3
        w.writer.send_signal(signal.SIGCONT)
        w.expect("recording")


@begun
def killed_process_is_told():
    with Watcher() as w:
        w.begin()
        w.demo()
        w.expect("recording")
        w.writer.kill()
        change = w.expect("killed", "process-gone")
        assert {"lock-free", "lost-at-most"} <= set(codes(change)), change
        status, found = w.once()
        assert status == 4, found


@begun
def restart_after_a_kill_is_recorded_again():
    with Watcher() as w:
        w.begin()
        w.demo()
        w.expect("recording")
        w.writer.kill()
        w.writer.wait()
        w.expect("killed", "process-gone")
        w.demo()
        w.expect("recording")


@begun
def pause_is_recording_and_paused():
    with Watcher() as w:
        w.begin()
        w.demo(environment={"PARKLANE_CONTROL": "1"})
        w.expect("recording")
        subprocess.run([CLI, "record", "pause", w.dir], check=True, stdout=subprocess.DEVNULL)
        assert "writer-paused" in codes(w.expect("recording", "paused"))
        assert w.once()[0] == 0
        subprocess.run([CLI, "record", "resume", w.dir], check=True, stdout=subprocess.DEVNULL)
        w.expect("recording")


@begun
def directory_removed_under_our_recorder_is_made_again():
    with Watcher() as w:
        w.begin()
        w.demo()
        before = w.expect("recording")
        shutil.rmtree(w.dir)
        while not any(name.endswith(".active") for name in (os.listdir(w.dir) if os.path.isdir(w.dir) else [])):
            time.sleep(0.01)
        w.writer.terminate()
        change = w.expect("finished")
        assert change["bytes_written"] > before["bytes_written"], (before, change)


@begun
def directory_that_cannot_be_made_again_is_told():
    with Watcher() as w:
        w.begin()
        w.demo()
        w.expect("recording")
        os.rename(w.dir, w.dir + ".away")
        with open(w.dir, "w"):
            pass
        change = w.expect("stalled", "directory-removed")
        assert "directory-removed" in codes(change), change
        os.unlink(w.dir)
        w.expect("recording")


@begun
def h28_directory_replaced_is_told():
    with Watcher() as w:
        w.begin()
        w.demo()
        w.expect("recording")
        w.writer.send_signal(signal.SIGSTOP)
        w.expect("stalled", "process-stopped")
        os.rename(w.dir, w.dir + ".away")
        os.mkdir(w.dir)
        change = w.expect("stalled", "directory-replaced")
        assert {"directory-replaced", "process-stopped"} <= set(codes(change)), change
        w.writer.send_signal(signal.SIGCONT)
        w.expect("recording")


@begun
def link_that_leads_elsewhere_is_told():
    with Watcher() as w:
        for name in "old", "new":
            os.mkdir(os.path.join(w.scratch, name))
        os.symlink("old", w.dir)
        w.begin()
        w.demo()
        w.expect("recording")
        os.symlink("new", w.dir + ".new")
        os.rename(w.dir + ".new", w.dir)
        change = w.expect("stalled", "directory-replaced")
        assert {"directory-replaced", "old-directory-elsewhere"} <= set(codes(change)), change
        assert "no-heartbeat" not in codes(change), change
        os.symlink("old", w.dir + ".new")
        os.rename(w.dir + ".new", w.dir)
        w.expect("recording")


@begun
def writer_that_gets_no_processor_is_quiet():
    with Watcher() as w:
        w.begin()
        w.demo()
        w.expect("recording")
        with Throttle(w.writer):
            change = w.expect("quiet")
            assert "process-starved" in codes(change), change
        w.expect("recording")


@begun
def h28_plateau_is_healthy():
    with Watcher() as w:
        w.begin()
        w.demo("--rate", "20000", environment={"PARKLANE_MAX_FILE_SIZE": "200000", "PARKLANE_ROTATION_COUNT": "3"})
        change = w.expect("plateau")
        assert "evicted" in codes(change), change
        assert change["disk_usage_bytes"] <= change["budget_bytes"], change


@begun
def h27_watch_needs_no_notifications():
    with Watcher() as w:
        without = no_inotify.command()
        w.begin(*without)
        w.demo()
        before = w.expect("recording")
        w.writer.send_signal(signal.SIGSTOP)
        w.expect("stalled", "process-stopped")
        w.writer.send_signal(signal.SIGCONT)
        after = w.expect("recording")
        assert after["bytes_written"] > before["bytes_written"], (before, after)
        w.writer.terminate()
        w.writer.wait()
        w.expect("finished")


@begun
def full_disk_is_told_and_left():
    with Watcher(lambda path: Disk(path, "4m")) as w:
        w.begin()
        w.demo("--rate", "2000")
        w.expect("recording")
        w.disk.fill(0)
        change = w.expect("stalled", "disk-full")
        assert "free-space" in codes(change), change
        w.disk.shell(f"rm {w.disk.path}/filler")
        w.expect("recording")


@begun
def read_only_file_system_is_told():
    with Watcher(lambda path: Disk(path, "16m")) as w:
        w.begin()
        w.demo("--rate", "100000", environment={"PARKLANE_MAX_FILE_SIZE": "100000", "PARKLANE_ROTATION_COUNT": "100",
                                               "PARKLANE_COMPRESS": "none"})
        w.expect("recording")
        if not remount_read_only(w.disk):
            raise tap.Skip("the writer's file was open at every try")
        change = w.expect("stalled", "read-only")
        assert "read-only" in codes(change), change
        w.disk.shell(f"mount -o remount,rw {w.disk.path}")
        w.expect("recording")


@begun
def read_only_mount_of_the_watch_alone_is_no_cause():
    with Watcher() as w:
        w.demo()
        view = os.path.join(w.scratch, "view")
        os.mkdir(view)
        script = f"mount --bind {w.scratch} {view} && mount -o remount,bind,ro {view} && exec \"$@\""
        if subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", "true"], check=False,
                          stderr=subprocess.DEVNULL).returncode:
            raise tap.Skip("needs the right to mount")
        w.begin("unshare", "--mount", "sh", "-c", script, "sh", directory=os.path.join(view, "session"))
        w.expect("recording")
        w.writer.kill()
        w.writer.wait()
        w.expect("killed", "process-gone")


def can_run(program, user):
    try:
        return subprocess.run([program, "--help"], stdout=subprocess.DEVNULL, user=user, check=False).returncode == 0
    except PermissionError:
        return False


@begun
def directory_without_permission_is_told():
    if os.geteuid() != 0:
        raise tap.Skip("needs to be root, to record as another user")
    if not can_run(DEMO, NOBODY):
        raise tap.Skip("the build tree is closed to other users")
    with Watcher() as w:
        os.mkdir(w.dir)
        os.chown(w.dir, NOBODY, NOBODY)
        w.begin()
        w.demo("--rate", "5000", environment={"PARKLANE_MAX_FILE_SIZE": "100000", "PARKLANE_ROTATION_COUNT": "1000"}, user=NOBODY, group=NOBODY, extra_groups=[])
        w.expect("recording")
        os.chmod(w.dir, 0o500)
        change = w.expect("stalled", "permission")
        assert "no-permission" in codes(change), change
        os.chmod(w.dir, 0o700)
        w.expect("recording")


# ---- several services in one directory ----

@begun
def each_of_two_services_has_a_verdict():
    with Watcher() as w:
        w.begin()
        w.demo("--prefix", "api")
        w.expect("recording", prefix="api")
        other = w.demo_beside("db")
        w.expect("recording", prefix="db")
        other.send_signal(signal.SIGSTOP)
        change = w.expect("stalled", "process-stopped", prefix="db")
        assert "other-sessions" not in codes(change), change
        status, found = w.once_each()
        assert status == 3 and sorted((each["prefix"], each["verdict"]) for each in found) == [
            ("api", "recording"), ("db", "stalled")], found
        status, found = w.once_each("--prefix", "api")
        assert status == 0 and [each["prefix"] for each in found] == ["api"], found
        other.send_signal(signal.SIGCONT)
        w.expect("recording", prefix="db")
        other.kill()
        other.wait()
        w.expect("killed", "process-gone", prefix="db")
        status, found = w.once_each()
        assert status == 4 and len(found) == 2, found
        w.writer.terminate()
        w.expect("finished", prefix="api")


@begun
def service_that_was_stopped_before_another_began_is_told():
    with Watcher() as w:
        w.demo("--prefix", "api")
        wait_for_segment(w, "api")
        w.writer.send_signal(signal.SIGSTOP)
        w.demo_beside("db")
        wait_for_segment(w, "db")
        w.begin()
        w.expect("stalled", "process-stopped", prefix="api")
        assert w.once_each()[0] == 3


@begun
def what_an_older_run_of_another_name_left_is_no_alarm():
    with Watcher() as w:
        w.demo("--prefix", "old")
        wait_for_segment(w, "old")
        w.writer.kill()
        w.writer.wait()
        w.demo("--prefix", "new")
        wait_for_segment(w, "new")
        status, found = w.once_each()
        assert status == 0 and [each["prefix"] for each in found] == ["new"], found
        assert "other-sessions" in codes(found[0]), found
        w.writer.terminate()
        w.writer.wait()
        status, found = w.once_each()
        assert (status, found[0]["prefix"], found[0]["verdict"]) == (0, "new", "finished"), found


# ---- dial9's recorder ----

def begin_dial9(w):
    """Watches a service that dial9 records."""
    w.begin()
    w.write(service(), w.dir)
    w.expect("recording")


@begun
def dial9_directory_removed_is_told():
    with Watcher() as w:
        begin_dial9(w)
        shutil.rmtree(w.dir)
        change = w.expect("stalled", "directory-removed")
        # It may go on for a while in the file that has no name any more.
        assert "directory-removed" in codes(change) and {"no-growth", "old-directory-grows"} & set(codes(change)), change
        print(f"# {change}")


@begun
def dial9_directory_removed_before_the_watch_is_told():
    if not sees_processes():
        raise tap.Skip("needs to see the descriptors of all processes")
    with Watcher() as w:
        begin_dial9(w)
        shutil.rmtree(w.dir)
        status, found = w.once()
        assert (status, found["verdict"], found["cause"]) == (3, "stalled", "directory-removed"), found
        os.mkdir(w.dir)
        status, found = w.once()
        assert (status, found["verdict"], found["cause"]) == (3, "stalled", "directory-replaced"), found


@begun
def dial9_killed_is_told():
    with Watcher() as w:
        begin_dial9(w)
        w.writer.kill()
        w.writer.wait()
        if sees_processes():
            change = w.expect("killed", "process-gone")
            assert "process-gone" in codes(change), change
        else:
            w.expect("stalled", "paused-or-dead")


@begun
def dial9_stopped_is_told():
    with Watcher() as w:
        begin_dial9(w)
        w.writer.send_signal(signal.SIGSTOP)
        w.expect("stalled", "process-stopped" if sees_processes() else "paused-or-dead")
        w.writer.send_signal(signal.SIGCONT)
        w.expect("recording")


@begun
def dial9_clean_stop_is_finished():
    with Watcher() as w:
        begin_dial9(w)
        w.writer.terminate()
        w.writer.wait()
        w.expect("finished")


@begun
def dial9_that_never_recorded_is_no_stall():
    with Watcher() as w:
        w.begin()
        w.write(service(), w.dir, "--disabled")
        change = w.expect("unknown", "never-started")
        assert "no-event" in codes(change), change
        assert w.once()[0] == 5


@begun
def dial9_on_a_full_disk_is_told():
    with Watcher(lambda path: Disk(path, "2m")) as w:
        begin_dial9(w)
        w.disk.fill(0)
        w.expect("stalled", "disk-full")
        # Space that is freed does not bring such a writer back: the torn end goes on telling of it.
        w.disk.shell(f"rm {w.disk.path}/filler")


tap.run("/watch/writers")
