/* pen-pair-align.c: the shortest edit from one text to another, with a bounded cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-align.h"

#include "pen-binary-search.h"
#include "pen-table-hash.h"

/* Edits that are searched for in one go: the memory is their square, in words. */
#define EDITS_MAX 1024u

typedef struct {
  guint begin[2];
  guint end[2];
} Range;

/* @steps: that are left */
typedef struct {
  const char *const *texts[2];
  GArray *matches;
  guint steps;
  PenCancelCheck *check;
} Align;

static void
add_match (Align *self, guint a, guint b)
{
  PenPairMatch match = { a, b };

  g_array_append_val (self->matches, match);
}

static gboolean
is_equal (const Align *self, guint a, guint b)
{
  return self->texts[0][a] == self->texts[1][b];
}

static void
add_unequal (Align *self, const Range *range)
{
  for (guint i = range->begin[0]; i < range->end[0]; i++)
    add_match (self, i, G_MAXUINT);
  for (guint i = range->begin[1]; i < range->end[1]; i++)
    add_match (self, G_MAXUINT, i);
}

/* ---- the shortest edit (Myers 1986) ---- */

#define UNREACHED (-1)

/* @rounds: how far each diagonal reaches with so many edits: @rounds[edits][diagonal + edits] */
typedef struct {
  GPtrArray *rounds;
  int n;
  int m;
} Edits;

static void
edits_clear (Edits *self)
{
  g_clear_pointer (&self->rounds, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Edits, edits_clear)

static int *
get_reach (const Edits *self, int edits, int diagonal)
{
  return (int *) self->rounds->pdata[edits] + diagonal + edits;
}

static int
get_reach_or_none (const Edits *self, int edits, int diagonal)
{
  return diagonal < -edits || diagonal > edits ? UNREACHED : *get_reach (self, edits, diagonal);
}

/* Where the last of @edits leaves off on @diagonal: after the removal of an instruction of A, or
 * after the insertion of one of B. */
static int
find_start (const Edits *self, int edits, int diagonal, gboolean *is_removal)
{
  int inserted = get_reach_or_none (self, edits - 1, diagonal + 1);
  int removed = get_reach_or_none (self, edits - 1, diagonal - 1);

  if (inserted != UNREACHED && inserted - diagonal > self->m)
    inserted = UNREACHED;
  removed = removed != UNREACHED && removed < self->n ? removed + 1 : UNREACHED;
  *is_removal = removed != UNREACHED && removed >= inserted;
  return MAX (removed, inserted);
}

static gboolean
take_steps (Align *self, guint n)
{
  if (self->steps < n || !pen_cancel_check_steps (self->check, n))
    return FALSE;
  self->steps -= n;
  return TRUE;
}

/* Returns: FALSE: it takes too many steps */
static gboolean
find_edits (Align *self, const Range *range, Edits *edits)
{
  for (int round = 0; round <= (int) EDITS_MAX; round++) {
    int *reach = g_new (int, 2 * round + 1);

    g_ptr_array_add (edits->rounds, reach);
    for (int diagonal = -round; diagonal <= round; diagonal++) {
      gboolean is_removal;
      int x, from;

      *get_reach (edits, round, diagonal) = UNREACHED;
      if ((round + diagonal) % 2 != 0)
        continue;
      x = from = round == 0 ? 0 : find_start (edits, round, diagonal, &is_removal);
      while (
          x != UNREACHED && x < edits->n && x - diagonal < edits->m
          && is_equal (self, range->begin[0] + (guint) x, range->begin[1] + (guint) (x - diagonal)))
        x++;
      *get_reach (edits, round, diagonal) = x;
      if (!take_steps (self, 1 + (guint) (x - from)))
        return FALSE;
      if (x == edits->n && x - diagonal == edits->m)
        return TRUE;
    }
  }
  return FALSE;
}

/* From the end to the beginning. */
static void
add_edits (Align *self, const Range *range, const Edits *edits)
{
  guint first = self->matches->len;
  int diagonal = edits->n - edits->m;
  int x = edits->n;

  for (int round = (int) edits->rounds->len - 1; round >= 0; round--) {
    gboolean is_removal = FALSE;
    int from = round == 0 ? 0 : find_start (edits, round, diagonal, &is_removal);

    for (; x > from; x--)
      add_match (self, range->begin[0] + (guint) (x - 1),
                 range->begin[1] + (guint) (x - 1 - diagonal));
    if (round == 0)
      break;
    if (is_removal) {
      add_match (self, range->begin[0] + (guint) --x, G_MAXUINT);
      diagonal--;
    } else {
      add_match (self, G_MAXUINT, range->begin[1] + (guint) (x - diagonal - 1));
      diagonal++;
    }
  }
  for (guint low = first, high = self->matches->len; low + 1 < high; low++, high--) {
    PenPairMatch *matches = (PenPairMatch *) (gpointer) self->matches->data;
    PenPairMatch match = matches[low];

    matches[low] = matches[high - 1];
    matches[high - 1] = match;
  }
}

static gboolean
align_by_edits (Align *self, const Range *range)
{
  g_auto (Edits) edits
      = { g_ptr_array_new_with_free_func (g_free), (int) (range->end[0] - range->begin[0]),
          (int) (range->end[1] - range->begin[1]) };

  if (!find_edits (self, range, &edits))
    return FALSE;
  add_edits (self, range, &edits);
  return TRUE;
}

/* ---- by what is there once in each ---- */

/* Parts of parts, at most. */
#define DEPTH_MAX 16u

/* G_MAXUINT: not there; SEVERAL: more than once */
#define SEVERAL (G_MAXUINT - 1)

typedef struct {
  guint at[2];
} Place;

static GHashTable *
count_places (Align *self, const Range *range)
{
  GHashTable *places = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);

  for (guint side = 0; side < 2; side++)
    for (guint i = range->begin[side]; i < range->end[side] && pen_cancel_check_step (self->check);
         i++) {
      gpointer words = (gpointer) self->texts[side][i];
      Place *place = g_hash_table_lookup (places, words);

      if (!place) {
        place = g_new (Place, 1);
        place->at[0] = place->at[1] = G_MAXUINT;
        g_hash_table_insert (places, words, place);
      }
      place->at[side] = place->at[side] == G_MAXUINT ? i : SEVERAL;
    }
  return places;
}

/* The longest sequence that ascends in both (patience sorting). @anchors: ascending by a.
 * Returns: (transfer full) (element-type PenPairMatch) */
static GArray *
find_longest (const GArray *anchors)
{
  const PenPairMatch *all = (const PenPairMatch *) (gconstpointer) anchors->data;
  g_autofree guint *last = g_new (guint, anchors->len + 1);
  g_autofree guint *before = g_new (guint, anchors->len + 1);
  GArray *longest = g_array_new (FALSE, TRUE, sizeof (PenPairMatch));
  guint n = 0;

  for (guint i = 0; i < anchors->len; i++) {
    guint pile = PEN_BINARY_SEARCH (k, 0, n, all[last[k]].b < all[i].b);

    before[i] = pile > 0 ? last[pile - 1] : G_MAXUINT;
    last[pile] = i;
    n = MAX (n, pile + 1);
  }
  g_array_set_size (longest, n);
  for (guint at = n > 0 ? last[n - 1] : G_MAXUINT; at != G_MAXUINT; at = before[at])
    g_array_index (longest, PenPairMatch, --n) = all[at];
  return longest;
}

static GArray *
find_anchors (Align *self, const Range *range)
{
  g_autoptr (GHashTable) places = count_places (self, range);
  g_autoptr (GArray) anchors = g_array_new (FALSE, FALSE, sizeof (PenPairMatch));

  for (guint i = range->begin[0]; i < range->end[0]; i++) {
    const Place *place = g_hash_table_lookup (places, self->texts[0][i]);

    if (place && place->at[0] == i && place->at[1] < SEVERAL) {
      PenPairMatch anchor = { i, place->at[1] };

      g_array_append_val (anchors, anchor);
    }
  }
  return find_longest (anchors);
}

static void align_range (Align *self, Range range, guint depth);

static void
align_by_anchors (Align *self, const Range *range, guint depth)
{
  g_autoptr (GArray) anchors = NULL;
  Range part = *range;

  if (depth < DEPTH_MAX)
    anchors = find_anchors (self, range);
  if (!anchors || anchors->len == 0) {
    add_unequal (self, range);
    return;
  }
  for (guint i = 0; i < anchors->len; i++) {
    const PenPairMatch *anchor = &g_array_index (anchors, PenPairMatch, i);

    part.end[0] = anchor->a;
    part.end[1] = anchor->b;
    align_range (self, part, depth + 1);
    add_match (self, anchor->a, anchor->b);
    part.begin[0] = anchor->a + 1;
    part.begin[1] = anchor->b + 1;
  }
  part.end[0] = range->end[0];
  part.end[1] = range->end[1];
  align_range (self, part, depth + 1);
}

/* ---- both ---- */

static void
align_range (Align *self, Range range, guint depth)
{
  guint n_after = 0;

  while (range.begin[0] < range.end[0] && range.begin[1] < range.end[1]
         && is_equal (self, range.begin[0], range.begin[1]))
    add_match (self, range.begin[0]++, range.begin[1]++);
  while (range.begin[0] < range.end[0] && range.begin[1] < range.end[1]
         && is_equal (self, range.end[0] - 1, range.end[1] - 1)) {
    range.end[0]--;
    range.end[1]--;
    n_after++;
  }
  if (range.begin[0] == range.end[0] || range.begin[1] == range.end[1])
    add_unequal (self, &range);
  else if (!align_by_edits (self, &range))
    align_by_anchors (self, &range, depth);
  for (guint i = 0; i < n_after; i++)
    add_match (self, range.end[0] + i, range.end[1] + i);
}

/* ---- among equal ones ---- */

/* Of which text @match has none: 0, 1; 2: it is a pair. */
static guint
get_missing (const PenPairMatch *match)
{
  return match->a == G_MAXUINT ? 0 : match->b == G_MAXUINT ? 1 : 2;
}

/* A single that may be at @to as well: between are pairs equal to it. */
static void
move_single (PenPairMatch *matches, guint from, guint to)
{
  guint side = get_missing (&matches[from]);
  guint low = MIN (from, to), high = MAX (from, to);
  guint first[2] = { G_MAXUINT, G_MAXUINT };

  for (guint i = low; i <= high; i++) {
    first[0] = MIN (first[0], matches[i].a);
    first[1] = MIN (first[1], matches[i].b);
  }
  for (guint i = low; i <= high; i++) {
    matches[i].a = side == 0 && i == to ? G_MAXUINT : first[0]++;
    matches[i].b = side == 1 && i == to ? G_MAXUINT : first[1]++;
  }
}

static const char *
get_words (const Align *self, const PenPairMatch *match)
{
  return match->a != G_MAXUINT ? self->texts[0][match->a] : self->texts[1][match->b];
}

/* Looks from @from on, by @step, past pairs that are equal to it, for a single of the other text.
 * Returns: where it would be next to that; @from: nowhere */
static guint
find_partner (Align *self, guint from, int step)
{
  const PenPairMatch *matches = (const PenPairMatch *) (gconstpointer) self->matches->data;
  const PenPairMatch *single = &matches[from];
  guint at = from;

  while ((step > 0 ? at + 1 < self->matches->len : at > 0) && take_steps (self, 1)) {
    guint next = step > 0 ? at + 1 : at - 1;

    if (get_missing (&matches[next]) == !get_missing (single))
      return at;
    if (get_missing (&matches[next]) != 2
        || get_words (self, &matches[next]) != get_words (self, single))
      break;
    at = next;
  }
  return from;
}

static gboolean
has_partner (const Align *self, guint i)
{
  const PenPairMatch *matches = (const PenPairMatch *) (gconstpointer) self->matches->data;
  guint other = !get_missing (&matches[i]);

  return (i > 0 && get_missing (&matches[i - 1]) == other)
         || (i + 1 < self->matches->len && get_missing (&matches[i + 1]) == other);
}

/* Of several no-ops, one that became a jump is the one that stands where the jump does. */
static void
join_singles (Align *self)
{
  PenPairMatch *matches = (PenPairMatch *) (gpointer) self->matches->data;

  for (guint i = 0; i < self->matches->len && pen_cancel_check_step (self->check); i++) {
    guint to;

    if (get_missing (&matches[i]) == 2 || has_partner (self, i))
      continue;
    to = find_partner (self, i, -1);
    if (to == i)
      to = find_partner (self, i, 1);
    if (to != i)
      move_single (matches, i, to);
  }
}

GArray *
pen_pair_align (const char *const *a, guint n_a, const char *const *b, guint n_b, guint steps,
                PenCancelCheck *check)
{
  Align self = { .texts = { a, b },
                 .matches = g_array_new (FALSE, FALSE, sizeof (PenPairMatch)),
                 .steps = steps,
                 .check = check };

  align_range (&self, (Range){ { 0, 0 }, { n_a, n_b } }, 0);
  join_singles (&self);
  return self.matches;
}
