/* pen-live.c: a recording that is being made, as the window opens it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-live.h"

#include <glib/gstdio.h>

#include "pen-follow.h"
#include "pen-notes.h"
#include "pen-settings.h"

struct _PenLive {
  GMutex lock;
  PenSettings *settings;
  PenSources sources; /* of the settings */
  PenFollow *follow;
};

gboolean
pen_live_is_possible (const char *path)
{
  if (g_str_equal (path, "-"))
    return TRUE;
  return !pen_import_is_stream (path) && !pen_store_is_store (path)
         && pen_follow_is_possible (path);
}

PenLive *
pen_live_new (const char *path, GError **error)
{
  g_autoptr (PenLive) self = g_atomic_rc_box_new0 (PenLive);

  g_mutex_init (&self->lock);
  self->settings = pen_settings_load ();
  self->sources = pen_settings_get_sources (self->settings);
  self->follow = pen_follow_new (path, &self->sources, error);
  return self->follow ? g_steal_pointer (&self) : NULL;
}

PenLive *
pen_live_ref (PenLive *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
live_clear (PenLive *self)
{
  g_clear_pointer (&self->follow, pen_follow_free);
  g_clear_pointer (&self->settings, pen_settings_free);
  g_mutex_clear (&self->lock);
}

void
pen_live_unref (PenLive *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) live_clear);
}

PenStore *
pen_live_next (PenLive *self, PenProgressBox *progress, gboolean *is_last,
               GCancellable *cancellable, GError **error)
{
  PenStore *store;

  g_mutex_lock (&self->lock);
  store = pen_follow_next (self->follow, progress ? pen_progress_box_put : NULL, progress, is_last,
                           cancellable, error);
  g_mutex_unlock (&self->lock);
  return store;
}

/* ---- notes ---- */

char *
pen_live_dup_notes_file (PenStore *part, const char *path)
{
  g_autofree char *place = g_canonicalize_filename (path, NULL);
  const char *begin = pen_store_get_fact (part, "first_time");
  g_autofree char *text = g_strdup_printf ("%s %s", place, begin ? begin : "");
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autofree char *name = g_strconcat (sum, ".notes", NULL);

  return g_build_filename (g_get_user_data_dir (), "pentimento", "notes", name, NULL);
}

gboolean
pen_live_move_notes (const char *from, const char *to, GError **error)
{
  g_autoptr (GPtrArray) notes = pen_notes_load (from, error);

  for (guint i = 0; notes && i < notes->len; i++) {
    PenNote *note = notes->pdata[i];

    note->id = 0;
    if (!pen_notes_put (to, note, error))
      return FALSE;
  }
  if (notes && notes->len > 0)
    g_unlink (from);
  return notes != NULL;
}
