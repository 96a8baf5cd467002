/* pen-poke-state.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke-state.h"

#include <string.h>

/* Functions of the kernel that do nothing: calls lead there while they are unused. */
static gboolean
is_idle_target (const char *target)
{
  return target
         && (g_str_equal (target, "ftrace_stub")
             || g_str_equal (target, "bpf_dispatcher_nop_func"));
}

static gboolean
is_branch_on (const PenPokeSide *side)
{
  return side->form != PEN_FORM_NOP && !is_idle_target (side->target);
}

static gboolean
is_original (const guint8 *bytes, guint length, const PenPoke *original)
{
  return length == original->old_length
         && (length == 0 || memcmp (bytes, original->old_bytes, length) == 0);
}

/* A key without a table: a few of its sites may have a jump while it is off, and the others have
 * one while it is on. */
static gboolean
is_key_on (const PenPoke *poke, const PenBatch *batch, gboolean is_after)
{
  const PenPokeSide *side = is_after ? &poke->after : &poke->before;

  if (batch && (batch->action == PEN_ACTION_ON || batch->action == PEN_ACTION_OFF))
    return (batch->action == PEN_ACTION_ON) == is_after;
  if (batch && batch->n_sites != 2 * (guint64) batch->n_jumps)
    return (2 * (guint64) batch->n_jumps > batch->n_sites) == is_after;
  return side->form != PEN_FORM_NOP;
}

static gboolean
is_on (const PenPoke *poke, const PenBatch *batch, const PenPoke *original, gboolean is_after)
{
  const PenPokeSide *side = is_after ? &poke->after : &poke->before;

  switch (poke->cause) {
  case PEN_CAUSE_STATIC_KEY:
    return is_key_on (poke, batch, is_after);
  case PEN_CAUSE_FTRACE:
  case PEN_CAUSE_LIVEPATCH:
  case PEN_CAUSE_BPF:
    return is_branch_on (side);
  case PEN_CAUSE_KPROBE:
    return side->form == PEN_FORM_BREAKPOINT;
  case PEN_CAUSE_OPTPROBE:
    return side->form == PEN_FORM_JUMP;
  case PEN_CAUSE_STATIC_CALL:
  case PEN_CAUSE_UNANNOUNCED:
  case PEN_CAUSE_UNKNOWN:
  case PEN_CAUSES:
  default:
    return is_after ? !is_original (poke->new_bytes, poke->new_length, original)
                    : !is_original (poke->old_bytes, poke->old_length, original);
  }
}

gboolean
pen_poke_is_on_after (const PenPoke *poke, const PenBatch *batch, const PenPoke *original)
{
  return is_on (poke, batch, original, TRUE);
}

gboolean
pen_poke_is_on_before (const PenPoke *poke, const PenBatch *batch, const PenPoke *original)
{
  return is_on (poke, batch, original, FALSE);
}
