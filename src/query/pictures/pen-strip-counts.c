/* pen-strip-counts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip-counts.h"

/* Cells: 16 MiB. */
#define ROOM_MIN (1u << 20)

PenStripCounts *
pen_strip_counts_new (guint n_lines, guint n_bins)
{
  PenStripCounts *self = g_new0 (PenStripCounts, 1);

  self->n_lines = n_lines;
  self->n_bins = n_bins;
  self->cells = g_array_new (FALSE, FALSE, sizeof (PenStripCell));
  self->room = ROOM_MIN;
  return self;
}

void
pen_strip_counts_free (PenStripCounts *self)
{
  g_array_unref (self->cells);
  g_free (self->firsts);
  g_free (self);
}

static PenStripCell *
get_cell (const PenStripCounts *self, guint i)
{
  return &g_array_index (self->cells, PenStripCell, i);
}

/* ---- adding up ---- */

static guint
get_key (const PenStripCell *cell, gboolean by_line)
{
  return by_line ? cell->line : cell->bin;
}

/* Puts the cells of @from, those of the same key in their order, into @to, which has the room.
 * @ends: (out): one for each key: the cell after its last one */
static gboolean
sort_cells (const GArray *from, GArray *to, guint *ends, guint n_keys, gboolean by_line,
            PenCancelCheck *check)
{
  const PenStripCell *cells = (const PenStripCell *) from->data;
  guint sum = 0;

  for (guint i = 0; i < n_keys && pen_cancel_check_step (check); i++)
    ends[i] = 0;
  for (guint i = 0; i < from->len && pen_cancel_check_step (check); i++)
    ends[get_key (&cells[i], by_line)]++;
  for (guint i = 0; i < n_keys && pen_cancel_check_step (check); i++) {
    guint n = ends[i];

    ends[i] = sum;
    sum += n;
  }
  if (check->is_stopped)
    return FALSE;
  for (guint i = 0; i < from->len && pen_cancel_check_step (check); i++)
    g_array_index (to, PenStripCell, ends[get_key (&cells[i], by_line)]++) = cells[i];
  return !check->is_stopped;
}

/* Sorted, those of the same line and bin are next to each other. */
static void
add_up (PenStripCounts *self, PenCancelCheck *check)
{
  guint n = 0;

  for (guint i = 0; i < self->cells->len && pen_cancel_check_step (check); i++) {
    PenStripCell cell = *get_cell (self, i);
    PenStripCell *before = n > 0 ? get_cell (self, n - 1) : NULL;

    if (before && before->line == cell.line && before->bin == cell.bin)
      before->n += cell.n;
    else
      *get_cell (self, n++) = cell;
  }
  if (!check->is_stopped)
    g_array_set_size (self->cells, n);
}

static gboolean
sort_and_add_up (PenStripCounts *self, PenCancelCheck *check)
{
  g_autoptr (GArray) other = g_array_sized_new (FALSE, FALSE, sizeof (PenStripCell), 0);
  g_autofree guint *ends = g_new (guint, MAX (self->n_lines, self->n_bins) + 1);

  g_array_set_size (other, self->cells->len);
  if (!sort_cells (self->cells, other, ends, self->n_bins, FALSE, check)
      || !sort_cells (other, self->cells, ends, self->n_lines, TRUE, check))
    return FALSE;
  add_up (self, check);
  return !check->is_stopped;
}

gboolean
pen_strip_counts_trim (PenStripCounts *self, PenCancelCheck *check)
{
  if (self->cells->len < self->room)
    return TRUE;
  if (!sort_and_add_up (self, check))
    return FALSE;
  self->room = MAX (ROOM_MIN, 2 * self->cells->len);
  return TRUE;
}

gboolean
pen_strip_counts_pack (PenStripCounts *self, PenCancelCheck *check)
{
  guint line = 0;

  if (!sort_and_add_up (self, check))
    return FALSE;
  g_free (self->firsts);
  self->firsts = g_new (guint, (gsize) self->n_lines + 1);
  for (guint i = 0; i < self->cells->len && pen_cancel_check_step (check); i++) {
    const PenStripCell *cell = get_cell (self, i);

    while (line <= cell->line)
      self->firsts[line++] = i;
    self->max = MAX (self->max, cell->n);
  }
  while (line <= self->n_lines && pen_cancel_check_step (check))
    self->firsts[line++] = self->cells->len;
  return !check->is_stopped;
}

/* ---- reading ---- */

void
pen_strip_counts_sum (const PenStripCounts *self, guint first, guint n, guint64 *sums)
{
  for (guint i = self->firsts[first]; i < self->firsts[first + n]; i++)
    sums[get_cell (self, i)->bin] += get_cell (self, i)->n;
}
