/* pen-command-row.h: a command for a terminal, and a button that copies it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define PEN_TYPE_COMMAND_ROW (pen_command_row_get_type ())
G_DECLARE_FINAL_TYPE (PenCommandRow, pen_command_row, PEN, COMMAND_ROW, AdwPreferencesRow)

/* @command: (nullable): NULL: there is none yet, and nothing to copy */
void pen_command_row_set_command (PenCommandRow *self, const char *command);

G_END_DECLS
