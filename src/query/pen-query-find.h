/* pen-query-find.h: what a person looks for, typed or pasted: who was there, then and at other
 * times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-table.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* In the order in which they are listed. */
typedef enum {
  PEN_FOUND_ADDRESS,  /* who held a place */
  PEN_FOUND_FUNCTION, /* that has the text in its name */
  PEN_FOUND_TASK,
  PEN_FOUND_KEY, /* a static key or static call */
  PEN_FOUND_TIME,
  PEN_FOUND_OCCUPANT, /* a program, stub or module, by name, id or tag */
  PEN_FOUNDS,
} PenFoundKind;

typedef enum {
  PEN_FOUND_ALWAYS, /* it has no time */
  PEN_FOUND_THEN,   /* at the time that was asked for */
  PEN_FOUND_BEFORE,
  PEN_FOUND_AFTER,
} PenFoundWhen;

/* Remark on a row. */
typedef enum {
  PEN_REMARK_NONE,
  PEN_REMARK_LENGTH,     /* the trace states another length of the function: @stated */
  PEN_REMARK_NAME,       /* the trace has another name there */
  PEN_REMARK_SEVERAL,    /* several of that name were there then */
  PEN_REMARK_NOT_THEN,   /* nothing of that name was there then, but at another time */
  PEN_REMARK_PAST_END,   /* the offset is past the end of all that had the name */
  PEN_REMARK_NO_NAME,    /* no text of that name is known */
  PEN_REMARK_NO_ONE,     /* no occupant is known at that time */
  PEN_REMARK_USER_SPACE, /* an address of a process, which is not known */
  PEN_REMARK_MORE,       /* there are more rows than are listed */
  PEN_REMARKS,
} PenFoundRemark;

/* "address", "function" …; "then" …; "other length" …: as in tables */
const char *pen_found_kind_to_string (PenFoundKind kind);
const char *pen_found_when_to_string (PenFoundWhen when);
const char *pen_found_remark_to_string (PenFoundRemark remark);

/* Limit of a pasted text: an oops has a hundred lines. */
#define PEN_FIND_TEXT_MAX (1u << 20)
/* More rows for one place, or for one group, are not listed. */
#define PEN_FOUND_ROWS_MAX 200u

/*
 * PenFoundRow:
 * @place: index into @places; G_MAXUINT: not of a place
 * @name: symbol, comm, key or occupant; NULL: none is known
 * @address: with @has_address; in the kernel's space
 * @offset: from the beginning of @name, with @has_offset
 * @length: of the function; 0: not known
 * @tenure: 0: no occupant is known
 * @from, @to: of its turn at the address, of a key from its first to its last patch; of a time both
 * @function: id, or G_MAXUINT32: it has neither samples nor changes. @samples, @changes: of it; of
 * a key the number of its switches
 * @pid, @tid: with @has_task
 */
typedef struct {
  PenFoundKind found;
  PenFoundWhen when;
  PenFoundRemark remark;
  guint place;
  const char *name;
  gboolean has_address;
  guint64 address;
  gboolean has_offset;
  guint64 offset;
  guint64 length;
  guint64 stated;
  guint32 tenure;
  PenKind kind;
  const char *occupant;
  guint32 bpf_id;
  PenMoment from;
  PenMoment to;
  PenEvidence evidence;
  const char *source;    /* of the tenure, as pen_tenure_get_source() has it */
  guint64 inferred_from; /* of an occupant, as pen_tenure_get_inferred_from() has it */
  gboolean is_unverified;
  guint32 function;
  guint64 samples;
  guint64 changes;
  gboolean has_task;
  gint32 pid;
  gint32 tid;
} PenFoundRow;

/*
 * PenFoundPlace: a place that was written
 * @text: the line, without what a log puts before it
 */
typedef struct {
  char *text;
  gboolean is_unreliable;
  guint line;
} PenFoundPlace;

/*
 * PenFound: strings of rows are owned by the store
 * @moment: that was asked for
 * @is_trace: several lines were pasted: only places are looked for
 * @places: (element-type PenFoundPlace)
 * @rows: (element-type PenFoundRow): by place; of each first who was there then
 * @time: ns, of the log or trace that was pasted, with @has_time
 * @is_cut: there are more places than are looked at
 */
typedef struct {
  PenMoment moment;
  gboolean is_trace;
  GArray *places;
  GArray *rows;
  gboolean has_time;
  guint64 time;
  gboolean is_cut;
} PenFound;

/* Whether there is more than one line with text in it: then only places are looked for. */
gboolean pen_find_is_trace (const char *text);

void pen_found_free (PenFound *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFound, pen_found_free)

/*
 * pen_query_find:
 * @text: a symbol, an address in any form that a kernel prints, a static key, a task, a time, a
 *   program; or a whole oops or stack trace. Any bytes
 * @moment: just before it
 *
 * Cost: for each different name the names that the store keeps; for each place what ever held its
 * byte; all tenures of the kernel's space once.
 */
PenFound *pen_query_find (PenQuery *self, const char *text, PenMoment moment, GError **error);

/* The same as of the time that is in a pasted trace, if it is in the recording; else of @moment. */
PenFound *pen_query_find_at_own_time (PenQuery *self, const char *text, PenMoment moment,
                                      GError **error);

/* @at: for pen_query_parse_moment(); NULL: the time in the trace, or else the end */
gboolean pen_query_write_found (PenQuery *self, const char *text, const char *at,
                                PenTableWriter *writer, GError **error);

G_END_DECLS
