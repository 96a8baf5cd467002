/* pen-profile-marks.h: what happened beside the samples: patches, programs, losses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-occupant-list.h"
#include "pen-store-changes.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

typedef enum {
  PEN_PROFILE_PATCH,
  PEN_PROFILE_OCCUPANT, /* a BPF program, stub or module, from its load to its unload */
  PEN_PROFILE_LOSS,
} PenProfileMarkSort;

/*
 * PenProfileMark: strings live until the function that got it returns
 * @from, @to: ns; equal for a patch
 * @change, @occupant, @loss: the one of @sort, else NULL
 */
typedef struct {
  PenProfileMarkSort sort;
  guint64 from;
  guint64 to;
  const PenChange *change;
  const PenOccupantRow *occupant;
  const PenLoss *loss;
} PenProfileMark;

/* Return FALSE to stop. */
typedef gboolean (*PenProfileMarkFunc) (const PenProfileMark *mark, gpointer user_data);

/* Those that the filter means, of each sort in time order. @first, @last: the time range to which
 * they are cut. What is outside is left out, where the filter asks for a time; else it stands at
 * the end that is nearer. A patch without a time is left out. */
gboolean pen_profile_marks_foreach (PenQuery *query, const PenFilter *filter, guint64 first,
                                    guint64 last, PenProfileMarkFunc func, gpointer user_data,
                                    GError **error);

G_END_DECLS
