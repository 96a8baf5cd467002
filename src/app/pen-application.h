/* pen-application.h: windows, files from the command line, keys, About
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define PEN_TYPE_APPLICATION (pen_application_get_type ())
G_DECLARE_FINAL_TYPE (PenApplication, pen_application, PEN, APPLICATION, AdwApplication)

/* @flags: beside G_APPLICATION_HANDLES_OPEN */
PenApplication *pen_application_new (GApplicationFlags flags);

/* After the run: how the process ends. */
int pen_application_get_exit_status (PenApplication *self);

G_END_DECLS
