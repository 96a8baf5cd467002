/* pen-query-occupants.c: every tenure as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-sample-count.h"
#include "pen-space-names.h"

static const PenColumn columns[] = {
  { "from", PEN_COLUMN_TIME },      { "to", PEN_COLUMN_TIME },
  { "space", PEN_COLUMN_TEXT },     { "start", PEN_COLUMN_HEX },
  { "end", PEN_COLUMN_HEX },        { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },  { "samples", PEN_COLUMN_NUMBER },
  { "changes", PEN_COLUMN_NUMBER }, { "evidence", PEN_COLUMN_TEXT },
};

/* @samples: by tenure id, under the filter; NULL: all of a tenure's samples. @changes: the same */
typedef struct {
  const PenMatcher *matcher;
  const PenSpaceNames *spaces;
  PenTableWriter *writer;
  GHashTable *samples;
  GHashTable *changes;
  GError *error;
} OccupantSheet;

static void
add_count (GHashTable *counts, guint32 tenure, guint64 more)
{
  guint64 *count = g_hash_table_lookup (counts, GUINT_TO_POINTER (tenure));

  if (count == NULL) {
    count = g_new0 (guint64, 1);
    g_hash_table_insert (counts, GUINT_TO_POINTER (tenure), count);
  }
  *count += more;
}

static guint64
get_count (GHashTable *counts, guint32 tenure)
{
  const guint64 *count = g_hash_table_lookup (counts, GUINT_TO_POINTER (tenure));

  return count != NULL ? *count : 0;
}

static gboolean
count_change (const PenChange *change, gpointer user_data)
{
  OccupantSheet *sheet = user_data;

  if (change->tenure != 0 && pen_matcher_has_change (sheet->matcher, change))
    add_count (sheet->changes, change->tenure, 1);
  return TRUE;
}

static guint64
get_samples (const OccupantSheet *sheet, const PenTenure *tenure)
{
  return sheet->samples != NULL ? get_count (sheet->samples, tenure->id) : tenure->samples;
}

/* A tenure without samples or changes is left out where the filter asks for what only they tell. */
static gboolean
is_meant (const OccupantSheet *sheet, const PenTenure *tenure)
{
  const PenFilter *filter = sheet->matcher->filter;

  if (!pen_filter_admits_kind (filter, tenure->kind)
      || !pen_filter_admits_word (filter, PEN_FILTER_OCCUPANT, tenure->occupant))
    return FALSE;
  if (filter->has_time && (tenure->from.time > filter->to || tenure->to.time < filter->from))
    return FALSE;
  if (filter->has_address
      && (tenure->start > filter->address_to || tenure->end <= filter->address_from))
    return FALSE;
  return !pen_matcher_asks_content (sheet->matcher) || get_samples (sheet, tenure) > 0
         || get_count (sheet->changes, tenure->id) > 0;
}

static gboolean
write_tenure (const PenTenure *tenure, gpointer user_data)
{
  OccupantSheet *sheet = user_data;
  PenTableWriter *writer = sheet->writer;

  if (!is_meant (sheet, tenure))
    return TRUE;
  pen_query_write_span (writer, tenure->from, TRUE, tenure->to, TRUE);
  pen_table_writer_text (writer, pen_space_names_get (sheet->spaces, tenure->space));
  pen_table_writer_hex (writer, tenure->start);
  pen_table_writer_hex (writer, tenure->end);
  pen_query_write_occupant (writer, tenure->kind, tenure->occupant);
  pen_table_writer_unsigned (writer, get_samples (sheet, tenure));
  pen_table_writer_unsigned (writer, get_count (sheet->changes, tenure->id));
  pen_query_write_evidence (writer, tenure->evidence, pen_query_is_unverified (tenure, tenure->to));
  return pen_table_writer_end_row (writer, &sheet->error);
}

/* Whether the samples of a tenure all count, or none: then the store knows how many. */
static gboolean
takes_whole_tenures (const PenMatcher *matcher)
{
  return pen_matcher_has_all_samples (matcher) && !matcher->asks_time;
}

static gboolean
count_samples (PenQuery *self, const PenMatcher *matcher, GHashTable *samples, GError **error)
{
  g_autofree PenBucketCount *counts = pen_query_count_buckets (self, matcher, error);

  if (counts == NULL)
    return FALSE;
  for (guint i = 0; i < self->n_buckets; i++) {
    if (self->buckets[i].tenure != 0 && counts[i].samples > 0)
      add_count (samples, self->buckets[i].tenure, counts[i].samples);
  }
  return TRUE;
}

static gboolean
count (PenQuery *self, OccupantSheet *sheet, GError **error)
{
  if (sheet->samples != NULL && !count_samples (self, sheet->matcher, sheet->samples, error))
    return FALSE;
  return pen_store_foreach_change (self->store, count_change, sheet, error);
}

gboolean
pen_query_write_occupants (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                           GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenSpaceNames) spaces = NULL;
  g_autoptr (GHashTable) samples = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) changes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  OccupantSheet sheet = { matcher, NULL, writer, samples, changes, NULL };

  if (matcher == NULL)
    return FALSE;
  if (takes_whole_tenures (matcher))
    sheet.samples = NULL;
  if (!count (self, &sheet, error))
    return FALSE;
  sheet.spaces = spaces = pen_space_names_load (self->store, error);
  if (spaces == NULL)
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  if (!pen_store_foreach_tenure (self->store, TRUE, write_tenure, &sheet, error))
    return FALSE;
  if (sheet.error != NULL) {
    g_propagate_error (error, sheet.error);
    return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
