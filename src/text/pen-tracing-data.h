/* pen-tracing-data.h: the formats of tracepoints, as a capture brings them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenTracepointFormat: a file `events/SYSTEM/NAME/format` of tracefs
 * @id: perf_event_attr.config of a tracepoint
 * @text: not checked
 */
typedef struct {
  char *system;
  guint64 id;
  char *text;
} PenTracepointFormat;

/*
 * PenTracingData: the blob of TRACING_DATA (trace-cmd.dat.v6(5), "INITIAL FORMAT" and on)
 * @big_endian, @long_size: of the machine that recorded
 * @formats: (element-type PenTracepointFormat)
 */
typedef struct {
  gboolean big_endian;
  guint long_size;
  GPtrArray *formats;
} PenTracingData;

/*
 * pen_tracing_data_parse:
 *
 * Reads the formats of @blob up to the first that is cut off or invalid.
 *
 * Returns: (nullable): NULL if it is none, or does not even reach to the formats
 */
PenTracingData *pen_tracing_data_parse (GBytes *blob);
void pen_tracing_data_free (PenTracingData *self);

/* Returns: (nullable): owned by @self */
const PenTracepointFormat *pen_tracing_data_find (PenTracingData *self, guint64 id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTracingData, pen_tracing_data_free)

G_END_DECLS
