/* pen-manual-text.h: the text of the help, in Markdown, as styled text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As much of Markdown as help/manual.py writes: headings, lists, tables, code, strong words, links.
 * A heading that ends with {#name} gets a mark of that name before it. */
void pen_manual_text_fill (GtkTextBuffer *buffer, const char *markdown);

/* Returns: (transfer none) (nullable): the name of the mark that the link at @at leads to; NULL:
 * none is there */
const char *pen_manual_text_get_link (const GtkTextIter *at);

G_END_DECLS
