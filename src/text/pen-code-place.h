/* pen-code-place.h: which line of which source, and through which inlined calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenCodePlace:
 * @file: as the compiler was called: with its directory; owned by the caller of PenLineFunc. NULL:
 *   no line is known
 * @call: where the line is of a function that was inlined: number of the call, from 1. 0: it is of
 *   the function itself
 */
typedef struct {
  const char *file;
  guint line;
  guint call;
} PenCodePlace;

/* Code from @address on, until the next call's, is of @place. */
typedef void (*PenLineFunc) (guint64 address, const PenCodePlace *place, gpointer user_data);

/*
 * PenInlinedCall:
 * @name: of the function that is called, as the linker would know it; not owned
 * @file, @line: of the call; NULL and 0: not known
 * @outer: number of the call that this one stands in, less than its own. 0: it stands in the
 *   function itself
 */
typedef struct {
  const char *name;
  const char *file;
  guint line;
  guint outer;
} PenInlinedCall;

G_END_DECLS
