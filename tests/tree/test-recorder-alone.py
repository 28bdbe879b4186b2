# test-recorder-alone.py: a machine without GLib and GTK builds the recorder and the demo, and the demo records.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import json
import os
import shutil
import subprocess
import tempfile

import tree
import tap


SCRATCH = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with # goes with the process


def run(*command, env=None):
    result = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert result.returncode == 0, result.stdout
    return result.stdout


def pkg_config_path_with_only(name, folder):
    """Makes a folder in which pkg-config finds one package and no other."""
    where = run("pkg-config", "--variable=pcfiledir", name).strip()
    os.mkdir(folder)
    os.symlink(os.path.join(where, name + ".pc"), os.path.join(folder, name + ".pc"))
    return folder


@functools.cache
def build_alone():
    """Builds with no package in sight but zstd. Returns the build directory, the prefix to install to and the environment."""
    scratch = SCRATCH.name
    if shutil.which("meson") is None:
        raise tap.Skip("no meson here")
    only_zstd = pkg_config_path_with_only("libzstd", os.path.join(scratch, "pc"))
    env = {**os.environ, "PKG_CONFIG_LIBDIR": only_zstd, "PKG_CONFIG_PATH": ""}
    build, prefix = os.path.join(scratch, "build"), os.path.join(scratch, "installed")
    run("meson", "setup", build, tree.ROOT, "-Dviewer=auto", "-Dcli=auto", "--prefix", prefix, "--libdir", "lib", env=env)
    run("ninja", "-C", build, env=env)
    return build, prefix, env


@tap.case
def recorder_and_demo_build_without_glib():
    build, _, _ = build_alone()
    assert not os.path.exists(os.path.join(build, "viewer", "cli", "parklane-cli")), "GLib was found after all"
    with tempfile.TemporaryDirectory() as scratch:
        output = os.path.join(scratch, "session")
        os.mkdir(output)
        summary = run(os.path.join(build, "recorder", "demo", "parklane-demo"),
                      "--output", output, "--seconds", "1", "--workers", "2", "--rate", "1000").splitlines()[-1]
        assert json.loads(summary)["polls"] > 0, summary
        assert os.listdir(output), "no segment was written"


def read_service():
    """The service of one file that recorder/README.md shows."""
    text = tree.read("recorder/README.md").decode()
    begin = text.index("```c\n") + len("```c\n")
    return text[begin:text.index("```", begin)]


@tap.case
def service_of_the_readme_builds_against_what_is_installed_and_records():
    build, prefix, env = build_alone()
    run("meson", "install", "-C", build, "--no-rebuild", env=env)
    env = {**env, "PKG_CONFIG_PATH": os.path.join(prefix, "lib", "pkgconfig")}
    with tempfile.TemporaryDirectory() as scratch:
        source = os.path.join(scratch, "service.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(read_service())

        for name, options in (("shared", []), ("static", ["--static"])):
            flags = run("pkg-config", *options, "--cflags", "--libs", "parklane-recorder", env=env).split()
            if options:
                flags = [os.path.join(prefix, "lib", "libparklane-recorder.a") if flag == "-lparklane-recorder" else flag
                         for flag in flags]
            program = os.path.join(scratch, name)
            output = os.path.join(scratch, "trace-" + name)
            run("cc", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", source, "-o", program, "-pthread", *flags)
            metrics = run(program, env={**os.environ, "LD_LIBRARY_PATH": os.path.join(prefix, "lib"),
                                        "SERVICE_TRACE_ENABLED": "true", "SERVICE_TRACE_OUTPUT_DIR": output})
            assert "service_trace_events_total 12001\n" in metrics, metrics
            assert any(name.startswith("parklane.0.bin") for name in os.listdir(output)), os.listdir(output)


tap.run("/tree/recorder-alone")
