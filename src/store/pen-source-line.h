/* pen-source-line.h: from which line of its source code was made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of one function; what is more is left out. */
#define PEN_FUNCTION_LINES_MAX 65536u

/*
 * PenSourceLine: code from there on, until the next one's
 * @offset: from the function's start
 * @file: a source file's id, from 1; 0: no line is known
 */
typedef struct {
  guint64 offset;
  guint32 file;
  guint32 line;
} PenSourceLine;

G_END_DECLS
