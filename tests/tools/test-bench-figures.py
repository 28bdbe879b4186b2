# test-bench-figures.py: ./run bench passes output on, and its last line holds every figure.
# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))

import tap

BENCH = os.path.join(here, "..", "..", "tools", "bench")


def bench(benches, *arguments):
    """Runs the collector over a dictionary name → shell script."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
        for name, script in benches.items():
            listing.write(f"{name}\tsh -c \"{script}\"\n")
        listing.flush()
        return subprocess.run([sys.executable, BENCH, listing.name, *arguments], capture_output=True, text=True, check=False)


FRAME = r"echo '# 10 events'; printf 'full_ms\t1.25\ndeep_ms\t3\n'"
DECODE = r"printf 'events_per_s\t1e6\n'; echo done"


@tap.case
def last_line_is_one_object_of_all_figures():
    result = bench({"frame": FRAME, "decode": DECODE}, "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout.splitlines()[-1]) == {
        "frame": {"full_ms": 1.25, "deep_ms": 3},
        "decode": {"events_per_s": 1e6},
    }


@tap.case
def lines_for_people_are_passed_on():
    result = bench({"frame": FRAME, "decode": DECODE})
    assert result.stdout.splitlines() == [
        "# frame", "# 10 events", "full_ms\t1.25", "deep_ms\t3", "# decode", "events_per_s\t1e6", "done",
    ]


@tap.case
def only_what_was_named_runs():
    result = bench({"frame": FRAME, "decode": DECODE}, "decode", "--json")
    assert json.loads(result.stdout.splitlines()[-1]) == {"decode": {"events_per_s": 1e6}}


@tap.case
def unknown_name_is_wrong_usage():
    result = bench({"frame": FRAME}, "fram")
    assert result.returncode == 2
    assert "fram;" in result.stderr and result.stdout == ""


@tap.case
def failing_benchmark_is_a_failure_and_others_still_run():
    result = bench({"broken": "exit 3", "frame": FRAME}, "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout.splitlines()[-1])["frame"] == {"full_ms": 1.25, "deep_ms": 3}


@tap.case
def benchmark_without_a_figure_is_a_failure():
    assert bench({"silent": "true"}).returncode == 1


tap.run("/tools/bench")
