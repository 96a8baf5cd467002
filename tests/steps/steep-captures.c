/* steep-captures.c: captures of N records of one kind, as bad as that kind can be
 *
 * Usage: steep-captures [KIND N DIRECTORY]
 *
 * Writes DIRECTORY/perf.data, which may itself be a directory, and files that it names beside it.
 * Without arguments: the kinds, one in a line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pen-test-capture.h"

#define KERNEL G_GUINT64_CONSTANT (0xffffffff81000000)
#define KERNEL_LENGTH 0xe00000u
#define PROGRAM G_GUINT64_CONSTANT (0xffffffffc0000000)
#define MEMORY G_GUINT64_CONSTANT (0x7f0000000000)
#define PAGE 4096u
#define ELF_START 0x1000u
#define ELF_CODE 0x100000u

#define TYPE_NAMESPACES 16
#define TYPE_CGROUP 19
#define TYPE_AUX 11
#define TYPE_UNKNOWN 60
#define FEATURE_PMU_MAPPINGS 16
#define FEATURE_GROUP_DESC 17
#define FEATURE_CACHE 20

#define SAMPLE_CALLCHAIN (1u << 5)
#define FLAG_USE_CLOCKID (1u << 25)
#define MISC_FORK_EXEC (1u << 13)
#define CHAIN 20u

typedef struct {
  PenTestCapture *capture;
  const char *directory;
  guint64 now;
  PenTestCaptureFlags flags;
} Maker;

static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

static void
at (Maker *self, gint32 pid)
{
  self->now += 10;
  pen_test_capture_at (self->capture, self->now, pid, pid, 0);
}

static void
sample_at (Maker *self, guint64 address)
{
  pen_test_capture_from (self->capture, 0);
  at (self, 7);
  pen_test_capture_add_sample (self->capture, address >> 63 ? PEN_TEST_KERNEL : PEN_TEST_USER,
                               address, 1);
  pen_test_capture_from (self->capture, 1);
}

/* ---- maps ---- */

static void
map (Maker *self, gint32 pid, guint64 start, guint64 length, guint number)
{
  g_autofree char *name = g_strdup_printf ("/nowhere/%u", number);

  at (self, pid);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, pid, pid, start, length, 0, 5, 2, NULL,
                              name);
}

static void
maps_at_one_place (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    map (self, 7, MEMORY, 16 * PAGE, i);
}

static void
maps_apart (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
}

/* Each lies in the one before. */
static void
maps_nested (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    map (self, 7, MEMORY + PAGE * (guint64) i, 2 * PAGE * (guint64) (n - i), i);
}

/* One, and many small ones in it, then all of them once more below one. */
static void
maps_torn (Maker *self, guint n)
{
  map (self, 7, MEMORY, 2 * PAGE * (guint64) n, 0);
  for (guint i = 0; i < n; i++)
    map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, 1);
  map (self, 7, MEMORY, 2 * PAGE * (guint64) n, 2);
}

static void
maps_of_processes (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    map (self, (gint32) (i + 10), MEMORY, PAGE, i);
}

static void
maps_with_build_ids (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint8 id[20] = { 0 };

    memcpy (id, &i, sizeof i);
    at (self, 7);
    pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, MEMORY + PAGE * (guint64) i,
                                3 * PAGE, 0, 5, 2, id, "/nowhere/one");
  }
}

static void
old_maps (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("/nowhere/%u", i);

    at (self, 7);
    pen_test_capture_add_mmap (self->capture, PEN_TEST_USER, 7, 7,
                               MEMORY + PAGE * (guint64) (n - i), PAGE * (guint64) (2 * i + 1), 0,
                               name);
  }
}

static void
module (Maker *self, guint64 start, guint64 length, guint number)
{
  g_autofree char *name = g_strdup_printf ("[module_%u]", number);

  at (self, -1);
  pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0, start, length, 0, name);
}

static void
modules_apart (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    module (self, PROGRAM + PAGE * (guint64) i % 0x3000000, PAGE, i);
}

static void
modules_at_one_place (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    module (self, PROGRAM, 16 * PAGE, i);
}

static void
modules_nested (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    module (self, PROGRAM + 64 * (guint64) i, 128 * (guint64) (n - i), i);
}

/* ---- tasks ---- */

static void
comms_of_one (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("c%u", i);

    at (self, 7);
    pen_test_capture_add_comm (self->capture, 7, 7, FALSE, name);
    if (i % 2)
      sample_at (self, KERNEL + 0x10);
  }
}

static void
execs_of_one (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    at (self, 7);
    pen_test_capture_add_comm (self->capture, 7, 7, TRUE, "again");
    map (self, 7, MEMORY + i % 5 * PAGE, 3 * PAGE, i);
  }
}

static void
comms_of_many (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("c%u", i);

    at (self, (gint32) i + 10);
    pen_test_capture_add_comm (self->capture, (gint32) i + 10, (gint32) i + 10, FALSE, name);
  }
}

static void
add_fork (Maker *self, gint32 parent, gint32 child)
{
  at (self, parent);
  pen_test_capture_add_fork (self->capture, 0, child, parent, child, parent);
}

static void
forks_in_a_row (Maker *self, guint n)
{
  map (self, 7, MEMORY, PAGE, 0);
  for (guint i = 0; i < n; i++)
    add_fork (self, (gint32) i + 7, (gint32) i + 8);
}

/* What one has, all have: half are maps, half are children. */
static void
forks_with_maps (Maker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++)
    map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  for (guint i = 0; i < n / 2; i++) {
    add_fork (self, 7, (gint32) i + 8);
    map (self, (gint32) i + 8, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  }
}

/* Each child covers what it was given. */
static void
forks_covered (Maker *self, guint n)
{
  for (guint i = 0; i < n / 3; i++)
    map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  for (guint i = 0; i < n / 3; i++) {
    add_fork (self, 7, (gint32) i + 8);
    map (self, (gint32) i + 8, MEMORY, 2 * PAGE * (guint64) n, i);
  }
}

static void
exits (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    gint32 pid = (gint32) (i % 3 ? i + 10 : 7);

    at (self, pid);
    pen_test_capture_add_exit (self->capture, pid, 1, pid, 1);
  }
}

static void
forks_and_exits (Maker *self, guint n)
{
  for (guint i = 0; i < n / 64; i++)
    map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  for (guint i = 0; i < n / 2; i++) {
    add_fork (self, 7, 8);
    at (self, 8);
    pen_test_capture_add_exit (self->capture, 8, 7, 8, 7);
  }
}

static void
namespaces (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body[2 + 2 * 2] = { 7 | (guint64) (i + 10) << 32, 2, 1, i, 2, i };

    at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_NAMESPACES, 0, body, sizeof body, TRUE);
  }
}

static void
cgroups (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body[3] = { i, 0, 0 };

    g_snprintf ((char *) &body[1], 16, "/c/%u", i);
    at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_CGROUP, 0, body, sizeof body, TRUE);
  }
}

static void
unknown_types (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body[2] = { i, i };

    at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_UNKNOWN + i % 1000, 0, body, sizeof body, FALSE);
  }
}

static void
aux (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body[3] = { i, 64, i % 4 };

    at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_AUX, 0, body, sizeof body, TRUE);
  }
}

/* Too short for what they are. */
static void
set_aside (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body = i;

    pen_test_capture_add_raw (self->capture, 1 + i % 5, 0, &body, sizeof body, FALSE);
  }
}

/* ---- ksymbols ---- */

static void
ksymbol (Maker *self, guint64 address, guint32 length, gboolean is_end, guint number)
{
  g_autofree char *name = g_strdup_printf ("bpf_prog_%u", number);

  at (self, 7);
  pen_test_capture_add_ksymbol (self->capture, address, length, 1, is_end ? 1 : 0, name);
}

static void
ksymbols_at_one_place (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    ksymbol (self, PROGRAM, 64, FALSE, i);
    if (i % 4 == 0)
      sample_at (self, PROGRAM + 8);
  }
}

/* One place, never the same length: none is the one before. */
static void
ksymbols_in_turn (Maker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++) {
    ksymbol (self, PROGRAM, 64 + i % 100, FALSE, i % 2);
    sample_at (self, PROGRAM + 8);
    ksymbol (self, PROGRAM, 64 + i % 100, TRUE, i % 2);
  }
}

/* One program, loaded again and again at its place, with a sample of each. */
static void
ksymbols_again (Maker *self, guint n)
{
  for (guint i = 0; i < n / 3; i++) {
    ksymbol (self, PROGRAM, 64, FALSE, 1);
    sample_at (self, PROGRAM + 8);
    ksymbol (self, PROGRAM, 64, TRUE, 1);
  }
}

static void
ksymbols_nested (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    ksymbol (self, PROGRAM + i, 2 * (n - i), FALSE, i);
    if (i % 4 == 0)
      sample_at (self, PROGRAM + n);
  }
}

static void
ksymbols_nested_out (Maker *self, guint n)
{
  for (guint i = n; i-- > 0;)
    ksymbol (self, PROGRAM + i, 2 * (n - i), FALSE, i);
}

/* Each is over before the next begins, so none ends where another starts. */
static void
ksymbols_of_other_times (Maker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++) {
    ksymbol (self, PROGRAM + i, 2 * (n - i), FALSE, i);
    sample_at (self, PROGRAM + n);
    ksymbol (self, PROGRAM + i, 2 * (n - i), TRUE, i);
  }
}

/* All long, half of them over before the other half begins. */
static void
ksymbols_of_two_times (Maker *self, guint n)
{
  for (guint i = 0; i < n / 3; i++)
    ksymbol (self, PROGRAM + 2 * i, 4 * n, FALSE, i);
  for (guint i = 0; i < n / 3; i++)
    ksymbol (self, PROGRAM + 2 * i, 4 * n, TRUE, i);
  for (guint i = n / 3; i-- > 0;)
    ksymbol (self, PROGRAM + 2 * i + 1, 4 * n, FALSE, i);
  sample_at (self, PROGRAM + n);
}

/* Nobody saw them come. */
static void
ksymbols_ending (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    ksymbol (self, PROGRAM + (i % 2 ? i : n - i), i % 2 ? 2 * (n - i) + 1 : n, TRUE, i);
}

static void
bpf_loads (Maker *self, guint n)
{
  static const guint8 tag[8] = { 1 };

  for (guint i = 0; i < n / 2; i++)
    ksymbol (self, PROGRAM + 64 * (guint64) i, 64, FALSE, i);
  for (guint i = 0; i < n / 2; i++) {
    at (self, 7);
    pen_test_capture_add_bpf_event (self->capture, 1, i, tag);
  }
}

/* The feature's programs all name all that is there. */
static void
bpf_programs (Maker *self, guint n)
{
  static const guint8 tag[8] = { 1 };
  static const guint8 image[64] = { 0x90 };

  for (guint i = 0; i < n; i++) {
    guint64 address = PROGRAM + i % 2 * PAGE;
    guint32 length = 64;

    pen_test_capture_add_bpf_program (self->capture, i + 1, "steep", tag, 0, &address, &length, 1,
                                      image, sizeof image);
  }
  for (guint i = 0; i < n / 8; i++) {
    ksymbol (self, PROGRAM + i % 2 * PAGE, 64, FALSE, i);
    at (self, 7);
    pen_test_capture_add_bpf_event (self->capture, 1, i + 1, tag);
    sample_at (self, PROGRAM + 8);
  }
}

/* ---- pokes ---- */

/* @number: the destination of a jump, or nothing. */
static void
poke (Maker *self, guint64 address, guint from, guint to)
{
  guint8 bytes[2][5] = { { 0xe9 }, { 0xe9 } };

  memcpy (bytes[0] + 1, &from, 4);
  memcpy (bytes[1] + 1, &to, 4);
  at (self, 7);
  pen_test_capture_add_text_poke (self->capture, address, from == 0 ? nop : bytes[0], 5,
                                  to == 0 ? nop : bytes[1], 5);
}

static void
pokes_at_one_place (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    poke (self, KERNEL + 0x100, i, i + 1);
    if (i % 4 == 0)
      sample_at (self, KERNEL + 0x100);
  }
}

static void
pokes_to_and_fro (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    poke (self, KERNEL + 0x100, i % 2, 1 - i % 2);
    if (i % 4 == 0)
      sample_at (self, KERNEL + 0x101);
  }
}

static void
pokes_apart (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    poke (self, KERNEL + 16 * (guint64) i, 0, i + 1);
    if (i % 4 == 0)
      sample_at (self, KERNEL + 16 * (guint64) i);
  }
}

static void
pokes_overlapping (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    poke (self, KERNEL + 0x100 + i, i, i + 1);
}

/* Places poked one by one, then one by one again, the other way round. */
static void
pokes_there_and_back (Maker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++)
    poke (self, KERNEL + 3 * (guint64) i, 0, 1);
  for (guint i = n / 2; i-- > 0;)
    poke (self, KERNEL + 3 * (guint64) i + 1, 0, 2);
}

static void
pokes_of_all_lengths (Maker *self, guint n)
{
  guint8 bytes[250];

  memset (bytes, 0x90, sizeof bytes);
  for (guint i = 0; i < n; i++) {
    guint16 length = (guint16) (1 + i % sizeof bytes);

    bytes[0] = (guint8) i;
    at (self, 7);
    pen_test_capture_add_text_poke (self->capture, KERNEL + 0x100 + i % 7, bytes, length, bytes + 1,
                                    (guint16) (length - 1));
    if (i % 8 == 0)
      sample_at (self, KERNEL + 0x100 + i % 64);
  }
}

static void
pokes_in_ksymbols (Maker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++)
    ksymbol (self, PROGRAM + 8 * i, 16 * (n - i), FALSE, i);
  for (guint i = 0; i < n / 2; i++) {
    poke (self, PROGRAM + 8 * i, 0, i + 1);
    if (i % 4 == 0)
      sample_at (self, PROGRAM + 8 * i);
  }
}

/* Trampolines come and go, while places jump to them. */
static void
trampolines (Maker *self, guint n)
{
  for (guint i = 0; i < n / 3; i++) {
    g_autofree char *name = g_strdup_printf ("bpf_trampoline_%u", i);

    at (self, 7);
    pen_test_capture_add_ksymbol (self->capture, PROGRAM + 64 * (guint64) i, 4096, 1, 0, name);
  }
  for (guint i = 0; i < n / 3; i++) {
    guint64 place = KERNEL + 16 * (guint64) (i % 100);

    poke (self, place, 0, (guint) (PROGRAM + 64 * (guint64) i - place - 5));
    poke (self, place, (guint) (PROGRAM + 64 * (guint64) i - place - 5), 0);
  }
}

/* ---- losses ---- */

static void
lost (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    at (self, 7);
    pen_test_capture_add_lost (self->capture, pen_test_capture_get_id (0, 0), i);
    if (i % 4 == 0)
      sample_at (self, KERNEL + 0x10);
  }
}

static void
lost_samples (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    at (self, 7);
    pen_test_capture_add_lost_samples (self->capture, 0, i);
  }
}

static void
throttles (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    at (self, 7);
    pen_test_capture_add_throttle (self->capture, i % 2 == 1);
  }
}

static void
rounds (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (i % 8 == 0)
      sample_at (self, KERNEL + 0x10);
    pen_test_capture_add_finished_round (self->capture);
  }
}

/* ---- samples ---- */

static void
samples_at_one_place (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    sample_at (self, KERNEL + 0x10);
}

static void
samples_apart (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    sample_at (self, KERNEL + 64 * (guint64) i);
}

static void
samples_backwards (Maker *self, guint n)
{
  self->now += 20 * (guint64) n;
  for (guint i = 0; i < n; i++) {
    sample_at (self, MEMORY + i);
    self->now -= 20;
  }
}

static void
samples_with_chains (Maker *self, guint n)
{
  guint32 state = 1;

  map (self, 7, MEMORY, 16 * PAGE, 0);
  pen_test_capture_from (self->capture, 2);
  for (guint i = 0; i < n / CHAIN; i++) {
    guint64 chain[CHAIN];

    for (guint k = 0; k < CHAIN; k++) {
      state = state * 1103515245 + 12345;
      chain[k] = (k < 10 ? KERNEL : MEMORY) + (state >> 8) % 0x10000;
    }
    chain[0] = (guint64) -128;
    chain[10] = (guint64) -512;
    at (self, 7);
    pen_test_capture_add_sample_with_callchain (self->capture, PEN_TEST_KERNEL, chain[1], 1, chain,
                                                CHAIN);
  }
}

/* Each is the one before, and one more. */
static void
samples_with_deep_chains (Maker *self, guint n)
{
  guint64 chain[1000] = { (guint64) -128 };

  for (guint k = 1; k < G_N_ELEMENTS (chain); k++)
    chain[k] = KERNEL + 16 * k;
  pen_test_capture_from (self->capture, 2);
  for (guint i = 0; i < n / 500; i++) {
    chain[500] = KERNEL + i;
    at (self, 7);
    pen_test_capture_add_sample_with_callchain (self->capture, PEN_TEST_KERNEL, chain[1], 1, chain,
                                                G_N_ELEMENTS (chain));
  }
}

static void
samples_of_tasks (Maker *self, guint n)
{
  pen_test_capture_from (self->capture, 0);
  for (guint i = 0; i < n; i++) {
    at (self, (gint32) i + 10);
    pen_test_capture_add_sample (self->capture, PEN_TEST_USER, MEMORY, 1);
  }
}

/* ---- features ---- */

static void
build_ids (Maker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("/nowhere/%u", i % 2 ? i : 0);
    guint8 id[20] = { 0 };

    memcpy (id, &i, sizeof i);
    pen_test_capture_add_build_id (self->capture, 7, PEN_TEST_USER, id, sizeof id, name);
  }
  maps_apart (self, n / 4);
}

static void
command_line (Maker *self, guint n)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (words, g_strdup_printf ("--option=%u", i));
  g_ptr_array_add (words, NULL);
  pen_test_capture_set_command_line (self->capture, (const char *const *) words->pdata);
}

static void
put_word (GByteArray *bytes, guint32 word)
{
  g_byte_array_append (bytes, (const guint8 *) &word, sizeof word);
}

/* A length, the text, and zeros up to it. */
static void
put_text (GByteArray *bytes, const char *format, guint i)
{
  char text[64] = { 0 };

  g_snprintf (text, sizeof text, format, i);
  put_word (bytes, sizeof text);
  g_byte_array_append (bytes, (const guint8 *) text, sizeof text);
}

/* Lists of the header that have as many entries as they like, up to what is read of each. */
static void
all_features (Maker *self, guint n)
{
  g_autoptr (GByteArray) pmus = g_byte_array_new ();
  g_autoptr (GByteArray) groups = g_byte_array_new ();
  g_autoptr (GByteArray) caches = g_byte_array_new ();

  put_word (pmus, MIN (n, 4096));
  for (guint i = 0; i < MIN (n, 4096); i++) {
    put_word (pmus, i);
    put_text (pmus, "pmu_%u", i);
  }
  put_word (groups, MIN (n, 32768));
  for (guint i = 0; i < MIN (n, 32768); i++) {
    put_text (groups, "group_%u", i);
    put_word (groups, i % 3);
    put_word (groups, i);
  }
  put_word (caches, 1);
  put_word (caches, MIN (n, 65536));
  for (guint i = 0; i < MIN (n, 65536); i++) {
    for (guint k = 0; k < 4; k++)
      put_word (caches, i % 4);
    put_text (caches, "Data", i);
    put_text (caches, "%uK", i);
    put_text (caches, "%u", i);
  }
  pen_test_capture_set_raw_feature (self->capture, FEATURE_PMU_MAPPINGS, pmus->data, pmus->len);
  pen_test_capture_set_raw_feature (self->capture, FEATURE_GROUP_DESC, groups->data, groups->len);
  pen_test_capture_set_raw_feature (self->capture, FEATURE_CACHE, caches->data, caches->len);
}

static void
btfs (Maker *self, guint n)
{
  static const guint8 data[64] = { 0x9f, 0xeb, 1 };

  for (guint i = 0; i < n; i++)
    pen_test_capture_add_btf (self->capture, i, data, sizeof data);
}

/* ---- files of the kernel ---- */

static void
add_listed (Maker *self, GString *symbols, GString *modules)
{
  self->flags |= PEN_TEST_CAPTURE_DIRECTORY;
  pen_test_capture_add_kcore_file (self->capture, "kallsyms", symbols->str, symbols->len);
  pen_test_capture_add_kcore_file (self->capture, "modules", modules->str, modules->len);
}

static void
list_symbols (Maker *self, guint n, guint step, gboolean has_modules)
{
  g_autoptr (GString) symbols
      = g_string_new ("ffffffff81000000 T _text\nffffffff81000000 T _stext\n");
  g_autoptr (GString) modules = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    guint64 address = (has_modules ? PROGRAM : KERNEL + 0x100) + step * (guint64) i;

    g_string_append_printf (symbols, "%" G_GINT64_MODIFIER "x t symbol_%u", address, i);
    if (has_modules) {
      g_string_append_printf (symbols, "\t[module_%u]", i);
      g_string_append_printf (modules, "module_%u 16384 1 - Live 0x%" G_GINT64_MODIFIER "x\n", i,
                              address);
    }
    g_string_append_c (symbols, '\n');
    if (i % 4 == 0)
      sample_at (self, address);
  }
  add_listed (self, symbols, modules);
}

static void
symbols_at_one_place (Maker *self, guint n)
{
  list_symbols (self, n, 0, FALSE);
}

static void
symbols_apart (Maker *self, guint n)
{
  list_symbols (self, n, 16, FALSE);
}

static void
modules_listed (Maker *self, guint n)
{
  list_symbols (self, n, 4096, TRUE);
}

static void
modules_listed_at_one_place (Maker *self, guint n)
{
  list_symbols (self, n, 0, TRUE);
}

static void
modules_listed_overlapping (Maker *self, guint n)
{
  list_symbols (self, n, 16, TRUE);
}

/* One module, loaded again and again somewhere else, with many names. */
static void
modules_of_one_name (Maker *self, guint n)
{
  g_autoptr (GString) symbols
      = g_string_new ("ffffffff81000000 T _text\nffffffff81000000 T _stext\n");
  g_autoptr (GString) modules = g_string_new ("module 16384 1 - Live 0xffffffffc0000000\n");

  for (guint i = 0; i < n; i++) {
    at (self, -1);
    pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0,
                               PROGRAM + 2 * PAGE * (guint64) (n - i), PAGE, 0, "[module]");
    g_string_append_printf (symbols, "%" G_GINT64_MODIFIER "x t symbol_%u\t[module]\n",
                            PROGRAM + 4 * (guint64) i, i);
    if (i % 4 == 0)
      sample_at (self, PROGRAM + 2 * PAGE * (guint64) (n - i));
  }
  add_listed (self, symbols, modules);
}

static void
kcore_of_segments (Maker *self, guint n)
{
  guint8 bytes[64];

  memset (bytes, 0x90, sizeof bytes);
  for (guint i = 0; i < n; i++)
    pen_test_capture_add_kcore_segment (self->capture, KERNEL + 32 * (guint64) (n - i), bytes,
                                        sizeof bytes);
  list_symbols (self, n / 4, 16, FALSE);
}

/* Bytes of the kernel, and pokes over each other in them, the longest first. */
static void
kcore_with_pokes (Maker *self, guint n)
{
  gsize length = 16 * (gsize) n;
  g_autofree guint8 *bytes = g_malloc (length);
  guint8 old[4000];

  memset (bytes, 0x90, length);
  memset (old, 0x90, sizeof old);
  pen_test_capture_add_kcore_segment (self->capture, KERNEL, bytes, length);
  list_symbols (self, n / 2, 16, FALSE);
  for (guint i = 0; i < n / 4; i++) {
    at (self, 7);
    pen_test_capture_add_text_poke (self->capture, KERNEL + 0x100 + i % 32, old,
                                    i % 64 == 0 ? 4000 : 5, nop, 5);
  }
}

static void
kcore_with_ksymbols (Maker *self, guint n)
{
  gsize length = 16 * (gsize) n;
  g_autofree guint8 *bytes = g_malloc (length);

  memset (bytes, 0x90, length);
  pen_test_capture_add_kcore_segment (self->capture, PROGRAM, bytes, length);
  for (guint i = 0; i < n / 2; i++) {
    ksymbol (self, PROGRAM + 8 * i, 16 * (n - i), FALSE, i);
    if (i % 4 == 0)
      sample_at (self, PROGRAM + 8 * i);
  }
  list_symbols (self, 1, 16, FALSE);
}

/* ---- files of programs ---- */

static void
save (Maker *self, const char *name, GByteArray *bytes)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);

  if (!g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL))
    exit (1);
}

static void
put (GByteArray *bytes, gconstpointer data, gsize length)
{
  g_byte_array_append (bytes, data, (guint) length);
}

/* How a file of @n symbols is made worse. */
typedef enum {
  ELF_PLAIN,
  ELF_ENDS_OF_ONE_NAME, /* names are ends of a long one */
  ELF_TABLES_OVER_EACH_OTHER,
  ELF_SECTIONS_OF_CODE,
} ElfShape;

static const guint8 build_id[20] = { 0x57, 0xee, 0x9 };

typedef struct {
  GByteArray *bytes;
  GArray *sections; /* Elf64_Shdr */
} Elf;

static guint
add_section (Elf *self, Elf64_Shdr section, gconstpointer data, gsize length)
{
  section.sh_offset = self->bytes->len;
  section.sh_size = length;
  put (self->bytes, data, length);
  g_array_append_val (self->sections, section);
  return self->sections->len - 1;
}

/* A copy of its place, not of its bytes. */
static void
repeat_section (Elf *self, guint number, guint n)
{
  Elf64_Shdr section = g_array_index (self->sections, Elf64_Shdr, number);

  for (guint i = 0; i < n; i++)
    g_array_append_val (self->sections, section);
}

static void
add_code (Elf *self, guint n_pieces)
{
  g_autofree guint8 *code = g_malloc (ELF_CODE);
  guint64 step = ELF_CODE / n_pieces;

  memset (code, 0x90, ELF_CODE);
  for (guint i = 0; i < n_pieces; i++) {
    Elf64_Shdr piece = {
      .sh_name = 1,
      .sh_type = SHT_PROGBITS,
      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
      .sh_addr = ELF_START + i * step,
      .sh_addralign = 1,
    };

    add_section (self, piece, code, i + 1 < n_pieces ? step : ELF_CODE - i * step);
  }
}

static void
add_symbols (Elf *self, guint n, guint step, guint n_pieces, gboolean ends)
{
  g_autoptr (GByteArray) strings = g_byte_array_new ();
  g_autoptr (GByteArray) symbols = g_byte_array_new ();
  Elf64_Sym none = { 0 };
  guint table;

  put (strings, "", 1);
  put (symbols, &none, sizeof none);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("function_%u", i);
    guint piece = i % n_pieces;
    Elf64_Sym symbol = {
      .st_name = ends ? 1 + 8 * i : strings->len,
      .st_info = ELF64_ST_INFO (STB_GLOBAL, STT_FUNC),
      .st_shndx = (Elf64_Half) (1 + piece),
      .st_value = ELF_START
                  + (n_pieces == 1 ? (step * (guint64) i) % (ELF_CODE - PAGE)
                                   : piece * (guint64) (ELF_CODE / n_pieces)),
      .st_size = step == 0 ? 0x100 + i : 0x8000 - i % 0x4000,
    };

    if (ends)
      put (strings, "function", 8);
    else
      put (strings, name, strlen (name) + 1);
    put (symbols, &symbol, sizeof symbol);
  }
  put (strings, "", 1);

  table
      = add_section (self, (Elf64_Shdr){ .sh_name = 15, .sh_type = SHT_STRTAB, .sh_addralign = 1 },
                     strings->data, strings->len);
  add_section (self,
               (Elf64_Shdr){ .sh_name = 7,
                             .sh_type = SHT_SYMTAB,
                             .sh_link = table,
                             .sh_info = 1,
                             .sh_addralign = 8,
                             .sh_entsize = sizeof (Elf64_Sym) },
               symbols->data, symbols->len);
}

static void
add_build_id (Elf *self)
{
  g_autoptr (GByteArray) note = g_byte_array_new ();
  Elf64_Nhdr header = { 4, sizeof build_id, NT_GNU_BUILD_ID };

  put (note, &header, sizeof header);
  put (note, "GNU", 4);
  put (note, build_id, sizeof build_id);
  add_section (self, (Elf64_Shdr){ .sh_name = 23, .sh_type = SHT_NOTE, .sh_addralign = 4 },
               note->data, note->len);
}

/* 64-bit ELF: code, and @n symbols @step apart. */
static GByteArray *
make_elf (guint n, guint step, ElfShape shape)
{
  static const char names[] = "\0.text\0.symtab\0.strtab\0.note";
  guint n_pieces = shape == ELF_SECTIONS_OF_CODE ? MIN (n, 60000) : 1;
  Elf64_Shdr none = { 0 };
  Elf elf = { g_byte_array_new (), g_array_new (FALSE, FALSE, sizeof (Elf64_Shdr)) };
  Elf64_Phdr segment = {
    .p_type = PT_LOAD,
    .p_flags = PF_R | PF_X,
    .p_offset = sizeof (Elf64_Ehdr) + sizeof segment,
    .p_vaddr = ELF_START,
    .p_filesz = ELF_CODE,
    .p_memsz = ELF_CODE,
    .p_align = 1,
  };
  Elf64_Ehdr header = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
    .e_type = ET_DYN,
    .e_machine = EM_X86_64,
    .e_version = EV_CURRENT,
    .e_phoff = sizeof header,
    .e_ehsize = sizeof header,
    .e_phentsize = sizeof segment,
    .e_phnum = 1,
    .e_shentsize = sizeof none,
  };

  put (elf.bytes, &header, sizeof header);
  put (elf.bytes, &segment, sizeof segment);
  g_array_append_val (elf.sections, none);
  add_code (&elf, n_pieces);
  add_build_id (&elf);
  add_symbols (&elf, n, step, n_pieces, shape == ELF_ENDS_OF_ONE_NAME);
  if (shape == ELF_TABLES_OVER_EACH_OTHER)
    repeat_section (&elf, elf.sections->len - 1, MIN (n, 60000));
  header.e_shstrndx = (Elf64_Half) add_section (
      &elf, (Elf64_Shdr){ .sh_name = 15, .sh_type = SHT_STRTAB, .sh_addralign = 1 }, names,
      sizeof names);
  header.e_shoff = elf.bytes->len;
  header.e_shnum = (Elf64_Half) elf.sections->len;
  memcpy (elf.bytes->data, &header, sizeof header);
  put (elf.bytes, elf.sections->data, elf.sections->len * sizeof none);
  g_array_unref (elf.sections);
  return elf.bytes;
}

static void
map_file (Maker *self, const char *name, guint64 start, guint64 length, guint64 offset,
          const guint8 *id)
{
  g_autofree char *path = g_canonicalize_filename (name, self->directory);

  at (self, 7);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, start, length, offset, 5, 2, id,
                              path);
}

static void
use_elf (Maker *self, guint n, guint step, ElfShape shape)
{
  g_autoptr (GByteArray) bytes = make_elf (n, step, shape);
  guint64 offset = sizeof (Elf64_Ehdr) + sizeof (Elf64_Phdr);

  save (self, "program", bytes);
  map_file (self, "program", MEMORY, ELF_CODE, offset, build_id);
  for (guint i = 0; i < n / 2; i++)
    sample_at (self, MEMORY
                         + (shape == ELF_SECTIONS_OF_CODE ? i * 2ull * (ELF_CODE / n) : i)
                               % (ELF_CODE - PAGE));
}

static void
elf_at_one_place (Maker *self, guint n)
{
  use_elf (self, n, 0, ELF_PLAIN);
}

static void
elf_nested (Maker *self, guint n)
{
  use_elf (self, n, 1, ELF_PLAIN);
}

static void
elf_apart (Maker *self, guint n)
{
  use_elf (self, n, 16, ELF_PLAIN);
}

static void
elf_ends_of_one_name (Maker *self, guint n)
{
  use_elf (self, n, 1, ELF_ENDS_OF_ONE_NAME);
}

static void
elf_tables_over_each_other (Maker *self, guint n)
{
  use_elf (self, n, 1, ELF_TABLES_OVER_EACH_OTHER);
}

static void
elf_sections_of_code (Maker *self, guint n)
{
  use_elf (self, n, 1, ELF_SECTIONS_OF_CODE);
}

static void
put_load (GByteArray *bytes, guint64 time, guint64 index, guint64 address, guint32 length)
{
  static const guint8 code[64] = { 0x90 };
  guint32 start[2] = { 0, 16 + 40 + 4 + length };
  guint32 process[2] = { 7, 7 };
  guint64 rest[4] = { address, address, length, index };

  put (bytes, start, sizeof start);
  put (bytes, &time, sizeof time);
  put (bytes, process, sizeof process);
  put (bytes, rest, sizeof rest);
  put (bytes, "jit", 4);
  put (bytes, code, length);
}

static void
put_move (GByteArray *bytes, guint64 time, guint64 index, guint64 from, guint64 to)
{
  guint32 start[2] = { 1, 16 + 48 };
  guint32 process[2] = { 7, 7 };
  guint64 rest[5] = { to, from, to, 64, index };

  put (bytes, start, sizeof start);
  put (bytes, &time, sizeof time);
  put (bytes, process, sizeof process);
  put (bytes, rest, sizeof rest);
}

/* Many of them at few places, each moved over others. */
static void
jitdump (Maker *self, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 start[6] = { 0x4a695444, 1, 40, 62, 0, 7 };
  guint64 rest[2] = { 5, 0 };

  put (bytes, start, sizeof start);
  put (bytes, rest, sizeof rest);
  at (self, 7);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, MEMORY, 0x100000, 0, 5, 2, NULL,
                              "//anon");
  map_file (self, "jit-7.dump", MEMORY + 0x200000, PAGE, 0, NULL);
  for (guint i = 0; i < n; i++) {
    at (self, 7);
    put_load (bytes, self->now, i, MEMORY + i % 64 * 8, 64);
    if (i % 2) {
      at (self, 7);
      put_move (bytes, self->now, i / 2, MEMORY + i / 2 % 64 * 8, MEMORY + i % 4000 * 16);
    }
    if (i % 4 == 0)
      sample_at (self, MEMORY + i % 512);
  }
  save (self, "jit-7.dump", bytes);
}

static void
perf_map (Maker *self, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  at (self, 7);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, MEMORY, 0x10000000, 0, 5, 2, NULL,
                              "//anon");
  for (guint i = 0; i < n; i++) {
    g_autofree char *line
        = g_strdup_printf ("%" G_GINT64_MODIFIER "x %x name_%u\n", MEMORY + i, 2 * (n - i), i);

    put (bytes, line, strlen (line));
    if (i % 2)
      sample_at (self, MEMORY + i);
  }
  save (self, "perf-7.map", bytes);
}

#define KIND(name)                                                                                 \
  {                                                                                                \
#name, name                                                                                    \
  }
static const struct {
  const char *name;
  void (*add) (Maker *self, guint n);
} kinds[] = {
  KIND (maps_at_one_place),
  KIND (maps_apart),
  KIND (maps_nested),
  KIND (maps_torn),
  KIND (maps_of_processes),
  KIND (maps_with_build_ids),
  KIND (old_maps),
  KIND (modules_apart),
  KIND (modules_at_one_place),
  KIND (modules_nested),
  KIND (comms_of_one),
  KIND (execs_of_one),
  KIND (comms_of_many),
  KIND (forks_in_a_row),
  KIND (forks_with_maps),
  KIND (forks_covered),
  KIND (exits),
  KIND (forks_and_exits),
  KIND (namespaces),
  KIND (cgroups),
  KIND (unknown_types),
  KIND (aux),
  KIND (set_aside),
  KIND (ksymbols_at_one_place),
  KIND (ksymbols_in_turn),
  KIND (ksymbols_again),
  KIND (ksymbols_nested),
  KIND (ksymbols_nested_out),
  KIND (ksymbols_of_other_times),
  KIND (ksymbols_of_two_times),
  KIND (ksymbols_ending),
  KIND (bpf_loads),
  KIND (bpf_programs),
  KIND (pokes_at_one_place),
  KIND (pokes_to_and_fro),
  KIND (pokes_apart),
  KIND (pokes_overlapping),
  KIND (pokes_there_and_back),
  KIND (pokes_of_all_lengths),
  KIND (pokes_in_ksymbols),
  KIND (trampolines),
  KIND (lost),
  KIND (lost_samples),
  KIND (throttles),
  KIND (rounds),
  KIND (samples_at_one_place),
  KIND (samples_apart),
  KIND (samples_backwards),
  KIND (samples_with_chains),
  KIND (samples_with_deep_chains),
  KIND (samples_of_tasks),
  KIND (build_ids),
  KIND (command_line),
  KIND (all_features),
  KIND (btfs),
  KIND (symbols_at_one_place),
  KIND (symbols_apart),
  KIND (modules_listed),
  KIND (modules_listed_at_one_place),
  KIND (modules_listed_overlapping),
  KIND (modules_of_one_name),
  KIND (kcore_of_segments),
  KIND (kcore_with_pokes),
  KIND (kcore_with_ksymbols),
  KIND (elf_at_one_place),
  KIND (elf_nested),
  KIND (elf_apart),
  KIND (elf_ends_of_one_name),
  KIND (elf_tables_over_each_other),
  KIND (elf_sections_of_code),
  KIND (jitdump),
  KIND (perf_map),
};
#undef KIND

/* Times are those of CLOCK_MONOTONIC, as a jitdump's are. */
static void
add_event (Maker *self, PenTestEvent event, guint64 more)
{
  event.sample_type |= more;
  event.flags |= FLAG_USE_CLOCKID;
  event.clockid = CLOCK_MONOTONIC;
  pen_test_capture_add_event (self->capture, &event);
}

static void
start (Maker *self)
{
  self->capture = pen_test_capture_new ();
  self->now = 1000;
  add_event (self, PEN_TEST_EVENT_CLOCK, 0);
  add_event (self, PEN_TEST_EVENT_DUMMY, 0);
  add_event (self, PEN_TEST_EVENT_CLOCK, SAMPLE_CALLCHAIN);
  pen_test_capture_set_arch (self->capture, "x86_64");
  pen_test_capture_as_recorder (self->capture);
  pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0, KERNEL, KERNEL_LENGTH, KERNEL,
                             "[kernel.kallsyms]_text");
  sample_at (self, KERNEL + 0x10);
}

int
main (int argc, char **argv)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (argc == 1) {
      puts (kinds[i].name);
    } else if (argc == 4 && strcmp (argv[1], kinds[i].name) == 0) {
      Maker maker = { .directory = argv[3] };
      g_autofree char *path = g_build_filename (argv[3], "perf.data", NULL);
      g_autoptr (GError) error = NULL;

      start (&maker);
      kinds[i].add (&maker, (guint) strtoul (argv[2], NULL, 10));
      if (!pen_test_capture_write (maker.capture, path, maker.flags, &error)) {
        g_printerr ("%s\n", error->message);
        return 1;
      }
      pen_test_capture_free (maker.capture);
      return 0;
    }
  }
  return argc == 1 ? 0 : 2;
}
