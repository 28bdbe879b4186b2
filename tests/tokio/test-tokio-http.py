# test-tokio-http.py: the example service, configured by its environment as an operator would, and each picture it provokes.
# SPDX-License-Identifier: GPL-3.0-or-later
import contextlib
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import programs  # noqa: E402
import tap  # noqa: E402
from programs import cli, events  # noqa: E402


@contextlib.contextmanager
def service(name, **variables):
    """The service, as a function that sends a request and returns status and content; and its session. It has ended after."""
    path = programs.new_session(name)
    objects = os.path.join(path, "objects")
    environment = programs.service_environment(path, PARKLANE_COMPRESS="none", PARKLANE_SERVICE_NAME="store", **variables)
    process = subprocess.Popen([programs.example("http"), "127.0.0.1:0", objects], env=environment, stdout=subprocess.PIPE,
                               text=True)
    address = process.stdout.readline().split()[-1]

    def ask(method, where, content=None):
        request = urllib.request.Request(f"http://{address}{where}", data=content, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    try:
        yield ask, path
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
        process.stdout.close()


@tap.case
def objects_are_kept_through_the_blocking_pool():
    with service("objects") as (ask, path):
        content = bytes(range(256)) * 100
        assert ask("PUT", "/objects/one", content)[0] == 201
        assert ask("GET", "/objects/one") == (200, content)
        assert ask("GET", "/objects/two")[0] == 404
        assert ask("DELETE", "/objects/one")[0] == 204
        assert ask("GET", "/objects/one")[0] == 404
        assert ask("GET", "/objects/..%2Fone")[0] == 400
        assert ask("PUT", "/objects/.hidden", b"")[0] == 400
    works = list(events(path, "ParklaneBlockingStartEvent"))
    assert len(works) == len(list(events(path, "ParklaneBlockingEndEvent"))) == 5, works
    assert all(work["spawn_loc"].startswith("examples/http.rs:") for work in works), works
    assert cli("info", path)["metadata"]["service_name"] == "store"


@tap.case
def each_endpoint_provokes_its_picture():
    with service("pictures") as (ask, path):
        for where in ("/block?ms=60", "/spin?ms=40", "/block-in-place?ms=50", "/blocking?ms=5&n=4", "/burst?n=500"):
            assert ask("POST", where)[0] == 200, where
        metrics = ask("GET", "/metrics")[1].decode()
        assert "\nhttp_parklane_active_sessions 1\n" in metrics, metrics
    report = cli("report", path, "--threshold", "40ms")
    held = sorted(poll["duration_ns"] for poll in report["long_polls"])
    # A busy machine may make others as long; these two are.
    assert any(ns >= 60_000_000 for ns in held) and len(held) >= 2, report["long_polls"]
    assert (report["polls"]["unpaired"], report["polls"]["open"]) == (0, 0), report["polls"]
    assert len(list(events(path, "ParklaneBlockingStartEvent"))) == 4 + 1
    burst, = [place for place in report["spawn_locations"] if place["polls"] == 1000]
    assert burst["spawn_loc"].startswith("examples/http.rs:"), burst


@tap.case
def switched_off_it_serves_and_writes_nothing():
    with service("off", PARKLANE_ENABLED="false") as (ask, path):
        assert ask("PUT", "/objects/one", b"1")[0] == 201
        assert ask("GET", "/objects/one") == (200, b"1")
        assert b"\nhttp_parklane_active_sessions 0\n" in ask("GET", "/metrics")[1]
    assert os.listdir(path) == ["objects"], os.listdir(path)


tap.run("/tokio/http")
