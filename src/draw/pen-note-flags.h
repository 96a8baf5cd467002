/* pen-note-flags.h: notes on timelines: flags in the ruler, and at addresses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-plot.h"
#include "pen-query-notes.h"

G_BEGIN_DECLS

/*
 * @notes: (element-type PenNoteRow): by time, those without one last, as pen_query_notes() has
 * them; NULL: none
 */

/* A flag in the ruler for each note about a time in view. */
void pen_note_flags_draw (GPtrArray *notes, const PenPlot *plot, PenPainter *painter,
                          const PenTheme *theme);
/* A pennant with its point at (@x, @y), towards where it hangs from. */
void pen_note_flags_draw_pennant (PenPainter *painter, const PenTheme *theme, double em, double x,
                                  double y);
/* The note whose flag is nearest to a point in the ruler, in pixels of the whole; NULL: none. O(log
 * notes) */
const PenNoteRow *pen_note_flags_find (GPtrArray *notes, const PenPlot *plot, double x, double y);
/* The next (1) or the previous (-1) note about a time that is not @time; NULL: there is none. */
const PenNoteRow *pen_note_flags_step (GPtrArray *notes, guint64 time, int direction);

/* The text, and what it is about. Not longer than a tooltip should be. */
char *pen_note_flags_describe (const PenNoteRow *row, const PenClock *clock);

G_END_DECLS
