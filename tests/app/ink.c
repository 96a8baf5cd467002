/* ink.c
 *
 * The tree of render nodes says where letters are, whichever widget draws them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "ink.h"

#include "app-support.h"

static void
mark_clear (gpointer data)
{
  gsk_transform_unref (((InkMark *) data)->transform);
}

/* ---- nodes ---- */

static gboolean
has_texture (GskRenderNode *node)
{
  switch (gsk_render_node_get_node_type (node)) {
  case GSK_TEXTURE_NODE:
    return TRUE;
  case GSK_TRANSFORM_NODE:
    return has_texture (gsk_transform_node_get_child (node));
  case GSK_CLIP_NODE:
    return has_texture (gsk_clip_node_get_child (node));
  case GSK_CONTAINER_NODE:
    for (guint i = 0; i < gsk_container_node_get_n_children (node); i++) {
      if (has_texture (gsk_container_node_get_child (node, i)))
        return TRUE;
    }
    return FALSE;
  default:
    return FALSE;
  }
}

/* GTK 4.8 colours an icon by a matrix, later ones by a mask. */
static gboolean
is_icon (GskRenderNode *node)
{
  switch (gsk_render_node_get_node_type (node)) {
  case GSK_COLOR_MATRIX_NODE:
    return has_texture (gsk_color_matrix_node_get_child (node));
#if GTK_CHECK_VERSION(4, 10, 0)
  case GSK_MASK_NODE:
    return TRUE;
#endif
  default:
    return FALSE;
  }
}

static void
add_mark (Ink *ink, GskRenderNode *node, GskTransform *transform, const graphene_rect_t *clip)
{
  InkMark mark = { .text = is_icon (node) ? NULL : node };

  gsk_render_node_get_bounds (node, &mark.whole);
  gsk_transform_transform_bounds (transform, &mark.whole, &mark.whole);
  /* What is cut off at an edge, as rows that are scrolled, is half a letter. */
  if (!graphene_rect_intersection (&mark.whole, clip, &mark.bounds)
      || (!mark.text && !graphene_rect_contains_rect (clip, &mark.whole)))
    return;
  mark.transform = gsk_transform_ref (transform);
  g_array_append_val (ink->marks, mark);
}

static GskRenderNode *strip (GskRenderNode *node, GskTransform *transform,
                             const graphene_rect_t *clip, Ink *ink);

static GskRenderNode *
strip_all (GskRenderNode *node, GskTransform *transform, const graphene_rect_t *clip, Ink *ink)
{
  g_autoptr (GPtrArray) children
      = g_ptr_array_new_with_free_func ((GDestroyNotify) gsk_render_node_unref);

  for (guint i = 0; i < gsk_container_node_get_n_children (node); i++) {
    GskRenderNode *child = strip (gsk_container_node_get_child (node, i), transform, clip, ink);

    if (child)
      g_ptr_array_add (children, child);
  }
  return gsk_container_node_new ((GskRenderNode **) children->pdata, children->len);
}

static GskRenderNode *
strip_moved (GskRenderNode *node, GskTransform *transform, const graphene_rect_t *clip, Ink *ink)
{
  GskTransform *own = gsk_transform_node_get_transform (node);
  GskTransform *whole
      = gsk_transform_transform (gsk_transform_ref (transform), gsk_transform_ref (own));
  g_autoptr (GskRenderNode) child = strip (gsk_transform_node_get_child (node), whole, clip, ink);

  gsk_transform_unref (whole);
  /* One that moves nothing is none. */
  if (!child || !own)
    return g_steal_pointer (&child);
  return gsk_transform_node_new (child, own);
}

static GskRenderNode *
strip_clipped (GskRenderNode *node, GskTransform *transform, const graphene_rect_t *clip, Ink *ink)
{
  gboolean is_round = gsk_render_node_get_node_type (node) == GSK_ROUNDED_CLIP_NODE;
  const GskRoundedRect *round = is_round ? gsk_rounded_clip_node_get_clip (node) : NULL;
  const graphene_rect_t *own = is_round ? &round->bounds : gsk_clip_node_get_clip (node);
  graphene_rect_t within;
  g_autoptr (GskRenderNode) child = NULL;

  gsk_transform_transform_bounds (transform, own, &within);
  if (!graphene_rect_intersection (&within, clip, &within))
    return NULL;
  child = strip (is_round ? gsk_rounded_clip_node_get_child (node) : gsk_clip_node_get_child (node),
                 transform, &within, ink);
  if (!child)
    return NULL;
  return is_round ? gsk_rounded_clip_node_new (child, round) : gsk_clip_node_new (child, own);
}

/* The same without letters and icons, which go to @ink. @transform, @clip: of @node in the window.
 * Returns: (nullable): nothing is left */
static GskRenderNode *
strip (GskRenderNode *node, GskTransform *transform, const graphene_rect_t *clip, Ink *ink)
{
  switch (gsk_render_node_get_node_type (node)) {
  case GSK_CONTAINER_NODE:
    return strip_all (node, transform, clip, ink);
  case GSK_TRANSFORM_NODE:
    return strip_moved (node, transform, clip, ink);
  case GSK_CLIP_NODE:
  case GSK_ROUNDED_CLIP_NODE:
    return strip_clipped (node, transform, clip, ink);
  case GSK_DEBUG_NODE:
    return strip (gsk_debug_node_get_child (node), transform, clip, ink);
  case GSK_SHADOW_NODE:
    return strip (gsk_shadow_node_get_child (node), transform, clip, ink);
  case GSK_OPACITY_NODE: {
    g_autoptr (GskRenderNode) child
        = strip (gsk_opacity_node_get_child (node), transform, clip, ink);

    return child ? gsk_opacity_node_new (child, gsk_opacity_node_get_opacity (node)) : NULL;
  }
  case GSK_COLOR_MATRIX_NODE: {
    g_autoptr (GskRenderNode) child = NULL;

    if (is_icon (node)) {
      add_mark (ink, node, transform, clip);
      return NULL;
    }
    child = strip (gsk_color_matrix_node_get_child (node), transform, clip, ink);
    return child ? gsk_color_matrix_node_new (child, gsk_color_matrix_node_get_color_matrix (node),
                                              gsk_color_matrix_node_get_color_offset (node))
                 : NULL;
  }
  case GSK_TEXT_NODE:
    add_mark (ink, node, transform, clip);
    return NULL;
  case GSK_CAIRO_NODE:
    g_ptr_array_add (ink->pictures, node);
    return gsk_render_node_ref (node);
  default:
    if (!is_icon (node))
      return gsk_render_node_ref (node);
    add_mark (ink, node, transform, clip);
    return NULL;
  }
}

/* ---- */

static GskRenderNode *
draw (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget),
                          gtk_widget_get_height (widget));
  return gtk_snapshot_free_to_node (snapshot);
}

Ink *
ink_new (GtkWidget *widget)
{
  Ink *ink = g_new0 (Ink, 1);

  ink->bounds = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                    (float) gtk_widget_get_height (widget));
  ink->marks = g_array_new (FALSE, FALSE, sizeof (InkMark));
  g_array_set_clear_func (ink->marks, mark_clear);
  ink->pictures = g_ptr_array_new ();
  /* Between two frames there may be nothing. */
  for (guint i = 0; i < 40 && !(ink->drawn = draw (widget)); i++)
    app_support_run (25);
  g_assert_nonnull (ink->drawn);
  ink->bare = strip (ink->drawn, NULL, &ink->bounds, ink);
  g_assert_nonnull (ink->bare);
  return ink;
}

void
ink_free (Ink *ink)
{
  gsk_render_node_unref (ink->drawn);
  gsk_render_node_unref (ink->bare);
  g_array_unref (ink->marks);
  g_ptr_array_unref (ink->pictures);
  g_free (ink);
}
