/* pen-tenure.c: words for the layers and bounds of tenures and the kinds of loss
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tenure.h"

const char *
pen_layer_to_string (PenLayer layer)
{
  static const char *const words[PEN_LAYERS] = {
    [PEN_LAYER_MAP] = "map",
    [PEN_LAYER_KSYMBOL] = "ksymbol",
    [PEN_LAYER_JIT] = "jit",
    [PEN_LAYER_POKE] = "poke",
  };

  g_return_val_if_fail ((guint) layer < PEN_LAYERS, "");
  return words[layer];
}

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

static gboolean
is_set (PenMoment moment)
{
  return pen_moment_compare (moment, PEN_MOMENT_START) > 0;
}

gboolean
pen_tenure_is_beyond_code (const PenTenure *tenure, guint64 address)
{
  return tenure->code_end != 0 && address >= tenure->code_end;
}

PenEvidence
pen_tenure_get_evidence (const PenTenure *tenure, guint64 address, PenMoment from, PenMoment to)
{
  gboolean is_sure
      = (!is_set (tenure->sure_from) || pen_moment_compare (tenure->sure_from, from) <= 0)
        && (!is_set (tenure->sure_to) || pen_moment_compare (to, tenure->sure_to) <= 0)
        && !pen_tenure_is_beyond_code (tenure, address);

  /* P6: who holds it is not known, nor whether it was given up. */
  if (tenure->layer == PEN_LAYER_POKE)
    return PEN_EVIDENCE_INFERRED;
  return is_sure ? tenure->evidence : MIN (tenure->evidence, PEN_EVIDENCE_INFERRED);
}

guint64
pen_tenure_get_inferred_from (const PenTenure *tenure)
{
  return pen_tenure_get_evidence (tenure, tenure->start, tenure->from, tenure->to)
                 > PEN_EVIDENCE_INFERRED
             ? tenure->code_end
             : 0;
}

/* The recorder's own records have a position. */
const char *
pen_tenure_get_source (const PenTenure *tenure, guint64 address)
{
  if (pen_tenure_is_beyond_code (tenure, address))
    return PEN_SOURCE_BEYOND_CODE;
  return tenure->layer == PEN_LAYER_KSYMBOL && tenure->from_bound == PEN_BOUND_INITIAL
                 && !is_set (tenure->from)
             ? "kallsyms"
             : NULL;
}
