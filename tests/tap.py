# tap.py: prints a Python test's cases as TAP, so that they are counted one by one like GLib's.
# SPDX-License-Identifier: GPL-3.0-or-later
"""A function marked with @case is one: it passes when it returns, fails when it raises and is skipped when it raises
Skip. Its name states the promise. A case that fails never keeps the next one from running."""

import sys
import traceback

cases = []


class Skip(Exception):
    """Raised by a case that can not run here; says why."""


def case(function):
    cases.append(function)
    return function


def run(prefix):
    """Runs all cases in the order of the file and ends the program; PREFIX is "/layer/unit"."""
    failed = False
    print(f"1..{len(cases)}")
    for number, function in enumerate(cases, start=1):
        point = f"{number} {prefix}/{function.__name__.replace('_', '-')}"
        try:
            function()
        except Skip as reason:
            print(f"ok {point} # SKIP {reason}", flush=True)
        except BaseException:  # an assertion, or anything else: the case did not do what it promised
            failed = True
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
            print(f"not ok {point}", flush=True)
        else:
            print(f"ok {point}", flush=True)
    sys.exit(1 if failed else 0)
