"""What is written to the disk: each scene is one command, in a world that is the same each time.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback

CLI, LIBRARY, PROCESS, DATA = (os.path.abspath(word) for word in sys.argv[1:5])
CAPTURE = os.path.join(DATA, 'd-bpf.data')
OTHER = os.path.join(DATA, 'b-ftrace.data')
# In memory, where that is possible.
PLACE = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
WHOLE = 'PENTIMENTO_FAULTS' in os.environ

# Numbers that are drawn at random, in names of temporary files and of kernels' texts.
RANDOM = ((re.compile(r'\.[0-9a-f]{8}\.part$'), '.#.part'),
          (re.compile(r'-[0-9a-f]{32}\.text$'), '-#.text'))


class World:
    """Directories as a user has them, which can be put back."""

    def __init__(self, directory):
        self.root = os.path.join(directory, 'world')
        self.kept = os.path.join(directory, 'kept')
        self.log = os.path.join(directory, 'log')
        os.makedirs(self.root)
        for name in ('out', 'home', 'cache', 'config', 'data', 'state', 'tmp'):
            os.mkdir(self.path(name))
        self.env = {name: value for name, value in os.environ.items() if not name.startswith('XDG_')}
        self.env.update(HOME=self.path('home'), LC_ALL='C.UTF-8', XDG_CACHE_HOME=self.path('cache'),
                        XDG_CONFIG_HOME=self.path('config'), XDG_DATA_HOME=self.path('data'),
                        XDG_STATE_HOME=self.path('state'), TMPDIR=self.path('tmp'))

    def path(self, *words):
        return os.path.join(self.root, *words)

    def keep(self):
        shutil.copytree(self.root, self.kept, symlinks=True)

    def put_back(self):
        shutil.rmtree(self.root)
        shutil.copytree(self.kept, self.root, symlinks=True)

    def run(self, words, **faults):
        """With the library that lets calls fail, where something is given for it."""
        env = self.env
        if faults:
            env = dict(env, LD_PRELOAD=LIBRARY, FAULTS_ROOT=self.root,
                       **{'FAULTS_' + name.upper(): str(value) for name, value in faults.items()})
        return subprocess.run(words, env=env, capture_output=True, cwd=self.path('out'), timeout=120)

    def must(self, *words):
        got = self.run(words)
        assert got.returncode == 0, (words, got.stderr.decode())
        return got.stdout.decode()

    def files(self):
        """Names of all files, and their content's sums."""
        found = {}
        for place, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(place, name)
                found[os.path.relpath(path, self.root)] = digest(path)
        return found

    def names(self):
        """Of all files, without what is drawn at random."""
        names = []
        for name in self.files():
            for pattern, word in RANDOM:
                name = pattern.sub(word, name)
            names.append(name)
        return sorted(names)


def read_log(path):
    """What the library wrote down: tuples of what, inode, two paths, offset, bytes."""
    with open(path, 'rb') as file:
        log = file.read()
    at, calls = 0, []
    while at < len(log):
        end = log.index(b'\n', at)
        what, inode, offset, *lengths = log[at:end].decode().split()
        at, parts = end + 1, []
        for length in lengths:
            parts.append(log[at:at + int(length)])
            at += int(length)
        calls.append((what, int(inode), os.fsdecode(parts[0]), os.fsdecode(parts[1]), int(offset), parts[2]))
    return calls


def digest(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


def exists(path):
    return os.path.lexists(path)


class Scene:
    """@says: one of these words is in the message of a failure. @is_lasting: once the command has succeeded, the new
    state stays, also if the power goes right then. @between: states that may be there, too, after a fault."""

    name = ''
    says = ()
    is_lasting = False
    between = ()

    def __init__(self, world):
        self.world = world

    def prepare(self):
        pass

    def command(self):
        raise NotImplementedError

    def state(self):
        """As a user sees it. Opens what is there, which may put it in order."""
        raise NotImplementedError

    def names(self):
        """Of the files that are there once the command has succeeded."""
        return self.world.names()


def store_state(world, path):
    """Whether its notes can be read, and what is in it then."""
    if not exists(path):
        return 'none'
    got = world.run([CLI, 'notes', path, '--format=csv'])
    return digest(path) if got.returncode == 0 else 'broken: ' + got.stderr.decode()


class ImportNew(Scene):
    name = 'import'
    says = ('x.pentimento', '/out”')

    def command(self):
        return [CLI, 'import', CAPTURE, '-o', 'x.pentimento']

    def state(self):
        return store_state(self.world, self.world.path('out/x.pentimento'))


class ImportOver(ImportNew):
    """In place of another capture's store, with notes on the capture that go into the new one."""

    name = 'import over a store'

    def prepare(self):
        world = self.world
        store = world.path('out/x.pentimento')
        world.must(CLI, 'import', CAPTURE, '-o', store)
        place = world.must(PROCESS, 'place', store, CAPTURE).strip()
        world.must(PROCESS, 'put', place, 'about the capture')
        world.must(PROCESS, 'put', place, 'and another one')
        os.unlink(store)
        world.must(CLI, 'import', OTHER, '-o', store)
        world.must(PROCESS, 'put', store, 'about the other')


def interrupt(path, sql):
    """Ends in the middle of a change: half of it is in the file, what was there in the journal."""
    child = os.fork()
    if child == 0:
        db = sqlite3.connect(path, isolation_level=None)
        db.execute('PRAGMA cache_size = 1')
        db.execute('BEGIN')
        for _ in range(40):
            db.execute(sql)
        os._exit(0)  # pylint: disable=protected-access
    os.waitpid(child, 0)
    assert exists(path + '-journal')


class ImportOverInterrupted(ImportOver):
    """In place of a store whose note was interrupted."""

    name = 'import over an interrupted store'

    def prepare(self):
        super().prepare()
        interrupt(self.world.path('out/x.pentimento'),
                  "INSERT INTO note (text, written) VALUES (printf('%.3000c', 'x'), 1)")


class ImportBesideJournal(ImportNew):
    """Under the name of a store that is gone, whose journal is still there."""

    name = 'import beside a journal'

    def prepare(self):
        store = self.world.path('out/x.pentimento')
        self.world.must(CLI, 'import', OTHER, '-o', store)
        interrupt(store, "INSERT INTO note (text, written) VALUES (printf('%.3000c', 'x'), 1)")
        os.unlink(store)


class Stream(Scene):
    """Nothing is kept of what came through a pipe."""

    name = 'stream'
    says = ('/tmp', '/tmp/')

    def command(self):
        return ['/bin/sh', '-c', 'exec "$0" functions - --format=csv <"$1"', CLI, os.path.join(DATA, 'a-pipe.data')]

    def state(self):
        return 'the same'


class Cache(Scene):
    """A command on a capture imports it into the cache."""

    name = 'cache'
    says = ('cache/pentimento', CAPTURE)

    def command(self):
        return [CLI, 'functions', CAPTURE, '--format=csv']

    def stores(self):
        directory = self.world.path('cache/pentimento')
        names = os.listdir(directory) if os.path.isdir(directory) else []
        return [os.path.join(directory, name) for name in names if name.endswith('.pentimento')]

    def state(self):
        for store in self.stores():
            got = self.world.run([CLI, 'import', '--verify', store])
            if got.returncode != 0:
                return 'broken: ' + got.stderr.decode()
        return 'whole'


class CacheAgain(Cache):
    """What is there is damaged, and another import there must go, since it is more than the limit."""

    name = 'cache again'

    def prepare(self):
        world = self.world
        world.must(CLI, 'functions', CAPTURE)
        with open(self.stores()[0], 'r+b') as file:
            file.truncate(70000)
        world.must(CLI, 'functions', OTHER)
        os.makedirs(world.path('config/pentimento'))
        with open(world.path('config/pentimento/settings.ini'), 'w', encoding='utf-8') as file:
            file.write('[cache]\nlimit=1MB\n')
        for store in self.stores():
            os.utime(store, (0, 0))

    def names(self):
        """The limit is kept after each import only: one that cannot be removed stays until then."""
        return [name for name in super().names() if not name.endswith('.pentimento')]

    def state(self):
        # The damaged one is the old state, and is seen to be damaged.
        return 'whole' if any(os.path.getsize(store) == 70000 for store in self.stores()) \
            else super().state()


class ClearCache(Cache):
    name = 'clear the cache'

    def prepare(self):
        self.world.must(CLI, 'functions', CAPTURE)
        self.world.must(CLI, 'functions', OTHER)
        store = self.stores()[0]
        interrupt(store, "INSERT INTO note (text, written) VALUES (printf('%.3000c', 'x'), 1)")

    def command(self):
        return [CLI, 'cache', '--clear']


class Settings(Scene):
    name = 'settings'
    says = ('settings.ini', 'config/pentimento', '/tmp/pentimento-')

    def file(self):
        return self.world.path('config/pentimento/settings.ini')

    def command(self):
        return [CLI, 'cache', '--limit=5GB']

    def state(self):
        return digest(self.file()) if exists(self.file()) else 'none'


class SettingsChanged(Settings):
    name = 'settings changed'

    def prepare(self):
        os.makedirs(os.path.dirname(self.file()))
        with open(self.file(), 'w', encoding='utf-8') as file:
            file.write('# mine\n[cache]\nlimit=7GB\n\n[window]\nwidth=1000\n')


class Export(Scene):
    """A table."""

    name = 'export'
    output = 's.csv'
    says = ('s.csv', '/out”')

    def prepare(self):
        self.world.must(CLI, 'import', CAPTURE, '-o', 'x.pentimento')

    def command(self):
        return [CLI, 'samples', 'x.pentimento', '--format=csv', '-o', self.output]

    def state(self):
        path = self.world.path('out', self.output)
        return digest(path) if exists(path) else 'none'


class ExportOver(Export):
    name = 'export over a file'

    def prepare(self):
        super().prepare()
        with open(self.world.path('out', self.output), 'w', encoding='utf-8') as file:
            file.write('what was there before')


class Picture(ExportOver):
    name = 'picture'
    output = 'p.png'
    says = ('p.png', '/out”')

    def command(self):
        return [CLI, 'render', 'x.pentimento', '-o', self.output]


class PictureAsPdf(Picture):
    """What cairo writes as it goes."""

    name = 'picture as PDF'
    output = 'p.pdf'
    says = ('p.pdf', '/out”')

    def state(self):
        """Without the time when it was made."""
        path = self.world.path('out', self.output)
        if not exists(path):
            return 'none'
        with open(path, 'rb') as file:
            return hashlib.sha256(re.sub(rb'/CreationDate \([^)]*\)', b'', file.read())).hexdigest()


class PictureAsSvg(Picture):
    name = 'picture as SVG'
    output = 'p.svg'
    says = ('p.svg', '/out”')


class Thumbnail(ExportOver):
    """File managers make the file, and have it filled."""

    name = 'thumbnail'
    output = 't.png'
    says = ('t.png',)

    def command(self):
        return [os.path.join(os.environ['PENTIMENTO_LIBEXEC'], 'pentimento-thumbnailer'), '-s', '256', 'x.pentimento',
                self.output]


class Profile(ExportOver):
    """Packed."""

    name = 'profile'
    output = 'p.pb.gz'
    says = ('p.pb.gz', '/out”')
    form = 'pprof'

    def command(self):
        return [CLI, 'export', 'x.pentimento', '--to=' + self.form, '-o', self.output]


class ProfileAsJson(Profile):
    """Made up task by task, in files of its own."""

    name = 'profile as JSON'
    output = 'p.json'
    says = ('p.json', '/out”', '/tmp/', '/tmp”')
    form = 'speedscope'


class Sanitize(Export):
    """A store, and no two are alike."""

    name = 'sanitize'
    output = 's.pentimento'
    says = ('s.pentimento', '/out”')

    def command(self):
        return [CLI, 'sanitize', 'x.pentimento', '-o', self.output]

    def state(self):
        path = self.world.path('out', self.output)
        if not exists(path):
            return 'none'
        got = self.world.run([CLI, 'import', '--verify', path])
        return 'whole' if got.returncode == 0 else 'broken: ' + got.stderr.decode()


class Fleet(Export):
    """Five files, each of which is there or not."""

    name = 'fleet'
    says = ('fleet', '/out”')
    between = ('some',)

    def prepare(self):
        super().prepare()
        self.world.must(CLI, 'export', '--fleet=whole', 'x.pentimento')

    def command(self):
        return [CLI, 'export', '--fleet=fleet', 'x.pentimento']

    def state(self):
        whole, made = (self.world.path('out', name) for name in ('whole', 'fleet'))
        names = os.listdir(made) if exists(made) else []
        files = [name for name in names if name.endswith('.csv.zst')]
        for name in files:
            if digest(os.path.join(made, name)) != digest(os.path.join(whole, name)):
                return 'broken: ' + name
        return 'none' if not files else 'all' if len(files) == len(os.listdir(whole)) else 'some'


class FleetGoesOn(Fleet):
    """Two of them are there; of a third, what a killed export left."""

    name = 'fleet goes on'

    def prepare(self):
        super().prepare()
        whole, made = (self.world.path('out', name) for name in ('whole', 'fleet'))
        os.mkdir(made)
        first, second, third, *_ = sorted(os.listdir(whole))
        for name in (first, third):
            shutil.copy(os.path.join(whole, name), made)
        with open(os.path.join(made, '.%s.0badcafe.part' % second), 'wb') as file:
            file.write(b'half')


class Note(Scene):
    """In a store."""

    name = 'note'
    is_lasting = True
    says = ('x.pentimento', '/out”')

    def prepare(self):
        self.world.must(CLI, 'import', CAPTURE, '-o', 'x.pentimento')
        self.world.must(PROCESS, 'put', self.file(), 'the first one')

    def file(self):
        return self.world.path('out/x.pentimento')

    def command(self):
        return [PROCESS, 'put', self.file(), 'text ' * 500, '1']

    def state(self):
        return store_state(self.world, self.file())


class RemoveNote(Note):
    name = 'note removed'

    def command(self):
        return [PROCESS, 'remove', self.file(), '1']


class NoteInterrupted(Note):
    """Where an earlier one was interrupted."""

    name = 'note after an interrupted one'

    def prepare(self):
        super().prepare()
        interrupt(self.file(), "INSERT INTO note (text, written) VALUES (printf('%.3000c', 'x'), 1)")


class NotesFile(Note):
    """The first one about a capture."""

    name = 'first note of a capture'
    is_lasting = False  # folders above it are not synced
    says = ('x.notes', 'notes')

    def prepare(self):
        pass

    def file(self):
        return self.world.path('data/pentimento/notes/x.notes')

    def command(self):
        return [PROCESS, 'put', self.file(), 'text', '1']

    def state(self):
        """No notes are no notes, whether there is a file or not."""
        if not exists(self.file()):
            return 'none'
        got = self.world.run([PROCESS, 'remove', self.file(), '99'])
        if got.returncode != 0:
            return 'broken: ' + got.stderr.decode()
        db = sqlite3.connect(self.file())
        notes = db.execute('SELECT id, text FROM note').fetchall()
        db.close()
        return repr(notes) if notes else 'none'


SCENES = (ImportNew, ImportOver, ImportOverInterrupted, ImportBesideJournal, Stream, Cache, CacheAgain,
          ClearCache, Settings, SettingsChanged, Export, ExportOver, Picture, PictureAsPdf, PictureAsSvg, Thumbnail,
          Profile, ProfileAsJson, Sanitize, Fleet, FleetGoesOn, Note, RemoveNote, NoteInterrupted, NotesFile)


def play(world, scene):
    """Returns: the state before and after, which files are there afterwards, and the calls."""
    scene.prepare()
    world.keep()
    old = scene.state()
    world.put_back()
    got = world.run(scene.command(), log=world.log)
    assert got.returncode == 0, got.stderr.decode()
    new = scene.state()
    names = scene.names()
    world.put_back()
    assert not old.startswith('broken') and not new.startswith('broken'), (old, new)
    return old, new, names, read_log(world.log)


def main(test):
    """Runs test(world, scene), which returns what there is to say of it, for all scenes, or those
    that PENTIMENTO_SCENES names."""
    wanted = os.environ.get('PENTIMENTO_SCENES', '').split(',')
    chosen = [scene for scene in SCENES if wanted == [''] or scene.name in wanted]
    failed = 0
    print('1..%d' % len(chosen), flush=True)
    for number, scene in enumerate(chosen, 1):
        with tempfile.TemporaryDirectory(prefix='pen-faults-', dir=PLACE) as directory:
            world = World(os.path.realpath(directory))
            try:
                print('# %s: %s' % (scene.name, test(world, scene(world))), flush=True)
                print('ok %d - %s' % (number, scene.name), flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print('not ok %d - %s' % (number, scene.name), flush=True)
                for line in traceback.format_exc().splitlines():
                    print('# %s' % line, flush=True)
    sys.exit(1 if failed else 0)
