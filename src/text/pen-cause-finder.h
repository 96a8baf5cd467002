/* pen-cause-finder.h: why was this patched?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

typedef struct {
  PenCause cause;
  char *reason; /* one plain sentence, to be freed with g_free() */
} PenCauseVerdict;

/* What stands at an address around a patch: asked for the site and for jump and call targets.
 * @occupant: NULL or "" where not known
 * @function_start, @function_name: 0 and NULL where not known. The strings are valid until the next
 * call only. */
typedef struct {
  PenKind kind;
  const char *occupant;
  guint64 function_start;
  const char *function_name;
} PenPlace;

typedef void (*PenPlaceFunc) (guint64 address, PenMoment moment, PenPlace *place,
                              gpointer user_data);

/*
 * pen_cause_find:
 * @pokes: all pokes, in time order (a kprobe's jump is known by the breakpoint before it)
 * @index: the one in question
 * @decoder: of the capture's architecture
 *
 * Decides from the bytes, the target and what is there. A cause that cannot be told is `unknown`;
 * the reason then says what was seen. Fills, clears and pokes that changed nothing are judged too.
 * Cost: two instructions decoded, and up to three calls of @find_place.
 */
PenCauseVerdict pen_cause_find (const PenPoke *pokes, guint n_pokes, guint index,
                                PenDecoder *decoder, PenPlaceFunc find_place, gpointer user_data);

G_END_DECLS
