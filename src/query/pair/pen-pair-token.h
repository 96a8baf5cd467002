/* pen-pair-token.h: an instruction without what moves with a build or a boot
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotator.h"

G_BEGIN_DECLS

/* Writes what stands at @address, as it is called in any recording; nothing where that is not
 * known. */
typedef void (*PenPairNameFunc) (guint64 address, GString *name, gpointer user_data);

/*
 * PenPairPlace: where an instruction stands
 * @start, @end: of its function
 * @is_kernel: in the kernel's space, where numbers may be addresses, and nearly all of them have
 *   names. Of a file only some do, not the same ones in every recording
 */
typedef struct {
  guint64 start;
  guint64 end;
  gboolean is_kernel;
  PenPairNameFunc find_name;
  gpointer user_data;
} PenPairPlace;

/*
 * PenPairToken:
 * @has_target: it leads to @target in its own function, which is not in its words
 * @is_masked: an address in it has no known name, and stands as “…”
 */
typedef struct {
  gboolean has_target;
  guint64 target;
  gboolean is_masked;
} PenPairToken;

/*
 * pen_pair_token_write:
 * @line: in AT&T syntax
 * @words: (out): equal words are the same instruction: targets by name and offset, data by its
 *   symbol; addresses without a name are masked, and so are all of a file. Lengths of jumps do not
 *   matter
 * @names: (out): of a file, what is known of those
 */
PenPairToken pen_pair_token_write (const PenPairPlace *place, const PenAnnotationLine *line,
                                   GString *words, GString *names);

G_END_DECLS
