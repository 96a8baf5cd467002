/* pen-sideband-private.h: what the files of the side band share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-names.h"
#include "pen-sideband.h"

G_BEGIN_DECLS

/* @is_module: with a build-id: goes into the history when all are known */
typedef struct {
  PenMapEvent event;
  gboolean is_module;
} Map;

struct _PenSideband {
  PenHistory *history;
  PenNames *strings;
  GArray *maps; /* Map */
  guint dropped_build_ids;
  guint64 unmapped_modules;
  GArray *ksymbols;   /* PenKsymbolEvent */
  GArray *bpf_events; /* PenBpfEvent */
  GArray *tasks;      /* PenTaskEvent */
};

G_END_DECLS
