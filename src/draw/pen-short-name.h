/* pen-short-name.h: names that have too little room, cut where names differ least
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether @text has room. A shorter text must not fit worse. */
typedef gboolean (*PenShortNameFits) (const char *text, gpointer data);

/*
 * pen_short_name_new:
 * @name: UTF-8
 *
 * A name keeps its beginning and its end: "bpf_prog_…_sched_switch" without the tag,
 * "/usr/…/libc.so.6", of a source file "…/mm/page_alloc.c", "core::…::next", "push_back(…)"; other
 * names are cut in their middle. As much as fits is left of what is cut. O(log n) questions to
 * @fits.
 *
 * Returns: (transfer full): @name if it fits; "…" if nothing does
 */
char *pen_short_name_new (const char *name, PenShortNameFits fits, gpointer data);

/* The same of one of several names that begin with the same @n_common bytes, if there is nothing
 * better to leave out: "…6442" beside "…6447". */
char *pen_short_name_new_among (const char *name, gsize n_common, PenShortNameFits fits,
                                gpointer data);

/* How many bytes two names have in common at their beginning, up to the end of a word:
 * "bpf_trampoline_" */
gsize pen_short_name_count_common (const char *name, const char *other);

G_END_DECLS
