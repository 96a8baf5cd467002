/* pen-plot-input.h: pointer and keys of a timeline, before it is known what they mean there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-span.h"

G_BEGIN_DECLS

/* What one turn of a wheel, or one press of a key, zooms and pans by. */
#define PEN_PLOT_ZOOM_STEP 0.8
#define PEN_PLOT_PAN_STEP 0.1
/* To the end, however far that is. */
#define PEN_PLOT_PAN_ALL 1e18

/*
 * What a timeline makes of it. Places are those of the widget, in logical pixels.
 * @hover: the pointer is elsewhere, or has left (pen_plot_input_is_hovered())
 * @scroll: notches, to the right and down: a touchpad's pixels are turned into such
 * @drag_begin: FALSE: there is nothing to drag there, and a click is somebody else's
 * @drag: while it goes on, from the first to the second place
 * @drag_end: @dragged: FALSE: it was a click at the first place
 * @pan: the middle button has moved it by so many pixels
 * @press: the @n_press-th of a row of clicks
 * @pinch_begin, @pinch: two fingers, @scale times as far from each other as when they began
 */
typedef struct {
  void (*hover) (GtkWidget *widget);
  void (*scroll) (GtkWidget *widget, double dx, double dy, GdkModifierType state);
  gboolean (*drag_begin) (GtkWidget *widget, double x, double y);
  void (*drag) (GtkWidget *widget, double x0, double y0, double x1, double y1);
  void (*drag_end) (GtkWidget *widget, gboolean dragged, double x0, double y0);
  void (*drag_cancel) (GtkWidget *widget);
  void (*pan) (GtkWidget *widget, double dx, double dy);
  void (*press) (GtkWidget *widget, int n_press, double x, double y);
  void (*pinch_begin) (GtkWidget *widget);
  void (*pinch) (GtkWidget *widget, double x, double y, double scale);
} PenPlotInputFuncs;

/*
 * PenPlotInput: part of its widget.
 * @hovered, @x, @y: where the pointer is
 */
typedef struct {
  GtkWidget *widget;
  const PenPlotInputFuncs *funcs;
  gboolean hovered;
  double x;
  double y;
  gboolean dragging;
  double drag_x;
  double drag_y;
  double pan_x;
  double pan_y;
} PenPlotInput;

/* Once, in the widget's instance init. */
void pen_plot_input_init (PenPlotInput *self, GtkWidget *widget, const PenPlotInputFuncs *funcs);

/* An action without a parameter, and keys for it. */
typedef struct {
  const char *name;
  GtkWidgetActionActivateFunc activate;
  guint keys[3];
} PenPlotAction;

void pen_plot_input_install_actions (GtkWidgetClass *widget_class, const PenPlotAction *actions,
                                     gsize n_actions);

/* Has the window ask for a note about @time (its action win.add-note-at). */
void pen_plot_input_add_note (GtkWidget *widget, guint64 time);

/* What a stretch becomes by one press of a key, or its reverse, about @anchor. */
double pen_plot_input_get_key_factor (gboolean in);

G_END_DECLS
