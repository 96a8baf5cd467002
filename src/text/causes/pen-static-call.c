/* pen-static-call.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-static-call.h"

#include <string.h>

/* How far other pokes of a site are looked for, in pokes. */
#define LOOK_AHEAD 4096u
/* How far a static call's trampoline and its sites are looked for, in pokes. */
#define TRAMPOLINE_REACH 256u

/* Where a call or jump leads to; 0: it is something else. */
static guint64
find_branch (guint64 address, const guint8 *bytes, gsize length)
{
  gsize start = length == 5 && (bytes[0] == 0xe8 || bytes[0] == 0xe9)          ? 1
                : length == 6 && bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80 ? 2
                                                                               : 0;
  guint32 distance;

  if (start == 0)
    return 0;
  memcpy (&distance, bytes + start, sizeof distance);
  return address + length + (guint64) (gint64) (gint32) GUINT32_FROM_LE (distance);
}

/* static_call_update() changes the target of the trampoline just before that of the sites. Where it
 * is a function that does nothing, a site has no call of it. */
static gboolean
is_site_of_trampoline (const PenPoke *site, const PenPoke *trampoline)
{
  guint64 before = find_branch (site->address, site->old_bytes, site->old_length);
  guint64 after = find_branch (site->address, site->new_bytes, site->new_length);
  guint64 led = find_branch (trampoline->address, trampoline->old_bytes, trampoline->old_length);
  guint64 leads = find_branch (trampoline->address, trampoline->new_bytes, trampoline->new_length);

  return site->tid == trampoline->tid && site->address != trampoline->address
         && (before != 0 || after != 0) && (before == 0 || before == led)
         && (after == 0 || after == leads);
}

/* The kernel's text, or a module that nothing names. */
static gboolean
may_be_text (const PenSpot *spot)
{
  return pen_spot_is_text (spot) || spot->role == PEN_ROLE_UNKNOWN;
}

gboolean
pen_static_call_fits (const PenPokeCase *c)
{
  return may_be_text (&c->site) && !(c->before.has_target && !may_be_text (&c->before.target))
         && !(c->after.has_target && !may_be_text (&c->after.target))
         && pen_poke_case_is_static_call (c);
}

static gboolean
is_trampoline_form (const PenSide *side)
{
  return side->form == PEN_FORM_JUMP || side->form == PEN_FORM_RETURN;
}

static gboolean
is_trampoline (const PenPoke *poke)
{
  return (poke->old_length == 5 && poke->old_bytes[0] == 0xe9)
         || (poke->new_length == 5 && poke->new_bytes[0] == 0xe9);
}

gboolean
pen_static_call_is_after_trampoline (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  if (!pen_static_call_fits (c))
    return FALSE;
  for (guint i = q->index; i-- > 0 && q->index - i <= TRAMPOLINE_REACH;)
    if (is_trampoline (&q->pokes[i]) && is_site_of_trampoline (c->poke, &q->pokes[i]))
      return TRUE;
  return FALSE;
}

/* When a module is loaded, its calls of a trampoline become calls of what that leads to. Whether it
 * was a trampoline shows when it is led elsewhere. */
gboolean
pen_static_call_is_of_later_trampoline (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  if (!pen_static_call_fits (c)
      || (c->before.form != PEN_FORM_CALL && c->before.form != PEN_FORM_JUMP)
      || c->before.form != c->after.form)
    return FALSE;
  for (guint i = q->index + 1; i < q->n_pokes && i - q->index <= LOOK_AHEAD; i++) {
    const PenPoke *poke = &q->pokes[i];

    if (poke->address == c->before.target.address)
      return is_trampoline (poke)
             && find_branch (poke->address, poke->old_bytes, poke->old_length)
                    == c->after.target.address;
  }
  return FALSE;
}

/* Of a module that nothing names. */
gboolean
pen_static_call_is_trampoline (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  if (c->site.role != PEN_ROLE_UNKNOWN || !pen_static_call_fits (c)
      || !is_trampoline_form (&c->before) || !is_trampoline_form (&c->after))
    return FALSE;
  for (guint i = q->index + 1; i < q->n_pokes && i - q->index <= TRAMPOLINE_REACH; i++)
    if (is_site_of_trampoline (&q->pokes[i], c->poke))
      return TRUE;
  return FALSE;
}
