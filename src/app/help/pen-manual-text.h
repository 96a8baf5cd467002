/* pen-manual-text.h: the manual's Markdown as styled text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As much of Markdown as our manual uses: headings, lists, tables, code, strong words, links. */
void pen_manual_text_fill (GtkTextBuffer *buffer, const char *markdown);

G_END_DECLS
