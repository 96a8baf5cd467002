"""What is held against a guest's recordings, on the machine that started it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CONTRACT = os.path.join(os.path.dirname(HERE), 'contract')
# What a guest toggles, and the cause of its patches.
CAUSES = {'static-key', 'ftrace', 'kprobe', 'optprobe', 'bpf'}
# The users that are there at the end.
PURPOSES = {
    'kprobe': re.compile(r'kprobe guests/inside'),
    'ftrace': re.compile(r'tracer function'),
    'static-key': re.compile(r'sysctl kernel\.sched_schedstats'),
    'bpf': re.compile(r'trace_fentry stays \(id \d+\)'),
    'livepatch': re.compile(r'livepatch livepatch_sample'),
}


class Skip(Exception):
    """This cannot be looked at here; says why."""


class Results:
    """What a guest left, and the program to look at it with."""

    def __init__(self, kernel, directory, captures, cli, written):
        self.kernel, self.directory, self.captures, self.written = kernel, directory, captures, written
        self.cli = cli
        self.name = os.path.basename(captures)
        self.capture = os.path.join(captures, 'perf.data')
        self.cache = tempfile.TemporaryDirectory(prefix='pentimento-guests-')
        self.env = dict(os.environ, XDG_CACHE_HOME=self.cache.name, HOME=self.cache.name, LC_ALL='C.UTF-8',
                        PYTHONDONTWRITEBYTECODE='1')
        self.notes = []
        self.release = tuple(map(int, re.match(r'(\d+)\.(\d+)', self.name).groups()))

    def read(self, name):
        try:
            with open(os.path.join(self.directory, name), encoding='utf-8', errors='replace') as file:
                return file.read()
        except FileNotFoundError:
            return ''

    def run(self, *words, capture=None):
        got = subprocess.run([self.cli, words[0], capture or self.capture, *words[1:]], env=self.env,
                             capture_output=True, check=False)
        assert got.returncode == 0, '%s: %s' % (' '.join(words), got.stderr.decode(errors='replace')[:500])
        return got.stdout.decode(errors='replace')

    def csv(self, *words, capture=None):
        text = self.run(*words, '--format=csv', capture=capture)
        return list(csv.DictReader(io.StringIO(text, newline='')))

    def info(self):
        return {row['fact']: row['value'] for row in json.loads(self.run('info', '--format=json'))}

    def has_patch(self):
        return os.path.exists(os.path.join(self.directory, 'patch', 'livepatch_sample.ko'))


def recorded(guest):
    """The recorder has ended well, and lacks nothing."""
    said = guest.read('toggles.err')
    guest.notes += [line for line in said.splitlines() if ' samples in ' in line or 'witness: ' in line]
    assert guest.read('toggles.status').strip() == '0', said or 'it did not end'
    missing = [line for line in said.splitlines() if 'missing: ' in line]
    if guest.release < (5, 12):
        missing = [line for line in missing if 'Linux 5.12' not in line]
    assert not missing, '; '.join(missing)
    assert 'witness: ' in said, said
    lacks = guest.read('lacks')
    assert not lacks, lacks


def imported(guest):
    """The recording is read without damage."""
    guest.run('info', '--strict')
    samples = int(guest.info()['samples total'])
    assert samples > 1000, 'only %d samples' % samples


def opened_by_perf(guest):
    """perf opens the recording, and counts the same samples."""
    got = subprocess.run(['perf', 'report', '--stats', '-i', guest.capture], capture_output=True, text=True, check=False)
    assert got.returncode == 0 and ' SAMPLE events:' in got.stdout, got.stderr[:500]
    by_perf = int(re.search(r' SAMPLE events: +(\d+)', got.stdout)[1])
    ours = int(guest.info()['records SAMPLE'])
    assert by_perf == ours, 'perf counts %d samples, not %d' % (by_perf, ours)


def all_toggled(guest):
    """Each kind of patch was recorded, and each patch has a cause."""
    causes = collections.Counter(row['cause'] for row in guest.csv('changes') if row['change'] == 'poke')
    guest.notes.append('patches: ' + ', '.join('%d %s' % (n, cause) for cause, n in causes.most_common()))
    wanted = CAUSES | ({'livepatch'} if guest.has_patch() else set())
    assert wanted <= set(causes), 'no patches of %s' % ', '.join(sorted(wanted - set(causes)))
    assert not causes['unknown'], '%d patches without a cause' % causes['unknown']


def chained(guest):
    """Each patch finds the bytes that the one before left."""
    breaks = {fact: value for fact, value in guest.info().items() if 'chain break' in fact and value != '0'}
    assert not breaks, breaks


def witnessed(guest):
    """No sample is contradicted by the witness, but by breakpoints of patches under way."""
    info = guest.info()
    agreement = info['witness agreement']
    guest.notes.append(agreement)
    agree, compared = map(int, re.match(r'(\d+) of (\d+) ', agreement).groups())
    rows = guest.csv('witness')
    verdicts = collections.Counter(row['verdict'] for row in rows)
    guest.notes.append('readings: ' + ', '.join('%d %s' % (n, verdict) for verdict, n in verdicts.most_common()))
    written = {address for address, _ in guest.written}
    wrong = [row for row in rows if row['verdict'] == 'unannounced'
             and not any(int(row['start'], 16) <= address < int(row['start'], 16) + 64 for address in written)]
    assert not wrong, '%d readings of other text: %s' % (len(wrong), wrong[:2])
    assert agree > 500, 'only %d samples were compared' % compared


def as_in_memory(guest):
    """Occupants, names and bytes are those that the guest read of its own memory."""
    got = subprocess.run([sys.executable, os.path.join(CONTRACT, 'test_snapshots.py'), guest.cli,
                          os.path.join(guest.directory, 'none'), guest.name],
                         env=dict(guest.env, PENTIMENTO_CAPTURES=os.path.dirname(guest.captures)),
                         capture_output=True, text=True, check=False)
    lines = got.stdout.splitlines()
    guest.notes += [line[2:] for line in lines if line.startswith('# ') and ' snapshots; ' in line]
    wrong = [line[2:] for line in lines if line.startswith('# ') and ' snapshots; ' not in line]
    assert got.returncode == 0, '%d contradictions: %s' % (len(wrong), '; '.join(wrong[:6]) or got.stderr[-500:])
    assert '\nok 1 ' in got.stdout, 'nothing was compared: %s' % got.stdout[-500:]


def compare_patches(guest, path):
    """With those that another recorder wrote meanwhile. Each event has a time of its own for the same patch."""
    times = [float(row['time']) for row in guest.csv('samples', capture=path)]
    found = []
    for capture in path, os.path.join(guest.directory, 'beside'):
        found.append([(row['address'], row['old'], row['new']) for row in guest.csv('changes', capture=capture)
                      if row['change'] == 'poke' and times[0] + 0.2e9 < float(row['time']) < times[-1] - 0.2e9])
    assert len(found[0]) > 10, 'only %d patches' % len(found[0])
    assert found[0] == found[1], '%d patches in it, %d beside it' % tuple(map(len, found))
    return len(found[0])


def streamed(guest):
    """A stream has the patches that another recorder wrote meanwhile, in their order."""
    said = guest.read('stream.err')
    assert 'the recording is complete' in said and 'no patches' not in said, said
    n = compare_patches(guest, os.path.join(guest.directory, 'stream.data'))
    # Debian's perf does not open streams of its own with the formats of tracepoints.
    guest.notes.append('stream: %d patches, as another recorder wrote them' % n)


def without_kcore(guest):
    """So has a directory where perf could not read kcore."""
    said = guest.read('plain.err')
    assert 'no copy of the kernel' in said and 'no patches' not in said, said
    path = os.path.join(guest.directory, 'plain')
    assert not os.path.exists(os.path.join(path, 'kcore_dir')), 'perf copied kcore'
    n = compare_patches(guest, path)
    guest.notes.append('without kcore: %d patches, as another recorder wrote them' % n)


def unannounced_found(guest):
    """A write by the debugger is found where it was made, and nowhere else."""
    if not guest.written:
        raise Skip('the debugger wrote nothing')
    address, content = guest.written[0]
    rows = guest.csv('changes', '--cause', 'unannounced')
    found = []
    for row in rows:
        start, new = int(row['address'], 16), bytes.fromhex(row['new'].replace(' ', ''))
        assert address <= start < address + len(content), 'found at %s' % row['address']
        found.append([at for at, text in guest.written if text[start - at:start - at + len(new)] == new])
    assert len(rows) == len(guest.written) and all(found), 'written %s, found %s' % (
        guest.written, [(row['address'], row['new']) for row in rows])


def purposes_known(guest):
    """Patches of the users that were there at the end have their names."""
    elf = os.path.join(guest.directory, 'vmlinux')
    # The name of a static key is known by the kernel's table of them.
    guest.kernel.write_elf(elf, os.path.join(guest.capture, 'kcore_dir', 'kallsyms'), ['sched_schedstats'])
    rows = [row for row in guest.csv('changes', '--batches', '--vmlinux', elf) if row['change'] == 'poke']
    missing = []
    for cause, pattern in PURPOSES.items():
        if cause == 'livepatch' and not guest.has_patch():
            continue
        if cause == 'bpf' and guest.release < (5, 13):  # links say since then what they are attached to
            continue
        found = {row['purpose'] for row in rows if row['cause'] == cause and row['purpose']}
        if not any(map(pattern.match, found)):
            missing.append('%s: %s' % (cause, ', '.join(sorted(found)) or 'none'))
    assert not missing, '; '.join(missing)


def kills(guest):
    return [line.split(' ', 4) for line in guest.read('kills').splitlines()]


def killed_ones_open(guest):
    """After a kill of any part, what was recorded opens; in perf, too, unless perf was killed."""
    if not kills(guest):
        raise Skip('none was killed')
    opened = collections.Counter()
    for number, part, tenths, had, _ in kills(guest):
        path = os.path.join(guest.directory, 'kill-' + number)
        what = '%s, killed %.1f s after it was %s' % (part, int(tenths) / 10, had)
        # Before its command began, it may be too short to be read.
        is_early = had == 'starting'
        if not os.path.exists(path):
            assert is_early, '%s: there is no recording' % what
            opened['before there was a file'] += 1
            continue
        got = subprocess.run([guest.cli, 'info', path], env=guest.env, capture_output=True, text=True, check=False)
        assert got.returncode == 0 or (is_early and got.returncode == 1 and got.stderr.startswith('pentimento-cli: ')), \
            '%s: %s' % (what, got.stderr)
        if part != 'perf' and not is_early:
            got = subprocess.run(['perf', 'report', '--stats', '-i', path], capture_output=True, text=True, check=False)
            assert got.returncode == 0 and ' SAMPLE events:' in got.stdout, '%s: perf: %s' % (what, got.stderr[:300])
        opened[{'starting': '%s before the command began', 'absent': '%s after its end'}.get(had, '%s') % part] += 1
    guest.notes.append('killed: ' + ', '.join('%d %s' % (n, what) for what, n in sorted(opened.items())))


def nothing_left(guest):
    """After each recording, no process and no BPF program or link of it is left."""
    assert guest.read('attached.before') == guest.read('attached.after') != '', guest.read('attached.after')[:500]
    left = [' '.join(row) for row in kills(guest) if row[4] != 'nothing']
    assert not left, '; '.join(left)


CHECKS = (recorded, imported, opened_by_perf, all_toggled, chained, witnessed, as_in_memory, streamed, without_kcore,
          unannounced_found, purposes_known, killed_ones_open, nothing_left)
