/* random-capture.c: a capture of few addresses and many changes, from a seed
 *
 * Usage: random-capture SEED DIRECTORY
 *
 * Writes DIRECTORY/perf.data: a kernel, a module whose map reaches too far, stubs and programs that
 * kallsyms lists, ksymbols and pokes over and beside them, processes that map, fork, exec and exit;
 * samples with and without a time, and samples of who did not run.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pen-test-capture.h"

#define KERNEL UINT64_C (0xffffffff81000000)
#define MODULES UINT64_C (0xffffffffc0000000)
#define USER UINT64_C (0x400000)
#define MARK (G_MAXUINT64 << 32)

typedef struct {
  GRand *rand;
  PenTestCapture *capture;
  GString *kallsyms;
} Making;

static guint
pick (Making *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

static const char *const names[] = { "ftrace_trampoline", "kprobe_insn_page", "bpf_prog_1_a",
                                     "bpf_prog_2_b", "bpf_trampoline_3" };

static guint64
pick_stub (Making *self)
{
  return MODULES + 0x1000 * pick (self, 4) + 0x400 * pick (self, 3);
}

static guint64
pick_address (Making *self)
{
  return pick (self, 5) == 0 ? KERNEL + 0x1000 + pick (self, 24)
                             : pick_stub (self) + (pick (self, 2) ? pick (self, 12) : 0);
}

static void
list_registered (Making *self)
{
  static const char *const owners[]
      = { "[__builtin__ftrace]", "[__builtin__kprobes]", "[bpf]", "[bpf]", "[bpf]" };

  g_string_append_printf (self->kallsyms,
                          "%" PRIx64 " T _text\n%" PRIx64 " T first\n%" PRIx64 " T second\n",
                          KERNEL, KERNEL + 0x1000, KERNEL + 0x1010);
  for (guint place = 0; place < 12; place++) {
    guint name = pick (self, G_N_ELEMENTS (names));

    if (pick (self, 3) == 0)
      g_string_append_printf (self->kallsyms, "%" PRIx64 " t %s\t%s\n",
                              MODULES + 0x1000 * (place / 3) + 0x400 * (place % 3), names[name],
                              owners[name]);
  }
}

static void
add_ksymbol (Making *self)
{
  static const guint lengths[] = { 8, 0x400, 0x600, 0x1000, 0 };
  guint name = pick (self, G_N_ELEMENTS (names));

  pen_test_capture_add_ksymbol (self->capture, pick_stub (self),
                                lengths[pick (self, G_N_ELEMENTS (lengths))], name < 2 ? 2 : 1,
                                (guint16) pick (self, 2), names[name]);
}

static void
add_poke (Making *self)
{
  static const guint8 bytes[][4] = { { 1, 2, 3, 4 }, { 1, 2, 3, 5 }, { 9, 9, 9, 9 } };

  pen_test_capture_add_text_poke (self->capture, pick_address (self), bytes[pick (self, 3)],
                                  (guint16) (pick (self, 4) ? 4 : 0), bytes[pick (self, 3)],
                                  (guint16) (pick (self, 4) ? 4 : 2));
}

static void
add_task_event (Making *self)
{
  gint32 pid = 10 + (gint32) pick (self, 3);
  gint32 other = 10 + (gint32) pick (self, 3);

  switch (pick (self, 6)) {
  case 0:
    if (pid != other)
      pen_test_capture_add_fork (self->capture, 0, pid, other, pid, other);
    break;
  case 1:
    pen_test_capture_add_comm (self->capture, pid, pid, TRUE, "image");
    break;
  case 2:
    pen_test_capture_add_exit (self->capture, pid, 1, pid, 1);
    break;
  default:
    pen_test_capture_add_mmap (self->capture, PEN_TEST_USER, pid, pid,
                               USER + 0x1000 * pick (self, 3), 0x1000 * (1 + pick (self, 2)),
                               0x1000 * pick (self, 2), pick (self, 2) ? "/bin/a" : "/lib/b.so");
  }
}

static void
add_sample (Making *self)
{
  if (pick (self, 3) == 0)
    pen_test_capture_add_sample (self->capture, PEN_TEST_USER, USER + 0x800 * pick (self, 8), 7);
  else
    pen_test_capture_add_sample (self->capture, PEN_TEST_KERNEL, pick_address (self), 7);
}

static void
add_off_cpu_sample (Making *self)
{
  guint64 task = 10 + pick (self, 3);
  guint64 words[]
      = { GUINT64_TO_LE (task << 32 | task),
          GUINT64_TO_LE (5000000),
          GUINT64_TO_LE (2),
          GUINT64_TO_LE (pick (self, 2) ? (guint64) -512 : (guint64) -128),
          GUINT64_TO_LE (pick (self, 2) ? USER + 0x800 * pick (self, 8) : pick_address (self)),
          1 };

  pen_test_capture_set_payload (self->capture, words, sizeof words);
  pen_test_capture_from (self->capture, 2);
  pen_test_capture_add_sample (self->capture, PEN_TEST_KERNEL, 1, 1);
  pen_test_capture_from (self->capture, 0);
}

static void
add_one (Making *self, guint64 time)
{
  gint32 pid = 10 + (gint32) pick (self, 3);

  pen_test_capture_at (self->capture, time, pid, pid, 0);
  pen_test_capture_from (self->capture, 1);
  switch (pick (self, 10)) {
  case 0:
  case 1:
    add_ksymbol (self);
    break;
  case 2:
  case 3:
    add_poke (self);
    break;
  case 4:
    add_task_event (self);
    break;
  case 5:
    if (pick (self, 8) == 0) {
      pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0, pick_stub (self), 0x800, 0,
                                 "/lib/modules/late.ko");
      break;
    }
    G_GNUC_FALLTHROUGH;
  default:
    pen_test_capture_from (self->capture, 0);
    add_sample (self);
  }
}

static void
add_events (Making *self)
{
  PenTestEvent clock = PEN_TEST_EVENT_CLOCK;
  PenTestEvent off_cpu = PEN_TEST_EVENT_CLOCK;

  off_cpu.name = "offcpu-time";
  off_cpu.type = 1;
  off_cpu.config = 10;
  off_cpu.sample_type |= 1ull << 10;
  clock.name = "cpu-clock";
  pen_test_capture_add_event (self->capture, &clock);
  pen_test_capture_add_event (self->capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_add_event (self->capture, &off_cpu);
}

static void
make (Making *self)
{
  guint n = 40 + pick (self, 160);
  guint untimed = pick (self, 3) == 0 ? 0 : 5 + pick (self, 20);

  add_events (self);
  list_registered (self);
  pen_test_capture_as_recorder (self->capture);
  pen_test_capture_from (self->capture, 1);
  pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0x100000, KERNEL,
                             "[kernel.kallsyms]_text");
  if (pick (self, 2))
    pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0, MODULES, 0x2000, 0,
                               "/lib/modules/early.ko");
  for (guint i = pick (self, 4); i > 0; i--)
    add_ksymbol (self);
  for (guint i = 0; i < n; i++) {
    add_one (self, 1000 + i);
    if (pick (self, n) < untimed) {
      add_one (self, pick (self, 2) ? 0 : G_MAXUINT64);
      pen_test_capture_at (self->capture, MARK + i, 10, 10, 0);
      add_off_cpu_sample (self);
    }
  }
  pen_test_capture_add_kcore_file (self->capture, "kallsyms", self->kallsyms->str,
                                   self->kallsyms->len);
}

int
main (int argc, char **argv)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GString) kallsyms = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  Making making = { .capture = capture, .kallsyms = kallsyms };

  if (argc != 3)
    return 2;
  path = g_build_filename (argv[2], "perf.data", NULL);
  making.rand = g_rand_new_with_seed ((guint32) strtoul (argv[1], NULL, 10));
  make (&making);
  g_rand_free (making.rand);
  if (pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_DIRECTORY, &error))
    return 0;
  fprintf (stderr, "%s\n", error->message);
  return 1;
}
