/* pen-fold.c: a bin that may be narrower than its child asks for, and reports its width
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fold.h"

#include "pen-text-size.h"

enum { PROP_0, PROP_CHILD, PROP_WIDTH_CLASS, PROP_IS_LOW, N_PROPS };
static GParamSpec *properties[N_PROPS];

struct _PenFold {
  GtkWidget parent_instance;

  GtkWidget *child;
  PenWidth width_class;
  gboolean is_low;
  guint tell_id;
};

G_DEFINE_FINAL_TYPE (PenFold, pen_fold, GTK_TYPE_WIDGET)

static PenWidth
classify (int pixels)
{
  int width = (int) (pixels / pen_text_size_get_scale ());

  if (width < PEN_FOLD_NARROW)
    return PEN_WIDTH_TINY;
  if (width < PEN_FOLD_MEDIUM)
    return PEN_WIDTH_NARROW;
  if (width < PEN_FOLD_WIDE)
    return PEN_WIDTH_MEDIUM;
  return width < PEN_FOLD_BROAD ? PEN_WIDTH_WIDE : PEN_WIDTH_BROAD;
}

static gboolean
is_low (int pixels)
{
  return pixels / pen_text_size_get_scale () < PEN_FOLD_LOW;
}

/* Not while sizes are being given out: what is shown or hidden then would not be laid out. */
static gboolean
tell (gpointer data)
{
  PenFold *self = data;
  PenWidth width_class = classify (gtk_widget_get_width (GTK_WIDGET (self)));
  gboolean low = is_low (gtk_widget_get_height (GTK_WIDGET (self)));

  self->tell_id = 0;
  if (low != self->is_low) {
    self->is_low = low;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_IS_LOW]);
  }
  if (width_class != self->width_class) {
    self->width_class = width_class;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WIDTH_CLASS]);
  }
  return G_SOURCE_REMOVE;
}

static void
tell_later (PenFold *self)
{
  if (self->tell_id == 0)
    self->tell_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, tell, self, NULL);
}

static int
get_child_minimum (PenFold *self)
{
  int minimum = 0;

  if (self->child)
    gtk_widget_measure (self->child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

static GtkSizeRequestMode
pen_fold_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
pen_fold_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                  int *natural, int *minimum_baseline, int *natural_baseline)
{
  PenFold *self = PEN_FOLD (widget);

  if (!self->child)
    return;
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0)
    for_size = MAX (for_size, get_child_minimum (self));
  gtk_widget_measure (self->child, orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = 0;
}

static void
pen_fold_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenFold *self = PEN_FOLD (widget);

  if (self->child)
    gtk_widget_allocate (self->child, MAX (width, get_child_minimum (self)), height, baseline,
                         NULL);
  if (classify (width) != self->width_class || is_low (height) != self->is_low)
    tell_later (self);
}

PenWidth
pen_fold_get_width_class (PenFold *self)
{
  return self->width_class;
}

gboolean
pen_fold_get_is_low (PenFold *self)
{
  return self->is_low;
}

static void
pen_fold_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PenFold *self = PEN_FOLD (object);

  switch (id) {
  case PROP_CHILD:
    g_value_set_object (value, self->child);
    break;
  case PROP_WIDTH_CLASS:
    g_value_set_uint (value, self->width_class);
    break;
  case PROP_IS_LOW:
    g_value_set_boolean (value, self->is_low);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
pen_fold_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PenFold *self = PEN_FOLD (object);

  switch (id) {
  case PROP_CHILD:
    g_clear_pointer (&self->child, gtk_widget_unparent);
    self->child = g_value_get_object (value);
    if (self->child)
      gtk_widget_set_parent (self->child, GTK_WIDGET (self));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
pen_fold_dispose (GObject *object)
{
  PenFold *self = PEN_FOLD (object);

  g_clear_handle_id (&self->tell_id, g_source_remove);
  g_clear_pointer (&self->child, gtk_widget_unparent);

  G_OBJECT_CLASS (pen_fold_parent_class)->dispose (object);
}

static void
pen_fold_class_init (PenFoldClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = pen_fold_get_property;
  object_class->set_property = pen_fold_set_property;
  object_class->dispose = pen_fold_dispose;
  widget_class->get_request_mode = pen_fold_get_request_mode;
  widget_class->measure = pen_fold_measure;
  widget_class->size_allocate = pen_fold_size_allocate;
  properties[PROP_CHILD] = g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET,
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_WIDTH_CLASS]
      = g_param_spec_uint ("width-class", NULL, NULL, 0, PEN_WIDTH_BROAD, PEN_WIDTH_WIDE,
                           G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_IS_LOW]
      = g_param_spec_boolean ("is-low", NULL, NULL, FALSE,
                              G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
pen_fold_init (PenFold *self)
{
  self->width_class = PEN_WIDTH_WIDE;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  pen_text_size_watch (self, G_CALLBACK (tell_later));
}
