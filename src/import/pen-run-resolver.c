/* pen-run-resolver.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-run-resolver.h"

#include <string.h>

#include "pen-frame-cache.h"
#include "pen-hash.h"

/* Runs known by their slots: few for a small capture, which would spend more time on the pages of
 * a large table than on its chains. */
#define SLOTS_MIN (1u << 10)
#define SLOTS_MAX (1u << 15)
#define WAYS 2u

/* Of lists: 16 MiB, and what one run may need. */
#define MAX_WORDS (1u << 22)
#define MAX_WORDS_OF_RUN (2u + 3u * PEN_CHAIN_LENGTH_MAX)

/* A run that was resolved, and since when that is right. */
typedef struct {
  guint64 since; /* the count of changes */
  guint32 run;   /* 0: none */
  gint32 pid;
  guint32 space;
  guint32 list;
  guint32 note;
  guint8 has_kernel;
  guint8 is_dropped;
} KnownRun;

/* A site whose revision the list has. */
typedef struct {
  guint32 site;
  guint32 revision;
} Site;

/* In words, at the number of a list: */
typedef struct {
  guint32 n_ids;
  guint32 n_sites;
  guint32 ids[]; /* and then the sites */
} List;

struct _PenRunResolver {
  PenChainSpool *spool;
  PenSweep *sweep;
  const PenSweepChanges *changes;
  PenFrameCache *frames;
  KnownRun *known; /* NULL until there is a run */
  guint n_known;
  guint n_resolved; /* since the last time that there was more room */
  GArray *words;    /* guint32: the lists; the first is not used */
  guint32 *ids;     /* of the run at hand */
  guint32 n_ids;
  Site *sites;
  guint32 n_sites;
};

PenRunResolver *
pen_run_resolver_new (PenChainSpool *spool, PenFrameTable *frames, PenSweep *sweep)
{
  PenRunResolver *self = g_new0 (PenRunResolver, 1);

  self->spool = spool;
  self->sweep = sweep;
  self->changes = pen_sweep_get_changes (sweep);
  self->frames = pen_frame_cache_new (frames, sweep);
  self->words = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_set_size (self->words, 1);
  self->ids = g_new (guint32, PEN_CHAIN_LENGTH_MAX);
  self->sites = g_new (Site, PEN_CHAIN_LENGTH_MAX);

  return self;
}

void
pen_run_resolver_free (PenRunResolver *self)
{
  if (self == NULL)
    return;

  pen_frame_cache_free (self->frames);
  g_array_unref (self->words);
  g_free (self->known);
  g_free (self->ids);
  g_free (self->sites);
  g_free (self);
}

gboolean
pen_run_resolver_make_room (PenRunResolver *self)
{
  gboolean is_full = self->words->len + 2 * MAX_WORDS_OF_RUN > MAX_WORDS;
  gboolean is_small = self->n_resolved >= self->n_known && self->n_known < SLOTS_MAX;

  if (is_small) {
    /* what it held is resolved once more when it comes again */
    self->n_known = self->n_known == 0 ? SLOTS_MIN : self->n_known * 4;
    self->n_resolved = 0;
    g_free (self->known);
    self->known = g_new0 (KnownRun, self->n_known);
  }

  if (is_full) {
    g_array_set_size (self->words, 1);
    memset (self->known, 0, self->n_known * sizeof *self->known);
  }

  return is_full;
}

static const List *
get_list (PenRunResolver *self, guint32 list)
{
  return (const List *) (gconstpointer) &g_array_index (self->words, guint32, list);
}

static gboolean
has_same_revisions (PenRunResolver *self, guint32 list)
{
  const List *known = get_list (self, list);
  const Site *sites = (const Site *) (gconstpointer) (known->ids + known->n_ids);

  for (guint32 i = 0; i < known->n_sites; i++)
    if (pen_sweep_get_revision (self->sweep, sites[i].site) != sites[i].revision)
      return FALSE;

  return TRUE;
}

static gboolean
is_current (PenRunResolver *self, KnownRun *known, guint32 space, guint64 change)
{
  if (known->space != space || change > known->since)
    return FALSE;

  if (known->has_kernel && self->changes->kernel > known->since
      && (self->changes->kernel_parts > known->since || !has_same_revisions (self, known->list)))
    return FALSE;

  known->since = self->changes->count;

  return TRUE;
}

/* Into ids and sites. */
static void
resolve (PenRunResolver *self, KnownRun *known, const PenChainRun *run)
{
  PenFramePlace place = { run->context, known->pid, known->space };
  gboolean is_return = run->is_return;
  Site site;

  self->n_ids = 0;
  self->n_sites = 0;
  known->has_kernel = FALSE;
  known->is_dropped = FALSE;
  for (gsize i = 0; i < run->n; i++) {
    guint32 id;

    if (run->entries[i] >= PEN_CONTEXT_MAX) {
      place.context = pen_chain_context_after (run->entries[i], place.context);
      is_return = FALSE;
      continue;
    }

    id = pen_frame_cache_get (self->frames, &place, run->entries[i], is_return, &site.site,
                              &site.revision);
    known->has_kernel |= place.context == PEN_CPUMODE_KERNEL;
    known->is_dropped |= id == PEN_FRAME_NONE;
    self->ids[self->n_ids++] = id;
    if (site.site != PEN_SWEEP_NO_SITE)
      self->sites[self->n_sites++] = site;
    is_return = TRUE;
  }
}

static gboolean
is_same_list (PenRunResolver *self, guint32 list)
{
  const List *known = get_list (self, list);

  return known->n_ids == self->n_ids && known->n_sites == self->n_sites
         && memcmp (known->ids, self->ids, self->n_ids * sizeof *self->ids) == 0
         && memcmp (known->ids + known->n_ids, self->sites, self->n_sites * sizeof *self->sites)
                == 0;
}

static guint32
add_list (PenRunResolver *self)
{
  guint32 list = self->words->len;

  g_array_append_val (self->words, self->n_ids);
  g_array_append_val (self->words, self->n_sites);
  g_array_append_vals (self->words, self->ids, self->n_ids);
  g_array_append_vals (self->words, self->sites, 2 * self->n_sites);

  return list;
}

/* Returns: the slot of @run, which may have another one */
static KnownRun *
find_slot (PenRunResolver *self, guint32 run, gint32 pid)
{
  guint64 hash = pen_hash_mix (run, (guint64) (guint32) pid << 32);
  KnownRun *set = &self->known[(hash >> 32) & (self->n_known - WAYS)];

  for (guint way = 0; way < WAYS; way++)
    if (set[way].run == run && set[way].pid == pid)
      return &set[way];

  set[1] = set[0];
  set[0].run = 0;

  return set;
}

gboolean
pen_run_resolver_get (PenRunResolver *self, guint32 run, gint32 pid, guint32 space, guint64 change,
                      PenResolvedRun *resolved, GError **error)
{
  const List *list;
  KnownRun *known;

  *resolved = (PenResolvedRun){ 0 };
  if (run == 0)
    return TRUE;
  if ((run & PEN_RUN_HAS_USER) == 0) {
    pid = -1;
    space = PEN_SWEEP_NO_SPACE;
    change = 0;
  }

  known = find_slot (self, run, pid);
  if (known->run == 0 || !is_current (self, known, space, change)) {
    PenChainRun entries;

    if (!pen_chain_spool_get (self->spool, run, &entries, error))
      return FALSE;
    known->pid = pid;
    known->space = space;
    resolve (self, known, &entries);
    if (known->run == 0 || !is_same_list (self, known->list)) {
      known->list = add_list (self);
      known->note = 0;
    }
    known->run = run;
    known->since = self->changes->count;
    self->n_resolved++;
  }

  list = get_list (self, known->list);
  *resolved
      = (PenResolvedRun){ known->list, list->ids, list->n_ids, known->is_dropped, &known->note };

  return TRUE;
}
