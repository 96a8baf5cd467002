/* pen-container.h: which files a capture is made of, and what its header says
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-event-table.h"
#include "pen-features.h"
#include "pen-file.h"
#include "pen-problems.h"

G_BEGIN_DECLS

/*
 * PenDataRange: a stretch of records: in the first file the data section, in the others the whole
 * file
 * @is_of_patches: see @patch_events
 */
typedef struct {
  guint file;
  guint64 begin;
  guint64 end;
  gboolean is_of_patches;
} PenDataRange;

/*
 * PenContainer:
 * @files: (element-type PenFile): the first has the header
 * @ranges: (element-type PenDataRange): in the order to read them in
 * @kcore_dir, @record_dir: `kcore_dir`, `pentimento`; NULL if there is none
 * @has_patches: the recorder writes some beside perf
 * @patch_events: (nullable): of records in pipe form that the recorder wrote beside perf
 *   (`pentimento/patches`, docs/recording.md); they describe them themselves
 * @is_pipe: no header but 16 bytes; events and features are records
 * @wrapper: what the first file was unpacked from
 */
typedef struct {
  GPtrArray *files;
  GArray *ranges;
  char *kcore_dir;
  char *record_dir;
  gboolean has_patches;
  PenEventTable *patch_events;
  gboolean big_endian;
  gboolean is_pipe;
  gboolean is_directory;
  PenWrapper wrapper;
} PenContainer;

/*
 * pen_container_open:
 * @path: "-" is standard input
 * @is_growing: its recorder may still write it: that is no problem
 * @events, @features: filled with what the header has
 * @problems: what is wrong with the header but leaves the records readable
 */
PenContainer *pen_container_open (const char *path, gboolean is_growing, PenEventTable *events,
                                  PenFeatures *features, PenProblems *problems,
                                  GCancellable *cancellable, GError **error);
/* The files that have records, open for reading; the first has the header.
 * Returns: (transfer full) (element-type PenFile): NULL: there is none, or it cannot be read */
GPtrArray *pen_container_open_files (const char *path);
void pen_container_free (PenContainer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenContainer, pen_container_free)

G_END_DECLS
