/* pen-sideband-private.h: what the files of the side band share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sideband.h"

G_BEGIN_DECLS

/* What is kept of every record. */
typedef struct {
  guint64 position;
  guint64 time; /* as recorded */
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  guint32 tenure;
  guint64 change;
  guint8 has;
} Common;

typedef struct {
  Common common;
  guint64 start;
  guint64 length;
  guint64 file_offset;
  const char *name;
  gint32 pid; /* whose map it is */
  gint32 tid;
  guint8 build_id[PEN_BUILD_ID_MAX];
  guint8 build_id_length;
  guint8 is_kernel : 1;
  guint8 is_data : 1;
  guint8 is_snapshot : 1;
  guint8 is_module : 1; /* with a build-id: goes into the history when all are known */
} Map;

typedef struct {
  Common common;
  guint64 address;
  guint64 length;
  const char *name;
  guint16 type;
  gboolean is_unregister;
} Ksymbol;

typedef struct {
  Common common;
  guint32 bpf_id;
  guint8 tag[8];
  gboolean is_unload;
} BpfEvent;

typedef struct {
  Common common;
  const char *what;
  const char *comm;
  gint32 pid;
  gint32 tid;
  gint32 ppid;
  gint32 ptid;
} Task;

struct _PenSideband {
  PenHistory *history;
  GStringChunk *strings;
  GArray *maps;
  guint dropped_build_ids;
  GArray *ksymbols;
  GArray *bpf_events;
  GArray *tasks;
  GHashTable *untimed_pokes; /* position → Common: their time as recorded is not in the history */
  GArray *poke_changes;      /* guint64: place of poke i among all changes */
};

static inline PenMoment
common_moment (const Common *common)
{
  return pen_moment (common->time, common->position);
}

/* Records that the recorder made up itself have a trailer of zeros: nobody's task. */
static inline gboolean
has_task (const Common *common)
{
  if ((common->has & PEN_HAS_TASK) == 0)
    return FALSE;

  return common_moment (common).time != 0 || common->pid != 0 || common->tid != 0;
}

G_END_DECLS
