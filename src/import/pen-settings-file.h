/* pen-settings-file.h: the one file of what the person prefers, which several writers share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns: (transfer full): $XDG_CONFIG_HOME/pentimento/settings.ini */
char *pen_settings_file_path (void);

/* Returns: (transfer full) (nullable): empty where there is no file; NULL with @error, which names
 * the file, where it cannot be read. Blocks. */
GKeyFile *pen_settings_file_read (GError **error);

/* Writes into @file what is to change, and leaves the rest.
 * Returns: FALSE: the file stays as it is */
typedef gboolean (*PenSettingsChange) (GKeyFile *file, gpointer data);

/*
 * Reads the file, lets @change alter it and writes it back, all under a lock, so that of two
 * threads or processes neither loses what the other changed. A file that cannot be read is left
 * alone. Blocks.
 */
gboolean pen_settings_file_change (PenSettingsChange change, gpointer data, GError **error);

G_END_DECLS
