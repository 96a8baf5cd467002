#!/usr/bin/env python3
"""For whom text was patched: lists of a recorder beside recordings of all kinds (TAP).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import sys

from harness import case, main, same

data = os.path.abspath(sys.argv[2])


def record(w, name, **lists):
    """A copy of the recording with lists, as start_kprobes='…'."""
    capture = w.path(name)
    shutil.copytree(os.path.join(data, name), capture)
    for key, text in lists.items():
        moment, _, name = key.partition('_')
        os.makedirs(os.path.join(capture, 'pentimento', moment), exist_ok=True)
        with open(os.path.join(capture, 'pentimento', moment, name), 'w', encoding='utf-8') as file:
            file.write(text)
    return capture


def purposes(w, capture, cause):
    return {row['for']: row['purpose'] for row in w.csv('causes', capture, '--cause', cause) if row['level'] == '1'}


@case
def probes(w):
    capture = record(w, 'c-kprobes.data',
                     end_kprobes='ffffffff8134cc6c  k  vfs_read+0x1c    [OPTIMIZED]\n',
                     end_kprobe_events='p:probes/slow vfs_read+28 count=%dx\np:probes/other vfs_write+28\n')
    for cause in 'kprobe', 'optprobe':
        found = purposes(w, capture, cause)
        same(found.pop('vfs_read+0x1c'), 'kprobe probes/slow')
        same(set(found.values()), {''})
    for row in w.csv('changes', capture, '--batches', '--address', '0xffffffff8134cc6c', '--cause', 'kprobe,optprobe'):
        same(row['purpose'], 'kprobe probes/slow')
        assert row['sentence'].endswith(' For kprobe probes/slow (recorder\'s snapshot).'), row
    assert 'For kprobe probes/slow (recorder\'s snapshot).' in w.text('history', capture, '0xffffffff8134cc6c')
    assert 'vfs_read+0x1c (kprobe probes/slow)' in w.text('causes', capture)


@case
def tracers(w):
    capture = record(w, 'b-ftrace.data',
                     end_tracers='/sys/kernel/tracing/current_tracer function\n'
                                 '/sys/kernel/tracing/instances/a/current_tracer function_graph\n')
    found = purposes(w, capture, 'ftrace')
    same(found['function_trace_call'], 'tracer function')
    same(found['ftrace_ops_list_func'], '')


@case
def live_patches(w):
    capture = record(w, 'l-livepatch.data',
                     end_livepatch='/sys/kernel/livepatch/penlp/enabled 1\n'
                                   '/sys/kernel/livepatch/penlp/vmlinux/cmdline_proc_show,1 \n')
    rows = [row for row in w.csv('changes', capture, '--batches') if row['cause'] == 'livepatch' and row['purpose']]
    assert rows
    same({row['symbol'] for row in rows}, {'cmdline_proc_show'})
    same({row['purpose'] for row in rows}, {'livepatch penlp'})


@case
def links(w):
    """The trampoline's number has that of its function."""
    capture = record(w, 'd-bpf.data',
                     end_programs='[\n{"id":7,"type":"tracing","name":"reader","tag":"00"}\n]\n',
                     end_links='[\n{"id":3,"type":"tracing","prog_id":7,"attach_type":"trace_fentry",'
                               '"target_obj_id":1,"target_btf_id":41303}\n]\n')
    found = purposes(w, capture, 'bpf')
    same(found.pop('bpf_trampoline_6442492247'), 'trace_fentry reader (id 7)')
    same(set(found.values()), {''})


@case
def nothing_of_it_is_followed(w):
    """A list that is a device, or says nothing, is no list."""
    capture = record(w, 'c-kprobes.data', end_kprobe_events='p:probes/x \n', end_kprobes='?\n')
    os.mkfifo(os.path.join(capture, 'pentimento', 'end', 'links'))
    same(set(purposes(w, capture, 'kprobe').values()), {''})
    assert 'lines that cannot be read were left out: 1' in w.text('info', capture)


main()
