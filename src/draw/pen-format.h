/* pen-format.h: times, counts and bytes as a person reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers are in the form of the locale: see pen-numbers.h */

/* Seconds as perf prints them, with as many digits as @resolution (ns) needs: "4.81" */
char *pen_format_time (guint64 time, guint64 resolution);
/* "2.38 s", "14.2 ms", "830 µs" */
char *pen_format_duration (guint64 ns);
/* "19 649": groups of three, with thin spaces where the locale has nothing */
char *pen_format_count (guint64 count);
/* "12.3 %"; "< 0.1 %" for what would round to nothing */
char *pen_format_share (double share);
char *pen_format_rate (double per_second);
/* "0f 1f 44 00 00" */
char *pen_format_bytes (const guint8 *bytes, gsize n);
/* An instruction with the name of what it jumps to in place of the bare address: @target, or the
 * name in angle brackets after the address. Words in place of an instruction are translated. */
char *pen_format_instruction (const char *instruction, const char *target);
/* The name of a file without its folders, fit to be shown. */
char *pen_format_basename (const char *path);
/* The same of a capture: "-" is standard input. */
char *pen_format_capture (const char *path);
/* The same, with its folder where the name says little: "before/perf.data". */
char *pen_format_capture_in_folder (const char *path);
/* An error's message in one line, whatever names are in it. */
char *pen_format_error (const GError *error);
/* A name for a new file: of @name as it is shown, without what file systems or people stumble over,
 * and @ending. */
char *pen_format_file_name (const char *name, const char *ending);
/* Markup: @letter on a ground of @color, whatever the opacity of the text around it */
char *pen_format_badge (const char *letter, guint32 color, gboolean dark);
/* Markup: a square of @color, likewise */
char *pen_format_square (guint32 color);

G_END_DECLS
