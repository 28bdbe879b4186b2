# peer.py: builds dial9-peer, the program that reads and writes with dial9's own crate, where that is possible.
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


def cargo(command, target):
    return subprocess.run(
        ["cargo", command, "--locked", "--quiet", "--manifest-path", os.path.join(CRATE, "Cargo.toml")],
        env={**os.environ, **PATIENCE, "CARGO_TARGET_DIR": target}, capture_output=True, text=True, check=False)


def check_cargo():
    if not shutil.which("cargo"):
        raise Missing("cargo is not installed")
    version = subprocess.run(["cargo", "--version"], capture_output=True, text=True, check=False)
    match = re.match(r"cargo (\d+)\.(\d+)", version.stdout)
    if not match:
        raise Missing(f"cargo does not run: {version.stderr.strip()}")
    if (int(match[1]), int(match[2])) < OLDEST_CARGO:
        raise Missing(f"cargo is {match[1]}.{match[2]}, the crate needs {OLDEST_CARGO[0]}.{OLDEST_CARGO[1]}")


def build(build_dir):
    """Returns the path of the program, built under BUILD_DIR. A crate that does not compile is an error, not a reason
    to go without it."""
    check_cargo()
    target = os.path.join(build_dir, "tests", "interop", "cargo")
    fetched = cargo("fetch", target)
    if fetched.returncode != 0:
        raise Missing(f"the crates cannot be fetched: {fetched.stderr.strip().splitlines()[-1]}")
    built = subprocess.run(
        ["cargo", "build", "--release", "--locked", "--offline", "--quiet", "--manifest-path",
         os.path.join(CRATE, "Cargo.toml")],
        env={**os.environ, "CARGO_TARGET_DIR": target}, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return os.path.join(target, "release", "dial9-peer")
