/* pen-change-model.h: the changes of a session as a list whose rows are read as they are looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-change-item.h"
#include "pen-session.h"

G_BEGIN_DECLS

/* A GListModel of PenChangeItem. Cost: four bytes for each change, of the session; and the rows of
 * what was looked at last. */
#define PEN_TYPE_CHANGE_MODEL (pen_change_model_get_type ())
G_DECLARE_FINAL_TYPE (PenChangeModel, pen_change_model, PEN, CHANGE_MODEL, GObject)

PenChangeModel *pen_change_model_new (PenSession *session);

/* Opens or closes the group at @position. FALSE: there is none, or it is so already */
gboolean pen_change_model_set_open (PenChangeModel *self, guint position, gboolean is_open);

/* The row of the change @id, of whose group it is opened. FALSE: it is not listed */
gboolean pen_change_model_find (PenChangeModel *self, guint32 id, guint *position);

G_END_DECLS
