/* ink.h: where letters and icons are in what a widget draws
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* InkMark: a run of letters, or a symbolic icon.
 * @bounds: in the widget, as far as it is in sight
 * @whole: the same without what is cut off */
typedef struct {
  graphene_rect_t bounds;
  graphene_rect_t whole;
  GskRenderNode *text; /* (nullable): an icon; not referenced */
  GskTransform *transform;
} InkMark;

/*
 * Ink: what a widget draws.
 * @bare: the same without letters and icons
 * @pictures: parts that are drawn pixel by pixel, which is what our own views do; not referenced
 */
typedef struct {
  graphene_rect_t bounds;
  GskRenderNode *drawn;
  GskRenderNode *bare;
  GArray *marks;       /* (element-type InkMark) */
  GPtrArray *pictures; /* (element-type GskRenderNode) */
} Ink;

/* Of @widget, which is mapped, and all in it. */
Ink *ink_new (GtkWidget *widget);
void ink_free (Ink *ink);

G_END_DECLS
