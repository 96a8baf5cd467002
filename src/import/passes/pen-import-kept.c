/* pen-import-kept.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-kept.h"

#include "pen-compare.h"

static int
compare_types (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return PEN_COMPARE (GPOINTER_TO_UINT (a), GPOINTER_TO_UINT (b));
}

PenImportKept *
pen_import_kept_new (const char *directory, GError **error)
{
  PenPageFile *pages = pen_page_file_new (directory, error);
  PenImportKept *self;

  if (!pages)
    return NULL;
  self = g_new0 (PenImportKept, 1);
  self->pages = pages;
  self->writer = pen_store_writer_new_pages (pages, NULL);
  self->present = pen_present_new ();
  self->pokes = g_array_new (FALSE, FALSE, sizeof (PenKnownPoke));
  self->names = pen_names_new ();
  self->threads = pen_thread_table_new ();
  pen_thread_table_keep_names (self->threads);
  self->frames = pen_frame_table_new ();
  self->tree = pen_chain_tree_new (PEN_CHAIN_NODES_MAX);
  pen_chain_tree_stay_open (self->tree);
  self->buckets = pen_bucket_table_new ();
  self->sums.events = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->sums.tenures = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->has_text = g_byte_array_new ();
  self->rows.spaces = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->rows.tenures = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->sideband.changes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->jit = pen_jit_kept_new ();
  pen_sample_rest_init (&self->rest, self->writer);
  self->losses = pen_loss_tracker_new ();
  self->counts.others = g_tree_new_full (compare_types, NULL, NULL, g_free);
  return self;
}

void
pen_import_kept_free (PenImportKept *self)
{
  if (!self)
    return;

  pen_sample_rest_clear (&self->rest);
  pen_store_writer_free (self->writer);
  g_clear_pointer (&self->state, pen_page_state_unref);
  pen_page_file_unref (self->pages);
  g_clear_pointer (&self->sums.functions, pen_function_table_free);
  g_clear_pointer (&self->user_names, pen_user_names_free);
  g_array_unref (self->sums.events);
  g_array_unref (self->sums.tenures);
  g_byte_array_unref (self->has_text);
  g_array_unref (self->rows.spaces);
  g_array_unref (self->rows.tenures);
  g_array_unref (self->sideband.changes);
  pen_jit_kept_free (self->jit);
  pen_bucket_table_free (self->buckets);
  pen_chain_tree_free (self->tree);
  pen_frame_table_free (self->frames);
  pen_thread_table_free (self->threads);
  pen_present_free (self->present);
  g_array_unref (self->pokes);
  pen_names_free (self->names);
  g_clear_pointer (&self->wanted, g_array_unref);
  pen_loss_tracker_free (self->losses);
  g_tree_unref (self->counts.others);
  g_free (self);
}

gboolean
pen_import_kept_take_maps (PenImportKept *self, PenHistory *history)
{
  guint n;
  guint n_mapped = 0;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (guint i = 0; i < n; i++)
    n_mapped += tenures[i].space == PEN_SPACE_KERNEL && tenures[i].layer == PEN_LAYER_MAP;
  if (n_mapped == self->n_mapped)
    return FALSE;
  self->n_mapped = n_mapped;
  return TRUE;
}

gboolean
pen_import_kept_take_pokes (PenImportKept *self, PenHistory *history)
{
  guint n;
  PenPoke *pokes = pen_history_get_pokes (history, &n);

  for (guint i = 0; i < n; i++) {
    PenKnownPoke *known;

    if (i >= self->pokes->len) {
      PenKnownPoke poke = { pokes[i].moment, pen_names_add (self->names, pokes[i].comm) };

      g_array_append_val (self->pokes, poke);
      continue;
    }
    known = &g_array_index (self->pokes, PenKnownPoke, i);
    if (pen_moment_compare (known->moment, pokes[i].moment) != 0)
      return FALSE;
    pokes[i].comm = known->comm;
  }
  return n >= self->pokes->len;
}
