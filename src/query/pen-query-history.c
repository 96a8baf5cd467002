/* pen-query-history.c: every tenure and version of one byte
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <math.h>
#include <string.h>

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
} HistoryBuild;

static void
free_row (gpointer data)
{
  PenHistoryRow *row = data;

  g_free (row->occupant);
  g_free (row->symbol);
  g_free (row->instruction);
  g_free (row->before_instruction);
  g_free (row->reason);
  g_free (row->comm);
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

static void
tell_poke (PenHistoryRow *row, const PenStoredPoke *stored)
{
  const PenPoke *poke = &stored->poke;

  row->poke = poke->id;
  row->cause = stored->cause;
  row->reason = g_strdup (stored->reason);
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
      g_clear_pointer (&draft->row->reason, g_free);
      g_clear_pointer (&draft->row->comm, g_free);
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

/* @candidates: (element-type guint): rows that samples of a bucket may belong to; several where one
 * revision of the slot spans several rows. */
typedef struct {
  HistoryBuild *build;
  GHashTable *candidates; /* bucket → GArray */
} Sharing;

static GArray *
find_candidates (HistoryBuild *build, const PenBucket *bucket)
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

static gboolean
share_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const PenSampleBlock *block = batch->block;
  Sharing *sharing = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint sample = batch->rows[i];
    GArray *candidates
        = g_hash_table_lookup (sharing->candidates, GUINT_TO_POINTER (block->bucket[sample] + 1));
    PenHistoryRow *chosen = NULL;

    for (guint j = 0; candidates != NULL && j < candidates->len; j++) {
      guint index = g_array_index (candidates, guint, j);
      PenHistoryRow *row = g_array_index (sharing->build->drafts, Draft, index).row;

      /* The last that has begun; the first one if none had. */
      if (chosen == NULL || row->from.time <= block->time[sample])
        chosen = row;
    }
    if (chosen != NULL) {
      chosen->samples++;
      if (block->has[sample] & PEN_SAMPLE_HAS_PERIOD)
        chosen->period += block->period[sample];
    }
  }
  return TRUE;
}

static gboolean
count_samples (HistoryBuild *build, const PenMatcher *matcher, const PenBucketCount *counts,
               GError **error)
{
  g_autoptr (GHashTable) shared
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  Sharing sharing = { build, shared };
  guint64 first = G_MAXUINT64;
  guint64 last = 0;

  for (guint i = 0; i < build->query->n_buckets; i++) {
    const PenBucket *bucket = &build->query->buckets[i];
    g_autoptr (GArray) candidates = NULL;

    /* An instruction that contains the byte begins at most 15 bytes before it. */
    if (counts[i].samples == 0 || !bucket->has_address || bucket->address > build->address
        || build->address - bucket->address > 15)
      continue;
    candidates = find_candidates (build, bucket);
    if (candidates == NULL)
      continue;
    if (candidates->len == 1) {
      guint index = g_array_index (candidates, guint, 0);
      PenHistoryRow *row = g_array_index (build->drafts, Draft, index).row;

      row->samples += counts[i].samples;
      row->period += counts[i].period;
    } else {
      g_hash_table_insert (shared, GUINT_TO_POINTER (i + 1), g_steal_pointer (&candidates));
      first = MIN (first, counts[i].first);
      last = MAX (last, counts[i].last);
    }
  }
  if (g_hash_table_size (shared) == 0)
    return TRUE;
  return pen_query_scan (build->query, matcher, first, last, FALSE, share_rows, &sharing, error);
}

/* Samples that fell on the byte while nothing was known to hold it. */
static void
add_unheld (HistoryBuild *build, const PenBucketCount *counts)
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

  for (guint i = 0; i < build->query->n_buckets; i++) {
    const PenBucket *bucket = &build->query->buckets[i];

    if (counts[i].samples == 0 || bucket->tenure != 0 || !bucket->has_address
        || bucket->address != build->address || bucket->kind != PEN_KIND_UNKNOWN)
      continue;
    if (draft == NULL) {
      draft = add_draft (build, &nobody, PEN_MOMENT_START);
      draft->row->instruction = g_strdup ("(nothing known here)");
      draft->row->evidence = PEN_EVIDENCE_UNKNOWN;
    }
    draft->row->samples += counts[i].samples;
    draft->row->period += counts[i].period;
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
add_holdings (HistoryBuild *build, GArray *holdings, GError **error)
{
  for (guint i = 0; i < holdings->len; i++) {
    const PenHolding *holding = &g_array_index (holdings, PenHolding, i);
    guint first = build->drafts->len;

    add_versions (build, holding);
    if (!tell_instructions (build, holding, first, error))
      return FALSE;
  }
  return TRUE;
}

/* An address of processes: the tenures that samples at it name, each process image's own. */
static gboolean
add_process_tenures (HistoryBuild *build, const PenBucketCount *counts, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < build->query->n_buckets; i++) {
    const PenBucket *bucket = &build->query->buckets[i];
    GError *failure = NULL;
    PenHolding holding;
    Draft *draft;
    Slot slot = { build->address, 0 };

    if (counts[i].samples == 0 || !bucket->has_address || bucket->address != build->address
        || bucket->tenure == 0 || !g_hash_table_add (seen, GUINT_TO_POINTER (bucket->tenure)))
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
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GArray) holdings = NULL;
  g_autoptr (GArray) pokes = NULL;
  g_autoptr (GArray) drafts = g_array_new (FALSE, FALSE, sizeof (Draft));
  g_autoptr (PenAnnotator) annotator = NULL;
  g_autofree PenBucketCount *counts = NULL;

  g_array_set_clear_func (drafts, clear_draft);
  if (matcher == NULL)
    return NULL;
  counts = pen_query_count_buckets (self, matcher, error);
  holdings
      = counts != NULL ? pen_query_find_holdings (self, PEN_SPACE_KERNEL, address, error) : NULL;
  pokes = holdings != NULL ? select_pokes (self, address, error) : NULL;
  if (pokes == NULL)
    return NULL;

  /* Of a machine whose instructions cannot be read, the tenures still can. */
  annotator = pen_annotator_new (self, syntax, NULL);

  HistoryBuild build = { self, address, pokes, annotator, drafts };

  if (holdings->len > 0 ? !add_holdings (&build, holdings, error)
                        : !add_process_tenures (&build, counts, error))
    return NULL;
  if (!count_samples (&build, matcher, counts, error))
    return NULL;
  add_unheld (&build, counts);
  compute_shares (&build);
  return take_rows (&build);
}
