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

G_END_DECLS
