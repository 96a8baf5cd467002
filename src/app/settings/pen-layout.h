/* pen-layout.h: how a person arranged the window: widths of columns, what is folded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenLayout: one for all windows: the group `layout` of settings.ini. It is read in a thread, once,
 * and then emits "loaded"; changes are written in a thread after a second. Errors are not
 * shown: only an arrangement is lost.
 */
#define PEN_TYPE_LAYOUT (pen_layout_get_type ())
G_DECLARE_FINAL_TYPE (PenLayout, pen_layout, PEN, LAYOUT, GObject)

/* The program's; main thread. */
PenLayout *pen_layout_get_default (void);
/* Another one of the same file, as the next start of the program has it. */
PenLayout *pen_layout_new (void);

/* After "loaded". */
gboolean pen_layout_is_loaded (PenLayout *self);

/* NULL: not set, or not read yet. Valid until the next call with this @key. */
const char *pen_layout_get (PenLayout *self, const char *key);
/* @key: letters, digits, '-' and '.'; @value: (nullable): one line of UTF-8; NULL: not set */
void pen_layout_set (PenLayout *self, const char *key, const char *value);

/* Writes what was set, and waits until it is: for the end of the program. */
void pen_layout_flush (PenLayout *self);

G_END_DECLS
