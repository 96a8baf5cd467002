/* pen-info-events.c: which events were recorded, and how
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include <glib/gi18n-lib.h>

#include "pen-attr-words.h"
#include "pen-store-records.h"

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
  g_autofree char *period = g_strdup_printf ("%" G_GUINT64_FORMAT, event->period_or_frequency);
  g_autofree char *fields = pen_attr_sample_type_to_string (event->sample_type);
  g_autofree char *read = pen_attr_read_format_to_string (event->read_format);
  g_autofree char *flags = pen_attr_flags_to_string (event->flags);

  pen_info_sheet_tell (sheet, NC_ ("fact", "type"), "%u%s%s%s", event->type, type ? " (" : "",
                       type ? type : "", type ? ")" : "");
  pen_info_sheet_tell (sheet, NC_ ("fact", "config"), "0x%" G_GINT64_MODIFIER "x", event->config);
  pen_info_sheet_tell (sheet, NC_ ("fact", "period"),
                       event->flags & PEN_STORE_EVENT_FREQUENCY ? N_ ("%s Hz") : N_ ("every %s"),
                       period);
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "sample fields"), fields);
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "read format"), read);
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "flags"), flags);
  pen_info_sheet_tell_count (sheet, NC_ ("fact", "ids"), event->ids);
  pen_info_sheet_tell (sheet, NC_ ("fact", "size"), N_ ("%u bytes"), event->size);
}

void
pen_info_tell_events (PenInfoSheet *sheet)
{
  GPtrArray *events = sheet->query->events;

  for (guint i = 0; i < events->len; i++) {
    const PenStoreEvent *event = events->pdata[i];
    g_autofree char *heading
        = g_strdup_printf (g_dgettext (sheet->domain, N_ ("Event %s")), event->name);
    g_autofree char *group = g_strdup_printf ("event %s", event->name);

    pen_info_sheet_begin_group (sheet, heading, group);
    pen_info_sheet_tell_count (sheet, NC_ ("fact", "samples"), event->samples);
    if (has_attributes (event))
      tell_attributes (sheet, event);
  }
}
