/* pen-query-info.h: facts about a capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

gboolean pen_query_write_info (PenQuery *self, PenTableWriter *writer, GError **error);
/* The same, to be shown in the user's language: a fact and the heading that it stands under. */
typedef struct {
  char *group; /* as CSV has it: "source"; NULL: none */
  char *heading;
  char *key; /* the fact as CSV has it, after its group */
  char *fact;
  char *value;
} PenInfoFact;

/* Returns: (transfer full) (element-type PenInfoFact) */
GPtrArray *pen_query_load_info (PenQuery *self, GError **error);

/* The shape of a capture, as pen_reader_get_shape() has it, in the user's language.
 * Returns: (transfer full) */
char *pen_query_translate_shape (const char *shape);

G_END_DECLS
