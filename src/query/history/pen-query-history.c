/* pen-query-history.c: every tenure and version of one byte
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <math.h>
#include <string.h>

#include "pen-band.h"
#include "pen-cause-finder.h"
#include "pen-history-build.h"
#include "pen-poke-phrases.h"
#include "pen-query-cells.h"
#include "pen-query-change-list.h"
#include "pen-query-file-text.h"
#include "pen-query-holdings.h"
#include "pen-query-occupants.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"
#include "pen-unknown-text.h"

static void
free_row (gpointer data)
{
  PenHistoryRow *row = data;

  g_free (row->occupant);
  g_free (row->program);
  g_free (row->symbol);
  g_free (row->instruction);
  g_free (row->before_instruction);
  g_free (row->reason);
  g_free (row->why);
  g_free (row->key);
  g_free (row->sentence);
  g_free (row->comm);
  g_free (row);
}

static void
clear_draft (gpointer data)
{
  PenHistoryDraft *draft = data;

  g_clear_pointer (&draft->row, free_row);
  g_clear_pointer (&draft->slots, g_array_unref);
}

/* ---- rows ---- */

static PenHistoryDraft *
add_draft (PenHistoryBuild *build, const PenHolding *holding, PenMoment from)
{
  guint index = build->drafts->len;
  PenHistoryDraft *draft;
  PenHistoryRow *row;
  const PenTenure *tenure = &holding->tenure;
  const char *symbol;
  guint64 start;
  guint64 end;

  g_array_set_size (build->drafts, index + 1);
  draft = &g_array_index (build->drafts, PenHistoryDraft, index);
  draft->row = row = g_new0 (PenHistoryRow, 1);
  draft->slots = g_array_new (FALSE, FALSE, sizeof (PenHistorySlot));

  row->from = from;
  row->to = holding->to;
  row->kind = tenure->kind;
  row->occupant = g_strdup (tenure->occupant);
  row->tenure = tenure->id;
  row->bpf_id = tenure->bpf_id;
  row->from_bound
      = pen_moment_compare (from, tenure->from) == 0 ? tenure->from_bound : PEN_BOUND_RECORDED;
  row->to_bound
      = pen_moment_compare (row->to, tenure->to) == 0 ? tenure->to_bound : PEN_BOUND_RECORDED;
  row->pid = row->tid = -1;
  row->cpu = G_MAXUINT32;
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

  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  row->n_sites = batch ? batch->n_sites : 0;
  row->sentence = batch ? pen_batch_describe (batch) : NULL;
  return pen_query_find_patch_path (query, row->batch, &row->path, error);
}

static void
tell_poke (PenHistoryRow *row, const PenPoke *poke)
{
  row->poke = poke->id;
  row->cause = poke->cause;
  row->confidence = poke->confidence;
  row->reason = pen_poke_describe (poke);
  row->why = pen_cause_explain (poke->rule, poke->confidence);
  row->key = g_strdup (poke->key);
  row->batch = poke->batch;
  row->breaks_chain = poke->breaks_chain;
  row->is_changed_early = poke->is_changed_early;
  row->pid = poke->pid;
  row->tid = poke->tid;
  row->cpu = poke->cpu;
  row->comm = g_strdup (poke->comm);
}

/* Lines that have the byte, as time goes on. */
typedef struct {
  GPtrArray *lines; /* by their beginnings; NULL until asked for */
  guint next;
  GPtrArray *live; /* those that began and may not have ended: a few */
} Stream;

static void
stream_clear (Stream *stream)
{
  g_clear_pointer (&stream->lines, g_ptr_array_unref);
  g_clear_pointer (&stream->live, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stream, stream_clear)

/*
 * One tenure whose text of the byte was patched, as its turns go on
 * @pokes: those that changed it, in time order
 * @next: the first after the turns so far
 * @revision: after those before it
 * @stream: of all of its time
 */
typedef struct {
  GPtrArray *pokes;
  guint next;
  guint32 revision;
  Stream stream;
} PatchedTenure;

static void
free_patched (gpointer data)
{
  PatchedTenure *self = data;

  g_ptr_array_unref (self->pokes);
  stream_clear (&self->stream);
  g_free (self);
}

/* Tenure → PatchedTenure. */
static GHashTable *
group_pokes (const GArray *pokes)
{
  GHashTable *groups = g_hash_table_new_full (pen_direct_hash, NULL, NULL, free_patched);

  for (guint i = 0; i < pokes->len; i++) {
    PenPoke *poke = &g_array_index (pokes, PenPoke, i);
    PatchedTenure *group = g_hash_table_lookup (groups, GUINT_TO_POINTER (poke->tenure));

    if (poke->effect == PEN_POKE_SAME)
      continue;
    if (!group) {
      group = g_new0 (PatchedTenure, 1);
      group->pokes = g_ptr_array_new ();
      g_hash_table_insert (groups, GUINT_TO_POINTER (poke->tenure), group);
    }
    g_ptr_array_add (group->pokes, poke);
  }
  return groups;
}

static gboolean
add_patched (PenHistoryBuild *build, const PenHolding *holding, PatchedTenure *patched,
             GError **error)
{
  for (; patched->next < patched->pokes->len; patched->next++) {
    const PenPoke *poke = patched->pokes->pdata[patched->next];
    PenHistoryDraft *draft
        = &g_array_index (build->drafts, PenHistoryDraft, build->drafts->len - 1);

    if (pen_moment_compare (poke->moment, holding->to) >= 0)
      break;
    if (!pen_store_steps_on (build->query->store, patched->next, error))
      return FALSE;
    patched->revision += poke->effect == PEN_POKE_PATCH;
    draft->row->to = poke->moment;
    draft->row->to_bound = PEN_BOUND_RECORDED;
    draft = add_draft (build, holding, poke->moment);
    tell_poke (draft->row, poke);
    draft->row->revision = patched->revision;
  }
  return TRUE;
}

/* The last poke before the turn brought what stands at its beginning. */
static void
add_first (PenHistoryBuild *build, const PenHolding *holding, PatchedTenure *patched)
{
  PenHistoryRow *row = add_draft (build, holding, holding->from)->row;

  while (patched && patched->next < patched->pokes->len) {
    const PenPoke *poke = patched->pokes->pdata[patched->next];

    if (pen_moment_compare (poke->moment, holding->from) > 0
        || pen_moment_compare (poke->moment, holding->to) >= 0)
      break;
    patched->revision += poke->effect == PEN_POKE_PATCH;
    patched->next++;
  }
  if (patched && patched->next > 0)
    tell_poke (row, patched->pokes->pdata[patched->next - 1]);
  row->revision = patched ? patched->revision : 0;
}

/* A row for the beginning of the tenure's turn, and one for each poke in it that changed the byte's
 * text. The revision counts on from an earlier turn of the same tenure: turns come in time order.
 * @patched: (nullable) */
static gboolean
add_versions (PenHistoryBuild *build, const PenHolding *holding, PatchedTenure *patched,
              GError **error)
{
  guint first = build->drafts->len;

  add_first (build, holding, patched);
  if (patched && !add_patched (build, holding, patched, error))
    return FALSE;
  for (guint i = first; i < build->drafts->len; i++) {
    PenHistoryRow *row = g_array_index (build->drafts, PenHistoryDraft, i).row;

    row->evidence = pen_query_get_evidence (build->query, &holding->tenure, build->address,
                                            row->from, row->to);
    row->is_unverified = pen_query_is_unverified (&holding->tenure, row->to);
  }
  return TRUE;
}

/* ---- instructions ---- */

static gboolean
overlaps (const PenAnnotationLine *line, const PenHistoryRow *row)
{
  return pen_moment_compare (line->from, row->to) < 0
         && pen_moment_compare (row->from, line->to) < 0;
}

static int
compare_beginnings (gconstpointer a, gconstpointer b)
{
  const PenAnnotationLine *x = *(const PenAnnotationLine *const *) a;
  const PenAnnotationLine *y = *(const PenAnnotationLine *const *) b;
  int order = pen_moment_compare (x->from, y->from);

  if (order != 0)
    return order;
  return x->address < y->address ? -1 : x->address > y->address;
}

/* @lines: (transfer full) */
static void
stream_init (Stream *stream, GPtrArray *lines)
{
  stream->lines = lines;
  stream->live = g_ptr_array_new ();
  stream->next = 0;
  g_ptr_array_sort (stream->lines, compare_beginnings);
}

/* Rows have to come in the order of time. */
static void
stream_advance (Stream *stream, const PenHistoryRow *row)
{
  for (guint i = stream->live->len; i > 0; i--) {
    if (pen_moment_compare (((PenAnnotationLine *) stream->live->pdata[i - 1])->to, row->from) <= 0)
      g_ptr_array_remove_index (stream->live, i - 1);
  }
  for (; stream->next < stream->lines->len; stream->next++) {
    PenAnnotationLine *line = stream->lines->pdata[stream->next];

    if (pen_moment_compare (line->from, row->to) >= 0)
      break;
    g_ptr_array_add (stream->live, line);
  }
}

/* A turn that is not the first of its tenure begins after the text of its line: what stands at the
 * target by then may be another one. Returns: (transfer full) (nullable) */
static char *
name_target (PenHistoryBuild *build, const PenAnnotationLine *line, const PenHistoryRow *row)
{
  return line->has_target && pen_moment_compare (line->from, row->from) < 0
             ? pen_annotator_name_target (build->annotator, line->target_address, row->from)
             : g_strdup (line->target);
}

/* The first instruction that contains the byte in this row's time is the one that is shown; samples
 * of those that other patches of the slot made of it count too. */
static void
tell_instruction (PenHistoryBuild *build, PenHistoryDraft *draft, Stream *stream)
{
  PenHistoryRow *row = draft->row;
  const PenAnnotationLine *shown = NULL;
  g_autofree char *target = NULL;

  stream_advance (stream, row);
  for (guint i = 0; i < stream->live->len; i++) {
    const PenAnnotationLine *line = stream->live->pdata[i];
    PenHistorySlot slot = { line->address, line->revision };

    if (!overlaps (line, row))
      continue;
    g_array_append_val (draft->slots, slot);
    if (!shown)
      shown = line;
  }
  if (!shown) {
    PenHistorySlot slot = { build->address, row->revision };

    row->instruction = g_strdup (PEN_UNKNOWN_TEXT_NOT_RECORDED);
    g_array_append_val (draft->slots, slot);
    return;
  }
  memcpy (row->bytes, shown->bytes, sizeof row->bytes);
  row->n_bytes = shown->n_bytes;
  target = name_target (build, shown, row);
  row->instruction = target ? g_strdup_printf ("%s <%s>", shown->instruction, target)
                            : g_strdup (shown->instruction);
  row->evidence = MIN (row->evidence, shown->evidence);
  row->bytes_source = shown->bytes_source;
}

static gboolean
load_stream (PenHistoryBuild *build, const PenTenure *turn, Stream *stream, GError **error)
{
  GPtrArray *lines = build->annotator
                         ? pen_annotator_build_byte (build->annotator, turn, build->address, error)
                         : g_ptr_array_new ();

  if (lines)
    stream_init (stream, lines);
  return lines != NULL;
}

/* @patched: (nullable) */
static gboolean
tell_instructions (PenHistoryBuild *build, const PenHolding *holding, PatchedTenure *patched,
                   guint first, GError **error)
{
  g_auto (Stream) own = { 0 };
  Stream *stream = patched ? &patched->stream : &own;
  PenTenure turn = holding->tenure;

  /* All pokes of a tenure are decoded once, however many turns it has. */
  if (!patched) {
    turn.from = holding->from;
    turn.to = holding->to;
  }
  if (!stream->lines && !load_stream (build, &turn, stream, error))
    return FALSE;
  for (guint i = first; i < build->drafts->len; i++) {
    PenHistoryDraft *draft = &g_array_index (build->drafts, PenHistoryDraft, i);

    tell_instruction (build, draft, stream);
    draft->row->bytes_source = pen_query_get_source (
        &holding->tenure, build->address, draft->row->evidence, draft->row->bytes_source);
    if (i > first) {
      const PenHistoryRow *before = g_array_index (build->drafts, PenHistoryDraft, i - 1).row;

      memcpy (draft->row->before_bytes, before->bytes, sizeof before->bytes);
      draft->row->n_before_bytes = before->n_bytes;
      draft->row->before_instruction = g_strdup (before->instruction);
    }
  }
  return TRUE;
}

/* ---- samples without an occupant, shares ---- */

/* Samples that fell on the byte while nothing was known to hold it. */
static void
add_unheld (PenHistoryBuild *build)
{
  PenHolding unknown = { .tenure = { .kind = PEN_KIND_UNKNOWN,
                                     .from_bound = PEN_BOUND_INITIAL,
                                     .to_bound = PEN_BOUND_OPEN,
                                     .occupant = "",
                                     .to = PEN_MOMENT_END,
                                     .unverified_from = PEN_MOMENT_END },
                         .from = PEN_MOMENT_START,
                         .to = PEN_MOMENT_END };
  PenHistoryDraft *draft = NULL;

  for (guint i = 0; i < build->set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (build->set, i);

    if (build->counts[i].samples == 0 || bucket->tenure != 0 || bucket->address != build->address
        || bucket->kind != PEN_KIND_UNKNOWN)
      continue;
    if (!draft) {
      draft = add_draft (build, &unknown, PEN_MOMENT_START);
      draft->row->instruction = g_strdup (PEN_UNKNOWN_TEXT_NOTHING);
      draft->row->evidence = PEN_EVIDENCE_UNKNOWN;
    }
    draft->row->samples += build->counts[i].samples;
    draft->row->period += build->counts[i].period;
  }
}

/* Of waits: how long. */
static guint64
weigh (const PenHistoryBuild *build, const PenHistoryRow *row)
{
  return pen_query_is_of_waits (build->query) ? row->period : row->samples;
}

static void
compute_shares (PenHistoryBuild *build)
{
  guint64 total = 0;
  guint64 first = 0;
  guint64 last = 0;

  pen_query_get_time_range (build->query, &first, &last);
  for (guint i = 0; i < build->drafts->len; i++)
    total += weigh (build, g_array_index (build->drafts, PenHistoryDraft, i).row);
  for (guint i = 0; i < build->drafts->len; i++) {
    PenHistoryRow *row = g_array_index (build->drafts, PenHistoryDraft, i).row;
    guint64 from = CLAMP (row->from.time, first, last);
    guint64 to = CLAMP (row->to.time, first, last);

    row->share = total > 0 ? (double) weigh (build, row) / (double) total : 0;
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
tell_program (PenHistoryBuild *build, const PenHolding *holding, guint first, GError **error)
{
  GError *failure = NULL;
  g_autofree char *program = pen_query_describe_program (build->query, &holding->tenure, &failure);

  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  for (guint i = first; i < build->drafts->len; i++)
    pen_history_build_get_row (build, i)->program = g_strdup (program);
  return TRUE;
}

static gboolean
add_holdings (PenHistoryBuild *build, GArray *holdings, GError **error)
{
  g_autoptr (GHashTable) groups = group_pokes (build->pokes);

  for (guint i = 0; i < holdings->len; i++) {
    const PenHolding *holding = &g_array_index (holdings, PenHolding, i);
    guint first = build->drafts->len;
    PatchedTenure *patched;

    /* Decoding one tenure's text may take some hundredths of a millisecond. */
    if (!pen_store_goes_on (build->query->store, error))
      return FALSE;
    patched = g_hash_table_lookup (groups, GUINT_TO_POINTER (holding->tenure.id));
    if (!add_versions (build, holding, patched, error)
        || !tell_program (build, holding, first, error))
      return FALSE;
    for (guint j = first; j < build->drafts->len; j++)
      if (!pen_store_steps_on (build->query->store, j, error)
          || !tell_batch (build->query, pen_history_build_get_row (build, j), error))
        return FALSE;
    if (!tell_instructions (build, holding, patched, first, error))
      return FALSE;
  }
  return TRUE;
}

/* The name of a file's code, or a runtime's, if the store has it. Returns: (transfer full)
 * (nullable) */
static char *
find_process_instruction (PenHistoryBuild *build, const PenBucket *bucket, const PenTenure *tenure)
{
  const PenFunction *function = pen_query_get_function (build->query, bucket->function);
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  g_autoptr (GPtrArray) lines = NULL;
  guint64 address;

  if (!function || !build->annotator || function->length > PEN_ANNOTATION_MAX)
    return NULL;

  address = bucket->address + pen_store_get_bias (build->query->store, function, bucket->tenure);
  if (function->name_file != 0) {
    lines = pen_query_build_file_lines (build->query, function, build->annotator->decoder, buckets,
                                        tenures, NULL);
  } else if (pen_query_is_jit (function)) {
    g_array_append_vals (tenures, tenure, 1);
    lines = pen_annotator_build (build->annotator, function->start,
                                 function->start + function->length, tenures, buckets, NULL);
  }
  for (guint i = 0; lines && i < lines->len; i++) {
    const PenAnnotationLine *line = lines->pdata[i];

    if (address >= line->address && address - line->address < line->n_bytes)
      return g_strdup (line->instruction);
  }
  return NULL;
}

/* A place in a file. */
typedef struct {
  guint64 address;
  guint64 function;
} FilePlace;

static guint
hash_file_place (gconstpointer place)
{
  return pen_data_hash (place, sizeof (FilePlace));
}

static gboolean
equal_file_places (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (FilePlace)) == 0;
}

/* The same as find_process_instruction(). @known: by FilePlace: a file's code is one for all
 * processes, and thousands of images of one program may have run it */
static char *
get_process_instruction (PenHistoryBuild *build, GHashTable *known, const PenBucket *bucket,
                         const PenTenure *tenure)
{
  const PenFunction *function = pen_query_get_function (build->query, bucket->function);
  FilePlace place = { bucket->address, bucket->function };
  gpointer kept;

  if (!function || function->name_file == 0)
    return find_process_instruction (build, bucket, tenure);
  place.address += pen_store_get_bias (build->query->store, function, bucket->tenure);
  if (!g_hash_table_lookup_extended (known, &place, NULL, &kept)) {
    kept = find_process_instruction (build, bucket, tenure);
    g_hash_table_insert (known, g_memdup2 (&place, sizeof place), kept);
  }
  return g_strdup (kept);
}

/* An address of processes: the tenures that samples at it name, each process image's own. */
static gboolean
add_process_tenures (PenHistoryBuild *build, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (hash_file_place, equal_file_places, g_free, g_free);

  for (guint i = 0; i < build->set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (build->set, i);
    GError *failure = NULL;
    PenHolding holding;
    PenHistoryDraft *draft;
    PenHistorySlot slot = { build->address, 0 };

    if (build->counts[i].samples == 0 || bucket->address != build->address || bucket->tenure == 0
        || !g_hash_table_add (seen, GUINT_TO_POINTER (bucket->tenure)))
      continue;
    if (!pen_store_goes_on (build->query->store, error))
      return FALSE;
    if (!pen_store_load_tenure (build->query->store, bucket->tenure, &holding.tenure, &failure)) {
      if (failure) {
        g_propagate_error (error, failure);
        return FALSE;
      }
      continue;
    }
    holding.from = holding.tenure.from;
    holding.to = holding.tenure.to;
    draft = add_draft (build, &holding, holding.from);
    draft->row->instruction = get_process_instruction (build, known, bucket, &holding.tenure);
    if (!draft->row->instruction)
      draft->row->instruction = g_strdup (PEN_UNKNOWN_TEXT_NOT_RECORDED);
    g_array_append_val (draft->slots, slot);
  }
  return TRUE;
}

static GPtrArray *
take_rows (PenHistoryBuild *build)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (free_row);

  for (guint i = 0; i < build->drafts->len; i++)
    g_ptr_array_add (rows,
                     g_steal_pointer (&g_array_index (build->drafts, PenHistoryDraft, i).row));
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
  g_autoptr (GArray) drafts = g_array_new (FALSE, FALSE, sizeof (PenHistoryDraft));
  g_autoptr (PenAnnotator) annotator = NULL;

  g_array_set_clear_func (drafts, clear_draft);
  if (!matcher)
    return NULL;
  holdings = pen_query_find_holdings (self, address, error);
  pokes = holdings ? select_pokes (self, address, error) : NULL;
  if (!pokes)
    return NULL;

  /* A machine whose instructions cannot be read still has its tenures read. */
  annotator = pen_annotator_new (self, syntax, NULL);

  g_auto (PenHistoryBuild) build = {
    .query = self, .address = address, .pokes = pokes, .annotator = annotator, .drafts = drafts
  };

  if (!pen_history_build_load_buckets (&build, matcher, holdings->len > 0, error))
    return NULL;
  if (holdings->len > 0 ? !add_holdings (&build, holdings, error)
                        : !add_process_tenures (&build, error))
    return NULL;
  if (!pen_history_build_count (&build, matcher, band, error))
    return NULL;
  add_unheld (&build);
  compute_shares (&build);
  return take_rows (&build);
}
