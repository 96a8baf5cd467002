/* pen-options.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-options.h"

#include <glib/gi18n-lib.h>

#include "pen-picture.h"

/* Enough for a query that reads 100 million samples. */

#include "pen-query-history.h"

/* Enough to look at each of 100 million samples. */
#define DEFAULT_TIMEOUT 120

#define KINDS "kernel,module,bpf,stub,dso,vdso,anon,guest,unknown"
#define CAUSES "static-key,static-call,ftrace,livepatch,kprobe,optprobe,bpf,unannounced,unknown"

/* In addition to PenCommandFlags. */
#define ANY (1u << 30)
#define CAPTURE (1u << 29)

void
pen_options_init (PenOptions *self)
{
  *self = (PenOptions){
    .timeout = DEFAULT_TIMEOUT, .band_width = PEN_BAND, .revision = -1, .scale = 1
  };
}

void
pen_options_clear (PenOptions *self)
{
  g_clear_pointer (&self->output, g_free);
  g_clear_pointer (&self->format, g_free);
  g_clear_pointer (&self->syntax, g_free);
  g_clear_pointer (&self->limit, g_free);
  g_clear_pointer (&self->at, g_strfreev);
  g_clear_pointer (&self->length, g_free);
  g_clear_pointer (&self->by, g_free);
  g_clear_pointer (&self->cost_by, g_free);
  g_clear_pointer (&self->pair_by, g_free);
  g_clear_pointer (&self->before, g_free);
  g_clear_pointer (&self->after, g_free);
  g_clear_pointer (&self->least, g_free);
  g_clear_pointer (&self->grouping, g_free);
  g_clear_pointer (&self->measure, g_free);
  g_clear_pointer (&self->suffix, g_free);
  g_clear_pointer (&self->to, g_free);
  g_clear_pointer (&self->keep, g_free);
  g_clear_pointer (&self->fleet, g_free);
  g_clear_pointer (&self->view, g_free);
  g_clear_pointer (&self->kallsyms, g_strfreev);
  g_clear_pointer (&self->kcore, g_strfreev);
  g_clear_pointer (&self->modules, g_strfreev);
  g_clear_pointer (&self->vmlinux, g_free);
  g_clear_pointer (&self->symfs, g_free);
  g_clear_pointer (&self->perf_map, g_free);
  pen_filter_options_clear (&self->filter);
}

/* A translation needs the numbers in the help as they are. */
G_STATIC_ASSERT (DEFAULT_TIMEOUT == 120 && PEN_BAND == 1000000);
G_STATIC_ASSERT (PEN_PICTURE_WIDTH == 1200 && PEN_PICTURE_SCALES == 4);

/* clang-format off */
#define FLAG(name, place, help) { name, 0, 0, G_OPTION_ARG_NONE, place, help, NULL }
#define WORD(name, place, value, help) { name, 0, 0, G_OPTION_ARG_FILENAME, place, help, value }
#define WORDS(name, place, value, help) { name, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, place, help, value }
#define NUMBER(name, place, value, help) { name, 0, 0, G_OPTION_ARG_INT, place, help, value }

GArray *
pen_options_list (PenOptions *self, const PenCommand *command)
{
  PenFilterOptions *filter = &self->filter;
  const PenOption all[] = {
    { PEN_COMMAND_IMPORT, PEN_OPTION_OWN,
      FLAG ("verify", &self->verify, N_("Integrity check of a store, without an import")), NULL, FALSE },
    { PEN_COMMAND_WIDE, PEN_OPTION_OWN,
      FLAG ("callchain", &self->callchain,
            N_("Additional column: place of the sample, and its callers")), NULL, FALSE },
    { PEN_COMMAND_WIDE, PEN_OPTION_OWN,
      FLAG ("band", &self->band,
            N_("Additional columns: ns since and until the nearest changes of the byte")), NULL, FALSE },
    { PEN_COMMAND_WIDE, PEN_OPTION_OWN,
      FLAG ("payload", &self->payload,
            N_("Additional column: data of a tracepoint or BPF program in the sample")), NULL, FALSE },
    { PEN_COMMAND_BATCHES, PEN_OPTION_OWN,
      FLAG ("batches", &self->batches,
            N_("Additional columns: confidence of the cause, sites patched together")), NULL, FALSE },
    { PEN_COMMAND_PROGRAMS, PEN_OPTION_OWN,
      FLAG ("programs", &self->programs, N_("Additional columns: ID, type, name and tag of BPF programs")), NULL, FALSE },
    { PEN_COMMAND_AT | PEN_COMMAND_TEXT, PEN_OPTION_OWN,
      WORDS ("at", &self->at, "TIME",
             N_("Moment: seconds (4.81), percentage (30%), start, end; 4.81- is just before")),
      NULL, FALSE },
    { PEN_COMMAND_TEXT, PEN_OPTION_OWN,
      FLAG ("all", &self->all, N_("Two moments: all lines, not only those that differ")), NULL, FALSE },
    { PEN_COMMAND_LOADS, PEN_OPTION_OWN,
      FLAG ("all-loads", &self->all_loads, N_("A listing has all loads of a name, not only the one with most samples")),
      NULL, FALSE },
    { PEN_COMMAND_TEXT, PEN_OPTION_OWN,
      WORD ("length", &self->length, "BYTES", N_("Number of bytes, across symbols (default: rest of the function)")),
      NULL, FALSE },
    { PEN_COMMAND_TEXT, PEN_OPTION_OWN,
      FLAG ("raw", &self->is_raw, N_("Raw bytes instead of a table")), NULL, FALSE },
    { PEN_COMMAND_BAND, PEN_OPTION_OWN,
      { "band-width", 0, 0, G_OPTION_ARG_INT64, &self->band_width,
        N_("Margin around a change, in ns (default: 1000000)"), "NS" },
      NULL, FALSE },
    { PEN_COMMAND_CHANGE, PEN_OPTION_OWN,
      NUMBER ("change", &self->change, "NUMBER", N_("Number of one change, from 1 (default: all)")), NULL, FALSE },
    { PEN_COMMAND_CHANGE, PEN_OPTION_OWN,
      FLAG ("phases", &self->phases, N_("All changes of a cause together: with it, and without")), NULL, FALSE },
    { PEN_COMMAND_CAUSES, PEN_OPTION_OWN,
      WORD ("by", &self->by, "GROUP", N_("Rows below each cause: key, task or function (default: key)")),
      "key,task,function", FALSE },
    { PEN_COMMAND_COST, PEN_OPTION_OWN,
      WORD ("by", &self->cost_by, "GROUP", N_("Rows: site, cause or program (default: site)")),
      "site,cause,program", FALSE },
    { PEN_COMMAND_PAIR, PEN_OPTION_OWN,
      WORD ("by", &self->pair_by, "GROUP",
            N_("Rows about two recordings: function, line (of source), path (of calls), stack or cause (of patches) "
               "(default: function)")),
      "function,line,path,stack,cause", FALSE },
    { PEN_COMMAND_EXPORT, PEN_OPTION_OWN,
      WORD ("to", &self->to, "FORMAT", N_("Format: folded, pprof, firefox or speedscope")),
      "folded,pprof,firefox,speedscope", FALSE },
    { PEN_COMMAND_EXPORT, PEN_OPTION_OWN,
      WORD ("fleet", &self->fleet, "DIR", N_("Tables for a database, of all recordings named, as files in DIR")), NULL, FALSE },
    { PEN_COMMAND_EXPORT, PEN_OPTION_OWN,
      FLAG ("clickhouse", &self->clickhouse, N_("Tables of ClickHouse for such files, as SQL")), NULL, FALSE },
    { PEN_COMMAND_EXPORT, PEN_OPTION_OWN,
      FLAG ("duckdb", &self->duckdb, N_("Views of DuckDB of the files in DIR, as SQL")), NULL, FALSE },
    { PEN_COMMAND_SANITIZE, PEN_OPTION_OWN,
      WORD ("keep", &self->keep, "LIST", N_("Names that stay: tasks, symbols, paths, programs, events (default: none)")),
      "tasks,symbols,paths,programs,events", TRUE },
    { PEN_COMMAND_STACKS | PEN_COMMAND_CALLERS | PEN_COMMAND_RENDER | PEN_COMMAND_EXPORT, PEN_OPTION_OWN,
      WORD ("by", &self->grouping, "GROUP", N_("Frames merged by function, occupant or source file (default: function)")),
      "function,occupant,file", FALSE },
    { PEN_COMMAND_STACKS | PEN_COMMAND_CALLERS | PEN_COMMAND_RENDER | PEN_COMMAND_EXPORT, PEN_OPTION_OWN,
      WORD ("measure", &self->measure, "MEASURE",
            N_("Order, share and folded counts by samples, period or off-cpu, time off CPU (default: samples)")),
      "samples,period,off-cpu", FALSE },
    { PEN_COMMAND_COUNTS, PEN_OPTION_OWN,
      WORD ("measure", &self->measure, "MEASURE",
            N_("Counts of samples, or off-cpu: of waits, with their time off CPU (default: samples)")),
      "samples,off-cpu", FALSE },
    { PEN_COMMAND_STACKS, PEN_OPTION_OWN,
      WORD ("suffix", &self->suffix, "LIST", N_("After the name of a frame: occupant, version, cause, offset")),
      "occupant,version,cause,offset,none", TRUE },
    { PEN_COMMAND_EXPORT, PEN_OPTION_OWN,
      WORD ("suffix", &self->suffix, "LIST",
            N_("After the name of a frame, labels in pprof: occupant, version, cause, offset, none (default: by format)")),
      "occupant,version,cause,offset,none", TRUE },
    { PEN_COMMAND_STACKS | PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      NUMBER ("batch", &self->batch, "NUMBER",
              N_("What patches changed: call paths before and after a batch (see changes --batches)")),
      NULL, FALSE },
    { PEN_COMMAND_STACKS | PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("across", &self->across, N_("With --batch: also across other patches of the same places")), NULL, FALSE },
    { PEN_COMMAND_STACKS | PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      WORD ("before", &self->before, "FROM,TO", N_("With --after: call paths of two time ranges, compared")),
      NULL, FALSE },
    { PEN_COMMAND_STACKS | PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      WORD ("after", &self->after, "FROM,TO", N_("The second of them")), NULL, FALSE },
    { PEN_COMMAND_STACKS | PEN_COMMAND_RENDER | PEN_COMMAND_PAIR, PEN_OPTION_OWN,
      WORD ("least", &self->least, "PERCENT",
            N_("Compared call paths with at least this share of samples (default: 0.1)")), NULL, FALSE },
    { PEN_COMMAND_CALLERS, PEN_OPTION_OWN,
      FLAG ("versions", &self->versions,
            N_("Additional columns, and a row for each text that a call was in: since which patch")), NULL, FALSE },
    { PEN_COMMAND_CALLERS, PEN_OPTION_OWN,
      { "revision", 0, 0, G_OPTION_ARG_INT64, &self->revision,
        N_("Only while the place's byte was of this revision, from 0 (default: any)"), "NUMBER" },
      NULL, FALSE },
    { PEN_COMMAND_SYNTAX, PEN_OPTION_OWN,
      WORD ("syntax", &self->syntax, "SYNTAX", N_("Instruction syntax: att or intel (default: att)")),
      "att,intel", FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      WORD ("view", &self->view, "VIEW", N_("overview, map, annotation, flame, chart or heat (default: overview)")),
      "overview,map,annotation,flame,chart,heat", FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("inverted", &self->inverted, N_("Flame graph from the innermost frames, or of the callers of a function")),
      NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("icicle", &self->icicle, N_("Flame graph with the outermost frames on top")), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      NUMBER ("width", &self->width, "PIXELS", N_("Width in pixels (default: 1200)")),
      NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      NUMBER ("height", &self->height, "PIXELS", N_("Height in pixels (default: fit)")), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      NUMBER ("scale", &self->scale, "N",
              N_("Scale of a PNG, 1 to 4 (default: 1)")),
      NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN, FLAG ("dark", &self->dark, N_("Dark background")), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("light", &self->light, N_("Light background (default)")), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("cpus", &self->cpus, N_("Row for each CPU, in an overview")), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("processes", &self->processes, N_("Rows for the busiest processes, in an overview")), NULL, FALSE },
    { PEN_COMMAND_QUERY, PEN_OPTION_OWN,
      NUMBER ("timeout", &self->timeout, "SECONDS",
              N_("Query timeout in seconds (default: 120); 0: none")),
      NULL, FALSE },
    { PEN_COMMAND_CACHE, PEN_OPTION_OWN,
      FLAG ("clear", &self->clear, N_("Remove unused imports")), NULL, FALSE },
    { PEN_COMMAND_CACHE, PEN_OPTION_OWN,
      WORD ("limit", &self->limit, "SIZE",
            N_("Size limit from now on: 500MB, 10GB, 2GiB, none (default: 10GB)")),
      NULL, FALSE },

    { PEN_COMMAND_RECORD, PEN_OPTION_OWN,
      FLAG ("no-witness", &self->no_witness, N_("No reading of the bytes at each sample")), NULL, FALSE },
    { PEN_COMMAND_RECORD, PEN_OPTION_OWN,
      FLAG ("witness-user", &self->witness_user, N_("Reading also at samples of processes: their memory")),
      NULL, FALSE },

    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("time", &filter->times, "FROM,TO",
            N_("Time range: seconds as perf prints them (4.81,7.29), or percentages (10%,20%)")),
      NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("cpu", &filter->cpus, "LIST", N_("CPUs (0,2-5)")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("pid", &filter->pids, "LIST", N_("Processes (126,127)")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("tid", &filter->tids, "LIST", N_("Threads")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("comm", &filter->comms, "NAME", N_("Command name")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("event", &filter->events, "NAME", N_("Event")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("kind", &filter->kinds, "LIST",
             N_("Kinds: kernel, module, bpf, stub, dso, vdso, anon, guest, unknown")), KINDS, TRUE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("occupant", &filter->occupants, "NAME",
             N_("Occupant: [kernel.kallsyms], [module], the name of a program, a file")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("symbol", &filter->symbols, "NAME", N_("Symbol")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("bpf", &filter->bpf_ids, "LIST", N_("IDs of BPF programs (23,25)")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("tenure", &filter->tenures, "LIST", N_("Numbers of tenures, as “occupants” shows them")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORD ("address", &filter->address, "FROM-TO", N_("Address range, hexadecimal; or one address")), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("cause", &filter->causes, "LIST",
             N_("Causes of patches: static-key, static-call, ftrace, livepatch, kprobe, optprobe, bpf, unannounced, unknown")),
      CAUSES, TRUE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      FLAG ("changed", &filter->changed, N_("Only text with more than one occupant or revision")),
      NULL, FALSE },

    { CAPTURE, PEN_OPTION_SOURCE,
      WORDS ("kallsyms", &self->kallsyms, "FILE[@TIME]", N_("Copy of the recorded machine's /proc/kallsyms")),
      NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORDS ("kcore", &self->kcore, "FILE[@TIME]", N_("Copy of its /proc/kcore, as perf makes it")),
      NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORDS ("modules", &self->modules, "FILE[@TIME]", N_("Copy of its /proc/modules or /sys/module")), NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("vmlinux", &self->vmlinux, "FILE",
            N_("ELF file of its kernel, with the recorded build ID")), NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("symfs", &self->symfs, "DIR",
            N_("Directory with its kernel, modules, programs and libraries (default: this machine's)")),
      NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("perf-map", &self->perf_map, "PATH",
            N_("Symbols of JIT-compiled code: a file perf-PID.map, or a directory of such files")),
      NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      FLAG ("source-lines", &self->source_lines,
            N_("Source lines from large debug files too (slow)")), NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      FLAG ("debuginfod", &self->debuginfod,
            N_("Missing files from the servers in DEBUGINFOD_URLS")), NULL, FALSE },

    { PEN_COMMAND_TABLE | PEN_COMMAND_WATCH, PEN_OPTION_GENERAL,
      WORD ("format", &self->format, "FORMAT", N_("table, csv or json (default: table)")), "table,csv,json", FALSE },
    { PEN_COMMAND_STACKS, PEN_OPTION_GENERAL,
      WORD ("format", &self->format, "FORMAT", N_("table, csv, json or folded (default: table)")),
      "table,csv,json,folded", FALSE },
    { ANY, PEN_OPTION_GENERAL,
      { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output, N_("Output file"), "FILE" }, NULL, FALSE },
    { PEN_COMMAND_FOLLOW, PEN_OPTION_GENERAL,
      FLAG ("follow", &self->follow, N_("Output while the recording is made, until it ends")), NULL, FALSE },
    { CAPTURE, PEN_OPTION_GENERAL,
      FLAG ("strict", &self->strict, N_("Exit status 3 if records were repaired, set aside or lost")),
      NULL, FALSE },
    { ANY, PEN_OPTION_GENERAL,
      { "help", 'h', 0, G_OPTION_ARG_NONE, &self->help, N_("Show this help"), NULL }, NULL, FALSE },
    { ANY, PEN_OPTION_GENERAL, FLAG ("version", &self->version, N_("Show the version")), NULL, FALSE },
  };
  guint apart = PEN_COMMAND_CACHE | PEN_COMMAND_RECORD | PEN_COMMAND_WATCH;
  guint flags = command->flags | ANY | (command->flags & apart ? 0 : CAPTURE);
  gboolean is_list = (flags & (PEN_COMMAND_TABLE | PEN_COMMAND_STACKS)) != 0;
  GArray *options = g_array_new (FALSE, FALSE, sizeof (PenOption));

  if (is_list && (flags & (apart | PEN_COMMAND_QUERY)) == 0)
    flags |= PEN_COMMAND_FOLLOW;
  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    if (all[i].flags & flags)
      g_array_append_val (options, all[i]);
  }
  return options;
}
/* clang-format on */

const PenOption *
pen_options_find (const GArray *options, const char *name)
{
  for (guint i = 0; i < options->len; i++) {
    const PenOption *option = &g_array_index (options, PenOption, i);

    if (g_str_equal (option->entry.long_name, name))
      return option;
  }
  return NULL;
}
