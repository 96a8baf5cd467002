/* pen-fleet-rows.h: what the tables of a fleet share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-fleet.h"
#include "pen-stood-time.h"
#include "pen-tenure-builds.h"

G_BEGIN_DECLS

/* One table on its way. @builds: (element-type PenTenureBuild) */
typedef struct {
  PenQuery *query;
  const char *id;
  PenTableWriter *writer;
  PenNames *names;
  GArray *builds;
  PenStoodTime time;
} PenFleetSheet;

static inline const PenTenureBuild *
pen_fleet_sheet_get_build (const PenFleetSheet *self, guint32 tenure)
{
  return &g_array_index (self->builds, PenTenureBuild, tenure < self->builds->len ? tenure : 0);
}

/* Text of a key: never "not known", which a database has no order for. */
static inline void
pen_fleet_write_word (PenTableWriter *writer, const char *text)
{
  pen_table_writer_text (writer, text ? text : "");
}

gboolean pen_fleet_write_capture (PenFleetSheet *sheet, GError **error);
gboolean pen_fleet_write_changes (PenFleetSheet *sheet, GError **error);
gboolean pen_fleet_write_occupants (PenFleetSheet *sheet, GError **error);

G_END_DECLS
