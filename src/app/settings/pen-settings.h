/* pen-settings.h: what the person prefers, for all windows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"
#include "pen-import.h"

G_BEGIN_DECLS

/*
 * PenSettings: groups `start`, `code` and `sources` of $XDG_CONFIG_HOME/pentimento/settings.ini
 * @reopens: the recordings that were open at the end, where none is given
 * @paths: kallsyms, kcore, modules, vmlinux, symfs: NULL where none is given
 */
typedef enum {
  PEN_SOURCE_VMLINUX,
  PEN_SOURCE_KALLSYMS,
  PEN_SOURCE_KCORE,
  PEN_SOURCE_MODULES,
  PEN_SOURCE_SYMFS,
  PEN_SOURCE_PATHS,
} PenSourcePath;

typedef struct {
  gboolean reopens;
  PenSyntax syntax;
  char *paths[PEN_SOURCE_PATHS][2]; /* a list of one, or of none, as PenSources has it */
  gboolean debuginfod;
  gboolean source_lines; /* from all debug information, however much there is */
} PenSettings;

/* Blocks. Settings that cannot be read have their defaults. */
PenSettings *pen_settings_load (void);
void pen_settings_free (PenSettings *settings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSettings, pen_settings_free)

/* Points into @settings. */
PenSources pen_settings_get_sources (const PenSettings *settings);

/* In threads of their own; the application lives until a save is done. A save leaves whatever else
 * is in the file; of several the last one asked for holds. */
void pen_settings_load_async (GAsyncReadyCallback callback, gpointer user_data);
PenSettings *pen_settings_load_finish (GAsyncResult *result);
void pen_settings_save_async (const PenSettings *settings, GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean pen_settings_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
