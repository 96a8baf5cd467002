/* pen-record-lack.h: data that a recording will be without, and how to get it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  PEN_LACK_KCORE,        /* detail: why /proc/kcore cannot be read */
  PEN_LACK_MODULES,      /* their loads; detail: why */
  PEN_LACK_SOME_MODULES, /* -F or -c is for all events */
  PEN_LACK_NAMES,        /* of the kernel */
  PEN_LACK_BUILD_IDS,    /* in the maps */
  PEN_LACK_WITNESS,      /* detail: why */
  PEN_LACK_COUNTS,       /* of the witness; detail: why */
  PEN_LACK_SNAPSHOTS,    /* detail: their names, and why */
  PEN_LACK_LISTS,        /* of users of patches, made meanwhile; detail: why */
  PEN_LACK_PATCHES,      /* where perf does not record them; detail: why */
  PEN_LACK_DIRECTORY,    /* a stream has none */
} PenLackKind;

/*
 * PenRecordLack:
 * @detail: (nullable): translated where it is a sentence
 */
typedef struct {
  PenLackKind kind;
  char *detail;
} PenRecordLack;

void pen_record_lack_free (PenRecordLack *self);

/* (element-type PenRecordLack): an empty list */
GPtrArray *pen_record_lacks_new (void);
/* @detail: (nullable): copied */
void pen_record_lacks_add (GPtrArray *lacks, PenLackKind kind, const char *detail);
/* Returns: (nullable) (transfer none) */
const PenRecordLack *pen_record_lacks_find (const GPtrArray *lacks, PenLackKind kind);

/* Returns: (transfer full): in the reader's language: what will be missing, why, and how to get it
 */
char *pen_record_lack_describe (const PenRecordLack *self);

G_END_DECLS
