/* pen-cause-key.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-key.h"

PenCauseKey *
pen_cause_key_new (const PenCauseRow *row)
{
  PenCauseKey *key = g_new0 (PenCauseKey, 1);

  *key = (PenCauseKey){ row->level, row->is_program, row->cause, g_strdup (row->name),
                        row->address };
  return key;
}

void
pen_cause_key_free (gpointer data)
{
  g_free (((PenCauseKey *) data)->name);
  g_free (data);
}

gboolean
pen_cause_key_is_row (const PenCauseRow *row, const PenCauseKey *key)
{
  if (row->is_program != key->is_program)
    return FALSE;
  if (row->level == 0)
    return row->cause == key->cause;
  if (row->level == 1)
    return g_strcmp0 (row->name, key->name) == 0
           && (key->level == 2 || row->address == key->address);
  return row->address == key->address;
}

static gboolean
find_among (const PenCauseTree *tree, guint first, guint n, const PenCauseKey *key, guint *index)
{
  for (guint i = first; i < first + n; i++) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);

    if (!pen_cause_key_is_row (row, key))
      continue;
    *index = i;
    if (row->level == key->level
        || find_among (tree, row->first_child, row->n_children, key, index))
      return TRUE;
  }
  return FALSE;
}

gboolean
pen_cause_key_find (const PenCauseTree *tree, const PenCauseKey *key, guint *index)
{
  return key && find_among (tree, 0, pen_cause_tree_count_heads (tree), key, index);
}
