# test-dial9.py: Parklane and dial9's own crate read the same out of every stream, whoever wrote it.
# SPDX-License-Identifier: GPL-3.0-or-later
import collections
import functools
import glob
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))

import peer  # noqa: E402
import tap  # noqa: E402

BUILD = os.environ["PARKLANE_BUILD_DIR"]
DATA = os.environ["PARKLANE_TEST_DATA"]
DUMP = os.path.join(BUILD, "tests", "interop", "parklane-dump")
GENERATE = os.path.join(BUILD, "tests", "bench", "parklane-generate")
DEMO = os.path.join(BUILD, "recorder", "demo", "parklane-demo")
CLI = os.path.join(BUILD, "viewer", "cli", "parklane-cli")

# As many random streams as take some ten seconds. A stream that fails is made again with `dial9-peer write SEED FILE`.
SEEDS = range(1, 101)

scratch = tempfile.TemporaryDirectory(prefix="parklane-dial9-")
os.environ["XDG_CACHE_HOME"] = os.path.join(scratch.name, "cache")


@functools.cache
def dial9():
    try:
        return peer.build(BUILD)
    except peer.Missing as reason:
        raise tap.Skip(str(reason)) from None


def run(*command):
    result = subprocess.run(command, capture_output=True, check=False)
    assert result.returncode == 0, f"{command}: {result.returncode}: {result.stderr.decode(errors='replace')}"
    return result.stdout


def assert_reads_equal(path, what, theirs=None):
    """Every frame and every value is the same in both, and both reach the end. Returns dial9's dump."""
    theirs = theirs or run(dial9(), "dump", path)
    ours = run(DUMP, path)
    if ours != theirs:
        lines = itertools.zip_longest(ours.split(b"\n"), theirs.split(b"\n"))
        number, (our_line, their_line) = next((i, pair) for i, pair in enumerate(lines, 1) if pair[0] != pair[1])
        raise AssertionError(f"{what}, line {number}:\n  ours  {our_line}\n  dial9 {their_line}")
    assert theirs.endswith(b"\nend %d\n" % os.path.getsize(path)), f"{what}: {theirs[-100:]}"
    return theirs.decode()


@functools.cache
def random_stream(seed):
    path = os.path.join(scratch.name, f"random-{seed}.bin")
    run(dial9(), "write", str(seed), path)
    return path, run(dial9(), "dump", path)


def random_streams():
    for seed in SEEDS:
        yield f"seed {seed}", *random_stream(seed)


EVENT = re.compile(r'event \d+ "([^"]*)" (\d+)(.*)')
NUMBER = re.compile(r' "(worker_id|task_id)"=u(\d+)')


class Expected:
    """What a dump says of polls and tasks. Each worker of these streams has one thread, so that polls pair by worker."""

    def __init__(self, dump):
        self.events = collections.Counter()
        self.polls = collections.defaultdict(list)
        self.unpaired = 0
        self.open = {}
        self.spawned = self.terminated = 0
        for line in dump.splitlines():
            if match := EVENT.match(line):
                self.add(match[1], int(match[2]), {name: int(value) for name, value in NUMBER.findall(match[3])})

    def add(self, name, at_ns, fields):
        self.events[name] += 1
        self.spawned += name == "TaskSpawnEvent"
        self.terminated += name == "TaskTerminateEvent"
        worker = fields.get("worker_id")
        if name == "PollStartEvent":
            self.unpaired += worker in self.open
            self.open[worker] = at_ns
        elif name == "PollEndEvent" and worker in self.open:
            self.polls[worker].append(at_ns - self.open.pop(worker))
        elif name == "PollEndEvent":
            self.unpaired += 1

    def durations(self):
        return [duration for polls in self.polls.values() for duration in polls]


def cli(command, *arguments):
    return json.loads(run(CLI, command, "--json", *arguments))


def assert_derives(path, dump, what):
    expected = Expected(dump)
    info = cli("info", path)
    report = cli("report", path)
    polls = report["polls"]
    durations = expected.durations()

    assert info["files"][0]["error"] is None, f"{what}: {info['files']}"
    assert info["events"] == dict(expected.events), f"{what}: {info['events']} is not {expected.events}"
    assert info["event_count"] == expected.events.total(), what
    found = (polls["count"], polls["open"], polls["unpaired"], polls["total_ns"], polls["max_ns"])
    wanted = (len(durations), len(expected.open), expected.unpaired, sum(durations), max(durations, default=0))
    assert found == wanted, f"{what}: polls, open, unpaired, total, longest: {found} is not {wanted}"
    by_worker = {worker["id"]: (worker["polls"], worker["busy_ns"]) for worker in report["workers"] if worker["polls"]}
    wanted = {worker: (len(of_it), sum(of_it)) for worker, of_it in expected.polls.items()}
    assert by_worker == wanted, f"{what}: {by_worker} is not {wanted}"
    tasks = (report["tasks"]["spawned"], report["tasks"]["terminated"])
    assert tasks == (expected.spawned, expected.terminated), f"{what}: {tasks}"
    return len(durations)


@tap.case
def random_streams_read_equal_value_by_value():
    frames = collections.Counter()
    types = set()
    for what, path, theirs in random_streams():
        dump = assert_reads_equal(path, what, theirs)
        frames.update(line.split(" ", 1)[0] for line in dump.splitlines())
        for line in dump.splitlines():
            if line.startswith("schema "):
                types.update(re.findall(r'":([0-9a-f]{2})', line))
    # What the streams are to be made of, all types with and without the optional bit.
    assert set(frames) == {"schema", "event", "strings", "stacks", "annotations", "end"}, frames
    assert types == {f"{code | bit:02x}" for code in range(1, 16) for bit in (0, 0x80)}, types
    print(f"# {frames.total()} frames in {len(SEEDS)} streams, {frames['event']} of them events")


@tap.case
def polls_and_tasks_of_random_streams_are_what_their_values_say():
    n_polls = 0
    for what, path, dump in random_streams():
        n_polls += assert_derives(path, dump.decode(), what)
    assert n_polls > 1000, n_polls


@tap.case
def both_crate_interfaces_count_the_same_events():
    for what, path, _ in itertools.islice(random_streams(), 20):
        counted = int(re.search(rb"events\t(\d+)", run(dial9(), "read", path))[1])
        assert counted == cli("info", path)["event_count"], what


@tap.case
def generated_streams_read_equal():
    for layout in ("dial9", "merged"):
        path = os.path.join(scratch.name, f"{layout}.bin")
        run(GENERATE, "--size", "3MiB", "--layout", layout, "--workers", "3", path)
        dump = assert_reads_equal(path, layout)
        assert_derives(path, dump, layout)


@tap.case
def replayed_streams_read_equal():
    path = os.path.join(scratch.name, "replayed.bin")
    recorded = sorted(glob.glob(os.path.join(DATA, "v057-killrot", "*"))) + [os.path.join(DATA, "v057-multi", "trace.0.bin")]
    run(GENERATE, "--replay", "--size", "2MiB", path, *recorded)
    assert_reads_equal(path, "replay")


def run_demo(folder, compress, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARKLANE_")}
    result = subprocess.run(
        [DEMO, "--output", folder, "--prefix", "demo", "--workers", "3", *arguments],
        env={**environment, "PARKLANE_COMPRESS": compress}, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


@tap.case
def streams_of_our_recorder_read_equal():
    folder = os.path.join(scratch.name, "demo")
    os.mkdir(folder)
    counts = run_demo(folder, "none", "--seconds", "1", "--rate", "20000", "--seed", "7", "--long-poll", "5ms", "--idle", "100ms")
    segments = sorted(glob.glob(os.path.join(folder, "demo.*.bin")))
    assert segments, os.listdir(folder)
    polls = 0
    for segment in segments:
        dump = assert_reads_equal(segment, segment)
        polls += sum(line.split(" ", 3)[2] == '"PollEndEvent"' for line in dump.splitlines() if line.startswith("event"))
    assert polls == counts["polls"], f"{polls} ends of polls, the demo made {counts['polls']}"


@tap.case
def compressed_segments_hold_the_same_events():
    """What `zstd -d` makes of a compressed segment reads equal and has the events of the raw one, in another order."""
    if not shutil.which("zstd"):
        raise tap.Skip("zstd is not installed")
    folder = os.path.join(scratch.name, "compressed")
    os.mkdir(folder)
    counts = run_demo(folder, "none", "--seconds", "1", "--rate", "20000", "--seed", "8", "--long-poll", "5ms")
    raw = os.path.join(folder, "demo.0.bin")
    before = assert_reads_equal(raw, raw)
    while os.path.exists(raw):  # a session compresses what it finds, when the processor has time for it
        run_demo(folder, "zst", "--seconds", "0.2", "--rate", "100")
    again = os.path.join(scratch.name, "again.bin")
    with open(again, "wb") as file:
        subprocess.run(["zstd", "-d", "-c", raw + ".zst"], stdout=file, check=True)
    after = assert_reads_equal(again, raw + ".zst")

    def events(dump):
        return sorted(line.split(" ", 2)[2] for line in dump.splitlines() if line.startswith("event "))

    assert events(after) == events(before)
    assert sum('"PollEndEvent"' in line for line in events(after)) == counts["polls"]


@tap.case
def recorded_streams_read_equal():
    recorded = glob.glob(os.path.join(DATA, "*", "*.bin")) + glob.glob(os.path.join(DATA, "*", "*.active"))
    assert recorded
    for path in recorded:
        assert_reads_equal(path, path)


tap.run("/interop/dial9")
