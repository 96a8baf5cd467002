/* pen-pair-loads.c: functions of a row, with loads of equal text as one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-loads.h"

#include <inttypes.h>

#include "pen-query-private.h"
#include "pen-table-hash.h"

void
pen_pair_load_free (PenPairLoad *self)
{
  pen_pair_text_free (self->text);
  g_ptr_array_unref (self->functions);
  g_free (self);
}

/*
 * @by_text: text → the load that has it
 * @by_name: "name with its tag, length" → the load that had it first
 */
typedef struct {
  GPtrArray *loads;
  GHashTable *by_text;
  GHashTable *by_name;
} Listing;

static guint
text_hash (gconstpointer text)
{
  return pen_pair_text_hash (text);
}

static gboolean
text_equal (gconstpointer a, gconstpointer b)
{
  return pen_pair_text_equal (a, b);
}

static void
listing_clear (Listing *self)
{
  g_clear_pointer (&self->loads, g_ptr_array_unref);
  g_clear_pointer (&self->by_text, g_hash_table_unref);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Listing, listing_clear)

static PenPairLoad *
add_load (Listing *self, PenPairText *text)
{
  PenPairLoad *load = g_new0 (PenPairLoad, 1);

  load->text = text;
  load->functions = g_ptr_array_new ();
  g_ptr_array_add (self->loads, load);
  return load;
}

/* The tag in the name of a program is a digest of its instructions; that of a stub has none. */
static char *
make_name (const PenFunction *function)
{
  return function->kind == PEN_KIND_BPF && function->symbol
             ? g_strdup_printf ("%s\n%" PRIu64, function->symbol, function->length)
             : NULL;
}

/* @text: (transfer full) */
static void
add_text (Listing *self, const PenFunction *function, PenPairText *text)
{
  g_autofree char *name = make_name (function);
  PenPairLoad *named = name ? g_hash_table_lookup (self->by_name, name) : NULL;
  PenPairLoad *load = text->is_known ? g_hash_table_lookup (self->by_text, text) : named;

  if (!load && named && !named->text->is_known) {
    /* What the others are is known by this one. */
    load = named;
    pen_pair_text_free (load->text);
    load->text = text;
  } else if (!load) {
    load = add_load (self, text);
  } else {
    g_clear_pointer (&text, pen_pair_text_free);
  }
  g_ptr_array_add (load->functions, (gpointer) function);
  if (load->text->is_known)
    g_hash_table_insert (self->by_text, load->text, load);
  if (name && !named)
    g_hash_table_insert (self->by_name, g_steal_pointer (&name), load);
}

static gboolean
may_be_loaded_again (PenKind kind)
{
  return kind == PEN_KIND_BPF || kind == PEN_KIND_STUB;
}

static gboolean
list_functions (Listing *self, PenPairReader *reader, PenQuery *query, const PenPairRow *row,
                guint side, guint most, GError **error)
{
  const GArray *ids = row->functions[side];
  guint n = may_be_loaded_again (row->kind) ? ids->len : MIN (ids->len, most);

  for (guint i = 0; i < n; i++) {
    const PenFunction *function = pen_query_get_function (query, g_array_index (ids, guint32, i));
    PenPairText *text = pen_pair_reader_read_found (reader, function, error);

    if (!text)
      return FALSE;
    if (may_be_loaded_again (row->kind))
      add_text (self, function, text);
    else
      g_ptr_array_add (add_load (self, text)->functions, (gpointer) function);
  }
  return TRUE;
}

GPtrArray *
pen_pair_list_loads (PenPairReader *reader, PenQuery *query, const PenPairRow *row, guint side,
                     guint most, GError **error)
{
  g_auto (Listing) self = { NULL };

  self.loads = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_pair_load_free);
  self.by_text = g_hash_table_new (text_hash, text_equal);
  self.by_name = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  if (row->functions[side]->len == 0 && row->found[side]) {
    PenPairText *text = pen_pair_reader_read_found (reader, row->found[side], error);

    if (!text)
      return NULL;
    g_ptr_array_add (add_load (&self, text)->functions, row->found[side]);
  } else if (!list_functions (&self, reader, query, row, side, most, error)) {
    return NULL;
  }
  if (self.loads->len > most)
    g_ptr_array_set_size (self.loads, (int) most);
  return g_steal_pointer (&self.loads);
}

/* ---- those of both ---- */

static void
add_pair (GPtrArray *pairs, gpointer a, gpointer b)
{
  g_ptr_array_add (pairs, a);
  g_ptr_array_add (pairs, b);
}

GPtrArray *
pen_pair_match_loads (const GPtrArray *a, const GPtrArray *b)
{
  g_autoptr (GHashTable) texts = g_hash_table_new (text_hash, text_equal);
  g_autoptr (GHashTable) twins = g_hash_table_new (pen_direct_hash, NULL);
  GPtrArray *pairs = g_ptr_array_new ();
  guint next = 0;

  for (guint i = b->len; i > 0; i--) {
    PenPairLoad *load = b->pdata[i - 1];

    if (load->text->is_known)
      g_hash_table_replace (texts, load->text, load);
  }
  for (guint i = 0; i < a->len; i++) {
    const PenPairLoad *load = a->pdata[i];
    PenPairLoad *twin = load->text->is_known ? g_hash_table_lookup (texts, load->text) : NULL;

    if (!twin)
      continue;
    g_hash_table_remove (texts, load->text);
    g_hash_table_insert (twins, a->pdata[i], twin);
    g_hash_table_add (twins, twin);
  }
  for (guint i = 0; i < a->len; i++) {
    gpointer twin = g_hash_table_lookup (twins, a->pdata[i]);

    while (!twin && next < b->len && g_hash_table_contains (twins, b->pdata[next]))
      next++;
    add_pair (pairs, a->pdata[i], twin ? twin : next < b->len ? b->pdata[next++] : NULL);
  }
  for (; next < b->len; next++)
    if (!g_hash_table_contains (twins, b->pdata[next]))
      add_pair (pairs, NULL, b->pdata[next]);
  return pairs;
}
