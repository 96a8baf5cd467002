#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the desktop's portal that hands files from one sandbox to another: prints each file that it is given, and gives
it to whoever has the key. Its interface: org.freedesktop.portal.FileTransfer of xdg-desktop-portal."""

import os

from gi.repository import Gio, GLib

FACE = Gio.DBusNodeInfo.new_for_xml('''<node><interface name="org.freedesktop.portal.FileTransfer">
  <method name="StartTransfer"><arg type="a{sv}" direction="in"/><arg type="s" direction="out"/></method>
  <method name="AddFiles"><arg type="s" direction="in"/><arg type="ah" direction="in"/><arg type="a{sv}" direction="in"/></method>
  <method name="RetrieveFiles"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="as" direction="out"/></method>
</interface></node>''').interfaces[0]

transfers = {}


def start():
    key = str(len(transfers))
    transfers[key] = []
    return GLib.Variant('(s)', (key,))


def add(invocation, key, handles):
    given = invocation.get_message().get_unix_fd_list()
    for handle in handles:
        fd = given.get(handle)
        transfers[key].append(os.readlink(f'/proc/self/fd/{fd}'))
        os.close(fd)
        print('given', transfers[key][-1], flush=True)


def on_call(_connection, _sender, _path, _interface, method, arguments, invocation):
    words = arguments.unpack()
    answer = None
    if method == 'StartTransfer':
        answer = start()
    elif method == 'AddFiles':
        add(invocation, words[0], words[1])
    else:
        answer = GLib.Variant('(as)', (transfers[words[0]],))
    invocation.return_value(answer)


def on_bus(connection, _name):
    connection.register_object('/org/freedesktop/portal/documents', FACE, on_call, None, None)


Gio.bus_own_name(Gio.BusType.SESSION, 'org.freedesktop.portal.Documents', Gio.BusNameOwnerFlags.NONE, on_bus,
                 lambda *_: print('shown', flush=True), None)
GLib.MainLoop().run()
