/* pen-query-patch-path.h: the code that asked for a patch, by callchains of the task that patched
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

typedef enum {
  PEN_PATCH_PATH_UNKNOWN, /* no sample of the task in the code that patches, or none with callers */
  PEN_PATCH_PATH_DURING,  /* samples between the first and the last poke of the batch */
  PEN_PATCH_PATH_NEAR, /* one before or after it, nearer to it than to other batches of the task */
  PEN_PATCH_PATHS,
} PenPatchPathSource;

/* "", "during", "near" */
const char *pen_patch_path_source_to_string (PenPatchPathSource source);

/* How far from a batch a sample may be, ns. */
#define PEN_PATCH_PATH_MOST 100000000u
/* Samples of one batch that are looked at. */
#define PEN_PATCH_PATH_SAMPLES 64

/*
 * PenPatchPath:
 * @callers: the functions that called the code that patches, the nearest first: "sysctl_schedstats
 *   < proc_sys_call_handler < vfs_write"; NULL: unknown. Owned by the query
 * @samples: with these callers, of @looked_at samples in the code that patches
 * @distance: of a near one, ns to the batch
 */
typedef struct {
  PenPatchPathSource source;
  const char *callers;
  guint samples;
  guint looked_at;
  guint64 distance;
} PenPatchPath;

/*
 * pen_query_find_patch_path:
 * @batch: id
 *
 * Cost: the first time all frames of callchains; for each batch the blocks of samples around it,
 * each of which is read once.
 */
gboolean pen_query_find_patch_path (PenQuery *self, guint32 batch, PenPatchPath *path,
                                    GError **error);

/* "Called from sysctl_schedstats < … (12 samples while patching)". Returns: (transfer full)
 * (nullable): unknown */
char *pen_patch_path_describe (const PenPatchPath *path);

G_END_DECLS
