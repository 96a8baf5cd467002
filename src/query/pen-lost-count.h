/* pen-lost-count.h: how much a capture lost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenLostCount:
 * @records: told by LOST records, as it happened
 * @samples: told by LOST_SAMPLES records. perf writes such at the end of a recording with the
 * kernel's own count of each event (since Linux 6.1): what LOST told is in it once more
 * @repeated: those
 * @unwanted: dropped by a filter, on purpose; in neither
 * @lost: at least so many are missing; what is reported twice is counted once
 */
typedef struct {
  guint64 records;
  guint64 samples;
  guint64 repeated;
  guint64 unwanted;
  guint64 lost;
} PenLostCount;

gboolean pen_lost_count_load (PenStore *store, PenLostCount *count, GError **error);

G_END_DECLS
