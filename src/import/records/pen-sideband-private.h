/* pen-sideband-private.h: what the files of the side band share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-names.h"
#include "pen-sideband.h"

G_BEGIN_DECLS

/* PenOrigin in little: there may be a million. */
typedef struct {
  PenMoment moment;
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  guint has_time : 1;
  guint time_is_max : 1; /* which a moment does not have */
  guint has_task : 1;
} KeptOrigin;

/* PenMapEvent in little. @is_module: with a build-id: goes into the history when all are known */
typedef struct {
  KeptOrigin origin;
  guint64 start;
  guint64 length;
  guint64 file_offset;
  const char *name;
  const guint8 *build_id;
  guint32 change;
  guint32 tenure;
  gint32 pid;
  gint32 tid;
  guint8 build_id_length;
  guint8 evidence;
  guint is_kernel : 1;
  guint is_data : 1;
  guint is_module : 1;
} Map;

typedef enum {
  PEN_TASK_FORK,
  PEN_TASK_EXIT,
  PEN_TASK_COMM,
  PEN_TASK_EXEC,
} PenTaskWhat;

/* PenTaskEvent in little. @comm: NULL: a fork or an exit */
typedef struct {
  KeptOrigin origin;
  const char *comm;
  gint32 pid;
  gint32 tid;
  gint32 ppid;
  gint32 ptid;
  PenTaskWhat what;
} Task;

struct _PenSideband {
  PenHistory *history;
  PenNames *strings;
  GArray *maps; /* Map */
  guint dropped_build_ids;
  guint64 unmapped_modules;
  GArray *ksymbols;   /* PenKsymbolEvent */
  GArray *bpf_events; /* PenBpfEvent */
  GArray *tasks;      /* Task */
};

PenOrigin pen_sideband_get_origin (const KeptOrigin *kept);
PenMapEvent pen_sideband_get_map (const Map *map);

G_END_DECLS
