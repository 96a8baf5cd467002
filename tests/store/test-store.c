/* test-store.c: what is written is what is read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "pen-store-writer.h"

#define KERNEL 0xffffffff81000000u

typedef struct {
  char *directory;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("pen-store-XXXXXX", NULL);
  g_assert_nonnull (fixture->directory);
  fixture->path = g_build_filename (fixture->directory, "a ' store?.pentimento", NULL);
}

static guint
count_files (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

static void
tear_down (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_free (fixture->directory);
  g_free (fixture->path);
}

static const PenTenure kernel = {
  .id = 1,
  .kind = PEN_KIND_KERNEL,
  .layer = PEN_LAYER_MAP,
  .occupant = "[kernel.kallsyms]",
  .name = "[kernel.kallsyms]_text",
  .start = KERNEL,
  .end = KERNEL + 0x1000000,
  .file_offset = KERNEL,
  .from = { 0, 1 },
  .to = { G_MAXUINT64, G_MAXUINT64 },
  .from_bound = PEN_BOUND_INITIAL,
  .to_bound = PEN_BOUND_OPEN,
  .evidence = PEN_EVIDENCE_RECORDED,
  .build_id = { 1, 2, 3 },
  .build_id_length = 20,
  .unverified_from = { 700, 12 },
  .samples = 2,
};

static const PenTenure program = {
  .id = 2,
  .kind = PEN_KIND_BPF,
  .layer = PEN_LAYER_KSYMBOL,
  .occupant = "bpf_prog_0011223344556677_x",
  .name = "bpf_prog_0011223344556677_x",
  .start = 0xffffffffc0000000,
  .end = 0xffffffffc0000040,
  .from = { 500, 5 },
  .to = { 900, 9 },
  .from_bound = PEN_BOUND_RECORDED,
  .to_bound = PEN_BOUND_INFERRED,
  .evidence = PEN_EVIDENCE_INFERRED,
  .bpf_id = 77,
  .bpf_tag = { 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77 },
  .unverified_from = { G_MAXUINT64, G_MAXUINT64 },
};

/* In a process, and cut in two by a later map. */
static const PenTenure dso = {
  .id = 3,
  .space = 1,
  .kind = PEN_KIND_DSO,
  .layer = PEN_LAYER_MAP,
  .occupant = "/lib/x.so",
  .name = "/lib/x.so",
  .start = 0x1000,
  .end = 0x5000,
  .file_offset = 0x100,
  .from = { 510, 6 },
  .to = { G_MAXUINT64, G_MAXUINT64 },
  .unverified_from = { G_MAXUINT64, G_MAXUINT64 },
};

static const PenPart parts[] = {
  { 3, 0x1000, 0x5000, 0x100, { 510, 6 }, { 600, 7 } },
  { 3, 0x1000, 0x2000, 0x100, { 600, 7 }, { G_MAXUINT64, G_MAXUINT64 } },
  { 3, 0x3000, 0x5000, 0x2100, { 600, 7 }, { G_MAXUINT64, G_MAXUINT64 } },
};

static const PenPoke poke = {
  .id = 1,
  .moment = { 800, 8 },
  .address = KERNEL + 0x10,
  .old_length = 5,
  .new_length = 2,
  .old_bytes = (const guint8 *) "\x0f\x1f\x44\x00\x00",
  .new_bytes = (const guint8 *) "\x00\xcc",
  .effect = PEN_POKE_PATCH,
  .tenure = 1,
  .revision = 1,
  .pid = 42,
  .tid = 43,
  .cpu = 3,
  .comm = "sh",
};

#define OK(call)                                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gboolean is_ok = (call);                                                                       \
    g_assert_no_error (error);                                                                     \
    g_assert_true (is_ok);                                                                         \
  }                                                                                                \
  G_STMT_END

static void
write_changes (PenStoreWriter *writer)
{
  GError *error = NULL;
  PenMapRow map = {
    .row = { .change = 1, .position = 1, .pid = -1, .tid = -1, .cpu = G_MAXUINT32, .tenure = 1 },
    .is_kernel = TRUE,
    .start = KERNEL,
    .length = 0x1000000,
    .name = "[kernel.kallsyms]_text",
    .evidence = PEN_EVIDENCE_RECORDED,
  };
  PenMapRow data_map = {
    .row = { .change = 4, .position = 9, .time = 850, .has_time = TRUE, .pid = 5, .tid = 5 },
    .is_data = TRUE,
    .name = "heap",
  };
  PenKsymbolRow ksymbol = {
    .row = { .change = 2,
             .position = 5,
             .time = 500,
             .has_time = TRUE,
             .has_task = TRUE,
             .pid = 42,
             .tid = 43,
             .cpu = 1,
             .comm = "bpftool",
             .tenure = 2 },
    .type = 1,
    .address = program.start,
    .length = 0x40,
    .name = program.name,
  };
  PenPokeRow stored = {
    .row = { .change = 3, .position = 8, .time = 800, .has_time = TRUE, .has_task = TRUE },
    .poke = &poke,
    .function = 0,
    .cause = PEN_CAUSE_KPROBE,
    .reason = "The first byte became int3.",
    .breaks_chain = TRUE,
  };

  OK (pen_store_writer_add_map (writer, &map, &error));
  OK (pen_store_writer_add_map (writer, &data_map, &error));
  OK (pen_store_writer_add_ksymbol (writer, &ksymbol, &error));
  OK (pen_store_writer_add_poke (writer, &stored, &error));
}

static void
write_samples (PenStoreWriter *writer)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GError *error = NULL;
  PenStoreEvent event = {
    .name = (char *) "cpu-clock",
    .type = 1,
    .size = 128,
    .flags = 1 << 10,
    .sample_type = 0x107,
    .read_format = 0x14,
    .period_or_frequency = 4000,
    .ids = 2,
    .samples = 3,
  };
  PenFunction functions[] = {
    { 0, "vfs_read", PEN_KIND_KERNEL, "[kernel.kallsyms]", KERNEL, 0x40, 2, 20, 1, 2, 1 },
    { 1, NULL, PEN_KIND_GUEST, "", 0, 0, 1, 10, 0, 0, 0 },
  };
  PenBucket buckets[] = {
    { 0, 0, 1, 1, PEN_KIND_KERNEL, TRUE, KERNEL + 0x10, 0, 2, 20, 100, 900 },
    { 1, 0, 0, 0, PEN_KIND_GUEST, FALSE, 0, 1, 1, 10, 0, 0 },
  };
  PenThread threads[] = { { TRUE, -1, 7, "a, \"b\"" }, { FALSE, 0, 0, "" } };

  OK (pen_store_writer_add_event (writer, 0, &event, &error));
  for (guint i = 0; i < 2; i++) {
    OK (pen_store_writer_add_function (writer, &functions[i], &error));
    OK (pen_store_writer_add_thread (writer, i, &threads[i], &error));
  }
  OK (pen_store_writer_add_buckets (writer, buckets, 2, &error));

  block->n = 3;
  memcpy (block->time, ((guint64[]){ 0, 900, G_MAXUINT64 }), 24);
  memcpy (block->has, ((guint8[]){ 0, 7, 1 }), 3);
  memcpy (block->bucket, ((guint32[]){ 1, 0, 0 }), 12);
  memcpy (block->thread, ((guint32[]){ 1, 0, 1 }), 12);
  memcpy (block->cpu, ((guint32[]){ 0, 3, 0 }), 12);
  memcpy (block->period, ((guint64[]){ 0, 10, 0 }), 24);
  OK (pen_store_writer_add_block (writer, block, &error));
}

static void
write_rest (PenStoreWriter *writer)
{
  static const PenStoreSymbol symbols[] = {
    { KERNEL, KERNEL + 0x40, "vfs_read" },
    { KERNEL + 0x40, KERNEL + 0x80, "vfs_write" },
  };
  g_autofree guint8 *long_text = g_malloc (150000);
  g_autoptr (GBytes) bytes = NULL;
  PenStoredText text = { .tenure = 1, .start = KERNEL, .source = "kcore" };
  PenLoss loss = { PEN_LOSS_RECORDS, 100, 200, G_MAXUINT32, 12, 5, TRUE, 0 };
  PenSpace spaces[]
      = { { 0, -1, { 0, 0 }, { G_MAXUINT64, G_MAXUINT64 } }, { 1, 5, { 500, 6 }, { 800, 9 } } };
  GError *error = NULL;
  g_autoptr (GArray) packs = pen_symbol_packs_new ();

  for (guint i = 0; i < 150000; i++)
    long_text[i] = (guint8) (i * 7 + i / 256);
  bytes = g_bytes_new (long_text, 150000);
  text.bytes = bytes;
  text.evidence = PEN_EVIDENCE_FILE;

  OK (pen_store_writer_set_fact (writer, "osrelease", "6.1.0", &error));
  OK (pen_store_writer_set_fact (writer, "absent", NULL, &error));
  OK (pen_store_writer_set_fact_int (writer, "last_time", G_MAXUINT64, &error));
  OK (pen_store_writer_add_file (writer, 0, "perf.data", &error));
  OK (pen_store_writer_add_record_count (writer, 9, "SAMPLE", 3, &error));
  OK (pen_store_writer_add_problem (writer, "set aside", 0, 4711, "MMAP2", 2, "too short", &error));
  OK (pen_store_writer_add_loss (writer, &loss, &error));
  for (guint i = 0; i < 2; i++)
    OK (pen_store_writer_add_space (writer, &spaces[i], &error));
  OK (pen_store_writer_add_tenure (writer, &kernel, &error));
  OK (pen_store_writer_add_tenure (writer, &program, &error));
  OK (pen_store_writer_add_tenure (writer, &dso, &error));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    OK (pen_store_writer_add_part (writer, &parts[i], &error));
  OK (pen_store_writer_add_text (writer, &text, &error));
  pen_symbol_packs_add (packs, kernel.occupant, symbols, 2);
  OK (pen_store_writer_add_symbol_packs (writer, packs, &error));
}

static void
write_store (const char *path)
{
  GError *error = NULL;
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (path, NULL, &error);

  g_assert_no_error (error);
  write_rest (writer);
  write_changes (writer);
  write_samples (writer);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  pen_store_writer_finish (writer, &error);
  g_assert_no_error (error);
}

static PenStore *
open_store (const char *path)
{
  GError *error = NULL;
  PenStore *store = pen_store_open (path, &error);

  g_assert_no_error (error);

  return store;
}

static void
assert_same_moment (PenMoment a, PenMoment b)
{
  g_assert_cmpint (pen_moment_compare (a, b), ==, 0);
}

static void
assert_same_tenure (const PenTenure *a, const PenTenure *b)
{
  g_assert_cmpuint (a->id, ==, b->id);
  g_assert_cmpuint (a->space, ==, b->space);
  g_assert_cmpint (a->layer, ==, b->layer);
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpstr (a->occupant, ==, b->occupant);
  g_assert_cmpstr (a->name, ==, b->name);
  g_assert_cmpuint (a->start, ==, b->start);
  g_assert_cmpuint (a->end, ==, b->end);
  g_assert_cmpuint (a->file_offset, ==, b->file_offset);
  assert_same_moment (a->from, b->from);
  assert_same_moment (a->to, b->to);
  g_assert_cmpint (a->from_bound, ==, b->from_bound);
  g_assert_cmpint (a->to_bound, ==, b->to_bound);
  g_assert_cmpint (a->evidence, ==, b->evidence);
  g_assert_cmpuint (a->bpf_id, ==, b->bpf_id);
  g_assert_cmpmem (a->bpf_tag, 8, b->bpf_tag, 8);
  g_assert_cmpmem (a->build_id, a->build_id_length, b->build_id, b->build_id_length);
  assert_same_moment (a->unverified_from, b->unverified_from);
  g_assert_cmpuint (a->samples, ==, b->samples);
}

static void
test_facts (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) counts = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GArray) losses = NULL;
  const PenStoreEvent *event;
  const PenStoreProblem *problem;
  const PenLoss *loss;

  write_store (fixture->path);
  g_assert_cmpuint (count_files (fixture->directory), ==, 1);
  g_assert_true (pen_store_is_store (fixture->path));
  store = open_store (fixture->path);

  g_assert_cmpstr (pen_store_get_fact (store, "osrelease"), ==, "6.1.0");
  g_assert_null (pen_store_get_fact (store, "absent"));
  g_assert_cmpint (pen_store_get_fact_int (store, "last_time", 5), ==, -1);
  g_assert_cmpint (pen_store_get_fact_int (store, "osrelease", 5), ==, 5);
  g_assert_cmpint (pen_store_get_fact_int (store, "absent", 6), ==, 6);

  g_assert_cmpuint (pen_store_get_events (store)->len, ==, 1);
  event = g_ptr_array_index (pen_store_get_events (store), 0);
  g_assert_cmpstr (event->name, ==, "cpu-clock");
  g_assert_cmpuint (event->flags, ==, 1 << 10);
  g_assert_cmpuint (event->size, ==, 128);
  g_assert_cmpuint (event->sample_type, ==, 0x107);
  g_assert_cmpuint (event->read_format, ==, 0x14);
  g_assert_cmpuint (event->period_or_frequency, ==, 4000);
  g_assert_cmpuint (event->ids, ==, 2);
  g_assert_cmpuint (event->samples, ==, 3);

  counts = pen_store_load_record_counts (store, NULL);
  g_assert_cmpuint (counts->len, ==, 1);
  g_assert_cmpuint (((PenRecordCount *) g_ptr_array_index (counts, 0))->records, ==, 3);

  problems = pen_store_load_problems (store, NULL);
  g_assert_cmpuint (problems->len, ==, 1);
  problem = g_ptr_array_index (problems, 0);
  g_assert_cmpstr (problem->action, ==, "set aside");
  g_assert_cmpstr (problem->file, ==, "perf.data");
  g_assert_cmpuint (problem->offset, ==, 4711);
  g_assert_cmpstr (problem->record, ==, "MMAP2");
  g_assert_cmpstr (problem->reason, ==, "too short");

  losses = pen_store_load_losses (store, NULL);
  g_assert_cmpuint (losses->len, ==, 1);
  loss = &g_array_index (losses, PenLoss, 0);
  g_assert_cmpint (loss->kind, ==, PEN_LOSS_RECORDS);
  g_assert_cmpuint (loss->repeated, ==, 5);
  g_assert_true (loss->has_event);
  g_assert_cmpuint (loss->cpu, ==, G_MAXUINT32);
  g_assert_cmpuint (loss->count, ==, 12);
}

static void
test_spaces (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) spaces = NULL;
  const PenSpace *space;

  write_store (fixture->path);
  store = open_store (fixture->path);
  spaces = pen_store_load_spaces (store, NULL);
  g_assert_cmpuint (spaces->len, ==, 2);
  space = &g_array_index (spaces, PenSpace, 0);
  g_assert_cmpint (space->pid, ==, -1);
  g_assert_cmpuint (space->to.time, ==, G_MAXUINT64);
  space = &g_array_index (spaces, PenSpace, 1);
  g_assert_cmpint (space->pid, ==, 5);
  g_assert_cmpuint (space->from.time, ==, 500);
  g_assert_cmpuint (space->to.position, ==, 9);
}

static void
test_history (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) tenures = NULL;
  g_autoptr (GArray) found = NULL;
  g_autoptr (GArray) none = NULL;
  PenTenure tenure;

  write_store (fixture->path);
  store = open_store (fixture->path);

  tenures = pen_store_load_tenures (store, PEN_SPACE_KERNEL, 0, G_MAXUINT64, NULL);
  g_assert_cmpuint (tenures->len, ==, 2);
  assert_same_tenure (&g_array_index (tenures, PenTenure, 0), &kernel);
  assert_same_tenure (&g_array_index (tenures, PenTenure, 1), &program);

  none = pen_store_load_tenures (store, PEN_SPACE_KERNEL, program.end, G_MAXUINT64, NULL);
  g_assert_cmpuint (none->len, ==, 0);

  g_assert_true (pen_store_load_tenure (store, 3, &tenure, NULL));
  assert_same_tenure (&tenure, &dso);
  g_assert_false (pen_store_load_tenure (store, 4, &tenure, NULL));

  found = pen_store_load_parts (store, 1, 0x4000, 0x4001, NULL);
  g_assert_cmpuint (found->len, ==, 3);
  for (guint i = 0; i < 3; i++) {
    const PenPart *part = &g_array_index (found, PenPart, i);

    g_assert_cmpuint (part->start, ==, parts[i].start);
    g_assert_cmpuint (part->end, ==, parts[i].end);
    g_assert_cmpuint (part->file_offset, ==, parts[i].file_offset);
    assert_same_moment (part->from, parts[i].from);
    assert_same_moment (part->to, parts[i].to);
  }
}

/* A tenure without rows in `part` is its own only part. */
static void
test_whole_parts (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) found = NULL;
  const PenPart *part;

  write_store (fixture->path);
  store = open_store (fixture->path);
  found = pen_store_load_parts (store, PEN_SPACE_KERNEL, KERNEL, KERNEL + 1, NULL);

  g_assert_cmpuint (found->len, ==, 1);
  part = &g_array_index (found, PenPart, 0);
  g_assert_cmpuint (part->tenure, ==, 1);
  g_assert_cmpuint (part->start, ==, kernel.start);
  g_assert_cmpuint (part->end, ==, kernel.end);
  assert_same_moment (part->to, PEN_MOMENT_END);
}

static void
test_pokes (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    guint64 start;
    guint64 end;
    guint n;
  } cases[] = {
    { KERNEL + 0x10, KERNEL + 0x11, 1 },
    { KERNEL + 0x14, KERNEL + 0x15, 1 },
    { KERNEL + 0x15, KERNEL + 0x16, 0 },
    { KERNEL + 0x0f, KERNEL + 0x10, 0 },
    { 0, G_MAXUINT64, 1 },
    { KERNEL + 0x10, KERNEL + 0x10, 0 },
    { 0, 0x1000, 0 },
    { 0x7fffffffffffff00, G_MAXUINT64, 1 },
  };
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) ticks = NULL;
  g_autoptr (GArray) pokes = NULL;
  const PenStoredPoke *stored;

  write_store (fixture->path);
  store = open_store (fixture->path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GArray) found = pen_store_load_pokes (store, cases[i].start, cases[i].end, NULL);

    g_assert_cmpuint (found->len, ==, cases[i].n);
  }

  pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
  stored = &g_array_index (pokes, PenStoredPoke, 0);
  g_assert_cmpuint (stored->poke.id, ==, 1);
  assert_same_moment (stored->poke.moment, poke.moment);
  g_assert_cmpmem (stored->poke.old_bytes, stored->poke.old_length, poke.old_bytes, 5);
  g_assert_cmpmem (stored->poke.new_bytes, stored->poke.new_length, poke.new_bytes, 2);
  g_assert_cmpint (stored->poke.effect, ==, PEN_POKE_PATCH);
  g_assert_cmpuint (stored->poke.tenure, ==, 1);
  g_assert_cmpuint (stored->poke.revision, ==, 1);
  g_assert_cmpint (stored->poke.pid, ==, 42);
  g_assert_cmpint (stored->poke.tid, ==, 43);
  g_assert_cmpuint (stored->poke.cpu, ==, 3);
  g_assert_cmpstr (stored->poke.comm, ==, "sh");
  g_assert_cmpint (stored->cause, ==, PEN_CAUSE_KPROBE);
  g_assert_cmpstr (stored->reason, ==, "The first byte became int3.");
  g_assert_true (stored->breaks_chain);

  ticks = pen_store_load_poke_ticks (store, NULL);
  g_assert_cmpuint (ticks->len, ==, 1);
  g_assert_cmpuint (g_array_index (ticks, PenPokeTick, 0).time, ==, 800);
}

static void
test_text (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  write_store (fixture->path);
  store = open_store (fixture->path);

  for (guint64 offset = 0; offset < 150000; offset += 4999) {
    g_autoptr (GPtrArray) texts
        = pen_store_load_text (store, KERNEL + offset, KERNEL + offset + 1, NULL);
    const PenStoredText *text;
    const guint8 *bytes;

    g_assert_cmpuint (texts->len, ==, 1);
    text = g_ptr_array_index (texts, 0);
    bytes = g_bytes_get_data (text->bytes, NULL);
    g_assert_cmpuint (bytes[KERNEL + offset - text->start], ==,
                      (guint8) (offset * 7 + offset / 256));
    g_assert_cmpint (text->evidence, ==, PEN_EVIDENCE_FILE);
    g_assert_cmpstr (text->source, ==, "kcore");
  }

  {
    g_autoptr (GPtrArray) behind
        = pen_store_load_text (store, KERNEL + 150000, KERNEL + 150001, NULL);

    g_assert_cmpuint (behind->len, ==, 0);
  }
}

static void
test_symbols (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  const char *name;
  guint64 start;
  guint64 end;

  write_store (fixture->path);
  store = open_store (fixture->path);

  g_assert_true (
      pen_store_find_symbol (store, kernel.occupant, KERNEL + 0x3f, &name, &start, &end));
  g_assert_cmpstr (name, ==, "vfs_read");
  g_assert_cmpuint (start, ==, KERNEL);
  g_assert_cmpuint (end, ==, KERNEL + 0x40);
  g_assert_true (
      pen_store_find_symbol (store, kernel.occupant, KERNEL + 0x40, &name, &start, &end));
  g_assert_cmpstr (name, ==, "vfs_write");
  g_assert_false (
      pen_store_find_symbol (store, kernel.occupant, KERNEL + 0x80, &name, &start, &end));
  g_assert_false (pen_store_find_symbol (store, kernel.occupant, KERNEL - 1, &name, &start, &end));
  g_assert_false (pen_store_find_symbol (store, "[ext4]", KERNEL, &name, &start, &end));
}

static gboolean
take_change (const PenChange *change, gpointer user_data)
{
  GString *seen = user_data;

  g_string_append_printf (seen, "%s %s %s %s+%" G_GINT64_MODIFIER "x %s %u %s\n", change->change,
                          pen_kind_to_string (change->kind), change->occupant,
                          change->symbol != NULL ? change->symbol : "-", change->offset,
                          change->is_poke ? pen_cause_to_string (change->cause) : "-",
                          change->tenure, change->comm);

  return seen->len < 10000;
}

static void
test_changes (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  GError *error = NULL;

  write_store (fixture->path);
  store = open_store (fixture->path);
  g_assert_true (pen_store_foreach_change (store, take_change, seen, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (seen->str, ==,
                   "map kernel [kernel.kallsyms] -+0 - 1 \n"
                   "register bpf bpf_prog_0011223344556677_x bpf_prog_0011223344556677_x+0 - 2 "
                   "bpftool\n"
                   "poke kernel [kernel.kallsyms] vfs_read+10 kprobe 1 sh\n");
}

static void
test_samples (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  const PenBlockInfo *infos;
  const PenBucket *buckets;
  const PenThread *threads;
  const PenFunction *functions;
  guint n;

  write_store (fixture->path);
  store = open_store (fixture->path);

  infos = pen_store_get_blocks (store, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (infos[0].n, ==, 3);
  g_assert_cmpuint (infos[0].first, ==, 900);
  g_assert_cmpuint (infos[0].last, ==, G_MAXUINT64);

  g_assert_true (pen_store_read_block (store, 0, block, NULL));
  g_assert_cmpuint (block->n, ==, 3);
  g_assert_cmpuint (block->has[0], ==, 0);
  g_assert_cmpuint (block->time[1], ==, 900);
  g_assert_cmpuint (block->cpu[1], ==, 3);
  g_assert_cmpuint (block->time[2], ==, G_MAXUINT64);

  threads = pen_store_get_threads (store, &n, NULL);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (threads[0].has_task);
  g_assert_cmpint (threads[0].pid, ==, -1);
  g_assert_cmpstr (threads[0].comm, ==, "a, \"b\"");
  g_assert_false (threads[1].has_task);

  functions = pen_store_get_functions (store, &n, NULL);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (functions[0].symbol, ==, "vfs_read");
  g_assert_cmpuint (functions[0].start, ==, KERNEL);
  g_assert_cmpuint (functions[0].versions, ==, 2);
  g_assert_null (functions[1].symbol);
  g_assert_cmpstr (functions[1].occupant, ==, "");

  buckets = pen_store_get_buckets (store, &n, NULL);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (buckets[0].kind, ==, PEN_KIND_KERNEL);
  g_assert_cmpuint (buckets[0].address, ==, KERNEL + 0x10);
  g_assert_cmpint (buckets[1].kind, ==, PEN_KIND_GUEST);
  g_assert_false (buckets[1].has_address);
  g_assert_cmpuint (buckets[1].tenure, ==, 0);
}

static void
change_store (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
  sqlite3_close (db);
}

static void
test_versions (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    const char *sql;
    int code;
  } cases[] = {
    { "PRAGMA user_version = 1000", PEN_STORE_ERROR_NEWER },
    { "PRAGMA user_version = 1", PEN_STORE_ERROR_OLDER },
    { "PRAGMA user_version = " G_STRINGIFY (
          PEN_STORE_VERSION) "; DELETE FROM capture WHERE key = 'complete'",
      PEN_STORE_ERROR_UNFINISHED },
    { "DROP TABLE sample_block; INSERT INTO capture VALUES ('complete', '1')",
      PEN_STORE_ERROR_DAMAGED },
    { "PRAGMA application_id = 1", PEN_STORE_ERROR_NOT_A_STORE },
  };

  write_store (fixture->path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    change_store (fixture->path, cases[i].sql);
    g_assert_null (pen_store_open (fixture->path, &error));
    g_assert_error (error, PEN_STORE_ERROR, cases[i].code);
    g_assert_nonnull (strstr (error->message, fixture->path));
  }
}

static void
test_not_a_store (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (pen_store_is_store (fixture->path));
  g_assert_false (pen_store_is_store ("/dev/zero"));
  g_assert_false (pen_store_is_store (fixture->directory));
  g_assert_null (pen_store_open (fixture->path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (fixture->path, "PERFILE2 and no database", -1, NULL));
  g_assert_false (pen_store_is_store (fixture->path));
  g_assert_null (pen_store_open (fixture->path, &error));
  g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NOT_A_STORE);
}

/* All that samples are found by. */
static gboolean
read_samples (PenStore *store, PenSampleBlock *block, GError **error)
{
  guint n;

  return pen_store_read_block (store, 0, block, error)
         && pen_store_get_bucket_functions (store, &n, error) != NULL
         && pen_store_get_buckets (store, &n, error) != NULL
         && pen_store_get_functions (store, &n, error) != NULL;
}

/* Each of these would be an index out of bounds if it were believed. */
static void
test_damage (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const damages[] = {
    "UPDATE sample_block SET columns = substr(columns, 1, 20)",
    "UPDATE sample_block SET columns = zeroblob(30)",
    "UPDATE sample_block SET columns = 'text'",
    "UPDATE sample_block SET n = 2",
    "UPDATE sample_block SET n = 65537",
    "UPDATE sample_block SET n = -1",
    "UPDATE sample_block SET id = 5",
    "DELETE FROM bucket_block",
    "UPDATE bucket_block SET id = 1",
    "UPDATE bucket_block SET n = 1",
    "UPDATE bucket_block SET n = 1, last_id = 0",
    "UPDATE bucket_block SET n = 3, last_id = 2",
    "UPDATE bucket_block SET first_function = 2, last_function = 1",
    "UPDATE bucket_block SET last_function = 0",
    "UPDATE bucket_block SET last_id = -1",
    "UPDATE bucket_block SET buckets = substr(buckets, 1, 30)",
    "UPDATE bucket_block SET buckets = x''",
    "INSERT INTO bucket_block SELECT id + 1, first_function, last_function, first_id + 2,"
    " last_id + 2, n, buckets FROM bucket_block",
    "DELETE FROM function WHERE id = 1",
    "UPDATE event SET id = 1",
    "DELETE FROM thread WHERE id = 1",
    "UPDATE thread SET id = 9 WHERE id = 1",
    "UPDATE function SET id = 9 WHERE id = 1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++) {
    g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
    g_autoptr (PenStore) store = NULL;
    GError *error = NULL;

    g_unlink (fixture->path);
    write_store (fixture->path);
    change_store (fixture->path, damages[i]);

    store = pen_store_open (fixture->path, &error);
    if (store != NULL && read_samples (store, block, &error))
      g_error ("not seen: %s", damages[i]);
    g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED);
    g_clear_error (&error);
  }
}

static void
read_all (PenStore *store)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (GArray) tenures = pen_store_load_tenures (store, 0, 0, G_MAXUINT64, NULL);
  g_autoptr (GArray) found = pen_store_load_parts (store, 1, 0, G_MAXUINT64, NULL);
  g_autoptr (GArray) pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
  g_autoptr (GPtrArray) texts = pen_store_load_text (store, 0, G_MAXUINT64, NULL);
  g_autoptr (GArray) of_function = NULL;
  const char *name;
  guint64 at;
  guint n;

  pen_store_foreach_change (store, take_change, seen, NULL);
  pen_store_get_buckets (store, &n, NULL);
  pen_store_get_bucket_functions (store, &n, NULL);
  of_function = pen_store_load_function_buckets (store, 0, NULL);
  pen_store_find_symbol (store, kernel.occupant, KERNEL, &name, &at, &at);
  pen_store_get_blocks (store, &n);
  for (guint i = 0; i < n; i++)
    pen_store_read_block (store, i, block, NULL);
}

/* Bytes of the file changed at random: errors perhaps, crashes never. */
static void
test_random_damage (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *contents = NULL;
  gsize length;

  write_store (fixture->path);
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));

  for (guint round = 0; round < 300; round++) {
    g_autofree char *damaged = g_memdup2 (contents, length);
    g_autoptr (PenStore) store = NULL;

    for (guint i = 0; i < 8; i++)
      damaged[g_test_rand_int_range (round % 2 == 0 ? 100 : 0, (gint32) length)]
          = (char) g_test_rand_int ();
    g_assert_true (g_file_set_contents (
        fixture->path, damaged,
        round % 3 == 0 ? g_test_rand_int_range (100, (gint32) length) : (gssize) length, NULL));

    store = pen_store_open (fixture->path, NULL);
    if (store != NULL)
      read_all (store);
  }
}

static void
test_abandoned (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (fixture->path, NULL, NULL);

  g_assert_nonnull (writer);
  write_rest (writer);
  g_assert_cmpuint (count_files (fixture->directory), ==, 1);
  g_clear_pointer (&writer, pen_store_writer_free);
  g_assert_cmpuint (count_files (fixture->directory), ==, 0);
}

/* A store of that name stays as it is until the new one is whole. */
static void
test_replaced (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStoreWriter) writer = NULL;
  g_autoptr (PenStore) before = NULL;
  g_autoptr (PenStore) after = NULL;
  GError *error = NULL;

  write_store (fixture->path);
  writer = pen_store_writer_new (fixture->path, NULL, NULL);
  before = open_store (fixture->path);
  g_assert_cmpstr (pen_store_get_fact (before, "osrelease"), ==, "6.1.0");

  OK (pen_store_writer_finish (writer, &error));
  after = open_store (fixture->path);
  g_assert_null (pen_store_get_fact (after, "osrelease"));
  g_assert_cmpuint (count_files (fixture->directory), ==, 1);
}

static void
test_unwritable (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_store_writer_new ("/proc/no/such/place.pentimento", NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "/proc/no/such/place.pentimento"));
}

static void
test_cancel (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (PenStoreWriter) writer = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (GError) error = NULL;

  write_store (fixture->path);
  store = open_store (fixture->path);
  pen_store_set_cancellable (store, cancellable);
  g_assert_true (pen_store_read_block (store, 0, block, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_false (pen_store_read_block (store, 0, block, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  pen_store_set_cancellable (store, NULL);
  g_assert_true (pen_store_read_block (store, 0, block, NULL));

  g_cancellable_reset (cancellable);
  writer = pen_store_writer_new (fixture->path, cancellable, NULL);
  write_rest (writer);
  g_cancellable_cancel (cancellable);
  g_assert_false (pen_store_writer_finish (writer, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_pointer (&writer, pen_store_writer_free);
  g_assert_cmpuint (count_files (fixture->directory), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/store/" name, Fixture, NULL, set_up, func, tear_down)

  ADD ("facts", test_facts);
  ADD ("spaces", test_spaces);
  ADD ("history", test_history);
  ADD ("whole-parts", test_whole_parts);
  ADD ("pokes", test_pokes);
  ADD ("text", test_text);
  ADD ("symbols", test_symbols);
  ADD ("changes", test_changes);
  ADD ("samples", test_samples);
  ADD ("versions", test_versions);
  ADD ("not-a-store", test_not_a_store);
  ADD ("damage", test_damage);
  ADD ("random-damage", test_random_damage);
  ADD ("abandoned", test_abandoned);
  ADD ("replaced", test_replaced);
  ADD ("cancel", test_cancel);
  g_test_add_func ("/store/unwritable", test_unwritable);

  return g_test_run ();
}
