/* pictures-boxes.c: pictures of what lies over a page or beside it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pictures.h"

#include "pen-instants-view.h"

/* Of any recording: a place, one that is no frame perhaps, others that nobody is at. */
#define TRACE                                                                                      \
  "RIP: 0010:vfs_read+0x1c/0x310\n"                                                                \
  "Call Trace:\n"                                                                                  \
  " ? ksys_read+0x5f/0xe0\n"                                                                       \
  " [<ffffffffc0000c10>] 0xffffffffc0000c10\n"                                                     \
  " xfs_file_read_iter+0x12/0x80 [xfs]\n"                                                          \
  "RIP: 0033:0x7f1c2a0b1e8e\n"

static void
take_found (PenWindow *window, const Guise *guise, const char *capture, const char *text,
            const char *view)
{
  gboolean is_beside;

  if (!pictures_is_wanted (guise, capture, view))
    return;
  window_support_activate (window, "win.find");
  gtk_editable_set_text (window_support_child (window->find, "entry"), text);
  app_support_run (250);
  pictures_settle (window);
  is_beside = pen_find_box_is_beside (window->find);
  /* It lies over the window, whose words below it are no words any more. */
  pictures_take (pictures_is_audit () ? GTK_WIDGET (window->find) : GTK_WIDGET (window), guise,
                 capture, view);
  pictures_check_focus (GTK_WINDOW (window), is_beside ? NULL : GTK_WIDGET (window->find), guise,
                        capture, view);
  pen_find_box_close (window->find);
  pictures_settle (window);
}

static void
take_instants (PenWindow *window, const Guise *guise, const char *capture)
{
  PenSpan span = pen_session_get_span (window->session);
  guint64 mark = span.from + pen_span_length (span) / 3;
  GtkToggleButton *all;

  if (!pictures_is_wanted (guise, capture, "instants"))
    return;
  gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", "annotation");
  pen_session_set_playhead (window->session, span.from + pen_span_length (span) / 5 * 4);
  pen_session_set_mark (window->session, &mark);
  pictures_settle (window);
  pictures_take (GTK_WIDGET (window), guise, capture, "instants");
  /* More rows of the same kind: for people only. */
  if (!pictures_is_audit ()) {
    all = window_support_child (
        window_support_find_type (window->annotation, PEN_TYPE_INSTANTS_VIEW), "all");
    gtk_toggle_button_set_active (all, TRUE);
    pictures_settle (window);
    pictures_take (GTK_WIDGET (window), guise, capture, "instants-all");
    gtk_toggle_button_set_active (all, FALSE);
  }
  pen_session_set_mark (window->session, NULL);
  pen_session_set_playhead (window->session, span.from);
  pictures_settle (window);
}

/* Of the window, or of a row. */
static void
take_menu (PenWindow *window, GtkPopover *menu, const Guise *guise, const char *capture,
           const char *view)
{
  /* It slides there. */
  app_support_run (300);
  pictures_take (GTK_WIDGET (menu), guise, capture, view);
  gtk_popover_popdown (menu);
  pictures_settle (window);
}

/* @list: of the page, with a menu for each row */
static void
take_row_menu (PenWindow *window, gpointer list, const Guise *guise, const char *capture,
               const char *page)
{
  g_autofree char *view = g_strconcat ("menu-", page, NULL);
  GtkSelectionModel *rows = GTK_IS_COLUMN_VIEW (list) ? gtk_column_view_get_model (list) : NULL;

  if (!pictures_is_wanted (guise, capture, view))
    return;
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", page);
  pictures_settle (window);
  if (rows && g_list_model_get_n_items (G_LIST_MODEL (rows)) > 0)
    gtk_selection_model_select_item (rows, 0, TRUE);
  pictures_settle (window);
  window_support_press (list, "Menu|<Shift>F10");
  take_menu (window, window_support_find_menu (list), guise, capture, view);
}

/* A narrow window has one menu for all. */
static void
take_header_menus (PenWindow *window, const Guise *guise, const char *capture)
{
  GtkMenuButton *const buttons[]
      = { window_support_find_type (window->open_button, GTK_TYPE_MENU_BUTTON),
          window->export_button, window_support_child (window, "main_button") };
  static const char *const views[] = { "menu-open", "menu-export", "menu-main" };

  for (gsize i = 0; i < G_N_ELEMENTS (buttons); i++) {
    if (!gtk_widget_get_mapped (GTK_WIDGET (buttons[i]))
        || !pictures_is_wanted (guise, capture, views[i]))
      continue;
    gtk_menu_button_popup (buttons[i]);
    take_menu (window, gtk_menu_button_get_popover (buttons[i]), guise, capture, views[i]);
  }
}

void
pictures_take_boxes (PenWindow *window, const Guise *guise, const char *capture)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "code");
  pictures_settle (window);
  take_found (window, guise, capture, "read", "find");
  take_found (window, guise, capture, TRACE, "trace");
  take_instants (window, guise, capture);
  take_row_menu (window, window_support_child (window->functions, "view"), guise, capture, "code");
  take_row_menu (window, window_support_child (window->causes, "view"), guise, capture, "causes");
  take_row_menu (window, window_support_child (window->occupants, "view"), guise, capture,
                 "occupants");
  take_header_menus (window, guise, capture);
}
