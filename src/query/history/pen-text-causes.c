/* pen-text-causes.c: when each cause was on, by the pokes of a place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-causes.h"

#include "pen-binary-search.h"
#include "pen-table-hash.h"
#include "pen-tenure.h"

/* ---- sites: bytes that pokes overlap in ---- */

typedef struct {
  guint64 start;
  guint64 end;
  GArray *pokes; /* guint: indexes, in time order */
} Site;

static void
clear_site (gpointer data)
{
  g_clear_pointer (&((Site *) data)->pokes, g_array_unref);
}

static int
compare_sites (gconstpointer a, gconstpointer b)
{
  const Site *x = a, *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

static GArray *
list_sites (const GArray *pokes)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (Site));
  GArray *sites = g_array_new (FALSE, FALSE, sizeof (Site));

  g_array_set_clear_func (sites, clear_site);
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);
    guint64 room = G_MAXUINT64 - poke->address;
    Site range = { poke->address, poke->address + MIN (pen_poke_get_length (poke), room), NULL };

    g_array_append_val (ranges, range);
  }
  g_array_sort (ranges, compare_sites);
  for (guint i = 0; i < ranges->len; i++) {
    Site range = g_array_index (ranges, Site, i);
    Site *last = sites->len > 0 ? &g_array_index (sites, Site, sites->len - 1) : NULL;

    if (last && (range.start < last->end || range.start == last->start)) {
      last->end = MAX (last->end, range.end);
    } else {
      range.pokes = g_array_new (FALSE, FALSE, sizeof (guint));
      g_array_append_val (sites, range);
    }
  }
  for (guint i = 0; i < pokes->len; i++) {
    guint64 address = g_array_index (pokes, PenPoke, i).address;
    guint after
        = PEN_BINARY_SEARCH (s, 0, sites->len, g_array_index (sites, Site, s).start <= address);

    g_array_append_val (g_array_index (sites, Site, after - 1).pokes, i);
  }
  return sites;
}

/* ---- on or off ---- */

/* The kernel makes probes into jumps by itself. */
static PenCause
get_family (PenCause cause)
{
  return cause == PEN_CAUSE_OPTPROBE ? PEN_CAUSE_KPROBE : cause;
}

static gboolean
is_nop_based (PenCause cause)
{
  return cause == PEN_CAUSE_FTRACE || cause == PEN_CAUSE_LIVEPATCH || cause == PEN_CAUSE_BPF;
}

/* A byte that was poked. */
typedef struct {
  guint8 first;
  guint8 now;
  gboolean is_known;
} Byte;

/*
 * How the bytes of a site say that it is on:
 * @has_nop: a tracer's call stands where else a nop is
 * @on_form: of a static key's site, where a switch is known: its form when on; else PEN_FORMS
 * @keys: by cause: a key's sites keep it, also where a batch of several keys has none
 * @batches: by cause: the first one of the site; sites of one batch are one key's, known or not
 * @bytes: of the whole site, in the tenure that is replayed; @n_differing: that are not the first
 */
typedef struct {
  const Site *site;
  gboolean has_nop;
  PenSideForm on_form;
  const char *keys[PEN_CAUSES];
  guint32 batches[PEN_CAUSES];
  Byte *bytes;
  guint n_differing;
} Reading;

static PenSideForm
get_other_form (PenSideForm form)
{
  return form == PEN_FORM_NOP ? PEN_FORM_JUMP : PEN_FORM_NOP;
}

static void
learn_forms (Reading *reading, const GArray *pokes, const PenBatch *batches, guint n_batches)
{
  reading->on_form = PEN_FORMS;
  for (guint i = 0; i < reading->site->pokes->len; i++) {
    const PenPoke *poke
        = &g_array_index (pokes, PenPoke, g_array_index (reading->site->pokes, guint, i));
    PenSideForm after = poke->after.form;
    PenBatchAction action = PEN_ACTION_CHANGED;

    if (poke->key && *poke->key != '\0')
      reading->keys[poke->cause] = poke->key;
    if (reading->batches[poke->cause] == 0)
      reading->batches[poke->cause] = poke->batch;
    if (is_nop_based (poke->cause))
      reading->has_nop |= poke->before.form == PEN_FORM_NOP || after == PEN_FORM_NOP;
    if (poke->cause != PEN_CAUSE_STATIC_KEY || (after != PEN_FORM_NOP && after != PEN_FORM_JUMP))
      continue;
    if (poke->batch > 0 && poke->batch <= n_batches)
      action = batches[poke->batch - 1].action;
    if (action == PEN_ACTION_ON)
      reading->on_form = after;
    else if (action == PEN_ACTION_OFF)
      reading->on_form = get_other_form (after);
  }
}

/* Whether the site's on and off are known by what is there, rather than by what was there first. */
static gboolean
is_switch (const Reading *reading, const PenPoke *poke)
{
  return get_family (poke->cause) == PEN_CAUSE_KPROBE
         || (is_nop_based (poke->cause) && reading->has_nop)
         || (poke->cause == PEN_CAUSE_STATIC_KEY && reading->on_form != PEN_FORMS);
}

/* @side: of @poke */
static gboolean
is_side_on (const Reading *reading, const PenPoke *poke, const PenPokeSide *side)
{
  if (poke->cause == PEN_CAUSE_KPROBE)
    return side->form == PEN_FORM_BREAKPOINT;
  if (poke->cause == PEN_CAUSE_OPTPROBE)
    return side->form == PEN_FORM_BREAKPOINT || side->form == PEN_FORM_JUMP;
  if (poke->cause == PEN_CAUSE_STATIC_KEY)
    return side->form == reading->on_form;
  return side->form != PEN_FORM_NOP;
}

static void
put_bytes (Reading *reading, const PenPoke *poke)
{
  guint64 offset = poke->address - reading->site->start;

  for (guint i = 0; i < MIN (poke->old_length, poke->new_length); i++) {
    Byte *byte = &reading->bytes[offset + i];

    if (!byte->is_known)
      *byte = (Byte){ poke->old_bytes[i], poke->old_bytes[i], TRUE };
    reading->n_differing -= byte->now != byte->first;
    byte->now = poke->new_bytes[i];
    reading->n_differing += byte->now != byte->first;
  }
}

static void
forget_bytes (Reading *reading, const PenPoke *poke)
{
  guint64 offset = poke->address - reading->site->start;

  for (guint i = 0; i < MIN (poke->old_length, poke->new_length); i++)
    reading->bytes[offset + i].is_known = FALSE;
}

/* ---- the turns of a site ---- */

/* @cause: index of the cause that is on there, or that the site is off of; -1: unknown, or off for
 * all */
typedef struct {
  guint64 time;
  PenTextState state;
  int cause;
} SiteTurn;

typedef struct {
  const GArray *pokes;
  const GArray *holds;
  GArray *losses; /* PenLoss: only those that may hide a change */
  const PenBatch *batches;
  guint n_batches;
  GPtrArray *causes;  /* PenTextCause */
  GPtrArray *members; /* of each cause: GArray of guint, its sites */
  GHashTable *ids;    /* char * → index of @causes, plus one */
  GPtrArray *turns;   /* of each site: GArray of SiteTurn */
} Build;

static void
free_cause (gpointer data)
{
  PenTextCause *cause = data;

  g_array_unref (cause->turns);
  g_free (cause);
}

/* Sites with one id are one cause's. */
static char *
make_id (const Reading *reading, guint s, PenCause cause)
{
  gboolean is_switched = cause == PEN_CAUSE_STATIC_KEY || cause == PEN_CAUSE_STATIC_CALL;

  if (reading->keys[cause])
    return g_strdup_printf ("%d %s", cause, reading->keys[cause]);
  if (is_switched && reading->batches[cause] > 0)
    return g_strdup_printf ("%d #%u", cause, reading->batches[cause]);
  return g_strdup_printf ("%d @%u", get_family (cause), s);
}

/* The index of the cause of @poke at site @s. */
static guint
get_cause (Build *build, const Reading *reading, guint s, const PenPoke *poke)
{
  PenCause family = get_family (poke->cause);
  g_autofree char *id = make_id (reading, s, poke->cause);
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (build->ids, id));
  PenTextCause *cause;
  GArray *sites;

  if (index == 0) {
    cause = g_new0 (PenTextCause, 1);
    cause->cause = family;
    cause->address = reading->site->start;
    cause->is_switch = TRUE;
    cause->key = reading->keys[poke->cause];
    cause->turns = g_array_new (FALSE, FALSE, sizeof (PenTextTurn));
    g_ptr_array_add (build->causes, cause);
    g_ptr_array_add (build->members, g_array_new (FALSE, FALSE, sizeof (guint)));
    index = build->causes->len;
    g_hash_table_insert (build->ids, g_steal_pointer (&id), GUINT_TO_POINTER (index));
  }
  sites = build->members->pdata[index - 1];
  if (sites->len == 0 || g_array_index (sites, guint, sites->len - 1) != s)
    g_array_append_val (sites, s);
  return index - 1;
}

static void
add_turn (GArray *turns, guint64 time, PenTextState state, int cause)
{
  SiteTurn turn = { time, state, cause };
  SiteTurn *last = turns->len > 0 ? &g_array_index (turns, SiteTurn, turns->len - 1) : NULL;

  if (last && last->time >= time)
    *last = (SiteTurn){ last->time, state, cause };
  else
    g_array_append_val (turns, turn);
}

/* The time of the first loss after @time in which a poke may be missing, or G_MAXUINT64. */
static guint64
find_loss (const Build *build, guint64 time)
{
  guint i = PEN_BINARY_SEARCH (k, 0, build->losses->len,
                               g_array_index (build->losses, PenLoss, k).to <= time);

  return i < build->losses->len ? MAX (g_array_index (build->losses, PenLoss, i).from, time)
                                : G_MAXUINT64;
}

static const PenTextHold *
find_hold (const Build *build, guint32 tenure)
{
  guint i = PEN_BINARY_SEARCH (k, 0, build->holds->len,
                               g_array_index (build->holds, PenTextHold, k).tenure < tenure);
  const PenTextHold *hold
      = i < build->holds->len ? &g_array_index (build->holds, PenTextHold, i) : NULL;

  return hold && hold->tenure == tenure ? hold : NULL;
}

static const PenPoke *
get_poke (const Build *build, const Site *site, guint i)
{
  return &g_array_index (build->pokes, PenPoke, g_array_index (site->pokes, guint, i));
}

/* The state that @poke leaves, once its bytes are put. */
static PenTextState
read_state (const Reading *reading, const PenPoke *poke)
{
  gboolean is_on = is_switch (reading, poke) ? is_side_on (reading, poke, &poke->after)
                                             : reading->n_differing > 0;

  return is_on ? PEN_TEXT_ON : PEN_TEXT_OFF;
}

static PenTextState
read_state_before (const Reading *reading, const PenPoke *poke)
{
  if (poke->breaks_chain)
    return PEN_TEXT_UNKNOWN;
  return is_switch (reading, poke) && is_side_on (reading, poke, &poke->before) ? PEN_TEXT_ON
                                                                                : PEN_TEXT_OFF;
}

/* The text before the first poke, and that poke. */
static void
begin_tenure (Build *build, Reading *reading, guint s, const PenPoke *poke, GArray *turns)
{
  const PenTextHold *hold = find_hold (build, poke->tenure);

  reading->n_differing = 0;
  add_turn (turns, hold ? hold->from : 0, read_state_before (reading, poke),
            (int) get_cause (build, reading, s, poke));
}

/* @next: when a poke of another tenure follows, or G_MAXUINT64 */
static void
end_tenure (Build *build, const PenPoke *last, guint64 next, GArray *turns)
{
  const PenTextHold *hold = find_hold (build, last->tenure);
  guint64 until = find_loss (build, last->moment.time);

  until = MIN (until, hold ? hold->to : G_MAXUINT64);
  if (until < next)
    add_turn (turns, until, PEN_TEXT_UNKNOWN, -1);
}

static void
replay_poke (Build *build, Reading *reading, guint s, const PenPoke *poke, GArray *turns)
{
  guint id = get_cause (build, reading, s, poke);
  PenTextCause *cause = build->causes->pdata[id];
  PenTextState state;

  put_bytes (reading, poke);
  state = read_state (reading, poke);
  if (poke->breaks_chain)
    g_array_index (turns, SiteTurn, turns->len - 1).state = PEN_TEXT_UNKNOWN;
  add_turn (turns, poke->moment.time, state, (int) id);
  cause->pokes++;
  cause->is_switch &= is_switch (reading, poke);
  if (state == PEN_TEXT_ON)
    cause->on = poke;
}

static void
replay_site (Build *build, const Site *site, guint s)
{
  g_autofree Byte *bytes = g_new0 (Byte, (gsize) (site->end - site->start) + 1);
  GArray *turns = g_array_new (FALSE, FALSE, sizeof (SiteTurn));
  Reading reading = { .site = site, .bytes = bytes };
  guint first = 0;

  learn_forms (&reading, build->pokes, build->batches, build->n_batches);
  for (guint i = 0; i < site->pokes->len; i++) {
    const PenPoke *poke = get_poke (build, site, i);
    const PenPoke *next = i + 1 < site->pokes->len ? get_poke (build, site, i + 1) : NULL;

    if (i == first)
      begin_tenure (build, &reading, s, poke, turns);
    replay_poke (build, &reading, s, poke, turns);
    if (next && next->tenure == poke->tenure)
      continue;
    end_tenure (build, poke, next ? next->moment.time : G_MAXUINT64, turns);
    for (; first <= i; first++)
      forget_bytes (&reading, get_poke (build, site, first));
  }
  g_ptr_array_add (build->turns, turns);
}

/* ---- the turns of a cause: those of its sites ---- */

typedef struct {
  guint64 time;
  PenTextState before;
  PenTextState after;
} Step;

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;

  return x->time < y->time ? -1 : x->time > y->time;
}

/* A site that another cause has on is neither on nor off. */
static PenTextState
get_state_for (const SiteTurn *turn, guint cause)
{
  return turn->state == PEN_TEXT_ON && turn->cause != (int) cause ? PEN_TEXT_OTHER : turn->state;
}

static PenTextState
join_states (const guint counts[PEN_TEXT_STATES], guint n_sites)
{
  if (counts[PEN_TEXT_UNKNOWN] > 0)
    return PEN_TEXT_UNKNOWN;
  if (counts[PEN_TEXT_ON] == n_sites)
    return PEN_TEXT_ON;
  return counts[PEN_TEXT_OFF] == n_sites ? PEN_TEXT_OFF : PEN_TEXT_OTHER;
}

static void
join_sites (Build *build, guint index)
{
  PenTextCause *cause = build->causes->pdata[index];
  const GArray *sites = build->members->pdata[index];
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  guint counts[PEN_TEXT_STATES] = { [PEN_TEXT_UNKNOWN] = sites->len };
  PenTextTurn turn = { 0, PEN_TEXT_UNKNOWN };

  cause->sites = sites->len;
  for (guint i = 0; i < sites->len; i++) {
    const GArray *turns = build->turns->pdata[g_array_index (sites, guint, i)];
    PenTextState last = PEN_TEXT_UNKNOWN;

    for (guint k = 0; k < turns->len; k++) {
      const SiteTurn *at = &g_array_index (turns, SiteTurn, k);
      Step step = { at->time, last, get_state_for (at, index) };

      last = step.after;
      g_array_append_val (steps, step);
    }
  }
  g_array_sort (steps, compare_steps);
  g_array_append_val (cause->turns, turn);
  for (guint i = 0; i < steps->len; i++) {
    const Step *step = &g_array_index (steps, Step, i);
    PenTextTurn *last = &g_array_index (cause->turns, PenTextTurn, cause->turns->len - 1);

    counts[step->before]--;
    counts[step->after]++;
    if (i + 1 < steps->len && g_array_index (steps, Step, i + 1).time == step->time)
      continue;
    turn = (PenTextTurn){ step->time, join_states (counts, sites->len) };
    if (turn.time == last->time)
      *last = turn;
    else if (turn.state != last->state)
      g_array_append_val (cause->turns, turn);
  }
}

/* ---- all ---- */

/* As pen-losses.c has it: records of changes may be among them. Both ends ascend. */
static GArray *
list_hiding (const GArray *losses)
{
  GArray *hiding = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  guint64 latest = 0;

  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);
    gboolean hides = loss->kind == PEN_LOSS_RECORDS || loss->kind == PEN_LOSS_SET_ASIDE
                     || (loss->kind == PEN_LOSS_TRUNCATED && loss->from < loss->to);

    if (!hides || (hiding->len > 0 && loss->to <= latest))
      continue;
    latest = loss->to;
    g_array_append_vals (hiding, loss, 1);
  }
  return hiding;
}

GPtrArray *
pen_text_causes_new (const GArray *pokes, const GArray *holds, const GArray *losses,
                     const PenBatch *batches, guint n_batches)
{
  g_autoptr (GArray) sites = list_sites (pokes);
  g_autoptr (GArray) hiding = list_hiding (losses);
  g_autoptr (GPtrArray) members = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  Build build = { .pokes = pokes,
                  .holds = holds,
                  .losses = hiding,
                  .batches = batches,
                  .n_batches = n_batches,
                  .causes = g_ptr_array_new_with_free_func (free_cause),
                  .members = members,
                  .ids = ids,
                  .turns = turns };

  for (guint i = 0; i < sites->len; i++)
    replay_site (&build, &g_array_index (sites, Site, i), i);
  for (guint i = 0; i < build.causes->len; i++)
    join_sites (&build, i);
  return build.causes;
}

PenTextState
pen_text_cause_find_turn (const PenTextCause *self, guint64 time, guint64 *from, guint64 *to)
{
  guint after = PEN_BINARY_SEARCH (i, 0, self->turns->len,
                                   g_array_index (self->turns, PenTextTurn, i).time <= time);
  const PenTextTurn *turn = &g_array_index (self->turns, PenTextTurn, after - 1);

  *from = turn->time;
  *to = after < self->turns->len ? turn[1].time : G_MAXUINT64;
  return turn->state;
}
