/* test-map-drawing.c: the axis of addresses, and what is drawn of the text map
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-map.h"
#include "pen-palette.h"
#include "pen-store-pokes.h"

#include <math.h>
#include <string.h>

#define SECOND G_GUINT64_CONSTANT (1000000000)
#define KERNEL 0xffffffff81000000ull
#define PROGRAM 0xffffffffc0000000ull

static guint32
pixel (const PenRaster *raster, int x, int y)
{
  return raster->pixels[(gsize) y * raster->width + x];
}

static PenAddressAxis *
new_axis (void)
{
  static const PenUsedRange ranges[] = {
    { KERNEL, KERNEL + 0x100000, PEN_KIND_KERNEL, "[kernel.kallsyms]" },
    { KERNEL + 0x400000, KERNEL + 0x400100, PEN_KIND_KERNEL, "[kernel.kallsyms]" },
    { PROGRAM, PROGRAM + 200, PEN_KIND_BPF, "bpf_prog_0123456789abcdef_one" },
    { PROGRAM + 0x8000, PROGRAM + 0x9000, PEN_KIND_STUB, "ftrace_trampoline" },
  };
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (PenUsedRange));

  g_array_append_vals (all, ranges, G_N_ELEMENTS (ranges));
  return pen_address_axis_new (NULL, all);
}

/* ---- the axis ---- */

static void
test_axis_ends (void)
{
  g_autoptr (PenAddressAxis) axis = new_axis ();

  g_assert_cmpfloat (pen_address_axis_get_position (axis, 0), ==, 0);
  g_assert_cmpfloat (pen_address_axis_get_position (axis, KERNEL), ==, 0);
  g_assert_cmpfloat (pen_address_axis_get_position (axis, PROGRAM + 0x9000), ==, 1);
  g_assert_cmpfloat (pen_address_axis_get_position (axis, G_MAXUINT64), ==, 1);
  g_assert_cmphex (pen_address_axis_get_address (axis, 0), ==, KERNEL);
  g_assert_cmphex (pen_address_axis_get_address (axis, 1), ==, PROGRAM + 0x9000);
  g_assert_cmphex (pen_address_axis_get_address (axis, -7), ==, KERNEL);
  g_assert_cmphex (pen_address_axis_get_address (axis, NAN), >=, KERNEL);
}

/* It rises everywhere, and comes back to where it was. */
static void
test_axis_rises (void)
{
  g_autoptr (PenAddressAxis) axis = new_axis ();
  double before = -1;

  for (guint64 address = KERNEL; address < PROGRAM + 0x9000; address += 0x7531) {
    double position = pen_address_axis_get_position (axis, address);
    guint64 back = pen_address_axis_get_address (axis, position);
    guint64 distance = back > address ? back - address : address - back;

    g_assert_cmpfloat (position, >=, before);
    g_assert_cmpuint (distance, <, 0x20000);
    before = position;
  }
  for (guint64 address = PROGRAM; address < PROGRAM + 200; address++)
    g_assert_cmphex (
        pen_address_axis_get_address (axis, pen_address_axis_get_position (axis, address) + 1e-12),
        ==, address);
}

/* A program of 200 bytes beside a megabyte of kernel is to be seen; gaps are short. */
static void
test_axis_shares (void)
{
  g_autoptr (PenAddressAxis) axis = new_axis ();
  const PenAxisRange *ranges = &g_array_index (axis->ranges, PenAxisRange, 0);

  g_assert_cmpfloat (ranges[2].to - ranges[2].from, >, 0.01);
  g_assert_cmpfloat (ranges[0].to - ranges[0].from, >, 0.5);
  for (guint i = 1; i < axis->ranges->len; i++) {
    g_assert_cmpfloat (ranges[i].from - ranges[i - 1].to, >, 0);
    g_assert_cmpfloat (ranges[i].from - ranges[i - 1].to, <, 0.02);
  }
}

static void
test_axis_zoom (void)
{
  g_autoptr (PenAddressAxis) axis = new_axis ();
  PenAxisView view = { 0, 1 };
  double anchor = pen_address_axis_get_position (axis, PROGRAM + 100);
  g_autofree guint64 *edges = NULL;

  for (int i = 0; i < 300; i++)
    view = pen_address_axis_zoom (axis, view, anchor, 0.8);
  g_assert_cmpfloat (view.from, <=, anchor);
  g_assert_cmpfloat (view.to, >=, anchor);
  g_assert_cmpuint (pen_address_axis_get_address (axis, view.to)
                        - pen_address_axis_get_address (axis, view.from),
                    <, 100);
  edges = pen_address_axis_make_edges (axis, view, 50);
  for (guint i = 1; i <= 50; i++)
    g_assert_cmphex (edges[i], >=, edges[i - 1]);
  view = pen_axis_view_pan (view, -1e9);
  g_assert_cmpfloat (view.from, ==, 0);
  view = pen_axis_view_pan (view, 1e9);
  g_assert_cmpfloat_with_epsilon (view.to, 1, 1e-9);
  for (int i = 0; i < 300; i++)
    view = pen_address_axis_zoom (axis, view, 0.5, 1.5);
  g_assert_cmpfloat (view.from, ==, 0);
  g_assert_cmpfloat (view.to, ==, 1);
}

/* ---- the map ---- */

#define N_ROWS 200
#define N_COLUMNS 100

typedef struct {
  PenAddressAxis *axis;
  PenOutline *outline;
  PenMapBins bins;
  PenMap map;
  PenRaster *raster;
} Fixture;

static void
add_bar (GArray *bars, guint lane, PenKind kind, guint64 start, guint64 end, guint64 from,
         guint64 to)
{
  PenBar bar = { .lane = lane };

  bar.tenure.kind = kind;
  bar.tenure.name = bar.tenure.occupant = "bpf_prog_0123456789abcdef_one";
  bar.tenure.start = start;
  bar.tenure.end = end;
  bar.tenure.from = pen_moment (from, 0);
  bar.tenure.to = to == G_MAXUINT64 ? PEN_MOMENT_END : pen_moment (to, 0);
  g_array_append_val (bars, bar);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GArray *bars = g_array_new (FALSE, TRUE, sizeof (PenBar));
  PenMapMark mark = { .first = 5 * SECOND,
                      .last = 5 * SECOND,
                      .address = KERNEL + 0x80000,
                      .count = 1,
                      .cause = PEN_CAUSE_FTRACE };

  add_bar (bars, 0, PEN_KIND_BPF, PROGRAM, PROGRAM + 200, SECOND, 4 * SECOND);
  add_bar (bars, 0, PEN_KIND_BPF, PROGRAM, PROGRAM + 200, 6 * SECOND, G_MAXUINT64);
  add_bar (bars, 1, PEN_KIND_STUB, PROGRAM + 0x8000, PROGRAM + 0x9000, 0, G_MAXUINT64);
  fixture->axis = new_axis ();
  fixture->outline = pen_outline_new (NULL, bars, 2, g_array_new (FALSE, TRUE, sizeof (PenLoss)),
                                      g_array_new (FALSE, TRUE, sizeof (PenPokeTick)));
  fixture->bins = (PenMapBins){ .from = 0,
                                .to = 10 * SECOND,
                                .n_columns = N_COLUMNS,
                                .n_rows = N_ROWS,
                                .counts = g_new0 (float, N_ROWS *N_COLUMNS),
                                .kinds = g_new0 (guint8, N_ROWS * N_COLUMNS),
                                .max = 10 };
  fixture->bins.edges = pen_address_axis_make_edges (fixture->axis, (PenAxisView){ 0, 1 }, N_ROWS);
  fixture->bins.marks = g_array_new (FALSE, FALSE, sizeof (PenMapMark));
  fixture->bins.names = g_array_new (FALSE, FALSE, sizeof (PenMapName));
  g_array_append_val (fixture->bins.marks, mark);
  fixture->bins.counts[20 * N_COLUMNS + 30] = 10;
  fixture->bins.kinds[20 * N_COLUMNS + 30] = PEN_KIND_KERNEL;
  fixture->map = (PenMap){ .outline = fixture->outline,
                           .axis = fixture->axis,
                           .bins = &fixture->bins,
                           .axis_view = { 0, 1 },
                           .view = { 0, 10 * SECOND },
                           .width = 400,
                           .height = 400 };
  fixture->raster = pen_raster_new (400, 400);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  pen_raster_free (fixture->raster);
  g_array_unref (fixture->bins.marks);
  g_array_unref (fixture->bins.names);
  g_free (fixture->bins.edges);
  g_free (fixture->bins.counts);
  g_free (fixture->bins.kinds);
  pen_outline_free (fixture->outline);
  pen_address_axis_unref (fixture->axis);
}

static int
get_y (const Fixture *fixture, guint64 address)
{
  return (int) pen_map_get_y (&fixture->map, address);
}

static void
test_map_draw (Fixture *fixture, gconstpointer data)
{
  guint32 blue = pen_palette_kind (PEN_KIND_KERNEL, FALSE);
  int program;

  pen_map_draw (&fixture->map, fixture->raster, 1, FALSE);
  /* A cell is 4 × 2 pixels; one with the most samples has all of its colour. */
  g_assert_cmphex (pixel (fixture->raster, 121, 40), ==, blue);
  g_assert_cmphex (pixel (fixture->raster, 121, 41), ==, blue);
  g_assert_cmphex (pixel (fixture->raster, 117, 40), !=, blue);
  g_assert_cmphex (pixel (fixture->raster, 121, 44), !=, blue);
  /* A re-used range: two rectangles in two shades, and nothing between. */
  program = get_y (fixture, PROGRAM + 150);
  g_assert_cmphex (pixel (fixture->raster, 100, program), !=,
                   pixel (fixture->raster, 200, program));
  g_assert_cmphex (pixel (fixture->raster, 300, program), !=,
                   pixel (fixture->raster, 200, program));
  g_assert_cmphex (pixel (fixture->raster, 300, program), !=,
                   pixel (fixture->raster, 100, program));
  g_assert_cmphex (pixel (fixture->raster, 40, program), ==,
                   pen_palette_kind (PEN_KIND_BPF, FALSE));
  /* The badge of a patch. */
  g_assert_cmphex (pixel (fixture->raster, 197, get_y (fixture, KERNEL + 0x80000) - 4), ==,
                   pen_palette_cause (PEN_CAUSE_FTRACE, FALSE));
}

/* Zoomed in, before new cells have come: what is there is drawn larger, where it belongs. */
static void
test_map_stale (Fixture *fixture, gconstpointer data)
{
  guint32 blue = pen_palette_kind (PEN_KIND_KERNEL, FALSE);

  fixture->map.view = (PenSpan){ 2 * SECOND, 4 * SECOND };
  fixture->map.axis_view = (PenAxisView){ 0.05, 0.15 };
  pen_map_draw (&fixture->map, fixture->raster, 1, FALSE);
  for (int x = 202; x < 218; x++) {
    for (int y = 202; y < 218; y++)
      g_assert_cmphex (pixel (fixture->raster, x, y), ==, blue);
  }
  g_assert_cmphex (pixel (fixture->raster, 195, 210), !=, blue);
  g_assert_cmphex (pixel (fixture->raster, 225, 210), !=, blue);
}

/* With many of them there are only shapes, and no two causes have the same. */
static void
test_map_many_marks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_array_set_size (fixture->bins.marks, 0);
  for (guint i = 0; i < 3000; i++) {
    PenMapMark mark = { .first = (i % PEN_CAUSES + 1) * SECOND,
                        .address = KERNEL + 0x80000,
                        .count = 1,
                        .cause = i % PEN_CAUSES };

    g_array_append_val (fixture->bins.marks, mark);
  }
  pen_map_draw (&fixture->map, fixture->raster, 1, FALSE);
  for (guint cause = 0; cause < PEN_CAUSES; cause++) {
    GString *shape = g_string_new (NULL);
    int x = (int) (cause + 1) * 40;
    int y = get_y (fixture, KERNEL + 0x80000);

    for (int i = 0; i < 25; i++)
      g_string_append_c (shape, pixel (fixture->raster, x - 2 + i % 5, y - 2 + i / 5)
                                        == pen_palette_cause (cause, FALSE)
                                    ? '#'
                                    : '.');
    g_assert_nonnull (strchr (shape->str, '#'));
    g_assert_true (g_hash_table_add (seen, g_string_free (shape, FALSE)));
  }
}

static void
test_map_find (Fixture *fixture, gconstpointer data)
{
  PenClock clock = { .span = fixture->map.view };
  int program = get_y (fixture, PROGRAM + 100);
  int mark = get_y (fixture, KERNEL + 0x80000);
  const PenBar *bar = pen_map_find_bar (&fixture->map, 100, program);
  g_autofree char *here = NULL;
  g_autofree char *patch = NULL;
  g_autofree char *cell = NULL;

  g_assert_nonnull (bar);
  g_assert_cmpuint (bar->tenure.from.time, ==, SECOND);
  bar = pen_map_find_bar (&fixture->map, 300, program);
  g_assert_nonnull (bar);
  g_assert_cmpuint (bar->tenure.from.time, ==, 6 * SECOND);
  g_assert_null (pen_map_find_bar (&fixture->map, 200, program));
  g_assert_null (pen_map_find_bar (&fixture->map, 100, mark));
  g_assert_nonnull (pen_map_find_mark (&fixture->map, 203, mark + 3));
  g_assert_null (pen_map_find_mark (&fixture->map, 220, mark));

  here = pen_map_describe (&fixture->map, &clock, 100, program);
  g_assert_nonnull (strstr (here, "bpf_prog_0123456789abcdef_one (BPF)"));
  patch = pen_map_describe (&fixture->map, &clock, 200, mark);
  g_assert_true (g_str_has_prefix (patch, "Ftrace patch\nat 0xffffffff81080000, "));
  cell = pen_map_describe (&fixture->map, &clock, 121, 40);
  g_assert_nonnull (strstr (cell, "10 samples here"));
  g_assert_null (pen_map_describe (&fixture->map, &clock, -1, 10));
}

/* ---- words ---- */

typedef struct {
  PenPainter painter;
  double label_y; /* of a gap's label; -1: there was none */
  gboolean has_count;
} Words;

static void
note_nothing (PenPainter *self, guint32 color, double x, double y, double width, double height)
{
}

static double
note_text (PenPainter *self, const char *text, PenLook look, guint32 color, double x, double y,
           double width, double height, double align)
{
  Words *words = (Words *) self;

  if (g_str_has_prefix (text, "⋯") && words->label_y < 0)
    words->label_y = y + height / 2;
  words->has_count |= g_str_has_prefix (text, "×");
  return width;
}

static double
note_measure (PenPainter *self, const char *text, PenLook look)
{
  return 6.0 * (double) g_utf8_strlen (text, -1);
}

/* Returns: the middle of the first label of a gap */
static double
draw_words (Fixture *fixture, guint64 address, guint64 time, gboolean *has_count)
{
  PenPlot plot = { .width = 400, .height = 400, .em = PEN_EM };
  PenTheme theme = { 0 };
  Words words = { { PEN_EM, note_nothing, note_nothing, note_text, note_measure }, -1, FALSE };
  PenMapMark *mark = &g_array_index (fixture->bins.marks, PenMapMark, 0);

  mark->address = address;
  mark->first = mark->last = time;
  mark->count = 3;
  pen_map_draw_words (&fixture->map, &plot, &words.painter, &theme);
  *has_count = words.has_count;
  return words.label_y;
}

/* The count of a mark gives way to the size of a gap. */
static void
test_map_counts (Fixture *fixture, gconstpointer data)
{
  gboolean has_count;
  double label = draw_words (fixture, KERNEL + 0x80000, 9 * SECOND, &has_count);
  guint64 beside = KERNEL + 0x100000 - 1;

  g_assert_cmpfloat (label, >, 0);
  g_assert_true (has_count);
  g_assert_cmpint (ABS (get_y (fixture, beside) - (int) label), <, 12);
  draw_words (fixture, beside, 9 * SECOND, &has_count);
  g_assert_false (has_count);
  draw_words (fixture, beside, SECOND, &has_count);
  g_assert_true (has_count);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/axis/ends", test_axis_ends);
  g_test_add_func ("/axis/rises", test_axis_rises);
  g_test_add_func ("/axis/shares", test_axis_shares);
  g_test_add_func ("/axis/zoom", test_axis_zoom);
  g_test_add ("/map/draw", Fixture, NULL, set_up, test_map_draw, tear_down);
  g_test_add ("/map/stale", Fixture, NULL, set_up, test_map_stale, tear_down);
  g_test_add ("/map/many-marks", Fixture, NULL, set_up, test_map_many_marks, tear_down);
  g_test_add ("/map/counts", Fixture, NULL, set_up, test_map_counts, tear_down);
  g_test_add ("/map/find", Fixture, NULL, set_up, test_map_find, tear_down);
  return g_test_run ();
}
