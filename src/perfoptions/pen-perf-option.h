/* pen-perf-option.h: the options of perf record, and whether a word follows them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  PEN_PERF_VALUE_NONE,
  PEN_PERF_VALUE_OPTIONAL, /* only together with the option: "-z3", "--compression-level=3" */
  PEN_PERF_VALUE_NUMBER,   /* with a unit: "16M", "999", "max" */
  PEN_PERF_VALUE_LIST,     /* words, numbers, ranges: "0-3,8", "any,u", "dwarf,8192" */
  PEN_PERF_VALUE_EVENT,
  PEN_PERF_VALUE_TEXT, /* files, programs, processes, filters */
} PenPerfValue;

/*
 * PenPerfOption: an option of perf-record(1), Linux 6.12
 * @letter: '\0': none
 * @name: (nullable): without the dashes
 */
typedef struct {
  char letter;
  const char *name;
  PenPerfValue value;
} PenPerfOption;

/* Returns: (nullable): the option of this very name */
const PenPerfOption *pen_perf_option_find_name (const char *name);

/* The same; and perf takes the beginning of a name for it. Of several that begin so, of which perf
 * takes none, it is the last.
 * Returns: (nullable) */
const PenPerfOption *pen_perf_option_find_beginning (const char *name);

/* Returns: (nullable): the option that "-@letter" gives */
const PenPerfOption *pen_perf_option_find_letter (char letter);

/* Whether the value may be the next word of the command line. */
gboolean pen_perf_option_takes_word (const PenPerfOption *option);

G_END_DECLS
