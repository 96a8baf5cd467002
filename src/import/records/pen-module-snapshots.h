/* pen-module-snapshots.h: lists of modules, and when they held, into the history
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-modules.h"
#include "pen-snapshot-file.h"

G_BEGIN_DECLS

/*
 * PenModuleList: one list of modules, as a source has it
 * @modules: (element-type PenModule)
 * @time: ns: when it was made, with a @date but that of the start
 * @is_rough: from names
 */
typedef struct {
  const GArray *modules;
  PenSnapshotDate date;
  guint64 time;
  gboolean is_rough;
  PenEvidence evidence;
} PenModuleList;

/*
 * pen_module_snapshot_add:
 * @release: (nullable): of the kernel: since 6.4 it counts memory of all kinds as a module's
 *
 * Two modules at one address are a contradiction: neither is used (M6).
 *
 * Returns: (transfer full) (nullable): the names of two such, "[a]" and "[b]"
 */
char **pen_module_snapshot_add (const PenModuleList *list, const char *release,
                                PenHistory *history);

G_END_DECLS
