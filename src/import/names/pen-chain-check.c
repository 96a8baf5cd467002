/* pen-chain-check.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-check.h"

#include "pen-binary-search.h"
#include "pen-ranges.h"
#include "pen-text.h"

/* @longest, @max_to: the one that goes on longest of this one and those before it */
typedef struct {
  guint64 from;
  guint32 longest;
  guint64 max_to;
} Lost;

typedef struct {
  PenPoke *pokes;
  PenLoadedSources *sources;
  const GArray *losses; /* Lost, by from */
} Check;

static int
compare_pokes (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenPoke *x = *(const PenPoke *const *) a;
  const PenPoke *y = *(const PenPoke *const *) b;

  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

static guint64
poke_end (const PenPoke *poke)
{
  return poke->address + MIN (pen_poke_get_length (poke), G_MAXUINT64 - poke->address);
}

/* ---- losses ---- */

/* Losses that may have swallowed pokes, by their beginnings. */
static GArray *
list_losses (PenHistory *history)
{
  GArray *losses = g_array_new (FALSE, FALSE, sizeof (Lost));
  guint n;
  const PenLoss *all = pen_history_get_losses (history, &n);
  Lost lost = { 0, 0, 0 };

  for (guint i = 0; i < n; i++) {
    if (all[i].kind != PEN_LOSS_RECORDS && all[i].kind != PEN_LOSS_SET_ASIDE
        && all[i].kind != PEN_LOSS_TRUNCATED)
      continue;
    lost.from = all[i].from;
    if (lost.longest == 0 || all[i].to >= lost.max_to) {
      lost.longest = i + 1;
      lost.max_to = all[i].to;
    }
    g_array_append_val (losses, lost);
  }
  return losses;
}

/* A loss with a part between the two times, or 0: of those that begin before @to, the one that goes
 * on longest. */
static guint32
find_loss (const Check *self, guint64 from, guint64 to)
{
  guint n = PEN_BINARY_SEARCH (i, 0, self->losses->len,
                               g_array_index (self->losses, Lost, i).from <= to);
  const Lost *lost;

  if (n == 0)
    return 0;
  lost = &g_array_index (self->losses, Lost, n - 1);
  return lost->max_to >= from ? lost->longest : 0;
}

/* ---- chains ---- */

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const PenPoke *x = *(const PenPoke *const *) a;
  const PenPoke *y = *(const PenPoke *const *) b;

  return (x->id > y->id) - (x->id < y->id);
}

/* Since when the bytes before @poke are known: the poke before it that touched any of them, or
 * the beginning of the tenure. @touched: value: the last poke */
static guint64
known_since (const Check *self, const PenTenure *tenure, PenRanges *touched, const PenPoke *poke)
{
  guint64 since = tenure->from.time;
  guint64 at = poke->address;
  const PenRange *range;

  while (at < poke_end (poke) && (range = pen_ranges_find (touched, at, poke_end (poke)))) {
    since = MAX (since, self->pokes[range->value - 1].moment.time);
    at = range->end;
  }
  return since;
}

static void
take_break (Check *self, const PenTenure *tenure, PenRanges *touched, const PenChainBreak *found)
{
  PenPoke *poke = &self->pokes[found->poke - 1];
  guint64 since = known_since (self, tenure, touched, poke);

  poke->break_loss = find_loss (self, since, poke->moment.time);
  /* Where the copy has a module, another one may have come unseen. */
  poke->is_changed_early
      = found->is_of_copy && poke->break_loss == 0 && tenure->kind != PEN_KIND_MODULE;
  poke->breaks_chain = !poke->is_changed_early;
}

/* Ids, as breaks, are in time order. Each poke takes the bytes that it asked for, so that those
 * before it are asked once. */
static void
take_breaks (Check *self, const PenTenure *tenure, const PenPoke *const *pokes, guint n,
             const GArray *breaks)
{
  g_autofree const PenPoke **by_id = g_memdup2 (pokes, n * sizeof *pokes);
  g_autoptr (PenRanges) touched = pen_ranges_new ();

  qsort (by_id, n, sizeof *by_id, compare_ids);
  for (guint i = 0, next = 0; i < n && next < breaks->len; i++) {
    const PenChainBreak *found = &g_array_index (breaks, PenChainBreak, next);

    if (found->poke == by_id[i]->id) {
      take_break (self, tenure, touched, found);
      next++;
    }
    if (by_id[i]->address < poke_end (by_id[i]))
      pen_ranges_take (touched, by_id[i]->address, poke_end (by_id[i]), by_id[i]->id, NULL, NULL,
                       NULL);
  }
}

/* Pokes of one tenure that touch one another are one chain; apart from them nothing can break. */
static gboolean
check_chain (Check *self, const PenTenure *tenure, const PenPoke *const *pokes, guint n,
             guint64 end, PenCancelCheck *check)
{
  guint64 start = pokes[0]->address;
  g_autoptr (GPtrArray) pieces = pen_loaded_sources_read (self->sources, tenure, start, end);
  g_autoptr (PenText) text
      = pen_text_new_checked (tenure, start, end, (const PenTextPiece *const *) pieces->pdata,
                              pieces->len, pokes, n, check);
  g_autoptr (GArray) breaks = text ? pen_text_check_chain (text, check) : NULL;

  if (breaks && breaks->len > 0 && !check->is_stopped)
    take_breaks (self, tenure, pokes, n, breaks);
  return !check->is_stopped;
}

static gboolean
may_go_on (gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

gboolean
pen_chain_check_run (PenHistory *history, PenLoadedSources *sources, PenProgress *progress,
                     GError **error)
{
  guint n;
  PenPoke *pokes = pen_history_get_pokes (history, &n);
  g_autoptr (GArray) losses = list_losses (history);
  Check self = { pokes, sources, losses };
  PenCancelCheck check = { .func = may_go_on, .user_data = progress->cancellable };
  g_autofree const PenPoke **sorted = g_new (const PenPoke *, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    sorted[i] = &pokes[i];
  if (!pen_cancel_check_sort (&check, sorted, n, sizeof *sorted, compare_pokes, NULL))
    return !g_cancellable_set_error_if_cancelled (progress->cancellable, error);

  for (guint first = 0, next; first < n; first = next) {
    guint64 end = poke_end (sorted[first]);

    if (g_cancellable_set_error_if_cancelled (progress->cancellable, error))
      return FALSE;

    for (next = first + 1;
         next < n && sorted[next]->tenure == sorted[first]->tenure && sorted[next]->address < end;
         next++)
      end = MAX (end, poke_end (sorted[next]));

    if (sorted[first]->tenure != 0
        && !check_chain (&self, pen_history_get_tenure (history, sorted[first]->tenure),
                         sorted + first, next - first, end, &check))
      return !g_cancellable_set_error_if_cancelled (progress->cancellable, error);
  }
  return TRUE;
}
