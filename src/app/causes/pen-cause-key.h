/* pen-cause-key.h: a row of the tree of causes, from one answer to the next
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-causes.h"

G_BEGIN_DECLS

/* Identifies a row while numbers and order change. @name: of the group that it is, or in */
typedef struct {
  guint level;
  gboolean is_program;
  PenCause cause;
  char *name;
  guint64 address;
} PenCauseKey;

PenCauseKey *pen_cause_key_new (const PenCauseRow *row);
void pen_cause_key_free (gpointer data);

/* Whether @row is that of @key, or one that it is in. */
gboolean pen_cause_key_is_row (const PenCauseRow *row, const PenCauseKey *key);
/* @key: (nullable). @index: (out): in the tree; also of a row that it is in, with FALSE */
gboolean pen_cause_key_find (const PenCauseTree *tree, const PenCauseKey *key, guint *index);

G_END_DECLS
