/* pen-tooltip.c: tooltips of what changes often
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tooltip.h"

#define KEY "pen-tooltip"

typedef struct {
  char *text; /* or NULL */
} Tooltip;

static void
free_tooltip (gpointer data)
{
  g_free (((Tooltip *) data)->text);
  g_free (data);
}

static gboolean
on_query (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *shown, Tooltip *tooltip)
{
  gtk_tooltip_set_text (shown, tooltip->text);
  return tooltip->text != NULL;
}

void
pen_tooltip_set (GtkWidget *widget, const char *text)
{
  Tooltip *tooltip = g_object_get_data (G_OBJECT (widget), KEY);

  if (!tooltip) {
    tooltip = g_new0 (Tooltip, 1);
    g_object_set_data_full (G_OBJECT (widget), KEY, tooltip, free_tooltip);
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query), tooltip);
  }
  if (g_strcmp0 (tooltip->text, text) == 0)
    return;
  g_free (tooltip->text);
  tooltip->text = g_strdup (text);
  gtk_widget_set_has_tooltip (widget, text != NULL);
}

const char *
pen_tooltip_get (GtkWidget *widget)
{
  const Tooltip *tooltip = g_object_get_data (G_OBJECT (widget), KEY);

  return tooltip && tooltip->text ? tooltip->text : gtk_widget_get_tooltip_text (widget);
}
