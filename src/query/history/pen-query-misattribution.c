/* pen-query-misattribution.c: samples that perf annotate shows on text that was not there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-misattribution.h"

#include <string.h>

#include "pen-query-cells.h"
#include "pen-query-private.h"
#include "pen-sample-count.h"
#include "pen-store-programs.h"
#include "pen-table-hash.h"
#include "pen-text-stretches.h"

static const char *const reason_words[PEN_MISATTRIBUTIONS] = {
  [PEN_MISATTRIBUTION_PATCHED] = "patched",
  [PEN_MISATTRIBUTION_PART] = "other part",
  [PEN_MISATTRIBUTION_NO_TEXT] = "no text",
};

void
pen_misattribution_free (PenMisattribution *self)
{
  g_array_unref (self->rows);
  g_free (self);
}

/* One function at a time. */
typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  GHashTable *programs; /* tenure → PenStoredBpfFunction */
  PenMisattribution *result;
  PenBucketSet *set;
  PenBucketCount *counts; /* of the set's buckets, under the filter */
  GArray *pokes;
  GHashTable *first; /* tenure → the first of the set's buckets in it, plus 1 */
  guint *next;       /* of each bucket: the next of its tenure, plus 1; 0: there is none */
  PenMisattributionRow row;
} Build;

static void
build_clear (Build *build)
{
  g_clear_pointer (&build->set, pen_bucket_set_free);
  g_clear_pointer (&build->counts, g_free);
  g_clear_pointer (&build->pokes, g_array_unref);
  g_clear_pointer (&build->programs, g_hash_table_unref);
  g_clear_pointer (&build->first, g_hash_table_unref);
  g_free (build->next);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Build, build_clear)

/* ---- samples in stretches ---- */

/* Index of the stretch that holds all of [@first, @last], or −1; @any: (out): whether one holds a
 * part of it */
static int
find_stretch (const GArray *stretches, guint64 first, guint64 last, gboolean *any)
{
  *any = FALSE;
  for (guint i = 0; i + 1 < stretches->len; i += 2) {
    guint64 from = g_array_index (stretches, guint64, i);
    guint64 to = g_array_index (stretches, guint64, i + 1);

    if (last < from)
      return -1;
    if (first >= from && last < to)
      return (int) i;
    *any |= first < to;
  }
  return -1;
}

/* Buckets that have samples on both sides of an edge. */
static gboolean
count_parts (Build *build, const GArray *indexes, const GArray *stretches, GError **error)
{
  g_autoptr (PenBucketSet) part = pen_bucket_set_new_part (build->set, indexes);
  g_autofree PenBucketCount *counts = g_new0 (PenBucketCount, indexes->len + 1);

  for (guint i = 0; i + 1 < stretches->len; i += 2) {
    guint64 from = g_array_index (stretches, guint64, i);
    guint64 to = g_array_index (stretches, guint64, i + 1);

    if (!pen_query_add_set (build->query, build->matcher, part, from, to - 1, counts, error))
      return FALSE;
  }
  for (guint i = 0; i < indexes->len; i++)
    build->row.samples += counts[i].samples;
  return TRUE;
}

/* The first bucket of a tenure, plus 1. */
static guint
get_first (const Build *build, guint32 tenure)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (build->first, GUINT_TO_POINTER (tenure)));
}

static gboolean
count_tenure (Build *build, guint32 tenure, GError **error)
{
  g_autoptr (PenTextStretches) text = pen_text_stretches_new (build->pokes, tenure);
  g_autoptr (GArray) cut = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint n = get_first (build, tenure); n > 0 && text->stretches->len > 0;
       n = build->next[n - 1]) {
    guint i = n - 1;
    const PenBucket *bucket = pen_bucket_set_get (build->set, i);
    guint64 samples = build->counts[i].samples;
    gboolean any;

    if (samples == 0)
      continue;
    if (pen_text_stretches_differs (text, bucket->address, bucket->revision))
      build->row.on_changed += samples;
    if (find_stretch (text->stretches, bucket->first, bucket->last, &any) >= 0)
      build->row.samples += samples;
    else if (any)
      g_array_append_val (cut, i);
  }
  build->row.n_stretches += text->stretches->len / 2;
  return cut->len == 0 || count_parts (build, cut, text->stretches, error);
}

/* Samples of one tenure, all of them. */
static guint64
sum_tenure (const Build *build, guint32 tenure)
{
  guint64 sum = 0;

  for (guint n = get_first (build, tenure); n > 0; n = build->next[n - 1])
    sum += build->counts[n - 1].samples;
  return sum;
}

/* ---- one function ---- */

static void
add_row (Build *build, PenMisattributionReason reason)
{
  PenMisattributionRow *row = &build->row;

  row->reason = reason;
  if (row->samples == 0)
    return;
  g_array_append_val (build->result->rows, *row);
  if (reason == PEN_MISATTRIBUTION_NO_TEXT)
    build->result->no_text += row->samples;
  else
    build->result->samples += row->samples;
  build->result->on_changed += row->on_changed;
}

static gboolean
load (Build *build, guint32 function, GError **error)
{
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_clear_pointer (&build->set, pen_bucket_set_free);
  g_clear_pointer (&build->counts, g_free);
  g_clear_pointer (&build->pokes, g_array_unref);
  g_array_append_val (functions, function);
  build->set = pen_bucket_set_new (build->query, functions, NULL, NULL, error);
  if (!build->set)
    return FALSE;
  build->counts = pen_query_count_set (build->query, build->matcher, build->set, FALSE, error);
  if (!build->counts)
    return FALSE;
  return TRUE;
}

/* Most programs need none; and they may lie over each other, with all their pokes. */
static gboolean
need_pokes (Build *build, GError **error)
{
  if (!build->pokes)
    build->pokes
        = pen_store_load_pokes (build->query->store, build->row.function.start,
                                build->row.function.start + build->row.function.length, error);
  return build->pokes != NULL;
}

/* Tenures of the function's buckets, each once. Links the buckets of each. */
static GArray *
list_tenures (Build *build)
{
  GArray *tenures = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_direct_hash, NULL);

  g_hash_table_remove_all (build->first);
  build->next = g_renew (guint, build->next, MAX (build->set->buckets->len, 1));
  for (guint i = build->set->buckets->len; i-- > 0;) {
    gpointer tenure = GUINT_TO_POINTER (pen_bucket_set_get (build->set, i)->tenure);

    build->next[i] = GPOINTER_TO_UINT (g_hash_table_lookup (build->first, tenure));
    g_hash_table_insert (build->first, tenure, GUINT_TO_POINTER (i + 1));
  }
  for (guint i = 0; i < build->set->buckets->len; i++) {
    guint32 tenure = pen_bucket_set_get (build->set, i)->tenure;

    if (tenure != 0 && g_hash_table_add (seen, GUINT_TO_POINTER (tenure)))
      g_array_append_val (tenures, tenure);
  }
  return tenures;
}

/* The text that perf shows for a program: the image of its first function, if it has one. */
static gboolean
find_program_reason (const Build *build, guint32 tenure, PenMisattributionReason *reason)
{
  const PenStoredBpfFunction *program
      = g_hash_table_lookup (build->programs, GUINT_TO_POINTER (tenure));

  *reason = PEN_MISATTRIBUTION_NO_TEXT;
  if (!program || !program->bytes)
    return TRUE;
  *reason = PEN_MISATTRIBUTION_PART;
  return program->number > 0;
}

static gboolean
judge_patched (Build *build, GError **error)
{
  g_autoptr (GArray) tenures = list_tenures (build);
  PenMisattributionRow wrong[PEN_MISATTRIBUTIONS] = { 0 };

  for (guint i = 0; i < tenures->len; i++) {
    guint32 tenure = g_array_index (tenures, guint32, i);
    PenMisattributionReason reason;

    if (build->row.function.kind == PEN_KIND_BPF && find_program_reason (build, tenure, &reason)) {
      wrong[reason].samples += sum_tenure (build, tenure);
      wrong[reason].n_stretches++;
    } else if (!need_pokes (build, error) || !count_tenure (build, tenure, error)) {
      return FALSE;
    }
  }
  add_row (build, PEN_MISATTRIBUTION_PATCHED);
  for (guint i = PEN_MISATTRIBUTION_PART; i < PEN_MISATTRIBUTIONS; i++) {
    wrong[i].function = build->row.function;
    build->row = wrong[i];
    add_row (build, (PenMisattributionReason) i);
  }
  return TRUE;
}

static gboolean
judge_function (Build *build, const PenFunction *function, const PenFunctionCount *count,
                GError **error)
{
  build->row = (PenMisattributionRow){ .function = *function };
  build->row.function.samples = count->samples;
  build->row.function.period = count->period;
  build->result->kernel_samples += count->samples;
  if (function->kind == PEN_KIND_STUB) {
    build->row.samples = count->samples;
    build->row.n_stretches = 1;
    add_row (build, PEN_MISATTRIBUTION_NO_TEXT);
    return TRUE;
  }
  if (function->length == 0 || (function->pokes == 0 && function->kind != PEN_KIND_BPF))
    return TRUE;
  return load (build, function->id, error) && judge_patched (build, error);
}

/* ---- all ---- */

static GHashTable *
load_programs (PenQuery *self, GError **error)
{
  g_autoptr (GArray) functions = pen_store_load_bpf_functions (self->store, error);
  GHashTable *programs;

  if (!functions)
    return NULL;
  programs = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  for (guint i = 0; i < functions->len; i++) {
    const PenStoredBpfFunction *function = &g_array_index (functions, PenStoredBpfFunction, i);

    if (function->tenure != 0)
      g_hash_table_insert (programs, GUINT_TO_POINTER (function->tenure),
                           g_memdup2 (function, sizeof *function));
  }
  return programs;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const PenMisattributionRow *x = a;
  const PenMisattributionRow *y = b;

  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  return x->function.id < y->function.id ? -1 : x->function.id > y->function.id;
}

gboolean
pen_query_knows_patches (PenQuery *self)
{
  return pen_store_get_fact_int (self->store, "text_pokes_recorded", 1) != 0;
}

PenMisattribution *
pen_query_misattribution (PenQuery *self, const PenFilter *filter, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autofree PenFunctionCount *counts = NULL;
  g_autoptr (PenMisattribution) result = NULL;
  g_auto (Build) build = { .query = self, .matcher = matcher };

  if (!matcher)
    return NULL;
  counts = pen_query_count_functions (self, matcher, error);
  build.programs = counts ? load_programs (self, error) : NULL;
  if (!build.programs)
    return NULL;
  build.first = g_hash_table_new (pen_direct_hash, NULL);
  result = g_new0 (PenMisattribution, 1);
  result->is_known = pen_query_knows_patches (self);
  build.result = result;
  result->rows = g_array_new (FALSE, FALSE, sizeof (PenMisattributionRow));
  for (guint i = 0; i < self->n_functions; i++) {
    if (counts[i].samples > 0 && pen_query_is_kernel_kind (self->functions[i].kind)
        && !judge_function (&build, &self->functions[i], &counts[i], error))
      return NULL;
  }
  g_array_sort (result->rows, compare_rows);
  return g_steal_pointer (&result);
}

/* ---- the table ---- */

static const PenColumn columns[] = {
  { "symbol", PEN_COLUMN_TEXT },          { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },        { "start", PEN_COLUMN_HEX },
  { "length", PEN_COLUMN_NUMBER },        { "samples", PEN_COLUMN_NUMBER },
  { "misattributed", PEN_COLUMN_NUMBER }, { "on_changed", PEN_COLUMN_NUMBER },
  { "share", PEN_COLUMN_NUMBER },         { "stretches", PEN_COLUMN_NUMBER },
  { "reason", PEN_COLUMN_TEXT },
};

static void
write_row (PenTableWriter *writer, const PenMisattribution *all, const PenMisattributionRow *row)
{
  const PenFunction *function = &row->function;

  pen_query_write_text_or_empty (writer, function->symbol);
  pen_query_write_occupant (writer, function->kind, function->occupant);
  pen_table_writer_hex (writer, function->start);
  pen_table_writer_unsigned (writer, function->length);
  pen_table_writer_unsigned (writer, function->samples);
  pen_table_writer_unsigned (writer, row->samples);
  pen_table_writer_unsigned (writer, row->on_changed);
  pen_table_writer_real (writer, (double) row->samples / (double) MAX (all->kernel_samples, 1), 6);
  pen_table_writer_unsigned (writer, row->n_stretches);
  pen_table_writer_text (writer, reason_words[row->reason]);
}

gboolean
pen_query_write_misattribution (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                GError **error)
{
  g_autoptr (PenMisattribution) all = pen_query_misattribution (self, filter, error);

  if (!all)
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < all->rows->len; i++) {
    write_row (writer, all, &g_array_index (all->rows, PenMisattributionRow, i));
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
