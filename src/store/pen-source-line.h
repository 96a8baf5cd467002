/* pen-source-line.h: from which line of its source code was made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The most lines of one function; the rest is left out. */
#define PEN_FUNCTION_LINES_MAX 65536u

/*
 * PenSourceLine: code from there on, until the next one's
 * @offset: from the function's start
 * @file: a source file's id, from 1; 0: no line is known
 * @call: where the line is of a function that was inlined, number of the call, from 1; 0: of the
 *   function itself
 */
typedef struct {
  guint64 offset;
  guint32 file;
  guint32 line;
  guint32 call;
} PenSourceLine;

/*
 * PenSourceCall: a call in the place of which the compiler put what it called
 * @inlined: an inlined function's id: what was called
 * @file, @line: from where; 0: not known
 * @outer: number of the call that brought the one who called, less than this one's; 0: the function
 *   itself called
 */
typedef struct {
  guint32 inlined;
  guint32 file;
  guint32 line;
  guint32 outer;
} PenSourceCall;

/*
 * PenFunctionLines:
 * @tenure: whose code it was; 0: of all that held the function
 * @lines: (element-type PenSourceLine): by offset
 * @calls: (element-type PenSourceCall): in the order of their numbers
 */
typedef struct {
  guint32 tenure;
  GArray *lines;
  GArray *calls;
} PenFunctionLines;

PenFunctionLines *pen_function_lines_new (guint32 tenure);
void pen_function_lines_free (PenFunctionLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFunctionLines, pen_function_lines_free)

G_END_DECLS
