/* pen-stack-spot.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-spot.h"

#include <glib/gi18n-lib.h>

#include "pen-store-buckets.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-table-hash.h"

/* A byte of text, as a frame or a bucket has it. */
typedef struct {
  gboolean has_address;
  guint64 address;
  guint32 tenure;
  guint32 revision;
} Byte;

/*
 * @poke: whose bytes are meant; @revisions: of each of them, after it
 * @programs: tenures of the program: flags
 */
typedef struct {
  const PenStackPlace *place;
  PenPoke poke;
  guint32 *revisions;
  GHashTable *programs;
} Finer;

static void
finer_clear (Finer *self)
{
  g_free (self->revisions);
  g_clear_pointer (&self->programs, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finer, finer_clear)

static gboolean
is_finer (const PenStackPlace *place)
{
  return (place->parts & ~(guint) (PEN_STACK_PLACE_GROUP | PEN_STACK_PLACE_FUNCTION)) != 0;
}

/* ---- the bytes of a poke ---- */

static void
count_patch (Finer *self, const PenPoke *patch)
{
  guint64 from = MAX (patch->address, self->poke.address);
  guint64 to = MIN (patch->address + patch->length, self->poke.address + self->poke.length);

  for (guint64 at = from; at < to; at++)
    self->revisions[at - self->poke.address]++;
}

static gboolean
load_poke (Finer *self, PenQuery *query, GError **error)
{
  const PenStackPlace *place = self->place;
  GError *failure = NULL;

  if (!pen_store_load_poke (query->store, place->poke, &self->poke, &failure)) {
    if (failure)
      g_propagate_error (error, failure);
    else
      g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                   _ ("patch %u is not in this recording"), place->poke);
    return FALSE;
  }

  g_autoptr (GArray) pokes = pen_store_load_pokes (
      query->store, self->poke.address, self->poke.address + MAX (self->poke.length, 1), error);

  if (!pokes)
    return FALSE;
  self->revisions = g_new0 (guint32, (gsize) self->poke.length + 1);
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);

    if (poke->effect == PEN_POKE_PATCH && poke->tenure == self->poke.tenure
        && poke->id <= self->poke.id)
      count_patch (self, poke);
  }
  return TRUE;
}

static gboolean
is_of_poke (const Finer *self, const Byte *byte)
{
  guint64 offset = byte->address - self->poke.address;

  if (byte->tenure != self->poke.tenure || byte->address < self->poke.address
      || offset >= self->poke.length)
    return FALSE;
  if (!(self->place->parts & PEN_STACK_PLACE_BEFORE))
    return byte->revision == self->revisions[offset];
  return self->poke.effect == PEN_POKE_PATCH && byte->revision + 1 == self->revisions[offset];
}

/* ---- programs ---- */

typedef struct {
  guint32 bpf_id;
  GHashTable *tenures;
} Programs;

static gboolean
add_program (const PenTenure *tenure, gpointer user_data)
{
  Programs *programs = user_data;

  if (tenure->bpf_id == programs->bpf_id)
    g_hash_table_add (programs->tenures, GUINT_TO_POINTER (tenure->id));
  return TRUE;
}

static gboolean
load_programs (Finer *self, PenQuery *query, GError **error)
{
  Programs programs = { self->place->bpf_id, NULL };

  self->programs = g_hash_table_new (pen_direct_hash, NULL);
  programs.tenures = self->programs;
  return pen_store_foreach_tenure (query->store, FALSE, add_program, &programs, error);
}

static gboolean
finer_init (Finer *self, PenQuery *query, const PenStackPlace *place, GError **error)
{
  *self = (Finer){ .place = place };
  if (place->parts & PEN_STACK_PLACE_POKE && !load_poke (self, query, error))
    return FALSE;
  return !(place->parts & PEN_STACK_PLACE_PROGRAM) || load_programs (self, query, error);
}

static gboolean
has_byte (const Finer *self, const Byte *byte)
{
  const PenStackPlace *place = self->place;

  if (place->parts & PEN_STACK_PLACE_RANGE
      && (!byte->has_address || byte->address < place->start || byte->address >= place->end))
    return FALSE;
  if (place->parts & PEN_STACK_PLACE_TENURE && byte->tenure != place->tenure)
    return FALSE;
  if (place->parts & PEN_STACK_PLACE_REVISION && byte->revision != place->revision)
    return FALSE;
  if (self->programs && !g_hash_table_contains (self->programs, GUINT_TO_POINTER (byte->tenure)))
    return FALSE;
  return !self->revisions || (byte->has_address && is_of_poke (self, byte));
}

/* ---- flags ---- */

static void
flag_functions (PenStackSpot *self, PenQuery *query, const guint32 *of_function,
                const PenStackPlace *place)
{
  self->functions = g_malloc0 ((gsize) query->n_functions + 1);
  for (guint32 i = 0; i < query->n_functions; i++)
    self->functions[i] = (!(place->parts & PEN_STACK_PLACE_GROUP) || of_function[i] == place->group)
                         && (!(place->parts & PEN_STACK_PLACE_FUNCTION) || i == place->function);
}

void
pen_stack_spot_add_frames (PenStackSpot *self, const PenFrameColumns *frames)
{
  if (self->frames)
    return;
  self->frames = g_malloc0 ((gsize) frames->n + 1);
  for (guint32 i = 0; i < frames->n; i++)
    self->frames[i] = self->functions[frames->function[i]];
}

static void
flag_frames (PenStackSpot *self, const PenFrameColumns *frames, const Finer *finer)
{
  self->frames = g_malloc0 ((gsize) frames->n + 1);
  for (guint32 i = 0; i < frames->n; i++) {
    Byte byte = { TRUE, frames->address[i] - (frames->is_return[i] != 0), frames->tenure[i],
                  frames->revision[i] };

    self->frames[i] = self->functions[frames->function[i]] && has_byte (finer, &byte);
  }
}

static void
flag_buckets (PenStackSpot *self, PenQuery *query, const Finer *finer)
{
  self->buckets = g_malloc0 ((gsize) query->n_buckets + 1);
  for (guint32 i = 0; i < query->n_buckets; i++) {
    const PenBucket *bucket = &query->buckets[i];
    Byte byte = { bucket->has_address, bucket->address, bucket->tenure, bucket->revision };

    self->buckets[i] = self->functions[bucket->function] && has_byte (finer, &byte);
  }
}

PenStackSpot *
pen_stack_spot_new (PenQuery *query, const PenFrameColumns *frames, const guint32 *of_function,
                    const PenStackPlace *place, GError **error)
{
  g_autoptr (PenStackSpot) self = g_new0 (PenStackSpot, 1);
  g_auto (Finer) finer = { 0 };

  flag_functions (self, query, of_function, place);
  if (!is_finer (place)) {
    if (frames)
      pen_stack_spot_add_frames (self, frames);
    return g_steal_pointer (&self);
  }
  if (!pen_query_load_buckets (query, error) || !finer_init (&finer, query, place, error))
    return NULL;
  flag_frames (self, frames, &finer);
  flag_buckets (self, query, &finer);
  return g_steal_pointer (&self);
}

void
pen_stack_spot_free (PenStackSpot *self)
{
  if (!self)
    return;
  g_free (self->frames);
  g_free (self->functions);
  g_free (self->buckets);
  g_free (self);
}
