/* pen-purposes.h: for whom text was patched, as the recorder's snapshots name them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-sources.h"

G_BEGIN_DECLS

/*
 * PenPurposes: the kernel's lists of the start and the end: probes, tracers, live patches, BPF
 * links and switches.
 */
typedef struct _PenPurposes PenPurposes;

/* Who patched was there still, or already, when the list was made. */
typedef enum {
  PEN_LISTED_START = 1 << 0,
  PEN_LISTED_END = 1 << 1,
} PenListed;

/* Reads them. @features: its programs are named, too; both outlive it. Lists with lines that cannot
 * be read become problems of @sources. */
PenPurposes *pen_purposes_new (PenLoadedSources *sources, const PenFeatures *features);
void pen_purposes_free (PenPurposes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPurposes, pen_purposes_free)

/*
 * pen_purposes_find:
 * @poke: its cause, sides and key are known
 * @entry: (nullable): the function whose entry it is
 * @listed: the lists that may name its user: the end's first if it sets something, else the start's
 *
 * "kprobe probes/open", "tracer function_graph", "livepatch NAME", "trace_fentry NAME (id 34)",
 * "sysctl kernel.sched_schedstats 0 → 1"; several with commas.
 *
 * Returns: (nullable): not known; owned by @self
 */
const char *pen_purposes_find (PenPurposes *self, const PenPoke *poke, const char *entry,
                               PenListed listed);

/* The function that ftrace's trampoline at @address calls. @is_end: as of the end, else of the
 * start. Returns: (nullable): owned by @self */
const char *pen_purposes_find_user (PenPurposes *self, guint64 address, gboolean is_end);

G_END_DECLS
