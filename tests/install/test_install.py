#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs as installed, in a directory of their own, where neither sources nor build directory can be seen.

usage: test_install.py PENTIMENTO-CLI SOURCE BUILD [XVFB-RUN]
"""

import configparser
import fnmatch
import json
import os
import pathlib
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

from harness import Skip, World, case, cli, main, same

SOURCE, BUILD = (os.path.realpath(path) for path in sys.argv[2:4])
XVFB = sys.argv[4:]
TYPE = 'application/x-perf-data'
STORE_TYPE = 'application/x-pentimento'
RECORDING_ICON = 'io.github.pentimento.Pentimento.recording'
STORE_ICON = 'io.github.pentimento.Pentimento.store'
DESKTOP = 'io.github.pentimento.Pentimento.desktop'
# Mounts are the command's own: an empty directory covers the sources, another the build directory.
HIDE = ('for hidden in "$1" "$2"; do [ ! -d "$hidden" ] || mount -t tmpfs none "$hidden" || exit 99; done; '
        'shift 2; exec "$@"')


def prefix():
    options = json.loads(pathlib.Path(BUILD, 'meson-info/intro-buildoptions.json').read_text())
    return next(option['value'] for option in options if option['name'] == 'prefix')


def run(*words, **more):
    got = subprocess.run(words, capture_output=True, timeout=240, **more)
    assert got.returncode == 0, '%s: exit status %d: %s' % (
        ' '.join(map(str, words)), got.returncode, (got.stdout + got.stderr).decode(errors='replace'))
    return got.stdout


class Installed(World):
    """Installs on first use, for all cases."""
    _kept = None

    def __init__(self, work, cache):
        super().__init__(work, cache)
        self.env.pop('PENTIMENTO_LIBEXEC', None)
        if not Installed._kept:
            directory = tempfile.TemporaryDirectory(prefix='pen-install-')
            run('meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--strip', '--destdir', directory.name)
            Installed._kept = directory
            # Before a case makes a cache of types.
            root = pathlib.Path(directory.name + prefix())
            Installed.files = [path.relative_to(root) for path in root.rglob('*') if path.is_file()]
        self.root = pathlib.Path(Installed._kept.name + prefix())
        self.capture = self.path('some.data')
        shutil.copytree(os.path.join(SOURCE, 'tests/data/b-ftrace.data'), self.capture)

    def run_hidden(self, program, *words, env=None, under=()):
        """@program of the installed ones, with the sources and the build directory out of its reach."""
        probe = subprocess.run(['unshare', '--map-root-user', '--mount', 'true'], capture_output=True)
        if probe.returncode != 0:
            raise Skip('no mounts here: ' + probe.stderr.decode().strip())
        return run('unshare', '--map-root-user', '--mount', 'sh', '-c', HIDE, 'hide', SOURCE, BUILD,
                   *under, str(self.root / 'bin' / program), *words, env=env or self.env, cwd=self.directory)


def write(path, held):
    with open(path, 'wb') as file:
        file.write(held)


def libraries(program):
    return run('ldd', str(program)).decode()


@case
def the_command_line_imports_and_answers(world):
    got = world.run_hidden('pentimento-cli', 'annotate', 'vfs_read', world.capture)
    same(got, run(cli, 'annotate', 'vfs_read', world.capture, env=world.env))
    assert b'ftrace_trampoline' in got


@case
def the_command_line_starts_the_program_that_draws(world):
    world.run_hidden('pentimento-cli', 'render', world.capture, '-o', world.path('overview.svg'))
    assert b'<svg' in world.read('overview.svg')


@case
def the_command_line_is_linked_without_gtk(world):
    for program in ['bin/pentimento-cli', 'libexec/pentimento-render', 'libexec/pentimento-source-lines']:
        found = [line for line in libraries(world.root / program).splitlines() if 'libgtk' in line or 'libadwaita' in line]
        same(found, [])
    assert 'libcairo' not in libraries(world.root / 'bin/pentimento-cli')


@case
def the_window_opens_a_recording(world):
    if not XVFB:
        raise Skip('no window, or no xvfb-run')
    env = dict(world.env, GDK_BACKEND='x11', GSK_RENDERER='cairo', GTK_A11Y='none', GIO_USE_VFS='local',
               GSETTINGS_BACKEND='memory', ADW_DISABLE_PORTAL='1')
    sizes = {}
    for name, words in (('opened.png', [world.capture]), ('empty.png', [])):
        world.run_hidden('pentimento', '--screenshot=' + world.path(name), *words, env=env,
                         under=[XVFB[0], '-a', '-s', '-screen 0 1600x1000x24'])
        picture = world.read(name)
        assert picture.startswith(b'\x89PNG'), picture[:8]
        width, height = struct.unpack('>II', picture[16:24])
        assert width > 600 and height > 400, (width, height)
        sizes[name] = len(picture)
    # Text, lanes and a map, where the first page has an icon and some buttons.
    assert sizes['opened.png'] > 2 * sizes['empty.png'], sizes


@case
def the_example_has_the_text_of_what_it_opens_on(world):
    example = world.root / 'share/pentimento/example.data'
    if not example.exists():
        raise Skip('the window brings the example')
    hottest = next(row for row in world.csv('functions', str(example)) if int(row['changes']) and row['kind'] == 'kernel')
    lines = world.csv('annotate', hottest['symbol'], str(example))
    assert len(lines) > 100, len(lines)
    same([line['instruction'] for line in lines if line['instruction'].startswith('(bytes')], [])
    assert max(int(line['version']) for line in lines) > 3, lines


@case
def the_type_is_registered(world):
    if not (world.root / 'share/mime').is_dir():
        raise Skip('the window brings the type')
    for program in ['update-mime-database', 'update-desktop-database', 'gio']:
        if not shutil.which(program):
            raise Skip('no ' + program)
    share = world.root / 'share'
    run('update-mime-database', str(share / 'mime'))
    run('update-desktop-database', str(share / 'applications'))
    env = dict(world.env, XDG_DATA_DIRS='%s:/usr/share' % share, XDG_DATA_HOME=world.path('data'), GIO_USE_VFS='local',
               PATH='%s:%s' % (world.root / 'bin', os.environ['PATH']),
               XDG_CONFIG_HOME=world.path('config'), XDG_CONFIG_DIRS=world.path('config'))

    def is_type(path, kind, icon):
        shown = run('gio', 'info', '-a', 'standard::content-type,standard::icon', path, env=env).decode()
        same('content-type: %s\n' % kind in shown, True)
        # The first is the one to be shown.
        same(re.search(r'standard::icon: ([^,\n]*)', shown).group(1), icon)

    # By what is in them: names say nothing.
    captures = sorted(pathlib.Path(SOURCE, 'tests/data').glob('*.data/data'))
    assert len(captures) > 10, captures
    for number, capture in enumerate([*captures, pathlib.Path(SOURCE, 'tests/data/a-pipe.data')]):
        shutil.copy(capture, world.path('capture-%d' % number))
        is_type(world.path('capture-%d' % number), TYPE, RECORDING_ICON)
    for order, name in (('<', b'PERFILE2'), ('>', b'2ELIFREP')):
        for size in (16, 104):
            write(world.path('header'), name + struct.pack(order + 'Q', size))
            is_type(world.path('header'), TYPE, RECORDING_ICON)
    world.run('import', os.path.join(SOURCE, 'tests/data/a-pipe.data'), '-o', world.path('some.pentimento'))
    shutil.copy(world.path('some.pentimento'), world.path('unnamed'))
    for name in ('some.pentimento', 'unnamed'):
        is_type(world.path(name), STORE_TYPE, STORE_ICON)
    # Another program's database is not taken for one.
    foreign = sqlite3.connect(world.path('foreign'))
    foreign.executescript('PRAGMA application_id = 7; CREATE TABLE some (thing)')
    foreign.close()
    assert STORE_TYPE not in run('gio', 'info', world.path('foreign'), env=env).decode()

    for kind in (TYPE, STORE_TYPE):
        assert DESKTOP in run('gio', 'mime', kind, env=env).decode()
    for icon in ('apps/io.github.pentimento.Pentimento', 'mimetypes/' + RECORDING_ICON, 'mimetypes/' + STORE_ICON):
        assert (share / 'icons/hicolor/scalable' / (icon + '.svg')).is_file(), icon


@case
def the_desktop_opens_both_types_with_it(world):
    """By gio open, and by xdg-open, which calls that in GNOME."""
    share = world.root / 'share'
    if not (share / 'mime').is_dir():
        raise Skip('the window brings the type')
    for program in ['update-mime-database', 'update-desktop-database', 'gio']:
        if not shutil.which(program):
            raise Skip('no ' + program)
    run('update-mime-database', str(share / 'mime'))
    run('update-desktop-database', str(share / 'applications'))
    # In place of the window, of which other tests are: says what it was called with.
    os.mkdir(world.path('bin'))
    write(world.path('bin/pentimento'), b'#!/bin/sh\nprintf "%s\\n" "$@" >"$TOLD.part" && mv "$TOLD.part" "$TOLD"\n')
    os.chmod(world.path('bin/pentimento'), 0o755)
    env = dict(world.env, XDG_DATA_DIRS='%s:/usr/share' % share, XDG_DATA_HOME=world.path('data'), GIO_USE_VFS='local',
               PATH='%s:%s' % (world.path('bin'), os.environ['PATH']), TOLD=world.path('told'), XDG_CURRENT_DESKTOP='GNOME',
               DISPLAY=':none', XDG_CONFIG_HOME=world.path('config'), XDG_CONFIG_DIRS=world.path('config'))
    env.pop('WAYLAND_DISPLAY', None)
    env.pop('DBUS_SESSION_BUS_ADDRESS', None)
    shutil.copy(os.path.join(SOURCE, 'tests/data/a-pipe.data'), world.path('some recording'))
    world.run('import', os.path.join(SOURCE, 'tests/data/a-pipe.data'), '-o', world.path('some.pentimento'))
    for opener in (['gio', 'open'], ['xdg-open']):
        for name in ('some recording', 'some.pentimento'):
            if not shutil.which(opener[0]):
                continue
            run(*opener, world.path(name), env=env)
            for _ in range(600):
                if os.path.exists(world.path('told')):
                    break
                time.sleep(0.1)
            told = world.read('told').decode().strip()
            same(urllib.parse.unquote(told.removeprefix('file://')), os.path.realpath(world.path(name)))
            os.unlink(world.path('told'))


def translations(language, text):
    """Of @text in the catalogue of @language: none, or one that is not fuzzy."""
    held = pathlib.Path(SOURCE, 'po', language + '.po').read_text(encoding='utf-8')
    return re.findall(r'(?m)^(?!#, fuzzy).*\nmsgid "%s"\nmsgstr "(.+)"$' % text, held)


@case
def the_names_of_the_types_are_translated(world):
    file = world.root / 'share/mime/packages/io.github.pentimento.Pentimento.xml'
    if not file.exists():
        raise Skip('the window brings the types')
    held = file.read_text(encoding='utf-8')
    for text in ('perf recording', 'Pentimento store'):
        assert '<comment>%s</comment>' % text in held, text
        for language in pathlib.Path(SOURCE, 'po/LINGUAS').read_text().split():
            for translation in translations(language, text):
                same('<comment xml:lang="%s">%s</comment>' % (language, translation) in held, True)


@case
def file_managers_find_the_thumbnailer(world):
    entries = list((world.root / 'share').glob('thumbnailers/*'))
    if not entries and not (world.root / 'bin/pentimento').exists():
        raise Skip('the window brings it')
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(entries)
    entry = entry['Thumbnailer Entry']
    same(sorted(entry['MimeType'].strip(';').split(';')), sorted([TYPE, STORE_TYPE]))
    same(entry['TryExec'], os.path.join(prefix(), 'libexec/pentimento-thumbnailer'))
    # As the file manager puts the words in, with the directory that all of it went to.
    shutil.copy(os.path.join(SOURCE, 'tests/data/a-pipe.data'), world.path('with blank'))
    put = {'%s': '256', '%i': world.path('with blank'), '%o': world.path('picture.png')}
    words = [put.get(word, word) for word in entry['Exec'].split()]
    same(words[0], entry['TryExec'])
    world.run_hidden('../libexec/' + os.path.basename(words[0]), *words[1:])
    same(struct.unpack('>II', world.read('picture.png')[16:24]), (256, 192))


@case
def nothing_names_the_sources(world):
    files = [path for path in world.root.rglob('*') if path.is_file()]
    assert len(files) >= 6, files
    for path in files:
        held = path.read_bytes()
        for name in (SOURCE, BUILD):
            assert name.encode() not in held, '%s names %s' % (path, name)


MACROS = {'_bindir': 'usr/bin', '_libdir': 'usr/lib/*', '_libexecdir': 'usr/libexec', '_datadir': 'usr/share',
          '_metainfodir': 'usr/share/metainfo', '_mandir': 'usr/share/man'}


def named_by_debian():
    for kind in ('install', 'manpages', 'docs'):
        for path in pathlib.Path(SOURCE, 'debian').glob('*.' + kind):
            yield from path.read_text().split()


def named_by_the_spec():
    for macro, rest in re.findall(r'(?m)^%\{(_\w+)\}(/\S*)$', pathlib.Path(SOURCE, 'packaging/pentimento.spec').read_text()):
        yield MACROS[macro] + rest.rstrip('/')


@case
def the_packages_name_each_file(world):
    files = [str(pathlib.Path('usr') / path) for path in world.files]
    assert len(files) >= 6, files
    for named in (list(named_by_debian()), list(named_by_the_spec())):
        # Both packages take all languages by a rule of their own.
        same([file for file in files if not file.startswith('usr/share/locale/')
              and not any(fnmatch.fnmatch(file, name) or fnmatch.fnmatch(file, name + '/*') for name in named)], [])


@case
def the_command_line_alone_asks_for_no_gtk(world):
    """Set up where GTK and libadwaita are not to be found."""
    found = pathlib.Path(world.path('pkgconfig'))
    found.mkdir()
    for directory in run('pkg-config', '--variable', 'pc_path', 'pkg-config').decode().strip().split(':'):
        for file in pathlib.Path(directory).glob('*.pc'):
            if not file.name.startswith(('gtk4', 'libadwaita')) and not (found / file.name).exists():
                (found / file.name).symlink_to(file)
    env = dict(world.env, PKG_CONFIG_LIBDIR=str(found))
    build = world.path('build')
    run('meson', 'setup', '-Dwindow=false', '-Dtests=false', build, SOURCE, env=env)
    plan = json.loads(run('meson', 'introspect', '--installed', build))
    names = sorted(os.path.basename(path) for path in plan.values() if '/locale/' not in path)
    same(names, ['manual.md', 'pentimento-cli', 'pentimento-cli', 'pentimento-cli.1', 'pentimento-render',
                 'pentimento-source-lines', 'pentimento-sqlite.so'])


main(Installed)
