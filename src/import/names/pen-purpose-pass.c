/* pen-purpose-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-purpose-pass.h"

#include "pen-table-hash.h"

#define PROGRESS_STEP 4096u

/* A byte, for as long as one holds it. */
typedef struct {
  guint64 address;
  guint64 tenure;
} Place;

static guint
place_hash (gconstpointer key)
{
  return pen_data_hash (key, sizeof (Place));
}

static gboolean
place_equal (gconstpointer a, gconstpointer b)
{
  const Place *x = a;
  const Place *y = b;

  return x->address == y->address && x->tenure == y->tenure;
}

/* ---- whether somebody is there ---- */

static gboolean
is_branch (PenSideForm form)
{
  return form == PEN_FORM_CALL || form == PEN_FORM_JUMP;
}

/* What a probe displaces may be a branch. */
static gboolean
is_set_before (const PenPoke *poke)
{
  if (poke->cause == PEN_CAUSE_KPROBE)
    return poke->before.form == PEN_FORM_BREAKPOINT;
  if (poke->cause == PEN_CAUSE_OPTPROBE)
    return poke->before.form == PEN_FORM_BREAKPOINT || poke->before.form == PEN_FORM_JUMP;
  return is_branch (poke->before.form);
}

static gboolean
is_set_after (const PenPoke *poke)
{
  if (poke->cause == PEN_CAUSE_KPROBE)
    return poke->after.form == PEN_FORM_BREAKPOINT;
  if (poke->cause == PEN_CAUSE_OPTPROBE)
    return poke->after.form == PEN_FORM_BREAKPOINT
           || (poke->after.form == PEN_FORM_JUMP && poke->before.form == PEN_FORM_BREAKPOINT);
  return is_branch (poke->after.form);
}

static const PenTenure *
get_tenure (PenHistory *history, const PenPoke *poke)
{
  const PenTenure *tenures = pen_history_get_tenures (history, &(guint){ 0 });

  return poke->tenure != 0 ? &tenures[poke->tenure - 1] : NULL;
}

/* ---- since when, and until when ---- */

/* Of a poke: a list of that time shows its user. */
typedef struct {
  guint64 since;
  guint64 until;
} Held;

/*
 * Pass:
 * @turns: Place → guint64: at the last poke seen there, somebody came or went; none: somebody may
 * have been there all along
 * @held: of each poke
 */
typedef struct {
  PenHistory *history;
  PenPoke *pokes;
  guint n;
  GHashTable *turns;
  Held *held;
} Pass;

static Pass *
pass_new (PenHistory *history)
{
  Pass *pass = g_new0 (Pass, 1);

  pass->history = history;
  pass->pokes = pen_history_get_pokes (history, &pass->n);
  pass->turns = g_hash_table_new_full (place_hash, place_equal, g_free, g_free);
  pass->held = g_new0 (Held, pass->n + 1);
  return pass;
}

static void
pass_free (Pass *pass)
{
  g_hash_table_unref (pass->turns);
  g_free (pass->held);
  g_free (pass);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pass, pass_free)

/* Before it, or after it, as of when the tenure began or ends. Memory that is there for one user is
 * that one's as long as it is there. */
static Held
get_whole (Pass *pass, const PenPoke *poke, gboolean *is_of_one)
{
  const PenTenure *tenure = get_tenure (pass->history, poke);
  Held held = { 0, G_MAXUINT64 };

  *is_of_one = tenure && tenure->kind == PEN_KIND_STUB;
  if (tenure)
    pen_purposes_get_span (tenure, &held.since, &held.until);
  return held;
}

/* Coming from that end: one that is there at a poke came, or goes, at the last turn seen. */
static void
take (Pass *pass, guint index, gboolean is_from_start)
{
  const PenPoke *poke = &pass->pokes[index];
  Place place = { poke->address, poke->tenure };
  guint64 *turn = g_hash_table_lookup (pass->turns, &place);
  gboolean was_set = is_set_before (poke);
  gboolean is_set = is_set_after (poke);
  gboolean is_same = poke->effect == PEN_POKE_SAME;
  gboolean is_of_one;
  /* 0 and ~0 are the times of the start's lists and the end's. */
  guint64 time = CLAMP (poke->moment.time, 1, G_MAXUINT64 - 1);
  Held whole = get_whole (pass, poke, &is_of_one);
  guint64 *limit = is_from_start ? &pass->held[index].since : &pass->held[index].until;

  *limit = is_from_start ? whole.since : whole.until;
  if (is_of_one)
    return;
  if (turn)
    *limit = *turn;
  if (!is_same && !(is_from_start ? was_set : is_set))
    *limit = time;
  if (!is_same && (!was_set || !is_set))
    g_hash_table_replace (pass->turns, g_memdup2 (&place, sizeof place),
                          g_memdup2 (&time, sizeof time));
}

static gboolean
find_held (Pass *pass, PenProgress *progress, GError **error)
{
  for (guint i = 0; i < pass->n; i++) {
    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, pass->n, error))
      return FALSE;
    take (pass, i, TRUE);
  }
  g_hash_table_remove_all (pass->turns);
  for (guint i = pass->n; i-- > 0;) {
    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, pass->n, error))
      return FALSE;
    take (pass, i, FALSE);
  }
  return TRUE;
}

gboolean
pen_purpose_pass_run (PenHistory *history, PenPurposes *purposes, const GPtrArray *entries,
                      PenPokeBatches *batches, PenProgress *progress, GError **error)
{
  g_autoptr (Pass) pass = pass_new (history);

  if (!find_held (pass, progress, error))
    return FALSE;
  for (guint i = 0; i < pass->n; i++) {
    PenPoke *poke = &pass->pokes[i];

    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, pass->n, error))
      return FALSE;
    poke->purpose = pen_history_intern (
        history, pen_purposes_find (purposes, poke, entries->pdata[i], pass->held[i].since,
                                    pass->held[i].until));
    pen_poke_batches_set_purpose (batches, poke);
  }
  return TRUE;
}
