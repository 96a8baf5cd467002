/* pen-text.c: the bytes of a tenure as of a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text.h"

#include <string.h>

#include "pen-binary-search.h"

/*
 * The starts and ends of all pokes divide the range into stretches: a poke covers a stretch whole
 * or not at all. Each stretch has the list of its pokes in time order, so that the state at a
 * moment is one binary search away, however many pokes there are.
 */
typedef struct {
  guint64 start;
  guint64 end;
  gsize first; /* of its pokes in covers */
  gsize n;
} Stretch;

/* A step of a cancel check is as much work as so many bytes. */
#define BYTES_IN_STEP 16u

struct _PenText {
  guint64 start;
  guint64 end;
  guint8 *bytes;         /* from pieces */
  guint8 *evidence;      /* of those bytes; UNKNOWN: no piece has it */
  const PenPoke **pokes; /* of the tenure that touch the range, in time order */
  guint32 n_pokes;
  Stretch *stretches; /* those that a poke covers, by address */
  gsize n_stretches;
  guint32 *covers; /* indices of pokes, stretch by stretch */
};

/* ---- what came before any poke ---- */

static void
add_piece (PenText *self, const PenTextPiece *piece)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (piece->bytes, &length);
  guint64 piece_end = piece->start + MIN (length, G_MAXUINT64 - piece->start);
  guint64 from = MAX (self->start, piece->start);
  guint64 to = MIN (self->end, piece_end);

  for (guint64 address = from; address < to; address++) {
    gsize i = (gsize) (address - self->start);

    if (self->evidence[i] >= (guint8) piece->evidence)
      continue;
    self->evidence[i] = (guint8) piece->evidence;
    self->bytes[i] = bytes[address - piece->start];
  }
}

/* ---- pokes ---- */

static guint64
get_poke_end (const PenPoke *poke)
{
  guint64 length = pen_poke_get_length (poke);

  return poke->address + MIN (length, G_MAXUINT64 - poke->address);
}

static gboolean
touches (PenText *self, const PenPoke *poke)
{
  guint64 end = get_poke_end (poke);

  return poke->address < self->end && end > self->start && end > poke->address;
}

static int
compare_pokes (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenPoke *const *x = a;
  const PenPoke *const *y = b;

  return pen_moment_compare ((*x)->moment, (*y)->moment);
}

static gboolean
take_pokes (PenText *self, guint32 tenure, const PenPoke *const *pokes, gsize n_pokes,
            PenCancelCheck *check)
{
  gsize n = 0;

  for (gsize i = 0; i < n_pokes; i++)
    n += pokes[i]->tenure == tenure && touches (self, pokes[i]);
  self->pokes = g_new (const PenPoke *, n);
  for (gsize i = 0; i < n_pokes; i++) {
    if (pokes[i]->tenure == tenure && touches (self, pokes[i]))
      self->pokes[self->n_pokes++] = pokes[i];
  }
  return self->n_pokes < 2
         || pen_cancel_check_sort (check, self->pokes, self->n_pokes, sizeof *self->pokes,
                                   compare_pokes, NULL);
}

/* ---- stretches ---- */

static int
compare_addresses (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const guint64 *x = a;
  const guint64 *y = b;

  return *x < *y ? -1 : *x > *y;
}

static gboolean
make_stretches (PenText *self, PenCancelCheck *check)
{
  gsize n = 0;
  g_autofree guint64 *bounds = g_new (guint64, 2 * (gsize) self->n_pokes);
  gsize n_bounds = 0;

  for (guint32 i = 0; i < self->n_pokes; i++) {
    bounds[n_bounds++] = MAX (self->start, self->pokes[i]->address);
    bounds[n_bounds++] = MIN (self->end, get_poke_end (self->pokes[i]));
  }
  if (!pen_cancel_check_sort (check, bounds, (guint) n_bounds, sizeof *bounds, compare_addresses,
                              NULL))
    return FALSE;

  self->stretches = g_new0 (Stretch, n_bounds);
  for (gsize i = 0; i + 1 < n_bounds; i++) {
    if (bounds[i] < bounds[i + 1])
      self->stretches[n++] = (Stretch){ .start = bounds[i], .end = bounds[i + 1] };
  }
  self->n_stretches = n;
  return TRUE;
}

/* The first stretch that ends after @address. */
static gsize
find_stretch (PenText *self, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, self->n_stretches, self->stretches[i].end <= address);
}

static gboolean
fill_stretches (PenText *self, PenCancelCheck *check)
{
  gsize total = 0;

  for (guint32 i = 0; i < self->n_pokes; i++) {
    guint64 end = get_poke_end (self->pokes[i]);

    for (gsize s = find_stretch (self, self->pokes[i]->address);
         s < self->n_stretches && self->stretches[s].start < end; s++) {
      self->stretches[s].n++;
      if (!pen_cancel_check_step (check))
        return FALSE;
    }
  }
  for (gsize s = 0; s < self->n_stretches; s++) {
    self->stretches[s].first = total;
    total += self->stretches[s].n;
    self->stretches[s].n = 0;
  }

  self->covers = g_new (guint32, total);
  for (guint32 i = 0; i < self->n_pokes; i++) {
    guint64 end = get_poke_end (self->pokes[i]);

    for (gsize s = find_stretch (self, self->pokes[i]->address);
         s < self->n_stretches && self->stretches[s].start < end; s++) {
      Stretch *stretch = &self->stretches[s];

      self->covers[stretch->first + stretch->n++] = i;
      if (!pen_cancel_check_step (check))
        return FALSE;
    }
  }
  return TRUE;
}

/* A piece's byte that its first poke found there counts as recorded. An unchecked byte is replaced
 * by the one that the poke found: that is no break of the chain; and so is one that was changed
 * between the copy and the start of the recording. */
static void
confirm_pieces (PenText *self)
{
  for (gsize s = 0; s < self->n_stretches; s++) {
    const Stretch *stretch = &self->stretches[s];
    const PenPoke *poke;

    if (stretch->n == 0)
      continue;
    poke = self->pokes[self->covers[stretch->first]];
    for (guint64 address = stretch->start; address < stretch->end; address++) {
      gsize i = (gsize) (address - self->start);
      gsize in_poke = (gsize) (address - poke->address);

      if (self->evidence[i] == PEN_EVIDENCE_UNKNOWN || in_poke >= poke->old_length)
        continue;
      if (self->evidence[i] == PEN_EVIDENCE_FILE_UNCHECKED
          || (self->evidence[i] == PEN_EVIDENCE_FILE && poke->is_changed_early))
        self->bytes[i] = poke->old_bytes[in_poke];
      if (poke->old_bytes[in_poke] == self->bytes[i])
        self->evidence[i] = PEN_EVIDENCE_RECORDED;
    }
  }
}

PenText *
pen_text_new (const PenTenure *tenure, guint64 start, guint64 end,
              const PenTextPiece *const *pieces, gsize n_pieces, const PenPoke *const *pokes,
              gsize n_pokes)
{
  PenCancelCheck check = { 0 };

  return pen_text_new_checked (tenure, start, end, pieces, n_pieces, pokes, n_pokes, &check);
}

PenText *
pen_text_new_checked (const PenTenure *tenure, guint64 start, guint64 end,
                      const PenTextPiece *const *pieces, gsize n_pieces,
                      const PenPoke *const *pokes, gsize n_pokes, PenCancelCheck *check)
{
  g_autoptr (PenText) self = g_new0 (PenText, 1);
  gsize length;

  self->start = MAX (start, tenure->start);
  self->end = MAX (self->start, MIN (end, tenure->end));
  length = (gsize) MIN (self->end - self->start, PEN_TEXT_MAX);
  self->end = self->start + length;
  self->bytes = g_malloc0 (length);
  self->evidence = g_malloc0 (length);

  for (gsize i = 0; i < n_pieces; i++) {
    if (pieces[i]->tenure == tenure->id)
      add_piece (self, pieces[i]);
  }
  if (!take_pokes (self, tenure->id, pokes, n_pokes, check) || !make_stretches (self, check)
      || !fill_stretches (self, check))
    return NULL;
  confirm_pieces (self);
  return g_steal_pointer (&self);
}

void
pen_text_free (PenText *self)
{
  if (!self)
    return;
  g_free (self->bytes);
  g_free (self->evidence);
  g_free (self->pokes);
  g_free (self->stretches);
  g_free (self->covers);
  g_free (self);
}

/* ---- reading ---- */

/* How many of the stretch's pokes come before @moment. */
static gsize
count_before (PenText *self, const Stretch *stretch, PenMoment moment)
{
  const guint32 *covers = self->covers + stretch->first;

  return PEN_BINARY_SEARCH (i, 0, stretch->n,
                            pen_moment_compare (self->pokes[covers[i]]->moment, moment) < 0);
}

/* The byte at @address of @stretch after @n of its pokes. Returns: UNKNOWN where it is not known.
 */
static PenEvidence
read_byte (PenText *self, const Stretch *stretch, gsize n, guint64 address, guint8 *byte)
{
  const guint32 *covers = self->covers + stretch->first;
  const PenPoke *poke = self->pokes[covers[n > 0 ? n - 1 : 0]];
  gsize in_poke = (gsize) (address - poke->address);
  gsize in_text = (gsize) (address - self->start);

  if (n > 0) {
    if (in_poke >= poke->new_length)
      return PEN_EVIDENCE_UNKNOWN;
    *byte = poke->new_bytes[in_poke];
    return PEN_EVIDENCE_RECORDED;
  }
  if (poke->old_length == 0)
    return PEN_EVIDENCE_UNKNOWN;
  if (self->evidence[in_text] != PEN_EVIDENCE_UNKNOWN) {
    *byte = self->bytes[in_text];
    return self->evidence[in_text];
  }
  if (in_poke >= poke->old_length)
    return PEN_EVIDENCE_UNKNOWN;
  *byte = poke->old_bytes[in_poke];
  return PEN_EVIDENCE_RECORDED;
}

static void
store_byte (guint8 byte, PenEvidence evidence, gsize i, guint8 *buffer, guint8 *known,
            PenEvidence *weakest)
{
  buffer[i] = evidence != PEN_EVIDENCE_UNKNOWN ? byte : 0;
  known[i] = evidence != PEN_EVIDENCE_UNKNOWN;
  if (evidence != PEN_EVIDENCE_UNKNOWN && (*weakest == PEN_EVIDENCE_UNKNOWN || evidence < *weakest))
    *weakest = evidence;
}

void
pen_text_read (PenText *self, guint64 address, gsize length, PenMoment moment, guint8 *buffer,
               guint8 *known, PenEvidence *evidence)
{
  guint64 end = address + MIN (length, G_MAXUINT64 - address);
  PenEvidence weakest = PEN_EVIDENCE_UNKNOWN;
  gsize s;
  guint64 at;

  memset (buffer, 0, length);
  memset (known, 0, length);

  at = MAX (address, self->start);
  end = MIN (end, self->end);
  for (s = find_stretch (self, at); at < end; s++) {
    const Stretch *stretch = s < self->n_stretches ? &self->stretches[s] : NULL;
    guint64 free_end = stretch ? MIN (end, stretch->start) : end;
    gsize n;

    for (; at < free_end; at++)
      store_byte (self->bytes[at - self->start], self->evidence[at - self->start],
                  (gsize) (at - address), buffer, known, &weakest);
    if (!stretch || at >= end)
      break;

    n = count_before (self, stretch, moment);
    for (; at < MIN (end, stretch->end); at++) {
      guint8 byte = 0;
      PenEvidence grade = stretch->n > 0 ? read_byte (self, stretch, n, at, &byte)
                                         : self->evidence[at - self->start];

      if (stretch->n == 0)
        byte = self->bytes[at - self->start];
      store_byte (byte, grade, (gsize) (at - address), buffer, known, &weakest);
    }
  }

  if (evidence)
    *evidence = weakest;
}

/* ---- the chain (P5) ---- */

/* The byte at @address just before the poke with index @index. @is_of_copy: (out): by a copy */
static gboolean
read_before (PenText *self, const Stretch *stretch, guint32 index, guint64 address, guint8 *byte,
             gboolean *is_of_copy)
{
  const guint32 *covers = self->covers + stretch->first;
  gsize n = PEN_BINARY_SEARCH (i, 0, stretch->n, covers[i] < index);

  *is_of_copy = n == 0 && self->evidence[address - self->start] == PEN_EVIDENCE_FILE;
  return read_byte (self, stretch, n, address, byte) != PEN_EVIDENCE_UNKNOWN;
}

static void
check_poke (PenText *self, guint32 index, GArray *breaks)
{
  const PenPoke *poke = self->pokes[index];
  guint64 from = MAX (self->start, poke->address);
  guint64 to = MIN (self->end, poke->address + MIN (poke->old_length, G_MAXUINT64 - poke->address));
  PenChainBreak found = { .poke = poke->id, .length = poke->old_length, .is_of_copy = TRUE };
  gboolean is_broken = FALSE;
  gsize s = find_stretch (self, from);

  for (guint64 at = from; at < to; at++) {
    gsize in_poke = (gsize) (at - poke->address);
    gboolean is_of_copy;
    guint8 byte;

    while (self->stretches[s].end <= at)
      s++;
    if (!read_before (self, &self->stretches[s], index, at, &byte, &is_of_copy))
      continue;
    if (byte != poke->old_bytes[in_poke]) {
      is_broken = TRUE;
      found.is_of_copy &= is_of_copy;
    }
    if (in_poke < sizeof found.expected && in_poke == found.expected_known) {
      found.expected[in_poke] = byte;
      found.expected_known++;
    }
  }
  if (is_broken)
    g_array_append_val (breaks, found);
}

GArray *
pen_text_check_chain (PenText *self, PenCancelCheck *check)
{
  GArray *breaks = g_array_new (FALSE, FALSE, sizeof (PenChainBreak));

  for (guint32 i = 0; i < self->n_pokes && !check->is_stopped; i++) {
    check_poke (self, i, breaks);
    for (guint64 at = 0; at <= pen_poke_get_length (self->pokes[i]); at += BYTES_IN_STEP)
      pen_cancel_check_step (check);
  }
  return breaks;
}
