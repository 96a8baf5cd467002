/* pen-present.h: who is there now: what a history of later events begins with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenPresent: process images that live at a time, with their threads and what is mapped in them,
 * and the names of threads. So a history of a growing recording need not have what has ended. The
 * kernel's space is no part of it: its events are added to each history anew, and are to give the
 * same tenures again (see pen_history_is_other()).
 */
typedef struct _PenPresent PenPresent;

/* Nobody, before the first event. */
PenPresent *pen_present_new (void);
void pen_present_free (PenPresent *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPresent, pen_present_free)

G_END_DECLS
