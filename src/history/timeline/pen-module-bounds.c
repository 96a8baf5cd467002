/* pen-module-bounds.c: since when at the earliest, and until when at the latest (rule M5)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-life.h"

#include "pen-ranges.h"

typedef struct {
  const PenEvents *events;
  const GArray *ksymbols; /* PenTenure */
  GArray *lives;          /* PenModuleLife */
  PenCancelCheck *check;
  guint64 steps; /* that are left: see STEPS */
} Lives;

/* Modules of one list are apart; but a capture may claim any number of places, each as large as it
 * likes, by a probe. Steps for each fact: beyond, what is not sure is not claimed. */
#define STEPS 64u

/* ---- contradictions ---- */

/* Bytes of [@start, @end) were something else from @moment to @until. */
typedef struct {
  PenMoment moment;
  PenMoment until;
  guint64 start;
  guint64 end;
} Other;

static int
compare_others (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return pen_moment_compare (((const Other *) a)->moment, ((const Other *) b)->moment);
}

/* The end of a ksymbol refreshes it, so that of each byte the last holder counts. */
static GArray *
list_others (const Lives *self)
{
  GArray *others = g_array_new (FALSE, FALSE, sizeof (Other));

  for (guint i = 0; i < self->ksymbols->len; i++) {
    const PenTenure *tenure = &g_array_index (self->ksymbols, PenTenure, i);
    Other begin = { tenure->from, tenure->to, tenure->start, tenure->end };
    Other end = { tenure->to, tenure->to, tenure->start, tenure->end };

    if (tenure->layer != PEN_LAYER_KSYMBOL || tenure->start >= tenure->end)
      continue;
    /* K6: it lasts until something takes its bytes, as a module may. */
    if (pen_moment_compare (tenure->from, PEN_MOMENT_START) == 0
        && tenure->to_bound == PEN_BOUND_OPEN)
      begin.until = begin.moment;
    g_array_append_val (others, begin);
    if (tenure->to_bound != PEN_BOUND_OPEN)
      g_array_append_val (others, end);
  }
  for (guint i = 0; i < self->events->allocations->len; i++) {
    const PenAllocationItem *item
        = &g_array_index (self->events->allocations, PenAllocationItem, i);
    Other other = { item->moment, item->moment, item->start, item->end };

    g_array_append_val (others, other);
  }
  return others;
}

/* Lives by when they are surely there; their order does not change while others are asked. */
static int
compare_begins (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenModuleLife *lives = user_data;

  return pen_moment_compare (lives[*(const guint32 *) a].sure_from,
                             lives[*(const guint32 *) b].sure_from);
}

static int
compare_seen (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenModuleLife *lives = user_data;

  return pen_moment_compare (lives[*(const guint32 *) a].seen_from,
                             lives[*(const guint32 *) b].seen_from);
}

static int
compare_ends (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenModuleLife *lives = user_data;

  return pen_moment_compare (lives[*(const guint32 *) a].sure_to,
                             lives[*(const guint32 *) b].sure_to);
}

static guint32 *
sort_lives (Lives *self, GCompareDataFunc compare)
{
  guint32 *order = g_new (guint32, self->lives->len);

  for (guint32 i = 0; i < self->lives->len; i++)
    order[i] = i;
  pen_cancel_check_sort (self->check, order, self->lives->len, sizeof *order, compare,
                         self->lives->data);
  return order;
}

static gboolean
take_step (Lives *self)
{
  if (self->steps > 0)
    self->steps--;
  return self->steps > 0;
}

/* M5: what a snapshot shows began no earlier than the last thing that contradicts it. */
static gboolean
bound_begins (Lives *self, const GArray *others)
{
  g_autofree guint32 *order = sort_lives (self, compare_begins);
  g_autoptr (PenRanges) last = pen_ranges_new ();
  guint at = 0;

  for (guint i = 0; i < self->lives->len; i++) {
    PenModuleLife *life = &g_array_index (self->lives, PenModuleLife, order[i]);
    const PenRange *range;
    guint64 start = life->start;

    for (; at < others->len
           && pen_moment_is_before (g_array_index (others, Other, at).moment, life->sure_from);
         at++) {
      const Other *other = &g_array_index (others, Other, at);

      pen_ranges_take (last, other->start, other->end, at, NULL, NULL, NULL);
    }
    while (life->from_bound == PEN_BOUND_INFERRED && start < pen_module_life_get_text_end (life)
           && take_step (self)
           && (range = pen_ranges_find (last, start, pen_module_life_get_text_end (life)))) {
      const Other *other = &g_array_index (others, Other, range->value);

      life->from
          = pen_moment_later (life->from, pen_moment_earlier (other->until, life->sure_from));
      start = range->end;
    }
    if (self->steps == 0 && life->from_bound == PEN_BOUND_INFERRED)
      life->from = life->sure_from;
    if (!pen_cancel_check_step (self->check))
      return FALSE;
  }
  return TRUE;
}

/* And what is not there any more had ended at the first thing that contradicts it. */
static gboolean
bound_ends (Lives *self, const GArray *others)
{
  g_autofree guint32 *order = sort_lives (self, compare_ends);
  g_autoptr (PenRanges) next = pen_ranges_new ();
  guint at = others->len;

  for (guint i = self->lives->len; i-- > 0;) {
    PenModuleLife *life = &g_array_index (self->lives, PenModuleLife, order[i]);
    const PenRange *range;
    guint64 start = life->start;

    for (; at > 0
           && pen_moment_is_before (life->sure_to, g_array_index (others, Other, at - 1).moment);
         at--) {
      const Other *other = &g_array_index (others, Other, at - 1);

      pen_ranges_take (next, other->start, other->end, at - 1, NULL, NULL, NULL);
    }
    while (life->to_bound == PEN_BOUND_INFERRED && start < pen_module_life_get_text_end (life)
           && take_step (self)
           && (range = pen_ranges_find (next, start, pen_module_life_get_text_end (life)))) {
      life->to = pen_moment_earlier (life->to, g_array_index (others, Other, range->value).moment);
      start = range->end;
    }
    if (self->steps == 0 && life->to_bound == PEN_BOUND_INFERRED)
      life->to = life->sure_to;
    if (!pen_cancel_check_step (self->check))
      return FALSE;
  }
  return TRUE;
}

/* ---- the same in two lists ---- */

/* What was seen last at its place, before it was seen there again? Another module contradicts that
 * it stayed. */
static void
find_returns (Lives *self, PenModuleLife *life, guint32 index, PenRanges *last)
{
  guint64 end = pen_module_life_get_text_end (life);
  const PenRange *range;
  guint64 start = life->start;

  while (life->is_again && start < end && take_step (self)
         && (range = pen_ranges_find (last, start, end))) {
    if (range->value != index - 1)
      life->is_again = FALSE;
    start = range->end;
  }
  pen_ranges_take (last, life->start, end, index, NULL, NULL, NULL);
}

/* Between them it is inferred to have been there, where nothing contradicts that. */
static gboolean
join_lives (Lives *self)
{
  g_autofree guint32 *order = sort_lives (self, compare_begins);
  g_autoptr (PenRanges) last = pen_ranges_new ();

  for (guint i = 0; i < self->lives->len; i++) {
    PenModuleLife *life = &g_array_index (self->lives, PenModuleLife, order[i]);

    if (life->start < pen_module_life_get_text_end (life))
      find_returns (self, life, order[i], last);
    if (!pen_cancel_check_step (self->check))
      return FALSE;
  }
  for (guint i = 1; i < self->lives->len; i++) {
    PenModuleLife *life = &g_array_index (self->lives, PenModuleLife, i);
    PenModuleLife *before = life - 1;

    if (!life->is_again || pen_moment_is_before (before->sure_to, life->from)
        || pen_moment_is_before (before->to, life->sure_from))
      continue;
    life->from = before->from;
    life->seen_from = before->seen_from;
    life->from_bound = before->from_bound;
    before->end = before->start;
  }
  return TRUE;
}

/* ---- one after the other at the same place ---- */

/* Of two whose longest stays overlap, neither is known to have been there in between. */
static void
part (PenModuleLife *first, PenModuleLife *second)
{
  PenMoment from = pen_moment_later (second->from, first->sure_to);
  PenMoment to = pen_moment_earlier (first->to, second->seen_from);

  /* Maps of the start, or facts that cannot both be right: the later takes its range (M1). */
  if (second->map != PEN_MODULE_LIFE_NONE
      || pen_moment_is_before (second->seen_from, first->sure_to))
    return;
  if (pen_moment_is_before (from, first->to)) {
    first->to = from;
    first->to_bound = PEN_BOUND_INFERRED;
  }
  if (pen_moment_is_before (second->from, to))
    second->from = to;
}

static gboolean
part_lives (Lives *self)
{
  g_autofree guint32 *order = sort_lives (self, compare_seen);
  g_autoptr (PenRanges) last = pen_ranges_new ();

  for (guint i = 0; i < self->lives->len; i++) {
    PenModuleLife *life = &g_array_index (self->lives, PenModuleLife, order[i]);
    const PenRange *range;
    guint64 start = life->start;

    if (life->start == life->end)
      continue;
    while (start < pen_module_life_get_text_end (life)
           && (range = pen_ranges_find (last, start, pen_module_life_get_text_end (life)))) {
      part (&g_array_index (self->lives, PenModuleLife, range->value), life);
      start = range->end;
    }
    pen_ranges_take (last, life->start, pen_module_life_get_text_end (life), order[i], NULL, NULL,
                     NULL);
    if (!pen_cancel_check_step (self->check))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_module_bounds_apply (const PenEvents *events, const GArray *ksymbols, GArray *lives,
                         PenCancelCheck *check)
{
  Lives self = { events, ksymbols, lives, check, 0 };
  g_autoptr (GArray) others = list_others (&self);

  self.steps = STEPS * ((guint64) others->len + lives->len + 1);
  if (!pen_cancel_check_sort (check, others->data, others->len, sizeof (Other), compare_others,
                              NULL)
      || !bound_begins (&self, others) || !bound_ends (&self, others))
    return FALSE;
  return join_lives (&self) && part_lives (&self);
}
