/* pen-query-resolve.h: the place or the time that a person means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

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
