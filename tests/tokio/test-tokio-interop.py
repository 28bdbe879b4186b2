# test-tokio-interop.py: dial9's own analysis reads what Parklane recorded of a Tokio service, and both recorders tell the same.
# SPDX-License-Identifier: GPL-3.0-or-later
import collections
import functools
import glob
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import programs  # noqa: E402
import tap  # noqa: E402
from programs import by_line, cli, events, record, run  # noqa: E402

# What the scene `stalls` injects, and the shortest poll that dial9-reads lists.
N_STALLS = 5


def reads(line, path):
    return json.loads(run(programs.program("dial9-reads"), line, path))


@functools.cache
def recorded():
    """What the program counted, its session, and the one raw segment."""
    counts, path = record("stalls")
    return counts, path, os.path.join(path, "parklane.0.bin")


def record_dial9(name):
    """The same program, recorded by dial9. Returns what it counted and the one segment."""
    path = programs.new_session(name)
    program = programs.program("with-dial9")
    counts = json.loads(run(program, path, "scene", "stalls", env=programs.service_environment(path)))
    segment, = glob.glob(os.path.join(path, "**", "*.bin"), recursive=True)
    return counts, segment


def polls_by_line(found):
    return {place.rsplit(":", 1)[0]: of_it["polls"] for place, of_it in found["locations"].items()}


def assert_counts(found, counts):
    assert polls_by_line(found) == {line: of_it["polls"] for line, of_it in counts["lines"].items()}, found["locations"]
    assert found["names"]["TaskSpawnEvent"] == sum(of_it["tasks"] for of_it in counts["lines"].values())
    assert found["names"]["PollStartEvent"] == found["names"]["PollEndEvent"] == sum(polls_by_line(found).values())
    assert len(found["long"]) == len(counts["stalls"]) == N_STALLS, found["long"]
    # The poll is around what the program measured in it. dial9's streams are one for each thread, not in order of time.
    lengths = sorted(poll["ns"] for poll in found["long"])
    assert all(ns >= stall_ns for ns, stall_ns in zip(lengths, sorted(counts["stalls"]))), (lengths, counts["stalls"])
    # Every task of this program is polled again at once, so that all its stalls have one line.
    assert len({poll["place"] for poll in found["long"]}) == 1, found["long"]


def assert_equals_report(found, path):
    """What dial9's analysis sums up, ours does too, to the nanosecond."""
    report = cli("report", path)
    for worker in report["workers"]:
        theirs = found["workers"][str(worker["id"])]
        assert (theirs["polls"], theirs["poll_ns"]) == (worker["polls"], worker["busy_ns"]), (theirs, worker)
    if "locations" in found:
        ours = {place["spawn_loc"]: {"polls": place["polls"], "poll_ns": place["total_ns"]}
                for place in report["spawn_locations"]}
        assert found["locations"] == ours, (found["locations"], ours)


def assert_same_counts_of_events(found, path):
    """Our own events are custom ones to dial9."""
    known = {name: n for name, n in found["names"].items() if name != "Custom"}
    ours = collections.Counter(cli("info", path)["events"])
    custom = sum(n for name, n in ours.items() if name.startswith("Parklane"))
    assert known == {name: n for name, n in ours.items() if not name.startswith("Parklane")}, (known, ours)
    assert found["names"].get("Custom", 0) == custom, (found["names"], ours)


@tap.case
def todays_analysis_reads_a_raw_segment_as_the_service_counted():
    counts, path, segment = recorded()
    found = reads("today", segment)
    assert_counts(found, counts)
    assert_equals_report(found, path)
    assert_same_counts_of_events(found, path)
    metadata = cli("info", path)["metadata"]
    assert found["metadata"] == metadata, (found["metadata"], metadata)


@tap.case
def todays_analysis_reads_a_decompressed_segment_as_the_raw_one():
    if not shutil.which("zstd"):
        raise tap.Skip("zstd is not installed")
    counts, path = record("stalls", "packed", PARKLANE_COMPRESS="zst")
    packed = os.path.join(path, "parklane.0.bin.zst")
    if not os.path.exists(packed):  # the session ended before it was its turn
        run(programs.program("with-parklane"), "yield", "0.3", "1",
            env=programs.service_environment(path))
    before = cli("report", packed)
    again = os.path.join(programs.scratch.name, "again.bin")
    run("zstd", "-q", "-d", packed, "-o", again)
    found = reads("today", again)
    assert_counts(found, counts)
    assert before["polls"]["count"] == found["names"]["PollStartEvent"]
    assert_equals_report(found, again)


@tap.case
def the_older_analysis_reads_a_raw_segment_as_the_service_counted():
    counts, path, segment = recorded()
    found = reads("older", segment)
    ours = cli("info", path)["events"]
    names = found["names"]
    for name in ("PollStart", "PollEnd", "WorkerPark", "TaskSpawn", "TaskTerminate", "SegmentMetadata", "ClockSync"):
        assert names[name] == ours[name + "Event"], (name, names, ours)
    # It looks spawn locations up by their number in the last batch of the file, so that some have another's name; it takes
    # an unpark whose wait is optional, as dial9 writes it since 0.5, for a custom event; likewise a runtime's metrics.
    assert names["Custom"] == sum(ours.values()) - sum(n for name, n in names.items() if name != "Custom")
    assert sorted(poll["ns"] for poll in found["long"]) == sorted(poll["ns"] for poll in reads("today", segment)["long"])
    assert len(found["long"]) == len(counts["stalls"])
    assert_equals_report(found, path)


@tap.case
def each_field_of_an_event_is_what_both_read():
    """dial9's trace format decodes each value as we do, of hand-overs and blocking work too, which only Parklane records."""
    dial9_peer = programs.program("dial9-peer")
    segments = [recorded()[2]]
    for scene in ("block-in-place-wrapped", "blocking", "runtimes", "pause"):
        segments += sorted(glob.glob(os.path.join(record(scene, "fields-" + scene)[1], "*.bin")))
    for segment in segments:
        ours, theirs = run(programs.DUMP, segment), run(dial9_peer, "dump", segment)
        assert ours == theirs, segment
        assert theirs.endswith(f"\nend {os.path.getsize(segment)}\n"), theirs[-100:]


@tap.case
def both_recorders_tell_the_same_of_the_same_program():
    sessions = []
    for i in range(2):  # in turn
        sessions.append((*record_dial9(f"dial9-{i}"), "dial9"))
        counts, path = record("stalls", f"parklane-{i}")
        sessions.append((counts, os.path.join(path, "parklane.0.bin"), "parklane"))
    found = [reads("today", segment) for _, segment, _ in sessions]

    for (counts, segment, who), of_it in zip(sessions, found):
        assert_counts(of_it, counts)
        # Ours reads both alike as well.
        lines = {line: place["polls"] for line, place in by_line(cli("report", segment)["spawn_locations"]).items()}
        assert lines == polls_by_line(of_it), who
    # Polls of each task, and spawn locations with their columns, are the same in all runs, whoever recorded.
    assert len({json.dumps(of_it["polls_of_tasks"]) for of_it in found}) == 1, [len(of_it["polls_of_tasks"]) for of_it in found]
    assert len({json.dumps(sorted(of_it["locations"])) for of_it in found}) == 1, [sorted(of_it["locations"]) for of_it in found]
    # Parks depend on the machine, and each recorder's own events on the recorder. Tokio tells of the end of each worker,
    # which nobody spawned: the same two in all.
    assert {of_it["names"]["TaskTerminateEvent"] - of_it["names"]["TaskSpawnEvent"] for of_it in found} == {2}


@tap.case
def parks_and_unparks_alternate_on_each_thread():
    _, path, _ = recorded()
    of_threads = collections.defaultdict(list)
    for name in ("WorkerParkEvent", "WorkerUnparkEvent"):
        for event in events(path, name):
            of_threads[event["tid"]].append((event["at_ns"], name))
    assert len(of_threads) == 2, of_threads.keys()
    for tid, happened in of_threads.items():
        names = [name for _, name in sorted(happened)]
        assert all(one != other for one, other in zip(names, names[1:])), (tid, names)


tap.run("/tokio/interop")
