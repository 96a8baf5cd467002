/* pen-filter-choices.h: the values that a filter of a capture can have, to choose from by typing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter-term.h"
#include "pen-query.h"

G_BEGIN_DECLS

/*
 * PenFilterChoices: what the capture has, without what repeats; not changed once made. No
 * string of it belongs to the store.
 */
typedef struct _PenFilterChoices PenFilterChoices;

/*
 * pen_filter_choices_new:
 *
 * Kinds with samples and causes of patches; events, comms, pids and CPUs (the online ones); names
 * of occupants and symbols that have samples or changes.
 *
 * Cost: all threads, functions and pokes, once; nothing by sample.
 */
PenFilterChoices *pen_filter_choices_new (PenQuery *query, GError **error);
void pen_filter_choices_free (PenFilterChoices *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFilterChoices, pen_filter_choices_free)

/*
 * pen_filter_choices_match:
 * @text: as far as it was typed: "sh", "comm:s", "!kind:"
 *
 * Values that begin with it come before those that have it inside; case is ignored. A part's name
 * alone, without a colon, lists that part's values.
 *
 * Returns: (transfer full) (element-type PenFilterTerm): at most @max
 */
GPtrArray *pen_filter_choices_match (PenFilterChoices *self, const char *text, guint max);

G_END_DECLS
