# test-desktop-files.py: what desktops and software centres read: desktop file, metainfo, schema, service, MIME type, icons.
# SPDX-License-Identifier: GPL-3.0-or-later
import configparser
import functools
import os
import re
import subprocess
import tempfile
import xml.etree.ElementTree

import installed
import tap
from installed import need, run

SCRATCH = tempfile.TemporaryDirectory(prefix="parklane-desktop-")  # pylint: disable=consider-using-with # goes with the process
ID = "org.parklane.Parklane"
TYPE = "application/x-dial9-trace"


@functools.cache
def share():
    if not os.path.exists(os.path.join(installed.BUILD, "viewer", "ui", "parklane")):
        raise tap.Skip("built without the window")
    return os.path.join(installed.install(installed.BUILD, os.path.join(SCRATCH.name, "root")),
                        installed.options_of(installed.BUILD)["datadir"])


def read(*path):
    with open(os.path.join(share(), *path), encoding="utf-8") as file:
        return file.read()


def desktop_entry():
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read_string(read("applications", ID + ".desktop"))
    return parser["Desktop Entry"]


@tap.case
def desktop_file_is_valid_and_offers_traces_and_folders():
    need("desktop-file-validate")
    complaints = run("desktop-file-validate", os.path.join(share(), "applications", ID + ".desktop"))
    assert "error" not in complaints, complaints
    entry = desktop_entry()
    assert entry["MimeType"].strip(";").split(";") == [TYPE, "inode/directory"], entry["MimeType"]
    assert entry["DBusActivatable"] == "true" and entry["Icon"] == ID, dict(entry)


@tap.case
def session_bus_starts_the_installed_program():
    service = read("dbus-1", "services", ID + ".service")
    prefix = installed.options_of(installed.BUILD)["prefix"]
    assert f"Name={ID}\n" in service and f"Exec={prefix}/bin/parklane --gapplication-service\n" in service, service


@tap.case
def metainfo_is_valid():
    need("appstreamcli")
    run("appstreamcli", "validate", "--no-net", "--pedantic", os.path.join(share(), "metainfo", ID + ".metainfo.xml"))


@tap.case
def metainfo_has_every_version_that_the_news_have():
    with open(os.path.join(installed.ROOT, "NEWS.md"), encoding="utf-8") as file:
        news = re.findall(r"^## ([0-9.]+)", file.read(), re.MULTILINE)
    tree = xml.etree.ElementTree.fromstring(read("metainfo", ID + ".metainfo.xml"))
    told = [release.get("version") for release in tree.iter("release")]
    assert news and news == told, (news, told)


@tap.case
def every_preference_has_a_summary_and_a_description():
    need("glib-compile-schemas")
    folder = os.path.join(share(), "glib-2.0", "schemas")
    run("glib-compile-schemas", "--strict", "--dry-run", folder)
    tree = xml.etree.ElementTree.fromstring(read("glib-2.0", "schemas", ID + ".gschema.xml"))
    keys = list(tree.iter("key"))
    assert keys, "no keys at all"
    bare = [key.get("name") for key in keys if not key.findtext("summary") or not key.findtext("description")]
    assert not bare, f"without a word on what they are: {bare}"
    endless = [key.get("name") for key in keys if key.get("type") in ("i", "x", "u", "t", "d") and key.find("range") is None]
    assert not endless, f"numbers without a range: {endless}"


@functools.cache
def mime_home():
    """A data folder in which the type is registered as the installation does it."""
    need("update-mime-database", "gio")
    home = os.path.join(SCRATCH.name, "home")
    os.makedirs(os.path.join(home, "mime", "packages"))
    with open(os.path.join(home, "mime", "packages", ID + ".xml"), "w", encoding="utf-8") as file:
        file.write(read("mime", "packages", ID + ".xml"))
    subprocess.run(["update-mime-database", os.path.join(home, "mime")], check=True, stderr=subprocess.DEVNULL)
    return home


def type_of(path):
    told = run("gio", "info", "-a", "standard::content-type", path, env=dict(os.environ, XDG_DATA_HOME=mime_home()))
    return re.search(r"standard::content-type: (\S+)", told)[1]


def is_nameless(path):
    """Compressed under a name that does not say so: neither name nor content tells that it is a trace."""
    with open(path, "rb") as file:
        return path.endswith(".bin") and file.read(2) == b"\x1f\x8b"


@tap.case
def every_recorded_trace_has_the_type():
    paths = [path for path in installed.traces() if not is_nameless(path)]
    assert paths, "no traces at all"
    others = {path: told for path in paths if (told := type_of(path)) != TYPE}
    assert not others, others


@tap.case
def compressed_segments_have_the_type_by_name():
    need("zstd")
    path = os.path.join(SCRATCH.name, "trace.0.bin.zst")
    run("zstd", "-q", installed.traces()[0], "-o", path)
    assert type_of(path) == TYPE, type_of(path)


@tap.case
def other_files_of_the_same_name_are_left_alone():
    path = os.path.join(SCRATCH.name, "firmware.bin")
    for content in (b"\x7fELF\x02\x01\x01" + bytes(64), b"TRCK" + bytes(64), b"just text\n"):
        with open(path, "wb") as file:
            file.write(content)
        assert type_of(path) != TYPE, content


@tap.case
def icons_are_installed_for_every_size_and_for_one_colour():
    for path in ("scalable/apps/" + ID + ".svg", "symbolic/apps/" + ID + "-symbolic.svg"):
        root = xml.etree.ElementTree.fromstring(read("icons", "hicolor", path))
        assert root.tag.endswith("svg") and root.get("width") == root.get("height"), path


tap.run("/install/desktop-files")
