/* pen-plot-view.h: a picture over time: what overview and text map have in common
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-note-flags.h"
#include "pen-picture-widget.h"
#include "pen-raster.h"
#include "pen-session.h"
#include "pen-snapshot-painter.h"

G_BEGIN_DECLS

/* One turn of a wheel, or one press of a key, zooms and pans by this. */
#define PEN_PLOT_ZOOM_STEP 0.8
#define PEN_PLOT_PAN_STEP 0.1

#define PEN_TYPE_PLOT_VIEW (pen_plot_view_get_type ())
#define PEN_PLOT_VIEW(object)                                                                      \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), PEN_TYPE_PLOT_VIEW, PenPlotView))
#define PEN_PLOT_VIEW_GET_CLASS(object)                                                            \
  (G_TYPE_INSTANCE_GET_CLASS ((object), PEN_TYPE_PLOT_VIEW, PenPlotViewClass))
GType pen_plot_view_get_type (void);

/*
 * PenPlotView: shows the session's visible time from left to right, and moves it: the wheel zooms
 * at the pointer, Shift+wheel, sideways scrolling and the middle button pan, two fingers do both; a
 * drag selects, a click sets the playhead, or shows the note whose flag is there; Shift+click sets
 * the second instant.
 * @signals: of @session
 * @em: that it was laid out for
 * @picture: until something in it changes
 * @ruler_hidden: another picture has one just above
 * @brushing, @brush_x0 …: what is being selected, of the widget
 */
typedef struct {
  GtkWidget parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  PenSnapshotPainter *painter;
  double em;
  GskRenderNode *picture;
  gboolean ruler_hidden;
  PenPointer pointer;
  gboolean brushing;
  double brush_x0;
  double brush_y0;
  double brush_x1;
  double brush_y1;

  gboolean dragging;
  double drag_x;
  double drag_y;
  double pan_x;
  double pan_y;
  PenSpan pinched_span;
  PenAxisView pinched_axis;
} PenPlotView;

/*
 * PenPlotViewClass: places are those of the widget, in logical pixels
 * @has_addresses: downwards, and zoomed, panned and selected, too: the session's axis view; there
 * is nothing to be done before there is an axis
 *
 * @changed: the session is another one, or opens something else
 * @describe: to assistive technology: something else is visible
 * @draw: the picture, at the plot's place; @draw_under: over it, before the ruler; @draw_over: what
 * is selected and pointed at; @draw_last: (nullable): over all
 * @draw_nothing: (nullable): there is no picture
 * @hover: adds what is pointed at to its time
 * @tell: what the tooltip says there
 * @find_note: (nullable): one that has no flag at the ruler
 * @scroll: (nullable): FALSE: the wheel zooms there
 * @click: (nullable): FALSE: a click sets the playhead there
 * @press: the @n_press-th of a row of clicks; @release: (nullable): its end, unless it became a
 * drag
 */
typedef struct {
  GtkWidgetClass parent_class;

  gboolean has_addresses;

  void (*changed) (PenPlotView *self);
  void (*describe) (PenPlotView *self);
  void (*draw) (PenPlotView *self, const PenPlot *plot, PenRaster *raster, int scale,
                gboolean dark);
  void (*draw_under) (PenPlotView *self, const PenPlot *plot, PenPainter *painter,
                      const PenTheme *theme);
  void (*draw_over) (PenPlotView *self, const PenPlot *plot, PenPainter *painter,
                     const PenTheme *theme);
  void (*draw_last) (PenPlotView *self, const PenPlot *plot, PenPainter *painter,
                     const PenTheme *theme);
  void (*draw_nothing) (PenPlotView *self, const PenPlot *plot, PenPainter *painter,
                        const PenTheme *theme);
  void (*hover) (PenPlotView *self, const PenPlot *plot, PenHover *hover);
  char *(*tell) (PenPlotView *self, const PenPlot *plot, double x, double y);
  const PenNoteRow *(*find_note) (PenPlotView *self, const PenPlot *plot, double x, double y);
  gboolean (*scroll) (PenPlotView *self, const PenPlot *plot, double dy, GdkModifierType state);
  gboolean (*click) (PenPlotView *self, const PenPlot *plot, double x, double y);
  void (*press) (PenPlotView *self, const PenPlot *plot, int n_press, double x, double y);
  void (*release) (PenPlotView *self, const PenPlot *plot, int n_press, double x, double y);
} PenPlotViewClass;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPlotView, g_object_unref)

/* An action without a parameter, and keys for it. */
typedef struct {
  const char *name; /* after the prefix */
  GtkWidgetActionActivateFunc activate;
  guint keys[3];
} PenPlotAction;

/* Once, in the class init, after @has_addresses is set: the actions that all have, and @actions, as
 * "PREFIX.NAME". */
void pen_plot_view_class_install_actions (PenPlotViewClass *klass, const char *prefix,
                                          const PenPlotAction *actions, gsize n_actions);

void pen_plot_view_set_session (PenPlotView *self, PenSession *session);
void pen_plot_view_set_ruler_visible (PenPlotView *self, gboolean visible);
/* Where things are now. */
PenPlot pen_plot_view_get_plot (PenPlotView *self);
/* The picture has to be drawn anew. */
void pen_plot_view_invalidate (PenPlotView *self);
/* The tooltip at a point, or NULL. */
char *pen_plot_view_describe_point (PenPlotView *self, double x, double y);

G_END_DECLS
