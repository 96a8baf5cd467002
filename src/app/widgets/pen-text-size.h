/* pen-text-size.h: how large a person wants text, for what is as wide as text is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Widths in the code are those for text of the usual size; they are to be multiplied by this: 1 to
 * 4, from the desktop's font and its scaling. */
double pen_text_size_get_scale (void);

/* Calls @callback (swapped: with @object) whenever it may have changed, as long as @object lives.
 */
void pen_text_size_watch (gpointer object, GCallback callback);

G_END_DECLS
