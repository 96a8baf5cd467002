/* test-store.c: what is written is what is read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "store-fixture.h"

#include "pen-store-buckets.h"
#include "pen-store-changes.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-store-symbols.h"

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
  assert_same_moment (a->sure_from, b->sure_from);
  assert_same_moment (a->sure_to, b->sure_to);
  assert_same_moment (a->unverified_from, b->unverified_from);
  g_assert_cmpuint (a->code_end, ==, b->code_end);
  g_assert_cmpuint (a->samples, ==, b->samples);
}

static void
test_facts (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) counts = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GArray) losses = NULL;
  const PenStoreEvent *event;
  const PenStoreProblem *problem;
  const PenLoss *loss;

  store_fixture_write (fixture->path);
  g_assert_cmpuint (store_fixture_count_files (fixture->directory), ==, 1);
  g_assert_true (pen_store_is_store (fixture->path));
  store = store_fixture_open (fixture->path);

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
test_spaces (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) spaces = NULL;
  const PenSpace *space;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);
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
test_history (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) tenures = NULL;
  g_autoptr (GArray) found = NULL;
  g_autoptr (GArray) none = NULL;
  PenTenure tenure;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);

  tenures = pen_store_load_tenures (store, PEN_SPACE_KERNEL, 0, G_MAXUINT64, NULL);
  g_assert_cmpuint (tenures->len, ==, 2);
  assert_same_tenure (&g_array_index (tenures, PenTenure, 0), &store_fixture_kernel);
  assert_same_tenure (&g_array_index (tenures, PenTenure, 1), &store_fixture_program);

  none = pen_store_load_tenures (store, PEN_SPACE_KERNEL, store_fixture_program.end, G_MAXUINT64,
                                 NULL);
  g_assert_cmpuint (none->len, ==, 0);

  g_assert_true (pen_store_load_tenure (store, 3, &tenure, NULL));
  assert_same_tenure (&tenure, &store_fixture_dso);
  g_assert_false (pen_store_load_tenure (store, 4, &tenure, NULL));

  found = pen_store_load_parts (store, 1, 0x4000, 0x4001, NULL);
  g_assert_cmpuint (found->len, ==, 3);
  for (guint i = 0; i < 3; i++) {
    const PenPart *part = &g_array_index (found, PenPart, i);

    g_assert_cmpuint (part->start, ==, store_fixture_parts[i].start);
    g_assert_cmpuint (part->end, ==, store_fixture_parts[i].end);
    g_assert_cmpuint (part->file_offset, ==, store_fixture_parts[i].file_offset);
    assert_same_moment (part->from, store_fixture_parts[i].from);
    assert_same_moment (part->to, store_fixture_parts[i].to);
  }
}

/* A tenure without rows in `part` is its own only part. */
static void
test_whole_parts (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) found = NULL;
  const PenPart *part;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);
  found = pen_store_load_parts (store, PEN_SPACE_KERNEL, KERNEL, KERNEL + 1, NULL);

  g_assert_cmpuint (found->len, ==, 1);
  part = &g_array_index (found, PenPart, 0);
  g_assert_cmpuint (part->tenure, ==, 1);
  g_assert_cmpuint (part->start, ==, store_fixture_kernel.start);
  g_assert_cmpuint (part->end, ==, store_fixture_kernel.end);
  assert_same_moment (part->to, PEN_MOMENT_END);
}

static void
test_batches (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  const PenBatch *expected = &store_fixture_batch;
  const PenBatch *batch;
  guint n;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);
  batch = pen_store_get_batches (store, &n, NULL);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (batch->id, ==, 1);
  g_assert_cmpuint (batch->first_poke, ==, expected->first_poke);
  g_assert_cmpuint (batch->last_poke, ==, expected->last_poke);
  g_assert_cmpuint (batch->from, ==, expected->from);
  g_assert_cmpuint (batch->to, ==, expected->to);
  g_assert_cmpint (batch->cause, ==, expected->cause);
  g_assert_cmpint (batch->confidence, ==, expected->confidence);
  g_assert_cmpint (batch->effect, ==, expected->effect);
  g_assert_cmpuint (batch->n_sites, ==, expected->n_sites);
  g_assert_cmpstr (batch->key, ==, expected->key);
  g_assert_cmpint (batch->action, ==, expected->action);
  g_assert_cmpuint (batch->n_jumps, ==, expected->n_jumps);
  g_assert_cmpstr (batch->site, ==, expected->site);
  g_assert_cmpstr (batch->target, ==, expected->target);
  g_assert_cmpuint (batch->cpu, ==, expected->cpu);
  g_assert_cmpint (batch->pid, ==, expected->pid);
  g_assert_cmpint (batch->tid, ==, expected->tid);
  g_assert_cmpstr (batch->comm, ==, expected->comm);
  g_assert_true (pen_store_get_batches (store, &n, NULL) == batch);
}

static void
test_pokes (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
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
  const PenPoke *stored;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GArray) found = pen_store_load_pokes (store, cases[i].start, cases[i].end, NULL);

    g_assert_cmpuint (found->len, ==, cases[i].n);
  }

  pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
  stored = &g_array_index (pokes, PenPoke, 0);
  g_assert_cmpuint (stored->id, ==, 1);
  assert_same_moment (stored->moment, store_fixture_poke.moment);
  g_assert_cmpmem (stored->old_bytes, stored->old_length, store_fixture_poke.old_bytes, 5);
  g_assert_cmpmem (stored->new_bytes, stored->new_length, store_fixture_poke.new_bytes, 2);
  g_assert_cmpint (stored->effect, ==, PEN_POKE_PATCH);
  g_assert_cmpuint (stored->tenure, ==, 1);
  g_assert_cmpuint (stored->revision, ==, 1);
  g_assert_cmpint (stored->pid, ==, 42);
  g_assert_cmpint (stored->tid, ==, 43);
  g_assert_cmpuint (stored->cpu, ==, 3);
  g_assert_cmpstr (stored->comm, ==, "sh");
  g_assert_cmpint (stored->cause, ==, PEN_CAUSE_KPROBE);
  g_assert_cmpstr (stored->site, ==, "vfs_read");
  g_assert_true (stored->is_at_entry);
  g_assert_cmpint (stored->before.form, ==, PEN_FORM_CALL);
  g_assert_cmpstr (stored->before.target, ==, "ftrace_caller");
  g_assert_cmpint (stored->after.form, ==, PEN_FORM_BREAKPOINT);
  g_assert_null (stored->after.target);
  g_assert_true (stored->breaks_chain);

  ticks = pen_store_load_poke_ticks (store, NULL);
  g_assert_cmpuint (ticks->len, ==, 1);
  g_assert_cmpuint (g_array_index (ticks, PenPokeTick, 0).time, ==, 800);
  g_assert_cmpuint (g_array_index (ticks, PenPokeTick, 0).batch, ==, 1);
  g_assert_cmpuint (g_array_index (ticks, PenPokeTick, 0).n_sites, ==, 17);
  g_assert_cmpint (g_array_index (ticks, PenPokeTick, 0).confidence, ==, PEN_CONFIDENCE_LIKELY);
  g_assert_cmpint (stored->confidence, ==, PEN_CONFIDENCE_LIKELY);
  g_assert_cmpstr (stored->rule, ==, "breakpoint");
  g_assert_cmpstr (stored->key, ==, "a key");
  g_assert_cmpuint (stored->batch, ==, 1);
  g_assert_cmpuint (stored->break_loss, ==, 1);
}

static void
test_text (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);

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
test_symbols (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  const char *name;
  guint64 start;
  guint64 end;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);

  g_assert_true (pen_store_find_symbol (store, store_fixture_kernel.occupant, KERNEL + 0x3f, &name,
                                        &start, &end));
  g_assert_cmpstr (name, ==, "vfs_read");
  g_assert_cmpuint (start, ==, KERNEL);
  g_assert_cmpuint (end, ==, KERNEL + 0x40);
  g_assert_true (pen_store_find_symbol (store, store_fixture_kernel.occupant, KERNEL + 0x40, &name,
                                        &start, &end));
  g_assert_cmpstr (name, ==, "vfs_write");
  g_assert_false (pen_store_find_symbol (store, store_fixture_kernel.occupant, KERNEL + 0x80, &name,
                                         &start, &end));
  g_assert_false (pen_store_find_symbol (store, store_fixture_kernel.occupant, KERNEL - 1, &name,
                                         &start, &end));
  g_assert_false (pen_store_find_symbol (store, "[ext4]", KERNEL, &name, &start, &end));
}

static gboolean
take_change (const PenChange *change, gpointer user_data)
{
  GString *seen = user_data;

  g_string_append_printf (seen, "%s %s %s %s+%" G_GINT64_MODIFIER "x %s %u %s\n", change->change,
                          pen_kind_to_string (change->kind), change->occupant,
                          change->symbol ? change->symbol : "-", change->offset,
                          change->poke != 0 ? pen_cause_to_string (change->cause) : "-",
                          change->tenure, change->comm);
  return seen->len < 10000;
}

static void
test_changes (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  GError *error = NULL;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);
  g_assert_true (pen_store_foreach_change (store, take_change, seen, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (seen->str, ==,
                   "map kernel [kernel.kallsyms] -+0 - 1 \n"
                   "register bpf bpf_prog_0011223344556677_x bpf_prog_0011223344556677_x+0 - 2 "
                   "bpftool\n"
                   "poke kernel [kernel.kallsyms] vfs_read+10 kprobe 1 sh\n");
}

static void
test_samples (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  const PenBlockInfo *infos;
  const PenBucket *buckets;
  const PenThread *threads;
  const PenFunction *functions;
  guint n;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/store/" name, StoreFixture, NULL, store_fixture_set_up, func,                      \
              store_fixture_tear_down)

  ADD ("facts", test_facts);
  ADD ("spaces", test_spaces);
  ADD ("history", test_history);
  ADD ("whole-parts", test_whole_parts);
  ADD ("pokes", test_pokes);
  ADD ("batches", test_batches);
  ADD ("text", test_text);
  ADD ("symbols", test_symbols);
  ADD ("changes", test_changes);
  ADD ("samples", test_samples);
  return g_test_run ();
}
