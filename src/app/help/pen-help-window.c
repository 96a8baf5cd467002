/* pen-help-window.c: the text of the help, as it comes with the program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-help-window.h"

#include <glib/gi18n-lib.h>

#include "pen-manual-text.h"

#define PREFIX "/io/github/pentimento/Pentimento/manual"

struct _PenHelpWindow {
  AdwWindow parent_instance;

  GtkTextView *view;
  GtkSearchEntry *search;
  guint wait_id;   /* until the text has a height; 0: nothing waits */
  guint scroll_id; /* until its lines have theirs */
};

G_DEFINE_FINAL_TYPE (PenHelpWindow, pen_help_window, ADW_TYPE_WINDOW)

static GtkTextBuffer *
get_buffer (PenHelpWindow *self)
{
  return gtk_text_view_get_buffer (self->view);
}

static gboolean
find (PenHelpWindow *self, const char *text)
{
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextIter from, start, end;

  if (text[0] == '\0')
    return FALSE;
  gtk_text_buffer_get_selection_bounds (buffer, NULL, &from);
  if (!gtk_text_iter_forward_search (&from, text, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &start, &end,
                                     NULL)) {
    gtk_text_buffer_get_start_iter (buffer, &from);
    if (!gtk_text_iter_forward_search (&from, text, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &start, &end,
                                       NULL))
      return FALSE;
  }
  gtk_text_buffer_select_range (buffer, &start, &end);
  gtk_text_view_scroll_to_iter (self->view, &start, 0.1, TRUE, 0, 0.2);
  return TRUE;
}

static void
find_next (PenHelpWindow *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));

  if (text[0] != '\0' && !find (self, text))
    gtk_widget_add_css_class (GTK_WIDGET (self->search), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->search), "error");
}

/* From the top for each new word. */
static void
on_search_changed (PenHelpWindow *self)
{
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextIter start;

  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  find_next (self);
}

/* Out of the search first, then out of the window. */
static void
on_search_stopped (PenHelpWindow *self)
{
  if (gtk_editable_get_text (GTK_EDITABLE (self->search))[0] == '\0') {
    gtk_window_close (GTK_WINDOW (self));
    return;
  }
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* ---- links ---- */

static gboolean
scroll (gpointer data)
{
  PenHelpWindow *self = data;

  self->scroll_id = 0;
  gtk_text_view_scroll_to_mark (self->view, gtk_text_buffer_get_insert (get_buffer (self)), 0, TRUE,
                                0, 0);
  return G_SOURCE_REMOVE;
}

/* GTK measures lines in idles that come before ours. If it is to scroll before they have run, it
 * does so while it draws, and warns that the scroll bar is not where it was measured. */
static gboolean
on_frame (GtkWidget *view, GdkFrameClock *clock, gpointer data)
{
  PenHelpWindow *self = data;

  if (gtk_widget_get_height (view) == 0)
    return G_SOURCE_CONTINUE;
  self->wait_id = 0;
  if (self->scroll_id == 0)
    self->scroll_id = g_idle_add (scroll, self);
  return G_SOURCE_REMOVE;
}

static void
go_to (PenHelpWindow *self, const char *topic)
{
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextMark *mark = gtk_text_buffer_get_mark (buffer, topic);
  GtkTextIter start;

  if (!mark)
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &start, mark);
  gtk_text_buffer_place_cursor (buffer, &start);
  if (self->wait_id == 0)
    self->wait_id = gtk_widget_add_tick_callback (GTK_WIDGET (self->view), on_frame, self, NULL);
}

/* (nullable): the page that the link there leads to */
static const char *
find_link (PenHelpWindow *self, double x, double y)
{
  GtkTextIter at;
  int left, top;

  gtk_text_view_window_to_buffer_coords (self->view, GTK_TEXT_WINDOW_WIDGET, (int) x, (int) y,
                                         &left, &top);
  return gtk_text_view_get_iter_at_location (self->view, &at, left, top)
             ? pen_manual_text_get_link (&at)
             : NULL;
}

static void
on_click (PenHelpWindow *self, int n_press, double x, double y)
{
  const char *name = find_link (self, x, y);

  /* Words are selected by a drag over them, too. */
  if (name && !gtk_text_buffer_get_has_selection (get_buffer (self)))
    go_to (self, name);
}

static void
on_motion (PenHelpWindow *self, double x, double y)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->view),
                                   find_link (self, x, y) ? "pointer" : "text");
}

static void
add_links (PenHelpWindow *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  gtk_event_controller_set_name (GTK_EVENT_CONTROLLER (click), "links");
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_click), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), motion);
}

/* ---- the window ---- */

static gboolean
on_search_key (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  return gtk_widget_grab_focus (GTK_WIDGET (PEN_HELP_WINDOW (widget)->search));
}

static void
pen_help_window_dispose (GObject *object)
{
  PenHelpWindow *self = PEN_HELP_WINDOW (object);

  g_clear_handle_id (&self->scroll_id, g_source_remove);
  G_OBJECT_CLASS (pen_help_window_parent_class)->dispose (object);
}

static void
pen_help_window_class_init (PenHelpWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_help_window_dispose;
  gtk_widget_class_add_binding (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, on_search_key, NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close",
                                       NULL);
}

GBytes *
pen_help_window_find_manual (const char *const *languages)
{
  for (; languages && *languages; languages++) {
    g_autofree char *path = g_strdup_printf (PREFIX "-%s.md", *languages);
    GBytes *manual = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

    if (manual)
      return manual;
    /* English before the rest: "C" is at the end, and "en" may stand before a language that is
     * there. */
    if (g_str_equal (*languages, "en"))
      break;
  }
  return g_resources_lookup_data (PREFIX ".md", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

static GtkWidget *
make_text (PenHelpWindow *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  g_autoptr (GBytes) manual = pen_help_window_find_manual (g_get_language_names ());

  self->view = GTK_TEXT_VIEW (gtk_text_view_new ());
  gtk_text_view_set_editable (self->view, FALSE);
  gtk_text_view_set_accepts_tab (self->view, FALSE);
  gtk_text_view_set_cursor_visible (self->view, FALSE);
  gtk_text_view_set_wrap_mode (self->view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (self->view, 18);
  gtk_text_view_set_right_margin (self->view, 18);
  gtk_text_view_set_bottom_margin (self->view, 18);
  gtk_text_view_set_pixels_inside_wrap (self->view, 2);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Manual"), -1);
  if (manual)
    pen_manual_text_fill (gtk_text_view_get_buffer (self->view), g_bytes_get_data (manual, NULL));
  add_links (self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
pen_help_window_init (PenHelpWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new ();

  self->search = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->search), _ ("Find in the manual (Ctrl+F)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Find in the manual"), -1);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (on_search_changed), self);
  g_signal_connect_swapped (self->search, "stop-search", G_CALLBACK (on_search_stopped), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (find_next), self);
  g_signal_connect_swapped (self->search, "next-match", G_CALLBACK (find_next), self);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), GTK_WIDGET (self->search));
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), make_text (self));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Manual"));
  gtk_window_set_default_size (GTK_WINDOW (self), 760, 720);
  gtk_widget_set_size_request (GTK_WIDGET (self), 340, 300);
}

PenHelpWindow *
pen_help_window_show (GtkApplication *application, const char *topic)
{
  PenHelpWindow *self = NULL;

  for (GList *l = gtk_application_get_windows (application); l && !self; l = l->next) {
    if (PEN_IS_HELP_WINDOW (l->data))
      self = l->data;
  }
  if (!self)
    self = g_object_new (PEN_TYPE_HELP_WINDOW, "application", application, NULL);
  if (topic)
    go_to (self, topic);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
