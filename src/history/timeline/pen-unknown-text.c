/* pen-unknown-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-unknown-text.h"

#include "pen-ranges.h"

typedef struct {
  guint64 start;
  guint64 end;
  PenMoment from;
  PenMoment to;
} Piece;

typedef struct {
  PenHistory *held; /* what ksymbols and maps held */
  PenSweep *sweep;
  const PenPart *lasting; /* the largest that does not end, or NULL */
  guint begun;            /* how many of what begins and ends in it are done */
  guint ended;
  GArray *moments;      /* PenMoment: ends; the first is the start */
  PenRanges *ends;      /* value: in moments, of the last end there */
  PenRanges *open;      /* poked, and held by none since then; value: in moments */
  GArray *pieces;       /* Piece */
  const PenPart *taker; /* of what is open */
} Search;

static guint32
add_moment (Search *self, PenMoment moment)
{
  g_array_append_val (self->moments, moment);
  return self->moments->len - 1;
}

static void
add_piece (Search *self, const PenRange *range, guint64 start, guint64 end, PenMoment to)
{
  Piece piece = {
    .start = start,
    .end = end,
    .from = g_array_index (self->moments, PenMoment, range->value),
    .to = to,
  };

  g_array_append_val (self->pieces, piece);
}

static void
lose_range (const PenRange *range, gpointer user_data)
{
  Search *self = user_data;
  const PenPart *taker = self->taker;

  add_piece (self, range, MAX (range->start, taker->start), MIN (range->end, taker->end),
             taker->from);
}

static void
begin_part (Search *self, const PenPart *part)
{
  self->taker = part;
  if (part->start < part->end)
    pen_ranges_clear (self->open, part->start, part->end, lose_range, NULL, self);
}

static void
end_part (Search *self, const PenPart *part)
{
  if (part->start < part->end && pen_moment_compare (part->from, part->to) < 0)
    pen_ranges_take (self->ends, part->start, part->end, add_moment (self, part->to), NULL, NULL,
                     NULL);
}

/* Everything before @moment; at one moment, what ends ends before what begins. */
static gboolean
advance (Search *self, PenMoment moment, PenCancelCheck *check)
{
  const PenHistory *held = self->held;
  const PenPart *parts = held->planes.parts;
  const guint32 *closed = (const guint32 *) (gpointer) held->builder.closed->data;
  guint n_closed = held->builder.closed->len;

  for (;;) {
    const PenPart *begin = self->begun < held->n_begins ? &parts[held->begins[self->begun]] : NULL;
    const PenPart *end = self->ended < n_closed ? &parts[closed[self->ended]] : NULL;
    PenMoment begins_at = begin ? begin->from : PEN_MOMENT_END;
    PenMoment ends_at = end ? end->to : PEN_MOMENT_END;

    if (pen_moment_compare (begins_at, moment) >= 0 && pen_moment_compare (ends_at, moment) >= 0)
      return TRUE;
    if (pen_moment_compare (ends_at, begins_at) <= 0) {
      end_part (self, end);
      self->ended++;
    } else {
      begin_part (self, begin);
      self->begun++;
    }
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
}

/* None of [@start, @end) is open yet. */
static void
open_gap (Search *self, guint64 start, guint64 end)
{
  while (start < end) {
    const PenRange *last = pen_ranges_find (self->ends, start, end);
    guint64 to = !last ? end : last->start > start ? last->start : MIN (last->end, end);

    pen_ranges_take (self->open, start, to, last && last->start <= start ? last->value : 0, NULL,
                     NULL, NULL);
    start = to;
  }
}

static void
open_range (Search *self, guint64 start, guint64 end)
{
  while (start < end) {
    const PenRange *range = pen_ranges_find (self->open, start, end);
    guint64 gap = range ? MAX (range->start, start) : end;
    guint64 next = range ? range->end : end;

    open_gap (self, start, gap);
    start = next;
  }
}

static void
add_poke (Search *self, const PenPoke *poke)
{
  guint64 start = poke->address;
  guint64 limit = start + MIN (pen_poke_get_length (poke), G_MAXUINT64 - start);

  while (start < limit) {
    guint64 end = limit;

    if (!pen_sweep_find_kernel_run (self->sweep, start, &end))
      open_range (self, start, end);
    start = end;
  }
}

/* As a rule the core kernel: most pokes are in what it holds, and need not be looked for. */
static const PenPart *
find_lasting (const PenHistory *held)
{
  const PenPart *lasting = NULL;

  for (guint i = 0; i < held->planes.n_parts; i++) {
    const PenPart *part = &held->planes.parts[i];

    if (part->start < part->end && pen_moment_compare (part->to, PEN_MOMENT_END) == 0
        && (!lasting || part->end - part->start > lasting->end - lasting->start))
      lasting = part;
  }
  return lasting;
}

static gboolean
is_lastingly_held (const Search *self, const PenPoke *poke)
{
  const PenPart *part = self->lasting;

  return part && poke->address >= part->start && poke->address < part->end
         && pen_poke_get_length (poke) <= part->end - poke->address
         && pen_moment_compare (part->from, poke->moment) < 0;
}

static void
end_open (const PenRange *range, gpointer user_data)
{
  add_piece (user_data, range, range->start, range->end, PEN_MOMENT_END);
}

static gboolean
search_pokes (Search *self, GArray *pokes, PenCancelCheck *check)
{
  add_moment (self, PEN_MOMENT_START);
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);

    if (is_lastingly_held (self, poke)) {
      if (!pen_cancel_check_step (check))
        return FALSE;
      continue;
    }
    if (!advance (self, poke->moment, check))
      return FALSE;
    pen_sweep_advance (self->sweep, poke->moment);
    add_poke (self, poke);
  }
  /* What lasts still ends where something comes later. */
  if (!advance (self, PEN_MOMENT_END, check))
    return FALSE;
  pen_ranges_foreach (self->open, end_open, self);
  return TRUE;
}

static int
compare_pieces (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Piece *first = a;
  const Piece *second = b;
  int order = pen_moment_compare (first->from, second->from);

  if (!order)
    order = pen_moment_compare (first->to, second->to);
  return order ? order : (first->start > second->start) - (first->start < second->start);
}

static gboolean
continues (const Piece *piece, const Piece *next)
{
  return piece->end == next->start && pen_moment_compare (piece->from, next->from) == 0
         && pen_moment_compare (piece->to, next->to) == 0;
}

static void
open_tenure (PenHistory *self, const Piece *piece)
{
  PenTenure tenure = {
    .space = PEN_SPACE_KERNEL,
    .layer = PEN_LAYER_POKE,
    .kind = PEN_KIND_UNKNOWN,
    .occupant = "",
    .name = "",
    .start = piece->start,
    .end = piece->end,
    .from = piece->from,
    .from_bound = PEN_BOUND_INFERRED,
    .evidence = PEN_EVIDENCE_UNKNOWN,
  };
  guint32 index = pen_tenure_builder_open (&self->builder, &tenure);
  guint32 part
      = pen_tenure_builder_open_part (&self->builder, index, piece->start, piece->end, piece->from);

  if (pen_moment_compare (piece->to, PEN_MOMENT_END) < 0)
    pen_tenure_builder_close_part (&self->builder, part, piece->to, PEN_BOUND_INFERRED);
}

static gboolean
open_tenures (PenHistory *self, GArray *pieces, PenCancelCheck *check)
{
  Piece *all = (Piece *) (gpointer) pieces->data;

  if (!pen_cancel_check_sort (check, all, pieces->len, sizeof *all, compare_pieces, NULL))
    return FALSE;
  for (guint i = 0; i < pieces->len; i++) {
    if (i + 1 < pieces->len && continues (&all[i], &all[i + 1]))
      all[i + 1].start = all[i].start;
    else
      open_tenure (self, &all[i]);
  }
  return pieces->len == 0 || pen_tenure_builder_sort_closed (&self->builder, check);
}

/* The kernel's space alone, as ksymbols and maps have it. */
static PenHistory *
copy_kernel (PenHistory *self, PenCancelCheck *check)
{
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (PenPart));

  for (guint i = 0; i < self->builder.tenures->len; i++) {
    PenTenure tenure = *pen_tenure_builder_get_tenure (&self->builder, i);

    tenure.id = i + 1;
    if (tenure.space == PEN_SPACE_KERNEL)
      g_array_append_val (tenures, tenure);
  }
  for (guint i = 0; i < self->builder.parts->len; i++) {
    PenPart part = *pen_tenure_builder_get_part (&self->builder, i);

    part.tenure++;
    if (pen_tenure_builder_get_tenure (&self->builder, part.tenure - 1)->space == PEN_SPACE_KERNEL)
      g_array_append_val (parts, part);
  }
  return pen_history_new_partial (tenures, parts, check);
}

gboolean
pen_unknown_text_add (PenHistory *self, PenCancelCheck *check)
{
  g_autoptr (PenHistory) held = NULL;
  g_autoptr (PenSweep) sweep = NULL;
  g_autoptr (GArray) moments = g_array_new (FALSE, FALSE, sizeof (PenMoment));
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_autoptr (PenRanges) ends = pen_ranges_new ();
  g_autoptr (PenRanges) open = pen_ranges_new ();
  Search search = { .moments = moments, .ends = ends, .open = open, .pieces = pieces };

  if (self->pokes->len == 0)
    return TRUE;
  search.held = held = copy_kernel (self, check);
  if (check->is_stopped)
    return FALSE;
  search.sweep = sweep = pen_sweep_new (held);
  search.lasting = find_lasting (held);
  return search_pokes (&search, self->pokes, check) && open_tenures (self, pieces, check);
}
