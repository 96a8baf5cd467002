/* pen-graft.h: the witness in the events of a running perf record
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-witness.h"

G_BEGIN_DECLS

/*
 * pen_graft:
 * @perf: a process that has opened its events; not waited for yet
 * @data: the file that it records to, with its header
 * @cpus: (element-type guint): those that it records, ascending
 *
 * Takes copies of perf's events (pidfd_getfd(), Linux 5.6, which needs the right to trace it),
 * gives those for output to the witness, and attaches it to those that sample for it. perf's own
 * copies keep the program attached: when perf ends, however it ends, nothing is left. Output ends
 * with
 * @witness.
 *
 * Returns: FALSE with @error, when the witness is attached to no event or to some of them
 */
gboolean pen_graft (PenWitness *witness, GPid perf, const char *data, const GArray *cpus,
                    GError **error);

G_END_DECLS
