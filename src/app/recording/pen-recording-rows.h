/* pen-recording-rows.h: the rows that the page of a recording is made of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Texts are plain, and fit to be shown; NULL: none. */
AdwPreferencesGroup *pen_recording_add_group (AdwPreferencesPage *page, const char *title,
                                              const char *description);
GtkWidget *pen_recording_new_row (const char *title, const char *subtitle);
/* A value to read and to copy. */
GtkWidget *pen_recording_new_property (const char *title, const char *value);
/* Adds rows [@first, @first + @n) of what @owner shows. */
typedef void (*PenRecordingFill) (gpointer owner, AdwExpanderRow *list, guint first, guint n);
/* Folded: a row takes a millisecond to make, so that @fill is called when the list is unfolded for
 * the first time. @owner: (type GObject) */
void pen_recording_add_list (AdwPreferencesGroup *group, const char *title, const char *subtitle,
                             PenRecordingFill fill, guint first, guint n, gpointer owner);
/* A sign and words for whether something is as it should be. */
void pen_recording_add_check (AdwPreferencesGroup *group, gboolean is_good, const char *title,
                              const char *good, const char *bad);
/* Returns: the button that copies */
GtkWidget *pen_recording_add_command (AdwPreferencesGroup *group, const char *title,
                                      const char *command);
/* Each of @hidden (element-type PenHiddenPlace) with the command that opens it; nothing without
 * any.
 */
void pen_recording_add_hidden (AdwPreferencesPage *page, const GPtrArray *hidden);

G_END_DECLS
