/* pen-picture-widget.h: what widgets that draw a picture have in common
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The pointer over a widget, in its pixels. */
typedef struct {
  gboolean is_over;
  double x;
  double y;
} PenPointer;

typedef void (*PenPictureFunc) (gpointer widget);

/* In the class init: an image, with the style of all of them. */
void pen_picture_widget_class_init (GtkWidgetClass *widget_class);
/* @invalidate: the colours are others, or the scale */
void pen_picture_widget_init (GtkWidget *widget, PenPictureFunc invalidate);
/* Keeps @pointer, which is a part of @widget. @moved: it did, or left; then the tooltip follows */
void pen_picture_widget_track (GtkWidget *widget, PenPointer *pointer, PenPictureFunc moved);

G_END_DECLS
