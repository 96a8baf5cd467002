/* pen-listed-users.h: for whom text was patched, by the kernel's own lists of several times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-regular-file.h"

G_BEGIN_DECLS

/* PenListedUsers: probes, tracers, live patches, BPF links and switches, as they were listed. */
typedef struct _PenListedUsers PenListedUsers;

PenListedUsers *pen_listed_users_new (void);
void pen_listed_users_free (PenListedUsers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenListedUsers, pen_listed_users_free)

/* (array zero-terminated=1): the names of the lists (docs/recording.md), in the order in which
 * those of one time have to be read: places of probes before their events, programs before links.
 */
const char *const *pen_listed_users_get_lists (void);

/* The name of a BPF program that no list has. */
void pen_listed_users_name_program (PenListedUsers *self, guint32 id, const char *name);

/*
 * pen_listed_users_read:
 * @list: its name; nothing is read of others
 * @begun, @ended: ns: when it was read; of each list they rise. 0: before all pokes; G_MAXUINT64:
 *   after all
 * @lines: at most @n are read
 *
 * Returns: how many lines could not be read
 */
guint pen_listed_users_read (PenListedUsers *self, const char *list, guint64 begun, guint64 ended,
                             PenLineReader *lines, guint n);
/* It was read again, and was the same. */
void pen_listed_users_repeat (PenListedUsers *self, const char *list, guint64 begun, guint64 ended);

/*
 * pen_listed_users_find:
 * @poke: its cause, sides and key are known
 * @entry: (nullable): the function whose entry it is
 * @since, @until: ns: in between, somebody was there: lists of that time count. The nearest to
 *   the poke names its user: one after it if it sets something, else one before it
 *
 * "kprobe probes/open", "tracer function_graph", "livepatch NAME", "trace_fentry NAME (id 34)",
 * "sysctl kernel.sched_schedstats 0 → 1"; several with commas. Cost: O(log n) in the lists
 *
 * Returns: (nullable): not known; owned by @self
 */
const char *pen_listed_users_find (PenListedUsers *self, const PenPoke *poke, const char *entry,
                                   guint64 since, guint64 until);

/* The function that ftrace's trampoline at @address called between @since and @until.
 * Returns: (nullable): owned by @self */
const char *pen_listed_users_find_called (PenListedUsers *self, guint64 address, guint64 since,
                                          guint64 until);

G_END_DECLS
