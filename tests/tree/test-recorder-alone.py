# test-recorder-alone.py: a machine without GLib and GTK builds the recorder and the demo, and the demo records.
# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import shutil
import subprocess
import tempfile

import tree
import tap


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


@tap.case
def recorder_and_demo_build_without_glib():
    if shutil.which("meson") is None:
        raise tap.Skip("no meson here")
    with tempfile.TemporaryDirectory() as scratch:
        only_zstd = pkg_config_path_with_only("libzstd", os.path.join(scratch, "pc"))
        env = {**os.environ, "PKG_CONFIG_LIBDIR": only_zstd, "PKG_CONFIG_PATH": ""}
        build = os.path.join(scratch, "build")

        run("meson", "setup", build, tree.ROOT, "-Dviewer=auto", "-Dcli=auto", env=env)
        run("ninja", "-C", build, env=env)

        assert not os.path.exists(os.path.join(build, "viewer", "cli", "parklane-cli")), "GLib was found after all"
        output = os.path.join(scratch, "session")
        os.mkdir(output)
        summary = run(os.path.join(build, "recorder", "demo", "parklane-demo"),
                      "--output", output, "--seconds", "1", "--workers", "2", "--rate", "1000").splitlines()[-1]
        assert json.loads(summary)["polls"] > 0, summary
        assert os.listdir(output), "no segment was written"


tap.run("/tree/recorder-alone")
