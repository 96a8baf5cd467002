/* pen-changes-fold.c: how much of the page of causes the changes below them take
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-changes-fold.h"

#include "pen-layout.h"
#include "pen-text-size.h"

/* px at the usual size of text: a page below it is low */
#define LOW 340
/* Whoever drags the edge of the folded changes that far up wants to see more of them, px. */
#define DRAG_OPENS 30
/* px that a place may differ by rounding */
#define ROUNDING 2
/* Of the page, the part that the causes have until a person chooses. */
#define SHARE 0.5

#define SHARE_KEY "changes-share"
/* The choice for low pages is kept apart. */
static const char *const keys[2] = { "changes", "changes-in-low-window" };

struct _PenChangesFold {
  GObject parent_instance;

  GtkPaned *paned;
  PenChangesView *changes;
  gboolean is_folded[2]; /* [1]: in a low page */
  double share;          /* of the causes */
  int most;              /* of the handle's range, when it was placed */
  gboolean is_placing;
  guint place_id;
};

G_DEFINE_FINAL_TYPE (PenChangesFold, pen_changes_fold, G_TYPE_OBJECT)

static int
get_height (PenChangesFold *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self->paned));
}

/* Changes before gtk_widget_get_height() does, while sizes are being given out. */
static int
get_most (PenChangesFold *self)
{
  int most;

  g_object_get (self->paned, "max-position", &most, NULL);
  return most;
}

static gboolean
is_low (PenChangesFold *self)
{
  return get_height (self) < LOW * pen_text_size_get_scale ();
}

static gboolean
is_folded (PenChangesFold *self)
{
  return self->is_folded[is_low (self)];
}

static int
get_place (PenChangesFold *self)
{
  int height = get_height (self);

  return is_folded (self) ? height : (int) (self->share * height);
}

static gboolean
place (gpointer data)
{
  PenChangesFold *self = data;
  gboolean folded = is_folded (self);

  self->place_id = 0;
  if (get_height (self) == 0)
    return G_SOURCE_REMOVE;
  self->is_placing = TRUE;
  pen_changes_view_set_folded (self->changes, folded);
  gtk_paned_set_resize_end_child (self->paned, !folded);
  gtk_paned_set_position (self->paned, get_place (self));
  self->most = get_most (self);
  self->is_placing = FALSE;
  return G_SOURCE_REMOVE;
}

/* Not while sizes are being given out. */
static void
place_later (PenChangesFold *self)
{
  if (self->place_id == 0)
    self->place_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, place, self, NULL);
}

static void
on_range (PenChangesFold *self)
{
  if (get_most (self) != self->most)
    place_later (self);
}

static void
set_folded (PenChangesFold *self, gboolean folded)
{
  gboolean low = is_low (self);

  self->is_folded[low] = folded;
  pen_layout_set (pen_layout_get_default (), keys[low], folded ? "folded" : "unfolded");
  place (self);
}

/* A person moved the handle, unless its range is another now, or has no room for the place. */
static void
on_position (PenChangesFold *self)
{
  int position = gtk_paned_get_position (self->paned), most = get_most (self), least;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_object_get (self->paned, "min-position", &least, NULL);
  if (self->is_placing || self->place_id != 0 || most != self->most || get_height (self) == 0
      || ABS (position - CLAMP (get_place (self), least, most)) <= ROUNDING
      || (is_folded (self) && position > most - DRAG_OPENS))
    return;
  self->share = (double) position / get_height (self);
  pen_layout_set (pen_layout_get_default (), SHARE_KEY,
                  g_ascii_formatd (number, sizeof number, "%.3f", self->share));
  if (is_folded (self))
    set_folded (self, FALSE);
}

static void
on_layout (PenChangesFold *self)
{
  const char *share = pen_layout_get (pen_layout_get_default (), SHARE_KEY);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    const char *word = pen_layout_get (pen_layout_get_default (), keys[i]);

    self->is_folded[i] = word ? g_str_equal (word, "folded") : i > 0;
  }
  self->share = share ? g_ascii_strtod (share, NULL) : SHARE;
  if (!(self->share > 0 && self->share < 1))
    self->share = SHARE;
  place_later (self);
}

void
pen_changes_fold_toggle (PenChangesFold *self)
{
  set_folded (self, !is_folded (self));
}

void
pen_changes_fold_unfold (PenChangesFold *self)
{
  if (is_folded (self))
    set_folded (self, FALSE);
}

/* ---- object ---- */

static void
pen_changes_fold_dispose (GObject *object)
{
  PenChangesFold *self = PEN_CHANGES_FOLD (object);

  g_clear_handle_id (&self->place_id, g_source_remove);

  G_OBJECT_CLASS (pen_changes_fold_parent_class)->dispose (object);
}

static void
pen_changes_fold_class_init (PenChangesFoldClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_changes_fold_dispose;
}

static void
pen_changes_fold_init (PenChangesFold *self)
{
}

PenChangesFold *
pen_changes_fold_new (GtkPaned *paned, PenChangesView *changes)
{
  PenChangesFold *self = g_object_new (PEN_TYPE_CHANGES_FOLD, NULL);

  self->paned = paned;
  self->changes = changes;
  g_signal_connect_object (paned, "notify::max-position", G_CALLBACK (on_range), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (paned, "notify::position", G_CALLBACK (on_position), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (pen_layout_get_default (), "loaded", G_CALLBACK (on_layout), self,
                           G_CONNECT_SWAPPED);
  on_layout (self);
  return self;
}
