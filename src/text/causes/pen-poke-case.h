/* pen-poke-case.h: what a text poke found and left, as rules about its cause ask for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cause-finder.h"

G_BEGIN_DECLS

/* @function_start: 0: not known. @label: for a person. @is_unsure, @user, @programs,
 * @is_user_inferred: see PenPlace */
typedef struct {
  guint64 address;
  PenSpotRole role;
  PenKind kind;
  gboolean is_unsure;
  guint64 function_start;
  const char *function_name; /* of the PenPlaceFunc */
  char *label;
  char *user;
  char *programs;
  gboolean is_user_inferred;
} PenSpot;

gboolean pen_spot_is_text (const PenSpot *spot);
/* A trampoline of ftrace of which it is not known whom it calls. */
gboolean pen_spot_is_unnamed_ftrace (const PenSpot *spot);
/* A function's first instruction, or the first after its landing mark. */
gboolean pen_spot_is_entry (const PenSpot *spot);
/* One function, or a function and the part of it that the compiler moved away. */
gboolean pen_spot_is_same_function (const PenSpot *a, const PenSpot *b);

/* The name of the static call that it is the trampoline of, or NULL; owned by @spot. */
const char *pen_spot_get_static_call (const PenSpot *spot);

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

/* Was text there before and after? */
gboolean pen_poke_case_is_replaced (const PenPokeCase *c);
/* The one before and the other after, or the other way round. */
gboolean pen_poke_case_is_pair (const PenPokeCase *c, PenSideForm a, PenSideForm b);
gboolean pen_poke_case_leads_to (const PenPokeCase *c, PenSpotRole role);
/* Is one of the occupants that @needs (PenRuleNeeds) names not certain? */
gboolean pen_poke_case_is_unsure (const PenPokeCase *c, guint needs);
/* Can a static call's site contain both sides: a call or tail call, or its replacements? */
gboolean pen_poke_case_is_static_call (const PenPokeCase *c);

G_END_DECLS
