/* pen-session-flame.c: how the stacks of samples are looked at, and what is asked anew for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-load-flame.h"

PenFlameState *
pen_session_dup_flame (PenSession *self)
{
  return pen_flame_state_copy (self->view.flame);
}

/* What the callers and callees are of: they are asked anew only if that is another. */
static gboolean
has_same_neighbours (const PenFlameState *a, const PenFlameState *b)
{
  g_autoptr (PenFlameState) first = pen_flame_state_copy (a);
  g_autoptr (PenFlameState) second = pen_flame_state_copy (b);

  return first->grouping == second->grouping && first->measure == second->measure
         && first->subject == second->subject;
}

void
pen_session_set_flame (PenSession *self, PenFlameState *flame)
{
  g_autoptr (PenFlameState) old = NULL;

  if (pen_flame_state_equal (self->view.flame, flame))
    return;
  old = self->view.flame;
  self->view.flame = pen_flame_state_ref (flame);
  if (!pen_flame_state_has_same_tree (old, flame))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_FLAME);
  if (!has_same_neighbours (old, flame))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_NEIGHBOURS);
  pen_session_notify (self, PROP_FLAME);
}

void
pen_session_set_flame_width (PenSession *self, guint pixels)
{
  pen_loader_set_flame_width (self->loader, pixels);
}

void
pen_session_show_callers (PenSession *self, guint32 function)
{
  g_autoptr (PenFlameState) flame = pen_session_dup_flame (self);

  flame->subject = function;
  pen_session_set_flame (self, flame);
  pen_session_set_page (self, PEN_PAGE_CALLERS);
}
