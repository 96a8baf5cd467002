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
#define SLOTS_MIN (1u << 9)
#define SLOTS_MAX (1u << 15)
#define WAYS 2u

/* Words of all lists: 4 MiB; and the most that one run may need. */
#define MAX_WORDS (1u << 20)
#define MAX_WORDS_OF_RUN (3u + 4u * PEN_CHAIN_LENGTH_MAX)

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

/* In words, at the number of a list; then the ids, the pages, and the sites. */
typedef struct {
  guint32 n_ids;
  guint32 n_pages;
  guint32 n_sites;
} List;

struct _PenRunResolver {
  PenChainSpool *spool;
  PenSweep *sweep;
  const PenSweepChanges *changes;
  PenFrameCache *frames;
  KnownRun *known;
  guint n_known;
  guint n_resolved; /* runs that were not known */
  GArray *words;    /* guint32: the lists; the first is not used */
  guint32 *ids;     /* of the run at hand */
  guint32 *pages;
  Site *sites;
  List counts; /* of these */
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
  self->pages = g_new (guint32, PEN_CHAIN_LENGTH_MAX);
  self->sites = g_new (Site, PEN_CHAIN_LENGTH_MAX);
  self->n_known = SLOTS_MIN;
  self->known = g_new0 (KnownRun, self->n_known);
  return self;
}

void
pen_run_resolver_free (PenRunResolver *self)
{
  if (!self)
    return;

  pen_frame_cache_free (self->frames);
  g_array_unref (self->words);
  g_free (self->known);
  g_free (self->ids);
  g_free (self->pages);
  g_free (self->sites);
  g_free (self);
}

static KnownRun *
get_set (KnownRun *known, guint n_known, guint32 run, gint32 pid)
{
  guint64 hash = pen_hash_mix (run, (guint64) (guint32) pid << 32);

  return &known[(hash >> 32) & (n_known - WAYS)];
}

static void
grow (PenRunResolver *self)
{
  guint n_known = MIN (self->n_known * 4, SLOTS_MAX);
  KnownRun *known = g_new0 (KnownRun, n_known);

  for (guint i = 0; i < self->n_known; i++) {
    const KnownRun *old = &self->known[i];
    KnownRun *set = get_set (known, n_known, old->run, old->pid);

    if (old->run != 0)
      set[set[0].run != 0] = *old;
  }
  g_free (self->known);
  self->known = known;
  self->n_known = n_known;
}

gboolean
pen_run_resolver_make_room (PenRunResolver *self)
{
  if (self->n_resolved >= self->n_known / 2 && self->n_known < SLOTS_MAX)
    grow (self);
  if (self->words->len + 2 * MAX_WORDS_OF_RUN <= MAX_WORDS)
    return FALSE;

  g_array_set_size (self->words, 1);
  memset (self->known, 0, self->n_known * sizeof *self->known);
  return TRUE;
}

static const List *
get_list (PenRunResolver *self, guint32 list)
{
  return (const List *) (gconstpointer) &g_array_index (self->words, guint32, list);
}

static const guint32 *
get_ids (const List *list)
{
  return (const guint32 *) (gconstpointer) (list + 1);
}

static gboolean
has_same_revisions (PenRunResolver *self, const List *list)
{
  const Site *sites = (const Site *) (gconstpointer) (get_ids (list) + list->n_ids + list->n_pages);

  for (guint32 i = 0; i < list->n_sites; i++)
    if (pen_sweep_get_revision (self->sweep, sites[i].site) != sites[i].revision)
      return FALSE;
  return TRUE;
}

static gboolean
is_current (PenRunResolver *self, KnownRun *known, guint32 space, guint64 change)
{
  const List *list = get_list (self, known->list);
  const guint32 *pages = get_ids (list) + list->n_ids;

  if (known->space != space)
    return FALSE;
  if (change > known->since
      && !pen_sweep_is_held_since (self->sweep, space, pages, list->n_pages, known->since))
    return FALSE;

  if (known->has_kernel && self->changes->kernel > known->since) {
    if (self->changes->kernel_parts > known->since
        && !pen_sweep_is_held_since (self->sweep, PEN_SPACE_KERNEL, pages, list->n_pages,
                                     known->since))
      return FALSE;
    if (!has_same_revisions (self, list))
      return FALSE;
  }

  known->since = self->changes->count;
  return TRUE;
}

static void
add_frame (PenRunResolver *self, const PenCachedFrame *frame)
{
  List *counts = &self->counts;

  self->ids[counts->n_ids++] = frame->id;
  if (frame->page != PEN_FRAME_NO_PAGE
      && (counts->n_pages == 0 || self->pages[counts->n_pages - 1] != frame->page))
    self->pages[counts->n_pages++] = frame->page;
  if (frame->site != PEN_SWEEP_NO_SITE)
    self->sites[counts->n_sites++] = (Site){ frame->site, frame->revision };
}

/* Into ids, pages and sites. */
static void
resolve (PenRunResolver *self, KnownRun *known, const PenChainRun *run)
{
  PenFramePlace place = { run->context, known->pid, known->space };
  gboolean is_return = run->is_return;

  self->counts = (List){ 0 };
  known->has_kernel = FALSE;
  known->is_dropped = FALSE;
  for (gsize i = 0; i < run->n; i++) {
    PenCachedFrame frame;

    if (run->entries[i] >= PEN_CONTEXT_MAX) {
      place.context = pen_chain_context_after (run->entries[i], place.context);
      is_return = FALSE;
      continue;
    }

    frame = pen_frame_cache_get (self->frames, &place, run->entries[i], is_return);
    add_frame (self, &frame);
    known->has_kernel |= place.context == PEN_CPUMODE_KERNEL;
    known->is_dropped |= frame.id == PEN_FRAME_NONE;
    is_return = TRUE;
  }
}

/* The same frames have the same sites; frames of unknown occupants may be in different spaces. */
static gboolean
is_same_list (PenRunResolver *self, const List *list)
{
  const guint32 *ids = get_ids (list);

  return list->n_ids == self->counts.n_ids && list->n_pages == self->counts.n_pages
         && memcmp (ids, self->ids, list->n_ids * sizeof *ids) == 0
         && memcmp (ids + list->n_ids, self->pages, list->n_pages * sizeof *ids) == 0;
}

static guint32
add_list (PenRunResolver *self)
{
  guint32 list = self->words->len;

  g_array_append_vals (self->words, &self->counts, sizeof self->counts / sizeof (guint32));
  g_array_append_vals (self->words, self->ids, self->counts.n_ids);
  g_array_append_vals (self->words, self->pages, self->counts.n_pages);
  g_array_append_vals (self->words, self->sites, 2 * self->counts.n_sites);
  return list;
}

/* Returns: the slot of @run, which may have another one */
static KnownRun *
find_slot (PenRunResolver *self, guint32 run, gint32 pid)
{
  KnownRun *set = get_set (self->known, self->n_known, run, pid);

  for (guint way = 0; way < WAYS; way++)
    if (set[way].run == run && set[way].pid == pid)
      return &set[way];

  if (set[0].run != 0)
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
    if (known->run == 0 || known->is_dropped
        || !is_same_list (self, get_list (self, known->list))) {
      known->list = add_list (self);
      known->note = 0;
    }
    self->n_resolved += known->run == 0;
    known->run = run;
    known->since = self->changes->count;
  }

  list = get_list (self, known->list);
  *resolved = (PenResolvedRun){ known->list, get_ids (list), list->n_ids, &known->note };
  return TRUE;
}

gboolean
pen_run_resolver_get_once (PenRunResolver *self, guint32 run, gint32 pid, guint32 space,
                           PenResolvedRun *resolved, GError **error)
{
  PenFramePlace place = { .pid = pid, .space = space };
  gboolean is_return;
  PenChainRun entries;

  *resolved = (PenResolvedRun){ 0 };
  if (run == 0)
    return TRUE;

  if (!pen_chain_spool_get (self->spool, run, &entries, error))
    return FALSE;
  place.context = entries.context;
  is_return = entries.is_return;
  *resolved = (PenResolvedRun){ .ids = self->ids };
  for (gsize i = 0; i < entries.n; i++) {
    const guint64 *first = entries.entries + i;
    guint n = 0;

    while (i + n < entries.n && first[n] < PEN_CONTEXT_MAX)
      n++;
    pen_frame_cache_get_ids (self->frames, &place, first, n, is_return, self->ids + resolved->n);
    resolved->n += n;
    i += n;
    if (i < entries.n)
      place.context = pen_chain_context_after (entries.entries[i], place.context);
    is_return = FALSE;
  }
  return TRUE;
}

/* ---- ahead ---- */

void
pen_run_resolver_expect (PenRunResolver *self, guint32 run, gint32 pid)
{
  gint32 known_pid = (run & PEN_RUN_HAS_USER) != 0 ? pid : -1;

  __builtin_prefetch (get_set (self->known, self->n_known, run, known_pid));
  pen_run_spool_expect (pen_chain_spool_get_runs (self->spool), run);
}

static gboolean
is_known (PenRunResolver *self, guint32 run, gint32 pid)
{
  const KnownRun *set = get_set (self->known, self->n_known, run, pid);

  for (guint way = 0; way < WAYS; way++)
    if (set[way].run == run && set[way].pid == pid)
      return TRUE;
  return FALSE;
}

typedef void (*Expect) (PenFrameCache *frames, const PenFramePlace *place, guint64 address,
                        gboolean is_return);

static void
expect_each (PenRunResolver *self, guint32 number, gint32 pid, guint32 space, Expect expect)
{
  guint64 room[PEN_RUN_PEEK_MAX];
  PenFramePlace place = { .pid = pid, .space = space };
  gboolean is_return;
  PenChainRun run;

  if (is_known (self, number, pid)
      || !pen_run_spool_peek (pen_chain_spool_get_runs (self->spool), number, &run, room))
    return;

  place.context = run.context;
  is_return = run.is_return;
  for (gsize i = 0; i < run.n; i++) {
    if (run.entries[i] >= PEN_CONTEXT_MAX) {
      place.context = pen_chain_context_after (run.entries[i], place.context);
      is_return = FALSE;
      continue;
    }
    expect (self->frames, &place, run.entries[i], is_return);
    is_return = TRUE;
  }
}

void
pen_run_resolver_expect_frames (PenRunResolver *self, guint32 run, gint32 pid, guint32 space)
{
  if ((run & PEN_RUN_HAS_USER) != 0)
    expect_each (self, run, pid, space, pen_frame_cache_expect);
}

void
pen_run_resolver_expect_unknown (PenRunResolver *self, guint32 run, gint32 pid, guint32 space)
{
  if ((run & PEN_RUN_HAS_USER) != 0)
    expect_each (self, run, pid, space, pen_frame_cache_expect_unknown);
}
