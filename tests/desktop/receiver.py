#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Another program that takes files: prints each that is dropped on it, and what is in it. receiver.py WIDTH HEIGHT"""

import sys

import gi

gi.require_version('Gdk', '4.0')
gi.require_version('Gtk', '4.0')
from gi.repository import Gdk, Gio, GLib, Gtk  # noqa: E402


def on_drop(_target, files, _x, _y):
    for file in files.get_files():
        content = file.load_contents(None)[1]
        print('dropped', file.get_path(), len(content), flush=True)
    return True


def main():
    application = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)

    def activate(_application):
        window = Gtk.ApplicationWindow(application=application, title='Receiver', decorated=False)
        window.set_default_size(int(sys.argv[1]), int(sys.argv[2]))
        target = Gtk.DropTarget.new(Gdk.FileList, Gdk.DragAction.COPY)
        target.connect('drop', on_drop)
        window.add_controller(target)
        window.present()
        GLib.timeout_add(200, lambda: print('shown', flush=True))

    application.connect('activate', activate)
    application.run([])


if __name__ == '__main__':
    main()
