/* pen-session-find.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-find.h"

#include "pen-session-private.h"

void
pen_session_find_async (PenSession *self, const char *text, gboolean is_fixed,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (self->state == PEN_SESSION_READY);
  pen_load_found_async (pen_loader_get_worker (self->loader), text, self->view.playhead, is_fixed,
                        callback, user_data);
}

PenFoundAnswer *
pen_session_find_finish (GAsyncResult *result, GError **error)
{
  return pen_load_found_finish (result, error);
}

static void
go_to_time (PenSession *self, guint64 time)
{
  time = CLAMP (time, self->opened->span.from, self->opened->span.to);
  pen_session_show_time (self, time);
  pen_session_set_playhead (self, time);
}

/* The time at which the question began. */
static guint64
get_time (const PenFoundAnswer *answer, const PenFoundRow *row)
{
  return row->when == PEN_FOUND_THEN ? answer->found->moment.time : row->from.time;
}

static gboolean
show_code (PenSession *self, const PenFoundAnswer *answer, const PenFoundRow *row)
{
  if (row->function == G_MAXUINT32 && row->tenure == 0)
    return FALSE;
  if (row->tenure != 0)
    go_to_time (self, get_time (answer, row));
  if (row->function != G_MAXUINT32)
    pen_session_set_function (self, row->function);
  else
    pen_session_show_text (self, row->address, self->view.playhead);
  if (row->has_address)
    pen_session_set_line (self, &row->address);
  pen_session_set_page (self, PEN_PAGE_CODE);
  return TRUE;
}

static gboolean
add_task (PenSession *self, const PenFoundRow *row)
{
  g_autofree char *pid = g_strdup_printf ("%d", row->pid);
  g_autoptr (PenFilterTerm) term
      = row->has_task ? pen_filter_term_new (PEN_FILTER_PID, FALSE, pid)
                      : pen_filter_term_new (PEN_FILTER_COMM, FALSE, row->name ? row->name : "");

  pen_session_add_term (self, term);
  return TRUE;
}

gboolean
pen_session_show_found (PenSession *self, const PenFoundAnswer *answer, const PenFoundRow *row)
{
  if (self->state != PEN_SESSION_READY || row->remark == PEN_REMARK_MORE)
    return FALSE;
  switch (row->found) {
  case PEN_FOUND_TASK:
    return add_task (self, row);
  case PEN_FOUND_KEY:
    go_to_time (self, row->from.time);
    pen_session_show_change (self, row->from);
    return TRUE;
  case PEN_FOUND_TIME:
    go_to_time (self, row->from.time);
    return TRUE;
  case PEN_FOUND_ADDRESS:
  case PEN_FOUND_FUNCTION:
  case PEN_FOUND_OCCUPANT:
  case PEN_FOUNDS:
  default:
    return show_code (self, answer, row);
  }
}
