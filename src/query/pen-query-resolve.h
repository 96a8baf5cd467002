/* pen-query-resolve.h: the place or the time that a person means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* Where a name or an address leads. @function: G_MAXUINT32 without @has_function: then
 * pen_query_annotate_at() shows @address. @is_line: one place of it was asked for */
typedef struct {
  gboolean has_function;
  guint32 function;
  guint64 address;
  gboolean is_line;
} PenTextTarget;

/* @text: SYMBOL, SYMBOL+OFFSET or "0x…", as of just before @moment; of functions of that name the
 * one with most samples. */
gboolean pen_query_look_up (PenQuery *self, const char *text, PenMoment moment,
                            PenTextTarget *target, GError **error);

/* SYMBOL or "0x…": several functions where a name or an address had several.
 * Returns: (transfer full) (element-type guint32): function ids, most samples first */
GArray *pen_query_find_functions (PenQuery *self, const char *target, GError **error);

/* "SYMBOL+0x1c", "SYMBOL", "0x…" → address */
gboolean pen_query_resolve (PenQuery *self, const char *target, guint64 *address, GError **error);

/*
 * pen_query_parse_moment:
 * @text: seconds as perf prints them, per cent of the capture ("30%"), "start" (the initial state)
 * or "end". Changes at that very time are done by then; with "-" after it, they are not yet.
 */
gboolean pen_query_parse_moment (PenQuery *self, const char *text, PenMoment *moment,
                                 GError **error);

G_END_DECLS
