/* pen-slots.h: the instructions of one tenure's range over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"

G_BEGIN_DECLS

/* The arguments of pen_annotation_build() that concern each tenure. */
typedef struct {
  guint64 start;
  guint64 end;
  const PenPoke *const *pokes;
  gsize n_pokes;
  PenDecoder *decoder;
  PenTargetFunc target_func;
  gpointer user_data;
  PenCancelCheck *check; /* (nullable): once it is stopped, lines are missing */
  const guint64 *byte;   /* (nullable): only lines that have this byte are added, over time */
} PenSlotsInput;

/*
 * pen_slots_add_lines:
 * @lines: (element-type PenAnnotationLine): one is added for each version of each instruction slot
 *   of @tenure, in no particular order; samples and versions are not counted yet
 *
 * Decodes the text that was there first, then what each poke made of the instructions around it.
 */
void pen_slots_add_lines (const PenSlotsInput *input, const PenAnnotationTenure *tenure,
                          GPtrArray *lines);

/*
 * pen_slots_add_lines_at:
 * @input: of its pokes only those are needed that pen_store_load_pokes_at() gives, in time order
 * @moment: just before it
 *
 * The text at one moment, rests included: the same lines as those of pen_slots_add_lines() of that
 * moment. Their @from and @to are the times since and until which all their bytes stayed the same;
 * revisions and versions are not counted. Bytes that are not known have no line.
 */
void pen_slots_add_lines_at (const PenSlotsInput *input, const PenAnnotationTenure *tenure,
                             PenMoment moment, GPtrArray *lines);

G_END_DECLS
