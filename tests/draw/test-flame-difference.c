/* test-flame-difference.c: colours and words of stacks before and after
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-difference.h"

#include <math.h>
#include <string.h>

#include "pen-flame.h"
#include "pen-palette.h"
#include "pen-raster.h"

#define WIDTH 400
#define SEEN 100

static const PenStackGroup groups[] = {
  { NULL, "", PEN_KIND_UNKNOWN, G_MAXUINT32 },
  { "less", "[kernel.kallsyms]", PEN_KIND_KERNEL, 1 },
  { "more", "[kernel.kallsyms]", PEN_KIND_KERNEL, 2 },
  { "alike", "[kernel.kallsyms]", PEN_KIND_KERNEL, 3 },
  { "vanished", "[kernel.kallsyms]", PEN_KIND_KERNEL, 4 },
};

static const guint64 counts[][2]
    = { { 500, 500 }, { 174, 35 }, { 26, 365 }, { 100, 100 }, { 200, 0 } };

typedef struct {
  PenFlameTree tree;
  PenFlameDiff diff;
  PenFlameDifference nodes[G_N_ELEMENTS (counts)];
} Example;

/* A second before, and one after; the root, and a child of each group but the first. */
static Example *
new_example (void)
{
  Example *self = g_new0 (Example, 1);
  PenFlameTree *tree = &self->tree;
  guint64 start = 0;

  tree->measure = PEN_STACK_BOTH;
  tree->groups = groups;
  tree->n_groups = G_N_ELEMENTS (groups);
  tree->nodes = g_array_new (FALSE, TRUE, sizeof (PenFlameNode));
  tree->n_levels = 1;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    PenFlameNode node = { .group = i, .start = start, .depth = 1, .first_child = 0 };

    node.total = node.own = (PenStackCount){ .samples = counts[i][0], .after = counts[i][1] };
    if (i == 0) {
      node = (PenFlameNode){ .parent = PEN_FLAME_NONE,
                             .group = PEN_STACK_NO_GROUP,
                             .first_child = 1,
                             .n_children = G_N_ELEMENTS (counts) - 1,
                             .total = node.total };
    } else {
      start += counts[i][0] + counts[i][1];
    }
    g_array_append_val (tree->nodes, node);
    self->nodes[i].rates[0] = (double) counts[i][0];
    self->nodes[i].rates[1] = (double) counts[i][1];
    self->nodes[i].test
        = pen_poisson_compare_at (counts[i][0], 1, counts[i][1], 1, PEN_POISSON_ALPHA);
    self->nodes[i].verdict = self->nodes[i].test.p >= PEN_POISSON_ALPHA ? PEN_VERDICT_ALIKE
                             : counts[i][1] > counts[i][0]              ? PEN_VERDICT_MORE
                                                                        : PEN_VERDICT_LESS;
  }
  self->diff
      = (PenFlameDiff){ .tree = tree,
                        .nodes = self->nodes,
                        .windows = { { 5601000000, 6576000000 }, { 6578000000, 7553000000 } },
                        .seconds = { 1, 1 },
                        .alpha = PEN_POISSON_ALPHA };
  return self;
}

static void
free_example (Example *self)
{
  g_array_unref (self->tree.nodes);
  g_free (self);
}

static guint32
get_pixel (const PenRaster *raster, int x, int y)
{
  return raster->pixels[y * raster->width + x] | 0xff000000u;
}

/* Of the ground, by WCAG 2.1. */
static double
get_luminance (guint32 color)
{
  double sum = 0;

  for (guint i = 0; i < 3; i++) {
    static const double parts[] = { 0.0722, 0.7152, 0.2126 };
    double value = (color >> (8 * i) & 0xff) / 255.0;

    sum += parts[i] * (value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4));
  }
  return sum;
}

static double
get_contrast (guint32 a, guint32 b)
{
  double light = MAX (get_luminance (a), get_luminance (b));
  double dark = MIN (get_luminance (a), get_luminance (b));

  return (light + 0.05) / (dark + 0.05);
}

static void
test_contrast (void)
{
  for (guint dark = 0; dark < 2; dark++) {
    for (guint i = 0; i < PEN_VERDICTS; i++)
      g_assert_cmpfloat (
          get_contrast (pen_flame_difference_get_color (i, dark), pen_palette_ground (dark)), >=,
          3);
  }
}

/* Grey unless they part; stronger with the ratio; one side alone is outlined. */
static void
test_colors (void)
{
  Example *example = new_example ();
  g_autoptr (PenFlame) flame = pen_flame_new (&example->tree, 0, FALSE, WIDTH, SEEN, PEN_EM);
  g_autoptr (PenRaster) raster = pen_raster_new (WIDTH, SEEN);
  PenFlameMarks marks = { NULL };
  guint32 ground = pen_palette_ground (FALSE);

  flame->diff = &example->diff;
  pen_flame_draw (flame, &marks, raster, 1, 0, FALSE);
  for (guint i = 1; i < G_N_ELEMENTS (counts); i++) {
    guint32 color = pen_flame_difference_get_color (example->nodes[i].verdict, FALSE);
    guint32 expected
        = pen_raster_blend (color, ground, pen_flame_difference_get_strength (&example->diff, i));
    PenBox box;

    g_assert_true (pen_flame_get_box (flame, i, &box));
    if (pen_flame_difference_is_one_sided (&example->diff, i))
      g_assert_cmphex (get_pixel (raster, box.x, box.y + 5), ==, color);
    else
      g_assert_cmphex (get_pixel (raster, box.x + 5, box.y + 5), ==, expected | 0xff000000u);
  }
  g_assert_cmpint (example->nodes[3].verdict, ==, PEN_VERDICT_ALIKE);
  g_assert_cmpfloat (pen_flame_difference_get_strength (&example->diff, 2), >,
                     pen_flame_difference_get_strength (&example->diff, 1));
  g_assert_cmpfloat (pen_flame_difference_get_strength (&example->diff, 1), >,
                     pen_flame_difference_get_strength (&example->diff, 3));
  free_example (example);
}

static void
test_words (void)
{
  Example *example = new_example ();
  const PenBatch batch = { .cause = PEN_CAUSE_FTRACE,
                           .n_sites = 1,
                           .site = "vfs_read",
                           .has_task = TRUE,
                           .tid = 131,
                           .comm = "sh" };
  const PenClock clock = { .times = PEN_TIMES_RECORDED, .span = { 0, 9000000000 } };
  g_autofree char *less = pen_flame_difference_describe (&example->diff, 1);
  g_autofree char *vanished = pen_flame_difference_describe (&example->diff, 4);
  g_autofree char *spoken = pen_flame_difference_speak (&example->diff, 1);
  g_autofree char *name = pen_flame_difference_name (&example->diff, &batch, &clock);
  g_autofree char *two = pen_flame_difference_name (&example->diff, NULL, &clock);

  g_assert_cmpstr (less, ==,
                   "less\nKernel [kernel.kallsyms]\n"
                   "0.20× (0.14–0.29) · 174/s → 35/s · 174 → 35 samples\n"
                   "Less often after\nOwn 174 → 35 samples");
  g_assert_nonnull (strstr (vanished, "only before · 200/s → 0/s · 200 → 0 samples"));
  g_assert_cmpstr (spoken, ==,
                   "less, Kernel, level 1, 174 samples before, 35 after, Less often after");
  g_assert_cmpstr (name, ==,
                   "Before 5.601–6.576 s, after 6.578–7.553 s: Ftrace at vfs_read, by sh [131]");
  g_assert_cmpstr (two, ==, "Before 5.601–6.576 s, after 6.578–7.553 s");
  free_example (example);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame-difference/contrast", test_contrast);
  g_test_add_func ("/flame-difference/colors", test_colors);
  g_test_add_func ("/flame-difference/words", test_words);
  return g_test_run ();
}
