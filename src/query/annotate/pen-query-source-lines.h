/* pen-query-source-lines.h: which lines of source an annotation was made from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-annotation.h"

G_BEGIN_DECLS

/* "source": "dir/file.c:12". Listed: without its directories, and only where it is another than
 * that of the line @above. */
void pen_query_write_source (PenTableWriter *writer, const PenAnnotationLine *line);
/* "inlined": "list_add at kernel/sched/fair.c:88; …". Listed, "source" has that, too. */
void pen_query_write_inlined (PenTableWriter *writer, const PenAnnotationLine *line);
void pen_query_write_listed_source (PenTableWriter *writer, const PenAnnotationLine *line,
                                    const PenAnnotationLine *above);

/* Fills in from which lines of their source the lines were made, where the store knows. Its
 * function may be none: then programs are told all the same. */
gboolean pen_query_tell_source_lines (PenQuery *self, const PenAnnotated *annotated,
                                      GError **error);

G_END_DECLS
