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

/* ---- both ends ---- */

typedef struct {
  PenHistory *history;
  PenPoke *pokes;
  guint n;
  GHashTable *left; /* Place: nobody was there from there on, towards the other end */
  guint8 *held;     /* of each poke: PEN_LISTED_START, PEN_LISTED_END */
} Pass;

static Pass *
pass_new (PenHistory *history)
{
  Pass *pass = g_new0 (Pass, 1);

  pass->history = history;
  pass->pokes = pen_history_get_pokes (history, &pass->n);
  pass->left = g_hash_table_new_full (place_hash, place_equal, g_free, NULL);
  pass->held = g_new0 (guint8, pass->n + 1);
  return pass;
}

static void
pass_free (Pass *pass)
{
  g_hash_table_unref (pass->left);
  g_free (pass->held);
  g_free (pass);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pass, pass_free)

/* Coming from that end. Memory that is there for one user is that one's as long as it is there. */
static void
take (Pass *pass, guint index, PenListed end)
{
  const PenPoke *poke = &pass->pokes[index];
  const PenTenure *tenure = get_tenure (pass->history, poke);
  gboolean is_start = end == PEN_LISTED_START;
  gboolean is_of_one = tenure && tenure->kind == PEN_KIND_STUB;
  Place place = { poke->address, poke->tenure };

  if (tenure
      && (is_start ? tenure->from_bound != PEN_BOUND_INITIAL : tenure->to_bound != PEN_BOUND_OPEN))
    return;
  if (is_of_one) {
    pass->held[index] |= end;
    return;
  }
  if (g_hash_table_contains (pass->left, &place))
    return;
  if (poke->effect == PEN_POKE_SAME || (is_start ? is_set_before (poke) : is_set_after (poke)))
    pass->held[index] |= end;
  if (poke->effect != PEN_POKE_SAME && (!is_set_before (poke) || !is_set_after (poke)))
    g_hash_table_add (pass->left, g_memdup2 (&place, sizeof place));
}

static gboolean
find_held (Pass *pass, PenProgress *progress, GError **error)
{
  for (guint i = 0; i < pass->n; i++) {
    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, pass->n, error))
      return FALSE;
    take (pass, i, PEN_LISTED_START);
  }
  g_hash_table_remove_all (pass->left);
  for (guint i = pass->n; i-- > 0;) {
    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, pass->n, error))
      return FALSE;
    take (pass, i, PEN_LISTED_END);
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
        history, pen_purposes_find (purposes, poke, entries->pdata[i], pass->held[i]));
    pen_poke_batches_set_purpose (batches, poke);
  }
  return TRUE;
}
