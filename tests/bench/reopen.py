# reopen.py: how soon a directory of segments that was opened before is there in full again.
# SPDX-License-Identifier: GPL-3.0-or-later
"""The directory is opened once, which writes the index in a cache directory of the benchmark's own. Then it is opened
again, in a fresh process each time, until the main loop has a snapshot with all events of all segments: with detail to be
read behind that, and within the window's budget, where nothing else is read."""

import os

import measure
from measure import GIB, MIB, figure, note

RAW_SIZE = 4 * GIB
BUDGET = 512 * MIB


def index_size(cache):
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(cache) for name in names)


def main():
    options = measure.parse(__doc__)
    measure.describe_machine()
    with measure.folder(RAW_SIZE + GIB) as folder:
        session = os.path.join(folder, "session")
        cache = os.path.join(folder, "cache")
        measure.generate(options, session, RAW_SIZE, "--segments", "10")
        first = measure.run([options.load, "--remember", "--memory", str(BUDGET), session], cache)
        note(f"opened for the first time in {first['seconds']:.2f} s, "
             f"the index takes {index_size(cache) / MIB:.1f} MiB for {first['events'] / 1e6:.0f} M events")
        until = ["--until", str(int(first["events"]))]
        samples = measure.rounds(options, {
            "with index": lambda: measure.run([options.load, *until, session], cache),
            "with index, detail does not fit": lambda: measure.run(
                [options.load, *until, "--memory", str(BUDGET), session], cache),
            "without": lambda: measure.run([options.load, *until, session]),
        })
        figure("reopen_ms", samples["with index"].median() * 1000)


if __name__ == "__main__":
    main()
