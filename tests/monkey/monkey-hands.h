/* monkey-hands.h: a real pointer and real keys: what is done reaches the window through the X
 * server
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _MonkeyHands MonkeyHands;

/* Needs xdotool, and DISPLAY. */
MonkeyHands *monkey_hands_new (GError **error);
/* Adds a command of xdotool to what is done next. */
void monkey_hands_add (MonkeyHands *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Adds the keys of @text, letter by letter. */
void monkey_hands_add_text (MonkeyHands *self, const char *text);
/* Does what was added; @done is called when the server has all of it. */
void monkey_hands_do (MonkeyHands *self, GSourceFunc done, gpointer data);

G_END_DECLS
