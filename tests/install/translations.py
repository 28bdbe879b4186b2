# translations.py: languages for tests: locales made without root, and a language in which what is not translated shows.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import os
import re
import tempfile

import installed
from installed import ROOT, need, run

SCRATCH = tempfile.TemporaryDirectory(prefix="parklane-languages-")  # pylint: disable=consider-using-with # goes with the process
CALL = re.compile(r"(?<!\w)(?:_|N_|C_|NC_|Q_|ngettext|g_dngettext|g_dpgettext2) ?\(")
PSEUDO = "en@pseudo"


def with_words():
    """The files with words to translate, sorted."""
    found = []
    for folder in ("data", "viewer"):
        for path in installed.files_below(os.path.join(ROOT, folder)):
            path = os.path.join(folder, path)
            if path.endswith((".c", ".h", ".ui")):
                with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                    text = file.read()
                if CALL.search(text) if not path.endswith(".ui") else 'translatable="yes"' in text:
                    found.append(path)
            elif path.startswith("data") and path.endswith((".desktop.in", ".xml", ".xml.in")):
                found.append(path)
    return sorted(found)


def listed(name):
    with open(os.path.join(ROOT, "po", name), encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if line and not line.startswith("#")]


@functools.cache
def template():
    """The path of the template that translators begin with."""
    need("xgettext")
    path = os.path.join(SCRATCH.name, "parklane.pot")
    # The keywords of meson's preset "glib".
    keywords = ("_", "N_", "C_:1c,2", "NC_:1c,2", "g_dcgettext:2", "g_dngettext:2,3", "g_dpgettext2:2c,3", "ngettext:1,2", "Q_:1g")
    run("xgettext", "--from-code=UTF-8", "--add-comments", "--package-name=parklane", "--output=" + path, "--directory=" + ROOT,
        *("--keyword=" + word for word in keywords), *listed("POTFILES"))
    return path


@functools.cache
def locales():
    """A folder for LOCPATH with the locales that tests need."""
    need("localedef")
    folder = os.path.join(SCRATCH.name, "locales")
    os.mkdir(folder)
    for name in ("de_DE", "en_US", "zh_CN"):
        run("localedef", "--no-archive", "-i", name, "-f", "UTF-8", os.path.join(folder, name + ".UTF-8"))
    return folder


def environment(locale, **more):
    """Variables under which a program speaks LOCALE."""
    return dict(os.environ, LOCPATH=locales(), LC_ALL=locale + ".UTF-8", G_DEBUG="", **more)


@functools.cache
def pseudo_tree():
    """An installed tree with the pseudo-language. Its programs speak it under pseudo_environment()."""
    need("msgen", "msgfilter", "msgfmt")
    prefix = installed.install(installed.BUILD, os.path.join(SCRATCH.name, "root"))
    english, pseudo = os.path.join(SCRATCH.name, "en.po"), os.path.join(SCRATCH.name, "pseudo.po")
    folder = os.path.join(prefix, "share", "locale", PSEUDO, "LC_MESSAGES")
    os.makedirs(folder)
    charset = "s/CHARSET/UTF-8/; s/nplurals=INTEGER; plural=EXPRESSION/nplurals=2; plural=(n != 1)/"
    run("sed", "-i", charset, template())
    run("msgen", template(), "--output=" + english)
    run("msgfilter", "--keep-header", "--input=" + english, "--output=" + pseudo, "sed", "-f",
        os.path.join(ROOT, "tools", "pseudo-locale.sed"), env=dict(os.environ, LC_ALL="C.UTF-8"))
    run("msgfmt", "--check-format", pseudo, "--output=" + os.path.join(folder, "parklane.mo"))
    return prefix


def pseudo_environment():
    return environment("en_US", LANGUAGE=PSEUDO)
