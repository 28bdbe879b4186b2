# window.py: starts the real window and drives it through the accessibility bus, keys and the pointer.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing here sleeps to be right: what a test wants to see is waited for, with a deadline."""

import functools
import os
import shutil
import subprocess
import sys
import time

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTS)

import tap  # noqa: E402 pylint: disable=wrong-import-position

DEADLINE = float(os.environ.get("PARKLANE_TEST_DEADLINE", "30"))
INTERVAL = 0.02  # between two looks

WITH_DISPLAY = os.path.join(os.path.dirname(TESTS), "tools", "with-display")
DATA = os.environ.get("PARKLANE_TEST_DATA", os.path.join(TESTS, "data"))
BUILD = os.environ.get("PARKLANE_BUILD_DIR", os.path.join(os.path.dirname(TESTS), "build"))
PROGRAM = os.path.join(BUILD, "viewer", "ui", "parklane")

SIZE = (1400, 900)


def why_not():
    """Returns why no window can be driven here, or None."""
    for tool in ("Xvfb", "dbus-run-session", "xdotool", "import"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    try:
        import pyatspi  # noqa: F401 pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        return "python3-pyatspi is not installed"
    return None


def enter_display():
    """Goes on in a process that has a display, a bus and home folders of its own."""
    if os.environ.get("PARKLANE_TEST_IN_DISPLAY") == "1" or why_not() is not None:
        return
    environment = dict(os.environ, PARKLANE_TEST_IN_DISPLAY="1", PARKLANE_SCREENSHOT_SIZE="%dx%d" % SIZE)
    # A warning is to end the program under test alone: the bus warns of every program that goes away.
    environment["PARKLANE_TEST_G_DEBUG"] = environment.pop("G_DEBUG", "")
    os.execve(WITH_DISPLAY, [WITH_DISPLAY, sys.executable, *sys.argv], environment)


def case(function):
    """Makes a case of a function that needs a display."""
    @functools.wraps(function)
    def run():
        reason = why_not()
        if reason:
            raise tap.Skip(reason)
        function()
    return tap.case(run)


def data(*names):
    return os.path.join(DATA, *names)


def wait_for(what, look):
    """Looks until there is something, and returns it."""
    deadline = time.monotonic() + DEADLINE
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {DEADLINE:g} s: {what}"
        time.sleep(INTERVAL)


def plain(text):
    """The text with usual spaces only."""
    return text.replace("\u202f", " ")


def xdotool(*arguments):
    subprocess.run(["xdotool", *map(str, arguments)], check=True)


class Held:
    """A modifier key that is held down, as a context."""

    def __init__(self, key):
        self.key = key

    def __enter__(self):
        if self.key:
            xdotool("keydown", self.key)

    def __exit__(self, *exception):
        if self.key:
            xdotool("keyup", self.key)


# Newer releases of GTK and of the bus name these otherwise.
OLD_ROLE_NAMES = {"button": "push button", "grouping": "panel", "group": "panel"}


class Node:
    """What the accessibility bus knows of a widget. A widget that went away meanwhile is as one without anything."""

    def __init__(self, accessible):
        self.accessible = accessible

    @property
    def name(self):
        try:
            return plain(self.accessible.name or "")
        except Exception:  # pylint: disable=broad-except
            return ""

    @property
    def description(self):
        try:
            return plain(self.accessible.description or "")
        except Exception:  # pylint: disable=broad-except
            return ""

    @property
    def role(self):
        try:
            name = self.accessible.getRoleName()
            return OLD_ROLE_NAMES.get(name, name)
        except Exception:  # pylint: disable=broad-except
            return ""

    @property
    def children(self):
        try:
            found = [self.accessible.getChildAtIndex(i) for i in range(self.accessible.childCount)]
        except Exception:  # pylint: disable=broad-except
            return []
        return [Node(child) for child in found if child is not None]

    @property
    def text(self):
        text = self.accessible.queryText()
        return plain(text.getText(0, text.characterCount))

    def extents(self):
        import pyatspi  # pylint: disable=import-outside-toplevel

        box = self.accessible.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        return box.x, box.y, box.width, box.height

    def has(self, *states):
        """Whether it has all STATES, as in "focused"."""
        import pyatspi  # pylint: disable=import-outside-toplevel

        try:
            found = self.accessible.getState()
            return all(found.contains(getattr(pyatspi, "STATE_" + state.upper())) for state in states)
        except Exception:  # pylint: disable=broad-except
            return False

    def press(self):
        self.accessible.queryAction().doAction(0)

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


class Window:
    """The program with a window, as a context: it is ended at the end."""

    def __init__(self, *arguments, settings="memory", schemas=os.path.join(BUILD, "data"), through=()):
        """Started by the command THROUGH if it is given."""
        self.arguments = arguments
        self.through = through
        self.settings = settings
        self.schemas = schemas
        self.process = None
        self.root = None
        self.id = None

    def __enter__(self):
        environment = dict(os.environ, GSETTINGS_BACKEND=self.settings, GSETTINGS_SCHEMA_DIR=self.schemas,
                           G_DEBUG=os.environ.get("PARKLANE_TEST_G_DEBUG", ""))
        if self.settings == "file":
            # As it is for people: the program's own files.
            del environment["GSETTINGS_BACKEND"]
        self.process = subprocess.Popen([*self.through, PROGRAM, *self.arguments], env=environment, stderr=subprocess.PIPE, text=True)
        try:
            self.root = wait_for("the program on the accessibility bus", self.find_program)
            self.id = wait_for("a window", self.find_window)
            self.resize(*SIZE)
            xdotool("windowfocus", self.id)
            wait_for("the focus", lambda: self.ask("xdotool", "getwindowfocus") == self.id)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception):
        status = self.process.poll()
        if status is None:
            self.process.terminate()
        _, errors = self.process.communicate()
        if errors:
            print("# " + errors.rstrip().replace("\n", "\n# "))
        assert status is None, f"the program ended by itself with status {status}"

    @staticmethod
    def ask(*command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout.strip()

    def find_program(self):
        import pyatspi  # pylint: disable=import-outside-toplevel

        assert self.process.poll() is None, "the program ended before it had a window"
        for application in pyatspi.Registry.getDesktop(0):
            try:
                if application is not None and application.get_process_id() == self.process.pid and application.childCount:
                    return Node(application)
            except Exception:  # pylint: disable=broad-except # another program that ends just now
                continue
        return None

    def find_window(self):
        found = self.ask("xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", ".")
        return found.split("\n", maxsplit=1)[0]

    def resize(self, width, height):
        xdotool("windowmove", self.id, 0, 0, "windowsize", self.id, width, height)

    def key(self, *keys):
        xdotool("key", "--clearmodifiers", *keys)

    def type(self, text):
        xdotool("type", "--clearmodifiers", text)

    def click(self, node):
        x, y, width, height = node.extents()
        left, top = self.place()
        xdotool("mousemove", left + x + width // 2, top + y + height // 2, "click", 1)

    def place(self):
        """Where the coordinates of the accessibility bus begin on the display: inside of the frame that GTK draws."""
        content = max((node.extents() for node in self.find("frame", lambda node: True).children), key=lambda extents: extents[2])
        outer = dict(line.split("=") for line in self.ask("xdotool", "getwindowgeometry", "--shell", self.id).splitlines())
        # Releases of GTK differ in what they count from; what is as wide as the window tells.
        frame = (int(outer["WIDTH"]) - content[2]) // 2 - content[0]
        return frame, frame

    @staticmethod
    def drag(start, end, modifier=None):
        with Held(modifier):
            xdotool("mousemove", *start)
            xdotool("mousedown", 1)
            xdotool("mousemove", (start[0] + end[0]) // 2, end[1])
            xdotool("mousemove", *end)
            xdotool("mouseup", 1)

    @staticmethod
    def wheel(place, button, modifier=None):
        """Buttons 4 and 5 are a notch up and down."""
        xdotool("mousemove", *place)
        with Held(modifier):
            xdotool("click", button)

    def look(self, role, matches):
        for node in self.root.walk():
            if (role is None or node.role == role) and matches(node):
                return node
        return None

    def find(self, role, matches, what=None):
        return wait_for(what or f"a {role}", lambda: self.look(role, matches))

    def label(self, text):
        """Waits for a label with exactly this text."""
        return self.find("label", lambda node: node.name == text, f"the label “{text}”")

    def label_with(self, part):
        return self.find("label", lambda node: part in node.name, f"a label with “{part}”")

    def has_label(self, text):
        return self.look("label", lambda node: node.name == text) is not None

    def button(self, name):
        return self.find("push button", lambda node: node.name == name, f"the button “{name}”")

    def entry(self):
        return self.find("text", lambda node: node.name == "Threshold", "the threshold entry")

    def timeline(self):
        return self.find("list", lambda node: node.name == "Timeline", "the timeline")

    def lanes(self):
        return [node.name for node in self.timeline().children if node.role == "list item"]

    def rows(self):
        """The rows of the list from top to bottom, as a screen reader reads them out."""
        table = self.look("tree table", lambda node: node.name == "Long polls")
        rows = [] if table is None else [node for node in table.walk() if node.role == "table row"]
        # The bus may tell them in the order they had before.
        placed = sorted((node.extents()[1], node.name) for node in rows if node.name.startswith("Worker "))
        return [name for _, name in placed]

    def wait_for_rows(self, count):
        wait_for(f"{count} rows, there are {len(self.rows())}", lambda: len(self.rows()) == count)
        return self.rows()

    def wait_for_lanes(self, count):
        wait_for(f"{count} lanes", lambda: len(self.lanes()) == count)
        return self.lanes()

    def wait_for_description(self, part):
        return wait_for(f"a timeline that tells “{part}”, not “{self.timeline().description}”",
                        lambda: part in self.timeline().description and self.timeline().description)

    def focused(self):
        """What has the keyboard's focus, which is where a screen reader is, or None."""
        return self.look(None, lambda node: node.has("focused"))

    def pixel(self, x, y):
        """The colour on the display, as red, green, blue."""
        raw = subprocess.run(["import", "-silent", "-window", "root", "-crop", f"1x1+{x}+{y}", "-depth", "8", "rgb:-"],
                             stdout=subprocess.PIPE, check=True).stdout
        return tuple(raw[:3])
