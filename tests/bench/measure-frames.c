/* measure-frames.c: what a frame of the timelines costs while one zooms and pans
 *
 * measure-frames STORE
 *
 * Needs a display. A line per case: its name; milliseconds of CPU that the window's thread took for
 * a frame: median and the longest of twenty; what that is over a frame of the same size that is
 * empty but redrawn; and the median of the whole process, the worker's answers included.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <adwaita.h>
#include <stdlib.h>
#include <time.h>

#include "pen-flame-view.h"
#include "pen-text-map.h"
#include "pen-timeline.h"

#define WIDTH 1600
#define HEIGHT 900
#define WARM_UP 20
#define FRAMES 160

typedef enum { STILL, ZOOM, PAN, ZOOM_ADDRESSES, SCROLL_STACKS } Motion;

typedef struct {
  GMainLoop *loop;
  PenSession *session;
  GtkWidget *widget;
  Motion motion;
  guint n;
  double last_thread;
  double last_process;
  double thread[FRAMES];
  double process[FRAMES];
} Run;

static double
get_clock (clockid_t id)
{
  struct timespec now;

  clock_gettime (id, &now);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1e6;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

/* ---- an empty frame ---- */

#define BENCH_TYPE_BLANK (bench_blank_get_type ())
G_DECLARE_FINAL_TYPE (BenchBlank, bench_blank, BENCH, BLANK, GtkWidget)

struct _BenchBlank {
  GtkWidget parent_instance;

  guint turn;
};

G_DEFINE_FINAL_TYPE (BenchBlank, bench_blank, GTK_TYPE_WIDGET)

/* Another colour each time: what stays the same would not be drawn. */
static void
bench_blank_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  BenchBlank *self = BENCH_BLANK (widget);
  GdkRGBA color = { (float) (self->turn++ % 7) / 7.f, 0.5f, 0.5f, 1 };

  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                  (float) gtk_widget_get_height (widget)));
}

static void
bench_blank_class_init (BenchBlankClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = bench_blank_snapshot;
}

static void
bench_blank_init (BenchBlank *self G_GNUC_UNUSED)
{
}

/* ---- motion ---- */

static void
move (Run *run)
{
  PenSpan span = pen_session_get_span (run->session);
  PenSpan visible = pen_session_get_view (run->session)->visible;
  guint64 middle = visible.from + pen_span_length (visible) / 3;
  gboolean in = run->n / 40 % 2 == 0;

  switch (run->motion) {
  case ZOOM:
    pen_session_set_visible (run->session,
                             pen_span_zoom (visible, middle, in ? 0.85 : 1 / 0.85, span));
    break;
  case PAN:
    pen_session_set_visible (run->session, pen_span_pan (visible, in ? 0.01 : -0.01, span));
    break;
  case ZOOM_ADDRESSES:
    gtk_widget_activate_action (run->widget, in ? "textmap.expand" : "textmap.contract", NULL);
    break;
  case SCROLL_STACKS: {
    GtkAdjustment *down = pen_flame_view_get_adjustment (PEN_FLAME_VIEW (run->widget));

    gtk_adjustment_set_value (down, gtk_adjustment_get_value (down) + (in ? -7 : 7));
    break;
  }
  case STILL:
  default:
    gtk_widget_queue_draw (run->widget);
    break;
  }
}

static gboolean
on_tick (GtkWidget *widget G_GNUC_UNUSED, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data)
{
  Run *run = data;
  double thread = get_clock (CLOCK_THREAD_CPUTIME_ID);
  double process = get_clock (CLOCK_PROCESS_CPUTIME_ID);

  if (run->n > WARM_UP) {
    run->thread[run->n - WARM_UP - 1] = thread - run->last_thread;
    run->process[run->n - WARM_UP - 1] = process - run->last_process;
  }
  if (run->n++ == WARM_UP + FRAMES) {
    g_main_loop_quit (run->loop);
    return G_SOURCE_REMOVE;
  }
  run->last_thread = thread;
  run->last_process = process;
  move (run);
  return G_SOURCE_CONTINUE;
}

static void
settle (PenSession *session)
{
  do {
    g_main_context_iteration (NULL, TRUE);
  } while (!pen_session_is_settled (session));
}

/* @widget: (transfer floating). Returns: the median of a frame. */
static double
measure (const char *name, PenSession *session, GtkWidget *widget, Motion motion, double empty)
{
  Run run = { .session = session, .widget = widget, .motion = motion };
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (window), widget);
  gtk_window_present (GTK_WINDOW (window));
  pen_session_set_visible (session, pen_session_get_span (session));
  settle (session);
  if (motion == PAN) {
    PenSpan span = pen_session_get_span (session);

    pen_session_set_visible (session, pen_span_zoom (span, span.from, 0.3, span));
    settle (session);
  }
  run.loop = g_main_loop_new (NULL, FALSE);
  gtk_widget_add_tick_callback (widget, on_tick, &run, NULL);
  g_main_loop_run (run.loop);
  g_main_loop_unref (run.loop);
  gtk_window_destroy (GTK_WINDOW (window));

  qsort (run.thread, FRAMES, sizeof *run.thread, compare);
  qsort (run.process, FRAMES, sizeof *run.process, compare);
  g_print ("%s\t%.2f\t%.2f\t%.2f\t%.2f\n", name, run.thread[FRAMES / 2],
           run.thread[FRAMES * 19 / 20], run.thread[FRAMES / 2] - empty, run.process[FRAMES / 2]);
  return run.thread[FRAMES / 2];
}

static GtkWidget *
new_timeline (PenSession *session)
{
  GtkWidget *timeline = g_object_new (PEN_TYPE_TIMELINE, NULL);

  pen_plot_view_set_session (PEN_PLOT_VIEW (timeline), session);
  return timeline;
}

static GtkWidget *
new_map (PenSession *session)
{
  GtkWidget *map = g_object_new (PEN_TYPE_TEXT_MAP, NULL);

  pen_plot_view_set_session (PEN_PLOT_VIEW (map), session);
  return map;
}

static GtkWidget *
new_flame (PenSession *session)
{
  GtkWidget *flame = g_object_new (PEN_TYPE_FLAME_VIEW, NULL);

  pen_flame_view_set_session (PEN_FLAME_VIEW (flame), session);
  pen_session_set_flame_width (session, WIDTH);
  pen_session_set_page (session, PEN_PAGE_CALLERS);
  return flame;
}

int
main (int argc, char **argv)
{
  g_autoptr (PenSession) session = NULL;
  double empty;

  if (argc != 2) {
    g_printerr ("usage: measure-frames STORE\n");
    return 2;
  }
  if (!gtk_init_check ()) {
    g_printerr ("measure-frames: there is no display\n");
    return 1;
  }
  adw_init ();
  session = pen_session_new ();
  pen_session_open (session, argv[1]);
  while (pen_session_get_state (session) == PEN_SESSION_IMPORTING)
    g_main_context_iteration (NULL, TRUE);
  if (pen_session_get_state (session) != PEN_SESSION_READY) {
    g_printerr ("measure-frames: %s: cannot be opened\n", argv[1]);
    return 1;
  }
  pen_session_set_overview_bins (session, WIDTH / 2);
  pen_session_set_page (session, PEN_PAGE_MAP);
  settle (session);

  empty = measure ("an empty frame", session, g_object_new (BENCH_TYPE_BLANK, NULL), STILL, 0);
  measure ("overview, zooming", session, new_timeline (session), ZOOM, empty);
  measure ("overview, panning", session, new_timeline (session), PAN, empty);
  measure ("text map, zooming time", session, new_map (session), ZOOM, empty);
  measure ("text map, zooming addresses", session, new_map (session), ZOOM_ADDRESSES, empty);
  measure ("text map, panning", session, new_map (session), PAN, empty);
  measure ("flame graph, scrolling", session, new_flame (session), SCROLL_STACKS, empty);
  measure ("flame graph, pointed at", session, new_flame (session), STILL, empty);
  return 0;
}
