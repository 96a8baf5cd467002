"""pentimento-cli find from outside: an oops from standard input, names, and every address of the sample table (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import io
import os
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])
BPF = os.path.join(data, 'd-bpf.data')
FTRACE = os.path.join(data, 'b-ftrace.data')

OOPS = b"""\
[    5.100000] BUG: unable to handle page fault for address: ffffc90000123000
[    5.100003] CPU: 1 PID: 132 Comm: bpfcycle Not tainted 6.1.0-13-amd64 #1  Debian 6.1.55-1
[    5.100004] RIP: 0010:bpf_prog_dcd45494952b77d4_sock_a+0x20/0x60
[    5.100005] Code: 48 8b 04 25 28 00 00 00 48 89 45 f8 31 c0 <0f> 0b
[    5.100006] RSP: 0018:ffffc90000123e00 EFLAGS: 00010246
[    5.100008] Call Trace:
[    5.100009]  <TASK>
[    5.100010]  ? __die_body.cold+0x1a/0x1f
[    5.100011]  vfs_read+0x1c/0x310
[    5.100012]  ksys_read+0x5f/0xe0
[    5.100013]  [<ffffffffc0000c10>] 0xffffffffc0000c10
[    5.100015] RIP: 0033:0x7f1c2a0b1e8e
"""


def rows_of(got):
    return list(csv.DictReader(io.StringIO(got.stdout.decode(), newline='')))


@case
def an_oops_is_resolved_as_of_its_own_time(w):
    rows = rows_of(w.run('find', BPF, '-', '--format=csv', input=OOPS))
    same(rows, rows_of(w.run('find', BPF, '--at=5.1', '--format=csv', input=OOPS)))
    then = [row for row in rows if row['when'] == 'then']
    same([(row['text'], row['occupant'], row['bpf_id'], row['offset'], row['remark']) for row in then], [
        ('RIP: 0010:bpf_prog_dcd45494952b77d4_sock_a+0x20/0x60',
         'bpf_prog_dcd45494952b77d4_sock_a', '5', '0x20', 'several of this name'),
        ('RIP: 0010:bpf_prog_dcd45494952b77d4_sock_a+0x20/0x60',
         'bpf_prog_dcd45494952b77d4_sock_a', '21', '0x20', 'several of this name'),
        ('? __die_body.cold+0x1a/0x1f', '', '', '', 'name unknown'),
        ('vfs_read+0x1c/0x310', '[kernel.kallsyms]', '', '0x1c', ''),
        ('ksys_read+0x5f/0xe0', '[kernel.kallsyms]', '', '0x5f', 'other length'),
        ('[<ffffffffc0000c10>] 0xffffffffc0000c10', '', '', '', 'occupant unknown'),
        ('RIP: 0033:0x7f1c2a0b1e8e', '', '', '', 'user space'),
    ])
    same([row['bpf_id'] for row in rows if row['address'] == '0xffffffffc0000c10'],
         ['', '16', '17', '18', '19', '25', ''])


@case
def each_sampled_address_had_the_occupant_of_the_sample_table(w):
    samples = [row for row in w.csv('samples', BPF) if row['kind'] in ('bpf', 'stub', 'module')]
    assert len(samples) > 20, len(samples)
    for sample in samples[::7]:
        time = int(sample['time'])
        rows = w.csv('find', BPF, sample['address'], '--at=%d.%09d' % divmod(time, 10**9))
        then = [row for row in rows if row['when'] == 'then']
        same([(row['kind'], row['occupant'], row['name'], row['offset']) for row in then],
             [(sample['kind'], sample['occupant'], sample['symbol'], sample['offset'])])


@case
def other_turns_are_those_of_history(w):
    address = '0xffffffffc0000c10'
    found = {(row['from'], row['to'], row['occupant']) for row in w.csv('find', BPF, address) if row['tenure']}
    tenures = {(row['from'], row['to'], row['occupant']) for row in w.csv('occupants', BPF, '--address', address + '-' +
                                                                            address) if row['kind'] == 'bpf'}
    assert tenures <= {(a or '', b or '', c) for a, b, c in found}, (tenures, found)


@case
def names_are_found(w):
    same([(row['found'], row['name']) for row in w.csv('find', FTRACE, 'vfs_re')][:1], [('function', 'vfs_read')])
    same([(row['found'], row['bpf_id'], row['tenure']) for row in w.csv('find', BPF, 'bpf:23')],
         [('occupant', '23', '103')])
    assert ('task', 'bpfcycle') in [(row['found'], row['name']) for row in w.csv('find', BPF, 'bpfcycle')]
    same([(row['found'], row['from']) for row in w.csv('find', BPF, '5.1')], [('time', '5100000000')])


@case
def one_load_of_a_program_is_a_filter(w):
    loads = {row['bpf_id']: row for row in w.csv('occupants', BPF, '--kind', 'bpf', '--programs')
             if row['occupant'] == 'bpf_prog_8a80def6a098fcba_raw_a'}
    same(sorted(loads), ['16', '18'])
    everything = w.csv('samples', BPF, '--occupant', 'bpf_prog_8a80def6a098fcba_raw_a')
    parts = []
    for number, load in loads.items():
        for option in (['--bpf', number], ['--tenure', load['tenure']]):
            part = w.csv('samples', BPF, *option)
            same(len(part), int(load['samples']))
            same(part, [row for row in everything if int(load['from']) < int(row['time']) <= int(load['to'])])
            same([row['samples'] for row in w.csv('occupants', BPF, *option)], [load['samples']])
            same([(row['change'], row['address']) for row in w.csv('changes', BPF, *option)][0],
                 ('register', load['start']))
            lines = w.csv('annotate', BPF, load['start'], *option)
            same({row['tenure'] for row in lines}, {load['tenure']})
            same(sum(int(row['samples']) for row in lines), int(load['samples']))
        parts += part
    same(sorted(row['time'] for row in parts), sorted(row['time'] for row in everything))
    left = w.csv('samples', BPF, '--bpf', '!16', '--occupant', 'bpf_prog_8a80def6a098fcba_raw_a')
    same(len(left), int(loads['18']['samples']))


@case
def what_is_unknown_is_said(w):
    same([(row['kind'], row['remark']) for row in w.csv('find', BPF, 'no_such_function')], [('unknown', 'name unknown')])
    got = w.run('find', BPF, '-', input=b'no place\nin these lines\n', status=1)
    assert b'no symbol or address in the text' in got.stderr, got.stderr
    w.refused('find', BPF, 'vfs_read', '--at=never', status=2, says='never')


if __name__ == '__main__':
    main()
