/* pen-purposes.h: for whom text was patched, as the recorder's snapshots name them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-sources.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * PenPurposes: the kernel's lists of the start, of the end, and of times in between: probes,
 * tracers, live patches, BPF links and switches.
 */
typedef struct _PenPurposes PenPurposes;

/* Reads them. @features: its programs are named, too; both outlive it. Lists with lines that cannot
 * be read become problems of @sources. */
PenPurposes *pen_purposes_new (PenLoadedSources *sources, const PenFeatures *features);
void pen_purposes_free (PenPurposes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPurposes, pen_purposes_free)

/* See pen_listed_users_find(). @since: 0: the list of the start counts, too; @until: G_MAXUINT64:
 * that of the end. Returns: (nullable): owned by @self */
const char *pen_purposes_find (PenPurposes *self, const PenPoke *poke, const char *entry,
                               guint64 since, guint64 until);

/* When lists show for whom memory is that one user has as long as it is there. */
void pen_purposes_get_span (const PenTenure *tenure, guint64 *since, guint64 *until);

/* The function that a trampoline of ftrace calls. Returns: (nullable): owned by @self */
const char *pen_purposes_find_called (PenPurposes *self, const PenTenure *trampoline);

G_END_DECLS
