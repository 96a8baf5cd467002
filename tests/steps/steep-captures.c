/* steep-captures.c: captures of N records of one kind, as bad as that kind can be
 *
 * Usage: steep-captures [KIND N [KIND N…] DIRECTORY]
 *
 * Writes DIRECTORY/perf.data, which may itself be a directory, and files that it names beside it;
 * of several kinds, one after the other. Without arguments: the kinds, one in a line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "steep.h"

#define KERNEL_LENGTH 0xe00000u
#define SAMPLE_CALLCHAIN (1u << 5)
#define SAMPLE_RAW (1u << 10)
#define BPF_OUTPUT 10u
#define TRACEPOINT 2u
#define FLAG_USE_CLOCKID (1u << 25)

static const SteepKind *const all_kinds[] = {
  steep_maps,        steep_tasks,        steep_ksymbols,      steep_pokes,   steep_samples,
  steep_features,    steep_kernel_files, steep_program_files, steep_witness, steep_events,
  steep_tracepoints, steep_debug_files,  steep_others,
};

const guint8 steep_nop[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

void
steep_at (SteepMaker *self, gint32 pid)
{
  self->now += 10;
  pen_test_capture_at (self->capture, self->now, pid, pid, 0);
}

void
steep_sample (SteepMaker *self, guint64 address)
{
  pen_test_capture_from (self->capture, 0);
  steep_at (self, 7);
  pen_test_capture_add_sample (self->capture, address >> 63 ? PEN_TEST_KERNEL : PEN_TEST_USER,
                               address, 1);
  pen_test_capture_from (self->capture, 1);
}

void
steep_map (SteepMaker *self, gint32 pid, guint64 start, guint64 length, guint number)
{
  g_autofree char *name = g_strdup_printf ("/nowhere/%u", number);

  steep_at (self, pid);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, pid, pid, start, length, 0, 5, 2, NULL,
                              name);
}

void
steep_ksymbol (SteepMaker *self, guint64 address, guint32 length, gboolean is_end, guint number)
{
  g_autofree char *name = g_strdup_printf ("bpf_prog_%u", number);

  steep_at (self, 7);
  pen_test_capture_add_ksymbol (self->capture, address, length, 1, is_end ? 1 : 0, name);
}

/* Times are those of CLOCK_MONOTONIC, as a jitdump's are. */
static void
add_event (SteepMaker *self, PenTestEvent event, guint64 more)
{
  event.sample_type |= more;
  event.flags |= FLAG_USE_CLOCKID;
  event.clockid = CLOCK_MONOTONIC;
  pen_test_capture_add_event (self->capture, &event);
}

static void
add_tracepoint (SteepMaker *self, const char *name, guint64 id)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  event.name = name;
  event.type = TRACEPOINT;
  event.config = id;
  event.period = 1;
  add_event (self, event, SAMPLE_RAW);
}

static void
start (SteepMaker *self)
{
  PenTestEvent output = PEN_TEST_EVENT_CLOCK;

  output.name = "witness";
  output.config = BPF_OUTPUT;
  self->capture = pen_test_capture_new ();
  self->now = 1000;
  add_event (self, PEN_TEST_EVENT_CLOCK, 0);
  add_event (self, PEN_TEST_EVENT_DUMMY, 0);
  add_event (self, PEN_TEST_EVENT_CLOCK, SAMPLE_CALLCHAIN);
  add_event (self, output, SAMPLE_RAW);
  add_tracepoint (self, "vmalloc:alloc_vmap_area", 316);
  add_tracepoint (self, "module:module_load", 317);
  add_tracepoint (self, "sched:sched_switch", 318);
  pen_test_capture_set_arch (self->capture, "x86_64");
  pen_test_capture_as_recorder (self->capture);
  pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0, KERNEL, KERNEL_LENGTH, KERNEL,
                             "[kernel.kallsyms]_text");
  steep_sample (self, KERNEL + 0x10);
}

static const SteepKind *
find_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (all_kinds); i++)
    for (const SteepKind *kind = all_kinds[i]; kind->name; kind++)
      if (strcmp (name, kind->name) == 0)
        return kind;
  return NULL;
}

/* @words: @n_kinds kinds and their numbers. Returns: an exit status */
static int
make (char **words, int n_kinds, const char *directory)
{
  SteepMaker maker = { .directory = directory };
  g_autofree char *path = g_build_filename (directory, "perf.data", NULL);
  g_autoptr (GError) error = NULL;

  start (&maker);
  for (int i = 0; i < n_kinds; i++) {
    const SteepKind *kind = find_kind (words[2 * i]);

    if (!kind)
      return 2;
    kind->add (&maker, (guint) strtoul (words[2 * i + 1], NULL, 10));
  }
  if (!pen_test_capture_write (maker.capture, path, maker.flags, &error)) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  pen_test_capture_free (maker.capture);
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc >= 4 && argc % 2 == 0)
    return make (argv + 1, argc / 2 - 1, argv[argc - 1]);
  if (argc != 1)
    return 2;

  for (guint i = 0; i < G_N_ELEMENTS (all_kinds); i++)
    for (const SteepKind *kind = all_kinds[i]; kind->name; kind++)
      puts (kind->name);
  return 0;
}
