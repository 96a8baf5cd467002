/* pen-function-ids.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-function-ids.h"

#include "pen-table-hash.h"

struct _PenFunctionIds {
  const PenFunction *functions;
  guint n_functions;
  GHashTable *known; /* PenFunction, of the store, is its own key */
};

static guint
hash (gconstpointer data)
{
  const PenFunction *function = data;

  return pen_int64_hash (&function->start) ^ pen_str_hash (function->symbol ? function->symbol : "")
         ^ pen_str_hash (function->occupant);
}

static gboolean
equal (gconstpointer a, gconstpointer b)
{
  const PenFunction *x = a;
  const PenFunction *y = b;

  return x->start == y->start && x->kind == y->kind && g_strcmp0 (x->symbol, y->symbol) == 0
         && g_str_equal (x->occupant, y->occupant);
}

PenFunctionIds *
pen_function_ids_new (PenStore *store, GError **error)
{
  g_autoptr (PenFunctionIds) self = g_new0 (PenFunctionIds, 1);

  self->functions = pen_store_get_functions (store, &self->n_functions, error);
  if (!self->functions)
    return NULL;
  self->known = g_hash_table_new (hash, equal);
  /* Of functions alike, the first: they are in order of address, from import to import. */
  for (guint i = self->n_functions; i > 0; i--)
    g_hash_table_add (self->known, (gpointer) &self->functions[i - 1]);
  return g_steal_pointer (&self);
}

void
pen_function_ids_free (PenFunctionIds *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_free (self);
}

guint32
pen_function_ids_find (const PenFunctionIds *self, guint32 id, const PenFunctionIds *other)
{
  const PenFunction *found;

  if (id >= self->n_functions)
    return G_MAXUINT32;
  found = g_hash_table_lookup (other->known, &self->functions[id]);
  return found ? found->id : G_MAXUINT32;
}
