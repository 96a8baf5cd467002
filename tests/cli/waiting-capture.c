/* waiting-capture.c: captures in which tasks wait
 *
 * Usage: waiting-capture DIRECTORY
 *
 * Writes DIRECTORY/chains.data (samples, and 2,000 waits of several callchains, tasks and CPUs, as
 * perf record --off-cpu has them), DIRECTORY/switches.data (20,000 switches of tasks, whose records
 * are not in order) and DIRECTORY/patched.data (a program in which tasks wait before and after it
 * is patched).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>

#include "pen-test-capture.h"

#define TEXT 0xffffffff81000000
#define MODULE 0xffffffffa0000000
#define PROGRAM 0xffffffffc0000000
#define RECORD_SWITCH_CPU_WIDE 15
#define MISC_OUT (1u << 13)
#define MISC_PREEMPTED (1u << 14)

static PenTestCapture *
begin (void)
{
  PenTestCapture *capture = pen_test_capture_new ();
  PenTestEvent sampled = PEN_TEST_EVENT_CLOCK;
  PenTestEvent off_cpu = PEN_TEST_EVENT_CLOCK;

  sampled.sample_type |= 1 << 5;
  pen_test_capture_add_event (capture, &sampled);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  off_cpu.name = "offcpu-time";
  off_cpu.type = 1;
  off_cpu.config = 10;
  off_cpu.sample_type |= 1 << 5;
  pen_test_capture_add_event (capture, &off_cpu);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, 0xe00000, TEXT,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE, 0x4000, 0,
                             "/lib/modules/6.1/snd-hda.ko");
  pen_test_capture_add_ksymbol (capture, PROGRAM, 0x100, 1, 0, "bpf_prog_0123456789abcdef_waits");
  for (gint32 tid = 1; tid < 9; tid++)
    pen_test_capture_add_comm (capture, tid, tid, FALSE, tid % 2 ? "odd" : "even");
  return capture;
}

static void
end (PenTestCapture *capture, const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  if (!pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_FILE, NULL))
    exit (1);
}

static void
add_chain (PenTestCapture *capture, GRand *random, guint event, guint64 time, guint64 period)
{
  guint64 chain[6] = { (guint64) -128 };
  guint n = (guint) g_rand_int_range (random, 2, 6);
  gint32 tid = g_rand_int_range (random, 1, 9);

  for (guint i = 1; i < n; i++)
    chain[i] = (g_rand_boolean (random)           ? TEXT
                : g_rand_int_range (random, 0, 4) ? MODULE
                                                  : PROGRAM)
               + 16 * (guint64) g_rand_int_range (random, 1, 4);
  pen_test_capture_from (capture, event);
  pen_test_capture_at (capture, time, tid, tid, (guint32) tid % PEN_TEST_CPUS);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, chain[1], period, chain, n);
}

static void
write_chains (const char *directory)
{
  g_autoptr (PenTestCapture) capture = begin ();
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 2000; i++) {
    guint64 time = 1000000000 + (guint64) i * 1000000;

    add_chain (capture, random, 0, time, 1);
    add_chain (capture, random, 2, time, (guint64) g_rand_int_range (random, 1, 900000));
  }
  end (capture, directory, "chains.data");
}

static void
write_switches (const char *directory)
{
  g_autoptr (PenTestCapture) capture = begin ();
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  static const guint8 other[8] = { 0 };

  for (guint i = 0; i < 20000; i++) {
    gint32 tid = g_rand_int_range (random, 0, 9);
    guint16 misc = g_rand_boolean (random)           ? 0
                   : g_rand_int_range (random, 0, 3) ? MISC_OUT
                                                     : MISC_OUT | MISC_PREEMPTED;

    pen_test_capture_from (capture, 1);
    pen_test_capture_at (
        capture, 1000000000 + (guint64) i * 10000 + (guint64) g_rand_int_range (random, 0, 1000000),
        tid, tid, (guint32) tid % PEN_TEST_CPUS);
    pen_test_capture_add_raw (capture, RECORD_SWITCH_CPU_WIDE, misc, other, sizeof other, TRUE);
  }
  end (capture, directory, "switches.data");
}

/* At 2 s. Of eight seconds off CPU, two begin at the patched byte before, and two after it: one of
 * these half a millisecond after it. */
static void
write_patched (const char *directory)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x10, 0x20, 0x30, 0x00 };
  static const struct {
    guint64 address;
    gint32 tid;
    guint64 from; /* µs */
    guint64 length;
  } waits[] = {
    { TEXT + 16, 2, 1100000, 2000000 },    { PROGRAM, 1, 1200000, 500000 },
    { PROGRAM, 3, 1300000, 1500000 },      { PROGRAM, 1, 2000500, 1000000 },
    { PROGRAM, 2, 3200000, 1000000 },      { PROGRAM + 5, 3, 3300000, 400000 },
    { PROGRAM + 16, 3, 4400000, 1600000 },
  };
  g_autoptr (PenTestCapture) capture = begin ();

  for (guint i = 0; i < 500; i++) {
    pen_test_capture_from (capture, 0);
    pen_test_capture_at (capture, 1000000000 + (guint64) i * 10000000, 1, 1, i % PEN_TEST_CPUS);
    pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, PROGRAM, 1,
                                                (const guint64[]){ (guint64) -128, PROGRAM }, 2);
    if (i == 100) {
      pen_test_capture_from (capture, 1);
      pen_test_capture_add_text_poke (capture, PROGRAM, nop, 5, call, 5);
    }
  }
  pen_test_capture_from (capture, 2);
  for (guint i = 0; i < G_N_ELEMENTS (waits); i++) {
    const guint64 chain[] = { (guint64) -128, waits[i].address, TEXT + 32 };

    pen_test_capture_at (capture, 1000 * (waits[i].from + waits[i].length), waits[i].tid,
                         waits[i].tid, 0);
    pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, waits[i].address,
                                                1000 * waits[i].length, chain, 3);
  }
  end (capture, directory, "patched.data");
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    return 2;
  write_chains (argv[1]);
  write_switches (argv[1]);
  write_patched (argv[1]);
  return 0;
}
