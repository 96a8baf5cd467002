/* test-twins.c: one history, recorded in every shape, gives the same rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-query-changes.h"
#include "pen-query-occupants.h"
#include "pen-query-samples.h"
#include "pen-query.h"
#include "pen-record.h"
#include "pen-store-callchains.h"
#include "pen-store-samples.h"

#define PROGRAMS 0xffffffffc0000000u
#define OPERATIONS 600
#define ROUND 40
#define SITES 12
#define CHAINS 9

typedef enum {
  OP_KERNEL_SAMPLE,
  OP_USER_SAMPLE,
  OP_MAP,
  OP_FORK,
  OP_EXEC,
  OP_EXIT,
  OP_REGISTER,
  OP_UNREGISTER,
  OP_POKE,
  OP_LOST,
  OP_LOST_SAMPLES,
  OP_THROTTLE,
  OP_UNTHROTTLE,
  OPS,
} OpKind;

/* @a, @b: what they mean depends on the kind */
typedef struct {
  OpKind kind;
  guint64 time;
  guint32 cpu;
  gint32 pid;
  guint a;
  guint b;
} Op;

typedef struct {
  GRand *rand;
  GArray *ops; /* Op, by time */
} Story;

static guint
pick (Story *story, guint n)
{
  return (guint) g_rand_int_range (story->rand, 0, (gint32) n);
}

static OpKind
pick_kind (Story *story)
{
  static const guint8 weights[OPS] = {
    [OP_KERNEL_SAMPLE] = 40, [OP_USER_SAMPLE] = 20, [OP_MAP] = 8,          [OP_FORK] = 4,
    [OP_EXEC] = 2,           [OP_EXIT] = 2,         [OP_REGISTER] = 8,     [OP_UNREGISTER] = 6,
    [OP_POKE] = 10,          [OP_LOST] = 1,         [OP_LOST_SAMPLES] = 1, [OP_THROTTLE] = 1,
    [OP_UNTHROTTLE] = 1,
  };
  guint total = 0;
  guint dice;

  for (guint i = 0; i < OPS; i++)
    total += weights[i];
  dice = pick (story, total);
  for (guint i = 0; i < OPS; i++) {
    if (dice < weights[i])
      return i;
    dice -= weights[i];
  }
  g_assert_not_reached ();
}

static void
story_init (Story *story, guint32 seed)
{
  guint64 time = 1000;

  story->rand = g_rand_new_with_seed (seed);
  story->ops = g_array_new (FALSE, FALSE, sizeof (Op));
  for (guint i = 0; i < OPERATIONS; i++) {
    Op op = { .kind = pick_kind (story) };

    time += 1 + pick (story, 50);
    op.time = time;
    op.cpu = pick (story, PEN_TEST_CPUS);
    op.pid = 100 + (gint32) pick (story, 5);
    op.a = pick (story, 1000);
    op.b = pick (story, 1000);
    g_array_append_val (story->ops, op);
  }
}

static void
story_clear (Story *story)
{
  g_rand_free (story->rand);
  g_array_unref (story->ops);
}

/* ---- from the story to a capture ---- */

static guint64
kernel_address (guint a)
{
  switch (a % 4) {
  case 0:
    return KERNEL + 0x1000 + a % SITES * 0x10 + a % 5;
  case 1:
    return MODULE + a;
  default:
    return PROGRAMS + a % 0x400;
  }
}

static void
add_sample (PenTestCapture *capture, const Op *op)
{
  gboolean is_kernel = op->kind == OP_KERNEL_SAMPLE;
  guint64 address = is_kernel ? kernel_address (op->a) : 0x400000 + op->a * 16;
  guint variant = op->b % CHAINS;
  guint64 chain[] = {
    is_kernel ? PEN_CONTEXT_KERNEL : PEN_CONTEXT_USER,
    variant == 0 ? address + 4 : address,
    is_kernel ? kernel_address (variant) : 0x400000 + variant * 0x100,
    is_kernel ? kernel_address (variant * 7) : 0x402000,
    PEN_CONTEXT_USER,
    0x400010 + variant,
    0x401000,
  };

  pen_test_capture_from (capture, 0);
  pen_test_capture_add_sample_with_callchain (capture, is_kernel ? PEN_TEST_KERNEL : PEN_TEST_USER,
                                              address, 1 + op->a, chain,
                                              variant == 1 ? 0
                                              : is_kernel  ? 7
                                                           : 4);
}

static void
add_ksymbol (PenTestCapture *capture, const Op *op)
{
  static const guint lengths[] = { 0x40, 0x80, 0x1000, 0 };
  guint slot = op->a % 10;
  g_autofree char *name = g_strdup_printf ("bpf_prog_%u", slot + op->b % 2);
  guint8 tag[8] = { (guint8) slot };
  gboolean is_end = op->kind == OP_UNREGISTER;

  pen_test_capture_add_ksymbol (capture, PROGRAMS + slot * 0x60, lengths[op->b % 16 % 4], 1, is_end,
                                name);
  pen_test_capture_add_bpf_event (capture, is_end ? 2 : 1, 10 + slot, tag);
}

static void
add_poke (PenTestCapture *capture, const Op *op)
{
  static const guint8 texts[][5] = {
    { 0x0f, 0x1f, 0x44, 0x00, 0x00 },
    { 0xe9, 0x10, 0x00, 0x00, 0x00 },
    { 0xe8, 0x20, 0x01, 0x00, 0x00 },
    { 0xcc, 0x1f, 0x44, 0x00, 0x00 },
  };
  guint64 address
      = op->a % 3 == 0 ? PROGRAMS + op->b % 0x400 : KERNEL + 0x1000 + op->a % SITES * 0x10;

  pen_test_capture_add_text_poke (capture, address, texts[op->b % 4], op->b % 31 ? 5 : 0,
                                  texts[op->b / 4 % 4], op->b % 29 ? 5 : 0);
}

static void
add_task_op (PenTestCapture *capture, const Op *op)
{
  static const char *const comms[] = { "sh", "cat", "worker" };
  static const char *const names[] = { "/bin/sh", "/lib/libc.so", "//anon" };
  gint32 other = 100 + (gint32) (op->a % 5);

  switch (op->kind) {
  case OP_MAP:
    pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, op->pid, op->pid,
                                0x400000 + op->a % 8 * 0x800, 0x1000 + op->b % 4 * 0x1000, 0, 5, 2,
                                NULL, names[op->b % 3]);
    break;
  case OP_FORK:
    pen_test_capture_add_fork (capture, 0, other, op->pid, other, op->pid);
    break;
  case OP_EXEC:
    pen_test_capture_add_comm (capture, op->pid, op->pid, op->b % 2, comms[op->a % 3]);
    break;
  default:
    pen_test_capture_add_exit (capture, op->pid, op->pid, op->pid, op->pid);
    break;
  }
}

static void
add_op (PenTestCapture *capture, const Op *op)
{
  pen_test_capture_at (capture, op->time, op->pid, op->pid, op->cpu);
  pen_test_capture_from (capture, 1);
  switch (op->kind) {
  case OP_KERNEL_SAMPLE:
  case OP_USER_SAMPLE:
    add_sample (capture, op);
    break;
  case OP_REGISTER:
  case OP_UNREGISTER:
    add_ksymbol (capture, op);
    break;
  case OP_POKE:
    add_poke (capture, op);
    break;
  case OP_LOST:
    pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, op->cpu), 1 + op->a);
    break;
  case OP_LOST_SAMPLES:
    pen_test_capture_add_lost_samples (capture, op->b % 2 ? 0 : 1 << 15, 1 + op->a);
    break;
  case OP_THROTTLE:
  case OP_UNTHROTTLE:
    pen_test_capture_add_throttle (capture, op->kind == OP_UNTHROTTLE);
    break;
  default:
    add_task_op (capture, op);
    break;
  }
}

static void
add_initial_state (PenTestCapture *capture)
{
  static const guint8 tag[8] = { 3 };
  static const guint8 image[0x40] = { 0x55, 0x48, 0x89, 0xe5 };
  const guint64 address = PROGRAMS + 3 * 0x60;
  const guint32 length = 0x40;
  PenTestEvent clock = PEN_TEST_EVENT_CLOCK;
  PenTestEvent dummy = PEN_TEST_EVENT_DUMMY;

  /* Without names, as some shapes have none: all derive them. */
  clock.name = dummy.name = NULL;
  clock.sample_type |= 1 << 5;
  dummy.sample_type |= 1 << 5;
  pen_test_capture_add_event (capture, &clock);
  pen_test_capture_add_event (capture, &dummy);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0x1000000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE, 0x4000, 0, "/lib/m.ko");
  pen_test_capture_add_ksymbol (capture, PROGRAMS + 5 * 0x60, 0x40, 1, 0, "bpf_prog_5");
  for (gint32 pid = 100; pid < 103; pid++) {
    pen_test_capture_add_comm (capture, pid, pid, FALSE, "first");
    pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, pid, pid, 0x400000, 0x3000, 0, 5, 2, NULL,
                                "/bin/first");
  }
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_add_bpf_program (capture, 13, "x", tag, 0, &address, &length, 1, image,
                                    sizeof image);
}

/* Rings of CPUs are emptied one after the other, each in its order. Returns: op @i of the round */
static void
shuffle_round (Story *story, Op *ops, guint n)
{
  g_autofree Op *shuffled = g_new (Op, n);
  g_autofree gboolean *is_taken = g_new0 (gboolean, n);

  for (guint i = 0; i < n; i++) {
    guint32 cpu = pick (story, PEN_TEST_CPUS);
    guint next = n;

    for (guint k = 0; k < n && next == n; k++)
      if (!is_taken[k] && ops[k].cpu == cpu)
        next = k;
    for (guint k = 0; k < n && next == n; k++)
      if (!is_taken[k])
        next = k;
    is_taken[next] = TRUE;
    shuffled[i] = ops[next];
  }
  memcpy (ops, shuffled, n * sizeof *ops);
}

static PenTestCapture *
story_record (Story *story, gboolean is_shuffled)
{
  g_autoptr (GArray) ops = g_array_copy (story->ops);
  PenTestCapture *capture = pen_test_capture_new ();

  add_initial_state (capture);
  for (guint i = 0; i < ops->len; i += ROUND) {
    guint n = MIN (ROUND, ops->len - i);

    if (is_shuffled)
      shuffle_round (story, &g_array_index (ops, Op, i), n);
    for (guint k = i; k < i + n; k++)
      add_op (capture, &g_array_index (ops, Op, k));
    pen_test_capture_add_finished_round (capture);
  }
  return capture;
}

/* ---- what comes of it ---- */

typedef gboolean (*Write) (PenQuery *query, const PenFilter *filter, PenTableWriter *writer,
                           GError **error);

static void
append_table (PenStore *store, Write write, GString *text)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;

  write (query, NULL, writer, &error);
  g_assert_no_error (error);
  g_output_stream_close (stream, NULL, &error);
  g_assert_no_error (error);
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
  g_string_append_len (text, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
}

static void
append_chains (PenStore *store, GString *text)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GError *error = NULL;

  pen_store_read_block (store, 0, block, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < block->n; i++) {
    g_autoptr (GArray) chain = pen_store_load_callchain (store, block->chain[i], &error);

    g_assert_no_error (error);
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " %u", block->time[i], block->has[i]);
    for (guint k = 0; k < chain->len; k++) {
      const PenFrame *frame = &g_array_index (chain, PenFrame, k);

      g_string_append_printf (text, " %" G_GINT64_MODIFIER "x/%s/%s/%u", frame->address,
                              frame->occupant, frame->symbol ? frame->symbol : "", frame->revision);
    }
    g_string_append_c (text, '\n');
  }
}

static char *
import_and_tell (ImportFixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags,
                 const char *kallsyms)
{
  PenSources sources = { .kallsyms = (const char *const[]){ kallsyms, NULL } };
  GString *text = g_string_new (NULL);
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;

  import_fixture_remove (fixture->capture);
  g_assert_true (pen_test_capture_write (capture, fixture->capture, flags, &error));
  g_assert_no_error (error);
  pen_import (fixture->capture, fixture->store, &sources, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  store = import_fixture_open (fixture);
  append_table (store, pen_query_write_samples, text);
  append_table (store, pen_query_write_changes, text);
  append_table (store, pen_query_write_occupants, text);
  append_chains (store, text);
  return g_string_free (text, FALSE);
}

/* ---- the shapes ---- */

static const PenTestCaptureFlags shapes[] = {
  PEN_TEST_CAPTURE_FILE,
  PEN_TEST_CAPTURE_PIPE,
  PEN_TEST_CAPTURE_ZSTD,
  PEN_TEST_CAPTURE_ZSTD | PEN_TEST_CAPTURE_COMPRESSED2,
  PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_ZSTD,
  PEN_TEST_CAPTURE_BIG_ENDIAN,
  PEN_TEST_CAPTURE_BIG_ENDIAN | PEN_TEST_CAPTURE_PIPE,
  PEN_TEST_CAPTURE_DIRECTORY,
  PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_ZSTD,
  PEN_TEST_CAPTURE_THREADS,
  PEN_TEST_CAPTURE_THREADS | PEN_TEST_CAPTURE_ZSTD,
  PEN_TEST_CAPTURE_INFLATED,
  PEN_TEST_CAPTURE_INFLATED | PEN_TEST_CAPTURE_BIG_ENDIAN,
  PEN_TEST_CAPTURE_ATTRS_LAST,
  PEN_TEST_CAPTURE_OLD_HEADER,
  PEN_TEST_CAPTURE_UNTERMINATED,
};

static void
compare (guint32 seed, guint shape, gboolean is_shuffled, const char *expected, const char *text)
{
  g_auto (GStrv) a = g_strsplit (expected, "\n", -1);
  g_auto (GStrv) b = g_strsplit (text, "\n", -1);

  for (guint i = 0; a[i] || b[i]; i++) {
    if (g_strcmp0 (a[i], b[i]) != 0)
      g_error ("seed %u, shape %x%s, line %u:\n%s\n%s", seed, shapes[shape],
               is_shuffled ? ", shuffled" : "", i + 1, a[i], b[i]);
  }
}

static void
run_seed (ImportFixture *fixture, guint32 seed, const char *kallsyms)
{
  Story story;
  g_autofree char *expected = NULL;

  story_init (&story, seed);
  for (guint is_shuffled = 0; is_shuffled < 2; is_shuffled++) {
    for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
      g_autoptr (PenTestCapture) capture = story_record (&story, is_shuffled != 0);
      g_autofree char *text = import_and_tell (fixture, capture, shapes[i], kallsyms);

      if (!expected)
        expected = g_steal_pointer (&text);
      else
        compare (seed, i, is_shuffled != 0, expected, text);
    }
  }
  story_clear (&story);
}

static void
test_twins (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *kallsyms = g_build_filename (fixture->directory, "kallsyms", NULL);
  g_autoptr (GString) names = g_string_new ("ffffffff81000000 T _text\n");
  const char *given = g_getenv ("PENTIMENTO_TWINS_SEED");

  for (guint i = 0; i < SITES; i++)
    g_string_append_printf (names, "%lx T function_%u\n", KERNEL + 0x1000ul + i * 0x10, i);
  g_string_append (names, "ffffffff81002000 T last\nffffffffa0000000 t init\t[m]\n");
  g_assert_true (g_file_set_contents (kallsyms, names->str, -1, NULL));

  if (given) {
    run_seed (fixture, (guint32) g_ascii_strtoull (given, NULL, 10), kallsyms);
  } else {
    for (guint32 seed = 1; seed <= 3; seed++)
      run_seed (fixture, seed, kallsyms);
    run_seed (fixture, (guint32) g_test_rand_int (), kallsyms);
  }
  g_unlink (kallsyms);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/import/twins", ImportFixture, NULL, import_fixture_set_up, test_twins,
              import_fixture_tear_down);
  return g_test_run ();
}
