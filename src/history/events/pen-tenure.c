/* pen-tenure.c: words for the bounds of tenures, the effects of pokes and the kinds of loss
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tenure.h"

const char *
pen_bound_to_string (PenBound bound)
{
  static const char *const words[PEN_BOUNDS] = {
    [PEN_BOUND_RECORDED] = "recorded",
    [PEN_BOUND_INITIAL] = "initial",
    [PEN_BOUND_OPEN] = "open",
    [PEN_BOUND_INFERRED] = "inferred",
  };

  g_return_val_if_fail ((guint) bound < PEN_BOUNDS, "");
  return words[bound];
}

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
pen_loss_kind_to_string (PenLossKind kind)
{
  static const char *const words[PEN_LOSSES] = {
    [PEN_LOSS_RECORDS] = "records",     [PEN_LOSS_SAMPLES] = "samples",
    [PEN_LOSS_UNWANTED] = "unwanted",   [PEN_LOSS_THROTTLED] = "throttled",
    [PEN_LOSS_SET_ASIDE] = "set aside", [PEN_LOSS_TRUNCATED] = "truncated",
  };

  g_return_val_if_fail ((guint) kind < PEN_LOSSES, "");
  return words[kind];
}
