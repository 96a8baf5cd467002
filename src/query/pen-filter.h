/* pen-filter.h: which samples and changes a question is about
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-words.h"

G_BEGIN_DECLS

/*
 * PenFilter: all set parts must hold; within one part any of its values. Times are ns.
 * A plain struct: copied, compared, kept in histories.
 */
typedef struct {
  gboolean has_time;
  guint64 from;     /* inclusive */
  guint64 to;       /* inclusive */
  GArray *cpus;     /* guint32, or NULL: any */
  GArray *pids;     /* gint32 */
  GArray *tids;     /* gint32 */
  GPtrArray *comms; /* char * */
  GPtrArray *events;
  guint32 kinds; /* bit per PenKind; 0: any */
  GPtrArray *occupants;
  GPtrArray *symbols;
  gboolean has_address;
  guint64 address_from; /* inclusive */
  guint64 address_to;   /* inclusive */
  guint32 causes;       /* bit per PenCause; 0: any */
  gboolean changed;     /* only text that had more than one occupant or revision */
} PenFilter;

PenFilter *pen_filter_new (void);
PenFilter *pen_filter_copy (const PenFilter *filter);
void pen_filter_free (PenFilter *filter);
gboolean pen_filter_equal (const PenFilter *a, const PenFilter *b);
gboolean pen_filter_is_empty (const PenFilter *filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFilter, pen_filter_free)

/*
 * pen_filter_set_time_from_string:
 * @text: "FROM,TO" in seconds as perf prints them ("4.81,7.29", either end may be empty), or in
 *   per cent of the capture ("10%,20%")
 * @first, @last: the capture's time range, ns
 */
gboolean pen_filter_set_time_from_string (PenFilter *filter, const char *text, guint64 first,
                                          guint64 last, GError **error);

/* One of its lists of names: an empty one, or NULL, holds all. @word: may be NULL */
gboolean pen_filter_has_word (const GPtrArray *words, const char *word);

G_END_DECLS
