/* maker.h: small histories, written event by event
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"

G_BEGIN_DECLS

/*
 * Maker: each event takes the next position in the stream, at the time given. Moments of events are
 * returned. The first question seals the history.
 */
typedef struct {
  PenHistory *history;
  guint64 position;
  gboolean is_sealed;
} Maker;

Maker *maker_new (void);
void maker_free (Maker *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Maker, maker_free)

PenMoment maker_kernel_map (Maker *self, guint64 time, guint64 start, guint64 length,
                            const char *name);
PenMoment maker_map (Maker *self, guint64 time, gint32 pid, guint64 start, guint64 length,
                     guint64 file_offset, const char *name);
PenMoment maker_register (Maker *self, guint64 time, guint64 start, guint64 length,
                          const char *name);
PenMoment maker_unregister (Maker *self, guint64 time, guint64 start, guint64 length,
                            const char *name);
/* @old_text, @new_text: the bytes, as a string */
PenMoment maker_poke (Maker *self, guint64 time, guint64 address, const char *old_text,
                      const char *new_text);
PenMoment maker_fork (Maker *self, guint64 time, gint32 ppid, gint32 pid);
PenMoment maker_thread (Maker *self, guint64 time, gint32 pid, gint32 tid);
PenMoment maker_exit (Maker *self, guint64 time, gint32 pid, gint32 tid);
PenMoment maker_comm (Maker *self, guint64 time, gint32 tid, const char *comm);
PenMoment maker_exec (Maker *self, guint64 time, gint32 pid, const char *comm);
void maker_loss (Maker *self, PenLossKind kind, guint64 from, guint64 to);

PenHistory *maker_seal (Maker *self);

/* The holder at the end of @time (after all its events), asked of the history and of a sweep, which
 * must agree. NULL: none */
const PenTenure *maker_find_kernel (Maker *self, guint64 time, guint64 address, guint32 *revision);
const PenTenure *maker_find_process (Maker *self, guint64 time, gint32 pid, guint64 address);
const char *maker_find_comm (Maker *self, guint64 time, gint32 tid);

/* @occupant: NULL for none */
void maker_assert_kernel (Maker *self, guint64 time, guint64 address, const char *occupant,
                          guint32 revision);
void maker_assert_process (Maker *self, guint64 time, gint32 pid, guint64 address,
                           const char *occupant);

#define assert_moment(a, b) g_assert_cmpint (pen_moment_compare ((a), (b)), ==, 0)

/* The space of @pid just before @moment, or NULL. */
static inline const PenSpace *
maker_find_space (PenHistory *history, gint32 pid, PenMoment moment)
{
  guint n;
  const PenSpace *spaces = pen_history_get_spaces (history, &n);

  for (guint i = 0; i < n; i++)
    if (spaces[i].pid == pid && pen_moment_compare (spaces[i].from, moment) < 0
        && pen_moment_compare (moment, spaces[i].to) <= 0)
      return &spaces[i];
  return NULL;
}

G_END_DECLS
