#!/usr/bin/python3
# test-fuzz.py: a minute of a fuzz target, in the tree that ./run test has built with clang.
# SPDX-License-Identifier: GPL-3.0-or-later
"""usage: test-fuzz.py TOOLS-FUZZ TARGET"""

import os
import subprocess
import sys

SECONDS = 60


def main(tool, target):
    build_dir = os.environ.get("PARKLANE_FUZZ_BUILD")
    if not build_dir:
        print("1..0 # SKIP ./run test lets the fuzzer run, where clang has one and all tests are asked for")
        return 0
    done = subprocess.run([tool, build_dir, str(SECONDS), target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, encoding="utf-8", errors="replace")
    for line in done.stdout.splitlines():
        print("#", line)
    print("ok" if done.returncode == 0 else "not ok", f"1 - /fuzz/{target}/a-minute-finds-nothing")
    print("1..1")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
