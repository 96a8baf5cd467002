/* pen-byte-marks.h: which bytes of a version are other than those before it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Marks letters [@start, @end) of a label, in bytes: bold and underlined, so that no colour is
 * needed. */
void pen_byte_marks_add (PangoAttrList *marks, guint start, guint end);
/* Marks, in what pen_format_bytes() makes of @bytes, those that @before has not. Neighbours are one
 * mark. */
void pen_byte_marks_add_changed (PangoAttrList *marks, const guint8 *bytes, guint n,
                                 const guint8 *before, guint n_before);
/* Gives @label the marks. Where it has the same, it need not be laid out again. */
void pen_byte_marks_apply (GtkLabel *label, PangoAttrList *marks);

G_END_DECLS
