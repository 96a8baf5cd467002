/* pen-capture.h: the capture that a command is about, opened
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command.h"

G_BEGIN_DECLS

/* For messages, fit to be shown. Returns: (transfer full): "standard input" for "-" */
char *pen_capture_display_name (const char *capture);

/* The files of --kallsyms and the like. Its strings are owned by @arguments. */
PenSources pen_capture_get_sources (const PenArguments *arguments);

/* Fails if the output would overwrite an input. */
gboolean pen_capture_check_output (const PenArguments *arguments, GError **error);

/*
 * pen_capture_open:
 *
 * The capture's store: itself, from the cache, or imported now, with progress on a terminal. A
 * stream is imported into a temporary store, which is unlinked when this returns.
 */
PenStore *pen_capture_open (const PenArguments *arguments, GError **error);

/* Prints on stderr where a capture is cut off, and how many records were set aside. */
gboolean pen_capture_warn (const PenArguments *arguments, PenStore *store, GError **error);

/* Puts the capture's name before a message that does not name a file already. */
void pen_capture_name_in_error (const PenArguments *arguments, GError **error);

G_END_DECLS
