/* pen-fuzz-mutate.h: changes to inputs by what knows their form
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* libFuzzer's: changes that know no form; of replay.c, some of the same kind. */
size_t LLVMFuzzerMutate (guint8 *data, size_t size, size_t max_size);
/* Of a target that has one. The same @seed makes the same of the same. */
size_t LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed);

/* A number that is less than @n; 0 for 0. */
guint pen_fuzz_random (guint *seed, guint n);
/* Of any magnitude; often one at which something ends, or one more or less. */
guint64 pen_fuzz_random_number (guint *seed);

/*
 * pen_fuzz_mutate_lines: a line is doubled, left out, moved or swapped for another one; or a word
 * of one is replaced by a number or another word; or @words gives one
 *
 * @words: (array zero-terminated): of the form
 *
 * Returns: how many bytes @data has then
 */
gsize pen_fuzz_mutate_lines (guint8 *data, gsize size, gsize max_size, guint *seed,
                             const char *const *words);

/* A number of 2, 4 or 8 bytes at a multiple of its size becomes another: another field's, one near
 * it, an end. */
void pen_fuzz_mutate_field (guint8 *data, gsize size, guint *seed);

/* The same, in the headers of an ELF file and of its sections and segments; FALSE if it is none. */
gboolean pen_fuzz_mutate_elf (guint8 *data, gsize size, guint *seed);

/* The same, in a record of a perf.data file or stream; or two records change places, one becomes a
 * copy of another, or of another type. The file is as long as it was, and its parts are where they
 * were. FALSE if it has no records. */
gboolean pen_fuzz_mutate_records (guint8 *data, gsize size, guint *seed);

G_END_DECLS
