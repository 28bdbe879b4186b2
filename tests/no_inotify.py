# no_inotify.py: runs a program where the kernel gives it no notifications of files.
# SPDX-License-Identifier: GPL-3.0-or-later
import subprocess
import sys

import tap

# In a user namespace of its own the limits can be lowered.
SCRIPT = ("echo 0 > /proc/sys/user/max_inotify_instances && echo 0 > /proc/sys/user/max_inotify_watches && exec \"$@\"")
ASK = "import ctypes, sys; sys.exit(ctypes.CDLL(None).inotify_init1(0) >= 0)"


def command():
    """What is to stand before the program. Skips the case where there is no such place, or where notifications come there."""
    without = ["unshare", "--user", "--map-root-user", "sh", "-c", SCRIPT, "sh"]
    if subprocess.run([*without, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        raise tap.Skip("needs the right to make a user namespace")
    if subprocess.run([*without, sys.executable, "-c", ASK], check=False).returncode:
        raise tap.Skip("notifications of files come here all the same")
    return without
