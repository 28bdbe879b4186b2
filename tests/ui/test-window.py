# test-window.py: the real window: what it opens, shows and does.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import struct
import subprocess
import tempfile

import window
from window import Window, case, data, wait_for, xdotool

window.enter_display()

import tap  # noqa: E402 pylint: disable=wrong-import-position

MULTI = data("v057-multi", "trace.0.bin")
SCRATCH = tempfile.TemporaryDirectory(prefix="parklane-window-")


def write(name, content):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def set_threshold(opened, text):
    opened.click(opened.entry())
    opened.key("ctrl+a")
    opened.type(text)
    wait_for(f"“{text}” in the entry", lambda: opened.entry().text == text)
    opened.key("Return")


def place_on_lanes(opened, share):
    """A place on the first lane, a share of the time axis from its left end."""
    x, y, width, _ = opened.timeline().extents()
    left, top = opened.place()
    return left + x + 136 + round(share * (width - 136)), top + y + 60


def span_of(description):
    """The start and the end of the view, in ms."""
    words = description.split()
    assert words[:2] == ["View", "from"], description
    units = {"s": 1000, "ms": 1, "µs": 0.001}
    ends = description[len("View from "):description.index(", ")].split(" to ")
    return [0 if end == "0" else float(end.split()[0]) * units[end.split()[1]] for end in ends]


@case
def opened_file_is_named_and_summed_up():
    with Window(MULTI) as opened:
        opened.label("workload-multi")
        summary = opened.label_with("loaded in").name
        assert summary.startswith("loaded in ") and summary.endswith(" · 3 workers · 2.02 s · 34 430 events"), summary


@case
def each_worker_has_a_lane():
    with Window(MULTI) as opened:
        lanes = opened.wait_for_lanes(3)
        assert lanes == ["worker 0 · runtime front", "worker 1 · runtime front", "worker 2 · runtime back,end"], lanes
        opened.wait_for_description("3 lanes")


def varint(value):
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def of_workers(count):
    """A trace in which each worker polls once, all within a millisecond."""
    def schema(number, name, fields):
        return (b"\x01" + struct.pack("<HH", number, len(name)) + name + b"\x01" + struct.pack("<H", len(fields))
                + b"".join(struct.pack("<H", len(field)) + field + bytes([kind]) for field, kind in fields))

    start = [(b"worker_id", 9), (b"local_queue", 11), (b"task_id", 9), (b"spawn_loc", 7)]
    events = b"".join(
        b"\x02\x01\x00" + b"\x01\x00\x00" + varint(worker) + b"\x00\x01" + struct.pack("<I", 0)
        + b"\x02\x02\x00" + b"\x64\x00\x00" + varint(worker) for worker in range(count))
    return (b"TRC\x00\x01" + schema(1, b"PollStartEvent", start) + schema(2, b"PollEndEvent", start[:1])
            + b"\x03" + struct.pack("<III", 1, 0, 8) + b"a.rs:1:1" + b"\x05" + struct.pack("<Q", 10 ** 9) + events)


@case
def thousands_of_workers_have_items_for_what_is_in_view():
    with Window(write("thousands.bin", of_workers(3002))) as opened:
        opened.label_with("3 000 workers")
        timeline = opened.timeline()
        wait_for("items", lambda: 0 < len(timeline.children) < 1000)
        assert timeline.children[0].name == "worker 0", timeline.children[0].name
        place = place_on_lanes(opened, 0.5)

        def later():
            window.xdotool("mousemove", *place, "click", "--repeat", "100", "--delay", "1", "5")
            return timeline.children[0].name != "worker 0"

        wait_for("items of later workers", later)
        assert len(timeline.children) < 1000


@case
def list_holds_the_polls_at_or_over_the_threshold_longest_first():
    with Window(MULTI) as opened:
        rows = opened.wait_for_rows(9)
        assert "poll of 90.1 ms" in rows[0] and "task 60" in rows[0] and "workloads.rs:90:29" in rows[0], rows[0]
        assert "poll of 1.27 ms" in rows[8] and "task 9" in rows[8], rows[8]
        opened.label("9 polls at or over the threshold")


@case
def another_threshold_makes_other_rows():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        set_threshold(opened, "40 ms")
        opened.wait_for_rows(2)
        opened.label("2 polls at or over the threshold")
        set_threshold(opened, "500us")
        opened.wait_for_rows(10)


@case
def threshold_of_the_command_line_counts():
    with Window("--threshold", "12.2ms", MULTI) as opened:
        opened.wait_for_rows(3)


@case
def threshold_is_remembered():
    with Window(MULTI, settings="file") as opened:
        opened.wait_for_rows(9)
        set_threshold(opened, "40 ms")
        opened.wait_for_rows(2)
    with Window(MULTI, settings="file") as opened:
        opened.wait_for_rows(2)
        assert opened.entry().text == "40 ms"


@case
def without_an_installed_schema_the_defaults_count():
    with Window(MULTI, schemas=SCRATCH.name) as opened:
        opened.wait_for_rows(9)
        set_threshold(opened, "40 ms")
        opened.wait_for_rows(2)


@case
def no_rows_say_so_and_offer_a_lower_threshold():
    with Window("--threshold", "0.4 s", MULTI) as opened:
        opened.label("No polls at or above 400 ms; the longest is 90.1 ms")
        opened.button("Lower the Threshold to 90.1 ms").press()
        opened.wait_for_rows(1)


@case
def what_is_no_duration_is_marked_and_changes_nothing():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        set_threshold(opened, "soon")
        wait_for("the reason", lambda: "“soon” is no duration" in opened.entry().description)
        assert opened.entry().text == "soon"
        opened.wait_for_rows(9)
        opened.key("Escape")
        wait_for("the threshold that counts", lambda: opened.entry().text == "1 ms")


@case
def letters_in_the_entry_are_text():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        before = opened.timeline().description
        opened.click(opened.entry())
        opened.key("ctrl+a")
        opened.type("wasdnpfz.,")
        wait_for("the letters in the entry", lambda: opened.entry().text == "wasdnpfz.,")
        assert opened.timeline().description == before
        assert opened.has_label("In view")


@case
def broken_file_shows_what_precedes_the_fault_and_names_it():
    content = bytearray(read(MULTI))
    content[200000:200100] = bytes(100)
    path = write("broken.bin", content)
    with Window(path) as opened:
        message = opened.find(None, lambda node: "at byte" in node.name, "a message").name
        assert path in message and "at byte 200" in message, message
        assert opened.label_with("were not read").name.startswith("What comes before the fault is shown")
        assert len(opened.lanes()) > 0


@case
def what_is_no_trace_says_what_it_looks_like():
    path = write("notes.bin", b"Shopping list: eggs, milk, a better runtime\n")
    with Window(path) as opened:
        message = opened.find(None, lambda node: "notes.bin" in node.name and "trace" in node.name, "a message").name
        assert path in message, message
        opened.label("Nothing of it could be read.")
        opened.label("Open a trace")


@case
def missing_file_says_so():
    path = os.path.join(SCRATCH.name, "gone.bin")
    with Window(path) as opened:
        opened.find(None, lambda node: "gone.bin" in node.name, "a message")
        opened.label("Open a trace")


@case
def folder_is_one_session():
    with Window(data("v057-killrot")) as opened:
        opened.wait_for_lanes(4)
        wait_for("a summary", lambda: opened.look("label", lambda node: " · 4 workers · " in node.name))


@case
def trace_without_worker_events_says_so():
    with Window(data("v057-killed-early", "trace.0.bin.active")) as opened:
        opened.label("No worker events")
        opened.label_with("200 RuntimeMetricsEvent")


@case
def empty_trace_is_a_friendly_state():
    path = write("empty.bin", b"TRC\0\x01")
    with Window(path) as opened:
        opened.label("This trace is empty")


@case
def n_and_p_step_through_long_polls_in_time_order():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        opened.key("n")
        opened.label("Poll of task 22")
        opened.key("n")
        opened.label("Poll of task 35")
        opened.key("p")
        opened.label("Poll of task 22")


@case
def walking_a_lane_is_told_to_assistive_technology():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        opened.key("n")
        first = opened.wait_for_description("Worker 2 · runtime back,end: poll of 12.3 ms, over the threshold, task 22")
        opened.key("period")
        second = wait_for("another poll", lambda: opened.timeline().description != first and opened.timeline().description)
        assert second.startswith("Worker 2 · runtime back,end: poll of "), second
        opened.key("comma")
        opened.wait_for_description("task 22")
        opened.key("shift+Up")
        opened.wait_for_description("Worker 1 · runtime front: poll of ")


@case
def zooming_can_be_taken_back_and_done_again():
    with Window(MULTI) as opened:
        whole = opened.wait_for_description("View from 0 to ")
        opened.key("w")
        opened.wait_for_description("View from ")
        zoomed = wait_for("a narrower view", lambda: opened.timeline().description != whole and opened.timeline().description)
        opened.key("z")
        wait_for("the view before", lambda: opened.timeline().description == whole)
        opened.key("alt+Right")
        wait_for("the narrower view", lambda: opened.timeline().description == zoomed)
        opened.key("alt+Left")
        wait_for("the view before", lambda: opened.timeline().description == whole)
        opened.key("w")
        wait_for("a narrower view", lambda: opened.timeline().description != whole)
        opened.key("Home")
        wait_for("the whole trace", lambda: opened.timeline().description == whole)


@case
def wheel_with_control_zooms_at_the_pointer():
    with Window(MULTI) as opened:
        whole = opened.wait_for_description("View from 0 to ")
        place = place_on_lanes(opened, 0.25)
        zoomed = whole
        # Each notch is waited for: a description read between two of them would be taken for the last one's.
        for _ in range(4):
            before = zoomed
            opened.wheel(place, 4, "ctrl")
            zoomed = wait_for("a narrower view", lambda: opened.timeline().description != before and opened.timeline().description)
        start, end = span_of(zoomed)
        whole_start, whole_end = span_of(whole)
        pointed_at = whole_start + 0.25 * (whole_end - whole_start)
        assert abs((pointed_at - start) / (end - start) - 0.25) < 0.01, zoomed
        opened.wheel(place, 5, "ctrl")
        wait_for("a wider view", lambda: opened.timeline().description not in (whole, zoomed))


@case
def wheel_alone_changes_no_time_and_with_shift_pans():
    with Window("--at", "+1 s", "--span", "100 ms", MULTI) as opened:
        before = opened.wait_for_description("100 ms")
        place = place_on_lanes(opened, 0.5)
        opened.wheel(place, 5)
        opened.wheel(place, 5, "shift")
        panned = wait_for("another view", lambda: opened.timeline().description != before and opened.timeline().description)
        assert "100 ms" in panned
        # One notch is a tenth of the view; the wheel alone added nothing to it.
        assert abs(span_of(panned)[0] - span_of(before)[0] - 10) < 0.1, (before, panned)


@case
def lanes_are_drawn_on_after_a_collapsed_runtime_opened_for_a_poll():
    # The lanes grow by more than fits, which makes room for a scroll bar: a warning here ended with lanes never drawn.
    with Window(MULTI) as opened:
        opened.resize(1200, 700)
        opened.wait_for_rows(9)
        left, top = opened.place()
        x, y, _, _ = wait_for("a low timeline", lambda: opened.timeline().extents()[3] < 300 and opened.timeline().extents())
        band = (left + x + 700, top + y + 195)
        parked = opened.pixel(*band)
        xdotool("mousemove", left + x + 12, top + y + 154, "click", 1)
        wait_for("a closed runtime", lambda: opened.pixel(*band) != parked)
        opened.key("p")
        opened.wait_for_description("over the threshold")
        opened.wheel((left + x + 400, top + y + 100), 5)
        opened.key("n")
        opened.label("Poll of task 145")


@case
def drag_pans_and_with_alt_zooms():
    with Window("--at", "+1 s", "--span", "100 ms", MULTI) as opened:
        before = opened.wait_for_description("100 ms")
        opened.drag(place_on_lanes(opened, 0.5), place_on_lanes(opened, 0.3))
        panned = wait_for("another view", lambda: opened.timeline().description != before and opened.timeline().description)
        assert abs(span_of(panned)[0] - span_of(before)[0] - 20) < 0.5, (before, panned)
        opened.drag(place_on_lanes(opened, 0.2), place_on_lanes(opened, 0.6), "alt")
        zoomed = wait_for("a narrower view", lambda: opened.timeline().description != panned and opened.timeline().description)
        assert abs(span_of(zoomed)[1] - span_of(zoomed)[0] - 40) < 0.5, zoomed
        assert not opened.has_label("Selected range")


@case
def status_line_tells_what_lies_under_the_pointer():
    with Window("--at", "+151 ms", "--span", "40 ms", MULTI) as opened:
        opened.wait_for_description("40 ms")
        x, y, width, height = opened.timeline().children[2].extents()
        left, top = opened.place()
        window.xdotool("mousemove", left + x + width // 2, top + y + 24)
        # A status has no name of its own in newer GTK; its text is what is read out.
        status = opened.find("status bar", lambda node: "worker 2" in node.text, "the status line").text
        assert "polling task 60 for " in status and "of 90.1 ms" in status and "workloads.rs:90:29" in status, status


@case
def selected_row_is_the_selected_poll():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        opened.click(opened.label("12.3 ms"))
        opened.label("Poll of task 22")
        opened.wait_for_description("task 22")


@case
def header_sorts_the_list():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        # Longest first at first; the same header turns the order round.
        opened.click(opened.label("Duration"))
        wait_for("the shortest first", lambda: opened.rows() and "poll of 1.27 ms" in opened.rows()[0])
        opened.click(opened.label("Start"))
        wait_for("the earliest first", lambda: opened.rows() and "task 22" in opened.rows()[0])
        opened.click(opened.label("Worker"))
        wait_for("worker 1 first", lambda: opened.rows() and opened.rows()[0].startswith("Worker 1 "))


@case
def details_tell_the_poll_and_its_task():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        opened.click(opened.label("1.27 ms"))
        opened.label("Poll of task 9")
        for fact in ("Worker: 1 · runtime front", "Started: +129.439 ms", "Spawned at: src/../../workloads.rs:48:17"):
            opened.find("panel", lambda node, wanted=fact: node.name == wanted, fact)
        opened.find("panel", lambda node: node.name.startswith("Busy: ") and "of the session" in node.name, "its task")


@case
def figures_of_a_selected_range_say_that_they_are():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        opened.drag(place_on_lanes(opened, 0.3), place_on_lanes(opened, 0.5), "shift")
        opened.label("Selected range")
        opened.label("Workers in the selected range")
        opened.key("Escape")
        opened.label("In view")
        wait_for("no selected range", lambda: not opened.has_label("Selected range"))


@case
def escape_clears_the_range_first_and_then_the_selection():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        opened.key("n")
        opened.label("Poll of task 22")
        opened.drag(place_on_lanes(opened, 0.3), place_on_lanes(opened, 0.5), "shift")
        opened.label("Selected range")
        opened.key("Escape")
        wait_for("no selected range", lambda: not opened.has_label("Selected range"))
        assert opened.has_label("Poll of task 22")
        opened.key("Escape")
        wait_for("no selected poll", lambda: not opened.has_label("Poll of task 22"))


@case
def window_without_a_trace_names_the_next_step():
    with Window() as opened:
        opened.label("Open a trace")
        opened.find("push button", lambda node: "Open Files…" in node.name)
        opened.find("push button", lambda node: "Open Folder…" in node.name)


@case
def opened_files_are_offered_again():
    path = write("again.bin", read(MULTI))
    with Window(path) as opened:
        opened.wait_for_rows(9)
    with Window() as opened:
        opened.button(path).press()
        opened.wait_for_rows(9)


@case
def question_mark_shows_keys_and_gestures():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        opened.key("question")
        opened.label("Previous poll on this lane")


@case
def each_command_line_has_its_own_window():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        second = subprocess.run([window.PROGRAM, data("v057-idle")], check=False, timeout=window.DEADLINE)
        assert second.returncode == 0
        wait_for("a second window", lambda: len([node for node in opened.root.children if node.role == "frame"]) == 2)
        opened.label("workload-idle")
        opened.label("workload-multi")


@case
def dark_theme_is_dark_and_light_is_light():
    with Window("--theme", "dark", MULTI) as opened:
        opened.wait_for_rows(9)
        wait_for("a dark window", lambda: max(opened.pixel(1300, 880)) < 80)
    with Window("--theme", "light", MULTI) as opened:
        opened.wait_for_rows(9)
        wait_for("a light window", lambda: min(opened.pixel(1300, 880)) > 200)


@case
def small_window_keeps_lanes_and_overview_and_clips_nothing():
    with Window(MULTI) as opened:
        opened.wait_for_rows(9)
        opened.resize(360, 300)
        handle = opened.button("Long polls 9")
        wait_for("the narrow layout", lambda: 0 < handle.extents()[2] <= 360)
        for node in (handle, opened.entry(), opened.button("Open"), opened.button("Menu"), opened.timeline(),
                     opened.find("panel", lambda node: node.name == "Overview of the session")):
            wait_for(f"{node.name} inside of the window", lambda node=node: is_inside(opened, node, 360, 300))
        handle.press()
        wait_for("the list pulled up", lambda: handle.extents()[1] < 180)


def is_inside(opened, node, width, height):
    x, y, node_width, node_height = node.extents()
    left, top = opened.place()
    return 0 <= left + x and 0 <= top + y and 0 < node_width <= width - x and 0 < node_height <= height - y


@case
def view_of_the_command_line_is_shown():
    with Window("--at", "+182ms", "--span", "210ms", MULTI) as opened:
        opened.wait_for_description("View from +77.000 ms to +287.000 ms, 210 ms")


@case
def wrong_usage_is_exit_status_2():
    for arguments in (["--threshold", "soon"], ["--theme", "pink"], ["--at", "later"], ["--span", "-1"]):
        result = subprocess.run([window.PROGRAM, *arguments, MULTI], stderr=subprocess.PIPE, text=True, check=False,
                                timeout=window.DEADLINE)
        assert result.returncode == 2, (arguments, result.returncode)
        assert arguments[0] in result.stderr, result.stderr


tap.run("/ui/window")
