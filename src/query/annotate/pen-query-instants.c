/* pen-query-instants.c: the text of two instants side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-instants.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-query-private.h"
#include "pen-sample-count.h"
#include "pen-store-occupants.h"

static const char *const difference_words[PEN_INSTANT_DIFFERENCES] = {
  [PEN_INSTANT_SAME] = "same",         [PEN_INSTANT_CHANGED] = "changed",
  [PEN_INSTANT_ADDED] = "added",       [PEN_INSTANT_REMOVED] = "removed",
  [PEN_INSTANT_OCCUPANT] = "occupant", [PEN_INSTANT_UNKNOWN] = "unknown",
};

const char *
pen_instant_difference_to_string (PenInstantDifference difference)
{
  g_return_val_if_fail (difference < PEN_INSTANT_DIFFERENCES, NULL);
  return difference_words[difference];
}

void
pen_instants_free (PenInstants *self)
{
  if (!self)
    return;
  pen_text_at_free (self->sides[0].text);
  pen_text_at_free (self->sides[1].text);
  g_clear_pointer (&self->rows, g_array_unref);
  g_free (self);
}

static const PenAnnotationLine *
get_line (const PenTextAt *text, guint i)
{
  return text->lines->pdata[i];
}

/* ---- samples ---- */

typedef struct {
  guint64 start;
  guint64 end;
  GArray *functions;
} RangeSearch;

static void
add_function (const PenFunction *function, gpointer user_data)
{
  RangeSearch *search = user_data;

  if (function->samples > 0)
    g_array_append_val (search->functions, function->id);
}

static gboolean
is_in_range (const PenBucket *bucket, gpointer user_data)
{
  const RangeSearch *search = user_data;

  return bucket->has_address && bucket->address >= search->start && bucket->address < search->end
         && (pen_query_is_kernel_kind (bucket->kind) || bucket->kind == PEN_KIND_UNKNOWN);
}

static PenBucketSet *
find_buckets (PenQuery *self, guint64 start, guint64 end, GError **error)
{
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  RangeSearch search = { start, end, functions };

  pen_query_foreach_function_in (self, start, end, add_function, &search);
  pen_query_foreach_unranged (self, TRUE, add_function, &search);
  return pen_bucket_set_new (self, functions, is_in_range, &search, error);
}

/* The filter's own time, and that of the stretch. FALSE: nothing is left */
static gboolean
cut_filter (PenFilter *filter, const PenInstantSide *side)
{
  guint64 last = side->to.time < G_MAXUINT64 ? side->to.time - MIN (side->to.time, 1) : G_MAXUINT64;

  filter->from = filter->has_time ? MAX (filter->from, side->from.time) : side->from.time;
  filter->to = filter->has_time ? MIN (filter->to, last) : last;
  filter->has_time = TRUE;
  return filter->from <= filter->to && side->to.time > 0;
}

/* The line that holds @address and stood there in @tenure; G_MAXUINT: none. */
static guint
find_line (const PenTextAt *text, guint64 address, guint32 tenure)
{
  guint after = PEN_BINARY_SEARCH (i, 0, text->lines->len, get_line (text, i)->address <= address);
  const PenAnnotationLine *line = after > 0 ? get_line (text, after - 1) : NULL;

  return line && tenure != 0 && line->tenure == tenure ? after - 1 : G_MAXUINT;
}

/* Returns: (transfer full): of each line of the side's text */
static PenAmount *
count_lines (PenQuery *self, const PenFilter *filter, const PenBucketSet *set, PenInstantSide *side,
             GError **error)
{
  g_autofree PenAmount *amounts = g_new0 (PenAmount, side->text->lines->len + 1);
  g_autoptr (PenFilter) stretch = filter ? pen_filter_copy (filter) : pen_filter_new ();
  g_autoptr (PenMatcher) matcher = NULL;
  g_autofree PenBucketCount *counts = NULL;

  if (!cut_filter (stretch, side))
    return g_steal_pointer (&amounts);
  matcher = pen_matcher_new (self, stretch, error);
  if (!matcher)
    return NULL;
  counts = pen_query_count_set (self, matcher, set, FALSE, error);
  if (!counts)
    return NULL;
  for (guint i = 0; i < set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (set, i);
    guint line = find_line (side->text, bucket->address, bucket->tenure);

    if (line == G_MAXUINT)
      continue;
    amounts[line].n += counts[i].samples;
    side->samples += counts[i].samples;
    if (!pen_query_is_of_waits (self))
      continue;
    amounts[line].period += counts[i].period;
    side->period += counts[i].period;
  }
  return g_steal_pointer (&amounts);
}

/* ---- rows ---- */

static const PenTextStretch *
find_stretch_at (const PenTextAt *text, guint64 address)
{
  GArray *stretches = text->stretches;
  guint after = PEN_BINARY_SEARCH (i, 0, stretches->len,
                                   g_array_index (stretches, PenTextStretch, i).start <= address);
  const PenTextStretch *stretch
      = after > 0 ? &g_array_index (stretches, PenTextStretch, after - 1) : NULL;

  return stretch && address < stretch->end ? stretch : NULL;
}

static gboolean
is_known_at (const PenTextAt *text, guint64 address)
{
  return address >= text->start && address < text->end && text->known[address - text->start];
}

static gboolean
is_same_occupant (const PenTextStretch *a, const PenTextStretch *b)
{
  if (!a || !b)
    return a == b;
  return a->tenure.kind == b->tenure.kind
         && g_strcmp0 (a->tenure.occupant, b->tenure.occupant) == 0;
}

static PenInstantDifference
compare (const PenInstants *self, const PenInstantRow *row)
{
  const PenAnnotationLine *a = row->lines[0], *b = row->lines[1];

  if (!is_same_occupant (row->stretches[0], row->stretches[1]))
    return PEN_INSTANT_OCCUPANT;
  for (guint i = 0; i < 2; i++)
    if (row->lines[i] ? row->lines[i]->n_bytes == 0
                      : !is_known_at (self->sides[i].text, row->address))
      return PEN_INSTANT_UNKNOWN;
  if (!a || !b)
    return a ? PEN_INSTANT_REMOVED : PEN_INSTANT_ADDED;
  return a->n_bytes == b->n_bytes && memcmp (a->bytes, b->bytes, a->n_bytes) == 0
             ? PEN_INSTANT_SAME
             : PEN_INSTANT_CHANGED;
}

/* Two gaps that say the same are no difference. */
static gboolean
are_both_unknown (const PenInstantRow *row)
{
  return row->lines[0] && row->lines[1] && row->lines[0]->n_bytes == 0
         && row->lines[1]->n_bytes == 0 && is_same_occupant (row->stretches[0], row->stretches[1])
         && g_strcmp0 (row->lines[0]->instruction, row->lines[1]->instruction) == 0;
}

static void
add_row (PenInstants *self, const PenAmount *const *amounts, const guint *at, guint64 address,
         guint *taken)
{
  PenInstantRow row = { .address = address };

  for (guint i = 0; i < 2; i++) {
    const PenTextAt *text = self->sides[i].text;

    row.stretches[i] = find_stretch_at (text, address);
    taken[i] = at[i] < text->lines->len && get_line (text, at[i])->address == address;
    if (!taken[i])
      continue;
    row.lines[i] = get_line (text, at[i]);
    row.samples[i] = amounts[i][at[i]].n;
    row.periods[i] = amounts[i][at[i]].period;
  }
  row.difference = are_both_unknown (&row) ? PEN_INSTANT_SAME : compare (self, &row);
  self->n_different += row.difference != PEN_INSTANT_SAME;
  g_array_append_val (self->rows, row);
}

static void
align (PenInstants *self, const PenAmount *const *amounts)
{
  guint at[2] = { 0, 0 };

  for (;;) {
    guint64 address = G_MAXUINT64;
    gboolean is_left = FALSE;
    guint taken[2];

    for (guint i = 0; i < 2; i++) {
      const PenTextAt *text = self->sides[i].text;

      if (at[i] >= text->lines->len)
        continue;
      address = MIN (address, get_line (text, at[i])->address);
      is_left = TRUE;
    }
    if (!is_left)
      return;
    add_row (self, amounts, at, address, taken);
    at[0] += taken[0];
    at[1] += taken[1];
  }
}

PenInstants *
pen_query_instants (PenQuery *self, const PenFilter *filter, guint64 start, guint64 end,
                    const PenMoment *moments, PenSyntax syntax, GError **error)
{
  g_autoptr (PenInstants) instants = g_new0 (PenInstants, 1);
  g_autoptr (PenBucketSet) set = NULL;
  g_autofree PenAmount *first = NULL;
  g_autofree PenAmount *second = NULL;

  instants->population = pen_store_get_population (self->store);
  instants->start = start;
  instants->end = end;
  instants->rows = g_array_new (FALSE, FALSE, sizeof (PenInstantRow));
  for (guint i = 0; i < 2; i++) {
    PenInstantSide *side = &instants->sides[i];

    side->text = pen_query_text_at (self, start, end, 0, moments[i], syntax, error);
    if (!side->text
        || !pen_text_at_find_span (side->text, pen_query_get_store (self), &side->from, &side->to,
                                   error))
      return NULL;
  }
  set = find_buckets (self, start, end, error);
  if (!set)
    return NULL;
  first = count_lines (self, filter, set, &instants->sides[0], error);
  if (!first)
    return NULL;
  second = count_lines (self, filter, set, &instants->sides[1], error);
  if (!second)
    return NULL;
  align (instants, (const PenAmount *const[]){ first, second });
  return g_steal_pointer (&instants);
}

gboolean
pen_instant_row_get_place (const PenInstantRow *row, const char **symbol, guint64 *offset)
{
  for (guint i = 0; i < 2; i++) {
    if (!row->stretches[i] || !row->stretches[i]->symbol)
      continue;
    *symbol = row->stretches[i]->symbol;
    *offset = row->address - row->stretches[i]->symbol_start;
    return TRUE;
  }
  return FALSE;
}
