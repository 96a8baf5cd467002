/* pen-pair-changes.c: what differs between two texts of a function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-changes.h"

#include <string.h>

#include "pen-pair-align.h"
#include "pen-query-private.h"
#include "pen-store-pokes.h"

/* The length of a jump or call with a distance of 32 bits. */
#define BRANCH_LENGTH 5u

typedef struct {
  const PenPairSource *sources;
  const PenPairText *texts[2];
} Texts;

static const PenAnnotationLine *
get_line (const PenPairText *text, guint i)
{
  return text->lines->pdata[i];
}

/* ---- causes ---- */

static gboolean
is_entry (const PenPairText *text, guint i)
{
  return text->instructions[i].rank == 0;
}

static gboolean
leads_to_bpf (const PenPairText *text, guint i)
{
  const char *names = text->instructions[i].names;

  return names && strstr (names, "bpf_");
}

/* One of them is a no-op, and the other what the kernel puts there. */
static PenCause
guess_by_form (const PenPairText *idle, guint i, const PenPairText *active, guint k)
{
  const PenAnnotationLine *line = get_line (active, k);

  if (get_line (idle, i)->class != PEN_INSTRUCTION_NOP
      || get_line (idle, i)->n_bytes != line->n_bytes)
    return PEN_CAUSE_UNKNOWN;
  if (line->class == PEN_INSTRUCTION_JUMP && active->instructions[k].target < PEN_PAIR_NO_LINE)
    return PEN_CAUSE_STATIC_KEY;
  if (line->class == PEN_INSTRUCTION_CALL && line->n_bytes == BRANCH_LENGTH && is_entry (idle, i)
      && is_entry (active, k))
    return leads_to_bpf (active, k) ? PEN_CAUSE_BPF : PEN_CAUSE_FTRACE;
  return PEN_CAUSE_UNKNOWN;
}

/* A patch that the recording has. */
static gboolean
load_cause (const Texts *self, guint side, guint i, PenCause *cause, GError **error)
{
  guint32 id = get_line (self->texts[side], i)->poke;
  g_autoptr (GError) wrong = NULL;
  PenPoke poke;

  if (id == 0 || *cause != PEN_CAUSE_UNKNOWN)
    return TRUE;
  if (pen_store_load_poke (pen_query_get_store (self->sources[side].query), id, &poke, &wrong))
    *cause = poke.cause;
  if (!wrong)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

static gboolean
find_cause (const Texts *self, PenPairChange *change, GError **error)
{
  const PenPairText *a = self->texts[0], *b = self->texts[1];

  if (!load_cause (self, 1, change->b, &change->cause, error)
      || !load_cause (self, 0, change->a, &change->cause, error))
    return FALSE;
  if (change->cause == PEN_CAUSE_UNKNOWN)
    change->cause = guess_by_form (a, change->a, b, change->b);
  if (change->cause == PEN_CAUSE_UNKNOWN)
    change->cause = guess_by_form (b, change->b, a, change->a);
  return TRUE;
}

/* ---- instructions ---- */

static const char **
list_keys (const PenPairText *text)
{
  const char **keys = g_new (const char *, text->n + 1);

  for (guint i = 0; i < text->n; i++)
    keys[i] = text->instructions[i].key;
  return keys;
}

static gboolean
is_landing (const Texts *self, const PenPairMatch *match)
{
  return match->b == G_MAXUINT ? self->texts[0]->instructions[match->a].is_landing
                               : self->texts[1]->instructions[match->b].is_landing;
}

/* A run of what is in one text only: the first of A and the first of B are one, and so on. Landings
 * make no difference. */
static void
join_run (const Texts *self, const GArray *matches, guint first, guint end, GArray *changes)
{
  guint n[2] = { 0, 0 };
  g_autofree guint *a = g_new (guint, end - first);
  g_autofree guint *b = g_new (guint, end - first);

  for (guint i = first; i < end; i++) {
    const PenPairMatch *match = &g_array_index (matches, PenPairMatch, i);

    if (is_landing (self, match)) {
      PenPairChange landing = { match->a, match->b, PEN_PAIR_LINE_SAME, PEN_CAUSE_UNKNOWN };

      g_array_append_val (changes, landing);
    } else if (match->b == G_MAXUINT)
      a[n[0]++] = match->a;
    else
      b[n[1]++] = match->b;
  }
  for (guint i = 0; i < MAX (n[0], n[1]); i++) {
    PenPairChange change = { i < n[0] ? a[i] : G_MAXUINT, i < n[1] ? b[i] : G_MAXUINT,
                             PEN_PAIR_LINE_CHANGED, PEN_CAUSE_UNKNOWN };

    if (i >= n[1])
      change.difference = PEN_PAIR_LINE_REMOVED;
    else if (i >= n[0])
      change.difference = PEN_PAIR_LINE_ADDED;
    g_array_append_val (changes, change);
  }
}

static gboolean
is_pair (const PenPairMatch *match)
{
  return match->a != G_MAXUINT && match->b != G_MAXUINT;
}

static GArray *
join_matches (const Texts *self, const GArray *matches)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (PenPairChange));

  for (guint i = 0, end; i < matches->len; i = end) {
    const PenPairMatch *match = &g_array_index (matches, PenPairMatch, i);
    PenPairChange same = { match->a, match->b, PEN_PAIR_LINE_SAME, PEN_CAUSE_UNKNOWN };

    end = i + 1;
    if (is_pair (match)) {
      g_array_append_val (changes, same);
      continue;
    }
    while (end < matches->len && !is_pair (&g_array_index (matches, PenPairMatch, end)))
      end++;
    join_run (self, matches, i, end, changes);
  }
  return changes;
}

/* @twins: of each instruction of A, that of B */
static gboolean
is_same_target (const Texts *self, const guint *twins, const PenPairInstruction *x,
                const PenPairInstruction *y)
{
  const PenPairText *a = self->texts[0], *b = self->texts[1];
  guint to_a, to_b;

  if (x->target >= PEN_PAIR_NO_LINE || y->target >= PEN_PAIR_NO_LINE)
    return x->target == y->target;
  to_a = pen_pair_text_skip_landings (a, x->target);
  to_b = pen_pair_text_skip_landings (b, y->target);
  return to_a < a->n ? twins[to_a] == to_b : to_b == b->n;
}

/* Jumps within the function are the same if they lead to what is the same, and calls out of it, and
 * data, unless they are known to be others. */
static void
check_targets (const Texts *self, GArray *changes)
{
  const PenPairText *a = self->texts[0], *b = self->texts[1];
  g_autofree guint *twins = g_new (guint, a->n + 1);

  for (guint i = 0; i < a->n; i++)
    twins[i] = G_MAXUINT;
  for (guint i = 0; i < changes->len; i++) {
    const PenPairChange *change = &g_array_index (changes, PenPairChange, i);

    if (change->a != G_MAXUINT)
      twins[change->a] = change->b;
  }
  for (guint i = 0; i < changes->len; i++) {
    PenPairChange *change = &g_array_index (changes, PenPairChange, i);
    const PenPairInstruction *x, *y;

    if (change->a == G_MAXUINT || change->b == G_MAXUINT)
      continue;
    x = &a->instructions[change->a];
    y = &b->instructions[change->b];
    change->difference = pen_pair_instruction_equal (x, y) && is_same_target (self, twins, x, y)
                             ? PEN_PAIR_LINE_SAME
                             : PEN_PAIR_LINE_CHANGED;
  }
}

/* ---- by offset ---- */

static guint64
get_offset (const PenPairText *text, guint i)
{
  return get_line (text, i)->address - text->start;
}

/* An instruction of each begins where one of the other does. */
static gboolean
has_same_offsets (const PenPairText *a, const PenPairText *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    if (get_offset (a, i) != get_offset (b, i))
      return FALSE;
  return TRUE;
}

static GArray *
list_by_offset (const Texts *self)
{
  guint n = self->texts[0]->n;
  GArray *changes = g_array_sized_new (FALSE, FALSE, sizeof (PenPairChange), n);

  for (guint i = 0; i < n; i++) {
    PenPairChange same = { i, i, PEN_PAIR_LINE_SAME, PEN_CAUSE_UNKNOWN };

    g_array_append_val (changes, same);
  }
  return changes;
}

static GArray *
list_by_edits (const Texts *self, guint steps, PenCancelCheck *check)
{
  const PenPairText *a = self->texts[0], *b = self->texts[1];
  g_autofree const char **keys_a = list_keys (a);
  g_autofree const char **keys_b = list_keys (b);
  g_autoptr (GArray) matches = pen_pair_align (keys_a, a->n, keys_b, b->n, steps, check);

  return join_matches (self, matches);
}

/* Returns: how many differ */
static guint
count_different (const GArray *changes)
{
  guint n = 0;

  for (guint i = 0; i < changes->len; i++)
    n += g_array_index (changes, PenPairChange, i).difference != PEN_PAIR_LINE_SAME;
  return n;
}

/* ---- all of them ---- */

static gboolean
find_causes (const Texts *self, GArray *changes, gboolean *is_patched, GError **error)
{
  check_targets (self, changes);
  *is_patched = TRUE;
  for (guint i = 0; i < changes->len; i++) {
    PenPairChange *change = &g_array_index (changes, PenPairChange, i);

    if (change->difference == PEN_PAIR_LINE_CHANGED && !find_cause (self, change, error))
      return FALSE;
    *is_patched &= change->difference == PEN_PAIR_LINE_SAME || change->cause != PEN_CAUSE_UNKNOWN;
  }
  return TRUE;
}

GArray *
pen_pair_list_changes (const PenPairSource sources[2], const PenPairText *a, const PenPairText *b,
                       guint steps, GError **error)
{
  const Texts self = { sources, { a, b } };
  PenCancelCheck check = pen_query_make_check (sources[0].query);
  g_autoptr (GArray) by_offset = has_same_offsets (a, b) ? list_by_offset (&self) : NULL;
  g_autoptr (GArray) by_edits = NULL;
  gboolean is_patched;

  /* Patches leave instructions where they are. */
  if (by_offset && !find_causes (&self, by_offset, &is_patched, error))
    return NULL;
  if (by_offset && is_patched)
    return g_steal_pointer (&by_offset);
  by_edits = list_by_edits (&self, steps, &check);
  if (!pen_query_end_check (sources[0].query, &check, error)
      || !find_causes (&self, by_edits, &is_patched, error))
    return NULL;
  if (by_offset && count_different (by_offset) <= count_different (by_edits))
    return g_steal_pointer (&by_offset);
  return g_steal_pointer (&by_edits);
}
