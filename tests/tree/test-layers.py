# test-layers.py: dependencies go one way, and files stay findable and small enough to hold in a head.
# SPDX-License-Identifier: GPL-3.0-or-later
import collections
import os
import re

import tree
import tap

# Whose headers a layer may include, beside its own.
MAY_USE = {
    "recorder": set(),
    "viewer/trace": {"recorder"},
    "viewer/analysis": {"viewer/trace"},
    "viewer/watch": {"viewer/trace"},
    "viewer/render": {"viewer/trace", "viewer/analysis"},
    "viewer/cli": {"viewer/trace", "viewer/analysis", "viewer/watch", "viewer/render", "recorder"},
    "viewer/ui": {"viewer/trace", "viewer/analysis", "viewer/watch", "viewer/render"},
}
INCLUDE = re.compile(rb'^#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
LONGEST = 700


def layer_of(path):
    return next((layer for layer in MAY_USE if path.startswith(layer + "/")), None)


def includes(path):
    """Yields (is one of ours, name) for each header that PATH includes."""
    for quote, name in INCLUDE.findall(tree.read(path)):
        yield quote == b'"', name.decode()


@tap.case
def includes_go_one_way():
    layer_by_header = {os.path.basename(path): layer_of(path) for path in tree.files(".h")}
    against = []
    for path in tree.files(".c", ".h"):
        layer = layer_of(path)
        for is_ours, name in includes(path):
            other = layer_by_header.get(os.path.basename(name)) if is_ours else None
            if layer and other and other != layer and other not in MAY_USE[layer]:
                against.append(f"{path} includes {name} of {other}")
    assert not against, against


@tap.case
def engine_takes_only_the_format_from_the_recorder():
    taken = {os.path.basename(name) for path in tree.files(".c", ".h", under="viewer") for ours, name in includes(path)
             if ours and layer_of(path) != "viewer/cli"
             and os.path.exists(os.path.join(tree.ROOT, "recorder", os.path.basename(name)))}
    assert taken == {"trc.h"}, taken


@tap.case
def command_line_calls_the_recorder_by_its_public_header():
    taken = {os.path.basename(name) for path in tree.files(".c", ".h", under="viewer/cli") for ours, name in includes(path)
             if ours and os.path.exists(os.path.join(tree.ROOT, "recorder", os.path.basename(name)))}
    assert taken == {"parklane-recorder.h"}, taken


@tap.case
def only_the_window_includes_gtk():
    users = {layer_of(path) or "tests" for path in tree.files(".c", ".h")
             for _, name in includes(path) if name.startswith(("gtk/", "gdk/", "adwaita"))}
    assert users <= {"viewer/ui", "tests"}, users


@tap.case
def recorder_includes_no_glib():
    users = [path for path in tree.files(".c", ".h", under="recorder")
             for _, name in includes(path) if name.startswith(("glib", "gio"))]
    assert not users, users


@tap.case
def file_names_are_unique():
    counts = collections.Counter(os.path.basename(path) for path in tree.files(".c", ".h", ".ui", ".py"))
    assert counts, "no files at all"
    twice = [name for name, count in counts.items() if count > 1]
    assert not twice, twice


@tap.case
def no_source_file_outgrows_a_head():
    sizes = {path: tree.read(path).count(b"\n") for path in tree.files(".c", ".h", ".py")}
    too_long = {path: lines for path, lines in sizes.items() if lines > LONGEST}
    assert not too_long, f"over {LONGEST} lines: {too_long}"


tap.run("/tree/layers")
