/* pen-progress-box.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-progress-box.h"

struct _PenProgressBox {
  GMutex lock;
  PenImportProgress newest;
  PenSketch *sketch; /* (nullable): the newest, too */
  gint64 begun;      /* monotonic µs: when it was made */
  guint32 notes;
  gboolean pending; /* the main loop was told and has not looked yet */
  GSourceFunc told;
  gpointer owner; /* NULL: disowned */
};

PenProgressBox *
pen_progress_box_new (GSourceFunc told, gpointer owner)
{
  PenProgressBox *self = g_atomic_rc_box_new0 (PenProgressBox);

  g_mutex_init (&self->lock);
  self->begun = g_get_monotonic_time ();
  self->told = told;
  self->owner = owner;
  return self;
}

PenProgressBox *
pen_progress_box_ref (PenProgressBox *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
progress_box_clear (PenProgressBox *self)
{
  g_clear_pointer (&self->sketch, pen_sketch_unref);
  g_mutex_clear (&self->lock);
}

void
pen_progress_box_unref (PenProgressBox *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) progress_box_clear);
}

PenSketch *
pen_progress_box_dup_sketch (PenProgressBox *self)
{
  PenSketch *sketch;

  g_mutex_lock (&self->lock);
  sketch = self->sketch ? pen_sketch_ref (self->sketch) : NULL;
  g_mutex_unlock (&self->lock);
  return sketch;
}

void
pen_progress_box_disown (PenProgressBox *self)
{
  self->owner = NULL;
}

static gboolean
tell (gpointer data)
{
  PenProgressBox *box = data;

  g_mutex_lock (&box->lock);
  box->pending = FALSE;
  g_mutex_unlock (&box->lock);
  if (box->owner)
    box->told (box->owner);
  return G_SOURCE_REMOVE;
}

/* An import that is over at once is not worth a picture. */
static PenSketch *
draw_sketch (const PenProgressBox *box, const PenImportProgress *progress)
{
  return g_get_monotonic_time () - box->begun >= PEN_PROGRESS_BOX_PATIENCE
             ? pen_import_progress_draw (progress)
             : NULL;
}

void
pen_progress_box_put (const PenImportProgress *progress, gpointer user_data)
{
  PenProgressBox *box = user_data;
  PenSketch *sketch = draw_sketch (box, progress);
  g_autoptr (PenSketch) older = NULL;
  gboolean pending;

  g_mutex_lock (&box->lock);
  box->newest = *progress;
  box->newest.sketcher = NULL; /* of this call only */
  if (sketch) {
    older = g_steal_pointer (&box->sketch);
    box->sketch = sketch;
  }
  box->notes |= progress->notes;
  box->newest.notes = box->notes;
  pending = box->pending;
  box->pending = TRUE;
  g_mutex_unlock (&box->lock);

  if (!pending)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, tell, pen_progress_box_ref (box),
                     (GDestroyNotify) pen_progress_box_unref);
}

void
pen_progress_box_add_note (PenProgressBox *self, PenImportNote note)
{
  g_mutex_lock (&self->lock);
  self->notes |= 1u << note;
  g_mutex_unlock (&self->lock);
}

guint32
pen_progress_box_get_notes (PenProgressBox *self)
{
  guint32 notes;

  g_mutex_lock (&self->lock);
  notes = self->notes;
  g_mutex_unlock (&self->lock);
  return notes;
}

void
pen_progress_box_get_newest (PenProgressBox *self, PenImportProgress *progress)
{
  g_mutex_lock (&self->lock);
  *progress = self->newest;
  g_mutex_unlock (&self->lock);
}
