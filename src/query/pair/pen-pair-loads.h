/* pen-pair-loads.h: functions of a row, with loads of equal text as one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-reader.h"

G_BEGIN_DECLS

/*
 * PenPairLoad: a function; of a BPF program or stub, all loads whose texts are equal, or whose text
 * is not known and that have the same tag and length
 * @text: of one of them: a known one, if any is
 * @functions: (element-type PenFunction): most samples first
 */
typedef struct {
  PenPairText *text;
  GPtrArray *functions;
} PenPairLoad;

void pen_pair_load_free (PenPairLoad *self);

/*
 * pen_pair_list_loads:
 * @reader: of recording @side
 * @most: that are wanted, at most
 *
 * Cost: of a program or stub, the text of each load.
 *
 * Returns: (transfer full) (element-type PenPairLoad): in the order of @row's functions
 */
GPtrArray *pen_pair_list_loads (PenPairReader *reader, PenQuery *query, const PenPairRow *row,
                                guint side, guint most, GError **error);

/* Which of both are compared: those of equal text; then the others as they come.
 * Returns: (transfer container) (element-type PenPairLoad) (nullable elements): of A, of B, of A, …
 */
GPtrArray *pen_pair_match_loads (const GPtrArray *a, const GPtrArray *b);

G_END_DECLS
