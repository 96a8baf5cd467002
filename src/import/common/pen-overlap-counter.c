/* pen-overlap-counter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-overlap-counter.h"

#include "pen-binary-search.h"
#include "pen-cancel-check.h"
#include "pen-compare.h"

struct _PenOverlapCounter {
  GArray *starts; /* guint64, sorted once sealed */
  GArray *ends;
};

PenOverlapCounter *
pen_overlap_counter_new (void)
{
  PenOverlapCounter *self = g_new0 (PenOverlapCounter, 1);

  self->starts = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint64));
  return self;
}

void
pen_overlap_counter_free (PenOverlapCounter *self)
{
  g_array_unref (self->starts);
  g_array_unref (self->ends);
  g_free (self);
}

void
pen_overlap_counter_add (PenOverlapCounter *self, guint64 start, guint64 end)
{
  if (start >= end)
    return;
  g_array_append_val (self->starts, start);
  g_array_append_val (self->ends, end);
}

static int
compare_addresses (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return pen_compare_u64 (a, b);
}

/* As a rule they come in a few rising rows, which this merges. */
static void
sort_addresses (GArray *array)
{
  PenCancelCheck check = { 0 };

  pen_cancel_check_sort (&check, array->data, array->len, sizeof (guint64), compare_addresses,
                         NULL);
}

void
pen_overlap_counter_seal (PenOverlapCounter *self)
{
  sort_addresses (self->starts);
  sort_addresses (self->ends);
}

/* A range that does not begin before @end, or has ended at @start, shares nothing; and what has
 * ended there has begun before. */
guint
pen_overlap_counter_get (PenOverlapCounter *self, guint64 start, guint64 end)
{
  guint begun;
  guint ended;

  if (start >= end)
    return 0;
  begun
      = PEN_BINARY_SEARCH (i, 0, self->starts->len, g_array_index (self->starts, guint64, i) < end);
  ended
      = PEN_BINARY_SEARCH (k, 0, self->ends->len, g_array_index (self->ends, guint64, k) <= start);
  return begun - ended;
}
