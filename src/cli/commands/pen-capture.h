/* pen-capture.h: the capture that a command is about, opened
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command.h"

G_BEGIN_DECLS

/* For messages. Returns: (transfer full): UTF-8; "standard input" for "-" */
char *pen_capture_display_name (const char *capture);

/* What the user gave beside the capture. Its strings are owned by @arguments. */
PenSources pen_capture_get_sources (const PenArguments *arguments);

/* No output of the command lies over what it reads. */
gboolean pen_capture_check_output (const PenArguments *arguments, GError **error);

/*
 * pen_capture_open:
 *
 * The capture's store: itself, from the cache, or imported now, with progress on a terminal. What
 * comes as a stream goes into a temporary store that has no name any more when this returns.
 */
PenStore *pen_capture_open (const PenArguments *arguments, GError **error);

/* Says on stderr where a capture ends early or what was left out of it, and what is there all the
 * same. */
gboolean pen_capture_warn (const PenArguments *arguments, PenStore *store, GError **error);

/* Every message names the file that it is about, once. */
void pen_capture_name_in_error (const PenArguments *arguments, GError **error);

G_END_DECLS
