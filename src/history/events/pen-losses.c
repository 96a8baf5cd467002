/* pen-losses.c: what was lost, and what can no longer be sure because of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-losses.h"

#include "pen-binary-search.h"

#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

static int
compare_losses (gconstpointer a, gconstpointer b)
{
  const PenLoss *first = a;
  const PenLoss *second = b;

  if (first->from != second->from)
    return COMPARE (first->from, second->from);
  if (first->to != second->to)
    return COMPARE (first->to, second->to);
  if (first->kind != second->kind)
    return COMPARE (first->kind, second->kind);
  if (first->cpu != second->cpu)
    return COMPARE (first->cpu, second->cpu);
  if (first->count != second->count)
    return COMPARE (first->count, second->count);
  if (first->has_event != second->has_event)
    return COMPARE (first->has_event, second->has_event);
  return COMPARE (first->event, second->event);
}

void
pen_losses_sort (GArray *losses)
{
  g_array_sort (losses, compare_losses);
}

/* Whether side-band records may be among what was lost. A file that was cut off after the last
 * record (a recorder that was killed) makes nothing of the recorded facts unsure. */
static gboolean
hides_changes (const PenLoss *loss)
{
  return loss->kind == PEN_LOSS_RECORDS || loss->kind == PEN_LOSS_SET_ASIDE
         || (loss->kind == PEN_LOSS_TRUNCATED && loss->from < loss->to);
}

/* The losses that push the latest end of those before them: only these can be the first that a
 * tenure meets, and both their ends ascend. */
static GArray *
list_leading (GArray *losses)
{
  GArray *leading = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  guint64 latest = 0;

  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);

    if (!hides_changes (loss) || (leading->len > 0 && loss->to <= latest))
      continue;
    latest = loss->to;
    g_array_append_vals (leading, loss, 1);
  }
  return leading;
}

static const PenLoss *
find_first_after (GArray *leading, guint64 time)
{
  guint low = PEN_BINARY_SEARCH (i, 0, leading->len, g_array_index (leading, PenLoss, i).to < time);

  return low < leading->len ? &g_array_index (leading, PenLoss, low) : NULL;
}

void
pen_losses_mark (GArray *losses, GArray *tenures)
{
  g_autoptr (GArray) leading = list_leading (losses);

  for (guint i = 0; i < tenures->len; i++) {
    PenTenure *tenure = &g_array_index (tenures, PenTenure, i);
    const PenLoss *loss = find_first_after (leading, tenure->from.time);

    if (loss && loss->from <= tenure->to.time)
      tenure->unverified_from = (PenMoment){ loss->from, 0 };
  }
}

guint64
pen_losses_find_first (GArray *losses, guint64 time)
{
  guint64 first = G_MAXUINT64;

  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);

    if (hides_changes (loss) && loss->to > time && loss->from <= time)
      first = MIN (first, loss->from);
  }
  return first;
}
