/* test-golden.c: whole pictures against those that were looked at and found good
 *
 * tests/draw/golden has them as PNG. They have no words in them, and are drawn without a toolkit:
 * each pixel is the same wherever this runs. With PENTIMENTO_GOLDEN=write the pictures are written
 * anew into the source tree: look at them before you commit them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <cairo.h>
#include <string.h>

#include "pen-flame.h"
#include "pen-heat-map.h"
#include "pen-lanes.h"
#include "pen-map.h"
#include "pen-palette.h"
#include "pen-store-pokes.h"
#include "pen-strip-sheet.h"

#define SECOND G_GUINT64_CONSTANT (1000000000)
#define KERNEL 0xffffffff81000000ull
#define PROGRAM 0xffffffffc0000000ull
#define N_BINS 200
#define N_ROWS 120

static cairo_surface_t *
wrap (PenRaster *raster)
{
  return cairo_image_surface_create_for_data ((guchar *) raster->pixels, CAIRO_FORMAT_RGB24,
                                              raster->width, raster->height, raster->width * 4);
}

static guint
count_differences (const PenRaster *raster, cairo_surface_t *golden)
{
  guint n = 0;

  cairo_surface_flush (golden);
  for (int y = 0; y < raster->height; y++) {
    const guchar *row = cairo_image_surface_get_data (golden)
                        + (gsize) y * (gsize) cairo_image_surface_get_stride (golden);

    for (int x = 0; x < raster->width; x++) {
      guint32 pixel;

      memcpy (&pixel, row + 4 * x, sizeof pixel);
      n += (pixel & 0xffffff) != (raster->pixels[(gsize) y * raster->width + x] & 0xffffff);
    }
  }
  return n;
}

static void
compare (PenRaster *raster, const char *name)
{
  g_autofree char *file = g_strdup_printf ("%s.png", name);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "draw", "golden", file, NULL);
  cairo_surface_t *drawn = wrap (raster);
  cairo_surface_t *golden;

  if (g_strcmp0 (g_getenv ("PENTIMENTO_GOLDEN"), "write") == 0)
    g_assert_cmpint (cairo_surface_write_to_png (drawn, path), ==, CAIRO_STATUS_SUCCESS);
  golden = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_surface_status (golden), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (golden), ==, raster->width);
  g_assert_cmpint (cairo_image_surface_get_height (golden), ==, raster->height);
  g_assert_cmpuint (count_differences (raster, golden), ==, 0);
  cairo_surface_destroy (golden);
  cairo_surface_destroy (drawn);
}

/* ---- what is drawn ---- */

/* The same numbers everywhere, with hills and holes. */
static guint
draw_number (guint i, guint kind)
{
  guint n = (i * 2654435761u) >> 25;

  return i % 50 < 4 ? 0 : (n % (7 + 5 * kind)) + (i % 67 < 20 ? 12 / (kind + 1) : 0);
}

static void
add_bar (GArray *bars, guint lane, PenKind kind, guint64 start, guint64 length, guint64 from,
         guint64 to)
{
  PenBar bar = { .lane = lane };

  bar.tenure.kind = kind;
  bar.tenure.name = bar.tenure.occupant = "one";
  bar.tenure.start = start;
  bar.tenure.end = start + length;
  bar.tenure.from = pen_moment (from, 0);
  bar.tenure.to = to == G_MAXUINT64 ? PEN_MOMENT_END : pen_moment (to, 0);
  g_array_append_val (bars, bar);
}

static PenOutline *
new_outline (void)
{
  GArray *bars = g_array_new (FALSE, TRUE, sizeof (PenBar));
  GArray *losses = g_array_new (FALSE, TRUE, sizeof (PenLoss));
  PenLoss lost = { .kind = PEN_LOSS_RECORDS, .from = 3 * SECOND, .to = 4 * SECOND, .count = 7 };
  PenLoss unwanted = { .kind = PEN_LOSS_UNWANTED, .from = 6 * SECOND, .to = 7 * SECOND };
  PenOutline *outline;

  for (guint i = 0; i < 5; i++)
    add_bar (bars, 0, PEN_KIND_BPF, PROGRAM, 300, (2 * i) * SECOND, (2 * i + 1 + i % 2) * SECOND);
  add_bar (bars, 1, PEN_KIND_STUB, PROGRAM + 0x8000, 4096, 2 * SECOND, G_MAXUINT64);
  add_bar (bars, 2, PEN_KIND_MODULE, PROGRAM + 0x100000, 0x8000, 0, 8 * SECOND);
  g_array_append_val (losses, lost);
  g_array_append_val (losses, unwanted);
  outline
      = pen_outline_new (NULL, bars, 3, losses, g_array_new (FALSE, TRUE, sizeof (PenPokeTick)));
  outline->causes = (1u << PEN_CAUSES) - 1;
  return outline;
}

static GArray *
new_patches (void)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (PenPatchMark));

  for (guint i = 0; i < 40; i++) {
    PenPatchMark mark = { .first = i * SECOND / 4 + SECOND / 9,
                          .count = i % 3 == 0 ? 1 : i * i,
                          .cause = i % PEN_CAUSES };

    g_array_append_val (marks, mark);
  }
  return marks;
}

static void
draw_overview (const char *name, int scale, gboolean dark, guint32 folded)
{
  g_autoptr (PenOutline) outline = new_outline ();
  g_autoptr (GArray) marks = new_patches ();
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (PenTaskTotal));
  g_autofree guint64 *samples = g_new0 (guint64, N_BINS * PEN_KINDS);
  g_autofree guint64 *counts = g_new0 (guint64, N_BINS * 2);
  g_autoptr (PenRaster) raster = pen_raster_new (600 * scale, 300 * scale);
  PenSpan view = { 0, 10 * SECOND };
  PenOverview overview = { .from = 0,
                           .to = 10 * SECOND,
                           .n_bins = N_BINS,
                           .samples = samples,
                           .max_in_bin = 60,
                           .marks = marks };
  PenTaskBins cpus = { .from = 0,
                       .to = 10 * SECOND,
                       .n_bins = N_BINS,
                       .rows = rows,
                       .counts = counts,
                       .max = 20,
                       .stride = 1 };
  PenLanesShape shape = { .outline = outline, .cpus = &cpus, .folded = folded, .em = 17 };
  PenLanes lanes;

  g_array_set_size (rows, 2);
  for (guint i = 0; i < N_BINS; i++) {
    for (guint kind = 0; kind < PEN_KINDS; kind++)
      samples[i * PEN_KINDS + kind] = draw_number (i, kind) / 2;
    counts[i] = draw_number (i, 0);
    counts[N_BINS + i] = draw_number (i + 1000, 2);
  }
  pen_lanes_layout (&lanes, &shape, 600, 300);
  pen_lanes_draw (&lanes, raster, scale, &overview, view, dark);
  compare (raster, name);
}

static void
test_overview (void)
{
  draw_overview ("overview-light", 1, FALSE, 0);
  draw_overview ("overview-dark-2x", 2, TRUE, 0);
  draw_overview ("overview-folded", 1, FALSE,
                 1u << PEN_LANE_PATCHES | 1u << PEN_LANE_PROGRAMS | 1u << PEN_LANE_CPUS);
}

static void
draw_map (const char *name, gboolean dark, guint n_marks)
{
  static const PenUsedRange used[] = {
    { KERNEL, KERNEL + 0x100000, PEN_KIND_KERNEL, "k" },
    { KERNEL + 0x400000, KERNEL + 0x400100, PEN_KIND_KERNEL, "k" },
    { PROGRAM, PROGRAM + 300, PEN_KIND_BPF, "one" },
    { PROGRAM + 0x8000, PROGRAM + 0x9000, PEN_KIND_STUB, "s" },
    { PROGRAM + 0x100000, PROGRAM + 0x108000, PEN_KIND_MODULE, "m" },
  };
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (PenUsedRange));
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (PenMapMark));
  g_autoptr (PenOutline) outline = new_outline ();
  g_autoptr (PenAddressAxis) axis = NULL;
  g_autofree guint64 *edges = NULL;
  g_autofree float *counts = g_new0 (float, N_ROWS *N_BINS);
  g_autofree guint8 *kinds = g_new0 (guint8, N_ROWS * N_BINS);
  g_autoptr (PenRaster) raster = pen_raster_new (600, 360);
  PenMapBins bins = { .from = 0,
                      .to = 10 * SECOND,
                      .n_columns = N_BINS,
                      .n_rows = N_ROWS,
                      .counts = counts,
                      .kinds = kinds,
                      .max = 30,
                      .marks = marks };
  PenMap map = { .outline = outline,
                 .bins = &bins,
                 .axis_view = { 0, 1 },
                 .view = { 0, 10 * SECOND },
                 .width = 600,
                 .height = 360 };

  g_array_append_vals (ranges, used, G_N_ELEMENTS (used));
  axis = pen_address_axis_new (NULL, ranges);
  edges = pen_address_axis_make_edges (axis, map.axis_view, N_ROWS);
  map.axis = axis;
  bins.edges = edges;
  for (guint i = 0; i < N_ROWS * N_BINS; i++) {
    guint n = draw_number (i, i / N_BINS % 3);

    counts[i] = i * 7919 % 11 < 3 ? (float) n : 0;
    kinds[i] = i / N_BINS < 80 ? PEN_KIND_KERNEL : PEN_KIND_BPF;
  }
  for (guint i = 0; i < n_marks; i++) {
    PenMapMark mark = { .first = (i * 7 % 97) * SECOND / 10,
                        .address = edges[i * 13 % N_ROWS],
                        .count = 1,
                        .cause = i % PEN_CAUSES };

    g_array_append_val (marks, mark);
  }
  pen_map_draw (&map, raster, 1, dark);
  compare (raster, name);
}

static void
test_map (void)
{
  draw_map ("map-light", FALSE, 60);
  draw_map ("map-dark-many", TRUE, 1500);
}

/* ---- strips of an annotation ---- */

static void
add_line (GPtrArray *lines, guint64 from, guint64 to, guint32 poke)
{
  PenAnnotationLine *line = g_new0 (PenAnnotationLine, 1);

  line->from = pen_moment (from, 0);
  line->to = to == G_MAXUINT64 ? PEN_MOMENT_END : pen_moment (to, 0);
  line->poke = poke;
  g_ptr_array_add (lines, line);
}

static PenStripCounts *
make_counts (guint n_lines)
{
  PenStripCounts *counts = pen_strip_counts_new (n_lines, N_BINS);
  PenCancelCheck never = { 0 };

  for (guint i = 0; i < n_lines * N_BINS; i++)
    if (i % N_BINS % 3 == 0)
      pen_strip_counts_add (counts, i / N_BINS, i % N_BINS, draw_number (i, 0));
  g_assert_true (pen_strip_counts_pack (counts, &never));
  counts->max = 20;
  return counts;
}

static void
test_strips (void)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) pokes = g_array_new (FALSE, TRUE, sizeof (PenPoke));
  g_autoptr (PenStripCounts) counts = make_counts (4);
  g_autoptr (PenRaster) raster = pen_raster_new (400, 100);
  PenAnnotated annotated = { .kind = PEN_KIND_KERNEL, .lines = lines, .pokes = pokes };
  PenStripSheet sheet = { .annotated = &annotated,
                          .span = { 0, 10 * SECOND },
                          .counted = { 0, 10 * SECOND },
                          .counts = counts };

  g_array_set_size (pokes, 2);
  for (guint i = 0; i < 2; i++) {
    g_array_index (pokes, PenPoke, i).id = i + 1;
    g_array_index (pokes, PenPoke, i).cause = i == 0 ? PEN_CAUSE_FTRACE : PEN_CAUSE_KPROBE;
  }
  add_line (lines, 0, 3 * SECOND, 0);
  add_line (lines, 3 * SECOND, 6 * SECOND, 1);
  add_line (lines, 6 * SECOND, G_MAXUINT64, 2);
  add_line (lines, 0, G_MAXUINT64, 0);
  pen_raster_fill (raster, (PenBox){ 0, 0, 400, 100 }, pen_palette_ground (FALSE));
  pen_strip_sheet_draw (&sheet, raster, (PenBox){ 0, 2, 400, 14 }, 1, 0, 3, FALSE);
  for (guint i = 0; i < 3; i++)
    pen_strip_sheet_draw (&sheet, raster, (PenBox){ 0, 20 + 18 * (int) i, 400, 14 }, 1, i, 1,
                          FALSE);
  pen_strip_sheet_draw (&sheet, raster, (PenBox){ 0, 78, 400, 14 }, 1, 3, 1, FALSE);
  compare (raster, "strips");
}

/* Stripes where a band is wide enough for them, a broken edge where samples are near and it is not,
 * a plain one where none is. */
static void
test_bands (void)
{
  const guint64 ms = SECOND / 1000;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) pokes = g_array_new (FALSE, TRUE, sizeof (PenPoke));
  g_autoptr (PenStripCounts) counts = make_counts (3);
  g_autoptr (PenRaster) raster = pen_raster_new (400, 60);
  PenBandCount bands[] = { { 0, 0 }, { 2, 1 }, { 0, 0 } };
  PenAnnotated annotated = { .kind = PEN_KIND_KERNEL, .lines = lines, .pokes = pokes };
  PenStripSheet sheet = { .annotated = &annotated, .counts = counts, .bands = bands };
  const PenSpan spans[] = { { 0, 40 * ms }, { 0, 10 * SECOND } };

  g_array_set_size (pokes, 2);
  for (guint i = 0; i < 2; i++) {
    g_array_index (pokes, PenPoke, i).id = i + 1;
    g_array_index (pokes, PenPoke, i).cause = i == 0 ? PEN_CAUSE_FTRACE : PEN_CAUSE_BPF;
  }
  pen_raster_fill (raster, (PenBox){ 0, 0, 400, 60 }, pen_palette_ground (FALSE));
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++) {
    guint64 unit = i == 0 ? 10 * ms : 3 * SECOND;

    g_ptr_array_set_size (lines, 0);
    add_line (lines, 0, unit, 0);
    add_line (lines, unit, 2 * unit, 1);
    add_line (lines, 2 * unit, 3 * unit, 2);
    sheet.span = sheet.counted = spans[i];
    pen_strip_sheet_draw (&sheet, raster, (PenBox){ 0, 2 + 28 * (int) i, 400, 24 }, 1, 0, 3, FALSE);
  }
  compare (raster, "bands");
}

/* ---- stacks ---- */

static void
add_frame (PenFlameTree *tree, guint parent, guint64 start, guint64 total)
{
  PenFlameNode node = { .parent = parent, .start = start, .group = PEN_STACK_NO_GROUP };
  guint index = tree->nodes->len;

  node.total.samples = node.own.samples = total;
  if (index > 0) {
    PenFlameNode *above = &g_array_index (tree->nodes, PenFlameNode, parent);

    node.group = 1 + (index * 7 + parent) % (tree->n_groups - 1);
    node.depth = above->depth + 1;
    if (above->n_children++ == 0)
      above->first_child = index;
    above->own.samples -= total;
  }
  g_array_append_val (tree->nodes, node);
}

/* Frames of all kinds, down to less than a pixel; some with versions, some with others left out. */
static void
draw_flame (const char *name, gboolean upwards, gboolean dark, guint root, const guint8 *matches)
{
  PenStackGroup groups[1 + 2 * PEN_KINDS] = { { NULL, "", PEN_KIND_UNKNOWN, G_MAXUINT32 } };
  g_autoptr (GArray) nodes = g_array_new (FALSE, TRUE, sizeof (PenFlameNode));
  g_autoptr (GArray) versions = g_array_new (FALSE, TRUE, sizeof (PenFlameVersion));
  PenFlameTree tree = {
    .groups = groups, .n_groups = G_N_ELEMENTS (groups), .nodes = nodes, .versions = versions
  };
  g_autoptr (PenRaster) raster = pen_raster_new (600, 260);
  g_autoptr (PenFlame) flame = NULL;
  PenFlameMarks marks = { matches };

  for (guint i = 1; i < G_N_ELEMENTS (groups); i++)
    groups[i].kind = i % PEN_KINDS;
  add_frame (&tree, PEN_FLAME_NONE, 0, 60000);
  for (guint parent = 0; parent < nodes->len && nodes->len < 900; parent++) {
    PenFlameNode node = g_array_index (nodes, PenFlameNode, parent);
    guint64 start = node.start, left = node.own.samples;

    for (guint i = 0; i < 6 && left > 40; i++) {
      guint64 total = MAX (left * (30 + draw_number (parent + i, i % 3)) / 90, 20);

      add_frame (&tree, parent, start, MIN (total, left));
      start += MIN (total, left);
      left -= MIN (total, left);
    }
    if (parent % 5 == 1 && left > 0) {
      PenFlameNode *above = &g_array_index (nodes, PenFlameNode, parent);

      above->left_out.samples = left / 2;
      above->own.samples = left - left / 2;
      above->n_left_out = 3;
    }
    if (parent % 4 == 2) {
      PenFlameNode *above = &g_array_index (nodes, PenFlameNode, parent);

      above->first_version = versions->len;
      above->n_versions = 2 + parent % 3;
      for (guint i = 0; i < above->n_versions; i++) {
        PenFlameVersion version
            = { .tenure = 1,
                .poke = i,
                .cause = (parent + i) % PEN_CAUSES,
                .count = { .samples = above->total.samples / above->n_versions } };

        g_array_append_val (versions, version);
      }
    }
  }
  flame = pen_flame_new (&tree, root, upwards, 600, 260, 17);
  pen_flame_draw (flame, &marks, raster, 1, 0, dark);
  compare (raster, name);
}

static void
test_flame (void)
{
  static const guint8 matches[1 + 2 * PEN_KINDS] = { 0, 1, 0, 0, 1, 0, 0, 0, 1 };

  draw_flame ("flame-light", TRUE, FALSE, 0, NULL);
  draw_flame ("flame-dark", FALSE, TRUE, 1, NULL);
  draw_flame ("flame-searched", FALSE, FALSE, 0, matches);
}

static void
test_heat (gconstpointer data)
{
  static const PenHeatTick ticks[] = { { 0, 3, 1, PEN_CAUSE_STATIC_KEY },
                                       { 0, 4, 2, PEN_CAUSE_FTRACE },
                                       { 7, 49, 1, PEN_CAUSE_BPF },
                                       { 19, 0, 1, PEN_CAUSE_KPROBE } };
  g_autofree guint64 *counts = g_new (guint64, 20 * PEN_HEAT_ROWS);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (PenHeatTick));
  PenHeat heat = { .from = 0,
                   .column = SECOND,
                   .n_columns = 20,
                   .n_rows = PEN_HEAT_ROWS,
                   .counts = counts,
                   .ticks = marks };
  g_autoptr (PenRaster) raster = pen_raster_new (205, 107);

  for (guint i = 0; i < 20 * PEN_HEAT_ROWS; i++) {
    counts[i] = draw_number (i, 1);
    heat.max = MAX (heat.max, counts[i]);
  }
  g_array_append_vals (marks, ticks, G_N_ELEMENTS (ticks));
  pen_heat_map_draw (&heat, raster, 1, data != NULL);
  compare (raster, data ? "heat-dark" : "heat-light");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/overview", test_overview);
  g_test_add_func ("/golden/map", test_map);
  g_test_add_func ("/golden/strips", test_strips);
  g_test_add_func ("/golden/bands", test_bands);
  g_test_add_func ("/golden/flame", test_flame);
  g_test_add_data_func ("/golden/heat/light", NULL, test_heat);
  g_test_add_data_func ("/golden/heat/dark", "dark", test_heat);
  return g_test_run ();
}
