/* pen-settings-page.h: syntax and sources, as a page of the preferences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-decoder.h"
#include "pen-settings.h"

G_BEGIN_DECLS

/* Emits "changed" when something was chosen, "failed" with a message when it could not be kept. */
#define PEN_TYPE_SETTINGS_PAGE (pen_settings_page_get_type ())
G_DECLARE_FINAL_TYPE (PenSettingsPage, pen_settings_page, PEN, SETTINGS_PAGE, AdwPreferencesPage)

/* NULL until they were read. */
const PenSettings *pen_settings_page_get_settings (PenSettingsPage *self);

/* @path: (nullable) */
void pen_settings_page_set_path (PenSettingsPage *self, PenSourcePath which, const char *path);

G_END_DECLS
