# tap_count.py: counts the single cases in what a test program printed (Test Anything Protocol).
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meson judges programs; a reader wants to know about cases. It also takes a program that printed nothing for skipped,
and one without a plan for passed. Here both are failures, since they did not do what they promised."""

import re
from dataclasses import dataclass, field

POINT = re.compile(r"(not )?ok\b[ \t]*(\d+)?(?:[ \t]*-)?[ \t]*([^#]*)(?:#\s*(skip|todo)\S*\s*(.*))?", re.IGNORECASE)
PLAN = re.compile(r"1\.\.(\d+)\s*(?:#\s*(.*))?$")
EXIT_SKIPPED = 77  # the convention of Automake and Meson for programs that speak by exit status


@dataclass
class Count:
    """Cases of one program: how many passed, and the names of the others ("name: reason")."""

    passed: int = 0
    failed: list = field(default_factory=list)
    skipped: list = field(default_factory=list)

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def line(self):
        return f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"


def count_exit_status(name, result, returncode):
    """Counts a program that speaks by its exit status: one case."""
    if returncode == EXIT_SKIPPED:
        return Count(skipped=[name])
    if result == "TIMEOUT":
        return Count(failed=[f"{name}: timed out"])
    if returncode != 0:
        return Count(failed=[f"{name}: {describe_exit(returncode)}"])
    return Count(passed=1)


def count_tap(name, stdout, result, returncode):
    """Counts the cases of a program that prints TAP. A program that ends other than by its plan adds one failure,
    unless a case already failed, which is then why it ended."""
    count = Count()
    n_points = 0
    plan = None
    bail_out = None

    for line in stdout.splitlines():
        # Indented lines belong to subtests, whose verdict is a point of their own at the left edge.
        if line.startswith("Bail out!"):
            bail_out = line
        elif match := PLAN.match(line):
            plan = int(match[1])
            if plan == 0:
                count.skipped.append(f"{name}: {match[2] or 'nothing to run'}")
        elif match := POINT.match(line):
            n_points += 1
            add_point(count, name, match)

    reason = None
    if result == "TIMEOUT":
        reason = "timed out"
    elif bail_out is not None:
        reason = bail_out
    elif plan is None:
        reason = f"printed no plan, {describe_exit(returncode)}"
    elif plan != n_points:
        reason = f"planned {plan} cases, ran {n_points}"
    elif returncode != 0:
        reason = describe_exit(returncode)

    if reason is not None and not count.failed:
        count.failed.append(f"{name}: {reason} after {n_points} cases")
    return count


def add_point(count, name, match):
    """Adds one "ok" or "not ok" line."""
    negated, number, title, directive, why = match.groups()
    title = f"{name}: {title.strip() or 'case ' + (number or '?')}"
    directive = (directive or "").lower()

    if directive == "skip":
        count.skipped.append(f"{title} ({why.strip() or 'no reason given'})")
    elif directive == "todo":
        count.skipped.append(f"{title} (incomplete: {why.strip()})")
    elif negated:
        count.failed.append(title)
    else:
        count.passed += 1


def describe_exit(returncode):
    return f"killed by signal {-returncode}" if returncode < 0 else f"exit status {returncode}"
