/* pen-query-annotation.c: a function's text over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <glib/gi18n-lib.h>

#include "pen-annotated.h"
#include "pen-annotator.h"
#include "pen-function-group.h"
#include "pen-query-file-text.h"
#include "pen-query-holdings.h"
#include "pen-query-source-lines.h"
#include "pen-sample-count.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"
#include "pen-unknown-text.h"
#include "pen-witnessed-lines.h"

/* ---- samples ---- */

static gboolean
is_in (const PenBucket *bucket, gpointer user_data)
{
  const PenFunction *function = user_data;

  if (bucket->function == function->id)
    return TRUE;
  if (!pen_query_has_text (function) || !bucket->has_address || bucket->address < function->start
      || bucket->address - function->start >= function->length)
    return FALSE;
  return bucket->kind != PEN_KIND_DSO && bucket->kind != PEN_KIND_VDSO
         && bucket->kind != PEN_KIND_ANON && bucket->kind != PEN_KIND_GUEST;
}

gboolean
pen_query_take_count (PenQuery *self, const PenFunction *function, const PenBucketCount *count,
                      PenBucket *bucket)
{
  if (count->samples == 0)
    return FALSE;
  bucket->address += pen_store_get_bias (self->store, function, bucket->tenure);
  bucket->samples = count->samples;
  bucket->period = count->period;
  bucket->first = count->first;
  bucket->last = count->last;
  return TRUE;
}

static GArray *
select_buckets (PenQuery *self, const PenBucketSet *set, const PenBucketCount *counts,
                const PenFunction *function, PenAnnotated *annotated)
{
  GArray *buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));

  for (guint i = 0; i < set->buckets->len; i++) {
    PenBucket bucket = *pen_bucket_set_get (set, i);

    if (!pen_query_take_count (self, function, &counts[i], &bucket))
      continue;
    if (bucket.function == function->id) {
      annotated->samples += counts[i].samples;
      annotated->period += counts[i].period;
    }
    g_array_append_val (buckets, bucket);
  }
  return buckets;
}

static GArray *
count_buckets (PenQuery *self, const PenMatcher *matcher, const PenFunction *function,
               PenAnnotated *annotated, GError **error)
{
  g_autoptr (PenBucketSet) set
      = pen_bucket_set_new_near (self, function->id, is_in, (gpointer) function, error);
  g_autofree PenBucketCount *counts = NULL;
  PenAmount total;

  if (!set)
    return NULL;
  counts = pen_query_count_set (self, matcher, set, TRUE, error);
  if (!counts || !pen_query_count_amount (self, matcher, &total, error))
    return NULL;
  annotated->total_samples = total.n;
  annotated->total_period = total.period;
  return select_buckets (self, set, counts, function, annotated);
}

/* ---- tenures ---- */

/* For each holding, the next of its tenure, plus 1; @first: tenure → the first, plus 1 */
static guint *
link_holdings (const GArray *holdings, GHashTable *first)
{
  guint *next = g_new (guint, MAX (holdings->len, 1));

  for (guint i = holdings->len; i-- > 0;) {
    gpointer tenure = GUINT_TO_POINTER (g_array_index (holdings, PenHolding, i).tenure.id);

    next[i] = GPOINTER_TO_UINT (g_hash_table_lookup (first, tenure));
    g_hash_table_insert (first, tenure, GUINT_TO_POINTER (i + 1));
  }
  return next;
}

static void
add_turns (const PenTenure *tenure, const GArray *holdings, GHashTable *first, const guint *next,
           GArray *turns)
{
  for (guint i = GPOINTER_TO_UINT (g_hash_table_lookup (first, GUINT_TO_POINTER (tenure->id)));
       i > 0; i = next[i - 1]) {
    const PenHolding *holding = &g_array_index (holdings, PenHolding, i - 1);
    PenTenure turn = *tenure;

    turn.from = holding->from;
    turn.to = holding->to;
    g_array_append_val (turns, turn);
  }
}

/*
 * What lay hidden under a ksymbol was not there to be executed: a tenure's turns are the times when
 * a lookup finds it at the function's first byte. Tenures that begin inside the range are taken as
 * they are.
 */
static GArray *
find_turns (PenQuery *self, const PenFunction *function, GArray *tenures, GError **error)
{
  g_autoptr (GArray) holdings = pen_query_find_holdings (self, function->start, error);
  g_autoptr (GHashTable) first = g_hash_table_new (pen_direct_hash, NULL);
  g_autofree guint *next = NULL;
  GArray *turns;

  if (!holdings)
    return NULL;
  next = link_holdings (holdings, first);
  turns = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    if (tenure->start <= function->start)
      add_turns (tenure, holdings, first, next, turns);
    else
      g_array_append_val (turns, *tenure);
  }
  return turns;
}

/* Where a filter asks for one load of a program, the others are none of its listing: of a text that
 * has it, that is; another is shown as it is. */
static void
keep_tenures (const PenMatcher *matcher, PenAnnotated *annotated)
{
  guint n_tenures = 0;
  guint n_pokes = 0;

  for (guint i = 0; i < annotated->tenures->len; i++)
    n_tenures
        += pen_matcher_has_tenure (matcher, g_array_index (annotated->tenures, PenTenure, i).id);
  if (n_tenures == 0 || n_tenures == annotated->tenures->len)
    return;
  n_tenures = 0;
  for (guint i = 0; i < annotated->tenures->len; i++) {
    PenTenure tenure = g_array_index (annotated->tenures, PenTenure, i);

    if (pen_matcher_has_tenure (matcher, tenure.id))
      g_array_index (annotated->tenures, PenTenure, n_tenures++) = tenure;
  }
  g_array_set_size (annotated->tenures, n_tenures);
  for (guint i = 0; i < annotated->pokes->len; i++) {
    PenPoke poke = g_array_index (annotated->pokes, PenPoke, i);

    if (pen_matcher_has_tenure (matcher, poke.tenure))
      g_array_index (annotated->pokes, PenPoke, n_pokes++) = poke;
  }
  g_array_set_size (annotated->pokes, n_pokes);
}

/* ---- lines ---- */

static void
free_line (gpointer data)
{
  pen_annotation_line_free (data);
}

static int
compare_buckets (gconstpointer a, gconstpointer b)
{
  const PenBucket *x = a;
  const PenBucket *y = b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  return x->revision < y->revision ? -1 : x->revision > y->revision;
}

static PenAnnotationLine *
new_plain_line (const PenBucket *bucket, guint64 start)
{
  PenAnnotationLine *line = g_new0 (PenAnnotationLine, 1);

  line->address = bucket->address;
  line->offset = bucket->address - start;
  line->from = PEN_MOMENT_START;
  line->to = PEN_MOMENT_END;
  line->tenure = bucket->tenure;
  line->revision = bucket->revision;
  line->instruction = g_strdup (PEN_UNKNOWN_TEXT_NOT_RECORDED);
  line->first = bucket->first;
  line->last = bucket->last;
  return line;
}

/* As the store has those of one function. */
static gboolean
is_in_order (const GArray *buckets)
{
  for (guint i = 1; i < buckets->len; i++)
    if (compare_buckets (&g_array_index (buckets, PenBucket, i - 1),
                         &g_array_index (buckets, PenBucket, i))
        > 0)
      return FALSE;
  return TRUE;
}

/* Where there is no text to decode: a line for each address that has samples. */
static GPtrArray *
make_plain_lines (GArray *buckets, guint64 start)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (free_line);
  PenAnnotationLine *line = NULL;

  if (!is_in_order (buckets))
    g_array_sort (buckets, compare_buckets);
  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);
    const PenAnnotationLine *before = line;

    if (!bucket->has_address)
      continue;
    if (!before || before->address != bucket->address || before->tenure != bucket->tenure
        || before->revision != bucket->revision) {
      line = new_plain_line (bucket, start);
      if (before && before->address == bucket->address)
        line->version = before->version + 1;
      g_ptr_array_add (lines, line);
    }
    line->samples += bucket->samples;
    line->period += bucket->period;
    line->first = MIN (line->first, bucket->first);
    line->last = MAX (line->last, bucket->last);
  }
  return lines;
}

static GArray *
load_tenures_of (PenQuery *self, const GArray *buckets, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));

  for (guint i = 0; i < buckets->len; i++) {
    guint32 id = g_array_index (buckets, PenBucket, i).tenure;
    GError *failure = NULL;
    PenTenure tenure;

    if (id == 0 || !g_hash_table_add (seen, GUINT_TO_POINTER (id)))
      continue;
    if (pen_store_load_tenure (self->store, id, &tenure, &failure))
      g_array_append_val (tenures, tenure);
    if (failure) {
      g_propagate_error (error, failure);
      return NULL;
    }
  }
  return g_steal_pointer (&tenures);
}

/* @annotator: (nullable) */
static gboolean
annotate_plainly (PenQuery *self, PenAnnotated *annotated, const PenFunction *function,
                  GArray *buckets, PenAnnotator *annotator, GError **error)
{
  guint64 lowest = G_MAXUINT64;
  guint64 highest = 0;

  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);

    if (bucket->has_address) {
      lowest = MIN (lowest, bucket->address);
      highest = MAX (highest, bucket->address);
    }
  }
  if (annotated->end == annotated->start && highest >= lowest) {
    annotated->start = lowest;
    annotated->end = highest < G_MAXUINT64 ? highest + 1 : highest;
  }
  annotated->lines = make_plain_lines (buckets, annotated->start);
  annotated->tenures = load_tenures_of (self, buckets, error);
  annotated->pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  if (!annotated->tenures)
    return FALSE;
  return !annotator || function->kind != PEN_KIND_UNKNOWN
         || pen_witnessed_lines_tell (self->store, annotator->decoder, annotated->lines, error);
}

/* @is_done: (out): FALSE where the store has no bytes of it */
static gboolean
annotate_file (PenQuery *self, PenAnnotated *annotated, const PenFunction *function,
               GArray *buckets, PenAnnotator *annotator, gboolean *is_done, GError **error)
{
  g_autoptr (GArray) tenures = load_tenures_of (self, buckets, error);
  GError *failure = NULL;

  *is_done = FALSE;
  if (!tenures)
    return FALSE;
  annotated->lines
      = pen_query_build_file_lines (self, function, annotator->decoder, buckets, tenures, &failure);
  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  if (!annotated->lines)
    return TRUE;
  annotated->tenures = g_steal_pointer (&tenures);
  annotated->pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  *is_done = TRUE;
  return TRUE;
}

/* Each time that a runtime made it is a tenure, with bytes of its own. */
static gboolean
annotate_jit (PenQuery *self, PenAnnotated *annotated, const PenFunction *function, GArray *buckets,
              PenAnnotator *annotator, GError **error)
{
  annotated->tenures = load_tenures_of (self, buckets, error);
  if (!annotated->tenures)
    return FALSE;
  annotated->pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  annotated->lines
      = pen_annotator_build (annotator, function->start, function->start + function->length,
                             annotated->tenures, buckets, error);
  return annotated->lines != NULL;
}

/* Pokes are those that the annotator has. */
static gboolean
annotate_text_own (PenFunctionGroup *group, PenAnnotated *annotated, const PenFunction *function,
                   GArray *buckets, PenAnnotator *annotator, GError **error)
{
  g_autoptr (GArray) turns = NULL;

  annotated->pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  annotated->tenures = pen_function_group_find_tenures (group, function, buckets, &turns, error);
  if (!annotated->tenures || !pen_function_group_load_text (group, function, error))
    return FALSE;
  annotated->lines = pen_annotator_build (
      annotator, function->start, function->start + function->length, turns, buckets, error);
  return annotated->lines != NULL;
}

static gboolean
annotate_text (PenQuery *self, const PenMatcher *matcher, PenAnnotated *annotated,
               const PenFunction *function, GArray *buckets, PenAnnotator *annotator,
               GError **error)
{
  guint64 end = function->start + function->length;
  g_autoptr (GArray) turns = NULL;

  annotated->tenures
      = pen_store_load_tenures (self->store, PEN_SPACE_KERNEL, function->start, end, error);
  if (!annotated->tenures)
    return FALSE;
  annotated->pokes = pen_store_load_pokes (self->store, function->start, end, error);
  if (!annotated->pokes)
    return FALSE;
  keep_tenures (matcher, annotated);
  turns = find_turns (self, function, annotated->tenures, error);
  if (!turns)
    return FALSE;
  annotated->lines = pen_annotator_build (annotator, function->start, end, turns, buckets, error);
  return annotated->lines != NULL;
}

/* With instructions where both they and the machine's language are known. @matcher: NULL with
 * @group */
static gboolean
annotate_best (PenQuery *self, const PenMatcher *matcher, PenFunctionGroup *group,
               PenAnnotated *annotated, const PenFunction *function, GArray *buckets,
               PenAnnotator *annotator, GError **error)
{
  gboolean is_done;

  if (annotator && function->name_file != 0 && function->length > 0
      && function->length <= PEN_ANNOTATION_MAX) {
    if (!annotate_file (self, annotated, function, buckets, annotator, &is_done, error))
      return FALSE;
    if (is_done)
      return TRUE;
  }

  if (annotator && pen_query_is_jit (function))
    return annotate_jit (self, annotated, function, buckets, annotator, error);
  if (group && annotator && pen_query_has_text (function) && function->length > 0)
    return annotate_text_own (group, annotated, function, buckets, annotator, error);
  return annotator && pen_query_has_text (function)
             ? annotate_text (self, matcher, annotated, function, buckets, annotator, error)
             : annotate_plainly (self, annotated, function, buckets, annotator, error);
}

static PenAnnotated *
annotated_new (PenQuery *self, const PenFunction *function)
{
  PenAnnotated *annotated = g_new0 (PenAnnotated, 1);

  annotated->function = function->id;
  annotated->population = pen_store_get_population (self->store);
  annotated->symbol = g_strdup (function->symbol);
  annotated->occupant = g_strdup (function->occupant);
  annotated->kind = function->kind;
  annotated->start = function->start;
  annotated->end = function->start + function->length;
  return annotated;
}

PenAnnotated *
pen_query_annotate_function (PenQuery *self, const PenFilter *filter, const PenFunction *function,
                             PenSyntax syntax, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenAnnotated) annotated = annotated_new (self, function);
  g_autoptr (PenAnnotator) annotator = NULL;
  g_autoptr (GArray) buckets = NULL;
  g_autoptr (GError) unsupported = NULL;

  if (!matcher)
    return NULL;
  buckets = count_buckets (self, matcher, function, annotated, error);
  if (!buckets)
    return NULL;

  /* A machine whose instructions cannot be read still has addresses. */
  annotator = pen_annotator_new (self, syntax, &unsupported);
  if (!annotate_best (self, matcher, NULL, annotated, function, buckets, annotator, error)
      || !pen_query_tell_source_lines (self, annotated, error))
    return NULL;
  pen_annotated_index (annotated, self);
  return g_steal_pointer (&annotated);
}

/* Returns: (nullable) */
static const PenFunction *
find_function (PenQuery *self, guint32 id, GError **error)
{
  const PenFunction *function = pen_query_get_function (self, id);

  if (!function)
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND, _ ("there is no function %u"),
                 id);
  return function;
}

PenAnnotated *
pen_query_annotate (PenQuery *self, const PenFilter *filter, guint32 id, PenSyntax syntax,
                    GError **error)
{
  const PenFunction *function;

  if (!pen_query_load (self, error))
    return NULL;
  function = find_function (self, id, error);
  return function ? pen_query_annotate_function (self, filter, function, syntax, error) : NULL;
}

PenAnnotated *
pen_query_annotate_own (PenFunctionGroup *group, guint32 id, GError **error)
{
  PenQuery *self = pen_function_group_get_query (group);
  const PenFunction *function = find_function (self, id, error);
  g_autoptr (PenAnnotated) annotated = NULL;
  g_autoptr (GArray) buckets = NULL;
  PenAmount amount;

  if (!function)
    return NULL;
  annotated = annotated_new (self, function);
  amount = pen_function_group_get_total (group);
  annotated->total_samples = amount.n;
  annotated->total_period = amount.period;
  buckets = pen_function_group_list_buckets (group, function, &amount);
  annotated->samples = amount.n;
  annotated->period = amount.period;
  if (!annotate_best (self, NULL, group, annotated, function, buckets,
                      pen_function_group_get_annotator (group), error)
      || !pen_query_tell_source_lines (self, annotated, error))
    return NULL;
  pen_annotated_index (annotated, self);
  return g_steal_pointer (&annotated);
}
