# peer.py: builds the programs in Rust, such as dial9-peer, which reads and writes with dial9's crate, where that is possible.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import re
import shutil
import subprocess

WORKSPACE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tokio")

# In the environment, as it then holds wherever cargo is called.
RUSTFLAGS = "--cfg tokio_unstable"

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
        reasons = [line for line in fetched.stderr.splitlines() if line.startswith("error")] or ["cargo does not say why"]
        raise Missing(f"the crates cannot be fetched: {reasons[0]}")


def environment_of(build_dir, rustflags):
    """What cargo is to see: one target folder and one profile for all crates of the tree, so that what they share is
    compiled once."""
    return {"CARGO_TARGET_DIR": os.path.join(build_dir, "tests", "cargo"), "RUSTFLAGS": rustflags,
            "CARGO_PROFILE_DEV_DEBUG": "false", "CARGO_INCREMENTAL": "0"}


def build_programs(build_dir, workspace, packages, rustflags, profile="dev"):
    """Builds PACKAGES of the folder WORKSPACE. Returns the folder where the programs are. For tests, whatever else is in the
    workspace as well: each package alone would have its dependencies compiled anew, with the features that it wants. What
    does not compile is an error, not a reason to go without it."""
    check_cargo()
    environment = environment_of(build_dir, rustflags)
    fetch(workspace, environment)
    names = ["--workspace"] if profile == "dev" else [word for package in packages for word in ("--package", package)]
    built = cargo("build", workspace, environment, "--profile", profile, "--offline", *names)
    assert built.returncode == 0, built.stderr
    return os.path.join(environment["CARGO_TARGET_DIR"], "debug" if profile == "dev" else profile)


def build(build_dir, package="dial9-peer", profile="dev"):
    """Returns the path of the program PACKAGE."""
    return os.path.join(build_programs(build_dir, WORKSPACE, [package], RUSTFLAGS, profile), package)
