/* pen-pair-silent.c: functions without samples and patches that stand differently
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-silent.h"

#include <string.h>

#include "pen-map-name.h"
#include "pen-pair-texts.h"
#include "pen-query-private.h"
#include "pen-store-symbols.h"
#include "pen-store-text.h"
#include "pen-table-hash.h"

#define KERNEL_HALF (G_GUINT64_CONSTANT (1) << 63)

/* Bytes that are read at once; of a longer function, its beginning. */
#define CHUNK (1u << 20)

/* Fields that hold addresses have 32 bits, but for a few of 64, whose upper halves are alike. */
#define FIELD 4u

/*
 * @twins: name of a function of B → PenFunction; of several of one name none is known: length 0
 * @known: names of functions that rows have: a set
 * @functions: (element-type PenFunction): of A, by start: those that are compared
 * @distance: from A's text to B's
 */
typedef struct {
  const PenPairSource *sources;
  PenStore *stores[2];
  GHashTable *twins;
  GHashTable *known;
  GArray *functions;
  guint64 distance;
} Search;

static void
search_clear (Search *self)
{
  g_clear_pointer (&self->twins, g_hash_table_unref);
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->functions, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static void
free_row (gpointer data)
{
  PenPairRow *row = data;

  for (guint i = 0; i < 2; i++) {
    g_array_unref (row->functions[i]);
    g_free (row->found[i]);
  }
  g_free (row);
}

/* ---- which functions ---- */

static gboolean
is_one_kernel (PenStore *const stores[2])
{
  const char *a = pen_store_get_fact (stores[0], "osrelease");
  const char *b = pen_store_get_fact (stores[1], "osrelease");

  for (guint i = 0; i < 2; i++)
    if (pen_store_has_kernel_text (stores[i]) != PEN_STORE_KERNEL_TEXT_THERE)
      return FALSE;
  return a && b && g_str_equal (a, b);
}

static gboolean
find_symbol (PenStore *store, guint64 address, PenFunction *function)
{
  guint64 end;

  *function
      = (PenFunction){ .id = G_MAXUINT32, .kind = PEN_KIND_KERNEL, .occupant = PEN_CORE_KERNEL };
  if (!pen_store_find_symbol (store, PEN_CORE_KERNEL, address, &function->symbol, &function->start,
                              &end))
    return FALSE;
  function->length = end - function->start;
  return TRUE;
}

static guint64
next_symbol (PenStore *store, guint64 address)
{
  return pen_store_find_symbol_above (store, PEN_CORE_KERNEL, address);
}

static void
list_twins (Search *self, PenCancelCheck *check)
{
  PenStore *store = self->stores[1];

  self->twins = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, g_free);
  for (guint64 address = next_symbol (store, 0);
       address != G_MAXUINT64 && pen_cancel_check_step (check);
       address = next_symbol (store, address)) {
    PenFunction function;
    PenFunction *other;

    if (!find_symbol (store, address, &function))
      continue;
    other = g_hash_table_lookup (self->twins, function.symbol);
    if (other)
      other->length = 0;
    else
      g_hash_table_insert (self->twins, (gpointer) function.symbol,
                           g_memdup2 (&function, sizeof function));
  }
}

static void
list_known (Search *self, const PenPairs *pairs)
{
  self->known = g_hash_table_new (pen_str_hash, g_str_equal);
  for (guint i = 0; i < pairs->rows->len; i++) {
    const PenPairRow *row = pairs->rows->pdata[i];

    if (row->kind == PEN_KIND_KERNEL && row->symbol)
      g_hash_table_add (self->known, (gpointer) row->symbol);
  }
}

static gboolean
is_admitted (const PenFilter *filter, const char *symbol)
{
  return !filter
         || (pen_filter_admits_kind (filter, PEN_KIND_KERNEL)
             && pen_filter_admits_word (filter, PEN_FILTER_OCCUPANT, PEN_CORE_KERNEL)
             && pen_filter_admits_word (filter, PEN_FILTER_SYMBOL, symbol)
             && !pen_filter_asks_tenures (filter) && !filter->has_address && !filter->changed);
}

/* The first function of A that B has, too, says how far their texts are apart. */
static void
list_functions (Search *self, PenCancelCheck *check)
{
  PenStore *store = self->stores[0];

  self->functions = g_array_new (FALSE, FALSE, sizeof (PenFunction));
  for (guint64 address = next_symbol (store, 0);
       address != G_MAXUINT64 && pen_cancel_check_step (check);
       address = next_symbol (store, address)) {
    PenFunction function;
    const PenFunction *twin;

    /* Names of data of each CPU are numbers. */
    if (!find_symbol (store, address, &function) || function.start < KERNEL_HALF)
      continue;
    twin = g_hash_table_lookup (self->twins, function.symbol);
    if (!twin || twin->length != function.length || function.length == 0)
      continue;
    if (self->functions->len == 0)
      self->distance = twin->start - function.start;
    if (twin->start - function.start == self->distance
        && !g_hash_table_contains (self->known, function.symbol)
        && is_admitted (self->sources[0].filter, function.symbol)
        && is_admitted (self->sources[1].filter, function.symbol))
      g_array_append_val (self->functions, function);
  }
}

/* ---- bytes ---- */

/* @known: 1 for each byte that is known. What the store has goes before the kernel's text. */
static gboolean
load_bytes (PenStore *store, guint64 start, gsize n, guint8 *bytes, guint8 *known, GError **error)
{
  g_autoptr (GPtrArray) texts = pen_store_load_text (store, start, start + n, error);

  if (!texts)
    return FALSE;
  memset (known, 0, n);
  for (guint i = 0; i < texts->len; i++) {
    const PenStoredText *text = texts->pdata[i];
    gsize length;
    const guint8 *data = g_bytes_get_data (text->bytes, &length);
    guint64 first = MAX (text->start, start);
    guint64 end = MIN (text->start + length, start + n);

    for (guint64 at = first; at < end; at++)
      if (!known[at - start]) {
        bytes[at - start] = data[at - text->start];
        known[at - start] = 1;
      }
  }
  return TRUE;
}

typedef struct {
  guint64 start;
  guint8 *bytes[2];
  guint8 *known[2];
} Chunk;

static guint32
read_field (const guint8 *bytes)
{
  guint32 field;

  memcpy (&field, bytes, sizeof field);
  return GUINT32_FROM_LE (field);
}

/* The byte is of an address, which is as far from the other's as the kernels are. */
static gboolean
is_moved (const Search *self, const guint8 *a, const guint8 *b, gsize at, gsize n)
{
  for (gsize k = 0; k < FIELD && self->distance != 0; k++)
    if (at >= k && at - k + FIELD <= n
        && read_field (b + at - k) - read_field (a + at - k) == (guint32) self->distance)
      return TRUE;
  return FALSE;
}

static gboolean
differs (const Search *self, const Chunk *chunk, gsize offset, gsize n)
{
  const guint8 *a = chunk->bytes[0] + offset, *b = chunk->bytes[1] + offset;

  for (gsize i = 0; i < n; i++)
    if (a[i] != b[i] && chunk->known[0][offset + i] && chunk->known[1][offset + i]
        && !is_moved (self, a, b, i, n))
      return TRUE;
  return FALSE;
}

/* ---- rows ---- */

static PenPairRow *
make_row (const PenFunction *a, const PenFunction *b)
{
  PenPairRow *row = g_new0 (PenPairRow, 1);
  const PenFunction *own[] = { a, b };

  row->kind = PEN_KIND_KERNEL;
  row->occupant = PEN_CORE_KERNEL;
  row->symbol = a->symbol;
  for (guint i = 0; i < 2; i++) {
    row->functions[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
    row->found[i] = g_memdup2 (own[i], sizeof *own[i]);
  }
  return row;
}

static gboolean
add_row (const Search *self, const PenFunction *function, PenPairReader *const readers[2],
         GPtrArray *rows, GArray *sites, GError **error)
{
  PenPairRow *row = make_row (function, g_hash_table_lookup (self->twins, function->symbol));
  g_autoptr (PenPairText) a = NULL;
  g_autoptr (PenPairText) b = NULL;

  g_ptr_array_add (rows, row);
  a = pen_pair_reader_read_found (readers[0], row->found[0], error);
  b = a ? pen_pair_reader_read_found (readers[1], row->found[1], error) : NULL;
  return b && pen_pair_compare_two (self->sources, row, a, b, sites, error);
}

static gboolean
load_chunk (const Search *self, Chunk *chunk, guint64 start, GError **error)
{
  chunk->start = start;
  for (guint i = 0; i < 2; i++)
    if (!load_bytes (self->stores[i], start + (i == 0 ? 0 : self->distance), CHUNK, chunk->bytes[i],
                     chunk->known[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
compare_all (const Search *self, PenPairReader *const readers[2], GPtrArray *rows, GArray *sites,
             GError **error)
{
  g_autofree guint8 *buffer = g_malloc0 (4 * (gsize) CHUNK);
  Chunk chunk = { 0, { buffer, buffer + CHUNK }, { buffer + 2 * CHUNK, buffer + 3 * CHUNK } };
  gboolean has_chunk = FALSE;

  for (guint i = 0; i < self->functions->len; i++) {
    const PenFunction *function = &g_array_index (self->functions, PenFunction, i);
    gsize n = (gsize) MIN (function->length, CHUNK);

    if (!has_chunk || function->start - chunk.start + n > CHUNK) {
      if (!pen_store_goes_on (self->stores[0], error)
          || !load_chunk (self, &chunk, function->start, error))
        return FALSE;
      has_chunk = TRUE;
    }
    if (differs (self, &chunk, (gsize) (function->start - chunk.start), n)
        && !add_row (self, function, readers, rows, sites, error))
      return FALSE;
  }
  return TRUE;
}

GPtrArray *
pen_pair_find_silent (const PenPairSource sources[2], const PenPairs *pairs,
                      PenPairReader *const readers[2], GArray *sites, GError **error)
{
  PenCancelCheck check = pen_query_make_check (sources[0].query);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (free_row);
  g_auto (Search) self = { .sources = sources };

  for (guint i = 0; i < 2; i++)
    self.stores[i] = pen_query_get_store (sources[i].query);
  if (!is_one_kernel (self.stores))
    return g_steal_pointer (&rows);
  list_twins (&self, &check);
  list_known (&self, pairs);
  list_functions (&self, &check);
  if (!pen_query_end_check (sources[0].query, &check, error)
      || !compare_all (&self, readers, rows, sites, error))
    return NULL;
  return g_steal_pointer (&rows);
}
