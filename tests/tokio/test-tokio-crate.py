# test-tokio-crate.py: the crate's own tests, lints and documentation, and the builds that it refuses or that cannot record.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import programs  # noqa: E402
import tap  # noqa: E402
from programs import peer  # noqa: E402

@functools.cache
def check_crates():
    try:
        peer.check_cargo()
        peer.fetch(programs.CRATE, {})
    except peer.Missing as reason:
        raise tap.Skip(str(reason)) from None


def cargo(command, *options, rustflags=programs.RUSTFLAGS, **variables):
    """Outside the crate's folder, whose .cargo/config.toml would add its flags."""
    check_crates()
    environment = {**programs.crate_environment(rustflags), **variables}
    os.chdir(programs.scratch.name)
    return peer.cargo(command, programs.CRATE, environment, "--offline", *options)


def count_passed(result):
    assert result.returncode == 0, result.stdout + result.stderr
    return sum(int(n) for n in re.findall(r"test result: ok\. (\d+) passed", result.stdout))


def assert_clean(*options, **arguments):
    result = cargo("clippy", *options, "--", "-D", "warnings", **arguments)
    if "no such command" in result.stderr or "is not installed" in result.stderr:
        raise tap.Skip("clippy is not installed")
    assert result.returncode == 0, result.stderr


@tap.case
def its_own_tests_pass():
    assert count_passed(cargo("test")) >= 18


@tap.case
def lints_find_nothing():
    assert_clean("--all-targets", "--features", "metrics,schedule-latency")


@tap.case
def documentation_has_no_warning():
    result = cargo("doc", "--no-deps", RUSTDOCFLAGS=programs.RUSTFLAGS + " -D warnings")
    assert result.returncode == 0, result.stderr


@tap.case
def a_stock_build_runs_plain_and_says_so():
    assert count_passed(cargo("test", "--no-default-features", "--tests", rustflags="")) >= 9


@tap.case
def stable_hooks_build_without_the_flag():
    assert_clean("--no-default-features", "--features", "stable-hooks", rustflags="")


@tap.case
def recording_without_the_flag_is_refused_with_the_remedy():
    result = cargo("check", rustflags="")
    assert result.returncode != 0
    for part in ("--cfg tokio_unstable", ".cargo/config.toml", "REPLACES", "default-features = false"):
        assert part in result.stderr, f"{part}: {result.stderr}"


tap.run("/tokio/crate")
