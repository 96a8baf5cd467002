/* pen-clean-rules.h: what becomes of each column where a store is cleaned
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-table.h"

G_BEGIN_DECLS

typedef enum {
  PEN_RULE_UNDECIDED, /* not listed: as PEN_RULE_DROP; a test fails */
  PEN_RULE_DROP,      /* NULL, 0, or empty */
  PEN_RULE_KEEP,      /* numbers, times, words of ours, names of the kernel's own code */
  PEN_RULE_ADDRESS,
  PEN_RULE_BYTES, /* code at the row's address or start */
  PEN_RULE_TASK,  /* from here on: PenCleanText */
  PEN_RULE_FILE,
  PEN_RULE_SYMBOL,
  PEN_RULE_SOURCE,
  PEN_RULE_KERNEL,
  PEN_RULE_PROGRAM,
  PEN_RULE_WORDS,
  PEN_RULE_KEY,
  PEN_RULE_EVENT,
  PEN_RULE_OCCUPANT, /* by the row's kind: of the kernel's own kept, else a program or a file */
  PEN_RULE_NAME,     /* the same: of a map */
  PEN_RULE_FUNCTION, /* the same: of a function */
  PEN_RULE_MAP,      /* by is_kernel: a map of the kernel, or a file */
  PEN_RULE_REASON,   /* its word, without arguments */
  PEN_RULE_BUILD_ID, /* of the kernel and its modules, by kind or is_kernel; else dropped */
  PEN_RULE_BUCKETS,  /* packs with addresses */
  PEN_RULE_FRAMES,
  PEN_RULE_SYMBOLS,
  PEN_RULES,
} PenCleanRule;

/* Is the table copied at all? One that is not listed is not. */
gboolean pen_clean_rules_has_table (const PenStoreTable *table);
/* Is that decided? */
gboolean pen_clean_rules_knows_table (const PenStoreTable *table);
PenCleanRule pen_clean_rules_find (const PenStoreTable *table, const PenStoreColumn *column);

G_END_DECLS
