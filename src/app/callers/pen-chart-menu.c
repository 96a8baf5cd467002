/* pen-chart-menu.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chart-menu.h"

#include <glib/gi18n-lib.h>

#include "pen-context-menu.h"
#include "pen-row-facts.h"
#include "pen-row-menu.h"

static void
append (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

void
pen_chart_menu_popup (GtkWidget *about, const PenStackChart *chart, const PenChartBox *box,
                      const PenFunction *function, double x, double y)
{
  GdkRectangle place = { (int) x, (int) y, 1, 1 };
  g_autoptr (PenRow) row = pen_row_new ();
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenuModel) model = NULL;
  g_autofree char *name = pen_stack_chart_dup_name (chart, box);
  guint64 from, to;

  pen_stack_chart_get_time (chart, box, &from, &to);
  if (function) {
    pen_row_tell_function (row, function);
    append (section, _ ("Show in _Code"), "stack-chart.show-code",
            g_variant_new_uint32 (function->id));
  }
  append (section, _ ("_Zoom to This Frame"), "win.zoom-to", g_variant_new ("(tt)", from, to));
  append (section, _ ("Zoom Out to _All"), "stack-chart.zoom-fit", NULL);
  pen_row_add_cell (row, name);
  model = pen_row_menu_new_model (row);
  g_menu_prepend_section (G_MENU (model), NULL, G_MENU_MODEL (section));
  pen_context_menu_popup (about, model, NULL, NULL, &place);
}
