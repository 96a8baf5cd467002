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

G_END_DECLS
