/* pen-query-info.h: facts about a capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

gboolean pen_query_write_info (PenQuery *self, PenTableWriter *writer, GError **error);
/* The same, to be shown: a fact and the heading that it stands under. */
typedef struct {
  char *heading;
  char *fact;
  char *value;
} PenInfoFact;

/* Returns: (transfer full) (element-type PenInfoFact) */
GPtrArray *pen_query_load_info (PenQuery *self, GError **error);

G_END_DECLS
