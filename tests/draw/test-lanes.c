/* test-lanes.c: where the lanes of the overview lie, what is drawn in them, what is at a point
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <string.h>

#include "pen-batch-words.h"
#include "pen-lane-words.h"
#include "pen-palette.h"
#include "pen-store-pokes.h"

#define SECOND G_GUINT64_CONSTANT (1000000000)

static guint32
pixel (const PenRaster *raster, int x, int y)
{
  return raster->pixels[(gsize) y * raster->width + x];
}

/* ---- lanes ---- */

typedef struct {
  PenOutline *outline;
  GArray *bars;
  PenOverview overview;
  PenLanesShape shape;
  PenLanes lanes;
  PenSpan view;
} LaneFixture;

static void
add_bar (LaneFixture *fixture, guint lane, PenKind kind, guint64 from, guint64 to)
{
  PenBar bar = { .lane = lane };

  bar.tenure.kind = kind;
  bar.tenure.from = pen_moment (from, 0);
  bar.tenure.to = to == G_MAXUINT64 ? PEN_MOMENT_END : pen_moment (to, 0);
  g_array_append_val (fixture->bars, bar);
}

static void
add_mark (LaneFixture *fixture, guint64 time, PenCause cause)
{
  PenPatchMark mark = { .first = time, .last = time, .count = 1, .cause = cause };

  g_array_append_val (fixture->overview.marks, mark);
}

static void
set_up (LaneFixture *fixture, gconstpointer data)
{
  fixture->view = (PenSpan){ 0, 10 * SECOND };
  fixture->bars = g_array_new (FALSE, TRUE, sizeof (PenBar));
  fixture->overview.marks = g_array_new (FALSE, TRUE, sizeof (PenPatchMark));
  fixture->overview.from = fixture->view.from;
  fixture->overview.to = fixture->view.to;
  add_bar (fixture, 1, PEN_KIND_BPF, SECOND, 4 * SECOND);
  add_bar (fixture, 1, PEN_KIND_BPF, 5 * SECOND, G_MAXUINT64);
  add_bar (fixture, 2, PEN_KIND_MODULE, 0, G_MAXUINT64);
  add_mark (fixture, 2 * SECOND, PEN_CAUSE_FTRACE);
  add_mark (fixture, 3 * SECOND, PEN_CAUSE_KPROBE);
  fixture->outline
      = pen_outline_new (NULL, fixture->bars, 3, g_array_new (FALSE, TRUE, sizeof (PenLoss)),
                         g_array_new (FALSE, TRUE, sizeof (PenPokeTick)));
  fixture->outline->causes
      = 1u << PEN_CAUSE_UNKNOWN | 1u << PEN_CAUSE_FTRACE | 1u << PEN_CAUSE_KPROBE;
  fixture->shape = (PenLanesShape){ .outline = fixture->outline, .em = 17 };
  pen_lanes_layout (&fixture->lanes, &fixture->shape, 1000, 220);
}

static void
tear_down (LaneFixture *fixture, gconstpointer data)
{
  pen_outline_free (fixture->outline);
  g_array_unref (fixture->overview.marks);
}

static void
test_lanes_layout (LaneFixture *fixture, gconstpointer data)
{
  int bottom = 0;

  g_assert_cmpuint (fixture->lanes.n_causes, ==, 3);
  g_assert_cmpint (fixture->lanes.causes[0], ==, PEN_CAUSE_FTRACE);
  g_assert_cmpint (fixture->lanes.causes[2], ==, PEN_CAUSE_UNKNOWN);
  g_assert_cmpint (fixture->lanes.boxes[PEN_LANE_LOST].height, ==, 0);
  for (guint i = 0; i < PEN_LANES; i++) {
    const PenBox *box = &fixture->lanes.boxes[i];

    if (box->height == 0)
      continue;
    g_assert_cmpint (box->y, >=, bottom);
    bottom = box->y + box->height;
    g_assert_cmpint (pen_lanes_find_lane (&fixture->lanes, box->y), ==, i);
    g_assert_cmpint (pen_lanes_find_lane (&fixture->lanes, bottom - 1), ==, i);
  }
  g_assert_cmpint (bottom, <=, 220);
  g_assert_cmpint (pen_lanes_find_lane (&fixture->lanes, 10000), ==, PEN_LANES);
  g_assert_cmpint (pen_lanes_find_lane (&fixture->lanes, -1), ==, PEN_LANES);
}

/* Any number of rows in any height: nothing outside, nothing negative, all rows can be scrolled to.
 */
static void
test_lanes_any_size (LaneFixture *fixture, gconstpointer data)
{
  static const guint rows[] = { 0, 1, 7, 60, 5000, 1u << 30 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
    fixture->outline->n_lanes = rows[i];
    for (int height = 0; height < 600; height += 7) {
      guint visible;

      fixture->shape.first_row = G_MAXUINT;
      pen_lanes_layout (&fixture->lanes, &fixture->shape, 300, height);
      visible = pen_lanes_get_visible_rows (&fixture->lanes);
      for (guint k = 0; k < PEN_LANES; k++)
        g_assert_cmpint (fixture->lanes.boxes[k].height, >=, 0);
      g_assert_cmpuint (fixture->lanes.first_row + visible, <=, MAX (rows[i], 1));
      if (height >= pen_lanes_get_min_height (&fixture->shape) && rows[i] > 0)
        g_assert_cmpuint (fixture->lanes.first_row + visible, ==, rows[i]);
    }
  }
}

static void
test_lanes_find (LaneFixture *fixture, gconstpointer data)
{
  const PenBar *bar;
  const PenPatchMark *mark;
  PenBox row;

  g_assert_true (pen_lanes_get_row_box (&fixture->lanes, 1, &row));
  bar = pen_lanes_find_bar (&fixture->lanes, fixture->view, 200, row.y + 1);
  g_assert_true (bar == &g_array_index (fixture->outline->bars, PenBar, 0));
  bar = pen_lanes_find_bar (&fixture->lanes, fixture->view, 900, row.y + 1);
  g_assert_true (bar == &g_array_index (fixture->outline->bars, PenBar, 1));
  g_assert_null (pen_lanes_find_bar (&fixture->lanes, fixture->view, 450, row.y + 1));

  row = pen_lanes_get_cause_box (&fixture->lanes, 0);
  mark = pen_lanes_find_mark (&fixture->lanes, &fixture->overview, fixture->view, 202, row.y + 3);
  g_assert_nonnull (mark);
  g_assert_cmpint (mark->cause, ==, PEN_CAUSE_FTRACE);
  /* The other cause's patch is in another row. */
  g_assert_null (
      pen_lanes_find_mark (&fixture->lanes, &fixture->overview, fixture->view, 300, row.y + 3));
  g_assert_null (
      pen_lanes_find_mark (&fixture->lanes, &fixture->overview, fixture->view, 230, row.y + 3));
}

/* Re-used addresses: two bars in one row, in different shades. */
static void
test_lanes_draw (LaneFixture *fixture, gconstpointer data)
{
  g_autoptr (PenRaster) raster = pen_raster_new (2000, 440);
  guint32 ground = pen_palette_ground (FALSE);
  PenBox row, cause;

  pen_lanes_draw (&fixture->lanes, raster, 2, &fixture->overview, fixture->view, FALSE);
  g_assert_true (pen_lanes_get_row_box (&fixture->lanes, 1, &row));
  g_assert_cmphex (pixel (raster, 2 * 50, 2 * (row.y + 1)), ==, ground);
  g_assert_cmphex (pixel (raster, 2 * 200, 2 * (row.y + 1)), !=, ground);
  g_assert_cmphex (pixel (raster, 2 * 450, 2 * (row.y + 1)), ==, ground);
  g_assert_cmphex (pixel (raster, 2 * 700, 2 * (row.y + 1)), !=, ground);
  g_assert_cmphex (pixel (raster, 2 * 700, 2 * (row.y + 1)), !=,
                   pixel (raster, 2 * 200, 2 * (row.y + 1)));
  cause = pen_lanes_get_cause_box (&fixture->lanes, 1);
  g_assert_cmphex (pixel (raster, 2 * 300, 2 * cause.y), ==,
                   pen_palette_cause (PEN_CAUSE_KPROBE, FALSE));
}

/* A folded lane is one row, and what it had is still drawn. */
static void
test_folded (LaneFixture *fixture, gconstpointer data)
{
  g_autoptr (PenRaster) raster = pen_raster_new (1000, 220);
  int before = pen_lanes_get_min_height (&fixture->shape);
  PenBox box;

  fixture->shape.folded = 1u << PEN_LANE_PATCHES | 1u << PEN_LANE_PROGRAMS;
  g_assert_cmpint (pen_lanes_get_min_height (&fixture->shape), <, before);
  pen_lanes_layout (&fixture->lanes, &fixture->shape, 1000, 220);
  pen_lanes_draw (&fixture->lanes, raster, 1, &fixture->overview, fixture->view, FALSE);
  box = fixture->lanes.boxes[PEN_LANE_PATCHES];
  g_assert_cmphex (pixel (raster, 200, box.y + 2), ==, pen_palette_cause (PEN_CAUSE_FTRACE, FALSE));
  g_assert_cmphex (pixel (raster, 300, box.y + 2), ==, pen_palette_cause (PEN_CAUSE_KPROBE, FALSE));
  g_assert_nonnull (
      pen_lanes_find_mark (&fixture->lanes, &fixture->overview, fixture->view, 200, box.y + 2));
  g_assert_nonnull (
      pen_lanes_find_mark (&fixture->lanes, &fixture->overview, fixture->view, 300, box.y + 2));
  box = fixture->lanes.boxes[PEN_LANE_PROGRAMS];
  g_assert_cmphex (pixel (raster, 200, box.y + 2), !=, pen_palette_ground (FALSE));
  g_assert_null (pen_lanes_find_bar (&fixture->lanes, fixture->view, 200, box.y + 2));
}

static void
test_tasks (LaneFixture *fixture, gconstpointer data)
{
  static const PenTaskTotal rows[] = { { 0, NULL, 30 }, { 3, NULL, 1 } };
  static guint64 counts[] = { 20, 10, 0, 0, 0, 0, 0, 1 };
  g_autoptr (PenRaster) raster = pen_raster_new (1000, 260);
  PenTaskBins bins = { .from = fixture->view.from,
                       .to = fixture->view.to,
                       .n_bins = 4,
                       .counts = counts,
                       .max = 20,
                       .stride = 1 };
  PenPlot plot
      = pen_plot_new (1000 + PEN_PLOT_GUTTER, 282, PEN_PLOT_GUTTER, 17, FALSE, fixture->view);
  PenClock clock = { .span = fixture->view };
  g_autofree char *text = NULL;
  PenBox box;

  bins.rows = g_array_new (FALSE, FALSE, sizeof (PenTaskTotal));
  g_array_append_vals (bins.rows, rows, 2);
  fixture->shape.cpus = &bins;
  pen_lanes_layout (&fixture->lanes, &fixture->shape, 1000, 260);
  pen_lanes_draw (&fixture->lanes, raster, 1, &fixture->overview, fixture->view, FALSE);

  box = pen_lanes_get_task_box (&fixture->lanes, PEN_LANE_CPUS, 0);
  g_assert_cmphex (pixel (raster, 10, box.y), ==, pen_palette_kind (PEN_KIND_KERNEL, FALSE));
  g_assert_cmphex (pixel (raster, 600, box.y), ==, pen_palette_ground (FALSE));
  box = pen_lanes_get_task_box (&fixture->lanes, PEN_LANE_CPUS, 1);
  g_assert_cmphex (pixel (raster, 10, box.y + box.height - 2), ==, pen_palette_ground (FALSE));
  /* One sample beside twenty is to be seen. */
  g_assert_cmphex (pixel (raster, 900, box.y + box.height - 2), ==,
                   pen_palette_kind (PEN_KIND_KERNEL, FALSE));
  g_assert_cmpint (pen_lanes_find_task_row (&fixture->lanes, PEN_LANE_CPUS, box.y + 1), ==, 1);
  text = pen_lane_words_describe (&fixture->lanes, &plot, NULL, &clock, 900, box.y + 1);
  g_assert_true (g_str_has_prefix (text, "CPU 3"));
  g_array_unref (bins.rows);
}

/* A batch that took its time is a tick, and a line to where it ended. */
static void
test_batch_length (LaneFixture *fixture, gconstpointer data)
{
  g_autoptr (PenRaster) raster = pen_raster_new (1000, 220);
  PenBox box = pen_lanes_get_cause_box (&fixture->lanes, 0);
  guint32 color = pen_palette_cause (PEN_CAUSE_FTRACE, FALSE);

  g_array_index (fixture->overview.marks, PenPatchMark, 0).last = 3 * SECOND;
  pen_lanes_draw (&fixture->lanes, raster, 1, &fixture->overview, fixture->view, FALSE);
  g_assert_cmphex (pixel (raster, 290, box.y + box.height - 2), ==, color);
  g_assert_cmphex (pixel (raster, 290, box.y), !=, color);
  g_assert_cmphex (pixel (raster, 310, box.y + box.height - 2), !=, color);
}

/* One mark for many patches says so. */
static void
test_describe_marks (LaneFixture *fixture, gconstpointer data)
{
  PenPlot plot
      = pen_plot_new (1000 + PEN_PLOT_GUTTER, 242, PEN_PLOT_GUTTER, 17, FALSE, fixture->view);
  PenClock clock = { .span = fixture->view };
  PenBox box = pen_lanes_get_cause_box (&fixture->lanes, 0);
  g_autofree char *one = NULL;
  g_autofree char *many = NULL;

  one = pen_lane_words_describe (&fixture->lanes, &plot, &fixture->overview, &clock, 200, box.y);
  g_assert_true (g_str_has_prefix (one, "Ftrace patch\n"));
  g_array_index (fixture->overview.marks, PenPatchMark, 0).count = 37;
  g_array_index (fixture->overview.marks, PenPatchMark, 0).last += 2000000;
  many = pen_lane_words_describe (&fixture->lanes, &plot, &fixture->overview, &clock, 200, box.y);
  g_assert_true (g_str_has_prefix (many, "Ftrace: 37 patches within 2 ms\n"));
}

/* A batch says what was done, where and by whom; a part of it, how much of it that is. */
static void
test_describe_batches (LaneFixture *fixture, gconstpointer data)
{
  PenBatch batch = { .id = 1,
                     .from = 0,
                     .to = 800000,
                     .cause = PEN_CAUSE_STATIC_KEY,
                     .n_sites = 141,
                     .key = "sched_schedstats",
                     .action = PEN_ACTION_ON,
                     .tid = 126,
                     .comm = "sh" };
  PenPlot plot
      = pen_plot_new (1000 + PEN_PLOT_GUTTER, 242, PEN_PLOT_GUTTER, 17, FALSE, fixture->view);
  PenClock clock = { .span = fixture->view };
  PenBox box = pen_lanes_get_cause_box (&fixture->lanes, 0);
  PenPatchMark *mark = &g_array_index (fixture->overview.marks, PenPatchMark, 0);
  g_autofree char *label = pen_batch_words_label (&batch, "wake_up", 141);
  g_autofree char *nameless = pen_batch_words_label (NULL, "wake_up", 141);
  g_autofree char *one = pen_batch_words_label (&batch, "wake_up", 1);
  g_autofree char *all = NULL;
  g_autofree char *part = NULL;

  fixture->outline->batches = &batch;
  fixture->outline->n_batches = 1;
  mark->batch = 1;
  mark->count = 141;
  mark->symbol = "wake_up";
  mark->offset = 0x21;
  all = pen_lane_words_describe (&fixture->lanes, &plot, &fixture->overview, &clock, 200, box.y);
  g_assert_true (g_str_has_prefix (all, "Static key sched_schedstats: 141 sites in 800 µs by sh "
                                        "[126]\nThe static key sched_schedstats was switched on at "
                                        "141 sites: 141 jumps became nops.\nfrom "));
  g_assert_nonnull (strstr (all, "\nthe first at wake_up+0x21, 0x"));
  mark->count = 1;
  part = pen_lane_words_describe (&fixture->lanes, &plot, &fixture->overview, &clock, 200, box.y);
  g_assert_nonnull (strstr (part, " by sh [126]\n1 of them here\nThe static key"));
  g_assert_cmpstr (label, ==, "sched_schedstats ×141");
  g_assert_cmpstr (nameless, ==, "×141");
  g_assert_cmpstr (one, ==, "wake_up");
  fixture->outline->batches = NULL;
  fixture->outline->n_batches = 0;
}

/* 72 pixels with the ruler: samples, and all causes in one row. */
static void
test_compact (LaneFixture *fixture, gconstpointer data)
{
  PenPlot plot
      = pen_plot_new (1000 + PEN_PLOT_GUTTER, 72, PEN_PLOT_GUTTER, 17, FALSE, fixture->view);
  PenClock clock = { .span = fixture->view };
  PenLoss loss = { .kind = PEN_LOSS_RECORDS, .from = SECOND, .to = 2 * SECOND, .count = 5 };
  g_autofree char *lost = NULL;
  const PenLanes *lanes = &fixture->lanes;

  g_array_append_val (fixture->outline->losses, loss);
  fixture->shape.compact = TRUE;
  g_assert_cmpint (pen_plot_get_ruler (17) + pen_lanes_get_min_height (&fixture->shape), ==, 72);
  g_assert_cmpint (pen_lanes_get_extra_height (&fixture->shape), ==, 0);
  pen_lanes_layout (&fixture->lanes, &fixture->shape, plot.width, plot.height);
  for (guint i = 0; i < PEN_LANES; i++)
    g_assert_true ((lanes->boxes[i].height > 0)
                   == (i == PEN_LANE_SAMPLES || i == PEN_LANE_PATCHES));
  g_assert_cmpint (lanes->boxes[PEN_LANE_SAMPLES].height, >=, 30);
  g_assert_cmpint (lanes->boxes[PEN_LANE_PATCHES].y + lanes->boxes[PEN_LANE_PATCHES].height, ==,
                   50);
  /* Marks of any cause are found in the one row. */
  g_assert_nonnull (pen_lanes_find_mark (lanes, &fixture->overview, fixture->view, 200,
                                         lanes->boxes[PEN_LANE_PATCHES].y + 1));
  g_assert_nonnull (pen_lanes_find_mark (lanes, &fixture->overview, fixture->view, 300,
                                         lanes->boxes[PEN_LANE_PATCHES].y + 1));
  lost = pen_lane_words_describe (lanes, &plot, NULL, &clock, 150, 5);
  g_assert_nonnull (lost);
  g_array_set_size (fixture->outline->losses, 0);
}

/* Where rows have to be scrolled, those in sight are high enough for names. */
static void
test_named_rows (LaneFixture *fixture, gconstpointer data)
{
  PenBox box;

  fixture->outline->n_lanes = 200;
  pen_lanes_layout (&fixture->lanes, &fixture->shape, 1000, 260);
  g_assert_cmpuint (pen_lanes_get_visible_rows (&fixture->lanes), <, 200);
  g_assert_true (pen_lanes_get_row_box (&fixture->lanes, 0, &box));
  g_assert_cmpint (fixture->lanes.row_heights[PEN_LANE_PROGRAMS], >=, 12);
  /* Few enough to be all in sight are. */
  fixture->outline->n_lanes = 10;
  pen_lanes_layout (&fixture->lanes, &fixture->shape, 1000, 260);
  g_assert_cmpuint (pen_lanes_get_visible_rows (&fixture->lanes), ==, 10);
}

static double
get_luminance (guint32 color)
{
  double sum = 0;

  for (guint i = 0; i < 3; i++) {
    static const double weights[] = { 0.0722, 0.7152, 0.2126 };
    double part = (color >> 8 * i & 0xff) / 255.0;

    sum += weights[i] * (part <= 0.03928 ? part / 12.92 : pow ((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

/* Names can be read on bars of all kinds, in both shades, in both themes (WCAG: 4.5). */
static void
test_bar_contrast (void)
{
  for (int dark = 0; dark < 2; dark++) {
    PenTheme theme = pen_theme_new (dark, FALSE);
    double text = get_luminance (theme.text);

    for (guint kind = 0; kind < PEN_KINDS; kind++) {
      for (int other = 0; other < 2; other++) {
        double bar = get_luminance (pen_palette_bar (kind, other, dark));
        double contrast = (MAX (text, bar) + 0.05) / (MIN (text, bar) + 0.05);

        g_assert_cmpfloat (contrast, >=, 4.5);
      }
    }
  }
}

static void
test_ticks_by_address (void)
{
  GArray *ticks = g_array_new (FALSE, TRUE, sizeof (PenPokeTick));
  static const guint64 addresses[] = { 50, 10, 30, 30, 20 };
  g_autoptr (PenOutline) outline = NULL;
  const guint *found;
  guint n;

  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++) {
    PenPokeTick tick = { .time = i, .address = addresses[i] };

    g_array_append_val (ticks, tick);
  }
  outline = pen_outline_new (NULL, g_array_new (FALSE, TRUE, sizeof (PenBar)), 0,
                             g_array_new (FALSE, TRUE, sizeof (PenLoss)), ticks);
  found = pen_outline_find_ticks_in (outline, 20, 31, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (found[0], ==, 4);
  found = pen_outline_find_ticks_in (outline, 50, 51, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (found[0], ==, 0);
  pen_outline_find_ticks_in (outline, 51, G_MAXUINT64, &n);
  g_assert_cmpuint (n, ==, 0);
  pen_outline_find_ticks_in (outline, 0, 10, &n);
  g_assert_cmpuint (n, ==, 0);
}

static guint
count_lanes (const PenOutline *outline, guint64 from, guint64 to, guint *first)
{
  g_autoptr (GArray) lanes = pen_outline_find_lanes (outline, from, to);

  *first = lanes->len > 0 ? g_array_index (lanes, guint, 0) : G_MAXUINT;
  return lanes->len;
}

/* A long lane in front of short ones is found behind them, too. */
static void
test_lanes_by_address (void)
{
  static const guint64 starts[] = { 300, 100, 200, 400 };
  static const guint64 ends[] = { 310, 350, 210, 410 };
  GArray *bars = g_array_new (FALSE, TRUE, sizeof (PenBar));
  g_autoptr (PenOutline) outline = NULL;
  guint first;

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++) {
    PenBar bar = { .lane = i };

    bar.tenure.start = starts[i];
    bar.tenure.end = ends[i];
    g_array_append_val (bars, bar);
  }
  outline = pen_outline_new (NULL, bars, G_N_ELEMENTS (starts),
                             g_array_new (FALSE, TRUE, sizeof (PenLoss)),
                             g_array_new (FALSE, TRUE, sizeof (PenPokeTick)));
  g_assert_cmpuint (count_lanes (outline, 0, 1000, &first), ==, 4);
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (count_lanes (outline, 305, 306, &first), ==, 2);
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (count_lanes (outline, 340, 341, &first), ==, 1);
  g_assert_cmpuint (first, ==, 1);
  g_assert_cmpuint (count_lanes (outline, 350, 400, &first), ==, 0);
  g_assert_cmpuint (count_lanes (outline, 0, 100, &first), ==, 0);
  g_assert_cmpuint (count_lanes (outline, 409, G_MAXUINT64, &first), ==, 1);
  g_assert_cmpuint (first, ==, 3);
}

/* Text from right to left moves the names to the other side; time goes on to the right. */
static void
test_right_to_left (void)
{
  PenSpan view = { 0, 1000 };
  PenPlot ltr = pen_plot_new (500, 100, 90, 17, FALSE, view);
  PenPlot rtl = pen_plot_new (500, 100, 90, 17, TRUE, view);
  PenPlot large = pen_plot_new (600, 100, 90, 34, FALSE, view);
  PenPlot narrow = pen_plot_new (400, 100, 90, 34, FALSE, view);

  g_assert_cmpint (ltr.x, ==, 90);
  g_assert_cmpint (rtl.x, ==, 0);
  g_assert_cmpint (rtl.gutter_x, ==, 410);
  g_assert_true (pen_plot_is_in_gutter (&rtl, 450));
  g_assert_false (pen_plot_is_in_gutter (&rtl, 50));
  g_assert_cmpfloat (pen_plot_get_x (&rtl, 250), <, pen_plot_get_x (&rtl, 750));
  g_assert_cmpint (large.x, ==, 180);
  g_assert_cmpint (large.y, ==, 2 * ltr.y);
  g_assert_cmpint (narrow.x, ==, 120);
}

#define LETTER_WIDTH 7.0
#define WORDS_MAX 40

typedef struct {
  PenPainter painter;
  double left[WORDS_MAX];
  double right[WORDS_MAX];
  guint n;
  guint n_letters;
} RulerWords;

static void
note_nothing (PenPainter *self, guint32 color, double x, double y, double width, double height)
{
}

static double
measure (PenPainter *self, const char *text, PenLook look)
{
  return LETTER_WIDTH * (double) g_utf8_strlen (text, -1);
}

static double
note_text (PenPainter *self, const char *text, PenLook look, guint32 color, double x, double y,
           double width, double height, double align)
{
  RulerWords *words = (RulerWords *) self;
  double taken = align > 0 ? width : MIN (measure (self, text, look), width);

  g_assert_cmpuint (words->n, <, WORDS_MAX);
  words->left[words->n] = x;
  words->right[words->n++] = x + taken;
  words->n_letters += g_str_equal (text, "A") || g_str_equal (text, "B");
  return taken;
}

/* Of letters and times of the ruler, none lies over another. @n_times: counts these. Returns: how
 * many letters there are */
static guint
check_ruler (guint64 first, guint64 second, guint *n_times)
{
  RulerWords words = { .painter = { PEN_EM, note_nothing, note_nothing, note_text, measure } };
  PenPlot plot = pen_plot_new (500, 100, 90, PEN_EM, FALSE, (PenSpan){ 0, 10 * SECOND });
  PenClock clock = { .span = plot.view };
  PenTheme theme = { 0 };

  plot.has_marks = TRUE;
  plot.marks[0] = first;
  plot.marks[1] = second;
  pen_plot_draw_ruler (&plot, &words.painter, &theme, &clock);
  *n_times += words.n;
  pen_plot_draw_marks (&plot, &words.painter, &theme, "A", "B");
  for (guint i = 0; i < words.n; i++) {
    g_assert_cmpfloat (words.left[i], >=, plot.x);
    g_assert_cmpfloat (words.right[i], <=, plot.x + plot.width);
    for (guint j = 0; j < i; j++)
      g_assert_true (words.right[i] <= words.left[j] || words.right[j] <= words.left[i]);
  }
  return words.n_letters;
}

/* Two instants anywhere in a ruler, at one place, too. */
static void
test_letters (void)
{
  guint n_times = 0;
  guint n = 0;

  for (guint64 first = 0; first <= 10 * SECOND; first += SECOND / 4) {
    for (guint64 second = 0; second <= 10 * SECOND; second += SECOND / 8, n++)
      g_assert_cmpuint (check_ruler (first, second, &n_times), ==, 2);
  }
  g_assert_cmpuint (n_times, >, n);
  g_assert_cmpuint (check_ruler (SECOND, 11 * SECOND, &n_times), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/lanes/layout", LaneFixture, NULL, set_up, test_lanes_layout, tear_down);
  g_test_add ("/lanes/any-size", LaneFixture, NULL, set_up, test_lanes_any_size, tear_down);
  g_test_add ("/lanes/find", LaneFixture, NULL, set_up, test_lanes_find, tear_down);
  g_test_add ("/lanes/draw", LaneFixture, NULL, set_up, test_lanes_draw, tear_down);
  g_test_add ("/lanes/folded", LaneFixture, NULL, set_up, test_folded, tear_down);
  g_test_add ("/lanes/tasks", LaneFixture, NULL, set_up, test_tasks, tear_down);
  g_test_add ("/lanes/batch-length", LaneFixture, NULL, set_up, test_batch_length, tear_down);
  g_test_add ("/lanes/marks", LaneFixture, NULL, set_up, test_describe_marks, tear_down);
  g_test_add ("/lanes/batches", LaneFixture, NULL, set_up, test_describe_batches, tear_down);
  g_test_add ("/lanes/compact", LaneFixture, NULL, set_up, test_compact, tear_down);
  g_test_add ("/lanes/named-rows", LaneFixture, NULL, set_up, test_named_rows, tear_down);
  g_test_add_func ("/lanes/bar-contrast", test_bar_contrast);
  g_test_add_func ("/outline/ticks-by-address", test_ticks_by_address);
  g_test_add_func ("/outline/lanes-by-address", test_lanes_by_address);
  g_test_add_func ("/plot/right-to-left", test_right_to_left);
  g_test_add_func ("/plot/letters", test_letters);
  return g_test_run ();
}
