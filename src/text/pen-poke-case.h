/* pen-poke-case.h: what a text poke found and left, as rules about its cause ask for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"
#include "pen-poke.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

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

/* What an address is to the kernel's patching. */
typedef enum {
  PEN_ROLE_UNKNOWN,
  PEN_ROLE_TEXT, /* core kernel or module */
  PEN_ROLE_FTRACE,
  PEN_ROLE_KPROBE_SLOT,
  PEN_ROLE_OPTPROBE_DETOUR,
  PEN_ROLE_BPF,
  PEN_ROLE_BPF_DISPATCHER_TEXT, /* of the core kernel, but there for a dispatcher */
} PenSpotRole;

/* @function_start: 0: not known. @label: for a person */
typedef struct {
  guint64 address;
  PenSpotRole role;
  PenKind kind;
  guint64 function_start;
  char *function_name;
  char *label;
} PenSpot;

gboolean pen_spot_is_text (const PenSpot *spot);
/* A function's first instruction, or the first after its landing mark. */
gboolean pen_spot_is_entry (const PenSpot *spot);
/* One function, or a function and the part of it that the compiler moved away. */
gboolean pen_spot_is_same_function (const PenSpot *a, const PenSpot *b);

/* The bytes before, or those after. */
typedef struct {
  PenSideForm form;
  gboolean has_target;
  PenSpot target;
} PenSide;

typedef struct {
  const PenPoke *poke;
  PenSpot site;
  PenSide before;
  PenSide after;
} PenPokeCase;

/* Decodes both sides and asks for the site and the targets. Clear with pen_poke_case_clear(). */
void pen_poke_case_init (PenPokeCase *c, const PenPoke *poke, PenDecoder *decoder,
                         PenPlaceFunc find_place, gpointer user_data);
void pen_poke_case_clear (PenPokeCase *c);

G_END_DECLS
