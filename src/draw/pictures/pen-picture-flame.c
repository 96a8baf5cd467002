/* pen-picture-flame.c: the flame graph as a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-difference.h"
#include "pen-flame.h"
#include "pen-picture-private.h"

#include <glib/gi18n-lib.h>

#include "pen-store-pokes.h"

/* px: narrower frames are merged, or have no stripe of their versions */
#define FRAME_MIN 0.5
#define STRIPE_MIN 16
/* px: rows of frames that are all narrower have no room, unless a height was asked for */
#define ROW_MIN 3

typedef struct {
  PenContent content;
  PenFlameTree *tree;
  PenFlameDiff *diff; /* whose tree it is, where two stretches are compared */
  gboolean upwards;
} Flame;

static int
get_height (PenContent *content, int width)
{
  const Flame *self = (Flame *) content;
  g_autoptr (PenFlame) flame
      = pen_flame_new (self->tree, self->tree->zoomed, self->upwards, width, 0, PEN_EM);

  return pen_flame_get_height_of (flame, ROW_MIN);
}

static gboolean
draw (PenContent *content, PenSheet *sheet, int width, int height, GError **error G_GNUC_UNUSED)
{
  const Flame *self = (Flame *) content;
  g_autoptr (PenFlame) flame
      = pen_flame_new (self->tree, self->tree->zoomed, self->upwards, width, height, PEN_EM);
  PenFlameMarks marks = { NULL };
  /* Where there is less room than rows, those next to the root are drawn. */
  int top = self->upwards ? flame->height - height : 0;
  PenRaster *raster;
  int scale;

  flame->diff = self->diff;
  raster = pen_sheet_begin (sheet, 0, 0, width, height, &scale);
  pen_flame_draw (flame, &marks, raster, scale, top, sheet->theme.dark);
  pen_sheet_end (sheet, raster, 0, 0, scale);
  pen_flame_draw_words (flame, &marks, sheet->painter, &sheet->theme, top, height);
  return TRUE;
}

static void
flame_free (PenContent *content)
{
  Flame *self = (Flame *) content;

  if (!self->diff)
    g_clear_pointer (&self->tree, pen_flame_tree_free);
  g_clear_pointer (&self->diff, pen_flame_diff_free);
  g_free (self);
}

/* Colours are of kinds; stripes are of causes. */
static void
find_colors (Flame *self)
{
  for (guint i = 0; i < self->tree->nodes->len; i++) {
    guint32 group = pen_flame_tree_get (self->tree, i)->group;

    if (group != PEN_STACK_NO_GROUP)
      self->content.kinds |= 1u << self->tree->groups[group].kind;
  }
  for (guint i = 0; i < self->tree->versions->len; i++) {
    const PenFlameVersion *version = &g_array_index (self->tree->versions, PenFlameVersion, i);

    if (version->poke != 0)
      self->content.causes |= 1u << version->cause;
  }
}

static char *
name_order (const PenFlameTree *tree)
{
  g_autofree char *name = tree->nodes->len > 1
                              ? pen_flame_dup_name (tree, pen_flame_tree_get (tree, 1)->group)
                              : NULL;

  if (tree->order == PEN_FLAME_CALLERS && name)
    return g_strdup_printf (_ ("Callers of %s"), name);
  if (tree->order == PEN_FLAME_CALLEES && name)
    return g_strdup_printf (_ ("Callees of %s"), name);
  return g_strdup (tree->order == PEN_FLAME_INNERMOST ? _ ("Callers, inverted") : _ ("Callers"));
}

/* Of stretches in the order of time, or not. */
static gboolean
compare (Flame *self, PenQuery *query, const PenPictureOptions *options,
         const PenFlameOptions *asked, GError **error)
{
  const PenFlameWindow *windows = options->windows;
  const PenBatch *batches;
  guint n;

  self->diff = pen_query_flame_diff (query, options->filter, asked, windows, error);
  if (!self->diff)
    return FALSE;
  self->tree = self->diff->tree;
  batches = pen_store_get_batches (pen_query_get_store (query), &n, NULL);
  self->content.title = pen_flame_difference_name (
      self->diff, options->batch > 0 && options->batch <= n ? &batches[options->batch - 1] : NULL,
      &self->content.clock);
  self->content.span
      = (PenSpan){ MIN (windows[0].from, windows[1].from), MAX (windows[0].to, windows[1].to) };
  for (guint i = 0; i < self->tree->nodes->len; i++)
    self->content.verdicts |= 1u << self->diff->nodes[i].verdict;
  return TRUE;
}

static gboolean
load_tree (Flame *self, PenQuery *query, const PenPictureOptions *options, GError **error)
{
  PenFlameOptions asked = options->flame;
  int width = options->width > 0 ? options->width : PEN_PICTURE_WIDTH;

  if (options->compares)
    return compare (self, query, options, &asked, error);
  asked.least_share = FRAME_MIN / width;
  asked.version_share = (double) STRIPE_MIN / width;
  self->tree = pen_query_flame (query, options->filter, &asked, error);
  if (!self->tree)
    return FALSE;
  self->content.title = name_order (self->tree);
  find_colors (self);
  return TRUE;
}

PenContent *
pen_picture_load_flame (PenQuery *query, const PenPictureOptions *options, GError **error)
{
  Flame *self = g_new0 (Flame, 1);
  g_autoptr (PenContent) content = &self->content;
  PenPictureOptions timed = *options;

  content->get_height = get_height;
  content->draw = draw;
  content->free = flame_free;
  /* Samples of the filter's time, whatever is visible elsewhere. */
  timed.has_span = FALSE;
  pen_content_set_time (content, query, &timed);
  self->upwards = options->upwards;
  if (!load_tree (self, query, options, error))
    return NULL;
  if (self->tree->n_levels == 0) {
    g_set_error_literal (error, PEN_PICTURE_ERROR, PEN_PICTURE_ERROR_EMPTY,
                         _ ("no samples match the filters"));
    return NULL;
  }
  return g_steal_pointer (&content);
}
