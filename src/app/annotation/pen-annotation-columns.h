/* pen-annotation-columns.h: the cells of an annotation row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  PEN_ANNOTATION_OFFSET,
  PEN_ANNOTATION_SAMPLES,
  PEN_ANNOTATION_BYTES,
  PEN_ANNOTATION_INSTRUCTION,
  PEN_ANNOTATION_SOURCE,
  PEN_ANNOTATION_TIME,
  PEN_ANNOTATION_COLUMNS,
} PenAnnotationColumn;

/* Rows are GtkTreeListRow over PenSlot. */
void pen_annotation_columns_add (GtkColumnView *view);

G_END_DECLS
