# measure.py: what benchmarks of whole programs have in common: inputs, processes, medians, figures.
# SPDX-License-Identifier: GPL-3.0-or-later
import argparse
import contextlib
import glob
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MIB = 1024 * 1024
GIB = 1024 * MIB


def note(text):
    print(f"# {text}", flush=True)


def figure(name, value):
    print(f"{name}\t{int(value) if float(value).is_integer() else format(value, '.6g')}", flush=True)


def parse(description):
    """Where everything is; tests/bench/meson.build says so."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--generate", required=True, help="parklane-generate")
    parser.add_argument("--load", required=True, help="load-trace")
    parser.add_argument("--jump", required=True, help="jump-trace")
    parser.add_argument("--build", required=True, help="top of the build tree")
    parser.add_argument("--recorded", required=True, action="append", help="folders of recorded traces, best first")
    parser.add_argument("--rounds", type=int, default=7)
    return parser.parse_args()


@contextlib.contextmanager
def folder(n_bytes):
    """A place for N_BYTES of inputs, gone afterwards."""
    path = tempfile.mkdtemp(prefix="parklane-bench-")
    try:
        if shutil.disk_usage(path).free < n_bytes:
            sys.exit(f"bench: {n_bytes // MIB} MiB are needed in {path}; TMPDIR names another place")
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def describe_machine():
    model = platform.machine()
    with contextlib.suppress(OSError, IndexError):
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    note(f"{model}, {len(os.sched_getaffinity(0))} cores, load before: {os.getloadavg()[0]:.1f}")


def recorded_files(folders):
    """Traces to replay: an echo server's rotated session, and one thread that yields all the time, from where the large
    ones are; else small ones of the same kinds."""
    for path in folders:
        for names in (("v057-rotate", "v057-killed"), ("v057-killrot", "v057-multi")):
            files = [file for name in names for file in sorted(glob.glob(os.path.join(path, name, "trace.*")))]
            if len(files) >= 2:
                note(f"replaying {', '.join(names)} from {path}")
                return files
    sys.exit(f"bench: no recorded traces in {', '.join(folders)}")


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(function):
    """Returns what FUNCTION does, as "wall" and "cpu", the seconds that it and its processes took."""
    began, cpu = time.monotonic(), children_cpu()
    figures = function()
    return {**figures, "wall": time.monotonic() - began, "cpu": children_cpu() - cpu}


# Nothing can be made in it: no index of traces seen before, and none is written while something else is measured.
NO_CACHE = os.devnull


def run(command, cache=NO_CACHE, cores=None):
    """Runs COMMAND, with a cache directory of its own, on CORES or all. Returns what it prints as name → number."""
    def restrict():
        if cores:
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])

    result = subprocess.run(command, env={**os.environ, "XDG_CACHE_HOME": cache}, stdout=subprocess.PIPE, text=True,
                            check=False, preexec_fn=restrict)
    if result.returncode != 0:
        sys.exit(f"bench: {' '.join(command)}: exit status {result.returncode}")
    return {name: float(value) for name, value in (line.split("\t") for line in result.stdout.splitlines())}


def generate(options, path, size, *arguments, recorded=()):
    """Makes an input and has it on disk and in the page cache before anything is timed."""
    words = [options.generate, "--size", str(size), *arguments]
    if recorded:
        words.append("--replay")
    made = run([*words, path, *recorded])
    os.sync()
    files = sorted(glob.glob(os.path.join(path, "*"))) if os.path.isdir(path) else [path]
    for file in files:
        with open(file, "rb", buffering=0) as content:
            while content.read(4 * MIB):
                pass
    note(f"{os.path.basename(path)}: {made['raw_bytes'] / MIB:.0f} MiB raw, {made['disk_bytes'] / MIB:.0f} MiB on disk, "
         f"{len(files)} files, written at {made['raw_bytes'] / made['seconds'] / 1e6:.0f} MB/s")
    return files


class Samples:
    """The results of one thing that was measured several times."""

    def __init__(self):
        self.results = []

    def add(self, result):
        self.results.append(result)

    def median(self, name="seconds"):
        return statistics.median(result[name] for result in self.results)

    def same(self, name):
        """A number that is no measurement: every round must have found the same."""
        values = {result[name] for result in self.results}
        if len(values) != 1:
            sys.exit(f"bench: {name} differs from round to round: {values}")
        return values.pop()

    def describe(self, what):
        inner = sorted(result.get("seconds", result["wall"]) for result in self.results)
        note(f"{what}: {statistics.median(inner) * 1000:.0f} ms ({inner[0] * 1000:.0f} to {inner[-1] * 1000:.0f}) within "
             f"the process, {self.median('wall') * 1000:.0f} ms from outside, {self.median('cpu') * 1000:.0f} ms of CPU, "
             f"n = {len(inner)}")


def rounds(options, measured):
    """Runs each of MEASURED (name → function) in turn, several times over, so that a busy moment of the machine hits
    all of them. Returns name → Samples."""
    samples = {name: Samples() for name in measured}
    for _ in range(options.rounds):
        for name, function in measured.items():
            samples[name].add(timed(function))
    for name, sample in samples.items():
        sample.describe(name)
    return samples
