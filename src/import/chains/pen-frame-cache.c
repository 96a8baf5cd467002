/* pen-frame-cache.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-frame-cache.h"

#include "pen-hash.h"
#include "pen-record.h"

#define SLOTS_MIN (1u << 11)
#define SLOTS_MAX (1u << 15)
/* As many as one line of the processor's cache holds; the one asked for last comes first. */
#define WAYS 2u

/* Beside those of spaces: a guest's addresses and those that are nowhere always mean the same. */
#define SPACE_GUEST (PEN_SWEEP_NO_SPACE - 1)

/* @since: the count of changes when it was found, @id and the rest as in PenCachedFrame: its page
 * follows from the address */
typedef struct {
  guint64 address;
  guint64 since : 62;
  guint64 is_return : 1;
  guint64 is_known : 1;
  guint32 space;
  guint32 id;
  guint32 site;
  guint32 revision;
} KnownFrame;

/* Equal ones are in one set. */
typedef struct {
  KnownFrame ways[WAYS];
} KnownSet;

#define LINE 64u

G_STATIC_ASSERT (sizeof (KnownSet) == LINE);

struct _PenFrameCache {
  PenFrameTable *frames;
  PenSweep *sweep;
  const PenSweepChanges *changes;
  gpointer memory; /* with room to begin at a line */
  KnownSet *known;
  guint n_known; /* frames */
  guint n_found; /* that were not known */
};

static void
make_sets (PenFrameCache *self, guint n_known)
{
  self->memory = g_malloc0 (n_known * sizeof (KnownFrame) + LINE);
  self->known = (KnownSet *) (((guintptr) self->memory + LINE - 1) & ~(guintptr) (LINE - 1));
  self->n_known = n_known;
}

PenFrameCache *
pen_frame_cache_new (PenFrameTable *frames, PenSweep *sweep)
{
  PenFrameCache *self = g_new0 (PenFrameCache, 1);

  self->frames = frames;
  self->sweep = sweep;
  self->changes = pen_sweep_get_changes (sweep);
  make_sets (self, SLOTS_MIN);
  return self;
}

void
pen_frame_cache_free (PenFrameCache *self)
{
  g_free (self->memory);
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

/* Guests and what is nowhere are the same at any time. */
static guint32
get_page (PenFrameCache *self, const KnownFrame *known)
{
  guint64 address = known->address - (known->is_return && known->address != 0);

  return known->space < SPACE_GUEST ? pen_sweep_get_page (self->sweep, known->space, address)
                                    : PEN_FRAME_NO_PAGE;
}

static gboolean
is_current (PenFrameCache *self, KnownFrame *known, guint32 page)
{
  if (known->since == self->changes->count || page == PEN_FRAME_NO_PAGE)
    return TRUE;
  if (!pen_sweep_is_held_since (self->sweep, known->space, &page, 1, known->since)
      || (known->site != PEN_SWEEP_NO_SITE
          && pen_sweep_get_revision (self->sweep, known->site) != known->revision))
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
  guint32 site = PEN_SWEEP_NO_SITE;

  if (known->space == PEN_SPACE_KERNEL)
    tenure = pen_sweep_find_kernel_site (self->sweep, address, &frame.revision, &site);
  else if (known->space < SPACE_GUEST)
    tenure = pen_sweep_find_process (self->sweep, pid, address);

  if (tenure) {
    frame.tenure = tenure->id;
    frame.kind = (guint8) tenure->kind;
  }
  known->site = site;
  known->revision = frame.revision;
  known->id = pen_frame_table_get (self->frames, &frame);
  known->since = self->changes->count;
}

static inline KnownSet *
get_set (PenFrameCache *self, guint64 address, guint32 space, gboolean is_return)
{
  guint64 hash = pen_hash_mix (address ^ (guint64) is_return << 63, space);

  return &self->known[(hash >> 24) & (self->n_known / WAYS - 1)];
}

/* The other one of the set gives way. */
static KnownFrame *
make_first (KnownSet *set)
{
  set->ways[1] = set->ways[0];
  return &set->ways[0];
}

static void
make_room (PenFrameCache *self)
{
  g_autofree gpointer memory = self->memory;
  const KnownSet *known = self->known;
  guint n_known = self->n_known;

  make_sets (self, 4 * n_known);
  for (guint i = 0; i < n_known; i++) {
    const KnownFrame *old = &known[i / WAYS].ways[WAYS - 1 - i % WAYS];

    if (old->is_known)
      *make_first (get_set (self, old->address, old->space, old->is_return)) = *old;
  }
}

static inline gboolean
is_at (const KnownFrame *known, guint64 address, guint32 space, gboolean is_return)
{
  return known->address == address && known->space == space && known->is_return == is_return
         && known->is_known;
}

static KnownFrame *
find_known (PenFrameCache *self, KnownSet *set, guint64 address, guint32 space, gboolean is_return,
            gint32 pid)
{
  KnownFrame known = set->ways[1];

  if (is_at (&known, address, space, is_return)) {
    *make_first (set) = known;
    return &set->ways[0];
  }

  self->n_found++;
  if (self->n_found >= self->n_known / 2 && self->n_known < SLOTS_MAX) {
    make_room (self);
    set = get_set (self, address, space, is_return);
  }
  known = (KnownFrame){
    .address = address, .space = space, .is_return = is_return, .is_known = TRUE
  };
  find_frame (self, &known, pid);
  *make_first (set) = known;
  return &set->ways[0];
}

PenCachedFrame
pen_frame_cache_get (PenFrameCache *self, const PenFramePlace *place, guint64 address,
                     gboolean is_return)
{
  guint32 space = get_space (place);
  KnownSet *set = get_set (self, address, space, is_return != 0);
  KnownFrame *known = &set->ways[0];
  guint32 page;

  if (!is_at (known, address, space, is_return != 0))
    known = find_known (self, set, address, space, is_return != 0, place->pid);
  page = get_page (self, known);
  if (!is_current (self, known, page))
    find_frame (self, known, place->pid);
  return (PenCachedFrame){ known->id, page, known->site, known->revision };
}

void
pen_frame_cache_get_ids (PenFrameCache *self, const PenFramePlace *place, const guint64 *addresses,
                         guint n, gboolean is_return, guint32 *ids)
{
  guint32 space = get_space (place);
  guint64 now = self->changes->count;

  is_return = is_return != 0;
  for (guint i = 0; i < n; i++, is_return = TRUE) {
    KnownSet *set = get_set (self, addresses[i], space, is_return);
    KnownFrame *known = &set->ways[0];

    if (!is_at (known, addresses[i], space, is_return))
      known = find_known (self, set, addresses[i], space, is_return, place->pid);
    if (known->since != now && !is_current (self, known, get_page (self, known)))
      find_frame (self, known, place->pid);
    ids[i] = known->id;
  }
}

void
pen_frame_cache_expect (PenFrameCache *self, const PenFramePlace *place, guint64 address,
                        gboolean is_return)
{
  __builtin_prefetch (get_set (self, address, get_space (place), is_return != 0));
}

void
pen_frame_cache_expect_unknown (PenFrameCache *self, const PenFramePlace *place, guint64 address,
                                gboolean is_return)
{
  guint32 space = get_space (place);
  const KnownSet *set = get_set (self, address, space, is_return != 0);
  PenTableFrame frame = { .address = address, .is_return = is_return != 0 };

  for (guint way = 0; way < WAYS; way++)
    if (is_at (&set->ways[way], address, space, is_return != 0))
      return;
  pen_frame_table_expect (self->frames, &frame);
}
