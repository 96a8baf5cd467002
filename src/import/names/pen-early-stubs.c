/* pen-early-stubs.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-early-stubs.h"

#include "pen-binary-search.h"

#define MAX_STUBS 65536u

static void
take_stub (const PenSymbol *symbol, G_GNUC_UNUSED const char *occupant, gpointer user_data)
{
  GArray *stubs = user_data;

  if (stubs->len < MAX_STUBS)
    g_array_append_vals (stubs, symbol, 1);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const PenSymbol *x = a;
  const PenSymbol *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

/* Two copies of kallsyms tell of most of them twice; none reaches into the next. */
static void
set_apart (GArray *stubs)
{
  guint n = 0;

  g_array_sort (stubs, compare_starts);
  for (guint i = 0; i < stubs->len; i++) {
    PenSymbol stub = g_array_index (stubs, PenSymbol, i);
    PenSymbol *last = n > 0 ? &g_array_index (stubs, PenSymbol, n - 1) : NULL;

    if (last && last->start == stub.start)
      continue;
    if (last)
      last->end = MIN (last->end, stub.start);
    g_array_index (stubs, PenSymbol, n++) = stub;
  }
  g_array_set_size (stubs, n);
}

/* The first that ends above @address. */
static guint
find_index (const GArray *stubs, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, stubs->len, g_array_index (stubs, PenSymbol, i).end <= address);
}

/* Where one begins, and behind the last, how many more records tell of it than of the one before.
 */
static gint64 *
count_records (const GArray *stubs, PenHistory *history)
{
  gint64 *differences = g_new0 (gint64, stubs->len + 1);
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];
    guint first;
    guint end;

    if (tenure->layer != PEN_LAYER_KSYMBOL || tenure->end <= tenure->start)
      continue;
    first = find_index (stubs, tenure->start);
    end = find_index (stubs, tenure->end - 1);
    if (end < stubs->len && g_array_index (stubs, PenSymbol, end).start < tenure->end)
      end++;
    differences[first]++;
    differences[MAX (end, first)]--;
  }
  return differences;
}

GArray *
pen_early_stubs_list (PenHistory *history, PenKernelSources *kernel)
{
  GArray *stubs = g_array_new (FALSE, FALSE, sizeof (PenSymbol));
  g_autofree gint64 *differences = NULL;
  gint64 records = 0;
  guint n = 0;

  pen_kernel_sources_foreach_stub (kernel, take_stub, stubs);
  set_apart (stubs);
  differences = count_records (stubs, history);
  for (guint i = 0; i < stubs->len; i++) {
    records += differences[i];
    if (records == 0)
      g_array_index (stubs, PenSymbol, n++) = g_array_index (stubs, PenSymbol, i);
  }
  g_array_set_size (stubs, n);
  return stubs;
}

gboolean
pen_early_stubs_may_hold (const PenTenure *tenure)
{
  return !tenure || (tenure->layer == PEN_LAYER_MAP && tenure->kind == PEN_KIND_MODULE);
}

const PenSymbol *
pen_early_stubs_find (const GArray *stubs, guint64 address)
{
  guint index = find_index (stubs, address);
  const PenSymbol *stub = index < stubs->len ? &g_array_index (stubs, PenSymbol, index) : NULL;

  return stub && stub->start <= address ? stub : NULL;
}
