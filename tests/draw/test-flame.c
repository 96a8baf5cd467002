/* test-flame.c: where the frames of a tree of callers lie, and what is drawn of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame.h"
#include "pen-palette.h"
#include "pen-text-meter.h"

#include <string.h>

#define WIDTH 300
#define SEEN 120

static const PenStackGroup groups[] = {
  { NULL, "", PEN_KIND_UNKNOWN, G_MAXUINT32 },
  { "outer", "[kernel.kallsyms]", PEN_KIND_KERNEL, 1 },
  { "inner", "[kernel.kallsyms]", PEN_KIND_KERNEL, 2 },
  { NULL, "/usr/lib/libc.so.6", PEN_KIND_DSO, 3 },
  { "bpf_prog_0123456789abcdef_one", "bpf_prog_0123456789abcdef_one", PEN_KIND_BPF, 4 },
};

static PenFlameTree *
new_tree (void)
{
  PenFlameTree *tree = g_new0 (PenFlameTree, 1);

  tree->groups = groups;
  tree->n_groups = G_N_ELEMENTS (groups);
  tree->nodes = g_array_new (FALSE, TRUE, sizeof (PenFlameNode));
  tree->versions = g_array_new (FALSE, TRUE, sizeof (PenFlameVersion));
  return tree;
}

static void
free_tree (PenFlameTree *tree)
{
  g_array_unref (tree->nodes);
  g_array_unref (tree->versions);
  g_free (tree);
}

/* Level after level, as a query has it. @own: of the node; what its children have comes with them.
 */
static guint
add (PenFlameTree *tree, guint parent, guint32 group, guint64 start, guint64 total)
{
  PenFlameNode node = { .parent = parent, .group = group, .start = start };
  guint index = tree->nodes->len;

  node.total.samples = node.own.samples = total;
  if (parent != PEN_FLAME_NONE) {
    PenFlameNode *above = &g_array_index (tree->nodes, PenFlameNode, parent);

    node.depth = above->depth + 1;
    if (above->n_children++ == 0)
      above->first_child = index;
    above->own.samples -= total;
  }
  tree->n_levels = MAX (tree->n_levels, node.depth);
  g_array_append_val (tree->nodes, node);
  return index;
}

/* 100 samples: outer has 60 (inner 40, libc 10), libc 30, and 10 are the root's own. */
static PenFlameTree *
new_example (void)
{
  PenFlameTree *tree = new_tree ();

  add (tree, PEN_FLAME_NONE, PEN_STACK_NO_GROUP, 0, 100);
  add (tree, 0, 1, 0, 60);
  add (tree, 0, 3, 60, 30);
  add (tree, 1, 2, 0, 40);
  add (tree, 1, 3, 40, 10);
  return tree;
}

/* ---- places ---- */

static void
assert_box (const PenFlame *flame, guint node, int x, int y, int width)
{
  PenBox box;

  g_assert_true (pen_flame_get_box (flame, node, &box));
  g_assert_cmpint (box.x, ==, x);
  g_assert_cmpint (box.y, ==, y);
  g_assert_cmpint (box.width, ==, width);
  g_assert_cmpint (box.height, ==, flame->row);
}

static void
test_boxes (void)
{
  PenFlameTree *tree = new_example ();
  g_autoptr (PenFlame) down = pen_flame_new (tree, 0, FALSE, WIDTH, SEEN, PEN_EM);
  g_autoptr (PenFlame) up = pen_flame_new (tree, 0, TRUE, WIDTH, SEEN, PEN_EM);
  g_autoptr (PenFlame) part = pen_flame_new (tree, 1, FALSE, WIDTH, SEEN, PEN_EM);
  PenBox box;

  g_assert_cmpint (down->height, ==, SEEN);
  assert_box (down, 0, 0, 0, 300);
  assert_box (down, 1, 0, down->row, 180);
  assert_box (down, 2, 180, down->row, 90);
  assert_box (down, 4, 120, 2 * down->row, 30);
  /* From the bottom of what is seen. */
  assert_box (up, 0, 0, SEEN - up->row, 300);
  assert_box (up, 3, 0, SEEN - 3 * up->row, 120);
  /* What is looked into is as wide as all; so is what called it. */
  assert_box (part, 0, 0, 0, 300);
  assert_box (part, 1, 0, part->row, 300);
  assert_box (part, 3, 0, 2 * part->row, 200);
  g_assert_false (pen_flame_get_box (part, 2, &box));
  free_tree (tree);
}

static void
test_height (void)
{
  PenFlameTree *tree = new_tree ();
  g_autoptr (PenFlame) flame = NULL;
  guint node = add (tree, PEN_FLAME_NONE, PEN_STACK_NO_GROUP, 0, 1000);

  for (guint i = 0; i < 30; i++)
    node = add (tree, node, 1 + i % 2, 0, i < 10 ? 1000 : 1);
  flame = pen_flame_new (tree, 0, FALSE, WIDTH, SEEN, PEN_EM);
  g_assert_cmpint (flame->height, ==, 31 * flame->row + 1);
  g_assert_cmpint (pen_flame_get_height_of (flame, 3), ==, 11 * flame->row + 1);
  free_tree (tree);
}

/* ---- what is at a point ---- */

static void
test_find (void)
{
  PenFlameTree *tree = new_example ();
  g_autoptr (PenFlame) flame = pen_flame_new (tree, 0, TRUE, WIDTH, SEEN, PEN_EM);
  int bottom = flame->height - 1;

  g_assert_cmpuint (pen_flame_find (flame, 10, bottom).node, ==, 0);
  g_assert_cmpuint (pen_flame_find (flame, 10, bottom - flame->row).node, ==, 1);
  g_assert_cmpuint (pen_flame_find (flame, 180, bottom - flame->row).node, ==, 2);
  /* The root's own samples have no frame above them. */
  g_assert_cmpint (pen_flame_find (flame, 280, bottom - flame->row).thing, ==, PEN_FLAME_NOTHING);
  g_assert_cmpint (pen_flame_find (flame, 10, bottom - 3 * flame->row).thing, ==,
                   PEN_FLAME_NOTHING);
  g_assert_cmpint (pen_flame_find (flame, -1, bottom).thing, ==, PEN_FLAME_NOTHING);
  g_assert_cmpint (pen_flame_find (flame, WIDTH, bottom).thing, ==, PEN_FLAME_NOTHING);
  g_assert_cmpint (pen_flame_find (flame, 10, -5).thing, ==, PEN_FLAME_NOTHING);
  free_tree (tree);
}

static void
test_find_left_out (void)
{
  PenFlameTree *tree = new_tree ();
  g_autoptr (PenFlame) flame = NULL;
  PenFlameNode *root;
  PenFlameSpot spot;
  g_autofree char *text = NULL;

  add (tree, PEN_FLAME_NONE, PEN_STACK_NO_GROUP, 0, 100);
  add (tree, 0, 1, 0, 50);
  root = &g_array_index (tree->nodes, PenFlameNode, 0);
  root->left_out.samples = 20;
  root->own.samples = 30;
  root->n_left_out = 7;
  flame = pen_flame_new (tree, 0, FALSE, WIDTH, SEEN, PEN_EM);
  spot = pen_flame_find (flame, 160, 1.5 * flame->row);
  g_assert_cmpint (spot.thing, ==, PEN_FLAME_MERGED);
  g_assert_cmpuint (spot.n_merged, ==, 7);
  g_assert_cmpuint (spot.count.samples, ==, 20);
  g_assert_cmpuint (spot.node, ==, 0);
  text = pen_flame_describe_spot (tree, &spot, 0);
  g_assert_nonnull (strstr (text, "7 frames, too narrow to draw"));
  g_assert_cmpint (pen_flame_find (flame, 220, 1.5 * flame->row).thing, ==, PEN_FLAME_NOTHING);
  free_tree (tree);
}

/* A tree that chance made: children have what their parents have, or less. */
static PenFlameTree *
new_random_tree (guint n)
{
  PenFlameTree *tree = new_tree ();

  add (tree, PEN_FLAME_NONE, PEN_STACK_NO_GROUP, 0, 10000);
  for (guint parent = 0; parent < tree->nodes->len && tree->nodes->len < n; parent++) {
    guint64 start = g_array_index (tree->nodes, PenFlameNode, parent).start;
    guint64 left = g_array_index (tree->nodes, PenFlameNode, parent).own.samples;

    for (guint i = 0; i < 8 && left > 0; i++) {
      guint64 total = (guint64) g_test_rand_int_range (1, (gint32) left + 1);

      if (g_test_rand_bit ())
        total = MAX (total / 50, 1);
      add (tree, parent, (guint32) g_test_rand_int_range (1, G_N_ELEMENTS (groups)), start, total);
      start += total;
      left -= total;
    }
  }
  return tree;
}

/* Each pixel has the frame whose box it is in, of whatever tree and zoom. */
static void
test_find_anywhere (void)
{
  for (guint turn = 0; turn < 40; turn++) {
    PenFlameTree *tree = new_random_tree (200);
    guint root = (guint) g_test_rand_int_range (0, (gint32) tree->nodes->len);
    g_autoptr (PenFlame) flame
        = pen_flame_new (tree, turn % 3 == 0 ? 0 : root, turn % 2 == 0, WIDTH, SEEN, PEN_EM);
    g_autofree guint *seen = g_new (guint, flame->levels->len * WIDTH);

    for (guint i = 0; i < flame->levels->len * WIDTH; i++)
      seen[i] = PEN_FLAME_NONE;
    for (guint i = 0; i < tree->nodes->len; i++) {
      PenBox box;

      if (!pen_flame_get_box (flame, i, &box))
        continue;
      for (int x = box.x; x < box.x + box.width; x++) {
        guint *at = &seen[pen_flame_tree_get (tree, i)->depth * WIDTH + (guint) x];

        /* Frames side by side do not overlap. */
        g_assert_cmpuint (*at, ==, PEN_FLAME_NONE);
        *at = i;
      }
    }
    for (guint depth = 0; depth < flame->levels->len; depth++) {
      for (int x = 0; x < WIDTH; x++) {
        PenFlameSpot spot
            = pen_flame_find (flame, x + 0.5, pen_flame_get_y (flame, depth) + flame->row / 2.0);
        guint expected = seen[depth * WIDTH + (guint) x];

        g_assert_true ((spot.thing == PEN_FLAME_FRAME) == (expected != PEN_FLAME_NONE));
        if (spot.thing == PEN_FLAME_FRAME)
          g_assert_cmpuint (spot.node, ==, expected);
      }
    }
    free_tree (tree);
  }
}

/* ---- keys ---- */

static void
test_steps (void)
{
  PenFlameTree *tree = new_example ();
  g_autoptr (PenFlame) down = pen_flame_new (tree, 0, FALSE, WIDTH, SEEN, PEN_EM);
  g_autoptr (PenFlame) up = pen_flame_new (tree, 0, TRUE, WIDTH, SEEN, PEN_EM);

  g_assert_cmpuint (pen_flame_step (down, 0, 0, 1), ==, 1);
  g_assert_cmpuint (pen_flame_step (down, 1, 1, 0), ==, 2);
  g_assert_cmpuint (pen_flame_step (down, 2, 1, 0), ==, 2);
  g_assert_cmpuint (pen_flame_step (down, 1, -1, 0), ==, 1);
  g_assert_cmpuint (pen_flame_step (down, 1, 0, 1), ==, 3);
  g_assert_cmpuint (pen_flame_step (down, 3, 0, 1), ==, 3);
  g_assert_cmpuint (pen_flame_step (down, 4, 0, -1), ==, 1);
  g_assert_cmpuint (pen_flame_step (down, 0, 0, -1), ==, 0);
  g_assert_cmpuint (pen_flame_step (up, 0, 0, -1), ==, 1);
  g_assert_cmpuint (pen_flame_step (up, 1, 0, 1), ==, 0);
  g_assert_cmpuint (pen_flame_step (up, 99, 0, 1), ==, 0);
  free_tree (tree);
}

/* ---- pixels ---- */

static guint32
pixel (const PenRaster *raster, int x, int y)
{
  return raster->pixels[(gsize) y * raster->width + x];
}

static void
test_colors (void)
{
  PenFlameTree *tree = new_example ();
  g_autoptr (PenFlame) flame = pen_flame_new (tree, 0, FALSE, WIDTH, SEEN, PEN_EM);
  g_autoptr (PenRaster) raster = pen_raster_new (WIDTH, SEEN);
  PenFlameMarks marks = { NULL };
  guint8 matches[G_N_ELEMENTS (groups)] = { 0, 0, 1, 0, 0 };
  guint32 plain;

  pen_flame_draw (flame, &marks, raster, 1, 0, FALSE);
  /* A stroke in the colour of the kind, then a shade of it, an edge, and the ground. */
  g_assert_cmphex (pixel (raster, 0, 25), ==, pen_palette_kind (PEN_KIND_KERNEL, FALSE));
  g_assert_cmphex (pixel (raster, 180, 25), ==, pen_palette_kind (PEN_KIND_DSO, FALSE));
  plain = pixel (raster, 20, 45);
  g_assert_cmphex (plain, !=, pen_palette_ground (FALSE));
  g_assert_cmphex (plain, !=, pixel (raster, 130, 45));
  g_assert_cmphex (pixel (raster, 179, 25), ==, pen_palette_ground (FALSE));
  g_assert_cmphex (pixel (raster, 280, 25), ==, pen_palette_ground (FALSE));
  /* What is searched for is stronger, all else fainter. */
  marks.matches = matches;
  pen_flame_draw (flame, &marks, raster, 1, 0, FALSE);
  g_assert_cmpuint (pixel (raster, 20, 45) & 0xff0000, <, plain & 0xff0000);
  g_assert_cmpuint (pixel (raster, 130, 25) & 0xff0000, >, plain & 0xff0000);
  /* Scrolled, the row above is gone. */
  marks.matches = NULL;
  pen_flame_draw (flame, &marks, raster, 1, flame->row, FALSE);
  g_assert_cmphex (pixel (raster, 20, 25), ==, plain);
  free_tree (tree);
}

static void
test_versions (void)
{
  PenFlameTree *tree = new_example ();
  g_autoptr (PenFlame) flame = pen_flame_new (tree, 0, FALSE, WIDTH, SEEN, PEN_EM);
  g_autoptr (PenRaster) raster = pen_raster_new (WIDTH, SEEN);
  PenFlameMarks marks = { NULL };
  PenFlameVersion versions[] = {
    { .tenure = 1, .count = { 45, 0 } },
    { .tenure = 1, .revision = 3, .poke = 9, .cause = PEN_CAUSE_FTRACE, .count = { 15, 0 } },
  };
  PenFlameNode *node = &g_array_index (tree->nodes, PenFlameNode, 1);
  g_autofree char *text = NULL;
  int y;

  g_array_append_vals (tree->versions, versions, G_N_ELEMENTS (versions));
  node->n_versions = G_N_ELEMENTS (versions);
  pen_flame_draw (flame, &marks, raster, 1, 0, FALSE);
  y = 2 * flame->row - 3;
  g_assert_cmphex (pixel (raster, 60, y), ==, pen_palette_kind (PEN_KIND_KERNEL, FALSE));
  g_assert_cmphex (pixel (raster, 150, y), ==, pen_palette_cause (PEN_CAUSE_FTRACE, FALSE));
  text = pen_flame_describe (tree, 1, 2);
  g_assert_nonnull (strstr (text, "Original text: 45 samples"));
  g_assert_nonnull (strstr (text, "Revision 3, Ftrace: 15 samples"));
  g_assert_nonnull (strstr (text, "30/s"));
  free_tree (tree);
}

/* ---- words ---- */

/* A painter that only notes what it is given; letters are 6 wide. */
typedef struct {
  PenPainter painter;
  GString *words;
  guint n_measured;
} Notes;

static void
note_nothing (PenPainter *self, guint32 color, double x, double y, double width, double height)
{
}

static double
note_text (PenPainter *self, const char *text, PenLook look, guint32 color, double x, double y,
           double width, double height, double align)
{
  g_string_append_printf (((Notes *) self)->words, "%s|", text);
  return 0;
}

static double
note_measure (PenPainter *self, const char *text, PenLook look)
{
  ((Notes *) self)->n_measured++;
  return 6.0 * (double) g_utf8_strlen (text, -1);
}

static void
test_names (void)
{
  PenFlameTree *tree = new_example ();
  g_autoptr (PenFlame) flame = pen_flame_new (tree, 0, FALSE, WIDTH, SEEN, PEN_EM);
  PenFlameMarks marks = { NULL };
  PenTheme theme = pen_theme_new (FALSE, FALSE);
  Notes notes
      = { { PEN_EM, note_nothing, note_nothing, note_text, note_measure }, g_string_new (NULL), 0 };

  pen_flame_draw_words (flame, &marks, &notes.painter, &theme, 0, SEEN);
  /* The last frame has no room for all of its name. */
  g_assert_cmpstr (notes.words->str, ==, "All stacks|outer|libc.so.6|inner|");
  /* Each letter once. */
  g_assert_cmpuint (notes.n_measured, <, 30);
  g_string_free (notes.words, TRUE);
  free_tree (tree);
}

static void
test_speech (void)
{
  PenFlameTree *tree = new_example ();
  g_autofree char *text = pen_flame_speak (tree, 3);
  g_autofree char *unknown = pen_flame_dup_name (tree, PEN_STACK_UNRECORDED);

  g_assert_cmpstr (text, ==, "inner, Kernel, level 2, 40 samples, 40.0 %, own 40");
  g_assert_cmpstr (unknown, ==, "(callers unknown)");
  free_tree (tree);
}

static void
test_meter (void)
{
  Notes notes
      = { { PEN_EM, note_nothing, note_nothing, note_text, note_measure }, g_string_new (NULL), 0 };
  PenTextMeter meter;
  g_autofree char *all = NULL;
  g_autofree char *cut = NULL;

  pen_text_meter_init (&meter, &notes.painter, PEN_LOOK_PLAIN);
  g_assert_cmpfloat (pen_text_meter_measure (&meter, "aaaä"), ==, 24);
  g_assert_cmpuint (notes.n_measured, ==, 2);
  all = pen_text_meter_shorten (&meter, "vfs_read", 48);
  cut = pen_text_meter_shorten (&meter, "bpf_prog_0123456789abcdef_sched_switch", 120);
  g_assert_cmpstr (all, ==, "vfs_read");
  g_assert_cmpfloat (pen_text_meter_measure (&meter, cut), <=, 120);
  g_assert_true (g_str_has_suffix (cut, "sched_switch"));
  g_string_free (notes.words, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame/boxes", test_boxes);
  g_test_add_func ("/flame/height", test_height);
  g_test_add_func ("/flame/find", test_find);
  g_test_add_func ("/flame/find-left-out", test_find_left_out);
  g_test_add_func ("/flame/find-anywhere", test_find_anywhere);
  g_test_add_func ("/flame/steps", test_steps);
  g_test_add_func ("/flame/colors", test_colors);
  g_test_add_func ("/flame/versions", test_versions);
  g_test_add_func ("/flame/names", test_names);
  g_test_add_func ("/flame/speech", test_speech);
  g_test_add_func ("/flame/meter", test_meter);
  return g_test_run ();
}
