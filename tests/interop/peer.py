# peer.py: builds dial9-peer, which reads and writes with dial9's own crate, and others like it, where that is possible.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import re
import shutil
import subprocess

CRATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dial9-peer")

# The crate is written in the 2024 edition of Rust.
OLDEST_CARGO = (1, 85)

# Without a network cargo is to give up, not to wait for minutes.
PATIENCE = {"CARGO_NET_RETRY": "1", "CARGO_HTTP_TIMEOUT": "10"}


class Missing(Exception):
    """Raised where the peer cannot be had; says why."""


def cargo(command, crate, environment, *options):
    return subprocess.run(
        ["cargo", command, "--locked", "--quiet", "--manifest-path", os.path.join(crate, "Cargo.toml"), *options],
        env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def check_cargo():
    if not shutil.which("cargo"):
        raise Missing("cargo is not installed")
    version = subprocess.run(["cargo", "--version"], capture_output=True, text=True, check=False)
    match = re.match(r"cargo (\d+)\.(\d+)", version.stdout)
    if not match:
        raise Missing(f"cargo does not run: {version.stderr.strip()}")
    if (int(match[1]), int(match[2])) < OLDEST_CARGO:
        raise Missing(f"cargo is {match[1]}.{match[2]}, the crate needs {OLDEST_CARGO[0]}.{OLDEST_CARGO[1]}")


def fetch(crate, environment):
    fetched = cargo("fetch", crate, {**environment, **PATIENCE})
    if fetched.returncode != 0:
        raise Missing(f"the crates cannot be fetched: {fetched.stderr.strip().splitlines()[-1]}")


def environment_of(build_dir, folder, rustflags):
    """What cargo is to see for crates in a folder of tests/ of that name."""
    target = os.path.join(build_dir, "tests", folder, "cargo")
    return {"CARGO_TARGET_DIR": target, **({"RUSTFLAGS": rustflags} if rustflags else {})}


def build(build_dir, crate=CRATE, rustflags=""):
    """Returns the path of the program in the folder CRATE, built under BUILD_DIR. A crate that does not compile
    is an error, not a reason to go without it."""
    check_cargo()
    environment = environment_of(build_dir, os.path.basename(os.path.dirname(crate)), rustflags)
    fetch(crate, environment)
    built = cargo("build", crate, environment, "--release", "--offline")
    assert built.returncode == 0, built.stderr
    return os.path.join(environment["CARGO_TARGET_DIR"], "release", os.path.basename(crate))


def build_programs(build_dir, workspace, packages, rustflags, profile="dev"):
    """As build(), for PACKAGES of the folder WORKSPACE. Returns the folder where the programs are."""
    check_cargo()
    environment = environment_of(build_dir, os.path.basename(workspace), rustflags)
    fetch(workspace, environment)
    names = [word for package in packages for word in ("--package", package)]
    built = cargo("build", workspace, environment, "--profile", profile, "--offline", *names)
    assert built.returncode == 0, built.stderr
    return os.path.join(environment["CARGO_TARGET_DIR"], "debug" if profile == "dev" else profile)
