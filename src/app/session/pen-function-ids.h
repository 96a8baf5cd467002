/* pen-function-ids.h: which function of one import is which of another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-functions.h"

G_BEGIN_DECLS

/* The functions of a store, by what they are: their numbers are of one import. Not changed once
 * made. */
typedef struct _PenFunctionIds PenFunctionIds;

/* @store: outlives the result. NULL with @error */
PenFunctionIds *pen_function_ids_new (PenStore *store, GError **error);
void pen_function_ids_free (PenFunctionIds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFunctionIds, pen_function_ids_free)

/* The function @id of @self, in @other. Returns: G_MAXUINT32: it has none; as well for that itself
 */
guint32 pen_function_ids_find (const PenFunctionIds *self, guint32 id, const PenFunctionIds *other);

G_END_DECLS
