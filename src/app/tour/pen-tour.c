/* pen-tour.c: callouts beside the parts of a window, one after the other
 *
 * Not a popover: GTK 4.8 falls over a surface that is gone while the pointer is in it, and each
 * target may go while its callout is shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tour.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

/* px */
#define GAP 12
#define EDGE 12
#define RING 2
#define CARD_WIDTH 340

typedef struct {
  GtkWidget *target;
  char *title;
  char *text;
} Stop;

struct _PenTour {
  GtkWidget parent_instance;

  GArray *stops; /* (element-type Stop) */
  guint at;
  GtkWidget *card;
  GtkLabel *title;
  GtkLabel *text;
  GtkLabel *count;
  GtkButton *back;
  GtkButton *next;
  GtkButton *copy; /* of the last callout */
};

static guint step_signal;

G_DEFINE_FINAL_TYPE (PenTour, pen_tour, GTK_TYPE_WIDGET)

static void
stop_clear (gpointer data)
{
  Stop *stop = data;

  g_free (stop->title);
  g_free (stop->text);
}

/* FALSE: it is not in sight */
static gboolean
get_target (PenTour *self, graphene_rect_t *bounds)
{
  const Stop *stop;

  if (self->at >= self->stops->len)
    return FALSE;
  stop = &g_array_index (self->stops, Stop, self->at);
  return gtk_widget_get_mapped (stop->target)
         && gtk_widget_compute_bounds (stop->target, GTK_WIDGET (self), bounds);
}

/* ---- where the callout is ---- */

/* Beside the target where there is most room: below, above, right of it, left of it. */
static void
find_place (const graphene_rect_t *target, int width, int height, int card_width, int card_height,
            int *x, int *y)
{
  int left = (int) target->origin.x, top = (int) target->origin.y;
  int right = left + (int) target->size.width, bottom = top + (int) target->size.height;

  *x = left + ((right - left) - card_width) / 2;
  *y = top + ((bottom - top) - card_height) / 2;
  if (height - bottom >= card_height + GAP + EDGE)
    *y = bottom + GAP;
  else if (top >= card_height + GAP + EDGE)
    *y = top - GAP - card_height;
  else if (width - right >= card_width + GAP + EDGE)
    *x = right + GAP;
  else if (left >= card_width + GAP + EDGE)
    *x = left - GAP - card_width;
}

static void
pen_tour_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenTour *self = PEN_TOUR (widget);
  graphene_rect_t target;
  GtkAllocation place;
  int least, natural, card_width, card_height;
  int x, y;

  gtk_widget_measure (self->card, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  card_width = MAX (least, MIN (natural, width - 2 * EDGE));
  gtk_widget_measure (self->card, GTK_ORIENTATION_VERTICAL, card_width, &card_height, NULL, NULL,
                      NULL);
  x = (width - card_width) / 2;
  y = (height - card_height) / 2;
  if (get_target (self, &target))
    find_place (&target, width, height, card_width, card_height, &x, &y);
  x = CLAMP (x, MIN (EDGE, width - card_width), MAX (width - card_width - EDGE, 0));
  y = CLAMP (y, 0, MAX (height - card_height - EDGE, 0));
  place = (GtkAllocation){ MAX (x, 0), y, card_width, card_height };
  gtk_widget_size_allocate (self->card, &place, -1);
}

/* No more than the window has: the window is not to grow for it. */
static void
pen_tour_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                  int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = 0;
  *minimum_baseline = *natural_baseline = -1;
}

/* ---- what is drawn ---- */

static void
pen_tour_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenTour *self = PEN_TOUR (widget);
  graphene_rect_t target;
  GskRoundedRect ring;
  GdkRGBA accent;

  if (get_target (self, &target)
      && gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_bg_color",
                                         &accent)) {
    graphene_rect_inset (&target, RING, RING);
    gsk_rounded_rect_init_from_rect (&ring, &target, 6);
    gtk_snapshot_append_border (snapshot, &ring, (float[4]){ RING, RING, RING, RING },
                                (GdkRGBA[4]){ accent, accent, accent, accent });
  }
  gtk_widget_snapshot_child (widget, self->card, snapshot);
}

/* What is below stays in use. */
static gboolean
pen_tour_contains (GtkWidget *widget, double x, double y)
{
  return FALSE;
}

/* ---- from one to the next ---- */

static void
show_stop (PenTour *self)
{
  const Stop *stop = &g_array_index (self->stops, Stop, self->at);
  gboolean is_last = self->at + 1 == self->stops->len;
  g_autofree char *count = NULL;

  /* "3 of 5": callouts of the tour */
  count = g_strdup_printf (_ ("%u of %u"), self->at + 1, self->stops->len);
  gtk_label_set_text (self->title, stop->title);
  gtk_label_set_text (self->text, stop->text);
  gtk_label_set_text (self->count, count);
  gtk_button_set_label (self->next, is_last ? _ ("_Done") : _ ("_Next"));
  gtk_widget_set_visible (GTK_WIDGET (self->copy), is_last);
  gtk_widget_set_sensitive (GTK_WIDGET (self->back), self->at > 0);
  g_signal_emit (self, step_signal, 0, self->at);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pen_tour_end (PenTour *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  g_return_if_fail (PEN_IS_TOUR (self));

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  /* GTK 4.8 keeps a widget that is hidden while it has the focus. */
  if (focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    gtk_root_set_focus (root, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
on_next (PenTour *self)
{
  if (self->at + 1 >= self->stops->len) {
    pen_tour_end (self);
    return;
  }
  self->at++;
  show_stop (self);
}

static void
on_back (PenTour *self)
{
  if (self->at == 0)
    return;
  self->at--;
  show_stop (self);
}

static void
end_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_tour_end (PEN_TOUR (widget));
}

void
pen_tour_start (PenTour *self)
{
  g_return_if_fail (PEN_IS_TOUR (self));
  g_return_if_fail (self->stops->len > 0);

  self->at = 0;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  show_stop (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->next));
}

void
pen_tour_set_target (PenTour *self, guint at, GtkWidget *target)
{
  g_return_if_fail (at < self->stops->len);

  g_array_index (self->stops, Stop, at).target = target;
}

void
pen_tour_add (PenTour *self, GtkWidget *target, const char *title, const char *text)
{
  Stop stop = { target, g_strdup (title), g_strdup (text) };

  g_array_append_val (self->stops, stop);
}

/* ---- object ---- */

static void
pen_tour_dispose (GObject *object)
{
  PenTour *self = PEN_TOUR (object);

  /* The targets may go before it. */
  g_array_set_size (self->stops, 0);
  gtk_widget_dispose_template (GTK_WIDGET (object), PEN_TYPE_TOUR);

  G_OBJECT_CLASS (pen_tour_parent_class)->dispose (object);
}

static void
pen_tour_finalize (GObject *object)
{
  g_array_unref (PEN_TOUR (object)->stops);

  G_OBJECT_CLASS (pen_tour_parent_class)->finalize (object);
}

static void
pen_tour_class_init (PenTourClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_tour_dispose;
  G_OBJECT_CLASS (klass)->finalize = pen_tour_finalize;
  widget_class->size_allocate = pen_tour_size_allocate;
  widget_class->measure = pen_tour_measure;
  widget_class->snapshot = pen_tour_snapshot;
  widget_class->contains = pen_tour_contains;
  step_signal = g_signal_new ("step", PEN_TYPE_TOUR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/pentimento/Pentimento/tour/pen-tour.ui");
  gtk_widget_class_bind_template_child (widget_class, PenTour, card);
  gtk_widget_class_bind_template_child (widget_class, PenTour, title);
  gtk_widget_class_bind_template_child (widget_class, PenTour, text);
  gtk_widget_class_bind_template_child (widget_class, PenTour, count);
  gtk_widget_class_bind_template_child (widget_class, PenTour, back);
  gtk_widget_class_bind_template_child (widget_class, PenTour, next);
  gtk_widget_class_bind_template_child (widget_class, PenTour, copy);
  gtk_widget_class_bind_template_callback (widget_class, on_back);
  gtk_widget_class_bind_template_callback (widget_class, on_next);
  gtk_widget_class_install_action (widget_class, "tour.end", NULL, end_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "tour.end", NULL);
  gtk_widget_class_set_css_name (widget_class, "tour");
}

static void
pen_tour_init (PenTour *self)
{
  self->stops = g_array_new (FALSE, FALSE, sizeof (Stop));
  g_array_set_clear_func (self->stops, stop_clear);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_size_request (self->card, CARD_WIDTH, -1);
}
