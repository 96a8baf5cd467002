/* pen-window-tour.c: the recording that comes with the program, and a tour of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

#include "pen-example.h"
#include "pen-layout.h"
#include "pen-record-command.h"

/* Set once it was shown: it never comes back. */
#define SHOWN_KEY "tour.shown"

typedef enum {
  STOP_OVERVIEW,
  STOP_FUNCTIONS,
  STOP_ANNOTATION,
  STOP_HISTORY,
  STOP_VIEWS,
} TourStop;

/* In the header, or at the bottom of a narrow window. */
static GtkWidget *
get_views (PenWindow *self)
{
  GtkWidget *header = GTK_WIDGET (self->switcher);

  return gtk_widget_get_mapped (header) ? header : GTK_WIDGET (self->switcher_bar);
}

static void
on_step (PenWindow *self, guint at)
{
  static const PenCodePane panes[] = {
    [STOP_FUNCTIONS] = PEN_CODE_PANE_FUNCTIONS,
    [STOP_ANNOTATION] = PEN_CODE_PANE_ANNOTATION,
    [STOP_HISTORY] = PEN_CODE_PANE_HISTORY,
  };

  if (at == STOP_VIEWS)
    pen_tour_set_target (self->tour, at, get_views (self));
  if (at < STOP_FUNCTIONS || at > STOP_HISTORY)
    return;
  pen_session_set_page (self->session, PEN_PAGE_CODE);
  pen_window_fold_show_code_pane (self, panes[at]);
  if (at == STOP_HISTORY)
    pen_window_fold_set_history_visible (self, TRUE);
  pen_window_notify_panes (self);
}

/* Once there is something to point to. */
static void
start_when_shown (PenWindow *self)
{
  PenLayout *layout = pen_layout_get_default ();

  if (!self->wants_tour || !pen_session_is_settled (self->session)
      || g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "main") != 0)
    return;
  self->wants_tour = FALSE;
  if (pen_layout_get (layout, SHOWN_KEY))
    return;
  pen_layout_set (layout, SHOWN_KEY, "1");
  pen_tour_start (self->tour);
}

/* The targets move with the panes, and with what is hidden. */
static void
follow_targets (PenWindow *self)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (self->tour)))
    return;
  gtk_widget_queue_allocate (GTK_WIDGET (self->tour));
  gtk_widget_queue_draw (GTK_WIDGET (self->tour));
}

static void
on_state (PenWindow *self)
{
  PenSessionState state = pen_session_get_state (self->session);

  if (state != PEN_SESSION_READY)
    pen_tour_end (self->tour);
  /* What is opened next is another recording. */
  if (state == PEN_SESSION_EMPTY || state == PEN_SESSION_FAILED)
    self->wants_tour = FALSE;
}

static void
explore_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  g_autofree char *path = pen_example_dup_path ();

  pen_session_open (self->session, path);
  self->wants_tour = TRUE;
}

static void
copy_record_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action (widget, "win.copy-text", "s", pen_record_command_get ());
}

void
pen_window_install_tour (GtkWidgetClass *widget_class)
{
  g_type_ensure (PEN_TYPE_TOUR);
  gtk_widget_class_install_action (widget_class, "win.explore", NULL, explore_action);
  gtk_widget_class_install_action (widget_class, "win.copy-record-command", NULL,
                                   copy_record_command_action);
}

void
pen_window_init_tour (PenWindow *self)
{
  pen_tour_add (
      self->tour, GTK_WIDGET (self->timeline), _ ("Events over time"),
      _ ("Samples over time; below them each patch of the kernel's text, by its cause, "
         "and each program, from its load to its unload. Drag to select a time range, scroll to "
         "zoom."));
  pen_tour_add (self->tour, GTK_WIDGET (self->functions), _ ("Samples by function"),
                _ ("↯ is how often the text of a function changed. Choose a function to see its "
                   "code."));
  pen_tour_add (self->tour, GTK_WIDGET (self->annotation), _ ("Code as it was at each sample"),
                _ ("A line marked ↯ had several versions. Over Time shows when each was in "
                   "memory, and its samples. Open its row to compare them."));
  pen_tour_add (self->tour, GTK_WIDGET (self->history), _ ("Patches of one line"),
                _ ("The original, then each patch: when, by whom, why, and the samples of "
                   "each version."));
  pen_tour_add (
      self->tour, get_views (self), _ ("More views"),
      _ ("Callers, causes of patches, all occupants of an address. Ctrl+K finds a symbol, "
         "an address or a pasted oops; F1 is the manual. To see your own machine, "
         "record it:"));
  g_signal_connect_swapped (self->tour, "step", G_CALLBACK (on_step), self);
  g_signal_connect_swapped (self->session, "notify::busy", G_CALLBACK (start_when_shown), self);
  g_signal_connect_swapped (self->session, "notify::state", G_CALLBACK (on_state), self);
  g_signal_connect_swapped (self->session, "notify::page", G_CALLBACK (follow_targets), self);
  g_signal_connect_swapped (self->overview_paned, "notify::position", G_CALLBACK (follow_targets),
                            self);
  g_signal_connect_swapped (self->functions_paned, "notify::position", G_CALLBACK (follow_targets),
                            self);
  g_signal_connect_swapped (self->history_paned, "notify::position", G_CALLBACK (follow_targets),
                            self);
}
