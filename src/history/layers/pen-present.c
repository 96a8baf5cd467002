/* pen-present.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-present-private.h"

#include <string.h>

#include "pen-table-hash.h"

#define KEY_WORDS 6

/* A tenure of the kernel, by all that samples in it depend on. */
typedef struct {
  guint32 id;
  guint64 key[KEY_WORDS];
} PenKnownTenure;

PenPresent *
pen_present_new (void)
{
  PenPresent *self = g_new0 (PenPresent, 1);

  self->names = pen_names_new ();
  self->spaces = g_array_new (FALSE, FALSE, sizeof (PenSpace));
  self->threads = g_array_new (FALSE, FALSE, sizeof (PenPresentThread));
  self->tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  self->parts = g_array_new (FALSE, FALSE, sizeof (PenPart));
  self->comms = g_hash_table_new (pen_direct_hash, NULL);
  self->known = g_array_new (FALSE, FALSE, sizeof (PenKnownTenure));
  return self;
}

void
pen_present_free (PenPresent *self)
{
  if (!self)
    return;
  g_array_unref (self->spaces);
  g_array_unref (self->threads);
  g_array_unref (self->tenures);
  g_array_unref (self->parts);
  g_hash_table_unref (self->comms);
  g_array_unref (self->known);
  pen_names_free (self->names);
  g_free (self);
}

/* ---- numbers ---- */

/* When it ended is none of that. */
static PenKnownTenure
get_known (const PenTenure *tenure)
{
  return (PenKnownTenure){
    .id = tenure->id,
    .key = {
      (guint64) tenure->layer << 32 | (guint64) tenure->kind,
      tenure->start,
      tenure->end,
      tenure->file_offset,
      tenure->from.time,
      tenure->from.position,
    },
  };
}

gboolean
pen_present_number (const PenPresent *self, GArray *tenures)
{
  guint n_known = self ? self->known->len : 0;
  guint32 next = self ? self->n_tenures + 1 : 1;
  guint known = 0;
  guint32 last = 0;

  for (guint i = 0; i < tenures->len; i++) {
    PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    if (tenure->space == PEN_SPACE_KERNEL && known < n_known) {
      const PenKnownTenure *expected = &g_array_index (self->known, PenKnownTenure, known++);
      PenKnownTenure found = get_known (tenure);

      if (memcmp (expected->key, found.key, sizeof found.key) != 0)
        return FALSE;
      tenure->id = expected->id;
    } else if (tenure->id == 0) {
      tenure->id = next++;
    }
    if (tenure->id <= last)
      return FALSE;
    last = tenure->id;
  }
  return known == n_known;
}

/* ---- what goes on ---- */

/* Returns: (transfer full): the new place of each of @spaces; 0: it has ended */
static guint32 *
take_spaces (PenPresent *self, const GArray *spaces)
{
  guint32 *places = g_new0 (guint32, spaces->len);

  g_array_set_size (self->spaces, 0);
  for (guint i = 1; i < spaces->len; i++) {
    const PenSpace *space = &g_array_index (spaces, PenSpace, i);

    self->n_spaces = MAX (self->n_spaces, space->id);
    if (pen_moment_compare (space->to, PEN_MOMENT_END) < 0)
      continue;
    g_array_append_vals (self->spaces, space, 1);
    places[i] = self->spaces->len;
  }
  return places;
}

static void
take_threads (PenPresent *self, const GArray *threads, const guint32 *places)
{
  g_array_set_size (self->threads, 0);
  for (guint i = 0; i < threads->len; i++) {
    PenPresentThread thread = g_array_index (threads, PenPresentThread, i);

    thread.space = places[thread.space];
    g_array_append_val (self->threads, thread);
  }
}

static void
take_tenure (PenPresent *self, const PenTenure *from, guint32 space)
{
  PenTenure tenure = *from;

  tenure.space = space;
  tenure.name = pen_names_add (self->names, from->name);
  tenure.occupant = pen_names_add (self->names, from->occupant);
  g_array_append_val (self->tenures, tenure);
}

/* Returns: (transfer full): the new place of each of @tenures, which have places from 1 on, too */
static guint32 *
take_tenures (PenPresent *self, const GArray *tenures, const guint32 *spaces)
{
  guint32 *places = g_new0 (guint32, tenures->len + 1);

  g_array_set_size (self->tenures, 0);
  g_array_set_size (self->known, 0);
  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    self->n_tenures = MAX (self->n_tenures, tenure->id);
    if (tenure->space == PEN_SPACE_KERNEL) {
      PenKnownTenure known = get_known (tenure);

      g_array_append_val (self->known, known);
    } else if (spaces[tenure->space] != 0 && pen_moment_compare (tenure->to, PEN_MOMENT_END) == 0) {
      take_tenure (self, tenure, spaces[tenure->space]);
      places[i + 1] = self->tenures->len;
    }
  }
  return places;
}

static void
take_parts (PenPresent *self, const GArray *parts, const guint32 *places)
{
  g_array_set_size (self->parts, 0);
  for (guint i = 0; i < parts->len; i++) {
    PenPart part = g_array_index (parts, PenPart, i);

    if (places[part.tenure] == 0 || pen_moment_compare (part.to, PEN_MOMENT_END) < 0)
      continue;
    part.tenure = places[part.tenure];
    g_array_append_val (self->parts, part);
  }
}

void
pen_present_take (PenPresent *self, const GArray *spaces, const GArray *threads,
                  PenTenureBuilder *builder)
{
  g_autofree guint32 *of_spaces = take_spaces (self, spaces);
  g_autofree guint32 *of_tenures = NULL;

  take_threads (self, threads, of_spaces);
  of_tenures = take_tenures (self, builder->tenures, of_spaces);
  take_parts (self, builder->parts, of_tenures);
}
