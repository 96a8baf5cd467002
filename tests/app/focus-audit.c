/* focus-audit.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "focus-audit.h"

#include "app-support.h"

/* A window with more has a list whose rows are stops of their own. */
#define STOPS_MAX 200
/* Pixels: of frames and margins. */
#define SLACK 4

static guint n_seen;

static char *
describe (GtkWidget *widget)
{
  GString *text = g_string_new (NULL);

  for (GtkWidget *at = widget; at; at = gtk_widget_get_parent (at)) {
    const char *tooltip = gtk_widget_get_tooltip_text (at);

    g_string_append_printf (text, "%s%s", at == widget ? "" : " in ", G_OBJECT_TYPE_NAME (at));
    if (tooltip)
      g_string_append_printf (text, " “%s”", tooltip);
    if (g_str_has_prefix (G_OBJECT_TYPE_NAME (at), "Pen"))
      break;
  }
  return g_string_free (text, FALSE);
}

static void
report (const char *view, const char *what, GtkWidget *from, GtkWidget *to)
{
  g_autofree char *first = from ? describe (from) : g_strdup ("nothing");
  g_autofree char *second = to ? describe (to) : g_strdup ("nothing");

  g_printerr ("%s: %s: from %s\n  to %s\n", view, what, first, second);
}

/* As the key does. Returns: (nullable): where the focus is then */
static GtkWidget *
move (GtkWindow *window, GtkDirectionType direction)
{
  g_signal_emit_by_name (window, "move-focus", direction);
  return gtk_window_get_focus (window);
}

/* @within: (nullable): where to begin. Returns: the places, until the first comes again; it ends
 * with NULL where one holds the focus. */
static GPtrArray *
go_round (GtkWindow *window, GtkWidget *within, GtkDirectionType direction)
{
  GPtrArray *stops = g_ptr_array_new ();
  GtkWidget *at;

  gtk_window_set_focus (window, NULL);
  if (within && gtk_widget_child_focus (within, direction))
    g_ptr_array_add (stops, gtk_window_get_focus (window));
  while (stops->len < STOPS_MAX) {
    at = move (window, direction);
    /* Between the last and the first, there may be the window itself. */
    if (!at)
      at = move (window, direction);
    if (!at || (stops->len > 0 && at == stops->pdata[0]))
      return stops;
    if (g_ptr_array_find (stops, at, NULL))
      break;
    g_ptr_array_add (stops, at);
  }
  g_ptr_array_add (stops, NULL);
  return stops;
}

/* What is scrolled is where its view is, to one that is not scrolled with it. */
static graphene_rect_t
get_bounds (GtkWindow *window, GtkWidget *widget, GtkWidget *other)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  GtkWidget *view = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLABLE);

  if (view && !gtk_widget_is_ancestor (other, view))
    widget = view;
  if (!gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &bounds))
    g_printerr ("%s is nowhere\n", G_OBJECT_TYPE_NAME (widget));
  return bounds;
}

/* Up is where a pane ends and the next one begins at its side, or what is in @from. */
static gboolean
is_onwards (GtkWindow *window, GtkWidget *from, GtkWidget *to)
{
  graphene_rect_t a = get_bounds (window, from, to), b = get_bounds (window, to, from);
  float a_bottom = a.origin.y + a.size.height, b_bottom = b.origin.y + b.size.height;
  gboolean is_beside = b.origin.y < a_bottom - SLACK && a.origin.y < b_bottom - SLACK;

  if (gtk_widget_is_ancestor (to, from) || gtk_widget_is_ancestor (from, to))
    return TRUE;
  if (is_beside || b.origin.y < a.origin.y)
    return b.origin.x >= a.origin.x + a.size.width - SLACK;
  return TRUE;
}

static guint
check_order (GtkWindow *window, const char *view, GPtrArray *stops)
{
  guint n_faults = 0;

  for (guint i = 1; i < stops->len; i++) {
    GtkWidget *from = stops->pdata[i - 1], *to = stops->pdata[i];

    if (to && is_onwards (window, from, to))
      continue;
    report (view, to ? "goes back" : "does not come round", from, to);
    n_faults++;
  }
  return n_faults;
}

/* A list may be left by another row than it is entered by. */
static guint
check_way_back (const char *view, GPtrArray *stops, GPtrArray *back)
{
  if (stops->len == back->len)
    return 0;
  g_printerr ("%s: %u places by Tab, %u by Shift+Tab\n", view, stops->len, back->len);
  return 1;
}

/* What lies over all else keeps the focus. */
static guint
check_within (GtkWidget *within, const char *view, GPtrArray *stops)
{
  guint n_faults = 0;

  for (guint i = 0; within && i < stops->len; i++) {
    if (!stops->pdata[i] || gtk_widget_is_ancestor (stops->pdata[i], within))
      continue;
    report (view, "leaves what is on top", within, stops->pdata[i]);
    n_faults++;
  }
  return n_faults;
}

guint
focus_audit (GtkWindow *window, GtkWidget *within, const char *view)
{
  GtkWidget *before = gtk_window_get_focus (window);
  g_autoptr (GPtrArray) stops = go_round (window, within, GTK_DIR_TAB_FORWARD);
  g_autoptr (GPtrArray) back = go_round (window, within, GTK_DIR_TAB_BACKWARD);
  guint n_faults = check_order (window, view, stops) + check_way_back (view, stops, back)
                   + check_within (within, view, stops) + check_within (within, view, back);

  if (stops->len == 0) {
    g_printerr ("%s: Tab goes nowhere\n", view);
    n_faults++;
  }
  n_seen += stops->len;
  gtk_window_set_focus (window, before);
  return n_faults;
}

guint
focus_audit_count (void)
{
  return n_seen;
}
