/* pen-line-order.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-line-order.h"

#include "pen-binary-search.h"
#include "pen-compare.h"

/*
 * PenLineOrder:
 * @indexes: of the lines, in order
 * @latest: for each place, the latest end of its range's lines up to it: it only rises in a range,
 *   so that the first line that ended no earlier than a time can be searched for
 */
struct _PenLineOrder {
  const GPtrArray *lines;
  gboolean by_revision;
  guint *indexes;
  guint64 *latest;
};

static const PenAnnotationLine *
get_line (const PenLineOrder *self, guint place)
{
  return self->lines->pdata[self->indexes[place]];
}

/* Of lines of one address and range: 0. */
static int
compare_owners (const PenLineOrder *self, const PenAnnotationLine *line, guint32 tenure,
                guint32 revision)
{
  int order = PEN_COMPARE (line->tenure, tenure);

  return order == 0 && self->by_revision ? PEN_COMPARE (line->revision, revision) : order;
}

/* Of lines of one range: 0. */
static int
compare_ranges (const PenLineOrder *self, const PenAnnotationLine *x, const PenAnnotationLine *y)
{
  int order = PEN_COMPARE (x->address, y->address);

  return order == 0 ? compare_owners (self, x, y->tenure, y->revision) : order;
}

static int
compare_lines (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenLineOrder *self = user_data;
  guint i = *(const guint *) a;
  guint j = *(const guint *) b;
  const PenAnnotationLine *x = self->lines->pdata[i];
  const PenAnnotationLine *y = self->lines->pdata[j];
  int order = compare_ranges (self, x, y);

  if (order == 0)
    order = PEN_COMPARE (x->from.time, y->from.time);
  return order == 0 ? PEN_COMPARE (i, j) : order;
}

/* Lines without text come in this order. */
static gboolean
is_in_order (const PenLineOrder *self, PenCancelCheck *check)
{
  guint n = self->lines->len;

  for (guint i = 1; i < n && pen_cancel_check_step (check); i++)
    if (compare_lines (&self->indexes[i - 1], &self->indexes[i], (gpointer) self) > 0)
      return FALSE;
  return TRUE;
}

PenLineOrder *
pen_line_order_new (const GPtrArray *lines, gboolean by_revision, PenCancelCheck *check)
{
  PenCancelCheck never = { 0 };
  g_autoptr (PenLineOrder) self = g_new0 (PenLineOrder, 1);
  guint n = lines->len;

  if (!check)
    check = &never;
  self->lines = lines;
  self->by_revision = by_revision;
  self->indexes = g_new (guint, MAX (n, 1));
  self->latest = g_new (guint64, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    self->indexes[i] = i;
  if (!is_in_order (self, check)
      && !pen_cancel_check_sort (check, self->indexes, n, sizeof *self->indexes, compare_lines,
                                 self))
    return NULL;
  for (guint i = 0; i < n && pen_cancel_check_step (check); i++) {
    const PenAnnotationLine *line = get_line (self, i);
    const PenAnnotationLine *before = i > 0 ? get_line (self, i - 1) : NULL;

    self->latest[i] = line->to.time;
    if (before && compare_ranges (self, before, line) == 0)
      self->latest[i] = MAX (self->latest[i], self->latest[i - 1]);
  }
  return check->is_stopped ? NULL : g_steal_pointer (&self);
}

void
pen_line_order_free (PenLineOrder *self)
{
  if (!self)
    return;
  g_free (self->indexes);
  g_free (self->latest);
  g_free (self);
}

/* @first: the first one at @address or above it */
static PenLineRange
find_end (const PenLineOrder *self, guint first, guint64 address)
{
  guint n = self->lines->len;
  guint end = first;

  /* Most addresses have one line, or two. */
  for (guint step = 1; end < n && get_line (self, end)->address == address; step *= 2)
    end = n - end > step ? end + step : n;
  end = PEN_BINARY_SEARCH (i, first, end, get_line (self, i)->address == address);
  return (PenLineRange){ first, end };
}

PenLineRange
pen_line_order_find_address (const PenLineOrder *self, guint64 address)
{
  return find_end (
      self, PEN_BINARY_SEARCH (i, 0, self->lines->len, get_line (self, i)->address < address),
      address);
}

PenLineRange
pen_line_order_find_next_address (const PenLineOrder *self, PenLineRange before, guint64 address)
{
  if (before.first < before.end && get_line (self, before.first)->address == address)
    return before;
  if (before.end < self->lines->len && get_line (self, before.end)->address == address)
    return find_end (self, before.end, address);
  return pen_line_order_find_address (self, address);
}

PenLineRange
pen_line_order_find (const PenLineOrder *self, PenLineRange of_address, guint32 tenure,
                     guint32 revision)
{
  PenLineRange range = { of_address.first, of_address.first };

  range.first = PEN_BINARY_SEARCH (i, of_address.first, of_address.end,
                                   compare_owners (self, get_line (self, i), tenure, revision) < 0);
  range.end = PEN_BINARY_SEARCH (i, range.first, of_address.end,
                                 compare_owners (self, get_line (self, i), tenure, revision) == 0);
  return range;
}

guint
pen_line_order_get (const PenLineOrder *self, guint place)
{
  return self->indexes[place];
}

guint
pen_line_order_find_first_at (const PenLineOrder *self, PenLineRange range, guint64 time)
{
  guint first = PEN_BINARY_SEARCH (i, range.first, range.end, self->latest[i] < time);

  return first < range.end && get_line (self, first)->from.time <= time ? first : G_MAXUINT;
}

guint
pen_line_order_find_last_at (const PenLineOrder *self, PenLineRange range, guint64 time)
{
  guint end = PEN_BINARY_SEARCH (i, range.first, range.end, get_line (self, i)->from.time <= time);

  for (guint i = end; i > range.first && self->latest[i - 1] >= time; i--)
    if (get_line (self, i - 1)->to.time >= time)
      return i - 1;
  return G_MAXUINT;
}
