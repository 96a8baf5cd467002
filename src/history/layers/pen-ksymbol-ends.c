/* pen-ksymbol-ends.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ksymbol-ends.h"

#include "pen-binary-search.h"

#include <stdlib.h>

/* How many ksymbols after a ksymbol's start are looked at for its end. Real ones overlap a
 * handful; a made-up capture could have a million in one. */
#define MAX_NEIGHBOURS 4096

struct _PenKsymbolEnds {
  const PenTenure **by_start;
  guint n;
};

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const PenTenure *x = *(const PenTenure *const *) a;
  const PenTenure *y = *(const PenTenure *const *) b;

  return (x->start > y->start) - (x->start < y->start);
}

PenKsymbolEnds *
pen_ksymbol_ends_new (const PenTenure *tenures, guint n)
{
  PenKsymbolEnds *self = g_new0 (PenKsymbolEnds, 1);

  self->by_start = g_new (const PenTenure *, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    if (tenures[i].layer == PEN_LAYER_KSYMBOL)
      self->by_start[self->n++] = &tenures[i];
  qsort (self->by_start, self->n, sizeof *self->by_start, compare_starts);
  return self;
}

void
pen_ksymbol_ends_free (PenKsymbolEnds *self)
{
  if (!self)
    return;
  g_free (self->by_start);
  g_free (self);
}

const PenTenure *const *
pen_ksymbol_ends_get_tenures (PenKsymbolEnds *self, guint *n)
{
  *n = self->n;
  return self->by_start;
}

static gboolean
lifetimes_meet (const PenTenure *a, const PenTenure *b)
{
  return pen_moment_compare (a->from, b->to) < 0 && pen_moment_compare (b->from, a->to) < 0;
}

guint64
pen_ksymbol_ends_get (PenKsymbolEnds *self, const PenTenure *tenure)
{
  guint low = PEN_BINARY_SEARCH (i, 0, self->n, self->by_start[i]->start <= tenure->start);

  for (guint i = low; i < self->n && i - low < MAX_NEIGHBOURS; i++) {
    const PenTenure *other = self->by_start[i];

    if (other->start >= tenure->end)
      break;
    if (lifetimes_meet (tenure, other))
      return other->start;
  }
  return tenure->end;
}
