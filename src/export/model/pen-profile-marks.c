/* pen-profile-marks.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-profile-marks.h"

#include "pen-query-changes.h"
#include "pen-store-records.h"

typedef struct {
  guint64 first;
  guint64 last;
  gboolean asks_time;
  PenProfileMarkFunc func;
  gpointer user_data;
  gboolean is_stopped;
} Marking;

static gboolean
hand (Marking *self, PenProfileMark mark)
{
  if (self->asks_time && (mark.from > self->last || mark.to < self->first))
    return TRUE;
  mark.from = CLAMP (mark.from, self->first, self->last);
  mark.to = CLAMP (mark.to, mark.from, self->last);
  self->is_stopped = !self->func (&mark, self->user_data);
  return !self->is_stopped;
}

static gboolean
mark_change (const PenChange *change, gpointer user_data)
{
  Marking *self = user_data;
  PenProfileMark mark = { .sort = PEN_PROFILE_PATCH, .change = change };

  if (change->poke == 0 || !change->has_time || change->effect != PEN_POKE_PATCH)
    return TRUE;
  mark.from = mark.to = change->time;
  return hand (self, mark);
}

/* What comes and goes in the kernel. */
#define KINDS (1u << PEN_KIND_BPF | 1u << PEN_KIND_STUB | 1u << PEN_KIND_MODULE)

static gboolean
mark_occupants (Marking *self, PenQuery *query, const PenFilter *filter, GError **error)
{
  g_autoptr (PenFilter) own = filter ? pen_filter_copy (filter) : pen_filter_new ();
  g_autoptr (GPtrArray) rows = NULL;

  /* Of files that processes mapped there may be very many. */
  own->only.kinds = own->only.kinds == 0 ? KINDS : own->only.kinds & KINDS;
  if (own->only.kinds == 0)
    return TRUE;
  rows = pen_query_occupants (query, own, NULL, error);
  if (!rows)
    return FALSE;
  for (guint i = 0; i < rows->len && !self->is_stopped; i++) {
    const PenOccupantRow *row = rows->pdata[i];

    for (guint k = 0; k < row->lives->len && !self->is_stopped; k++) {
      const PenLife *life = &g_array_index (row->lives, PenLife, k);

      hand (self, (PenProfileMark){ .sort = PEN_PROFILE_OCCUPANT,
                                    .from = life->from,
                                    .to = life->to,
                                    .occupant = row });
    }
  }
  return TRUE;
}

/* A loss is of everything: no filter but the time leaves it out. */
static gboolean
mark_losses (Marking *self, PenQuery *query, GError **error)
{
  g_autoptr (GArray) losses = pen_store_load_losses (pen_query_get_store (query), error);

  if (!losses)
    return FALSE;
  for (guint i = 0; i < losses->len && !self->is_stopped; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);

    hand (self, (PenProfileMark){
                    .sort = PEN_PROFILE_LOSS, .from = loss->from, .to = loss->to, .loss = loss });
  }
  return TRUE;
}

gboolean
pen_profile_marks_foreach (PenQuery *query, const PenFilter *filter, guint64 first, guint64 last,
                           PenProfileMarkFunc func, gpointer user_data, GError **error)
{
  Marking self = { first, last, filter && filter->has_time, func, user_data, FALSE };

  return pen_query_foreach_change (query, filter, mark_change, &self, error)
         && (self.is_stopped || mark_occupants (&self, query, filter, error))
         && (self.is_stopped || mark_losses (&self, query, error));
}
