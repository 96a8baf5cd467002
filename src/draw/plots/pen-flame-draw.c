/* pen-flame-draw.c: frames in pixels, and the words on them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame.h"

#include <math.h>

#include "pen-flame-difference.h"
#include "pen-palette.h"
#include "pen-stack-shade.h"
#include "pen-text-meter.h"

/* Frames at least so wide have an edge between them. */
#define EDGE_MIN 4
/* Frames at least so wide begin with a stroke in the colour of their kind. */
#define STROKE_MIN 24
#define SHADE_ROOT 0.10
/* Of the strength that a difference has, where it does not match. */
#define FADED_PART 0.4
/* Times the height of a line: the width that a name, or a letter, wants at least. */
#define NAME_MIN 1.7
#define LETTER_WIDTH 0.75
#define LETTERS_MAX 4
/* A version with less of a frame than this has no letter. */
#define LETTER_SHARE 0.005

typedef struct {
  const PenFlame *flame;
  const PenFlameMarks *marks;
  PenRaster *raster;
  int scale;
  int top;
  gboolean dark;
  guint32 ground;
} Sheet;

static gboolean
is_match (const PenFlameMarks *marks, const PenFlameNode *node)
{
  return marks->matches && node->group != PEN_STACK_NO_GROUP && marks->matches[node->group] != 0;
}

static double
get_shade (const PenFlameMarks *marks, const PenFlameNode *node)
{
  if (node->group == PEN_STACK_NO_GROUP)
    return SHADE_ROOT;
  if (marks->matches)
    return is_match (marks, node) ? PEN_STACK_SHADE_MATCH : PEN_STACK_SHADE_FADED;
  return pen_stack_shade (node->group);
}

static PenKind
get_kind (const PenFlame *self, const PenFlameNode *node)
{
  return node->group == PEN_STACK_NO_GROUP ? PEN_KIND_UNKNOWN
                                           : self->tree->groups[node->group].kind;
}

static double
get_strength (const PenFlame *self, const PenFlameMarks *marks, guint index)
{
  double strength = pen_flame_difference_get_strength (self->diff, index);

  return marks->matches && !is_match (marks, pen_flame_tree_get (self->tree, index))
             ? strength * FADED_PART
             : strength;
}

/* The ground of its name. */
static guint32
get_color (const PenFlame *self, const PenFlameMarks *marks, guint index, gboolean dark)
{
  const PenFlameNode *node = pen_flame_tree_get (self->tree, index);
  guint32 ground = pen_palette_ground (dark);

  if (self->diff)
    return pen_raster_blend (
        pen_flame_difference_get_color (self->diff->nodes[index].verdict, dark), ground,
        get_strength (self, marks, index));
  return pen_raster_blend (pen_palette_kind (get_kind (self, node), dark), ground,
                           get_shade (marks, node));
}

static void
fill (const Sheet *self, int x, int y, int width, int height, guint32 color)
{
  pen_raster_fill (self->raster,
                   (PenBox){ x * self->scale, (y - self->top) * self->scale, width * self->scale,
                             height * self->scale },
                   color);
}

/* Loads of one name take turns in two shades. */
static guint32
get_version_color (const Sheet *self, const PenFlameNode *node, const PenFlameVersion *version,
                   guint index)
{
  if (version->poke == 0)
    return pen_raster_blend (pen_palette_kind (get_kind (self->flame, node), self->dark),
                             self->ground, index % 2 == 0 ? 1 : 0.6);
  return pen_palette_cause (version->cause, self->dark);
}

/* A stripe along the frame: each version has its share of it. */
static void
draw_versions (const Sheet *self, const PenFlameNode *node, int x, int y, int width, int height)
{
  const PenFlameTree *tree = self->flame->tree;
  double total = 0, sum = 0;

  for (guint i = 0; i < node->n_versions; i++)
    total += (double) pen_stack_count_get (
        g_array_index (tree->versions, PenFlameVersion, node->first_version + i).count,
        tree->measure);
  for (guint i = 0; i < node->n_versions && total > 0; i++) {
    const PenFlameVersion *version
        = &g_array_index (tree->versions, PenFlameVersion, node->first_version + i);
    int from = (int) floor (sum / total * width);
    int to;

    sum += (double) pen_stack_count_get (version->count, tree->measure);
    to = (int) floor (sum / total * width);
    fill (self, x + from, y, MIN (MAX (to - from, 1), width - from), height,
          get_version_color (self, node, version, i));
  }
}

static void
draw_frame (const Sheet *self, guint index, int x, int y, int width)
{
  const PenFlameNode *node = pen_flame_tree_get (self->flame->tree, index);
  int height = self->flame->row - 1;
  int stripe = MAX (height / 5, 3);
  guint32 color = pen_palette_kind (get_kind (self->flame, node), self->dark);
  int edge = width >= EDGE_MIN ? 1 : 0;

  fill (self, x, y, width - edge, height, get_color (self->flame, self->marks, index, self->dark));
  if (node->n_versions > 0)
    draw_versions (self, node, x, y + height - stripe, width - edge, stripe);
  else if (width >= STROKE_MIN && node->group != PEN_STACK_NO_GROUP)
    fill (self, x, y, 2, height, color);
}

/* Frames of one stretch alone are hatched, and outlined, so that they are seen among grey ones,
 * too.
 */
static void
draw_difference (const Sheet *self, guint index, int x, int y, int width)
{
  const PenFlameDiff *diff = self->flame->diff;
  int height = self->flame->row - 1;
  guint32 color = pen_flame_difference_get_color (diff->nodes[index].verdict, self->dark);
  double strength = get_strength (self->flame, self->marks, index);
  PenBox box;

  width -= width >= EDGE_MIN ? 1 : 0;
  fill (self, x, y, width, height, get_color (self->flame, self->marks, index, self->dark));
  if (!pen_flame_difference_is_one_sided (diff, index) || width < EDGE_MIN)
    return;
  box = (PenBox){ x * self->scale, (y - self->top) * self->scale, width * self->scale,
                  height * self->scale };
  pen_raster_hatch (self->raster, box,
                    pen_raster_blend (color, self->ground, MIN (strength + 0.16, 1)),
                    6 * self->scale);
  fill (self, x, y, width, 1, color);
  fill (self, x, y + height - 1, width, 1, color);
  fill (self, x, y, 1, height, color);
  fill (self, x + width - 1, y, 1, height, color);
}

/* Hatched: something is there that is not drawn. */
static void
draw_left_out (const Sheet *self, const PenFlameNode *node)
{
  const PenFlameTree *tree = self->flame->tree;
  const PenFlameNode *root = pen_flame_tree_get (tree, self->flame->root);
  double total = (double) MAX (pen_stack_count_get (root->total, tree->measure), 1);
  guint64 end = node->start + pen_stack_count_get (node->total, tree->measure)
                - pen_stack_count_get (node->own, tree->measure) - root->start;
  guint64 begin = end - MIN (end, pen_stack_count_get (node->left_out, tree->measure));
  int from = (int) floor ((double) begin / total * self->flame->width);
  int to = (int) floor ((double) end / total * self->flame->width);
  int y = pen_flame_get_y (self->flame, node->depth + 1);
  PenBox box = { from * self->scale, (y - self->top) * self->scale, (to - from) * self->scale,
                 (self->flame->row - 1) * self->scale };

  if (to <= from || node->depth < root->depth)
    return;
  pen_raster_fill (self->raster, box, pen_palette_lane (self->dark));
  pen_raster_hatch (
      self->raster, box,
      pen_raster_blend (pen_palette_kind (PEN_KIND_UNKNOWN, self->dark), self->ground, 0.5),
      4 * self->scale);
}

/* Rows of which something is seen. */
static gboolean
is_in_sight (const PenFlame *self, guint depth, int top, int seen)
{
  int y = pen_flame_get_y (self, depth);

  return y + self->row > top && y < top + seen;
}

void
pen_flame_draw (const PenFlame *self, const PenFlameMarks *marks, PenRaster *raster, int scale,
                int top, gboolean dark)
{
  Sheet sheet = { self, marks, raster, scale, top, dark, pen_palette_ground (dark) };
  int seen = raster->height / scale;

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height }, sheet.ground);
  for (guint depth = 0; depth < self->levels->len; depth++) {
    PenFlameLevel level = g_array_index (self->levels, PenFlameLevel, depth);

    if (!is_in_sight (self, depth, top, seen) && !is_in_sight (self, depth + 1, top, seen))
      continue;
    for (guint i = level.first; i < level.end; i++) {
      const PenFlameNode *node = pen_flame_tree_get (self->tree, i);
      PenBox box;

      if (!pen_flame_get_box (self, i, &box))
        continue;
      if (box.width > 0 && self->diff)
        draw_difference (&sheet, i, box.x, box.y, box.width);
      else if (box.width > 0)
        draw_frame (&sheet, i, box.x, box.y, box.width);
      if (node->n_left_out > 0)
        draw_left_out (&sheet, node);
    }
  }
}

/* ---- words ---- */

/* The letters of the causes that brought other texts than the original, each once, on its colour.
 *
 * Returns: how wide they are */
static double
draw_letters (const PenFlame *self, const PenFlameNode *node, PenPainter *painter,
              const PenTheme *theme, double right, double y, double room)
{
  const double width = LETTER_WIDTH * self->em;
  double least = LETTER_SHARE * (double) pen_stack_count_get (node->total, self->tree->measure);
  guint32 seen = 0;
  guint n = 0;

  for (guint i = 0; i < node->n_versions && n < LETTERS_MAX; i++) {
    const PenFlameVersion *version
        = &g_array_index (self->tree->versions, PenFlameVersion, node->first_version + i);

    if (version->poke == 0 || seen & 1u << version->cause || (n + 1) * width > room
        || (double) pen_stack_count_get (version->count, self->tree->measure) < least)
      continue;
    seen |= 1u << version->cause;
    n++;
    pen_painter_fill (painter, pen_palette_cause (version->cause, theme->dark), right - n * width,
                      y + 2, width, self->row - 8);
    pen_painter_text (painter, pen_palette_cause_letter (version->cause), PEN_LOOK_BOLD,
                      pen_palette_ground (theme->dark), right - n * width, y, width, self->row - 4,
                      0.5);
  }
  return n * width;
}

/* A plus or a minus: colours alone do not say it. Returns: how wide it is */
static double
draw_sign (const PenFlame *self, guint index, PenPainter *painter, guint32 color, double right,
           double y, double room)
{
  const double width = LETTER_WIDTH * self->em;
  PenVerdict verdict = self->diff->nodes[index].verdict;

  if ((verdict != PEN_VERDICT_MORE && verdict != PEN_VERDICT_LESS) || width > room)
    return 0;
  pen_painter_text (painter, verdict == PEN_VERDICT_MORE ? "+" : "−", PEN_LOOK_BOLD, color,
                    right - width, y, width, self->row - 1, 0.5);
  return width;
}

static void
draw_name (const PenFlame *self, const PenFlameMarks *marks, PenTextMeter *meters,
           PenPainter *painter, const PenTheme *theme, guint index, PenBox box, int top)
{
  const PenFlameNode *node = pen_flame_tree_get (self->tree, index);
  gboolean is_bold = node->group == PEN_STACK_NO_GROUP || is_match (marks, node);
  PenTextMeter *meter = &meters[is_bold ? 1 : 0];
  double x = box.x + 5, room = box.width - 9, y = box.y - top;
  guint32 color = pen_theme_get_text_on (theme, get_color (self, marks, index, theme->dark));
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  if (self->diff)
    room -= draw_sign (self, index, painter, color, box.x + box.width - 3, y, room);
  else
    room -= draw_letters (self, node, painter, theme, box.x + box.width - 3, y, room);
  if (room < NAME_MIN * self->em)
    return;
  name = pen_flame_dup_name (self->tree, node->group);
  text = pen_text_meter_shorten (meter, name, room);
  pen_painter_text (painter, text, is_bold ? PEN_LOOK_BOLD : PEN_LOOK_PLAIN,
                    marks->matches && !is_bold ? theme->dim : color, x, y, room + 2, self->row - 1,
                    0);
}

void
pen_flame_draw_words (const PenFlame *self, const PenFlameMarks *marks, PenPainter *painter,
                      const PenTheme *theme, int top, int seen)
{
  PenTextMeter meters[2];

  pen_text_meter_init (&meters[0], painter, PEN_LOOK_PLAIN);
  pen_text_meter_init (&meters[1], painter, PEN_LOOK_BOLD);
  for (guint depth = 0; depth < self->levels->len; depth++) {
    PenFlameLevel level = g_array_index (self->levels, PenFlameLevel, depth);

    if (!is_in_sight (self, depth, top, seen))
      continue;
    for (guint i = level.first; i < level.end; i++) {
      PenBox box;

      if (pen_flame_get_box (self, i, &box) && box.width > LETTER_WIDTH * self->em + 4)
        draw_name (self, marks, meters, painter, theme, i, box, top);
    }
  }
}
