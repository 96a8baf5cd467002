/* pen-watch-spans.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watch-spans.h"

#define BREAKPOINT 0xcc
#define CALL 0xe8
#define JUMP 0xe9

/* @previous: number, from 1, of the poke before it of the same user; 0: none */
typedef struct {
  guint64 since;
  guint64 until;
  guint64 previous;
} Span;

/* @time: when somebody came or went there last; @last: number, from 1, of the last poke of who is
 * there */
typedef struct {
  guint64 time;
  guint64 last;
} Turn;

struct _PenWatchSpans {
  GArray *spans; /* Span */
  guint64 first; /* number of spans[0] */
  GHashTable *turns;
  guint64 known_from; /* ns: what was before is not known */
};

PenWatchSpans *
pen_watch_spans_new (void)
{
  PenWatchSpans *self = g_new0 (PenWatchSpans, 1);

  self->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  self->turns = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  return self;
}

void
pen_watch_spans_free (PenWatchSpans *self)
{
  g_array_unref (self->spans);
  g_hash_table_unref (self->turns);
  g_free (self);
}

static gboolean
is_set (const guint8 *bytes, guint length)
{
  return length > 0 && (bytes[0] == BREAKPOINT || bytes[0] == CALL || bytes[0] == JUMP);
}

static Span *
get_span (PenWatchSpans *self, guint64 number)
{
  return &g_array_index (self->spans, Span, number - self->first);
}

void
pen_watch_spans_forget (PenWatchSpans *self, guint64 time)
{
  g_hash_table_remove_all (self->turns);
  self->known_from = time;
  for (guint i = 0; i < self->spans->len; i++) {
    Span *span = &g_array_index (self->spans, Span, i);

    span->until = MIN (span->until, time);
  }
}

static Turn *
get_turn (PenWatchSpans *self, const PenPoke *poke)
{
  Turn *turn = g_hash_table_lookup (self->turns, &poke->address);

  if (turn)
    return turn;
  if (g_hash_table_size (self->turns) >= PEN_WATCH_PLACES_MAX)
    pen_watch_spans_forget (self, poke->moment.time);
  turn = g_new0 (Turn, 1);
  turn->time = self->known_from;
  g_hash_table_insert (self->turns, g_memdup2 (&poke->address, sizeof poke->address), turn);
  return turn;
}

/* All that were added for who goes now. */
static void
end_all (PenWatchSpans *self, guint64 last, guint64 time)
{
  while (last > self->first) {
    Span *span = get_span (self, last - 1);

    span->until = time;
    last = span->previous;
  }
}

void
pen_watch_spans_add (PenWatchSpans *self, const PenPoke *poke)
{
  guint64 time = poke->moment.time;
  guint64 number = self->first + self->spans->len;
  gboolean is_same = poke->effect == PEN_POKE_SAME;
  gboolean was_there = is_same || is_set (poke->old_bytes, poke->old_length);
  gboolean is_there = is_same || is_set (poke->new_bytes, poke->new_length);
  Turn *turn = get_turn (self, poke);
  Span span = { was_there ? turn->time : time, G_MAXUINT64, was_there ? turn->last : 0 };

  g_array_append_val (self->spans, span);
  turn->last = number + 1;
  if (!is_there) {
    end_all (self, turn->last, time);
    turn->last = 0;
  }
  if (!was_there || !is_there)
    turn->time = time;
}

void
pen_watch_spans_get (PenWatchSpans *self, guint64 number, guint64 *since, guint64 *until)
{
  const Span *span = get_span (self, number);

  *since = span->since;
  *until = span->until;
}

void
pen_watch_spans_drop (PenWatchSpans *self, guint64 number)
{
  guint n = (guint) (number - self->first);

  if (n > 0)
    g_array_remove_range (self->spans, 0, n);
  self->first = number;
}
