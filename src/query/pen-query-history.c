/* pen-query-history.c: every tenure and version of one byte
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <math.h>
#include <string.h>

#include "pen-band.h"
#include "pen-cause-finder.h"
#include "pen-sample-count.h"

/* A row while it is being made: how its samples are told from those of the others. */
typedef struct {
  PenHistoryRow *row;
  GArray *slots; /* Slot: the instructions of this version that contain the byte */
} Draft;

/* Samples of this version have this address and, at it, this revision. */
typedef struct {
  guint64 address;
  guint32 revision;
} Slot;

typedef struct {
  PenQuery *query;
  guint64 address;
  GArray *pokes; /* PenStoredPoke: those that cover the byte, in time order */
  PenAnnotator *annotator;
  GArray *drafts;
  PenBucketSet *set;
  PenBucketCount *counts; /* of the set's buckets, under the filter */
} HistoryBuild;

static void
history_build_clear (HistoryBuild *build)
{
  g_clear_pointer (&build->set, pen_bucket_set_free);
  g_clear_pointer (&build->counts, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HistoryBuild, history_build_clear)

static void
clear_poke (PenHistoryRow *row)
{
  g_clear_pointer (&row->reason, g_free);
  g_clear_pointer (&row->why, g_free);
  g_clear_pointer (&row->key, g_free);
  g_clear_pointer (&row->sentence, g_free);
  g_clear_pointer (&row->comm, g_free);
}

static void
free_row (gpointer data)
{
  PenHistoryRow *row = data;

  g_free (row->occupant);
  g_free (row->program);
  g_free (row->symbol);
  g_free (row->instruction);
  g_free (row->before_instruction);
  clear_poke (row);
  g_free (row);
}

static void
clear_draft (gpointer data)
{
  Draft *draft = data;

  g_clear_pointer (&draft->row, free_row);
  g_clear_pointer (&draft->slots, g_array_unref);
}

/* ---- rows ---- */

static Draft *
add_draft (HistoryBuild *build, const PenHolding *holding, PenMoment from)
{
  guint index = build->drafts->len;
  Draft *draft;
  PenHistoryRow *row;
  const PenTenure *tenure = &holding->tenure;
  const char *symbol;
  guint64 start;
  guint64 end;

  g_array_set_size (build->drafts, index + 1);
  draft = &g_array_index (build->drafts, Draft, index);
  draft->row = row = g_new0 (PenHistoryRow, 1);
  draft->slots = g_array_new (FALSE, FALSE, sizeof (Slot));

  row->from = from;
  row->to = holding->to;
  row->kind = tenure->kind;
  row->occupant = g_strdup (tenure->occupant);
  row->tenure = tenure->id;
  row->from_bound
      = pen_moment_compare (from, tenure->from) == 0 ? tenure->from_bound : PEN_BOUND_RECORDED;
  row->to_bound
      = pen_moment_compare (row->to, tenure->to) == 0 ? tenure->to_bound : PEN_BOUND_RECORDED;
  row->pid = row->tid = -1;
  row->cpu = G_MAXUINT32;
  row->evidence = tenure->evidence;
  if (pen_query_find_symbol (build->query, tenure, build->address, &symbol, &start, &end)) {
    row->symbol = g_strdup (symbol);
    row->offset = build->address - start;
  }
  return draft;
}

static gboolean
tell_batch (PenQuery *query, PenHistoryRow *row, GError **error)
{
  GError *failure = NULL;
  const PenBatch *batch = pen_query_get_batch (query, row->batch, &failure);

  if (failure != NULL) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  row->n_sites = batch != NULL ? batch->n_sites : 0;
  row->sentence = batch != NULL ? g_strdup (batch->sentence) : NULL;
  return TRUE;
}

static void
tell_poke (PenHistoryRow *row, const PenStoredPoke *stored)
{
  const PenPoke *poke = &stored->poke;

  row->poke = poke->id;
  row->cause = stored->cause;
  row->confidence = stored->confidence;
  row->reason = g_strdup (stored->reason);
  row->why = g_strdup (pen_cause_find_rule (stored->rule)->why);
  row->key = g_strdup (stored->key);
  row->batch = stored->batch;
  row->breaks_chain = stored->breaks_chain;
  row->pid = poke->pid;
  row->tid = poke->tid;
  row->cpu = poke->cpu;
  row->comm = g_strdup (poke->comm);
}

/* A row for the beginning of the tenure's turn, and one for each poke in it that changed the byte's
 * text. The revision counts on from an earlier turn of the same tenure. */
static void
add_versions (HistoryBuild *build, const PenHolding *holding)
{
  guint first = build->drafts->len;
  guint32 revision = 0;

  add_draft (build, holding, holding->from);
  for (guint i = 0; i < build->pokes->len; i++) {
    const PenStoredPoke *stored = &g_array_index (build->pokes, PenStoredPoke, i);
    const PenPoke *poke = &stored->poke;
    Draft *draft;

    if (poke->tenure != holding->tenure.id || poke->effect == PEN_POKE_SAME
        || pen_moment_compare (poke->moment, holding->to) >= 0)
      continue;
    revision += poke->effect == PEN_POKE_PATCH;
    draft = &g_array_index (build->drafts, Draft, build->drafts->len - 1);
    if (pen_moment_compare (poke->moment, holding->from) > 0) {
      draft->row->to = poke->moment;
      draft->row->to_bound = PEN_BOUND_RECORDED;
      draft = add_draft (build, holding, poke->moment);
    } else {
      clear_poke (draft->row);
    }
    tell_poke (draft->row, stored);
    draft->row->revision = revision;
  }
  for (guint i = first; i < build->drafts->len; i++) {
    PenHistoryRow *row = g_array_index (build->drafts, Draft, i).row;

    row->is_unverified = pen_query_is_unverified (&holding->tenure, row->to);
  }
}

/* ---- instructions ---- */

/* The range to decode, so that the instruction at the byte is found: its function's. */
static void
find_range (HistoryBuild *build, const PenTenure *tenure, guint64 *start, guint64 *end)
{
  const char *symbol;

  if (!pen_query_find_symbol (build->query, tenure, build->address, &symbol, start, end)) {
    *start = build->address;
    *end = tenure->end;
  }
  if (build->address - *start >= PEN_ANNOTATION_MAX / 2)
    *start = build->address;
  *end = MIN (*end, build->address + MIN (16, G_MAXUINT64 - build->address));
}

static gboolean
contains (const PenAnnotationLine *line, guint64 address)
{
  return !line->is_inside && line->n_bytes > 0 && line->address <= address
         && address - line->address < line->n_bytes;
}

static gboolean
overlaps (const PenAnnotationLine *line, const PenHistoryRow *row)
{
  return pen_moment_compare (line->from, row->to) < 0
         && pen_moment_compare (row->from, line->to) < 0;
}

/* The first instruction that contains the byte in this row's time is the one that is shown; samples
 * of those that other patches of the slot made of it count too. */
static void
tell_instruction (Draft *draft, const GPtrArray *lines, guint64 address)
{
  PenHistoryRow *row = draft->row;
  const PenAnnotationLine *shown = NULL;

  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = lines->pdata[i];
    Slot slot = { line->address, line->revision };

    if (!contains (line, address) || !overlaps (line, row))
      continue;
    g_array_append_val (draft->slots, slot);
    if (shown == NULL || pen_moment_compare (line->from, shown->from) < 0)
      shown = line;
  }
  if (shown == NULL) {
    Slot slot = { address, row->revision };

    row->instruction = g_strdup ("(bytes not recorded)");
    g_array_append_val (draft->slots, slot);
    return;
  }
  memcpy (row->bytes, shown->bytes, sizeof row->bytes);
  row->n_bytes = shown->n_bytes;
  row->instruction = shown->target != NULL
                         ? g_strdup_printf ("%s <%s>", shown->instruction, shown->target)
                         : g_strdup (shown->instruction);
  row->evidence = MIN (row->evidence, shown->evidence);
  row->bytes_source = shown->bytes_source;
}

static gboolean
tell_instructions (HistoryBuild *build, const PenHolding *holding, guint first, GError **error)
{
  g_autoptr (GArray) turns = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  g_autoptr (GPtrArray) lines = NULL;
  PenTenure turn = holding->tenure;
  guint64 start;
  guint64 end;

  turn.from = holding->from;
  turn.to = holding->to;
  g_array_append_val (turns, turn);
  find_range (build, &turn, &start, &end);
  if (build->annotator != NULL) {
    lines = pen_annotator_build (build->annotator, start, end, turns, buckets, error);
    if (lines == NULL)
      return FALSE;
  } else {
    lines = g_ptr_array_new ();
  }

  for (guint i = first; i < build->drafts->len; i++) {
    Draft *draft = &g_array_index (build->drafts, Draft, i);

    tell_instruction (draft, lines, build->address);
    if (i > first) {
      const PenHistoryRow *before = g_array_index (build->drafts, Draft, i - 1).row;

      memcpy (draft->row->before_bytes, before->bytes, sizeof before->bytes);
      draft->row->n_before_bytes = before->n_bytes;
      draft->row->before_instruction = g_strdup (before->instruction);
    }
  }
  return TRUE;
}

/* ---- samples ---- */

/* An instruction that contains a byte begins at most this many bytes before it. */
#define REACH 15u

static gboolean
is_near (const PenBucket *bucket, gpointer user_data)
{
  const HistoryBuild *build = user_data;

  return bucket->has_address && bucket->address <= build->address
         && build->address - bucket->address <= REACH;
}

static void
add_function (const PenFunction *function, gpointer user_data)
{
  if (function->samples > 0)
    g_array_append_val (user_data, function->id);
}

/* Buckets that may be of the byte. @kernel: it is in the kernel's space */
static gboolean
load_buckets (HistoryBuild *build, const PenMatcher *matcher, gboolean kernel, GError **error)
{
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint64 first = build->address - MIN (build->address, REACH);
  guint64 end = build->address < G_MAXUINT64 ? build->address + 1 : build->address;

  pen_query_foreach_function_in (build->query, first, end, add_function, functions);
  pen_query_foreach_unranged (build->query, kernel, add_function, functions);
  build->set = pen_bucket_set_new (build->query, functions, is_near, build, error);
  if (build->set != NULL)
    build->counts = pen_query_count_set (build->query, matcher, build->set, FALSE, error);
  return build->counts != NULL;
}

static PenHistoryRow *
get_row (const HistoryBuild *build, guint index)
{
  return g_array_index (build->drafts, Draft, index).row;
}

/* Rows that samples of a bucket may belong to; several where one revision of the slot spans several
 * rows. Returns: (element-type guint), or NULL for none */
static GArray *
find_candidates (const HistoryBuild *build, const PenBucket *bucket)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < build->drafts->len; i++) {
    const Draft *draft = &g_array_index (build->drafts, Draft, i);
    gboolean is_its = FALSE;

    for (guint j = 0; j < draft->slots->len && draft->row->tenure == bucket->tenure; j++) {
      const Slot *slot = &g_array_index (draft->slots, Slot, j);

      is_its |= slot->address == bucket->address && slot->revision == bucket->revision;
    }
    if (is_its)
      g_array_append_val (rows, i);
  }
  return rows->len > 0 ? g_steal_pointer (&rows) : NULL;
}

static void
add_to_row (PenHistoryRow *row, guint64 samples, guint64 period)
{
  row->samples += samples;
  row->period += period;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* When a candidate after the first of its bucket begins; each time once.
 * Returns: (element-type guint64) */
static GArray *
list_beginnings (const HistoryBuild *build, const GPtrArray *candidates)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (guint64));
  GArray *distinct = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < candidates->len; i++) {
    const GArray *rows = candidates->pdata[i];

    for (guint j = 1; j < rows->len; j++)
      g_array_append_val (times, get_row (build, g_array_index (rows, guint, j))->from.time);
  }
  g_array_sort (times, compare_times);
  for (guint i = 0; i < times->len; i++) {
    guint64 time = g_array_index (times, guint64, i);

    if (i == 0 || time != g_array_index (times, guint64, i - 1))
      g_array_append_val (distinct, time);
  }
  return distinct;
}

/* A sample is of the last of the rows that has begun by then, of the first one if none had. */
static PenHistoryRow *
choose_row (const HistoryBuild *build, const GArray *rows, guint64 time)
{
  PenHistoryRow *chosen = get_row (build, g_array_index (rows, guint, 0));

  for (guint i = 1; i < rows->len; i++) {
    PenHistoryRow *row = get_row (build, g_array_index (rows, guint, i));

    if (row->from.time <= time)
      chosen = row;
  }
  return chosen;
}

/* Samples of the buckets @indexes, each of which may belong to several rows: @candidates. They are
 * counted from each beginning of a row to the next. What is before all of them, and what has no
 * time, is of a bucket's first row. */
static gboolean
share_samples (const HistoryBuild *build, const PenMatcher *matcher, const GArray *indexes,
               const GPtrArray *candidates, GError **error)
{
  g_autoptr (GArray) times = list_beginnings (build, candidates);
  g_autoptr (PenBucketSet) set = pen_bucket_set_new_part (build->set, indexes);
  g_autofree PenBucketCount *counts = g_new (PenBucketCount, indexes->len + 1);

  for (guint i = 0; i < indexes->len; i++) {
    const PenBucketCount *all = &build->counts[g_array_index (indexes, guint, i)];

    add_to_row (choose_row (build, candidates->pdata[i], 0), all->samples, all->period);
  }
  for (guint t = 0; t < times->len; t++) {
    guint64 from = g_array_index (times, guint64, t);
    guint64 to = t + 1 < times->len ? g_array_index (times, guint64, t + 1) - 1 : G_MAXUINT64;

    memset (counts, 0, (indexes->len + 1) * sizeof *counts);
    if (!pen_query_add_set (build->query, matcher, set, from, to, counts, error))
      return FALSE;
    for (guint i = 0; i < indexes->len; i++) {
      add_to_row (choose_row (build, candidates->pdata[i], 0), -counts[i].samples,
                  -counts[i].period);
      add_to_row (choose_row (build, candidates->pdata[i], from), counts[i].samples,
                  counts[i].period);
    }
  }
  return TRUE;
}

static gboolean
count_samples (HistoryBuild *build, const PenMatcher *matcher, GError **error)
{
  g_autoptr (GArray) shared = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GPtrArray) candidates
      = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < build->set->buckets->len; i++) {
    const PenBucketCount *count = &build->counts[i];
    g_autoptr (GArray) rows = NULL;

    if (count->samples == 0)
      continue;
    rows = find_candidates (build, pen_bucket_set_get (build->set, i));
    if (rows != NULL && rows->len == 1) {
      add_to_row (get_row (build, g_array_index (rows, guint, 0)), count->samples, count->period);
    } else if (rows != NULL) {
      g_array_append_val (shared, i);
      g_ptr_array_add (candidates, g_steal_pointer (&rows));
    }
  }
  return shared->len == 0 || share_samples (build, matcher, shared, candidates, error);
}

/* ---- samples near a change ---- */

typedef struct {
  const HistoryBuild *build;
  GPtrArray *candidates; /* of each bucket of the set: GArray of row indexes, or NULL */
  guint64 band;
} NearCount;

static void
count_near (guint index, guint64 time, gpointer user_data)
{
  const NearCount *count = user_data;
  const GArray *rows = count->candidates->pdata[index];
  PenHistoryRow *row;

  if (rows == NULL)
    return;
  row = choose_row (count->build, rows, time);
  row->near_from += pen_band_is_after (row->from, time, count->band);
  row->near_to += pen_band_is_before (row->to, time, count->band);
}

static void
unref_rows (gpointer rows)
{
  if (rows != NULL)
    g_array_unref (rows);
}

static gboolean
count_bands (const HistoryBuild *build, const PenMatcher *matcher, guint64 band, GError **error)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (unref_rows);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint64));
  NearCount count = { build, candidates, band };

  for (guint i = 0; i < build->set->buckets->len; i++)
    g_ptr_array_add (candidates, find_candidates (build, pen_bucket_set_get (build->set, i)));
  for (guint i = 0; i < build->drafts->len; i++)
    pen_band_add_edges (edges, get_row (build, i)->from, get_row (build, i)->to);
  return pen_band_foreach (build->query, matcher, build->set, edges, band, count_near, &count,
                           error);
}

/* Samples that fell on the byte while nothing was known to hold it. */
static void
add_unheld (HistoryBuild *build)
{
  PenHolding nobody = { .tenure = { .kind = PEN_KIND_UNKNOWN,
                                    .from_bound = PEN_BOUND_INITIAL,
                                    .to_bound = PEN_BOUND_OPEN,
                                    .occupant = "",
                                    .to = PEN_MOMENT_END,
                                    .unverified_from = PEN_MOMENT_END },
                        .from = PEN_MOMENT_START,
                        .to = PEN_MOMENT_END };
  Draft *draft = NULL;

  for (guint i = 0; i < build->set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (build->set, i);

    if (build->counts[i].samples == 0 || bucket->tenure != 0 || bucket->address != build->address
        || bucket->kind != PEN_KIND_UNKNOWN)
      continue;
    if (draft == NULL) {
      draft = add_draft (build, &nobody, PEN_MOMENT_START);
      draft->row->instruction = g_strdup ("(nothing known here)");
      draft->row->evidence = PEN_EVIDENCE_UNKNOWN;
    }
    add_to_row (draft->row, build->counts[i].samples, build->counts[i].period);
  }
}

static void
compute_shares (HistoryBuild *build)
{
  guint64 total = 0;
  guint64 first = 0;
  guint64 last = 0;

  pen_query_get_time_range (build->query, &first, &last);
  for (guint i = 0; i < build->drafts->len; i++)
    total += g_array_index (build->drafts, Draft, i).row->samples;
  for (guint i = 0; i < build->drafts->len; i++) {
    PenHistoryRow *row = g_array_index (build->drafts, Draft, i).row;
    guint64 from = CLAMP (row->from.time, first, last);
    guint64 to = CLAMP (row->to.time, first, last);

    row->share = total > 0 ? (double) row->samples / (double) total : 0;
    row->rate = to > from ? (double) row->samples * 1e9 / (double) (to - from) : NAN;
  }
}

/* ---- the question ---- */

static GArray *
select_pokes (PenQuery *self, guint64 address, GError **error)
{
  return pen_store_load_pokes (self->store, address, address < G_MAXUINT64 ? address + 1 : address,
                               error);
}

static gboolean
tell_program (HistoryBuild *build, const PenHolding *holding, guint first, GError **error)
{
  GError *failure = NULL;
  g_autofree char *program = pen_query_describe_program (build->query, &holding->tenure, &failure);

  if (failure != NULL) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  for (guint i = first; i < build->drafts->len; i++)
    get_row (build, i)->program = g_strdup (program);
  return TRUE;
}

static gboolean
add_holdings (HistoryBuild *build, GArray *holdings, GError **error)
{
  for (guint i = 0; i < holdings->len; i++) {
    const PenHolding *holding = &g_array_index (holdings, PenHolding, i);
    guint first = build->drafts->len;

    add_versions (build, holding);
    if (!tell_program (build, holding, first, error))
      return FALSE;
    for (guint j = first; j < build->drafts->len; j++)
      if (!tell_batch (build->query, get_row (build, j), error))
        return FALSE;
    if (!tell_instructions (build, holding, first, error))
      return FALSE;
  }
  return TRUE;
}

/* Of a file's code, if the store has it. Returns: (transfer full) (nullable) */
static char *
find_file_instruction (HistoryBuild *build, const PenBucket *bucket)
{
  const PenFunction *function = pen_query_get_function (build->query, bucket->function);
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  g_autoptr (GPtrArray) lines = NULL;
  guint64 address;

  if (function == NULL || function->name_file == 0 || build->annotator == NULL
      || function->length > PEN_ANNOTATION_MAX)
    return NULL;

  address = bucket->address + pen_store_get_bias (build->query->store, function, bucket->tenure);
  lines = pen_query_build_file_lines (build->query, function, build->annotator->decoder, buckets,
                                      tenures, NULL);
  for (guint i = 0; lines != NULL && i < lines->len; i++) {
    const PenAnnotationLine *line = lines->pdata[i];

    if (address >= line->address && address - line->address < line->n_bytes)
      return g_strdup (line->instruction);
  }

  return NULL;
}

/* An address of processes: the tenures that samples at it name, each process image's own. */
static gboolean
add_process_tenures (HistoryBuild *build, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < build->set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (build->set, i);
    GError *failure = NULL;
    PenHolding holding;
    Draft *draft;
    Slot slot = { build->address, 0 };

    if (build->counts[i].samples == 0 || bucket->address != build->address || bucket->tenure == 0
        || !g_hash_table_add (seen, GUINT_TO_POINTER (bucket->tenure)))
      continue;
    if (!pen_store_load_tenure (build->query->store, bucket->tenure, &holding.tenure, &failure)) {
      if (failure != NULL) {
        g_propagate_error (error, failure);
        return FALSE;
      }
      continue;
    }
    holding.from = holding.tenure.from;
    holding.to = holding.tenure.to;
    draft = add_draft (build, &holding, holding.from);
    draft->row->instruction = find_file_instruction (build, bucket);
    if (draft->row->instruction == NULL)
      draft->row->instruction = g_strdup ("(bytes not recorded)");
    g_array_append_val (draft->slots, slot);
  }
  return TRUE;
}

static GPtrArray *
take_rows (HistoryBuild *build)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (free_row);

  for (guint i = 0; i < build->drafts->len; i++)
    g_ptr_array_add (rows, g_steal_pointer (&g_array_index (build->drafts, Draft, i).row));
  return rows;
}

GPtrArray *
pen_query_history (PenQuery *self, const PenFilter *filter, guint64 address, PenSyntax syntax,
                   GError **error)
{
  return pen_query_history_with_band (self, filter, address, syntax, PEN_BAND, error);
}

GPtrArray *
pen_query_history_with_band (PenQuery *self, const PenFilter *filter, guint64 address,
                             PenSyntax syntax, guint64 band, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GArray) holdings = NULL;
  g_autoptr (GArray) pokes = NULL;
  g_autoptr (GArray) drafts = g_array_new (FALSE, FALSE, sizeof (Draft));
  g_autoptr (PenAnnotator) annotator = NULL;

  g_array_set_clear_func (drafts, clear_draft);
  if (matcher == NULL)
    return NULL;
  holdings = pen_query_find_holdings (self, PEN_SPACE_KERNEL, address, error);
  pokes = holdings != NULL ? select_pokes (self, address, error) : NULL;
  if (pokes == NULL)
    return NULL;

  /* Of a machine whose instructions cannot be read, the tenures still can. */
  annotator = pen_annotator_new (self, syntax, NULL);

  g_auto (HistoryBuild) build = {
    .query = self, .address = address, .pokes = pokes, .annotator = annotator, .drafts = drafts
  };

  if (!load_buckets (&build, matcher, holdings->len > 0, error))
    return NULL;
  if (holdings->len > 0 ? !add_holdings (&build, holdings, error)
                        : !add_process_tenures (&build, error))
    return NULL;
  if (!count_samples (&build, matcher, error) || !count_bands (&build, matcher, band, error))
    return NULL;
  add_unheld (&build);
  compute_shares (&build);
  return take_rows (&build);
}
