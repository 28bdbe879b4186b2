# portal.py: plays the settings portal of a desktop for tests: portal.py FILE, where FILE holds "SCHEME CONTRAST".
# SPDX-License-Identifier: GPL-3.0-or-later
"""SIGUSR1 lets it read FILE again and tell of the change."""

import signal
import sys

from gi.repository import Gio, GLib

APPEARANCE = "org.freedesktop.appearance"
PATH = "/org/freedesktop/portal/desktop"
INTERFACE = """<node><interface name="org.freedesktop.portal.Settings">
<method name="ReadAll"><arg type="as" direction="in"/><arg type="a{sa{sv}}" direction="out"/></method>
<signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
</interface></node>"""

BUS = Gio.bus_get_sync(Gio.BusType.SESSION)


def values():
    with open(sys.argv[1], encoding="utf-8") as file:
        scheme, contrast = file.read().split()
    return {"color-scheme": GLib.Variant("u", int(scheme)), "contrast": GLib.Variant("u", int(contrast))}


def call(_bus, _sender, _path, _interface, _method, _arguments, invocation):
    invocation.return_value(GLib.Variant("(a{sa{sv}})", ({APPEARANCE: values()},)))


def tell():
    for key, value in values().items():
        BUS.emit_signal(None, PATH, "org.freedesktop.portal.Settings", "SettingChanged",
                        GLib.Variant("(ssv)", (APPEARANCE, key, value)))
    return GLib.SOURCE_CONTINUE


BUS.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], call, None, None)
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, tell)
Gio.bus_own_name_on_connection(BUS, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.REPLACE,
                               lambda *_: print("ready", flush=True), None)
GLib.MainLoop().run()
