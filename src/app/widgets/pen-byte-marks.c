/* pen-byte-marks.c: which bytes of a version are other than those before it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-byte-marks.h"

/* "0f 1f 44" */
#define LETTERS 3

void
pen_byte_marks_add (PangoAttrList *marks, guint start, guint end)
{
  PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
  PangoAttribute *line = pango_attr_underline_new (PANGO_UNDERLINE_SINGLE);

  bold->start_index = line->start_index = start;
  bold->end_index = line->end_index = end;
  pango_attr_list_insert (marks, bold);
  pango_attr_list_insert (marks, line);
}

void
pen_byte_marks_apply (GtkLabel *label, PangoAttrList *marks)
{
  PangoAttrList *old = gtk_label_get_attributes (label);
  g_autoptr (PangoAttrList) none = pango_attr_list_new ();

  if (!pango_attr_list_equal (old ? old : none, marks))
    gtk_label_set_attributes (label, marks);
}

void
pen_byte_marks_add_changed (PangoAttrList *marks, const guint8 *bytes, guint n,
                            const guint8 *before, guint n_before)
{
  for (guint i = 0, end; i < n; i = end + 1) {
    end = i;
    while (end < n && (end >= n_before || bytes[end] != before[end]))
      end++;
    if (end > i)
      pen_byte_marks_add (marks, LETTERS * i, LETTERS * end - 1);
  }
}
