# test-tap-count.py: what ./run test counts, and what it takes for a failure.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(here), os.path.join(here, "..", "..", "tools")]

import tap
from tap_count import Count, count_exit_status, count_tap


def counts(stdout, result="OK", returncode=0):
    count = count_tap("t", stdout, result, returncode)
    return count.passed, len(count.failed), len(count.skipped)


@tap.case
def cases_are_counted_one_by_one():
    assert counts("1..3\nok 1 /a\nok 2 /b\nnot ok 3 /c\n", "FAIL", 1) == (2, 1, 0)


@tap.case
def plan_may_come_last():
    assert counts("# random seed: R02S\n# Start of a tests\nok 1 /a\nok 2 /b\n# End of a tests\n1..2\n") == (2, 0, 0)


@tap.case
def skipped_case_keeps_its_reason():
    count = count_tap("t", "ok 1 /a # SKIP no cargo here\n1..1\n", "SKIP", 0)
    assert (count.passed, count.failed, count.skipped) == (0, [], ["t: /a (no cargo here)"])


@tap.case
def skip_is_understood_in_any_case():
    assert counts("1..2\nok 1 /a # skip\nok 2 /b # Skipped: later\n") == (0, 0, 2)


@tap.case
def program_skipped_as_a_whole_is_one_skip():
    assert counts("1..0 # SKIP no display\n", "SKIP") == (0, 0, 1)


@tap.case
def incomplete_case_is_neither_passed_nor_failed():
    assert counts("1..1\nnot ok 1 /a # TODO later\n") == (0, 0, 1)


@tap.case
def dead_program_is_a_failure():
    assert counts("ok 1 /a\n", "ERROR", -11) == (1, 1, 0)


@tap.case
def failed_case_that_ends_the_program_counts_once():
    assert counts("ok 1 /a\nnot ok 2 /b\nBail out!\n", "ERROR", -6) == (1, 1, 0)


@tap.case
def bail_out_is_a_failure():
    count = count_tap("t", "ok 1 /a\nBail out! ERROR:x.c:3: assertion failed\n", "ERROR", -6)
    assert count.passed == 1
    assert len(count.failed) == 1 and "x.c:3: assertion failed" in count.failed[0]


@tap.case
def silent_program_is_a_failure():
    assert counts("", "SKIP", 0) == (0, 1, 0)


@tap.case
def missing_plan_is_a_failure():
    assert counts("ok 1 /a\n") == (1, 1, 0)


@tap.case
def case_that_never_ran_is_a_failure():
    assert counts("1..3\nok 1 /a\nok 2 /b\n") == (2, 1, 0)


@tap.case
def exit_status_counts_even_if_all_cases_passed():
    assert counts("ok 1 /a\n1..1\n", "ERROR", 1) == (1, 1, 0)


@tap.case
def timeout_is_a_failure():
    assert counts("ok 1 /a\n", "TIMEOUT", -15) == (1, 1, 0)


@tap.case
def output_and_subtests_are_no_cases():
    text = "1..1\nokay then\nsome output\n    ok 1 - inner\n    not ok 2 - inner\nok 1 - /outer\n"
    assert counts(text) == (1, 0, 0)


@tap.case
def program_without_tap_is_one_case():
    verdicts = [count_exit_status("t", "x", code) for code in (0, 77, 1, -11)]
    assert [(c.passed, len(c.failed), len(c.skipped)) for c in verdicts] == [(1, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 0)]
    assert count_exit_status("t", "TIMEOUT", -15).failed == ["t: timed out"]


@tap.case
def line_has_the_promised_shape():
    total = Count(passed=2)
    total.add(Count(passed=1, failed=["a"], skipped=["b", "c"]))
    assert total.line() == "3 passed, 1 failed, 2 skipped"


tap.run("/tools/tap-count")
