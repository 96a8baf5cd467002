/* pen-dated-kcore.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-dated-kcore.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-range-index.h"

#define PAGE 4096u
#define DISPATCHER "bpf_dispatcher_"
/* So many places tell enough, and a poke is at most so long. */
#define MAX_COMPARED 4096u
#define MAX_POKE 256u

struct _PenDatedKcore {
  PenKcore *kcore;
  PenHistory *history;
  PenMoment moment;
  GArray *borders;      /* guint64: between two of them one occupant held all; sorted */
  PenRangeIndex *poked; /* pokes by their place in the history */
};

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

static gboolean
is_alive (PenMoment from, PenMoment to, PenMoment moment)
{
  return pen_moment_compare (from, moment) < 0 && pen_moment_compare (moment, to) <= 0;
}

static void
find_borders (PenDatedKcore *self)
{
  guint n_tenures;
  const PenTenure *tenures = pen_history_get_tenures (self->history, &n_tenures);
  guint n_parts;
  const PenPart *parts = pen_history_get_parts (self->history, &n_parts);

  for (guint i = 0; i < n_parts; i++) {
    if (tenures[parts[i].tenure - 1].space != PEN_SPACE_KERNEL
        || !is_alive (parts[i].from, parts[i].to, self->moment))
      continue;
    g_array_append_val (self->borders, parts[i].start);
    g_array_append_val (self->borders, parts[i].end);
  }
  g_array_sort (self->borders, compare_numbers);
}

PenDatedKcore *
pen_dated_kcore_new (PenKcore *kcore, guint64 time, PenHistory *history)
{
  PenDatedKcore *self = g_new0 (PenDatedKcore, 1);
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (history, &n);

  self->kcore = kcore;
  self->history = history;
  self->moment = pen_moment (time, G_MAXUINT64);
  self->borders = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->poked = pen_range_index_new ();
  find_borders (self);
  for (guint i = 0; i < n; i++) {
    guint64 length = MIN (pen_poke_get_length (&pokes[i]), G_MAXUINT64 - pokes[i].address);

    if (pokes[i].tenure != 0 && length > 0)
      pen_range_index_add (self->poked, pokes[i].address, pokes[i].address + length, i);
  }
  pen_range_index_seal (self->poked);
  return self;
}

void
pen_dated_kcore_free (PenDatedKcore *self)
{
  g_array_unref (self->borders);
  pen_range_index_free (self->poked);
  g_free (self);
}

static gboolean
holds (PenDatedKcore *self, guint32 tenure, guint64 address)
{
  const PenTenure *holder
      = pen_history_find (self->history, PEN_SPACE_KERNEL, address, self->moment, NULL);

  return holder && holder->id == tenure;
}

/* ---- comparing ---- */

/* Pokes are in time order: of those before, the last one counts; of those after, the first. */
static void
compare_poke (PenDatedKcore *self, const PenPoke *poke, GTree *places)
{
  gboolean is_before = pen_moment_compare (poke->moment, self->moment) < 0;

  if (poke->tenure == 0 || (!is_before && g_tree_lookup (places, &poke->address))
      || (is_before ? poke->new_length : poke->old_length) > MAX_POKE)
    return;
  g_tree_replace (places, (gpointer) &poke->address, (gpointer) poke);
}

void
pen_dated_kcore_compare (PenDatedKcore *self, guint *agreed, guint *asked)
{
  g_autoptr (GTree) places = g_tree_new (pen_compare_u64); /* address → PenPoke */
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (self->history, &n);

  for (guint i = 0; i < n; i++)
    compare_poke (self, &pokes[i], places);

  *agreed = *asked = 0;
  for (GTreeNode *node = g_tree_node_first (places); node && *asked < MAX_COMPARED;
       node = g_tree_node_next (node)) {
    const PenPoke *poke = g_tree_node_value (node);
    gboolean is_before = pen_moment_compare (poke->moment, self->moment) < 0;
    const guint8 *stated = is_before ? poke->new_bytes : poke->old_bytes;
    gsize length = is_before ? poke->new_length : poke->old_length;
    guint8 bytes[MAX_POKE];

    if (length == 0 || !holds (self, poke->tenure, poke->address)
        || pen_kcore_read (self->kcore, poke->address, bytes, length) < length)
      continue;
    (*asked)++;
    *agreed += memcmp (bytes, stated, length) == 0;
  }
}

/* ---- reading ---- */

typedef struct {
  const PenPoke *pokes;
  guint32 tenure;
  guint64 start;
  gsize length;
  guint8 *known;
} Reading;

static void
forget_poked (guint32 id, gpointer user_data)
{
  const Reading *reading = user_data;
  const PenPoke *poke = &reading->pokes[id];
  guint64 from = MAX (poke->address, reading->start);
  guint64 to = MIN (poke->address + pen_poke_get_length (poke), reading->start + reading->length);

  if (poke->tenure == reading->tenure && from < to)
    memset (reading->known + (from - reading->start), 0, to - from);
}

/* The stretches that the tenure held at that moment. */
static void
mark_held (PenDatedKcore *self, const Reading *reading)
{
  const guint64 *borders = (const guint64 *) (gpointer) self->borders->data;
  guint i = PEN_BINARY_SEARCH (k, 0, self->borders->len, borders[k] <= reading->start);
  guint64 end = reading->start + reading->length;

  for (guint64 at = reading->start, next; at < end; at = next) {
    while (i < self->borders->len && borders[i] <= at)
      i++;
    next = i < self->borders->len ? MIN (end, borders[i]) : end;
    if (holds (self, reading->tenure, at))
      memset (reading->known + (at - reading->start), 1, next - at);
  }
}

gboolean
pen_dated_kcore_read (PenDatedKcore *self, const PenTenure *tenure, guint64 start, gsize length,
                      guint8 *bytes, guint8 *known)
{
  guint n;
  Reading reading = { pen_history_get_pokes (self->history, &n), tenure->id, start, length, known };

  memset (known, 0, length);
  if (tenure->space != PEN_SPACE_KERNEL || !is_alive (tenure->from, tenure->to, self->moment)
      || g_str_has_prefix (tenure->occupant, DISPATCHER))
    return FALSE;

  mark_held (self, &reading);
  for (gsize at = 0; at < length;) {
    gsize got = pen_kcore_read (self->kcore, start + at, bytes + at, length - at);
    gsize next;

    at += got;
    next = at < length ? (gsize) MIN (length, (((start + at) | (PAGE - 1)) + 1) - start) : at;
    memset (known + at, 0, next - at);
    at = next;
  }
  pen_range_index_find (self->poked, start, start + length, forget_poked, &reading);
  return memchr (known, 1, length) != NULL;
}
