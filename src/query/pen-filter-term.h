/* pen-filter-term.h: a filter in words: "comm:sh", "!kind:dso", one term for one value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter.h"

G_BEGIN_DECLS

/* No filter that a person makes has more values; one that was read from a file may not either. */
#define PEN_FILTER_TERMS_MAX 1000

/*
 * PenFilterTerm: one value of one part
 * @value: as the command line takes it, but for the mark of exclusion: a name; one number; one
 * word; of a time "4.81,7.29" with all digits that there are; of addresses "FROM-TO", or the one
 * address; "" of `changed`
 */
typedef struct {
  PenFilterPart part;
  gboolean excluded;
  char *value;
} PenFilterTerm;

PenFilterTerm *pen_filter_term_new (PenFilterPart part, gboolean excluded, const char *value);
PenFilterTerm *pen_filter_term_copy (const PenFilterTerm *term);
void pen_filter_term_free (PenFilterTerm *term);
gboolean pen_filter_term_equal (const PenFilterTerm *a, const PenFilterTerm *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFilterTerm, pen_filter_term_free)

/*
 * pen_filter_add_value:
 * @part: one of the lists
 * @text: as the command line takes it: a name, or a list with commas of CPUs (0,2-5), numbers,
 * kinds or causes. A ! in front excludes what follows, all of a list. Where a name itself begins
 * with !, \ or a space, a \ is put before it.
 *
 * Returns: FALSE with G_IO_ERROR_INVALID_ARGUMENT: @filter is as it was
 */
gboolean pen_filter_add_value (PenFilter *filter, PenFilterPart part, const char *text,
                               GError **error);

/* @range: "FROM-TO" in hexadecimal, both inclusive, or one address */
gboolean pen_filter_set_addresses_from_string (PenFilter *filter, const char *range,
                                               GError **error);

/*
 * pen_filter_add_text:
 * @text: "comm:sh", "!kind:dso,anon", "comm:!sh", "time:4.81,7.29", "time:10%,20%",
 *   "address:ffffffff81000000-ffffffff81000fff", "changed"
 * @first, @last: the capture's time range, ns
 */
gboolean pen_filter_add_text (PenFilter *filter, const char *text, guint64 first, guint64 last,
                              GError **error);

/* Returns: (transfer full) (element-type PenFilterTerm): each value, in the order of the parts */
GPtrArray *pen_filter_dup_terms (const PenFilter *filter);
/* A value that is there already is not added again. One that was included and is now excluded, or
 * the other way round, changes sides. Returns: FALSE if its value means nothing */
gboolean pen_filter_add_term (PenFilter *filter, const PenFilterTerm *term);
void pen_filter_remove_term (PenFilter *filter, const PenFilterTerm *term);

/* The text that pen_filter_add_text() takes. Returns: (transfer full) */
char *pen_filter_term_to_text (const PenFilterTerm *term);
/* The argument that the command line takes: "--comm=!sh". Returns: (transfer full) */
char *pen_filter_term_to_argument (const PenFilterTerm *term);

G_END_DECLS
