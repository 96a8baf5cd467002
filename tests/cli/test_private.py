#!/usr/bin/env python3
"""What comes of a recording is as private as the recording; whose directories are used (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import shutil
import stat
import subprocess
import sys

import harness
from harness import case, cli, main, same

data = os.path.abspath(sys.argv[2])
DIRECTORY = os.path.join(data, 'b-ftrace.data')
CAPTURE = os.path.join(DIRECTORY, 'data')

# The recording's permissions, the umask → those of what comes of it. The owner's group is that of
# the files that it makes.
MODES = [
    (0o600, 0o022, 0o600),
    (0o400, 0o000, 0o600),
    (0o640, 0o022, 0o640),
    (0o640, 0o000, 0o660),
    (0o640, 0o077, 0o600),
    (0o644, 0o022, 0o644),
    (0o644, 0o002, 0o664),
    (0o644, 0o077, 0o600),
    (0o444, 0o022, 0o644),
]

# Each writes the file that is named last.
OUTPUTS = [
    ('import', '-o', 's.pentimento'),
    ('info', '--format=json', '-o', 'info.json'),
    ('samples', '--format=csv', '-o', 'samples.csv'),
    ('functions', '-o', 'table'),
    ('sql', 'SELECT 1', '-o', 'answer'),
    ('render', '-o', 'picture.svg'),
    ('render', '-o', 'picture.png'),
    ('render', '-o', 'picture.pdf'),
]


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class World(harness.World):
    """With a cache of its own, and a recording that may be changed."""

    def __init__(self, directory, _cache):
        super().__init__(directory, os.path.join(directory, 'cache'))
        self.cache = self.path('cache/pentimento')
        self.capture = self.path('perf.data')
        shutil.copyfile(CAPTURE, self.capture)
        os.chmod(self.capture, 0o600)

    def under(self, umask, *words, status=0, **more):
        """Run with that umask."""
        before = os.umask(umask)
        try:
            return self.run(*words, status=status, **more)
        finally:
            os.umask(before)

    def make_directory(self, name):
        """A recording as perf record --kcore makes it."""
        shutil.copytree(DIRECTORY, self.path(name))
        return self.path(name)


# ---- who may read it ----

@case
def outputs_are_as_private_as_the_recording(w):
    for recorded, umask, expected in MODES:
        os.chmod(w.capture, recorded)
        for words in OUTPUTS if recorded == 0o600 else OUTPUTS[:2]:
            out = w.path(words[-1])
            if os.path.exists(out):
                os.unlink(out)
            w.under(umask, words[0], w.capture, *words[1:])
            assert mode(out) == expected, '%s of 0%o under 0%o: 0%o, not 0%o' % (
                ' '.join(words), recorded, umask, mode(out), expected)


@case
def a_file_that_is_replaced_does_not_open(w):
    with open(w.path('out'), 'w', encoding='utf-8'):
        pass
    for before, recorded, expected in ((0o644, 0o600, 0o600), (0o600, 0o644, 0o600), (0o644, 0o644, 0o644)):
        os.chmod(w.path('out'), before)
        os.chmod(w.capture, recorded)
        w.under(0o022, 'info', w.capture, '-o', 'out')
        same(mode(w.path('out')), expected)


@case
def a_directory_is_what_its_data_is(w):
    for directory, inner, expected in ((0o755, 0o644, 0o644), (0o755, 0o600, 0o600), (0o700, 0o644, 0o600),
                                       (0o750, 0o644, 0o640)):
        capture = w.make_directory('d-%o-%o' % (directory, inner))
        os.chmod(os.path.join(capture, 'data'), inner)
        os.chmod(capture, directory)
        for words in [*OUTPUTS[:2], ('text', 'vfs_read', '--at=end', '--raw', '-o', 'bytes')]:
            out = w.path(words[-1])
            if os.path.exists(out):
                os.unlink(out)
            w.under(0o022, words[0], capture, *words[1:])
            same((words, oct(mode(out))), (words, oct(expected)))


@case
def a_folder_with_a_recording_is_that_recording(w):
    os.mkdir(w.path('folder'), 0o755)
    os.rename(w.capture, w.path('folder/perf.data'))
    w.under(0o022, 'import', w.path('folder'), '-o', 's.pentimento')
    same(mode(w.path('s.pentimento')), 0o600)
    os.chmod(w.path('folder/perf.data'), 0o644)
    w.under(0o022, 'info', w.path('folder'), '-o', 'out')
    same(mode(w.path('out')), 0o644)


@case
def a_store_is_what_its_tables_are(w):
    os.chmod(w.capture, 0o644)
    w.under(0o022, 'import', w.capture, '-o', 's.pentimento')
    os.chmod(w.path('s.pentimento'), 0o600)
    w.under(0o022, 'info', 's.pentimento', '-o', 'out')
    same(mode(w.path('out')), 0o600)


@case
def a_pipe_is_private(w):
    os.chmod(w.capture, 0o644)
    with open(w.capture, 'rb') as file:
        w.under(0o022, 'info', '-', '-o', 'from-file', stdin=file)
    same(mode(w.path('from-file')), 0o644)
    with open(w.capture, 'rb') as file:
        w.under(0o022, 'import', '-', '-o', 'from-pipe', input=file.read())
    same(mode(w.path('from-pipe')), 0o600)


@case
def access_lists_count(w):
    os.chmod(w.capture, 0o640)
    if not shutil.which('setfacl') or subprocess.run(['setfacl', '-m', 'u:1:r', w.capture],
                                                     check=False, capture_output=True).returncode != 0:
        raise harness.Skip('no access control lists here')
    # The group itself may read it; but that cannot be seen in the bits.
    w.under(0o022, 'info', w.capture, '-o', 'out')
    same(mode(w.path('out')), 0o600)


# ---- the cache ----

@case
def the_cache_is_the_users_own(w):
    os.chmod(w.capture, 0o644)
    w.under(0, 'info', w.capture)
    same(mode(w.cache), 0o700)
    for wider in (0o755, 0o750, 0o711):
        os.chmod(w.cache, wider)
        w.run('info', w.capture)
        same(mode(w.cache), 0o700)
    # Its files are, too, whoever may read the recording.
    same({mode(os.path.join(w.cache, name)) for name in os.listdir(w.cache)}, {0o600})


@case
def a_cache_that_others_could_fill_is_refused(w):
    os.makedirs(w.cache)
    for wider in (0o777, 0o770, 0o1777):
        os.chmod(w.cache, wider)
        got = w.run('info', w.capture, )
        assert b'as a cache; imports go to' in got.stderr, got.stderr
        same(os.listdir(w.cache), [])
        same(mode(w.cache), wider)


# ---- directories that are relative ----

@case
def relative_directories_are_ignored(w):
    home = w.path('home')
    os.mkdir(home)
    env = dict(w.env, HOME=home)
    for name in ('CACHE', 'CONFIG', 'DATA', 'STATE'):
        env['XDG_%s_HOME' % name] = 'here/' + name
    env['XDG_DATA_DIRS'] = 'here/one:here/two'
    for words in (['info', w.capture], ['cache', '--limit=1GB'], ['import', w.capture, '-o', 's.pentimento']):
        got = subprocess.run([cli, *words], env=env, cwd=w.directory, capture_output=True, check=False)
        same((got.returncode, got.stderr if words[0] == 'info' else b''), (0, b''))
    assert not os.path.exists(w.path('here'))
    assert os.path.isdir(home + '/.cache/pentimento')
    assert os.path.isfile(home + '/.config/pentimento/settings.ini')


# ---- links in a recording ----

@case
def links_do_not_lead_astray(w):
    good = w.make_directory('good')
    expected = w.run('functions', good, '--format=csv').stdout
    outside = w.path('elsewhere')
    os.mkdir(outside)
    for name in ('data', 'kcore_dir/kallsyms', 'kcore_dir'):
        for way in ('%s', '/proc/self/root%s', '/proc/self/cwd/../../../../../..%s', 'astray%s', 'loop'):
            capture = w.make_directory('capture')
            moved = os.path.join(outside, os.path.basename(name))
            shutil.move(os.path.join(capture, name), moved)
            target = way % moved if '%' in way else way
            os.symlink('/proc/self/root', os.path.join(capture, 'astray'))
            os.symlink('loop', os.path.join(capture, 'loop'))
            if way != '%s' and not target.startswith('/'):
                target = os.path.join(capture, target)
            os.symlink(target, os.path.join(capture, name))
            for opened in (capture, capture + '/data'):
                if way == '%s':
                    same(w.run('functions', opened, '--format=csv').stdout, expected)
                else:
                    message = w.run('functions', opened, status=1).stderr.decode()
                    assert 'is a link to a place that' in message, (name, way, message)
                    message = w.run('import', opened, '-o', 's.pentimento', status=1).stderr.decode()
                    assert 'is a link to a place that' in message, (name, way, message)
            shutil.rmtree(capture)
            if os.path.isdir(moved):
                shutil.rmtree(moved)
            else:
                os.unlink(moved)


@case
def folders_have_no_such_links_either(w):
    os.mkdir(w.path('folder'))
    os.symlink('/proc/self/root' + w.capture, w.path('folder/perf.data'))
    message = w.run('info', 'folder', status=1).stderr.decode()
    assert 'is a link to a place that' in message, message
    # What is named itself is the user's word.
    w.run('info', '/proc/self/root' + w.capture)
    w.run('info', '/proc/self/root' + w.make_directory('directory'))


# ---- long names ----

LONG = [('n' * 250 + '.data', 's' * 244 + '.pentimento'),
        ('ä' * 125 + '.data', 'ö' * 122 + '.pentimento'),
        ('\u202e' * 83 + '.data', '\U0001f600' * 61 + '.pentimento')]


@case
def long_names_work(w):
    for capture, store in LONG:
        assert 254 <= len(capture.encode()) <= 255 and 254 <= len(store.encode()) <= 255
        os.rename(w.capture, w.path(capture))
        expected = w.run('functions', capture, '--format=csv').stdout
        same([row['capture'] for row in json.loads(w.text('cache', '--format=json'))],
             [os.path.realpath(w.path(capture))])
        w.run('import', capture, '-o', store)
        same(w.run('functions', store, '--format=csv').stdout, expected)
        out = capture[:-5] + '.csv'
        w.run('functions', capture, '--format=csv', '-o', out)
        same(w.read(out), expected)
        w.run('render', store, '-o', out[:-4] + '.png')
        # What a killed import left with such a name is taken away by the next.
        left = '.%s.0123abcd.part' % store.encode()[:200].decode(errors='ignore')
        with open(w.path(left), 'wb'):
            pass
        w.run('import', capture, '-o', store)
        same([name for name in os.listdir(w.directory) if name.startswith('.')], [])
        os.rename(w.path(capture), w.capture)
        w.run('cache', '--clear')


@case
def long_names_of_directories_work(w):
    capture = w.make_directory('d' * 255)
    deep = '/'.join(['p' * 60] * 3)
    os.makedirs(w.path(deep))
    w.run('import', capture, '-o', deep + '/s.pentimento')
    same(w.run('info', deep + '/s.pentimento', '--format=csv').returncode, 0)


@case
def paths_that_sqlite_does_not_take_are_told(w):
    deep = '/'.join(['p' * 200] * 3)
    os.makedirs(w.path(deep))
    message = w.run('import', w.capture, '-o', deep + '/s.pentimento', status=1).stderr.decode()
    assert 'more than the 503 bytes that SQLite takes' in message, message
    same(os.listdir(w.path(deep)), [])
    # A recording there is imported into the cache, and tables have no such limit.
    os.rename(w.capture, w.path(deep + '/perf.data'))
    w.run('functions', deep + '/perf.data', '-o', deep + '/table')


main(World)
