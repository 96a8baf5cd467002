/* pen-find-commands.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-find-commands.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-found-item.h"

/* As the menu and the shortcuts window name them. */
static const struct {
  const char *title;
  const char *action;
  const char *target; /* (nullable) */
} commands[] = {
  { N_ ("Code"), "win.page", "code" },
  { N_ ("Callers"), "win.page", "callers" },
  { N_ ("Text Map"), "win.page", "map" },
  { N_ ("Causes"), "win.page", "causes" },
  { N_ ("Occupants"), "win.page", "occupants" },
  { N_ ("Recording"), "win.page", "recording" },
  { N_ ("Next Change"), "win.next-change", NULL },
  { N_ ("Previous Change"), "win.previous-change", NULL },
  { N_ ("Changed Text Only"), "win.toggle-changed", NULL },
  { N_ ("Add a Filter"), "win.type-filter", NULL },
  { N_ ("Clear All Filters"), "win.clear-filters", NULL },
  { N_ ("Whole Recording"), "win.zoom-fit", NULL },
  { N_ ("Zoom to the Selection"), "win.zoom-selection", NULL },
  { N_ ("Overview"), "win.overview", NULL },
  { N_ ("Patch History Pane"), "win.history-pane", NULL },
  { N_ ("Add Note"), "win.add-note", NULL },
  { N_ ("Notes"), "win.notes", NULL },
  { N_ ("Export Functions"), "win.export-functions", NULL },
  { N_ ("Export Occupants"), "win.export-occupants", NULL },
  { N_ ("Export Samples"), "win.export-samples", NULL },
  { N_ ("Export Changes"), "win.export-changes", NULL },
  { N_ ("Copy as CLI Command"), "win.copy-view-command", NULL },
  { N_ ("Reset View"), "win.start-afresh", NULL },
  { N_ ("Open a Recording"), "win.open", NULL },
  { N_ ("Preferences"), "app.preferences", NULL },
  { N_ ("Keyboard Shortcuts"), "win.show-help-overlay", NULL },
  { N_ ("Help"), "app.help", NULL },
};

GPtrArray *
pen_find_commands_match (const char *text)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *wanted = g_utf8_casefold (text, -1);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    const char *title = _ (commands[i].title);
    g_autofree char *folded = g_utf8_casefold (title, -1);

    if (strstr (folded, wanted))
      g_ptr_array_add (found,
                       pen_found_item_new_command (
                           title, commands[i].action,
                           commands[i].target ? g_variant_new_string (commands[i].target) : NULL));
  }
  return found;
}
