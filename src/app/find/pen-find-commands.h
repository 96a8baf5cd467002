/* pen-find-commands.h: pages and actions of the window, by their names
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* @text: "": all of them; else those whose name has it, case ignored.
 * Returns: (transfer full) (element-type PenFoundItem) */
GPtrArray *pen_find_commands_match (const char *text);

G_END_DECLS
