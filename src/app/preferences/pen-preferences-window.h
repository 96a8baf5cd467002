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

/* Whether it looks into the cache, or changes it. */
gboolean pen_preferences_window_is_busy (PenPreferencesWindow *self);

PenSettingsPage *pen_preferences_window_get_settings (PenPreferencesWindow *self);
PenLimitRow *pen_preferences_window_get_limit_row (PenPreferencesWindow *self);
/* How much there is in all, as it is shown. */
const char *pen_preferences_window_get_total (PenPreferencesWindow *self);
/* Returns: (transfer none) (nullable): asks whether to remove all, while it does */
AdwMessageDialog *pen_preferences_window_get_question (PenPreferencesWindow *self);
/* Returns: (transfer none) (nullable): what the last toast said */
const char *pen_preferences_window_get_told (PenPreferencesWindow *self);

G_END_DECLS
