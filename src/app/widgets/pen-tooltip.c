/* pen-tooltip.c: tooltips of what changes often
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tooltip.h"

#define KEY "pen-tooltip" /* the text; "": none */

static gboolean
on_query (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *shown)
{
  const char *text = g_object_get_data (G_OBJECT (widget), KEY);

  gtk_tooltip_set_text (shown, text);
  return text[0] != '\0';
}

void
pen_tooltip_set (GtkWidget *widget, const char *text)
{
  const char *before = g_object_get_data (G_OBJECT (widget), KEY);

  if (!before)
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query), NULL);
  else if (g_str_equal (before, text ? text : ""))
    return;
  g_object_set_data_full (G_OBJECT (widget), KEY, g_strdup (text ? text : ""), g_free);
  gtk_widget_set_has_tooltip (widget, text != NULL);
}
