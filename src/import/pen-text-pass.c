/* pen-text-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-pass.h"

/* Of a longer function only its beginning is kept, and what lies around its samples and pokes. */
#define MAX_FUNCTION 65536u
#define MARGIN 16u
/* Around a sample or a poke that no kept function holds. */
#define AROUND 256u
#define PROGRESS_STEP 64

typedef struct {
  guint32 tenure;
  guint64 start;
  guint64 end;
} Wanted;

static void
want (GArray *wanted, const PenTenure *tenure, guint64 start, guint64 end)
{
  Wanted range = {
    .tenure = tenure->id,
    .start = MAX (tenure->start, start > MARGIN ? start - MARGIN : 0),
    .end = MIN (tenure->end, end < G_MAXUINT64 - MARGIN ? end + MARGIN : G_MAXUINT64),
  };

  if (range.start < range.end)
    g_array_append_val (wanted, range);
}

static void
want_around (GArray *wanted, const PenTenure *tenure, const PenFunction *function, guint64 address,
             guint64 length)
{
  if (function->symbol != NULL) {
    guint64 end = function->start + function->length;

    if (tenure->layer == PEN_LAYER_KSYMBOL)
      end = MIN (end, tenure->end);
    want (wanted, tenure, function->start, MIN (end, function->start + MAX_FUNCTION));
    if (address + length <= function->start + MAX_FUNCTION)
      return;
  }

  address -= MIN (address, AROUND);
  want (wanted, tenure, address, address + MIN (length + 2 * AROUND, G_MAXUINT64 - address));
}

static int
compare_wanted (gconstpointer a, gconstpointer b)
{
  const Wanted *x = a;
  const Wanted *y = b;

  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;

  return (x->end > y->end) - (x->end < y->end);
}

/* Sorts, and joins what touches, up to a length that is read at once. */
static void
join_wanted (GArray *wanted)
{
  guint n = 0;

  g_array_sort (wanted, compare_wanted);
  for (guint i = 0; i < wanted->len; i++) {
    const Wanted *next = &g_array_index (wanted, Wanted, i);
    Wanted *last = n > 0 ? &g_array_index (wanted, Wanted, n - 1) : NULL;

    if (last != NULL && last->tenure == next->tenure && next->start <= last->end
        && next->end - last->start <= 4 * MAX_FUNCTION)
      last->end = MAX (last->end, next->end);
    else
      g_array_index (wanted, Wanted, n++) = *next;
  }
  g_array_set_size (wanted, n);
}

static GArray *
collect_wanted (PenHistory *history, PenFunctionTable *functions, GArray *buckets,
                const PenPokeFinding *findings, PenLoadedSources *sources)
{
  GArray *wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));
  GArray *rows = pen_function_table_get_functions (functions);
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);
  const PenPoke *pokes;
  GHashTableIter iter;
  gpointer image;

  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);
    const PenTenure *tenure = bucket->tenure != 0 ? &tenures[bucket->tenure - 1] : NULL;

    if (tenure != NULL && tenure->space == PEN_SPACE_KERNEL)
      want_around (wanted, tenure, &g_array_index (rows, PenFunction, bucket->function),
                   bucket->address, 1);
  }

  pokes = pen_history_get_pokes (history, &n);
  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = pokes[i].tenure != 0 ? &tenures[pokes[i].tenure - 1] : NULL;

    if (tenure != NULL)
      want_around (wanted, tenure, &g_array_index (rows, PenFunction, findings[i].function),
                   pokes[i].address, pen_poke_get_length (&pokes[i]));
  }

  g_hash_table_iter_init (&iter, sources->images);
  while (g_hash_table_iter_next (&iter, NULL, &image)) {
    const PenTenure *tenure = &tenures[((const PenTextPiece *) image)->tenure - 1];

    want (wanted, tenure, tenure->start, tenure->end);
  }

  join_wanted (wanted);

  return wanted;
}

gboolean
pen_text_pass_write (PenHistory *history, PenFunctionTable *functions, GArray *buckets,
                     const PenPokeFinding *findings, PenLoadedSources *sources,
                     PenStoreWriter *writer, PenProgress *progress, GError **error)
{
  g_autoptr (GArray) wanted = collect_wanted (history, functions, buckets, findings, sources);
  const PenTenure *tenures = pen_history_get_tenures (history, &(guint){ 0 });

  for (guint i = 0; i < wanted->len; i++) {
    const Wanted *range = &g_array_index (wanted, Wanted, i);
    g_autoptr (GPtrArray) pieces = NULL;

    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, i, error))
      return FALSE;

    pieces
        = pen_loaded_sources_read (sources, &tenures[range->tenure - 1], range->start, range->end);
    for (guint k = 0; k < pieces->len; k++) {
      const PenTextPiece *piece = g_ptr_array_index (pieces, k);
      PenStoredText text = {
        .tenure = piece->tenure,
        .start = piece->start,
        .bytes = piece->bytes,
        .evidence = piece->evidence,
        .source = piece->source,
      };

      if (!pen_store_writer_add_text (writer, &text, error))
        return FALSE;
    }
  }

  return TRUE;
}
