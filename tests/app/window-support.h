/* window-support.h: using a window as a person would, for tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "app-support.h"

#include "pen-lanes.h"
#include "pen-slot.h"
#include "pen-window-private.h"

G_BEGIN_DECLS

/* Runs what @add_tests adds, with an application; skips all without a display. */
int window_support_main (int argc, char **argv, void (*add_tests) (void));

typedef gboolean (*WindowSupportMatch) (GtkWidget *widget, gpointer data);

/* 1280×800, on the screen. */
PenWindow *window_support_new_window (void);
/* tests/data/@name, until all is shown. */
PenWindow *window_support_open_window (const char *name);
/* The same, with what was looked at before. */
PenWindow *window_support_open_again (const char *name);
/* What was written for a test. */
PenWindow *window_support_open_path (const char *path);
/* A recording of the kernel without text patches. */
PenWindow *window_support_open_without_pokes (void);
/* @capture: a path: what the action win.explore opens */
void window_support_install_example (const char *capture);
/* Nothing keeps it alive. */
void window_support_close_window (PenWindow *window);
void window_support_activate (PenWindow *window, const char *action);
/* @page: as in pen_page_to_string(). Until it is there with its answers. */
void window_support_show_page (PenWindow *window, const char *page);
/* The first below @widget, or itself; NULL. */
GtkWidget *window_support_find_widget (GtkWidget *widget, WindowSupportMatch match, gpointer data);
/* The first of that type below @widget; there has to be one. */
gpointer window_support_find_type (gpointer widget, GType type);
/* The object of that id in the template of @widget's class; there has to be one. */
gpointer window_support_child (gpointer widget, const char *id);
/* Rows of the list "view" of a page, all of them: those out of sight are listed later otherwise. */
GListModel *window_support_list_all (gpointer page);
/* All labels below @widget that are visible in it, markup and all, each in a line. */
char *window_support_dup_labels (gpointer widget);
/* "empty", "import", "main" or "error" */
const char *window_support_get_page (PenWindow *window);
/* As the keys of that shortcut. */
void window_support_press (GtkWidget *widget, const char *trigger);
/* The menu that is open in the window of @widget. */
GtkPopover *window_support_find_menu (GtkWidget *widget);
/* The model of the menu that the menu key opens on @widget. */
GMenuModel *window_support_dup_menu (GtkWidget *widget);
/* The chips of the filter, each a button. (element-type GtkWidget) */
GPtrArray *window_support_list_chips (PenWindow *window);
/* Their texts, with " | " in between. */
char *window_support_dup_chips (PenWindow *window);
/* @data: guint *: how many more to pass over */
gboolean window_support_is_nth_card (GtkWidget *widget, gpointer data);
/* Of those for dragging and clicks, that of the primary button. */
GtkEventController *window_support_find_controller (GtkWidget *widget, GType type);
/* As the pointer would have it; NULL: none. */
const char *window_support_get_tooltip (GtkWidget *widget);
/* Selects a row of the list, as a click does. */
void window_support_select_function (PenWindow *window, const char *symbol);
PenSlot *window_support_dup_slot (PenWindow *window, guint position);
/* Position of the first slot with versions. */
guint window_support_find_patched (PenWindow *window);
void window_support_activate_row (PenWindow *window, guint position);
/* What a tooltip of the timeline says; NULL where there is none. */
char *window_support_dup_tooltip (PenWindow *window, guint64 time, PenLaneKind lane);
/* What was copied last. */
char *window_support_dup_clipboard (PenWindow *window);
/* The card of the first patch. */
char *window_support_dup_patch_text (PenWindow *window);

G_END_DECLS
