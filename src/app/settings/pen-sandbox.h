/* pen-sandbox.h: files of this system that a Flatpak does not see
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Source: flatpak-metadata(5), flatpak-run(1) */
#define PEN_SANDBOX_INFO "/.flatpak-info"

gboolean pen_sandbox_is_inside (void);

/* PenHiddenPlace: files that would give names or code
 * @what: a title for people, translated
 * @command: for a terminal: opens them to the next start, for reading
 */
typedef struct {
  const char *what;
  char *command;
} PenHiddenPlace;

/*
 * pen_sandbox_list_hidden:
 * @info: file with the permissions of a sandbox: %PEN_SANDBOX_INFO
 * @home: of the user
 *
 * Returns: (transfer full) (element-type PenHiddenPlace): empty without a sandbox
 */
GPtrArray *pen_sandbox_list_hidden (const char *info, const char *home);

G_END_DECLS
