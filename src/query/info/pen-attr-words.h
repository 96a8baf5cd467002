/* pen-attr-words.h: perf_event_attr in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-records.h"

G_BEGIN_DECLS

/* Names are those of linux/perf_event.h; bits without a name here are given as a number. */

/* "hardware", "software" …; NULL for the number of a PMU */
const char *pen_attr_type_to_string (guint32 type);
/* "IP TID TIME". Returns: (transfer full) */
char *pen_attr_sample_type_to_string (guint64 sample_type);
char *pen_attr_read_format_to_string (guint64 read_format);
/* "inherit exclude_user". Returns: (transfer full) */
char *pen_attr_flags_to_string (guint64 flags);
/* A clock of clock_gettime(2); NULL for one without a name */
const char *pen_clock_id_to_string (gint64 clock_id);

G_END_DECLS
