/* pen-frame-cache.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-frame-cache.h"

#include "pen-hash.h"
#include "pen-record.h"

#define SLOTS_MIN (1u << 11)
#define SLOTS_MAX (1u << 14)

/* Beside those of spaces: a guest's addresses and those that are nowhere always mean the same. */
#define SPACE_GUEST (PEN_SWEEP_NO_SPACE - 1)

typedef struct {
  guint64 address;
  guint64 since; /* the count of changes when it was found */
  guint32 space;
  guint32 site;
  guint32 revision;
  guint32 id;
  gboolean is_return;
  gboolean is_known;
} KnownFrame;

struct _PenFrameCache {
  PenFrameTable *frames;
  PenSweep *sweep;
  const PenSweepChanges *changes;
  KnownFrame *known;
  guint n_known;
  guint n_found; /* since the last time that there was more room */
};

PenFrameCache *
pen_frame_cache_new (PenFrameTable *frames, PenSweep *sweep)
{
  PenFrameCache *self = g_new0 (PenFrameCache, 1);

  self->frames = frames;
  self->sweep = sweep;
  self->changes = pen_sweep_get_changes (sweep);
  self->n_known = SLOTS_MIN;
  self->known = g_new0 (KnownFrame, SLOTS_MIN);

  return self;
}

void
pen_frame_cache_free (PenFrameCache *self)
{
  if (self == NULL)
    return;

  g_free (self->known);
  g_free (self);
}

static guint32
get_space (const PenFramePlace *place)
{
  switch (place->context) {
  case PEN_CPUMODE_KERNEL:
    return PEN_SPACE_KERNEL;
  case PEN_CPUMODE_USER:
    return place->space;
  case PEN_CPUMODE_GUEST_KERNEL:
  case PEN_CPUMODE_GUEST_USER:
    return SPACE_GUEST;
  default:
    return PEN_SWEEP_NO_SPACE;
  }
}

static gboolean
is_current (PenFrameCache *self, const KnownFrame *known, guint64 address)
{
  if (known->since == self->changes->count || known->space >= SPACE_GUEST)
    return TRUE;

  return pen_sweep_is_held_since (self->sweep, known->space, address, known->since)
         && (known->site == PEN_SWEEP_NO_SITE
             || pen_sweep_get_revision (self->sweep, known->site) == known->revision);
}

static void
find_frame (PenFrameCache *self, KnownFrame *known, gint32 pid, guint64 address)
{
  PenTableFrame frame = {
    .address = known->address,
    .kind = known->space == SPACE_GUEST ? PEN_KIND_GUEST : PEN_KIND_UNKNOWN,
    .is_return = known->is_return != 0,
  };
  const PenTenure *tenure = NULL;

  known->site = PEN_SWEEP_NO_SITE;
  if (known->space == PEN_SPACE_KERNEL)
    tenure = pen_sweep_find_kernel_site (self->sweep, address, &frame.revision, &known->site);
  else if (known->space < SPACE_GUEST)
    tenure = pen_sweep_find_process (self->sweep, pid, address);

  if (tenure != NULL) {
    frame.tenure = tenure->id;
    frame.kind = (guint8) tenure->kind;
  }
  known->revision = frame.revision;
  known->id = pen_frame_table_get (self->frames, &frame);
  known->since = self->changes->count;
}

static void
make_room (PenFrameCache *self)
{
  if (++self->n_found <= self->n_known || self->n_known == SLOTS_MAX)
    return;

  self->n_found = 0;
  self->n_known *= 2;
  g_free (self->known);
  self->known = g_new0 (KnownFrame, self->n_known);
}

guint32
pen_frame_cache_get (PenFrameCache *self, const PenFramePlace *place, guint64 address,
                     gboolean is_return, guint32 *site, guint32 *revision)
{
  guint64 looked_up = address - (is_return && address != 0);
  guint32 space = get_space (place);
  guint64 hash = pen_hash_mix (address ^ (guint64) is_return << 63, space);
  KnownFrame *known = &self->known[(hash >> 24) & (self->n_known - 1)];

  if (!known->is_known || known->address != address || known->space != space
      || known->is_return != is_return || !is_current (self, known, looked_up)) {
    make_room (self);
    known = &self->known[(hash >> 24) & (self->n_known - 1)];
    *known = (KnownFrame){
      .address = address, .space = space, .is_return = is_return, .is_known = TRUE
    };
    find_frame (self, known, place->pid, looked_up);
  }

  *site = known->site;
  *revision = known->revision;

  return known->id;
}
