/* maker.c: small histories, written event by event
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "maker.h"

#include <string.h>

Maker *
maker_new (void)
{
  Maker *self = g_new0 (Maker, 1);

  self->history = pen_history_new ();
  return self;
}

void
maker_free (Maker *self)
{
  if (!self)
    return;
  pen_history_free (self->history);
  g_free (self);
}

static PenMoment
next_moment (Maker *self, guint64 time)
{
  return pen_moment (time, ++self->position);
}

PenMoment
maker_kernel_map (Maker *self, guint64 time, guint64 start, guint64 length, const char *name)
{
  PenMoment moment = next_moment (self, time);
  PenMapEvent event = {
    .is_kernel = TRUE,
    .pid = -1,
    .start = start,
    .length = length,
    .file_offset = start,
    .name = name,
    .evidence = PEN_EVIDENCE_RECORDED,
    .origin.moment = moment,
  };

  pen_history_add_map (self->history, &event);
  return moment;
}

PenMoment
maker_map (Maker *self, guint64 time, gint32 pid, guint64 start, guint64 length,
           guint64 file_offset, const char *name)
{
  PenMoment moment = next_moment (self, time);
  PenMapEvent event = {
    .pid = pid,
    .tid = pid,
    .start = start,
    .length = length,
    .file_offset = file_offset,
    .name = name,
    .evidence = PEN_EVIDENCE_RECORDED,
    .origin.moment = moment,
  };

  pen_history_add_map (self->history, &event);
  return moment;
}

static PenMoment
add_ksymbol (Maker *self, guint64 time, gboolean is_unregister, guint64 start, guint64 length,
             const char *name)
{
  PenMoment moment = next_moment (self, time);
  PenKsymbolEvent event = {
    .is_unregister = is_unregister,
    .address = start,
    .length = length,
    .name = name,
    .origin = { .moment = moment, .tid = 1 },
  };

  pen_history_add_ksymbol (self->history, &event);
  return moment;
}

PenMoment
maker_register (Maker *self, guint64 time, guint64 start, guint64 length, const char *name)
{
  return add_ksymbol (self, time, FALSE, start, length, name);
}

PenMoment
maker_unregister (Maker *self, guint64 time, guint64 start, guint64 length, const char *name)
{
  return add_ksymbol (self, time, TRUE, start, length, name);
}

PenMoment
maker_poke (Maker *self, guint64 time, guint64 address, const char *old_text, const char *new_text)
{
  PenPoke poke = {
    .moment = next_moment (self, time),
    .address = address,
    .old_length = (guint16) strlen (old_text),
    .new_length = (guint16) strlen (new_text),
    .old_bytes = (const guint8 *) old_text,
    .new_bytes = (const guint8 *) new_text,
    .pid = 1,
    .tid = 1,
    .cpu = 0,
  };

  pen_history_add_poke (self->history, &poke);
  return poke.moment;
}

PenMoment
maker_fork (Maker *self, guint64 time, gint32 ppid, gint32 pid)
{
  PenMoment moment = next_moment (self, time);

  pen_history_add_fork (self->history, moment, pid, ppid, pid, ppid, FALSE);
  return moment;
}

PenMoment
maker_thread (Maker *self, guint64 time, gint32 pid, gint32 tid)
{
  PenMoment moment = next_moment (self, time);

  pen_history_add_fork (self->history, moment, pid, pid, tid, pid, FALSE);
  return moment;
}

PenMoment
maker_exit (Maker *self, guint64 time, gint32 pid, gint32 tid)
{
  PenMoment moment = next_moment (self, time);

  pen_history_add_exit (self->history, moment, pid, tid);
  return moment;
}

PenMoment
maker_comm (Maker *self, guint64 time, gint32 tid, const char *comm)
{
  PenMoment moment = next_moment (self, time);

  pen_history_add_comm (self->history, moment, tid, tid, comm, FALSE);
  return moment;
}

PenMoment
maker_exec (Maker *self, guint64 time, gint32 pid, const char *comm)
{
  PenMoment moment = next_moment (self, time);

  pen_history_add_comm (self->history, moment, pid, pid, comm, TRUE);
  return moment;
}

void
maker_loss (Maker *self, PenLossKind kind, guint64 from, guint64 to)
{
  PenLoss loss = { .kind = kind, .from = from, .to = to, .cpu = G_MAXUINT32, .count = 1 };

  pen_history_add_loss (self->history, &loss);
}

PenHistory *
maker_seal (Maker *self)
{
  if (!self->is_sealed)
    pen_history_seal (self->history, NULL, NULL);
  self->is_sealed = TRUE;
  return self->history;
}

static PenSweep *
sweep_to (Maker *self, PenMoment moment)
{
  PenSweep *sweep = pen_sweep_new (maker_seal (self));

  pen_sweep_advance (sweep, moment);
  return sweep;
}

const PenTenure *
maker_find_kernel (Maker *self, guint64 time, guint64 address, guint32 *revision)
{
  PenMoment moment = { time, G_MAXUINT64 };
  g_autoptr (PenSweep) sweep = sweep_to (self, moment);
  guint32 swept = 0;
  guint32 found = 0;
  const PenTenure *tenure
      = pen_history_find (self->history, PEN_SPACE_KERNEL, address, moment, &found);

  g_assert_true (pen_sweep_find_kernel (sweep, address, &swept) == tenure);
  g_assert_cmpuint (swept, ==, found);
  if (revision)
    *revision = found;
  return tenure;
}

const PenTenure *
maker_find_process (Maker *self, guint64 time, gint32 pid, guint64 address)
{
  PenMoment moment = { time, G_MAXUINT64 };
  g_autoptr (PenSweep) sweep = sweep_to (self, moment);
  const PenSpace *space = maker_find_space (self->history, pid, moment);
  const PenTenure *tenure = NULL;
  guint32 revision = 7;

  if (space) {
    g_assert_cmpint (space->pid, ==, pid);
    tenure = pen_history_find (self->history, space->id, address, moment, &revision);
    g_assert_cmpuint (revision, ==, 0);
  }
  g_assert_true (pen_sweep_find_process (sweep, pid, address) == tenure);
  return tenure;
}

const char *
maker_find_comm (Maker *self, guint64 time, gint32 tid)
{
  PenMoment moment = { time, G_MAXUINT64 };
  g_autoptr (PenSweep) sweep = sweep_to (self, moment);
  const char *comm = pen_history_find_comm (self->history, tid, moment);

  g_assert_cmpstr (pen_sweep_find_comm (sweep, tid), ==, comm);
  return comm;
}

void
maker_assert_kernel (Maker *self, guint64 time, guint64 address, const char *occupant,
                     guint32 revision)
{
  guint32 found;
  const PenTenure *tenure = maker_find_kernel (self, time, address, &found);

  g_assert_cmpstr (tenure ? tenure->occupant : NULL, ==, occupant);
  g_assert_cmpuint (found, ==, revision);
}

void
maker_assert_process (Maker *self, guint64 time, gint32 pid, guint64 address, const char *occupant)
{
  const PenTenure *tenure = maker_find_process (self, time, pid, address);

  g_assert_cmpstr (tenure ? tenure->occupant : NULL, ==, occupant);
}
