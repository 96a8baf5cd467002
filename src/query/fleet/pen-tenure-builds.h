/* pen-tenure-builds.h: of which build the text of each tenure is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-names.h"
#include "pen-query-private.h"

G_BEGIN_DECLS

/*
 * PenTenureBuild: what the rows of a fleet ask of a tenure
 * @from, @to: ns; 0 and G_MAXUINT64 where the recording does not bound it
 * @start, @file_offset: as in PenTenure
 * @build: as in PenNamedBucket
 */
typedef struct {
  guint64 from;
  guint64 to;
  guint64 start;
  guint64 file_offset;
  const char *build;
  PenKind kind;
} PenTenureBuild;

/* Returns: (transfer full) (element-type PenTenureBuild): by id; the first is that of what has no
 * tenure. @names: has their strings. Cost: all tenures are read */
GArray *pen_tenure_builds_load (PenQuery *query, PenNames *names, GError **error);

G_END_DECLS
