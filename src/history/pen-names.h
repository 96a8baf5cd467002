/* pen-names.h: strings, each kept once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenNames: equal strings have equal pointers, which live as long as the PenNames does.
 */
typedef struct _PenNames PenNames;

PenNames *pen_names_new (void);
void pen_names_free (PenNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenNames, pen_names_free)

/* @name: any bytes up to a NUL; NULL counts as "". Returns: owned by @self */
const char *pen_names_add (PenNames *self, const char *name);
/* Whether it was added. */
gboolean pen_names_contains (PenNames *self, const char *name);

/* Returns: (transfer none): for bytes that live as long, and are not looked for */
GStringChunk *pen_names_get_chunk (PenNames *self);

G_END_DECLS
