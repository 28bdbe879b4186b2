# hotpath.py: what one recorded event costs the thread that records it, with Parklane, LTTng-UST and dial9, in one run.
# SPDX-License-Identifier: GPL-3.0-or-later
"""recorder-hotpath tells the figures, with an LTTng session around it; this adds dial9_ns: a read of dial9's clock and a call
of its record_event() with two integers, in as many rounds as there. What is missing, LTTng or cargo or the crates, leaves its
figures out, saying so."""

import argparse
import contextlib
import os
import subprocess
import sys

import lttng
import measure
from measure import note

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "interop"))
import peer  # noqa: E402

WORKSPACE = os.path.join(here, "..", "tokio")


def run_hotpath(program):
    """With LTTng where it can be had."""
    with contextlib.ExitStack() as stack:
        environment = None
        try:
            folder = stack.enter_context(measure.folder(measure.GIB))
            environment = stack.enter_context(lttng.session(folder, "parklane_bench"))
        except lttng.Missing as reason:
            note(f"lttng_ns is skipped: {reason}")
        subprocess.run([program], env=environment, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="top of the build tree")
    parser.add_argument("--hotpath", required=True, help="recorder-hotpath")
    options = parser.parse_args()
    measure.describe_machine()
    program = None
    try:
        # Before anything is measured; with what the other benchmark of these programs builds.
        programs = peer.build_programs(options.build, WORKSPACE, ["with-dial9"], "--cfg tokio_unstable", "release")
        program = os.path.join(programs, "with-dial9")
    except peer.Missing as reason:
        note(f"dial9_ns is skipped: {reason}")
    run_hotpath(options.hotpath)
    if program:
        with measure.folder(2 * measure.GIB) as folder:
            subprocess.run([program, folder, "record"], check=True)


if __name__ == "__main__":
    main()
