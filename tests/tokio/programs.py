# programs.py: builds and runs the programs of this folder, and reads what they recorded with our own tools.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import json
import os
import re
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))
sys.path.insert(0, os.path.join(os.path.dirname(here), "interop"))

import peer  # noqa: E402
import tap  # noqa: E402

BUILD = os.environ["PARKLANE_BUILD_DIR"]
CLI = os.path.join(BUILD, "viewer", "cli", "parklane-cli")
DUMP = os.path.join(BUILD, "tests", "interop", "parklane-dump")

CRATE = os.path.join(os.path.dirname(os.path.dirname(here)), "recorder", "tokio")


def crate_environment(rustflags):
    """What cargo is to see for the crate itself."""
    return {**peer.environment_of(BUILD, rustflags), "RUSTDOCFLAGS": rustflags}


scratch = tempfile.TemporaryDirectory(prefix="parklane-tokio-")
os.environ["XDG_CACHE_HOME"] = os.path.join(scratch.name, "cache")


@functools.cache
def program(name):
    try:
        return peer.build(BUILD, name)
    except peer.Missing as reason:
        raise tap.Skip(str(reason)) from None


@functools.cache
def example(name):
    """An example of the crate, built as its tests build it."""
    try:
        peer.check_cargo()
        environment = crate_environment(peer.RUSTFLAGS)
        peer.fetch(CRATE, environment)
    except peer.Missing as reason:
        raise tap.Skip(str(reason)) from None
    built = peer.cargo("build", CRATE, environment, "--offline", "--example", name)
    assert built.returncode == 0, built.stderr
    return os.path.join(environment["CARGO_TARGET_DIR"], "debug", "examples", name)


def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert result.returncode == 0, f"{command}: {result.returncode}: {result.stderr}"
    return result.stdout


def service_environment(path, **variables):
    """The caller's, without settings of its own for a recorder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PARKLANE_", "DIAL9_"))}
    return {**environment, "PARKLANE_ENABLED": "true", "PARKLANE_OUTPUT_DIR": path, **variables}


def new_session(name):
    path = os.path.join(scratch.name, name)
    os.makedirs(path)
    return path


def record(scene, name=None, **variables):
    """Lets Parklane record SCENE. Returns what the program counted and where the session is."""
    service = program("with-parklane")
    path = new_session(name or scene)
    output = run(service, "scene", scene, env=service_environment(path, **{"PARKLANE_COMPRESS": "none", **variables}))
    return json.loads(output), path


def cli(command, path, *arguments):
    return json.loads(run(CLI, command, "--json", *arguments, path))


def by_line(locations):
    """Spawn locations of a report by file and line: which column of it is the compiler's affair."""
    return {place["spawn_loc"].rsplit(":", 1)[0]: place for place in locations}


EVENT = re.compile(r'event \d+ "([^"]*)" (\d+)(.*)')
FIELD = re.compile(r' "([^"]*)"=(?:u(\d+)|q\d+="([^"]*)")')


def events(path, name):
    """All events NAME of a session's segments, each as its fields and `at_ns`."""
    for segment in sorted(os.listdir(path)):
        if segment.endswith(".bin"):
            for line in run(DUMP, os.path.join(path, segment)).splitlines():
                match = EVENT.match(line)
                if match and match[1] == name:
                    fields = {key: int(number) if number else text for key, number, text in FIELD.findall(match[3])}
                    yield {**fields, "at_ns": int(match[2])}
