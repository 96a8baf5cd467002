/* pen-patch-file.h: patches, in a file beside perf's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record-lack.h"
#include "pen-text-rings.h"

G_BEGIN_DECLS

/*
 * PenPatchFile: DIRECTORY/pentimento/patches: records in the form of perf's pipe, which perf opens,
 * too. The last one says that there are no more (PERF_RECORD_FINISHED_INIT).
 */
typedef struct _PenPatchFile PenPatchFile;

/* @rings: whose records they are */
PenPatchFile *pen_patch_file_new (const char *directory, PenTextRings *rings);
/* @lacks: (element-type PenRecordLack): one more, if not everything is in it */
void pen_patch_file_close (PenPatchFile *self, GPtrArray *lacks);

/* A record of a ring: those of patches, and of lost ones, are kept. */
void pen_patch_file_add (PenPatchFile *self, const guint8 *record, guint32 size);
/* All rings were read. @is_whole: else records of them were given up: then the file has no end */
void pen_patch_file_end_round (PenPatchFile *self, gboolean is_whole);

G_END_DECLS
