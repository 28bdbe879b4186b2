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

# For lints and documentation alike, whose dependencies are then checked once. Not "tokio/full", which wants a crate that
# Cargo.lock does not name, so that it would not be there offline.
TOKIO = "fs,io-std,io-util,macros,net,process,rt-multi-thread,schedule-latency,signal,sync,time"
EVERYTHING = ",".join(["metrics", "schedule-latency", *("tokio/" + feature for feature in TOKIO.split(","))])


@functools.cache
def check_crates():
    try:
        peer.check_cargo()
        peer.fetch(programs.CRATE, {})
    except peer.Missing as reason:
        raise tap.Skip(str(reason)) from None


def cargo(command, *options, rustflags=peer.RUSTFLAGS, **variables):
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
    assert_clean("--all-targets", "--features", EVERYTHING)


@tap.case
def documentation_has_no_warning():
    result = cargo("doc", "--no-deps", "--features", EVERYTHING, RUSTDOCFLAGS=peer.RUSTFLAGS + " -D warnings")
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


@tap.case
def the_transcript_of_its_readme_leads_to_a_lane():
    """Literally, in a home of its own where the checkout lies as the README has it."""
    check_crates()
    home = os.path.join(programs.scratch.name, "home")
    session = os.path.join(home, "hello-lanes-session")
    os.mkdir(home)
    os.symlink(os.path.dirname(os.path.dirname(programs.here)), os.path.join(home, "parklane"))
    with open(os.path.join(programs.CRATE, "README.md"), encoding="utf-8") as readme:
        make, program, show = re.findall(r"```(?:sh|rust,no_run)\n(.*?)```", readme.read(), re.DOTALL)[:3]
    caller = os.path.expanduser("~")
    places = {name: os.environ.get(name, os.path.join(caller, folder))
              for name, folder in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"))}
    environment = {**programs.service_environment(""), **places, "HOME": home, "CARGO_NET_OFFLINE": "true",
                   **programs.crate_environment(""),
                   "PATH": os.path.dirname(programs.CLI) + os.pathsep + os.environ["PATH"]}
    for name in ("PARKLANE_ENABLED", "PARKLANE_OUTPUT_DIR", "RUSTFLAGS"):
        environment.pop(name, None)

    programs.run("sh", "-e", "-c", make, cwd=home, env=environment)
    folder = os.path.join(home, "hello-lanes")
    with open(os.path.join(folder, "src", "main.rs"), "w", encoding="utf-8") as file:
        file.write(program)
    shown = programs.run("sh", "-e", "-c", show.replace("/tmp/hello-lanes", session), cwd=folder, env=environment)
    line = 1 + program[:program.index("// What one should not do")].count("\n") + 1
    assert f"src/main.rs:{line}:" in shown, shown
    longest = programs.cli("report", session)["long_polls"][0]
    assert longest["duration_ns"] >= 80_000_000 and longest["spawn_loc"].startswith(f"src/main.rs:{line}:"), longest


tap.run("/tokio/crate")
