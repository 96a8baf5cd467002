/* pen-poke.c: words for what pokes did
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke.h"

const char *
pen_poke_effect_to_string (PenPokeEffect effect)
{
  static const char *const words[PEN_POKE_EFFECTS] = {
    [PEN_POKE_PATCH] = "patch",
    [PEN_POKE_FILL] = "fill",
    [PEN_POKE_CLEAR] = "clear",
    [PEN_POKE_SAME] = "same",
  };

  g_return_val_if_fail ((guint) effect < PEN_POKE_EFFECTS, "");
  return words[effect];
}

const char *
pen_side_form_to_string (PenSideForm form)
{
  static const char *const words[PEN_FORMS] = {
    [PEN_FORM_OTHER] = "other",
    [PEN_FORM_NOP] = "nop",
    [PEN_FORM_CALL] = "call",
    [PEN_FORM_JUMP] = "jump",
    [PEN_FORM_CONDITIONAL_JUMP] = "conditional jump",
    [PEN_FORM_RETURN] = "return",
    [PEN_FORM_RETURN_ZERO] = "return zero",
    [PEN_FORM_WARNING_TRAP] = "warning trap",
    [PEN_FORM_BREAKPOINT] = "breakpoint",
  };

  g_return_val_if_fail ((guint) form < PEN_FORMS, "");
  return words[form];
}

const char *
pen_batch_action_to_string (PenBatchAction action)
{
  static const char *const words[PEN_ACTIONS] = {
    [PEN_ACTION_CHANGED] = "changed",
    [PEN_ACTION_ON] = "on",
    [PEN_ACTION_OFF] = "off",
    [PEN_ACTION_SET] = "set",
    [PEN_ACTION_REMOVED] = "removed",
    [PEN_ACTION_ATTACHED] = "attached",
    [PEN_ACTION_DETACHED] = "detached",
    [PEN_ACTION_OWN_SET] = "own call set",
    [PEN_ACTION_OWN_REMOVED] = "own call removed",
  };

  g_return_val_if_fail ((guint) action < PEN_ACTIONS, "");
  return words[action];
}
