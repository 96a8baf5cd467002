/* pen-filter.h: which samples and changes a question is about
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-words.h"

G_BEGIN_DECLS

/* The parts of a filter. The ones before PEN_FILTER_LISTS take several values, and values that are
 * excluded. */
typedef enum {
  PEN_FILTER_CPU,
  PEN_FILTER_PID,
  PEN_FILTER_TID,
  PEN_FILTER_COMM,
  PEN_FILTER_EVENT,
  PEN_FILTER_KIND,
  PEN_FILTER_OCCUPANT,
  PEN_FILTER_SYMBOL,
  PEN_FILTER_BPF,    /* a program's id */
  PEN_FILTER_TENURE, /* its number */
  PEN_FILTER_CAUSE,
  PEN_FILTER_LISTS,
  PEN_FILTER_TIME = PEN_FILTER_LISTS,
  PEN_FILTER_ADDRESS,
  PEN_FILTER_CHANGED,
  PEN_FILTER_PARTS,
} PenFilterPart;

/* "cpu", "comm" …: the names of the command line's options, too */
const char *pen_filter_part_to_string (PenFilterPart part);
gboolean pen_filter_part_from_string (const char *word, PenFilterPart *part);

/*
 * PenFilterValues: of the parts that take several; empty, or NULL, or 0: none
 */
typedef struct {
  GArray *cpus;     /* guint32 */
  GArray *pids;     /* gint32 */
  GArray *tids;     /* gint32 */
  GPtrArray *comms; /* char * */
  GPtrArray *events;
  guint32 kinds; /* bit per PenKind */
  GPtrArray *occupants;
  GPtrArray *symbols;
  GArray *bpf_ids; /* gint32 */
  GArray *tenures; /* gint32 */
  guint32 causes;  /* bit per PenCause */
} PenFilterValues;

/*
 * PenFilter: all set parts must hold; within one part any of its values (@only), and none of those
 * that are excluded (@none). A thing without a value there — a sample without a CPU, text without a
 * symbol — is none of those excluded. Times are ns. A plain struct: copied, compared, kept in
 * histories.
 */
typedef struct {
  gboolean has_time;
  guint64 from; /* inclusive */
  guint64 to;   /* inclusive */
  PenFilterValues only;
  PenFilterValues none;
  gboolean has_address;
  guint64 address_from; /* inclusive */
  guint64 address_to;   /* inclusive */
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

/* One end of such a range: seconds, or per cent. Returns: FALSE: it is no time. */
gboolean pen_time_from_string (const char *text, guint64 first, guint64 last, guint64 *time);

/* ---- what a filter admits, part by part ---- */

/* Does it ask for that part at all? */
gboolean pen_filter_asks (const PenFilter *filter, PenFilterPart part);
/* Must that part have one of some values? It does not where values are only excluded. */
gboolean pen_filter_requires (const PenFilter *filter, PenFilterPart part);
/* @word: a comm, event, occupant or symbol; may be NULL */
gboolean pen_filter_admits_word (const PenFilter *filter, PenFilterPart part, const char *word);
/* @number: a CPU, pid, tid, program or tenure; @is_known: whether there is one */
gboolean pen_filter_admits_number (const PenFilter *filter, PenFilterPart part, gboolean is_known,
                                   gint32 number);
/* Does it ask which tenure it was, by its number or its program? */
gboolean pen_filter_asks_tenures (const PenFilter *filter);
/* @bpf_id: 0: no program's; @tenure: 0: none is known */
gboolean pen_filter_admits_tenure (const PenFilter *filter, guint32 tenure, guint32 bpf_id);
/* Bit per PenKind */
guint32 pen_filter_get_kinds (const PenFilter *filter);

static inline gboolean
pen_filter_admits_kind (const PenFilter *filter, PenKind kind)
{
  return (filter->only.kinds == 0 || filter->only.kinds >> kind & 1)
         && !(filter->none.kinds >> kind & 1);
}

/* Only pokes, of all changes, have a cause. */
static inline gboolean
pen_filter_admits_cause (const PenFilter *filter, gboolean is_poke, PenCause cause)
{
  return (filter->only.causes == 0 || (is_poke && filter->only.causes >> cause & 1))
         && !(is_poke && filter->none.causes >> cause & 1);
}

G_END_DECLS
