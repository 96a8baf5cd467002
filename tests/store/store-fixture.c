/* store-fixture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "store-fixture.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

void
store_fixture_set_up (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("pen-store-XXXXXX", NULL);
  g_assert_nonnull (fixture->directory);
  fixture->path = g_build_filename (fixture->directory, "a ' store?.pentimento", NULL);
}

guint
store_fixture_count_files (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  return n;
}

void
store_fixture_tear_down (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_free (fixture->directory);
  g_free (fixture->path);
}

const PenTenure store_fixture_kernel = {
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
  .sure_from = { 0, G_MAXUINT64 },
  .sure_to = { 600, 0 },
  .unverified_from = { 700, 12 },
  .code_end = KERNEL + 0x800000,
  .samples = 2,
};

const PenTenure store_fixture_program = {
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
const PenTenure store_fixture_dso = {
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

const PenPart store_fixture_parts[STORE_FIXTURE_PARTS] = {
  { 3, 0x1000, 0x5000, 0x100, { 510, 6 }, { 600, 7 } },
  { 3, 0x1000, 0x2000, 0x100, { 600, 7 }, { G_MAXUINT64, G_MAXUINT64 } },
  { 3, 0x3000, 0x5000, 0x2100, { 600, 7 }, { G_MAXUINT64, G_MAXUINT64 } },
};

const PenPoke store_fixture_poke = {
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
  .change = 3,
  .time = 800,
  .has_time = TRUE,
  .has_task = TRUE,
  .cause = PEN_CAUSE_KPROBE,
  .confidence = PEN_CONFIDENCE_LIKELY,
  .rule = "breakpoint",
  .key = "a key",
  .batch = 1,
  .break_loss = 1,
  .breaks_chain = TRUE,
  .site = "vfs_read",
  .is_at_entry = TRUE,
  .before = { PEN_FORM_CALL, "ftrace_caller" },
  .after = { PEN_FORM_BREAKPOINT, NULL },
};

const PenBatch store_fixture_batch = {
  .id = 1,
  .first_poke = 1,
  .last_poke = 1,
  .from = 800,
  .to = 801,
  .cause = PEN_CAUSE_KPROBE,
  .confidence = PEN_CONFIDENCE_LIKELY,
  .effect = PEN_POKE_PATCH,
  .n_sites = 17,
  .key = "a key",
  .action = PEN_ACTION_SET,
  .n_jumps = 5,
  .site = "vfs_read",
  .target = "a detour",
  .has_task = TRUE,
  .cpu = 3,
  .pid = 42,
  .tid = 43,
  .comm = "sh",
};

static void
write_changes (PenStoreWriter *writer)
{
  GError *error = NULL;
  PenMapEvent map = {
    .origin = { .moment = { 0, 1 }, .cpu = G_MAXUINT32 },
    .change = 1,
    .tenure = 1,
    .is_kernel = TRUE,
    .pid = -1,
    .tid = -1,
    .start = KERNEL,
    .length = 0x1000000,
    .name = "[kernel.kallsyms]_text",
    .evidence = PEN_EVIDENCE_RECORDED,
  };
  PenMapEvent data_map = {
    .origin = { .moment = { 850, 9 }, .time = 850, .has_time = TRUE },
    .change = 4,
    .is_data = TRUE,
    .pid = 5,
    .tid = 5,
    .name = "heap",
  };
  PenKsymbolEvent ksymbol = {
    .origin = { .moment = { 500, 5 },
                .time = 500,
                .has_time = TRUE,
                .has_task = TRUE,
                .pid = 42,
                .tid = 43,
                .cpu = 1,
                .comm = "bpftool" },
    .change = 2,
    .tenure = 2,
    .type = 1,
    .address = store_fixture_program.start,
    .length = 0x40,
    .name = store_fixture_program.name,
  };

  OK (pen_store_writer_add_map (writer, &map, &error));
  OK (pen_store_writer_add_map (writer, &data_map, &error));
  OK (pen_store_writer_add_ksymbol (writer, &ksymbol, &error));
  OK (pen_store_writer_add_poke (writer, &store_fixture_poke, &error));
  OK (pen_store_writer_add_batch (writer, &store_fixture_batch, &error));
}

static void
write_samples (PenStoreWriter *writer)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GError *error = NULL;
  PenStoreEvent event = {
    .name = "cpu-clock",
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
    { 0, "vfs_read", PEN_KIND_KERNEL, "[kernel.kallsyms]", KERNEL, 0x40, 2, 20, 1, 2, 1, NULL, 0 },
    { 1, NULL, PEN_KIND_GUEST, "", 0, 0, 1, 10, 0, 0, 0, NULL, 0 },
  };
  PenBucket buckets[] = {
    { .tenure = 1,
      .revision = 1,
      .kind = PEN_KIND_KERNEL,
      .has_address = TRUE,
      .address = KERNEL + 0x10,
      .samples = 2,
      .period = 20,
      .first = 100,
      .last = 900 },
    { .id = 1, .kind = PEN_KIND_GUEST, .function = 1, .samples = 1, .period = 10 },
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

void
store_fixture_write_history (PenStoreWriter *writer)
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
  OK (pen_store_writer_add_tenure (writer, &store_fixture_kernel, &error));
  OK (pen_store_writer_add_tenure (writer, &store_fixture_program, &error));
  OK (pen_store_writer_add_tenure (writer, &store_fixture_dso, &error));
  for (guint i = 0; i < G_N_ELEMENTS (store_fixture_parts); i++)
    OK (pen_store_writer_add_part (writer, &store_fixture_parts[i], &error));
  OK (pen_store_writer_add_text (writer, &text, &error));
  pen_symbol_packs_add (packs, store_fixture_kernel.occupant, symbols, 2);
  OK (pen_store_writer_add_symbol_packs (writer, packs, &error));
}

void
store_fixture_write (const char *path)
{
  GError *error = NULL;
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (path, 0666, NULL, &error);

  g_assert_no_error (error);
  store_fixture_write_history (writer);
  write_changes (writer);
  write_samples (writer);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  pen_store_writer_finish (writer, &error);
  g_assert_no_error (error);
}

PenStore *
store_fixture_open (const char *path)
{
  GError *error = NULL;
  PenStore *store = pen_store_open (path, &error);

  g_assert_no_error (error);
  return store;
}

void
store_fixture_change (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
  sqlite3_close (db);
}
