# load.py: how fast traces open, beside dial9's own decoder and beside zstd, in one run.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every figure is the median of several rounds; in each round every contender loads its input once, in a fresh process,
with the files in the page cache. Times are taken within the process, from the start of main() to the finished snapshot;
only against zstd, which does not tell, both are timed from outside."""

import os
import shutil
import subprocess
import sys

import measure
from measure import GIB, MIB, figure, note

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "interop"))
import peer  # noqa: E402

RATE_SIZE = 256 * MIB
N_SEGMENTS = 8


def build_peer(options):
    try:
        return peer.build(options.build, profile="release")
    except peer.Missing as reason:
        note(f"ratio_dial9 is left out: {reason}")
        return None


def has_zstd():
    found = shutil.which("zstd") is not None
    if not found:
        note("ratio_zstd is left out: zstd is not installed")
    return found


def decompress(files):
    """`zstd -d` of half of the files on each of two cores."""
    halves = [files[i::2] for i in range(2)]
    processes = [subprocess.Popen(["zstd", "-q", "-d", "-c", *half], stdout=subprocess.DEVNULL) for half in halves]
    if any([process.wait() != 0 for process in processes]):
        sys.exit("bench: zstd failed")
    return {}


def main():
    options = measure.parse(__doc__)
    measure.describe_machine()
    recorded = measure.recorded_files(options.recorded)
    dial9 = build_peer(options)
    zstd = has_zstd()

    with measure.folder(3 * GIB) as folder:
        def make(name, size, *arguments):
            return measure.generate(options, os.path.join(folder, name), size, *arguments, recorded=recorded)

        def load(files, *arguments, cores=2):
            return lambda: measure.run([options.load, *arguments, *files], cores=cores)

        one = make("one.bin", RATE_SIZE)
        segments = make("segments", RATE_SIZE, "--segments", str(N_SEGMENTS))
        packed = make("packed", 2 * RATE_SIZE, "--segments", str(N_SEGMENTS), "--zstd")
        gib = make("gib.bin", GIB)

        measured = {
            "one file, one core": load(one, cores=1),
            "one file, two cores": load(one),
            "segments, one core": load(segments, cores=1),
            "segments, two cores": load(segments),
            "zstd segments, two cores": load(packed),
            "first lanes of 1 GiB": load(gib, "--until", "0"),
            "1 GiB, two cores": load(gib),
            "1 GiB, two cores, 512 MiB of detail": load(gib, "--memory", str(512 * MIB)),
        }
        if zstd:
            measured["zstd -d, two cores"] = lambda: decompress(packed)
        if dial9:
            measured["dial9, one core"] = lambda: measure.run([dial9, "read", *one], cores=1)
        samples = measure.rounds(options, measured)

        # Whatever the number of threads, and whoever counts.
        n_events = samples["one file, one core"].same("events")
        for name in ("one file, two cores", *(["dial9, one core"] if dial9 else [])):
            if samples[name].same("events") != n_events:
                sys.exit(f"bench: {name}: {samples[name].same('events')} events instead of {n_events}")
        note(f"{n_events / 1e6:.1f} M events of {os.path.getsize(one[0]) / n_events:.2f} bytes in one.bin")

        def seconds(name):
            return samples[name].median()

        figure("events_per_s_1", n_events / seconds("one file, one core"))
        figure("events_per_s_2", n_events / seconds("one file, two cores"))
        if dial9:
            figure("ratio_dial9", seconds("dial9, one core") / seconds("one file, one core"))
        figure("scaling", seconds("one file, one core") / seconds("one file, two cores"))
        figure("scaling_segments", seconds("segments, one core") / seconds("segments, two cores"))
        if zstd:
            figure("ratio_zstd", samples["zstd -d, two cores"].median("wall")
                   / samples["zstd segments, two cores"].median("wall"))
        figure("first_lanes_ms", seconds("first lanes of 1 GiB") * 1000)
        figure("gib_seconds", seconds("1 GiB, two cores") * GIB / os.path.getsize(gib[0]))


if __name__ == "__main__":
    main()
