/* pen-clean-names.h: names, and what takes their places
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sanitize.h"

G_BEGIN_DECLS

typedef guint64 (*PenCleanAddressFunc) (guint64 address, gpointer user_data);

typedef struct _PenCleanNames PenCleanNames;

/* @keep: PEN_SANITIZE_KEEP_…
 * @address: for those in texts */
PenCleanNames *pen_clean_names_new (guint keep, PenCleanAddressFunc address, gpointer user_data);
void pen_clean_names_free (PenCleanNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCleanNames, pen_clean_names_free)

/* A name of the kernel's own, or of a module: it stays. */
void pen_clean_names_add_kernel (PenCleanNames *self, const char *name);

/* Returns: owned by the names, which keep it: the same for the same */
const char *pen_clean_names_get (PenCleanNames *self, PenCleanText what, const char *text);
/* How many were replaced. */
guint pen_clean_names_count (const PenCleanNames *self, PenCleanText what);

G_END_DECLS
