/* pen-pasted-log.h: what logs and tools print before a place, and the time in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-slice.h"

G_BEGIN_DECLS

/* Takes stamps, levels and names of hosts off the beginning. @time: (out) (nullable): ns, of the
 * first stamp in seconds. Returns: whether there was one */
gboolean pen_pasted_log_take (PenSlice *line, guint64 *time);

/* The time of a line of perf or ftrace, in ns: "sh 132 [000] 5.844816: 250000 cycles:". @rest:
 * (out) (optional): what follows it */
gboolean pen_pasted_log_find_time (PenSlice line, guint64 *time, PenSlice *rest);

G_END_DECLS
