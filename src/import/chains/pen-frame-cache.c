/* pen-frame-cache.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-frame-cache.h"

#include "pen-hash.h"
#include "pen-record.h"

#define SLOTS_MIN (1u << 11)
#define SLOTS_MAX (1u << 15)

/* Beside those of spaces: a guest's addresses and those that are nowhere always mean the same. */
#define SPACE_GUEST (PEN_SWEEP_NO_SPACE - 1)

typedef struct {
  guint64 address;
  guint64 since; /* the count of changes when it was found */
  PenCachedFrame frame;
  guint32 space;
  guint8 is_return;
  guint8 is_known;
} KnownFrame;

struct _PenFrameCache {
  PenFrameTable *frames;
  PenSweep *sweep;
  const PenSweepChanges *changes;
  KnownFrame *known;
  guint n_known;
  guint n_found; /* that were not known */
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
is_current (PenFrameCache *self, KnownFrame *known)
{
  if (known->since == self->changes->count || known->frame.page == PEN_FRAME_NO_PAGE)
    return TRUE;
  if (!pen_sweep_is_held_since (self->sweep, known->space, &known->frame.page, 1, known->since)
      || (known->frame.site != PEN_SWEEP_NO_SITE
          && pen_sweep_get_revision (self->sweep, known->frame.site) != known->frame.revision))
    return FALSE;

  known->since = self->changes->count;
  return TRUE;
}

static void
find_frame (PenFrameCache *self, KnownFrame *known, gint32 pid)
{
  guint64 address = known->address - (known->is_return && known->address != 0);
  PenTableFrame frame = {
    .address = known->address,
    .kind = known->space == SPACE_GUEST ? PEN_KIND_GUEST : PEN_KIND_UNKNOWN,
    .is_return = known->is_return,
  };
  const PenTenure *tenure = NULL;

  known->frame.site = PEN_SWEEP_NO_SITE;
  known->frame.page = known->space < SPACE_GUEST
                          ? pen_sweep_get_page (self->sweep, known->space, address)
                          : PEN_FRAME_NO_PAGE;
  if (known->space == PEN_SPACE_KERNEL)
    tenure = pen_sweep_find_kernel_site (self->sweep, address, &frame.revision, &known->frame.site);
  else if (known->space < SPACE_GUEST)
    tenure = pen_sweep_find_process (self->sweep, pid, address);

  if (tenure) {
    frame.tenure = tenure->id;
    frame.kind = (guint8) tenure->kind;
  }
  known->frame.revision = frame.revision;
  known->frame.id = pen_frame_table_get (self->frames, &frame);
  known->since = self->changes->count;
}

static KnownFrame *
get_slot (KnownFrame *known, guint n_known, guint64 address, guint32 space, gboolean is_return)
{
  guint64 hash = pen_hash_mix (address ^ (guint64) is_return << 63, space);

  return &known[(hash >> 24) & (n_known - 1)];
}

static void
make_room (PenFrameCache *self)
{
  guint n_known = MIN (self->n_known * 4, SLOTS_MAX);
  KnownFrame *known;

  if (self->n_found < self->n_known / 2 || self->n_known >= SLOTS_MAX)
    return;

  known = g_new0 (KnownFrame, n_known);
  for (guint i = 0; i < self->n_known; i++) {
    const KnownFrame *old = &self->known[i];

    if (old->is_known)
      *get_slot (known, n_known, old->address, old->space, old->is_return) = *old;
  }
  g_free (self->known);
  self->known = known;
  self->n_known = n_known;
}

PenCachedFrame
pen_frame_cache_get (PenFrameCache *self, const PenFramePlace *place, guint64 address,
                     gboolean is_return)
{
  guint32 space = get_space (place);
  KnownFrame *known = get_slot (self->known, self->n_known, address, space, is_return);

  if (known->address != address || known->space != space || known->is_return != is_return
      || !known->is_known) {
    self->n_found++;
    make_room (self);
    known = get_slot (self->known, self->n_known, address, space, is_return);
    known->address = address;
    known->space = space;
    known->is_return = is_return != 0;
    known->is_known = TRUE;
    find_frame (self, known, place->pid);
  } else if (!is_current (self, known)) {
    find_frame (self, known, place->pid);
  }
  return known->frame;
}
