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
 * @is_kernel: in the kernel's space, where numbers may be addresses
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
 * @words: (out): equal words are the same instruction, but for where it leads and which data it
 *   has: addresses are masked. Lengths of jumps and of no-ops do not matter, nor does how the
 * kernel finds its per-CPU data
 * @names: (out): what is known of those addresses: not every recording knows the same ones
 */
PenPairToken pen_pair_token_write (const PenPairPlace *place, const PenAnnotationLine *line,
                                   GString *words, GString *names);

/* An endbr64, or what the kernel put in its place: it is at the entry of each function of kernels
 * that are built with such, and does nothing. */
gboolean pen_pair_is_landing (const PenAnnotationLine *line);

G_END_DECLS
