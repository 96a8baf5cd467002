/* pen-preferences-window.h: what the cache holds, and how large it may be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-limit-row.h"
#include "pen-settings-page.h"

G_BEGIN_DECLS

#define PEN_TYPE_PREFERENCES_WINDOW (pen_preferences_window_get_type ())
G_DECLARE_FINAL_TYPE (PenPreferencesWindow, pen_preferences_window, PEN, PREFERENCES_WINDOW,
                      AdwPreferencesWindow)

/* Shows the application's preferences, above @parent (nullable): those that are there already, or
 * new ones. */
PenPreferencesWindow *pen_preferences_window_show (GtkApplication *application, GtkWindow *parent);

G_END_DECLS
