/* pen-display.h: text of unknown origin, made fit to be shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Control characters, bidi controls and invalid UTF-8 made visible. Returns: (transfer full) */
char *pen_display_text (const char *text);
/* pen_display_append: pen_display_text() of @text (not NULL) onto @out. */
void pen_display_append (GString *out, const char *text);

/* Whether pen_display_text() leaves @c as it is: it draws something, and moves nothing else. */
gboolean pen_display_is_shown (gunichar c);

/* Columns of a terminal that @text (valid UTF-8) takes. */
guint pen_display_width (const char *text);

G_END_DECLS
