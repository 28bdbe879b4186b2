# test-tokio-scenes.py: what real Tokio runtimes did is in the trace, poll by poll, as the programs counted it themselves.
# SPDX-License-Identifier: GPL-3.0-or-later
import collections
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import programs  # noqa: E402
import tap  # noqa: E402
from programs import by_line, cli, events, record  # noqa: E402


def assert_polls(counts, path):
    """Each poll of each line that spawned is there once, with its end. Returns the report."""
    report = cli("report", path, "--limit", "1000")
    found = {line: place["polls"] for line, place in by_line(report["spawn_locations"]).items()}
    wanted = {line: of_it["polls"] for line, of_it in counts["lines"].items()}
    assert found == wanted, f"polls by line: {found} is not {wanted}"
    assert report["polls"]["count"] == sum(wanted.values()), report["polls"]
    assert (report["polls"]["open"], report["polls"]["unpaired"]) == (0, 0), report["polls"]
    assert report["tasks"]["spawned"] == sum(of_it["tasks"] for of_it in counts["lines"].values()), report["tasks"]
    return report


@tap.case
def polls_and_spawn_locations_are_exact_on_two_workers():
    counts, path = record("plain")
    assert_polls(counts, path)
    assert counts["metrics"]["dropped"] == 0
    recorded = cli("info", path)["events"]
    assert recorded["PollStartEvent"] == recorded["PollEndEvent"] == sum(line["polls"] for line in counts["lines"].values())


@tap.case
def polls_and_spawn_locations_are_exact_on_a_current_thread_runtime():
    counts, path = record("current-thread")
    report = assert_polls(counts, path)
    assert [worker["id"] for worker in report["workers"]] == [0]


@tap.case
def compressed_segments_have_the_same_polls():
    if not shutil.which("zstd"):
        raise tap.Skip("zstd is not installed")
    counts, path = record("plain", "again")
    before = {line: place["polls"] for line, place in by_line(cli("report", path)["spawn_locations"]).items()}
    programs.run("zstd", "-q", "--rm", os.path.join(path, "parklane.0.bin"))
    after = {line: place["polls"] for line, place in by_line(cli("report", path)["spawn_locations"]).items()}
    assert before == after == {line: of_it["polls"] for line, of_it in counts["lines"].items()}


@tap.case
def workers_of_a_runtime_are_contiguous_and_under_its_name():
    counts, path = record("runtimes")
    report = assert_polls(counts, path)
    metadata = cli("info", path)["metadata"]
    assert metadata["runtime.main"] == "0,1,2", metadata
    assert metadata["runtime.io"] == "3,4", metadata
    assert metadata["runtime.local"] == "5", metadata
    polls = {worker["id"]: worker["polls"] for worker in report["workers"]}
    assert set(polls) <= set(range(6)), polls
    # 20 tasks of 2 polls on the second and third runtime, twice as many on the first.
    groups = (range(3), range(3, 5), [5])
    assert [sum(polls.get(worker, 0) for worker in group) for group in groups] == [80, 40, 40], polls


@tap.case
def h22_plain_spawns_count_and_what_does_not_is_said():
    counts, path = record("local")
    report = assert_polls(counts, path)
    lines = by_line(report["spawn_locations"])
    assert f"with-parklane/src/scenes.rs:{counts['local_line']}" not in lines
    said = cli("info", path)["metadata"]
    assert said["tokio.poll_coverage"] == "all", said
    assert "LocalSet" in said["parklane.tokio.not_recorded"] and "block_on" in said["parklane.tokio.not_recorded"], said


def polls_of_tasks(path):
    """By task: its line, and begin and end of its polls in order, as the report pairs them."""
    report = cli("report", path, "--limit", "100000", "--threshold", "0ns")
    assert report["polls"]["count"] == len(report["long_polls"]) == len(list(events(path, "PollStartEvent")))
    tasks = collections.defaultdict(list)
    for poll in sorted(report["long_polls"], key=lambda poll: poll["start_ns"]):
        line = poll["spawn_loc"].rsplit(":", 1)[0]
        tasks[poll["task_id"], line].append((poll["start_ns"], poll["start_ns"] + poll["duration_ns"]))
    return tasks


def assert_hand_over(scene):
    """For the worker, a poll ends where its thread loses the worker; what comes after is told as detached."""
    counts, path = record(scene)
    assert_polls(counts, path)
    tasks = polls_of_tasks(path)
    detached = list(events(path, "ParklaneDetachedPollEvent"))
    assert len(detached) == 5, detached
    for rest in detached:
        (line, polls), = [(line, polls) for (task, line), polls in tasks.items() if task == rest["task_id"]]
        # Of its three polls, such a task spends the second one in place.
        assert polls[1] == (rest["start_ns"], rest["lost_ns"]), (line, polls, rest)
    blocked = {rest["task_id"] for rest in detached}
    for (task, line), polls in tasks.items():
        # One thread at a time polls a task: were ends given to the starts of another thread, polls would overlap.
        assert all(end <= begin for (_, end), (begin, _) in zip(polls, polls[1:])), (task, line, polls)
        if task in blocked:
            continue
        # It is waited for in place. The end of a task's last poll is told after the news of it.
        begin, end = polls[0][0], polls[-1][0]
        assert any(rest["start_ns"] <= begin and end <= rest["at_ns"] for rest in detached), (task, line, polls, detached)
    return path


@tap.case
def h23_block_in_place_hands_the_worker_over_and_every_poll_pairs():
    assert_hand_over("block-in-place")


@tap.case
def h23_the_wrapper_adds_the_time_in_place():
    path = assert_hand_over("block-in-place-wrapped")
    begins = list(events(path, "ParklaneBlockingStartEvent"))
    ends = list(events(path, "ParklaneBlockingEndEvent"))
    assert (len(begins), len(ends)) == (5, 5), (begins, ends)


@tap.case
def h24_tasks_that_yield_wake_themselves_or_have_ended_are_not_lost():
    counts, path = record("quiet")
    report = assert_polls(counts, path)
    recorded = cli("info", path)["events"]
    spawned = {event["task_id"] for event in events(path, "TaskSpawnEvent")}
    ended = {event["task_id"] for event in events(path, "TaskTerminateEvent")}
    # Whoever looks for tasks that nobody wakes sees that all have ended, while their handles are kept, and has no
    # wakes whose absence could be taken for a proof.
    assert len(spawned) == report["tasks"]["spawned"] == 60
    assert spawned <= ended, spawned - ended
    assert "WakeEvent" not in recorded and "WakeEventEvent" not in recorded


@tap.case
def blocking_work_has_its_queue_wait_and_run_time():
    counts, path = record("blocking")
    begins = sorted(events(path, "ParklaneBlockingStartEvent"), key=lambda event: event["at_ns"])
    ends = sorted(event["at_ns"] for event in events(path, "ParklaneBlockingEndEvent"))
    times = counts["blocking_ns"]
    assert len(begins) == len(ends) == len(times) == 5
    for i, (begin, end, measured) in enumerate(zip(begins, ends, times)):
        assert begin["spawn_loc"].startswith(f"with-parklane/src/scenes.rs:{counts['blocking_line']}:"), begin
        assert end - begin["at_ns"] >= measured, (begin, end, measured)
        # The pool has one thread: who was asked for at the same time waits for all before.
        assert begin["queue_wait_ns"] >= sum(times[1:i]), (i, begin, times)


@tap.case
def a_pause_is_a_gap_and_a_rotation_loses_nothing():
    counts, path = record("pause")
    wanted = sum(line["polls"] for line in counts["lines"].values())
    polls = cli("report", path)["polls"]
    # Tokio tells a task's end before that of its last poll: a pause may cut one off where it begins, and one where it ends.
    assert wanted - 1 <= polls["count"] <= wanted, polls
    assert polls["unpaired"] + polls["open"] <= 2, polls
    segments = sorted(name for name in os.listdir(path) if ".bin" in name)
    assert segments == ["parklane.0.bin", "parklane.1.bin"], segments
    gaps = list(events(path, "ParklaneGapEvent"))
    assert len(gaps) == 1, gaps


@tap.case
def a_panicking_task_is_polled_and_ends_like_another():
    counts, path = record("panics")
    assert_polls(counts, path)
    spawned = {event["task_id"] for event in events(path, "TaskSpawnEvent")}
    assert spawned <= {event["task_id"] for event in events(path, "TaskTerminateEvent")}


@tap.case
def a_process_that_leaves_through_the_hook_has_everything_on_file():
    counts, path = record("exit")
    assert_polls(counts, path)
    assert [name for name in os.listdir(path) if ".bin" in name] == ["parklane.0.bin"]


@tap.case
def a_directory_that_cannot_be_made_leaves_the_service_running():
    program = programs.program("with-parklane")
    output = programs.run(program, "yield", "0.1", "2", env=programs.service_environment("/proc/no/such/place"))
    assert output.startswith("poll_ns\t"), output
    assert "events" not in output, output


tap.run("/tokio/scenes")
