/* pen-last-view.h: what was looked at when a capture was last open, to come back to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-view-state.h"

G_BEGIN_DECLS

/*
 * PenLastView:
 * @span, @samples: of the capture: another one of the same name has other ones
 * @state: without what has no number that lasts: function and part of the axis
 * @address_from, @address_to: what the text map shows, if that is not all
 * @symbol, @start: of the function; @symbol may be NULL
 * @batch_from: time of the batch of patches that stacks are compared around, whose number is
 * another when the capture is imported anew: then it is 0 in the state; 0: none
 */
typedef struct {
  PenSpan span;
  guint64 samples;
  PenViewState state;
  char *symbol;
  guint64 start;
  gboolean has_addresses;
  guint64 address_from;
  guint64 address_to;
  guint64 batch_from;
} PenLastView;

PenLastView *pen_last_view_new (void);
void pen_last_view_free (PenLastView *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLastView, pen_last_view_free)

/* The key file (help/C/open.page) for a capture or a store, by its absolute path: below
 * $XDG_STATE_HOME/pentimento/views. */
char *pen_last_view_dup_file (const char *capture);

/* Blocks. Parts that cannot be read are left out. NULL: there is none that can be used, for
 * whatever reason. */
PenLastView *pen_last_view_load (const char *file);

/* In a thread of its own, in the order of the calls. @view: (nullable): NULL removes the file. No
 * error is told: what is lost is where one was. Keeps the newest PEN_LAST_VIEWS_MAX files. */
#define PEN_LAST_VIEWS_MAX 200
void pen_last_view_save_later (const char *file, const PenLastView *view);
/* Waits until all that was to be saved is. */
void pen_last_view_wait_all (void);

G_END_DECLS
