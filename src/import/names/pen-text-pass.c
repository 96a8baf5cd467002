/* pen-text-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-pass.h"

#include <string.h>

#include "pen-table-hash.h"

/* A longer function is kept at its beginning, and around its samples and pokes. */
#define MAX_FUNCTION 65536u
#define MARGIN 16u
/* Around a sample or a poke that no kept function holds. */
#define AROUND 256u
#define JOIN_STEP 65536u
#define PROGRESS_STEP 64
/* Of text that is only called: so much, the first that is found. */
#define MAX_CALLED (2u << 20)
#define CALL 0xe8
#define CALL_LENGTH 5u

typedef struct {
  guint32 tenure;
  guint64 start;
  guint64 end;
} Wanted;

struct _PenTextPass {
  PenHistory *history;
  GArray *wanted; /* Wanted */
  guint joined;   /* how many they were when they were joined last */
};

PenTextPass *
pen_text_pass_new (PenHistory *history)
{
  PenTextPass *self = g_new0 (PenTextPass, 1);

  self->history = history;
  self->wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));
  return self;
}

void
pen_text_pass_free (PenTextPass *self)
{
  g_array_unref (self->wanted);
  g_free (self);
}

GArray *
pen_text_pass_get_wanted (PenTextPass *self)
{
  return self->wanted;
}

void
pen_text_pass_add_wanted (PenTextPass *self, const GArray *wanted)
{
  g_array_append_vals (self->wanted, wanted->data, wanted->len);
}

static gboolean
is_last (GArray *wanted, const Wanted *range)
{
  const Wanted *last = wanted->len > 0 ? &g_array_index (wanted, Wanted, wanted->len - 1) : NULL;

  return last && last->tenure == range->tenure && last->start == range->start
         && last->end == range->end;
}

static void
want (GArray *wanted, const PenTenure *tenure, guint64 start, guint64 end)
{
  Wanted range = {
    .tenure = tenure->id,
    .start = MAX (tenure->start, start > MARGIN ? start - MARGIN : 0),
    .end = MIN (tenure->end, end < G_MAXUINT64 - MARGIN ? end + MARGIN : G_MAXUINT64),
  };

  if (range.start < range.end && !is_last (wanted, &range))
    g_array_append_val (wanted, range);
}

static void
want_around (GArray *wanted, const PenTenure *tenure, const PenFunction *function, guint64 address,
             guint64 length)
{
  if (function->symbol) {
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

    if (last && last->tenure == next->tenure && next->start <= last->end
        && next->end - last->start <= 4 * MAX_FUNCTION)
      last->end = MAX (last->end, next->end);
    else
      g_array_index (wanted, Wanted, n++) = *next;
  }
  g_array_set_size (wanted, n);
}

void
pen_text_pass_want_places (PenTextPass *self, PenFunctionTable *functions,
                           const PenSampledPlace *places, guint n)
{
  for (guint i = 0; i < n; i++)
    want_around (self->wanted, pen_history_get_tenure (self->history, places[i].tenure),
                 pen_function_table_get_function (functions, places[i].function), places[i].address,
                 1);

  /* So that it grows with the text, not with the samples. */
  if (self->wanted->len >= 2 * self->joined + JOIN_STEP) {
    join_wanted (self->wanted);
    self->joined = self->wanted->len;
  }
}

static void
want_pokes (PenTextPass *self, PenFunctionTable *functions)
{
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (self->history, &n);

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = pen_history_get_tenure (self->history, pokes[i].tenure);

    if (tenure)
      want_around (self->wanted, tenure,
                   pen_function_table_get_function (functions, pokes[i].function), pokes[i].address,
                   pen_poke_get_length (&pokes[i]));
  }
}

static void
want_images (PenTextPass *self, PenLoadedSources *sources)
{
  GHashTableIter iter;
  gpointer image;

  g_hash_table_iter_init (&iter, sources->images);
  while (g_hash_table_iter_next (&iter, NULL, &image)) {
    const PenTenure *tenure
        = pen_history_get_tenure (self->history, ((const PenTextPiece *) image)->tenure);

    want (self->wanted, tenure, tenure->start, tenure->end);
  }
}

/* ---- what is called ---- */

typedef struct {
  PenTextPass *pass;
  PenLoadedSources *sources;
  gboolean with_kernel;
  GHashTable *seen; /* addresses */
  GArray *called;   /* Wanted */
  guint64 length;
} Calls;

/* Only what begins with a function: what looks like a call need not be one. */
static void
want_called (Calls *self, const PenTenure *from, guint64 target)
{
  PenMoment moment = from->to;
  const PenTenure *tenure;
  Wanted range;
  PenSymbol symbol;

  if (g_hash_table_contains (self->seen, &target))
    return;
  tenure = pen_history_find (self->pass->history, PEN_SPACE_KERNEL, target, moment, NULL);
  if (!tenure || (tenure->kind == PEN_KIND_KERNEL && !self->with_kernel))
    return;
  g_hash_table_add (self->seen, g_memdup2 (&target, sizeof target));
  if (tenure->layer == PEN_LAYER_KSYMBOL)
    symbol = (PenSymbol){ tenure->start, tenure->end, tenure->name };
  else if (!pen_kernel_sources_find_symbol (self->sources->kernel, tenure, target, &symbol))
    return;
  if (symbol.start != target)
    return;

  range = (Wanted){ tenure->id, symbol.start, MIN (symbol.end, symbol.start + MAX_FUNCTION) };
  range.end = MIN (range.end, tenure->end);
  if (range.start >= range.end || self->length + (range.end - range.start) > MAX_CALLED)
    return;
  self->length += range.end - range.start;
  g_array_append_val (self->called, range);
}

static void
look_for_calls (Calls *self, const PenTenure *tenure, const PenTextPiece *piece)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (piece->bytes, &length);

  for (gsize at = 0; at + CALL_LENGTH <= length && self->length < MAX_CALLED; at++) {
    const guint8 *call = memchr (bytes + at, CALL, length - CALL_LENGTH + 1 - at);
    gint32 distance;

    if (!call)
      break;
    at = (gsize) (call - bytes);
    memcpy (&distance, call + 1, sizeof distance);
    want_called (self, tenure,
                 piece->start + at + CALL_LENGTH + (guint64) (gint64) GINT32_FROM_LE (distance));
  }
}

/* ---- writing ---- */

/* @calls: (nullable) */
static gboolean
write_range (PenTextPass *self, const Wanted *range, Calls *calls, PenLoadedSources *sources,
             PenStoreWriter *writer, GError **error)
{
  const PenTenure *tenure = pen_history_get_tenure (self->history, range->tenure);
  g_autoptr (GPtrArray) pieces
      = pen_loaded_sources_read (sources, tenure, range->start, range->end);

  for (guint i = 0; i < pieces->len; i++) {
    const PenTextPiece *piece = g_ptr_array_index (pieces, i);
    PenStoredText text = {
      .tenure = piece->tenure,
      .start = piece->start,
      .bytes = piece->bytes,
      .evidence = piece->evidence,
      .source = piece->source,
    };

    if (!pen_store_writer_add_text (writer, &text, error))
      return FALSE;
    if (calls)
      look_for_calls (calls, tenure, piece);
  }
  return TRUE;
}

/* Leaves of @called what @wanted does not have; both are sorted. */
static void
drop_wanted (GArray *called, const GArray *wanted)
{
  guint n = 0;
  guint k = 0;

  for (guint i = 0; i < called->len; i++) {
    const Wanted range = g_array_index (called, Wanted, i);
    gboolean is_there = FALSE;

    for (; k < wanted->len; k++) {
      const Wanted *own = &g_array_index (wanted, Wanted, k);

      if (own->tenure > range.tenure || (own->tenure == range.tenure && own->end >= range.end)) {
        is_there = own->tenure == range.tenure && own->start <= range.start;
        break;
      }
    }
    if (!is_there)
      g_array_index (called, Wanted, n++) = range;
  }
  g_array_set_size (called, n);
}

gboolean
pen_text_pass_write (PenTextPass *self, PenFunctionTable *functions, PenLoadedSources *sources,
                     const char *arch, gboolean has_kernel_text, PenStoreWriter *writer,
                     PenProgress *progress, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) called = g_array_new (FALSE, FALSE, sizeof (Wanted));
  Calls calls = { .pass = self,
                  .sources = sources,
                  .with_kernel = !has_kernel_text,
                  .seen = seen,
                  .called = called };
  gboolean is_x86 = g_strcmp0 (arch, "x86_64") == 0;

  want_pokes (self, functions);
  want_images (self, sources);
  join_wanted (self->wanted);
  for (guint i = 0; i < self->wanted->len; i++)
    if ((i % PROGRESS_STEP == 0 && !pen_progress_step (progress, i, error))
        || !write_range (self, &g_array_index (self->wanted, Wanted, i), is_x86 ? &calls : NULL,
                         sources, writer, error))
      return FALSE;

  join_wanted (called);
  drop_wanted (called, self->wanted);
  for (guint i = 0; i < called->len; i++)
    if ((i % PROGRESS_STEP == 0 && !pen_progress_step (progress, i, error))
        || !write_range (self, &g_array_index (called, Wanted, i), NULL, sources, writer, error))
      return FALSE;
  return TRUE;
}
