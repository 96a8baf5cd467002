/* pen-loaded-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-loaded-text.h"

#include "pen-store-pokes.h"
#include "pen-store-text.h"
#include "pen-table-hash.h"

struct _PenLoadedText {
  guint64 start;
  guint64 end;
  GPtrArray *texts;    /* PenStoredText */
  GArray *pokes;       /* PenPoke */
  GHashTable *tenures; /* id → PenTenureText */
  PenTenureText *none; /* of all others */
};

static void
free_tenure (gpointer data)
{
  PenTenureText *text = data;

  g_ptr_array_unref (text->pieces);
  g_ptr_array_unref (text->pokes);
  g_free (text);
}

static PenTenureText *
new_tenure (void)
{
  PenTenureText *text = g_new0 (PenTenureText, 1);

  text->pieces = g_ptr_array_new_with_free_func (g_free);
  text->pokes = g_ptr_array_new ();
  return text;
}

PenTenureText *
pen_loaded_text_find (PenLoadedText *self, guint32 tenure)
{
  PenTenureText *text = g_hash_table_lookup (self->tenures, GUINT_TO_POINTER (tenure));

  return text ? text : self->none;
}

static PenTenureText *
get_tenure (PenLoadedText *self, guint32 tenure)
{
  PenTenureText *text = g_hash_table_lookup (self->tenures, GUINT_TO_POINTER (tenure));

  if (text)
    return text;
  text = new_tenure ();
  g_hash_table_insert (self->tenures, GUINT_TO_POINTER (tenure), text);
  return text;
}

PenTextPiece *
pen_stored_text_dup_piece (const PenStoredText *text)
{
  PenTextPiece *piece = g_new (PenTextPiece, 1);

  *piece = (PenTextPiece){ text->tenure, text->start, text->bytes, text->evidence, text->source };
  return piece;
}

static void
add_pieces (PenLoadedText *self)
{
  for (guint i = 0; i < self->texts->len; i++) {
    const PenStoredText *text = self->texts->pdata[i];

    g_ptr_array_add (get_tenure (self, text->tenure)->pieces, pen_stored_text_dup_piece (text));
  }
}

static void
add_pokes (PenLoadedText *self)
{
  for (guint i = 0; i < self->pokes->len; i++) {
    PenPoke *poke = &g_array_index (self->pokes, PenPoke, i);

    g_ptr_array_add (get_tenure (self, poke->tenure)->pokes, poke);
  }
}

PenLoadedText *
pen_loaded_text_new (PenStore *store, guint64 start, guint64 end, GError **error)
{
  g_autoptr (PenLoadedText) self = g_new0 (PenLoadedText, 1);

  self->start = start;
  self->end = end;
  self->tenures = g_hash_table_new_full (pen_direct_hash, NULL, NULL, free_tenure);
  self->none = new_tenure ();
  self->texts = pen_store_load_text (store, start, end, error);
  self->pokes = self->texts ? pen_store_load_pokes (store, start, end, error) : NULL;
  if (!self->pokes)
    return NULL;
  add_pieces (self);
  add_pokes (self);
  return g_steal_pointer (&self);
}

void
pen_loaded_text_free (PenLoadedText *self)
{
  g_hash_table_unref (self->tenures);
  free_tenure (self->none);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
  g_clear_pointer (&self->pokes, g_array_unref);
  g_free (self);
}

gboolean
pen_loaded_text_has (const PenLoadedText *self, guint64 start, guint64 end)
{
  return self && self->start <= start && end <= self->end;
}
