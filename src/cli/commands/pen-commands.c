/* pen-commands.c: the table of all commands, with their help
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>

#include "pen-command-answers.h"
#include "pen-command-run.h"

/* clang-format off */
const PenCommand pen_commands[] = {
  {
    .name = "record",
    .arguments = "[PERF-OPTION…] [-- COMMAND…]",
    .summary = N_("Recording by perf, with all that the other commands can use"),
    .details = N_("Runs perf record on all CPUs, with patches of kernel text, module loads and build IDs, while "
                  "COMMAND runs, or until Ctrl-C. A program in the kernel reads the bytes at each sample (the "
                  "witness: bytes that changed without a record show in it), and files of /proc, /sys and tracefs "
                  "are copied at start and end. Options of perf record are passed on: -e, -F, -g, -m and others. "
                  "Needs root, or CAP_PERFMON, CAP_BPF and CAP_SYSLOG; whatever cannot be had is left out, with a "
                  "message.\n\n"
                  "The output is a directory (default: perf.data), for its owner only; one that is there is renamed "
                  "to perf.data.old. It holds memory of the kernel. -o - writes a stream to standard output, without "
                  "witness and copies. The exit status is that of COMMAND."),
    .examples = {
      "-- sleep 10",
      "-o - -- sleep 10 | pentimento -",
      "-F 997 -g -o boot.data -- systemctl restart nginx",
      "-e cycles -m 16M --no-witness",
    },
    .flags = PEN_COMMAND_RECORD,
    .run = pen_command_record,
  },
  {
    .name = "watch",
    .arguments = "",
    .summary = N_("Changes of the kernel's text as they happen, a line each"),
    .details = N_("Prints who patched which text of the kernel, and why: static keys, static calls, tracers, probes, "
                  "BPF programs and modules, until Ctrl-C. Nothing is sampled, and memory is bounded. Lines are "
                  "printed half a second after the change, in order of time. json is an object a line. -o adds lines "
                  "to FILE. Needs root, or CAP_PERFMON and CAP_SYSLOG.\n\n"
                  "Columns: those of changes (time is CLOCK_MONOTONIC), and bpf_id, confidence, key, sentence, lost, "
                  "date, purpose."),
    .examples = { "", "--format=json", "--format=csv -o text-changes.csv" },
    .flags = PEN_COMMAND_WATCH,
    .run = pen_command_watch,
  },
  {
    .name = "import",
    .arguments = "CAPTURE -o STORE | --verify STORE",
    .summary = N_("Import of a recording into a store, which opens at once"),
    .details = N_("The store is one SQLite file; docs/store.md describes its tables. Counts of records that were "
                  "repaired, set aside or lost are printed on standard error. --verify reads a whole store and "
                  "compares its checksums; the exit status is 1 if it is damaged."),
    .examples = {
      "perf.data -o mine.pentimento",
      "perf.data -o mine.pentimento --kallsyms=perf.data/kcore_dir/kallsyms",
      "--verify mine.pentimento",
    },
    .flags = PEN_COMMAND_IMPORT,
    .run = pen_command_import,
  },
  {
    .name = "info",
    .arguments = "CAPTURE",
    .summary = N_("Facts about a recording: machine, events, losses, missing data"),
    .details = N_("Columns: fact, value."),
    .examples = { "perf.data", "perf.data --strict && echo complete" },
    .flags = PEN_COMMAND_TABLE,
    .write = pen_answer_info,
  },
  {
    .name = "samples",
    .arguments = "CAPTURE",
    .summary = N_("Samples, each with the occupant of its address at that time"),
    .details = N_("Columns: time, event, cpu, pid, tid, comm, address, kind, occupant, revision, symbol, offset, "
                  "period. Rows are in time order. In csv and json, times are nanoseconds as recorded.\n"
                  "--callchain adds callchain: the sample's place, then its callers, as of the sample's time.\n"
                  "--payload adds payload: fields of a tracepoint, or bytes.\n"
                  "--band adds since and until: nanoseconds to the nearest changes of the byte at the address."),
    .examples = {
      "perf.data --format=csv -o samples.csv",
      "perf.data --time 5.8,7 --kind bpf,stub",
      "perf.data --symbol vfs_read --changed",
      "perf.data --symbol vfs_read --callchain --format=json",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_WIDE | PEN_COMMAND_COUNTS,
    .write = pen_answer_samples,
  },
  {
    .name = "witness",
    .arguments = "CAPTURE",
    .summary = N_("Readings of a witness: bytes that the kernel saw, against the known text"),
    .details = N_("Columns: time, cpu, pid, tid, comm, start, ip, kind, occupant, revision, symbol, offset, verdict, "
                  "flags, bytes. A witness is a BPF program that reads the text at sampled addresses: bytes were at "
                  "start when ip was sampled. verdict is agrees (with the records), told (nothing else knew), int3 "
                  "(the breakpoint of a patch), band (another version, near a patch) or unannounced (a change "
                  "without a record; changes lists it, too). flags: user (memory of a process), first (the first "
                  "reading of the place; otherwise its bytes had changed), unreadable."),
    .examples = {
      "perf.data",
      "perf.data --kind unknown --format=csv",
      "perf.data --symbol vfs_read --time 5.8,7",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER,
    .write = pen_answer_witness,
  },
  {
    .name = "changes",
    .arguments = "CAPTURE",
    .summary = N_("Changes of text: map, register, unregister and poke"),
    .details = N_("Columns: time, change, address, length, kind, occupant, symbol, offset, cause, old, new, cpu, "
                  "pid, tid, comm, evidence. cpu, pid, tid and comm are those of the task that made the change.\n"
                  "--batches adds confidence (certain, likely, guess), key (name of the static key or static call), "
                  "batch (a number), sites (number of places patched together), sentence (the effect)."),
    .examples = {
      "perf.data --cause ftrace",
      "perf.data --symbol vfs_read",
      "perf.data --kind stub --format=json",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_BATCHES,
    .write = pen_answer_changes,
  },
  {
    .name = "causes",
    .arguments = "CAPTURE",
    .summary = N_("Causes of patches: flips, sites, time on, samples while on and off, cost"),
    .details = N_("A table is a listing: each cause, then the keys, calls, probes, programs or users of ftrace that it "
                  "was for, then their sites; most flips first.\n\n"
                  "Columns in csv and json: level (0 cause, 1 key, task or function, 2 site), cause, for, programs, "
                  "address, symbol, offset, kind, occupant, flips, sites, on_seconds, off_seconds, unknown_seconds, "
                  "on, on_rate, on_low, on_high, off, … (the same), ratio, ratio_low, ratio_high, p, verdict, tasks, "
                  "pid, comm, first, last, cost, cost_share, cost_trampoline, cost_handler, cost_program. flips counts "
                  "patches. on and off count the samples in the patched functions "
                  "while a site was in its patched state and while none was; verdict is more where they were sampled "
                  "more often while on (also less, alike, unknown). pid and comm are those of the task that patched "
                  "most, of as many as tasks says. cost counts the samples in the detours that the patches led to, as "
                  "the command cost does; it is empty without call chains.\n"
                  "--measure=off-cpu: on_waits, on_off_cpu, off_waits, off_off_cpu in place of on and off; rates in "
                  "seconds off CPU per second, and their ratio without a test; cost in ns off CPU."),
    .examples = {
      "perf.data",
      "perf.data --by=task --cause ftrace",
      "perf.data --by=function --time 5.8,7 --format=csv",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_CAUSES | PEN_COMMAND_COUNTS,
    .write = pen_answer_causes,
  },
  {
    .name = "cost",
    .arguments = "CAPTURE",
    .summary = N_("Cost of instrumentation: samples in the detours of probes, tracers and BPF programs"),
    .details = N_("A detour is all code that a patched instruction calls: trampoline, handler, BPF program. A sample "
                  "in several detours counts for the outermost. Needs call chains (perf record -g); without them, "
                  "only samples in trampolines and programs themselves are counted.\n\n"
                  "Columns: cause, address, symbol, offset, user, samples, share, period, trampoline, handler, "
                  "program, seconds, rate, rate_low, rate_high. A row without an address has the samples of unknown "
                  "sites. seconds is how long the site was patched; rate is in samples per such second, with its "
                  "interval of 95 %.\n\n"
                  "--by=program: all samples in BPF programs and the code that they called, for each load: program, "
                  "bpf_id, bpf_metadata, tenure, from, to, samples, share, period, own, seconds, rate, rate_low, "
                  "rate_high, previous_bpf_id, ratio, ratio_low, ratio_high, p. ratio compares the rate with the load "
                  "before of the same name.\n"
                  "--measure=off-cpu: waits, off_cpu; share and parts of time off CPU; rates without intervals."),
    .examples = {
      "perf.data",
      "perf.data --by=cause --time 5.8,7",
      "perf.data --by=program --format=csv",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_COST | PEN_COMMAND_COUNTS,
    .write = pen_answer_cost,
  },
  {
    .name = "occupants",
    .arguments = "CAPTURE",
    .summary = N_("Occupants of address ranges, and when each was there"),
    .details = N_("Columns: from, to, space, start, end, kind, occupant, samples, changes, evidence. space is "
                  "“kernel” or a pid, with a number if that pid had several images (126/2).\n"
                  "--programs adds bpf_id, bpf_type, bpf_name, bpf_tag of BPF programs. Type and name are empty for "
                  "a program that was unloaded before the recorder could ask for them."),
    .examples = {
      "perf.data --kind bpf,stub",
      "perf.data --address 0xffffffffc020e000-0xffffffffc0219fff",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_PROGRAMS | PEN_COMMAND_COUNTS,
    .write = pen_answer_occupants,
  },
  {
    .name = "functions",
    .arguments = "CAPTURE",
    .summary = N_("Functions by number of samples, with their changes and versions"),
    .details = N_("Columns: symbol, kind, occupant, start, length, samples, period, changes, versions. A row "
                  "without a symbol stands for all unnamed code of an occupant. versions: number of successive "
                  "texts."),
    .examples = { "perf.data --changed", "perf.data --kind kernel --time 10%,20%" },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_COUNTS,
    .write = pen_answer_functions,
  },
  {
    .name = "buckets",
    .arguments = "CAPTURE",
    .summary = N_("Samples by instruction, text and cause, to add up over many machines"),
    .details = N_("Columns: samples, period, seconds, kind, build, occupant, symbol, offset, version, cause, event. "
                  "There are no addresses, so that rows of different boots and hosts compare.\n"
                  "build: build-id of the kernel, module or file; tag of a BPF program; the release of a kernel "
                  "without a recorded build-id. offset: in the symbol, or in the file without one. version: digest of "
                  "the instruction as it stood, wherever it lies. cause: of the patch that brought it; empty for the "
                  "original text. seconds: how long that text stood."),
    .examples = { "perf.data", "perf.data --changed --format=csv", "perf.data --kind bpf --time 10%,20%" },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_COUNTS,
    .write = pen_answer_buckets,
  },
  {
    .name = "stacks",
    .arguments = "CAPTURE",
    .summary = N_("Stacks of samples, each once, most samples first"),
    .details = N_("Columns: comm, samples, period, stack. stack begins with the outermost frame and ends with the "
                  "sample's own place; each frame is named as of the sample's time. A sample without a recorded "
                  "callchain has [callers unknown] above its place.\n"
                  "--format=folded prints what flame graph programs read, as stackcollapse-perf.pl does: "
                  "comm;outermost;…;innermost N. Spaces in comm are _, and a ; in a name is :.\n"
                  "--suffix adds to names: occupant ( [kernel.kallsyms]), version (@2: revision of the byte; none "
                  "for the original), cause ( (ftrace): of the patch that brought it), offset (+0x1c).\n\n"
                  "--batch, or --before and --after, compare two time ranges: those around a batch of patches (of equal "
                  "length, without a millisecond at its sides, up to the next patch of its places), or any two. A row "
                  "for each call path, each before those that it called: depth, symbol, kind, occupant, before, after, "
                  "own_before, own_after, rate_before, rate_after, ratio, ratio_low, ratio_high, p, verdict. Rates are "
                  "in samples per second. verdict is more or less only where the rates differ at a level of 5 % for "
                  "all rows together."),
    .examples = {
      "perf.data --format=folded -o stacks.folded",
      "perf.data --format=folded --suffix=version --time 5.8,7",
      "perf.data --batch 2",
      "perf.data --before 5,5.8 --after 6,6.8 --least=1",
    },
    .flags = PEN_COMMAND_STACKS | PEN_COMMAND_FILTER,
    .run = pen_answer_stacks,
  },
  {
    .name = "export",
    .arguments = "CAPTURE… --to=FORMAT -o FILE | --fleet=DIR",
    .summary = N_("File for another program: folded stacks, pprof, Firefox Profiler, speedscope; tables for a database"),
    .details = N_("--to=folded: one line per stack, as stacks --format=folded. --to=pprof: profile.proto, gzipped, for "
                  "go tool pprof and others; equal stacks of a task are one sample, without a time. --to=firefox: for "
                  "profiler.firefox.com, gzipped JSON: a thread for each task, its samples in time order, markers for "
                  "its CPUs; a thread Kernel text with patches, programs and losses as markers. --to=speedscope: JSON "
                  "for speedscope.app, a profile for each task.\n\n"
                  "--suffix adds to names of frames, as stacks does (default: none for folded, version,cause for "
                  "firefox and speedscope). pprof has labels in place of it (default: occupant,version,cause): they "
                  "are about the place of the sample; offset gives its locations their addresses. none leaves all "
                  "out.\n\n"
                  "--fleet=DIR writes tables of whole recordings, for ClickHouse, DuckDB and others: capture, buckets, "
                  "changes, occupants and causes, each as TABLE-ID.csv.zst. ID is the recording's own, wherever it "
                  "lies. A file that is there is whole, and is not made again; a recording that cannot be read does "
                  "not stop the others. --clickhouse prints the tables, --fleet=DIR --duckdb the views, as SQL."),
    .examples = {
      "perf.data --to=pprof -o perf.pb.gz",
      "perf.data --to=firefox --time 5.8,7 -o perf.json.gz",
      "perf.data --to=speedscope --measure=period -o perf.speedscope.json",
      "perf.data mine.pentimento --fleet=fleet",
    },
    .flags = PEN_COMMAND_EXPORT | PEN_COMMAND_FILTER,
    .run = pen_answer_export,
  },
  {
    .name = "callers",
    .arguments = "CAPTURE SYMBOL[+OFFSET]|ADDRESS",
    .summary = N_("Direct callers of a function or line, with samples"),
    .details = N_("Columns: relation (caller; outermost: nothing called it; unknown: callers were not recorded), "
                  "samples, share (of the samples through the place), rate (per second), symbol, kind, occupant, "
                  "period, first, last. Each sample counts once, for the innermost time that the place is in its "
                  "stack.\n"
                  "--versions adds tenure, revision, cause, since of the text that the call was in (the caller's): "
                  "since is the time of the patch that brought it, and each text has a row. Where there is no "
                  "caller, they are of the place itself.\n"
                  "--at takes only samples from the time around TIME in which the place's text did not change."),
    .examples = {
      "perf.data vfs_read",
      "perf.data vfs_read --versions --time 5.8,7",
      "perf.data 0xffffffff8134cc50 --format=csv",
      "perf.data vfs_read --at=6.2",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_TARGET | PEN_COMMAND_CALLERS | PEN_COMMAND_AT,
    .write = pen_answer_callers,
  },
  {
    .name = "callees",
    .arguments = "CAPTURE SYMBOL[+OFFSET]|ADDRESS",
    .summary = N_("Direct callees of a function or line, with samples"),
    .details = N_("Columns: relation (callee; itself: the sample was in the place), and those of callers. Each "
                  "sample counts once, for the outermost time that the place is in its stack.\n"
                  "--versions adds tenure, revision, cause, since of the text that the call was in: the place's.\n"
                  "--at takes only samples from the time around TIME in which the place's text did not change."),
    .examples = {
      "perf.data vfs_read",
      "perf.data vfs_read --versions",
      "perf.data vfs_read+0x0 --revision=1 --format=json",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_TARGET | PEN_COMMAND_CALLERS | PEN_COMMAND_AT,
    .write = pen_answer_callees,
  },
  {
    .name = "annotate",
    .arguments = "CAPTURE SYMBOL|ADDRESS",
    .summary = N_("Text of a function over time, with the samples of each version"),
    .details = N_("Columns in csv and json: address, offset, version, from, to, kind, occupant, revision, bytes, "
                  "instruction, target, source, samples, period, first, last, evidence. A table is a listing: "
                  "~ marks a patched instruction, and each of its versions has a line. If several functions had "
                  "the name, all are shown, most samples first. Of several loads of a program or stub, a listing "
                  "has the one with most samples."),
    .examples = {
      "perf.data vfs_read",
      "perf.data 0xffffffff8134cc50 --syntax=intel",
      "perf.data vfs_read --at=6.2",
      "perf.data vfs_read --time 5.8,7 --format=csv",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_SYNTAX | PEN_COMMAND_TARGET | PEN_COMMAND_AT
             | PEN_COMMAND_LOADS | PEN_COMMAND_COUNTS,
    .write = pen_answer_annotation,
  },
  {
    .name = "history",
    .arguments = "CAPTURE ADDRESS|SYMBOL+OFFSET",
    .summary = N_("Occupants and patches of one address: when, why, by which task"),
    .details = N_("A table is a listing: each version below the patch that brought it. near: near_from|near_to.\n\n"
                  "Columns in csv and json: from, to, kind, occupant, symbol, offset, revision, bytes, instruction, "
                  "before_bytes, before_instruction, cause, reason, confidence, key, batch, sites, cpu, pid, tid, "
                  "comm, samples, period, near_from, near_to, share, rate, evidence, program, called_from, called_from_evidence, "
                  "called_from_samples. There is one row for "
                  "each tenure of the byte and each version of it. from and to are empty where the recording does "
                  "not bound them. near_from and near_to count the samples within a millisecond (--band-width) of "
                  "them."),
    .examples = {
      "perf.data vfs_read",
      "perf.data vfs_read+0x5",
      "perf.data 0xffffffff8134cc50 --format=json",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_SYNTAX | PEN_COMMAND_TARGET | PEN_COMMAND_BAND
             | PEN_COMMAND_COUNTS,
    .write = pen_answer_history,
  },
  {
    .name = "text",
    .arguments = "CAPTURE ADDRESS|SYMBOL[+OFFSET]",
    .summary = N_("Kernel code as it was at one moment"),
    .details = N_("Columns in csv and json: address, symbol, offset, kind, occupant, from, to, bytes, instruction, "
                  "target, source, evidence. from and to are the time during which these bytes were there. A table "
                  "is a listing: ~ marks an instruction that was patched at some time.\n\n"
                  "A change at TIME itself is included; with a - after TIME it is not. The default length is the "
                  "whole function, or its rest after OFFSET.\n\n"
                  "Two --at print both texts side by side, A and B, where they differ (--all: all lines), with the "
                  "samples of each line in the time around its moment in which the text did not change. Columns in "
                  "csv and json: address, symbol, offset, difference (same, changed, added, removed, occupant, "
                  "unknown), a_kind, a_occupant, a_from, a_to (that time), a_bytes, a_instruction, a_target, "
                  "a_samples, b_… (the same).\n"
                  "--measure=off-cpu, with two --at: a_waits, a_off_cpu in place of a_samples."),
    .examples = {
      "perf.data vfs_read --at=start",
      "perf.data vfs_read --at=5.844816145- --length=16",
      "perf.data vfs_read --at=start --at=6.2",
      "perf.data vfs_read --at=end --raw -o vfs_read.bin",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_SYNTAX | PEN_COMMAND_TARGET | PEN_COMMAND_TEXT
             | PEN_COMMAND_COUNTS,
    .run = pen_answer_text,
  },
  {
    .name = "find",
    .arguments = "CAPTURE [TEXT|-]",
    .summary = N_("Occupants of an address or of a stack trace, then and at other times"),
    .details = N_("TEXT is a symbol, an address in any form that a kernel prints, a static key, a task, a time, or a "
                  "program by name, ID (bpf:23) or tag; or a whole oops or stack trace. - (the default) reads it "
                  "from standard input. Each place is resolved as of TIME (default: the time in the trace, if it "
                  "is in the recording, else the end); further rows show who held the address at other times.\n\n"
                  "Columns in csv and json: place, text, found (address, function, task, key, time, occupant), when "
                  "(then, before, after), from, to, address, kind, occupant, bpf_id, name, offset, length, stated "
                  "(the length in the trace), samples, changes, pid, tid, evidence, tenure, remark."),
    .examples = {
      "perf.data vfs_read+0x1c/0x310 --at=6.2",
      "perf.data ffffffff8134cc50",
      "perf.data sh --format=csv",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FIND | PEN_COMMAND_AT,
    .samples_only = N_("samples only show which place is meant; “functions --measure=off-cpu” counts waits"),
    .write = pen_answer_found,
  },
  {
    .name = "compare",
    .arguments = "CAPTURE SYMBOL[+OFFSET]|ADDRESS|CAPTURE [SYMBOL]",
    .summary = N_("Samples per second before and after each patch, or of two recordings"),
    .details = N_("Columns in csv and json: change, time, cause, pokes, before, before_seconds, before_rate, "
                  "before_low, before_high, before_share, after, … (the same), lost_seconds, ratio, ratio_low, "
                  "ratio_high, p, verdict. SYMBOL counts the samples of the whole function, SYMBOL+OFFSET those on "
                  "the bytes that were patched there. before begins at the previous change, after ends at the next. "
                  "low and high bound the true rate with 95 % confidence. verdict: more, less, alike (no "
                  "significant difference), unknown (nothing recorded on one side).\n"
                  "With --phases, columns in csv and json: cause, key, address, target, comm, phase, stretches, "
                  "samples, seconds, lost_seconds, rate, low, high, share, period, uneven, ratio, ratio_low, "
                  "ratio_high, p, verdict, share_ratio, share_low, share_high, share_p, share_verdict, differs. A row "
                  "for each phase (off, on, other, unknown) of each cause, and of tasks of one name. ratio: on "
                  "divided by off.\n"
                  "With a second recording, the functions of both, A and B, by occupant and name, never by address. "
                  "Columns in csv and json: symbol, kind, occupant, b_symbol, b_occupant (of a renamed function), "
                  "a_samples, a_seconds, a_rate, a_low, a_high, "
                  "a_share, a_share_low, a_share_high, b_… (the same), factor, obstacle, ratio, ratio_low, "
                  "ratio_high, p, verdict, share_ratio, share_low, share_high, share_p, share_verdict, text, changed, "
                  "sites, a_versions, b_versions. factor: "
                  "rates of B are divided by it, for another sampling rate or number of CPUs; obstacle: why rates "
                  "cannot be compared (then only shares are). verdict: slower, faster, new (no samples in A), gone "
                  "(none in B), or empty: no significant difference at 5 % for all functions together. text: same, patched (but for "
                  "sites that the kernel patches), differs, unknown, compared without what moves with a build or a "
                  "boot; changed: instructions that differ; sites: causes of patches that stand differently; versions: texts that "
                  "the function had, of which the last is compared. Sure "
                  "differences are first, the largest first. Filters apply to both recordings; in --time, prefer "
                  "per cent. Given twice, the first --time is that of A, the second that of B.\n"
                  "With a second recording and SYMBOL, the text of the function in both, side by side, with the samples "
                  "of each instruction. Columns in csv and json: symbol, kind, occupant, difference (same, changed, "
                  "added, removed, unknown, rest: samples on other bytes), site (cause of a patch that stands "
                  "differently), masked (yes: an address without a name is not compared), a_offset, a_bytes, "
                  "a_instruction, a_target, a_source, a_samples, a_rate, a_low, a_high, b_… (the same), ratio, "
                  "ratio_low, ratio_high, p, verdict.\n"
                  "--by=line: lines of source, of SYMBOL or of all functions: symbol, kind, occupant, a_source, a_instructions, "
                  "a_samples, a_rate, a_low, a_high, a_share, b_… (the same), changed, ratio, ratio_low, ratio_high, p, "
                  "verdict. Lines whose instructions are mostly each other's are one row.\n"
                  "--by=path: a row for each call path, each before those that it called; with SYMBOL, from the "
                  "function to its callers: depth, symbol, kind, occupant, b_symbol, a_samples, a_own, a_rate, a_low, "
                  "a_high, a_share, b_… (the same), ratio, ratio_low, ratio_high, p, verdict, obstacle.\n"
                  "--by=stack: a row for each stack that samples end in, sure differences first: stack (from the outermost "
                  "frame), frames, a_samples, a_rate, a_low, a_high, a_share, b_… (the same), ratio, ratio_low, "
                  "ratio_high, p, verdict, obstacle.\n"
                  "--by=cause: static keys, static calls, traced functions, probes and BPF programs, those that stand "
                  "differently first: cause (or program), for, programs, purpose, symbol, offset, kind, occupant, "
                  "difference (new: on in B alone; gone: in A alone; more, less: for another part of the time; unknown), "
                  "a_state (on, off, both, absent, unknown), a_on, a_unknown (parts of the time), a_flips, a_sites, "
                  "a_known_by (patches, text), a_samples, a_rate, a_low, a_high, a_share, b_… (the same), ratio, "
                  "ratio_low, ratio_high, p, verdict, obstacle. Samples are those of the functions that have its places."),
    .examples = {
      "perf.data vfs_read --phases",
      "perf.data vfs_read+0x0 --change 2",
      "before.data after.data --kind kernel",
      "before.data after.data vfs_read --by=path",
      "before.data after.data --by=cause",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER | PEN_COMMAND_TARGET | PEN_COMMAND_CHANGE | PEN_COMMAND_PAIR
             | PEN_COMMAND_SYNTAX,
    .samples_only = N_("rates of samples are compared; waits do not come at random, as these tests need"),
    .run = pen_command_compare,
  },
  {
    .name = "misattribution",
    .arguments = "CAPTURE",
    .summary = N_("Functions whose samples perf annotate shows on the wrong text"),
    .details = N_("Columns: symbol, kind, occupant, start, length, samples, misattributed, on_changed, share, "
                  "stretches, reason. misattributed: samples taken while the function's text differed from the text "
                  "that perf annotate shows; on_changed: those whose own instruction differed. share: of all kernel "
                  "samples that pass the filter. reason: patched, other part (further functions of a BPF program "
                  "are shown with the text of the first), no text (perf has none to show)."),
    .examples = { "perf.data", "perf.data --time 10%,20% --format=csv" },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_FILTER,
    .samples_only = N_("perf annotate shows samples, and no time off CPU"),
    .write = pen_answer_misattribution,
  },
  {
    .name = "render",
    .arguments = "CAPTURE [SYMBOL|ADDRESS] -o FILE.png|.svg|.pdf",
    .summary = N_("Picture of the timeline, the text map, a function's text, or its callers"),
    .details = N_("The picture that the window shows, as a file; its name's extension selects the format. --time is "
                  "the time range of the picture; the other filters select samples and patches. An annotation shows "
                  "the given function (default: the patched function with most samples). A flame graph shows the stacks "
                  "of all samples, or from the given place; --inverted its callers; --batch, or --before and "
                  "--after, how two time ranges differ, as stacks has it."),
    .examples = {
      "perf.data -o overview.png",
      "perf.data --view=map --time 5.8,7 -o map.svg --dark",
      "perf.data vfs_read --view=annotation -o vfs_read.pdf",
      "perf.data vfs_read --view=flame --inverted -o callers.svg",
    },
    .flags = PEN_COMMAND_FILTER | PEN_COMMAND_SYNTAX | PEN_COMMAND_RENDER,
    .run = pen_render_run,
  },
  {
    .name = "notes",
    .arguments = "CAPTURE",
    .summary = N_("Notes on lines and times"),
    .details = N_("Columns: id, time, address, symbol, offset, text, written. Notes are written in the window "
                  "(Ctrl+D). Notes on a store are in the store; notes on another recording are in "
                  "$XDG_DATA_HOME/pentimento/notes, and an import copies them into its store."),
    .examples = { "perf.data", "mine.pentimento --format=json" },
    .flags = PEN_COMMAND_TABLE,
    .write = pen_answer_notes,
  },
  {
    .name = "sql",
    .arguments = "CAPTURE QUERY",
    .summary = N_("Result of an SQL query"),
    .details = N_("QUERY is one SQLite statement that reads. docs/store.md describes the tables. The table sample "
                  "has the columns of the command samples, and id, tenure, function, thread, bucket, callchain; the "
                  "table bucket has the buckets; callchain(ID) is the table of a sample's callers, nearest first. "
                  "There are views for frequent questions: function_total, occupant_total, version_total, "
                  "patched_total, thread_total, patch_total, patcher_total, loss_total, occupant_second. Addresses "
                  "are signed; printf('0x%x', address) shows them in hexadecimal."),
    .examples = {
      "perf.data \"SELECT name FROM sqlite_schema\"",
      "perf.data \"SELECT * FROM patch_total\"",
      "perf.data \"SELECT symbol, count(*) AS n FROM sample WHERE cpu = 1\n"
      "    AND time > 5000000000 GROUP BY symbol ORDER BY n DESC LIMIT 10\"",
      "perf.data \"SELECT c.symbol, count(*) FROM sample s, callchain(s.callchain) c\n"
      "    WHERE s.symbol = 'vfs_read' AND c.depth = 1 GROUP BY 1\" --format=csv",
    },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_QUERY,
    .run = pen_command_sql,
  },
  {
    .name = "sanitize",
    .arguments = "CAPTURE -o STORE",
    .summary = N_("Copy of a recording to show to others, without names of hosts, tasks and files"),
    .details = N_("Names of tasks, programs and libraries, their functions, source files, BPF programs and events of one's "
                  "own are replaced, each by the same everywhere. Kernel addresses are moved by one random distance, in "
                  "tables, call chains and instructions. Left out: names of hosts, command lines, paths, notes, "
                  "arguments of events, code of programs, sources and types of BPF programs; a message lists the rows. "
                  "Counts, times, causes and histories stay, and so do process numbers, the kernel's release, build IDs of "
                  "kernel and modules, and the names of their functions. The recording is not changed."),
    .examples = {
      "perf.data -o shown.pentimento",
      "perf.data -o shown.pentimento --keep=tasks,programs",
    },
    .flags = PEN_COMMAND_SANITIZE,
    .run = pen_command_sanitize,
  },
  {
    .name = "cache",
    .arguments = "",
    .summary = N_("Kept imports and their size limit"),
    .details = N_("Columns: capture, size, used, state, store; most recently used first. In csv and json the size is "
                  "in bytes. After each import, the least recently used ones are removed until all of them fit the "
                  "limit (default: 10GB); imports in use stay. The limit is kept in "
                  "$XDG_CONFIG_HOME/pentimento/settings.ini."),
    .examples = { "", "--limit=2GB", "--limit=none", "--clear" },
    .flags = PEN_COMMAND_TABLE | PEN_COMMAND_CACHE,
    .run = pen_command_cache,
  },
};
/* clang-format on */
