/* text-audit.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "text-audit.h"

#include "ink.h"
#include "pen-chart-picture.h"
#include "pen-flame-view.h"
#include "window-support.h"

/* Pixels: of rounding. */
#define SLACK 1.5f
/* Lines of one text may touch: what overlaps by a part of its height is over another. */
#define OVERLAP 0.35f
/* A tooltip may be that of a cell, or of the button that a label is in. */
#define TOOLTIP_LEVELS 6
/* Pixels of the handle between panes. */
#define HANDLE 8

typedef struct {
  graphene_rect_t bounds;
  GtkWidget *widget;
} Text;

static guint n_seen;

/* ---- words ---- */

static const char *
get_words (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "";
}

static const char *
get_owner (GtkWidget *widget)
{
  GtkWidget *at = widget;

  while (at && !g_str_has_prefix (G_OBJECT_TYPE_NAME (at), "Pen"))
    at = gtk_widget_get_parent (at);
  return at ? G_OBJECT_TYPE_NAME (at) : "nothing of ours";
}

static void
report (const char *view, const char *what, const Text *text)
{
  g_printerr ("%s: %s: %s “%s” in %s at %.0f,%.0f %.0f×%.0f\n", view, what,
              G_OBJECT_TYPE_NAME (text->widget), get_words (text->widget), get_owner (text->widget),
              text->bounds.origin.x, text->bounds.origin.y, text->bounds.size.width,
              text->bounds.size.height);
}

/* ---- labels ---- */

static gboolean
has_tooltip (GtkWidget *widget)
{
  for (guint i = 0; widget && i < TOOLTIP_LEVELS; i++) {
    if (gtk_widget_get_has_tooltip (widget) || window_support_get_tooltip (widget))
      return TRUE;
    widget = gtk_widget_get_parent (widget);
  }
  return FALSE;
}

/* A shortened text has all of it elsewhere. */
static guint
check_ellipsis (GtkWidget *widget, const char *view)
{
  Text text = { .widget = widget };

  if (!GTK_IS_LABEL (widget)
      || !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)))
      || has_tooltip (widget))
    return 0;
  report (view, "shortened without a tooltip", &text);
  return 1;
}

static guint
check_ellipses (GtkWidget *widget, const char *view)
{
  guint n_faults = check_ellipsis (widget, view);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    if (gtk_widget_get_mapped (child) && !GTK_IS_NATIVE (child))
      n_faults += check_ellipses (child, view);
  }
  return n_faults;
}

/* ---- what is drawn ---- */

/* In a list, below its bar, or in one of our pictures that scroll by themselves. */
static gboolean
is_scrolled (GtkWidget *widget)
{
  for (; widget; widget = gtk_widget_get_parent (widget)) {
    if (GTK_IS_SCROLLABLE (widget) || GTK_IS_SCROLLBAR (widget) || PEN_IS_FLAME_VIEW (widget)
        || PEN_IS_CHART_PICTURE (widget))
      return TRUE;
  }
  return FALSE;
}

/* Cells and titles of columns are as wide as the column, whether or not their list is scrolled. */
static GtkWidget *
find_cell (GtkWidget *widget)
{
  for (; widget && !GTK_IS_SCROLLABLE (widget); widget = gtk_widget_get_parent (widget)) {
    const char *name = gtk_widget_get_css_name (widget);

    if (g_str_equal (name, "cell") || g_str_equal (name, "header"))
      return widget;
  }
  return NULL;
}

/* Whether the column is too narrow, rather than out of sight. */
static gboolean
is_cut_by_cell (GtkWidget *root, const InkMark *mark, GtkWidget *widget)
{
  GtkWidget *cell = find_cell (widget);
  graphene_rect_t bounds;

  return cell && gtk_widget_compute_bounds (cell, root, &bounds)
         && (mark->whole.origin.x < bounds.origin.x - SLACK
             || mark->whole.origin.x + mark->whole.size.width
                    > bounds.origin.x + bounds.size.width + SLACK);
}

static gboolean
is_cut (const InkMark *mark, gboolean in_width)
{
  float left = mark->bounds.origin.x - mark->whole.origin.x;
  float top = mark->bounds.origin.y - mark->whole.origin.y;

  if (in_width)
    return left > SLACK || mark->whole.size.width - left - mark->bounds.size.width > SLACK;
  return top > SLACK || mark->whole.size.height - top - mark->bounds.size.height > SLACK;
}

static guint
check_cuts (GtkWidget *root, const char *view, const InkMark *mark, const Text *text)
{
  if (!is_cut (mark, TRUE) && !is_cut (mark, FALSE))
    return 0;
  if (is_scrolled (text->widget)
      && !(is_cut (mark, TRUE) && is_cut_by_cell (root, mark, text->widget)))
    return 0;
  report (view, "cut off", text);
  return 1;
}

static gboolean
is_over (const Text *a, const Text *b)
{
  graphene_rect_t both;
  float height = MIN (a->bounds.size.height, b->bounds.size.height);

  return graphene_rect_intersection (&a->bounds, &b->bounds, &both)
         && both.size.height > height * OVERLAP && both.size.width > 2 * SLACK;
}

static guint
check_overlaps (const char *view, GArray *texts)
{
  guint n_faults = 0;

  for (guint i = 0; i < texts->len; i++) {
    const Text *text = &g_array_index (texts, Text, i);

    for (guint j = i + 1; j < texts->len; j++) {
      const Text *other = &g_array_index (texts, Text, j);

      if (!is_over (text, other))
        continue;
      n_faults++;
      report (view, "overlaps", text);
      report (view, "          with", other);
    }
  }
  return n_faults;
}

/* The handle between two panes reaches over their edges: what is cut off there is on its other
 * side. */
static GtkWidget *
find_owner (GtkWidget *widget, const InkMark *mark)
{
  GtkPickFlags flags = GTK_PICK_INSENSITIVE | GTK_PICK_NON_TARGETABLE;
  graphene_point_t at;
  GtkWidget *found;

  graphene_rect_get_center (&mark->bounds, &at);
  found = gtk_widget_pick (widget, at.x, at.y, flags);
  if (found && g_str_equal (gtk_widget_get_css_name (found), "separator")) {
    at.y += mark->bounds.origin.y - mark->whole.origin.y > SLACK ? HANDLE : -HANDLE;
    found = gtk_widget_pick (widget, at.x, at.y, flags);
  }
  return found ? found : widget;
}

guint
text_audit (GtkWidget *widget, const char *view)
{
  Ink *ink = ink_new (widget);
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (Text));
  guint n_faults = check_ellipses (widget, view);

  for (guint i = 0; i < ink->marks->len; i++) {
    const InkMark *mark = &g_array_index (ink->marks, InkMark, i);
    Text text = { .bounds = mark->bounds };

    if (!mark->text)
      continue;
    text.widget = find_owner (widget, mark);
    n_faults += check_cuts (widget, view, mark, &text);
    g_array_append_val (texts, text);
  }
  n_seen += texts->len;
  n_faults += check_overlaps (view, texts);
  ink_free (ink);
  return n_faults;
}

guint
text_audit_count (void)
{
  return n_seen;
}
