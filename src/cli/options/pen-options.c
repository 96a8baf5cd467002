/* pen-options.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-options.h"

#include "pen-query-history.h"

/* Enough to look at each of 100 million samples. */
#define DEFAULT_TIMEOUT 120

#define KINDS "kernel,module,bpf,stub,dso,vdso,anon,guest,unknown"
#define CAUSES "static-key,static-call,ftrace,kprobe,optprobe,bpf,unknown"

/* Beside those of PenCommandFlags. */
#define ANY (1u << 30)
#define CAPTURE (1u << 29)

void
pen_options_init (PenOptions *self)
{
  *self = (PenOptions){ .timeout = DEFAULT_TIMEOUT, .band_width = PEN_BAND, .scale = 1 };
}

void
pen_options_clear (PenOptions *self)
{
  g_clear_pointer (&self->output, g_free);
  g_clear_pointer (&self->format, g_free);
  g_clear_pointer (&self->syntax, g_free);
  g_clear_pointer (&self->limit, g_free);
  g_clear_pointer (&self->at, g_free);
  g_clear_pointer (&self->length, g_free);
  g_clear_pointer (&self->view, g_free);
  g_clear_pointer (&self->kallsyms, g_free);
  g_clear_pointer (&self->kcore, g_free);
  g_clear_pointer (&self->modules, g_free);
  g_clear_pointer (&self->vmlinux, g_free);
  g_clear_pointer (&self->symfs, g_free);
  g_clear_pointer (&self->perf_map, g_free);
  pen_filter_options_clear (&self->filter);
}

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
      FLAG ("verify", &self->verify, "Import nothing: look whether a store is damaged"), NULL, FALSE },
    { PEN_COMMAND_WIDE, PEN_OPTION_OWN,
      FLAG ("callchain", &self->callchain,
            "A last column: the sample's place, and what called it"), NULL, FALSE },
    { PEN_COMMAND_WIDE, PEN_OPTION_OWN,
      FLAG ("band", &self->band,
            "Two more columns: ns since and until the nearest changes of the byte"), NULL, FALSE },
    { PEN_COMMAND_WIDE, PEN_OPTION_OWN,
      FLAG ("payload", &self->payload,
            "A last column: what a tracepoint or a BPF program put into the sample"), NULL, FALSE },
    { PEN_COMMAND_BATCHES, PEN_OPTION_OWN,
      FLAG ("batches", &self->batches,
            "More columns: how sure each cause is, and what was patched together"), NULL, FALSE },
    { PEN_COMMAND_PROGRAMS, PEN_OPTION_OWN,
      FLAG ("programs", &self->programs, "More columns: which BPF program it was"), NULL, FALSE },
    { PEN_COMMAND_AT | PEN_COMMAND_TEXT, PEN_OPTION_OWN,
      WORD ("at", &self->at, "TIME",
            "As of then: seconds (4.81), per cent (30%), start, end; 4.81- is just before"),
      NULL, FALSE },
    { PEN_COMMAND_TEXT, PEN_OPTION_OWN,
      WORD ("length", &self->length, "BYTES", "So many bytes from there on, whatever they belong to"),
      NULL, FALSE },
    { PEN_COMMAND_TEXT, PEN_OPTION_OWN,
      FLAG ("raw", &self->is_raw, "The bytes themselves, and nothing else"), NULL, FALSE },
    { PEN_COMMAND_BAND, PEN_OPTION_OWN,
      { "band-width", 0, 0, G_OPTION_ARG_INT64, &self->band_width,
        "How far from its change a sample is near it, in nanoseconds: 1000000, unless given", "NS" },
      NULL, FALSE },
    { PEN_COMMAND_CHANGE, PEN_OPTION_OWN,
      NUMBER ("change", &self->change, "NUMBER", "Only the change of that number, from 1"), NULL, FALSE },
    { PEN_COMMAND_SYNTAX, PEN_OPTION_OWN,
      WORD ("syntax", &self->syntax, "SYNTAX", "Of instructions: att (default) or intel"),
      "att,intel", FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      WORD ("view", &self->view, "VIEW", "overview (default), map or annotation"),
      "overview,map,annotation", FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      NUMBER ("width", &self->width, "PIXELS", "So many pixels wide (" G_STRINGIFY (PEN_PICTURE_WIDTH) ")"),
      NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      NUMBER ("height", &self->height, "PIXELS", "So many high (as there is to show)"), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      NUMBER ("scale", &self->scale, "N",
              "Pixels of a PNG to each of these, 1 (default) to " G_STRINGIFY (PEN_PICTURE_SCALES)),
      NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN, FLAG ("dark", &self->dark, "Light on dark"), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("light", &self->light, "Dark on light (default)"), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("cpus", &self->cpus, "An overview has a row for each CPU"), NULL, FALSE },
    { PEN_COMMAND_RENDER, PEN_OPTION_OWN,
      FLAG ("processes", &self->processes, "An overview has rows for the busiest processes"), NULL, FALSE },
    { PEN_COMMAND_QUERY, PEN_OPTION_OWN,
      NUMBER ("timeout", &self->timeout, "SECONDS",
              "Stop a query that works longer (" G_STRINGIFY (DEFAULT_TIMEOUT) "); 0: never"),
      NULL, FALSE },
    { PEN_COMMAND_CACHE, PEN_OPTION_OWN,
      FLAG ("clear", &self->clear, "Remove all that is not in use"), NULL, FALSE },
    { PEN_COMMAND_CACHE, PEN_OPTION_OWN,
      WORD ("limit", &self->limit, "SIZE",
            "Let it take no more than SIZE (500MB, 10GB, 2GiB, none), now and from now on"),
      NULL, FALSE },

    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORD ("time", &filter->time, "FROM,TO",
            "Seconds as perf prints them (4.81,7.29), or per cent of the capture (10%,20%)"),
      NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("cpu", &filter->cpus, "LIST", "CPUs (0,2-5)"), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("pid", &filter->pids, "LIST", "Processes (126,127)"), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("tid", &filter->tids, "LIST", "Threads"), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("comm", &filter->comms, "NAME", "Command name"), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("event", &filter->events, "NAME", "Event"), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("kind", &filter->kinds, "LIST",
             "Kinds: kernel, module, bpf, stub, dso, vdso, anon, guest, unknown"), KINDS, TRUE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("occupant", &filter->occupants, "NAME",
             "Occupant ([kernel.kallsyms], [module], a program's name, a file)"), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("symbol", &filter->symbols, "NAME", "Symbol"), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORD ("address", &filter->address, "FROM-TO", "Addresses, hexadecimal"), NULL, FALSE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      WORDS ("cause", &filter->causes, "LIST",
             "Text patched for a cause: static-key, static-call, ftrace, kprobe, optprobe, bpf, unknown"),
      CAUSES, TRUE },
    { PEN_COMMAND_FILTER, PEN_OPTION_FILTER,
      FLAG ("changed", &filter->changed, "Only text that had more than one occupant or revision"),
      NULL, FALSE },

    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("kallsyms", &self->kallsyms, "FILE", "A copy of the recorded machine's /proc/kallsyms"),
      NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("kcore", &self->kcore, "FILE", "A copy of its /proc/kcore, made as perf makes it"),
      NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("modules", &self->modules, "FILE", "A copy of its /proc/modules"), NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("vmlinux", &self->vmlinux, "FILE",
            "Its kernel's ELF file, of the build-id that was recorded"), NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("symfs", &self->symfs, "DIR",
            "Look for its kernel, modules, programs and libraries below DIR, not on this machine"),
      NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      WORD ("perf-map", &self->perf_map, "PATH",
            "Names of code that runtimes made: a file perf-PID.map, or a directory with such files"),
      NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      FLAG ("source-lines", &self->source_lines,
            "Read lines of source from large debug information, too, which takes its time"), NULL, FALSE },
    { CAPTURE, PEN_OPTION_SOURCE,
      FLAG ("debuginfod", &self->debuginfod,
            "Ask the servers of DEBUGINFOD_URLS for files that are not here"), NULL, FALSE },

    { PEN_COMMAND_TABLE, PEN_OPTION_GENERAL,
      WORD ("format", &self->format, "FORMAT", "table (default), csv or json"), "table,csv,json", FALSE },
    { ANY, PEN_OPTION_GENERAL,
      { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output, "Write to FILE", "FILE" }, NULL, FALSE },
    { CAPTURE, PEN_OPTION_GENERAL,
      FLAG ("strict", &self->strict, "Exit with 3 when records were repaired, set aside or lost"),
      NULL, FALSE },
    { ANY, PEN_OPTION_GENERAL,
      { "help", 'h', 0, G_OPTION_ARG_NONE, &self->help, "Show this help", NULL }, NULL, FALSE },
    { ANY, PEN_OPTION_GENERAL, FLAG ("version", &self->version, "Show the version"), NULL, FALSE },
  };
  guint flags = command->flags | ANY | (command->flags & PEN_COMMAND_CACHE ? 0 : CAPTURE);
  GArray *options = g_array_new (FALSE, FALSE, sizeof (PenOption));

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
