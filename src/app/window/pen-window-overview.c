/* pen-window-overview.c: what is seen of the overview: all, two rows of it, or nothing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include "pen-layout.h"

/* A person who drags the edge of a folded overview that far down wants to see more of it. */
#define DRAG_OPENS 30

/* The choice for low windows is kept apart: there it is folded unless asked for.
 */
static const char *const keys[2] = { "overview", "overview-in-low-window" };

gboolean
pen_window_overview_is_folded (PenWindow *self)
{
  return self->overview_folded[pen_fold_get_is_low (self->fold)];
}

static int
measure (PenWindow *self)
{
  int height;

  gtk_widget_measure (GTK_WIDGET (self->timeline), GTK_ORIENTATION_VERTICAL, -1, NULL, &height,
                      NULL, NULL);
  return height;
}

static void
set_position (PenWindow *self, int position)
{
  gboolean arranging = self->arranging;

  self->arranging = TRUE;
  gtk_paned_set_position (self->overview_paned, position);
  self->arranging = arranging;
}

/* The pane's height goes with it: a person's own is kept for when it is unfolded. */
void
pen_window_overview_update (PenWindow *self)
{
  gboolean folded = pen_window_overview_is_folded (self);

  gtk_widget_set_visible (GTK_WIDGET (self->timeline), !self->overview_hidden);
  /* One ruler is enough where two would be one above the other. */
  pen_plot_view_set_ruler_visible (PEN_PLOT_VIEW (self->map), self->overview_hidden);
  if (pen_timeline_get_folded (self->timeline) == folded)
    return;
  if (folded && self->is_persons)
    self->overview_position = gtk_paned_get_position (self->overview_paned);
  pen_timeline_set_folded (self->timeline, folded);
  if (folded || !self->is_persons || self->overview_position == 0)
    set_position (self, measure (self));
  else
    set_position (self, self->overview_position);
  /* Measured anew with the whole window. */
  self->arranged_height = 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify (G_OBJECT (self), "overview-folded");
}

void
pen_window_overview_set_folded (PenWindow *self, gboolean folded)
{
  gboolean is_low = pen_fold_get_is_low (self->fold);

  self->overview_folded[is_low] = folded;
  pen_layout_set (pen_layout_get_default (), keys[is_low], folded ? "folded" : "unfolded");
  pen_window_overview_update (self);
}

static void
on_position (PenWindow *self)
{
  if (self->arranging || !pen_window_overview_is_folded (self) || self->overview_hidden
      || gtk_paned_get_position (self->overview_paned) < measure (self) + DRAG_OPENS)
    return;
  self->overview_position = gtk_paned_get_position (self->overview_paned);
  pen_window_overview_set_folded (self, FALSE);
}

static void
on_layout (PenWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    const char *word = pen_layout_get (pen_layout_get_default (), keys[i]);

    self->overview_folded[i] = word ? g_str_equal (word, "folded") : i > 0;
  }
  pen_window_overview_update (self);
}

void
pen_window_overview_init (PenWindow *self)
{
  g_signal_connect_swapped (self->fold, "notify::is-low", G_CALLBACK (pen_window_overview_update),
                            self);
  g_signal_connect_swapped (self->overview_paned, "notify::position", G_CALLBACK (on_position),
                            self);
  g_signal_connect_object (pen_layout_get_default (), "loaded", G_CALLBACK (on_layout), self,
                           G_CONNECT_SWAPPED);
  on_layout (self);
}
