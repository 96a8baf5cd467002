/* pen-ksymbol-ends.c: for each ksymbol, the next one that lived at the same time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ksymbol-ends.h"

#include "pen-binary-search.h"

#define NONE G_MAXUINT32

struct _PenKsymbolEnds {
  const PenTenure **by_start;
  guint64 *ends; /* of those */
  guint n;
};

/* Their place in memory makes the order one. */
static int
compare_starts (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenTenure *x = *(const PenTenure *const *) a;
  const PenTenure *y = *(const PenTenure *const *) b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (x > y) - (x < y);
}

static int
compare_moments (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  return pen_moment_compare (*(const PenMoment *) a, *(const PenMoment *) b);
}

/* ---- who was alive then ---- */

/*
 * Alive: a segment tree over time, for the ksymbols that start further on. A slot is a moment at
 * which one begins or ends, or the time between two of those.
 *
 * @least: of a node, the first ksymbol that was there at any time of its slots
 * @all: of a node, the first one that was there during all of them
 */
typedef struct {
  GArray *moments; /* PenMoment, sorted */
  guint n_slots;   /* a power of two */
  guint32 *least;
  guint32 *all;
} Alive;

/* Returns: FALSE: stopped */
static gboolean
alive_init (Alive *self, const PenTenure *const *ksymbols, guint n, PenCancelCheck *check)
{
  gboolean is_sorted;

  self->moments = g_array_sized_new (FALSE, FALSE, sizeof (PenMoment), 2 * n);
  for (guint i = 0; i < n; i++) {
    g_array_append_val (self->moments, ksymbols[i]->from);
    g_array_append_val (self->moments, ksymbols[i]->to);
  }
  is_sorted = pen_cancel_check_sort (check, self->moments->data, self->moments->len,
                                     sizeof (PenMoment), compare_moments, NULL);

  self->n_slots = 1;
  while (self->n_slots < 2 * self->moments->len)
    self->n_slots *= 2;
  self->least = g_new (guint32, 2 * (gsize) self->n_slots);
  self->all = g_new (guint32, 2 * (gsize) self->n_slots);
  for (gsize i = 0; i < 2 * (gsize) self->n_slots; i++)
    self->least[i] = self->all[i] = NONE;
  return is_sorted;
}

static void
alive_clear (Alive *self)
{
  g_array_unref (self->moments);
  g_free (self->least);
  g_free (self->all);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Alive, alive_clear)

static guint
find_slot (const Alive *self, PenMoment moment)
{
  return 2
         * PEN_BINARY_SEARCH (
             i, 0, self->moments->len,
             pen_moment_compare (g_array_index (self->moments, PenMoment, i), moment) < 0);
}

/* From a beginning to an end, both excluded; one that ended as it began was there at that moment.
 */
static void
find_slots (const Alive *self, const PenTenure *ksymbol, guint *first, guint *end)
{
  *first = find_slot (self, ksymbol->from);
  *end = find_slot (self, ksymbol->to);
  if (*first < *end)
    (*first)++;
  else
    *end = *first + 1;
}

/* Smaller numbers come later. */
static void
add_alive (Alive *self, const PenTenure *ksymbol, guint32 number)
{
  guint first;
  guint end;

  find_slots (self, ksymbol, &first, &end);
  for (guint low = first + self->n_slots, high = end + self->n_slots; low < high;
       low /= 2, high /= 2) {
    if (low % 2 == 1) {
      self->least[low] = self->all[low] = number;
      low++;
    }
    if (high % 2 == 1) {
      high--;
      self->least[high] = self->all[high] = number;
    }
  }
  for (guint node = (first + self->n_slots) / 2; node > 0; node /= 2)
    self->least[node] = number;
  for (guint node = (end - 1 + self->n_slots) / 2; node > 0; node /= 2)
    self->least[node] = number;
}

static guint32
find_alive (const Alive *self, const PenTenure *ksymbol)
{
  guint first;
  guint end;
  guint32 found = NONE;

  find_slots (self, ksymbol, &first, &end);
  for (guint node = (first + self->n_slots) / 2; node > 0; node /= 2)
    found = MIN (found, self->all[node]);
  for (guint node = (end - 1 + self->n_slots) / 2; node > 0; node /= 2)
    found = MIN (found, self->all[node]);
  for (guint low = first + self->n_slots, high = end + self->n_slots; low < high;
       low /= 2, high /= 2) {
    if (low % 2 == 1) {
      found = MIN (found, self->least[low]);
      low++;
    }
    if (high % 2 == 1) {
      high--;
      found = MIN (found, self->least[high]);
    }
  }
  return found;
}

/* From the last to the first, so that of those that are known the smallest number is the next. */
static gboolean
find_ends (PenKsymbolEnds *self, PenCancelCheck *check)
{
  g_auto (Alive) alive;
  guint added = self->n;

  if (!alive_init (&alive, self->by_start, self->n, check))
    return FALSE;
  for (guint i = self->n; i-- > 0;) {
    const PenTenure *ksymbol = self->by_start[i];
    guint32 next;

    while (added > 0 && self->by_start[added - 1]->start > ksymbol->start) {
      added--;
      add_alive (&alive, self->by_start[added], added);
    }
    next = find_alive (&alive, ksymbol);
    self->ends[i] = next == NONE ? ksymbol->end : MIN (ksymbol->end, self->by_start[next]->start);
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
  return TRUE;
}

PenKsymbolEnds *
pen_ksymbol_ends_new (const PenTenure *tenures, guint n, PenCancelCheck *check)
{
  g_autoptr (PenKsymbolEnds) self = g_new0 (PenKsymbolEnds, 1);
  PenCancelCheck never = { 0 };

  for (guint i = 0; i < n; i++)
    self->n += tenures[i].layer == PEN_LAYER_KSYMBOL;
  self->by_start = g_new (const PenTenure *, MAX (self->n, 1));
  self->ends = g_new (guint64, MAX (self->n, 1));
  for (guint i = 0, k = 0; i < n; i++)
    if (tenures[i].layer == PEN_LAYER_KSYMBOL)
      self->by_start[k++] = &tenures[i];
  if (!check)
    check = &never;
  if (!pen_cancel_check_sort (check, self->by_start, self->n, sizeof *self->by_start,
                              compare_starts, NULL)
      || !find_ends (self, check))
    return NULL;
  return g_steal_pointer (&self);
}

void
pen_ksymbol_ends_free (PenKsymbolEnds *self)
{
  if (!self)
    return;
  g_free (self->by_start);
  g_free (self->ends);
  g_free (self);
}

const PenTenure *const *
pen_ksymbol_ends_get_tenures (PenKsymbolEnds *self, guint *n)
{
  *n = self->n;
  return self->by_start;
}

guint64
pen_ksymbol_ends_get (PenKsymbolEnds *self, const PenTenure *tenure)
{
  guint i
      = PEN_BINARY_SEARCH (k, 0, self->n, compare_starts (&self->by_start[k], &tenure, NULL) < 0);

  g_assert (i < self->n && self->by_start[i] == tenure);
  return self->ends[i];
}
