#!/usr/bin/env python3
"""--help, man pages, pages of the help, completion, and what is said where something was mistyped (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from harness import Skip, case, cli, main, same

data, docs, completion = (os.path.abspath(path) for path in sys.argv[2:5])
window = os.path.abspath(sys.argv[5]) if len(sys.argv) > 5 else None
FTRACE = os.path.join(data, 'b-ftrace.data')
BPF = [os.path.join(data, name) for name in ('d-bpf.data', 'k7-d-bpf.data')]
OPTION = re.compile(r'^  (?:-\w, )?--([a-z-]+)(=\S+)?')


def read(name):
    with open(os.path.join(docs, name), encoding='utf-8') as file:
        return file.read()


def screens(page):
    """What is typed, or printed, on a page of the help."""
    for screen in xml.etree.ElementTree.parse(page).iter('{http://projectmallard.org/1.0/}screen'):
        yield from screen.text.splitlines()


def pages():
    return sorted(pathlib.Path(docs, '../help/C').glob('*.page'))


def commands(w):
    listed = re.search(r'\nCommands:\n(.*?)\n\n', w.text('--help'), re.S)[1]
    return [line.split()[0] for line in listed.splitlines()]


def options(w, command):
    """{name: whether it takes a value}"""
    lines = w.text(command, '--help').splitlines()
    return {found[1]: bool(found[2]) for found in map(OPTION.match, lines) if found}


# ---- help ----

@case
def help_of_every_command(w):
    same(w.text('--help'), w.text('help'))
    same(w.text('--help'), w.text('-h'))
    assert len(commands(w)) >= 15, commands(w)
    for command in commands(w):
        text = w.text(command, '--help')
        assert text.startswith('Usage: pentimento-cli %s ' % command), command
        assert '\nExamples:\n  pentimento-cli %s' % command in text, command
        assert {'help', 'version', 'output'} <= set(options(w, command)), command
        same(text, w.text('help', command))
        same(text, w.text(command, '-h'))
        same(w.text(command, '--version'), w.text('--version'))
        for line in text.splitlines()[1:]:
            assert len(line) <= 80 or line.startswith('  pentimento-cli '), line


@case
def man_page_has_every_command_and_option(w):
    page = read('man/pentimento-cli.1').replace('\\-', '-')
    for command in commands(w):
        assert re.search(r'^\.(TP|PP|B|BR|BI).*\n?\.(B|BI|BR) %s\b' % command, page, re.M) \
            or re.search(r'^\.(B|BI|BR) "?%s\b' % command, page, re.M), command
        for name in options(w, command):
            assert re.search(r'--%s\b(?!-)' % name, page), '%s --%s' % (command, name)
    # … and none that is not there.
    known = {name for command in commands(w) for name in options(w, command)}
    for name in re.findall(r'(?<![\w-])--([a-z][a-z-]+)', page):
        assert name in known, '--%s' % name


@case
def pages_of_the_help_have_every_command_and_option(w):
    text = ''.join(page.read_text(encoding='utf-8') for page in pages())
    for command in commands(w):
        lines = list(screens(pathlib.Path(docs, '../help/C/cli-%s.page' % command)))
        assert lines[0].startswith('pentimento-cli %s' % command), command
        for name in options(w, command):
            assert re.search(r'--%s\b(?!-)' % name, text), '%s --%s' % (command, name)


@case
def man_pages_are_well_formed(w):
    man = shutil.which('man')
    if man is None:
        raise Skip('there is no man')
    for page in sorted(os.listdir(os.path.join(docs, 'man'))):
        got = subprocess.run([man, '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', os.path.join(docs, 'man', page)],
                             capture_output=True, env=dict(w.env, MANWIDTH='80', LC_ALL='C.UTF-8'), timeout=60)
        same((page, got.returncode, got.stderr), (page, 0, b''))
        assert len(got.stdout.splitlines()) > 20, page


@case
def man_page_of_the_window(w):
    if window is None:
        raise Skip('the window is not built')
    got = subprocess.run([window, '--help-all'], capture_output=True, env=w.env, timeout=60)
    same(got.returncode, 0)
    page = read('man/pentimento.1').replace('\\-', '-')
    told = {found[1] for found in map(OPTION.match, got.stdout.decode().splitlines()) if found}
    assert {'help', 'version', 'filter', 'new-window'} <= told, told
    for name in told - {'gapplication-service'}:
        assert re.search(r'--%s\b(?!-)' % name, page), name
    for name in re.findall(r'(?<![\w-])--([a-z][a-z-]+)', page):
        assert name in told | {'kcore'}, '--%s' % name


def examples(w):
    """Each command line that somebody may copy from help, README and documents."""
    for command in commands(w):
        text = w.text(command, '--help').split('\nExamples:\n')[1]
        yield from re.sub(r'\n {4}', ' ', text).splitlines()
    yield from w.text('--help').split('\nExamples:\n')[1].splitlines()
    for page in pages():
        yield from screens(page)
    for name in ('../README.md', 'store.md', 'man/pentimento-cli.1'):
        yield from read(name).replace('\\-', '-').splitlines()


@case
def examples_run(w):
    shutil.copytree(FTRACE, w.path('perf.data'))
    w.run('import', 'perf.data', '-o', 'mine.pentimento')
    lines = {re.sub(r'\s+# .*', '', line.strip()) for line in examples(w)}
    wanted = re.compile(r'pentimento-cli +[a-z]+ .*(perf\.data|mine\.pentimento)\b(?!\.xz)')
    lines = sorted(line for line in lines if wanted.match(line))
    assert len(lines) > 40, lines
    env = dict(w.env, PATH='%s:%s' % (os.path.dirname(cli), w.env['PATH']))
    for line in lines:
        got = subprocess.run(['sh', '-c', line], capture_output=True, env=env, cwd=w.directory, timeout=120)
        same((line, got.returncode, b'in this recording no' in got.stderr), (line, 0, False))


# ---- slips of the finger ----

@case
def mistyped_commands_and_options(w):
    w.refused('annotat', status=2, says='annotate')
    w.refused('slq', status=2, says='similar: sql')
    assert 'similar' not in w.refused('x', status=2, says='“x”')
    message = w.refused('functions', FTRACE, '--tme', '1,2', status=2, says='unknown option --tme of functions')
    assert 'similar: --time' in message, message
    w.refused('samples', FTRACE, '--callchains', status=2, says='--callchain')
    w.refused('samples', FTRACE, '-q', status=2, says='-q')
    w.refused('samples', FTRACE, '--format', status=2, says='--format')


@case
def mistyped_values_of_filters(w):
    for words, says in ((['--symbol', 'vfs_reed'], 'no symbol is “vfs_reed”; similar: vfs_read'),
                        (['--symbol', 'vfs_raed'], 'similar: vfs_read'),
                        (['--comm', 'swaper'], 'similar: swapper'),
                        (['--comm', '!swaper'], 'similar: swapper'),
                        (['--occupant', 'kallsyms'], '[kernel.kallsyms]'),
                        (['--event', 'cpu-clok'], 'similar: cpu-clock'),
                        (['--pid', '99999'], 'no pid is 99999'), (['--tid', '!99999'], 'no tid is 99999'),
                        (['--bpf', '99999'], 'no bpf is 99999'), (['--tenure', '99999'], 'no tenure is 99999')):
        for command in ('functions', 'samples', 'changes', 'occupants'):
            got = w.run(command, FTRACE, *words)
            message = got.stderr.decode()
            assert message.startswith('pentimento-cli: ') and says in message, (words, message)
    got = w.run('render', FTRACE, '--comm', 'swaper', '-o', 'x.png')
    assert 'similar: swapper' in got.stderr.decode(), got.stderr
    for words in (['--symbol', 'vfs_read'], ['--comm', 'swapper'], ['--occupant', '[virtio]'], ['--pid', '0'],
                  ['--event', 'cpu-clock'], ['--comm', ''], ['--kind', 'guest'], ['--cpu', '77']):
        same(w.run('functions', FTRACE, *words).stderr, b'')


@case
def mistyped_times(w):
    # Told before anything is imported.
    for time in ('5', '5%', '6,5', '5%,x', '101%,', '-1,4', ',', '1,2,3'):
        w.refused('samples', 'no/such/capture', '--time=' + time, status=2, says='is not a time range')
    for time in ('10%,6.0', '5.0,60%', '10%,', ',60%'):
        assert len(w.csv('samples', FTRACE, '--time', time)) > 100, time
    w.refused('samples', FTRACE, '--time', '6.0,10%', status=2, says='ends before it begins')


# ---- what is excluded ----

@case
def leaving_nothing_out_changes_nothing(w):
    nothing = ('--comm=!none', '--cpu=!4095', '--pid=!99999', '--tid=!99999', '--event=!none', '--symbol=!none',
               '--occupant=!none', '--kind=!guest', '--time=0,', '--address=0-ffffffffffffffff')
    for capture in [FTRACE] + BPF:
        for command in ('functions', 'occupants', 'misattribution'):
            everything = w.csv(command, capture)
            assert everything, command
            for word in nothing:
                same((word, w.csv(command, capture, word)), (word, everything))


@case
def occupants_that_lost_all_are_left_out(w):
    everything = w.csv('occupants', FTRACE)
    without = w.csv('occupants', FTRACE, '--comm', '!hot')
    hot = [row for row in everything if row['occupant'].endswith('/hot') and row['samples'] != '0']
    assert hot and not any(row['occupant'].endswith('/hot') and row['samples'] != '0' for row in without)
    # What nothing happened to stays.
    quiet = [row for row in everything if row['samples'] == row['changes'] == '0']
    assert quiet and all(row in without for row in quiet)
    assert not any(row['samples'] == row['changes'] == '0' for row in w.csv('occupants', FTRACE, '--comm', 'sh'))


# ---- messages about the output ----

@case
def output_that_cannot_be_written(w):
    message = w.refused('functions', FTRACE, '-o', 'no/such/place.csv', status=1, says='no/such/place.csv')
    assert FTRACE not in message, message


# ---- completion ----

def complete(w, *words):
    return w.text('complete', *words).split()


@case
def completion_knows_the_options(w):
    same(complete(w, ''), commands(w) + ['help', '--help', '--version'])
    same(complete(w, 'ann'), ['annotate'])
    same(complete(w, 'help', 'ann'), ['annotate'])
    same(complete(w, 'nonsense', '--'), [])
    same(complete(w), [])
    for command in commands(w):
        same(sorted(complete(w, command, '--')),
             sorted('--%s%s' % (name, '=' if value else '') for name, value in options(w, command).items()))
        same(complete(w, command, ''), [])  # files: the shell's own
    same(complete(w, 'samples', 'x', '--form'), ['--format='])
    for words in (['--format', '='], ['--format', '']):
        same(complete(w, 'samples', *words), ['table', 'csv', 'json'])
    for words in (['--format', '=', 'c'], ['--format', 'c']):
        same(complete(w, 'samples', *words), ['csv'])
    same(complete(w, 'samples', '--kind', 'kernel,b'), ['kernel,bpf'])
    same(complete(w, 'changes', '--cause', 'static-'), ['static-key', 'static-call'])
    same(complete(w, 'samples', '--changed', ''), [])
    same(complete(w, 'render', '--view', '=', 'm'), ['map'])


@case
def completion_in_bash(w):
    bash = shutil.which('bash')
    if bash is None:
        raise Skip('there is no bash')
    script = '''
      source "$1"
      PATH=${2%%/*}:$PATH
      COMP_WORDS=(pentimento-cli samples perf.data --format = j); COMP_CWORD=5
      _pentimento_cli "$2"; echo "${COMPREPLY[@]}"
      COMP_WORDS=(pentimento-cli hist); COMP_CWORD=1
      _pentimento_cli "$2"; echo "${COMPREPLY[@]}"
      complete -p pentimento-cli
    '''
    got = subprocess.run([bash, '--norc', '-c', script, 'bash', completion, cli], capture_output=True, env=w.env, timeout=60)
    same((got.returncode, got.stderr), (0, b''))
    same(got.stdout.decode().splitlines()[:2], ['json', 'history'])
    assert b'-F _pentimento_cli' in got.stdout, got.stdout


main()
