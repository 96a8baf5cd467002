/* pen-space-names.h: what tables call address spaces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenSpaceNames: "kernel", or a pid; where a pid had several images, with a number that counts them
 * in time order ("126/2").
 */
typedef struct _PenSpaceNames PenSpaceNames;

PenSpaceNames *pen_space_names_load (PenStore *store, GError **error);
void pen_space_names_free (PenSpaceNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSpaceNames, pen_space_names_free)

/* Returns: (transfer none): "" for a space that is not there */
const char *pen_space_names_get (const PenSpaceNames *self, guint32 space);

G_END_DECLS
