# tokio.py: what recording costs a Tokio service, with Parklane and with dial9, in one run.
# SPDX-License-Identifier: GPL-3.0-or-later
"""One workload in three builds with the same Tokio: plain, with dial9 as its README sets it up, with Parklane as it is by
default. In each round every build runs each load once, in turn; what a build costs is its difference to the plain one of the
same round, and every figure is the median over the rounds.

echo: connections that each wait for their answer, clients and service on two workers, so that what recording takes on any
core is paid for. yield: tasks that do nothing but yield, on one worker, which leaves a core to whoever writes the events;
a figure there is the worker's time for one poll, start and end."""

import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import zlib

import measure
from measure import GIB, figure, note

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "interop"))
import peer  # noqa: E402

WORKSPACE = os.path.join(here, "..", "tokio")
RUSTFLAGS = "--cfg tokio_unstable"
WORKERS = {"echo": "2", "yield": "1"}


class Service:
    """One of the builds."""

    def __init__(self, name, command, *arguments, **variables):
        self.name, self.command, self.arguments, self.variables = name, command, arguments, variables
        self.figures = {}

    def run(self, load, seconds, path):
        """Runs LOAD once, with PATH for what is recorded."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PARKLANE_", "DIAL9_"))}
        command = [path if word is None else word for word in self.command] + [load, seconds, WORKERS[load], *self.arguments]
        variables = {name: path if value is None else value for name, value in self.variables.items()}
        result = subprocess.run(command, env={**clean, **variables}, stdout=subprocess.PIPE, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"bench: {' '.join(command)}: exit status {result.returncode}")
        found = {name: float(value) for name, value in (line.split("\t") for line in result.stdout.splitlines())}
        for name, value in found.items():
            self.figures.setdefault((load, name), []).append(value)

    def all(self, load, name):
        return self.figures[load, name]


def median_of(what, unit, values, scale=1):
    """The median, with how far the rounds lie apart told to people."""
    ordered = sorted(value * scale for value in values)
    quarter = len(ordered) // 4
    note(f"{what}: {statistics.median(ordered):.3g} {unit}, half of the rounds within {ordered[quarter]:.3g} and "
         f"{ordered[-1 - quarter]:.3g}, n = {len(ordered)}")
    return statistics.median(values)


def count_events(options, files):
    command = [options.cli, "info", "--json", *files]
    result = subprocess.run(command, stdout=subprocess.PIPE, check=True, env={**os.environ, "XDG_CACHE_HOME": os.devnull})
    return json.loads(result.stdout)["event_count"]


def files_of(path, *patterns):
    return sorted(file for pattern in patterns for file in glob.glob(os.path.join(path, "**", pattern), recursive=True))


def gzip_size(file):
    with open(file, "rb") as content:
        return len(zlib.compress(content.read(), 6, 31))


def tell_sizes(options, dial9, parklane, paused, folder):
    """Records the echo load with each, and tells the bytes of an event on disk."""
    path = os.path.join(folder, "size-dial9")
    os.mkdir(path)
    dial9.run("echo", options.seconds, path)
    files = files_of(path, "*.bin")
    n_events = count_events(options, files)
    raw = sum(os.path.getsize(file) for file in files)
    figure("bytes_per_event_dial9_raw", raw / n_events)
    figure("bytes_per_event_dial9_gz", sum(map(gzip_size, files)) / n_events)

    path = os.path.join(folder, "size-parklane")
    os.mkdir(path)
    parklane.run("echo", options.seconds, path)
    # A session ends without waiting for its last segment's compression; a next one takes it up, and has a core for it.
    while files_of(path, "parklane.0.bin"):
        paused.run("yield", "1", path)
    files = files_of(path, "parklane.0.bin.zst")
    n_events = count_events(options, files)
    figure("bytes_per_event_parklane", sum(map(os.path.getsize, files)) / n_events)


def tell_costs(services):
    plain = services["plain"]
    for name in ("dial9", "parklane", "paused"):
        service = services[name]
        costs = [1 - mine / its for mine, its in zip(service.all("echo", "echo"), plain.all("echo", "echo"))]
        figure(f"echo_cost_{name}", median_of(f"echo, {name} costs", "% of the throughput", costs, 100))
        costs = [mine - its for mine, its in zip(service.all("yield", "poll_ns"), plain.all("yield", "poll_ns"))]
        figure(f"poll_ns_{name}", median_of(f"yield, {name} costs", "ns a poll", costs))
    figure("echo_per_s_plain", median_of("echo, plain", "requests/s", plain.all("echo", "echo")))
    figure("yield_ns_plain", median_of("yield, plain", "ns a poll", plain.all("yield", "poll_ns")))
    parklane = services["parklane"]
    figure("clock_ns", median_of("a read of the clock", "ns", parklane.all("yield", "clock_ns")))
    lost = [n / (n + taken) for n, taken in zip(parklane.all("yield", "dropped"), parklane.all("yield", "events"))]
    figure("yield_dropped_share", median_of("yield, events that found no room", "%", lost, 100))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="top of the build tree")
    parser.add_argument("--cli", required=True, help="parklane-cli")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", default="1")
    options = parser.parse_args()
    measure.describe_machine()
    try:
        programs = peer.build_programs(options.build, WORKSPACE, ["plain", "with-dial9", "with-parklane"], RUSTFLAGS, "release")
    except peer.Missing as reason:
        sys.exit(f"bench: {reason}")

    on = {"PARKLANE_ENABLED": "true", "PARKLANE_OUTPUT_DIR": None}
    with_parklane = [os.path.join(programs, "with-parklane")]
    services = {
        "plain": Service("plain", [os.path.join(programs, "plain")]),
        "dial9": Service("dial9", [os.path.join(programs, "with-dial9"), None]),
        "parklane": Service("parklane", with_parklane, **on),
        "paused": Service("paused", with_parklane, "paused", **on),
    }
    with measure.folder(4 * GIB) as folder:
        for i in range(options.rounds):
            for load in WORKERS:
                # Neither is always the first to run after the other load.
                order = list(services.values())
                for service in order[i % len(order):] + order[:i % len(order)]:
                    path = os.path.join(folder, "session")
                    os.mkdir(path)
                    service.run(load, options.seconds, path)
                    shutil.rmtree(path)
        tell_costs(services)
        tell_sizes(options, services["dial9"], services["parklane"], services["paused"], folder)


if __name__ == "__main__":
    main()
