/* pen-name-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-name-pass.h"

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-table-hash.h"

typedef struct {
  guint64 start;
  guint64 end;
} Range;

struct _PenNamePass {
  PenHistory *history;
  PenLoadedSources *sources;
  GCancellable *cancellable;
  GHashTable *ranges; /* occupant → (GArray of Range: by start, apart from each other) */
  GThread *thread;
  GArray *packs; /* PenSymbolPack */

  /* the thread's own: kallsyms gives the names of one occupant after the other */
  const char *occupant;
  GArray *known; /* ranges of the occupant that is being packed */
  GArray *symbols;
};

static void
pack_occupant (PenNamePass *self)
{
  if (self->symbols->len > 0)
    pen_symbol_packs_add (self->packs, self->occupant,
                          (const PenStoreSymbol *) (gpointer) self->symbols->data,
                          self->symbols->len);
  g_array_set_size (self->symbols, 0);
}

static gboolean
is_in_ranges (GArray *ranges, guint64 address)
{
  guint n = ranges ? PEN_BINARY_SEARCH (i, 0, ranges->len,
                                        g_array_index (ranges, Range, i).start <= address)
                   : 0;

  return n > 0 && address < g_array_index (ranges, Range, n - 1).end;
}

static void
take_name (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  PenNamePass *self = user_data;
  PenStoreSymbol kept = { symbol->start, symbol->end, symbol->name };

  if (occupant != self->occupant) {
    if (g_cancellable_is_cancelled (self->cancellable))
      return;
    pack_occupant (self);
    self->occupant = occupant;
    self->known = g_hash_table_lookup (self->ranges, occupant);
  }

  if (is_in_ranges (self->known, symbol->start))
    g_array_append_val (self->symbols, kept);
}

static gpointer
pack_names (gpointer data)
{
  PenNamePass *self = data;

  /* Whoever needs kallsyms next is told why there is none. */
  if (!pen_kernel_sources_wait (self->sources->kernel, NULL))
    return NULL;

  pen_kernel_sources_foreach_kallsyms (self->sources->kernel, take_name, self);
  pack_occupant (self);
  return NULL;
}

/* A module may have been loaded often: each of its names is looked for here. */
static void
join_ranges (G_GNUC_UNUSED gpointer occupant, gpointer value, G_GNUC_UNUSED gpointer user_data)
{
  GArray *ranges = value;
  Range *all = (Range *) (gpointer) ranges->data;
  guint n = 0;

  g_array_sort (ranges, pen_compare_u64);
  for (guint i = 0; i < ranges->len; i++) {
    if (n > 0 && all[i].start <= all[n - 1].end)
      all[n - 1].end = MAX (all[n - 1].end, all[i].end);
    else
      all[n++] = all[i];
  }
  g_array_set_size (ranges, n);
}

static GHashTable *
collect_ranges (PenHistory *history)
{
  GHashTable *ranges
      = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];
    const Range range = { tenure->start, tenure->end };
    GArray *known;

    if (tenure->space != PEN_SPACE_KERNEL || tenure->layer != PEN_LAYER_MAP)
      continue;

    known = g_hash_table_lookup (ranges, tenure->occupant);
    if (!known) {
      known = g_array_new (FALSE, FALSE, sizeof (Range));
      g_hash_table_insert (ranges, g_strdup (tenure->occupant), known);
    }
    g_array_append_val (known, range);
  }
  g_hash_table_foreach (ranges, join_ranges, NULL);
  return ranges;
}

PenNamePass *
pen_name_pass_start (PenHistory *history, PenLoadedSources *sources, GCancellable *cancellable)
{
  PenNamePass *self = g_new0 (PenNamePass, 1);

  self->history = history;
  self->sources = sources;
  self->cancellable = cancellable;
  self->packs = pen_symbol_packs_new ();
  self->symbols = g_array_new (FALSE, FALSE, sizeof (PenStoreSymbol));
  self->ranges = collect_ranges (history);
  self->thread = g_thread_new ("names", pack_names, self);
  return self;
}

static void
wait_for_thread (PenNamePass *self)
{
  if (self->thread)
    g_thread_join (g_steal_pointer (&self->thread));
}

gboolean
pen_name_pass_finish (PenNamePass *self, PenStoreWriter *writer, GError **error)
{
  wait_for_thread (self);
  self->occupant = NULL;
  pen_kernel_sources_foreach_file (self->sources->kernel, take_name, self);
  pack_occupant (self);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error)
         && pen_store_writer_add_symbol_packs (writer, self->packs, error);
}

void
pen_name_pass_free (PenNamePass *self)
{
  wait_for_thread (self);
  g_hash_table_unref (self->ranges);
  g_array_unref (self->symbols);
  g_array_unref (self->packs);
  g_free (self);
}
