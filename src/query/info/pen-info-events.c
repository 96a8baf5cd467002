/* pen-info-events.c: which events were recorded, and how
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include "pen-attr-words.h"

/* An event that samples only point to has no attributes. */
static gboolean
has_attributes (const PenStoreEvent *event)
{
  return event->size > 0;
}

static void
tell_attributes (PenInfoSheet *sheet, const PenStoreEvent *event)
{
  const char *type = pen_attr_type_to_string (event->type);
  g_autofree char *period = pen_attr_period_to_string (event);
  g_autofree char *fields = pen_attr_sample_type_to_string (event->sample_type);
  g_autofree char *read = pen_attr_read_format_to_string (event->read_format);
  g_autofree char *flags = pen_attr_flags_to_string (event->flags);

  pen_info_sheet_tell (sheet, "type", "%u%s%s%s", event->type, type ? " (" : "", type ? type : "",
                       type ? ")" : "");
  pen_info_sheet_tell (sheet, "config", "0x%" G_GINT64_MODIFIER "x", event->config);
  pen_info_sheet_tell_text (sheet, "period", period);
  pen_info_sheet_tell_text (sheet, "sample fields", fields);
  pen_info_sheet_tell_text (sheet, "read format", read);
  pen_info_sheet_tell_text (sheet, "flags", flags);
  pen_info_sheet_tell_count (sheet, "ids", event->ids);
  pen_info_sheet_tell (sheet, "size", "%u bytes", event->size);
}

void
pen_info_tell_events (PenInfoSheet *sheet)
{
  GPtrArray *events = sheet->query->events;

  for (guint i = 0; i < events->len; i++) {
    const PenStoreEvent *event = events->pdata[i];
    g_autofree char *heading = g_strdup_printf ("Event %s", event->name);
    g_autofree char *group = g_strdup_printf ("event %s", event->name);

    pen_info_sheet_begin_group (sheet, heading, group);
    pen_info_sheet_tell_count (sheet, "samples", event->samples);
    if (has_attributes (event))
      tell_attributes (sheet, event);
  }
}
