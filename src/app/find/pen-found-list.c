/* pen-found-list.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-found-list.h"

#include <glib/gi18n-lib.h>

#include "pen-find-commands.h"
#include "pen-found-item.h"
#include "pen-found-words.h"
#include "pen-query-find.h"

/* Names: as many of each group as are read at a glance. Places: all. */
#define NAMES_MAX 8

static void
add_heading (GPtrArray *items, const PenFound *found, const PenFoundRow *row)
{
  if (row->place < found->places->len) {
    const PenFoundPlace *place = &g_array_index (found->places, PenFoundPlace, row->place);
    g_autofree char *text = pen_display_text (place->text);

    g_ptr_array_add (items, pen_found_item_new_heading (text, TRUE));
  } else {
    g_ptr_array_add (items, pen_found_item_new_heading (pen_found_words_group (row->found), FALSE));
  }
}

static void
add_rows (GPtrArray *items, PenFoundAnswer *answer, PenClock clock)
{
  const PenFound *found = answer->found;
  guint n_names = 0;

  for (guint i = 0; i < found->rows->len; i++) {
    const PenFoundRow *row = &g_array_index (found->rows, PenFoundRow, i);
    gboolean is_first = i == 0 || row[-1].found != row->found || row[-1].place != row->place;

    if (is_first) {
      add_heading (items, found, row);
      n_names = 0;
    }
    /* Which of the loads it was is a question of its own. */
    if (row->found != PEN_FOUND_ADDRESS && row->found != PEN_FOUND_OCCUPANT
        && n_names++ >= NAMES_MAX)
      continue;
    g_ptr_array_add (items, pen_found_item_new (answer, row, clock));
  }
}

static void
add_commands (GPtrArray *items, const char *text)
{
  g_autoptr (GPtrArray) commands = pen_find_commands_match (text);

  if (commands->len == 0)
    return;
  g_ptr_array_add (items, pen_found_item_new_heading (_ ("Commands"), FALSE));
  g_ptr_array_extend_and_steal (items, g_steal_pointer (&commands));
}

GPtrArray *
pen_found_list_new (PenFoundAnswer *answer, PenClock clock, const char *text)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  if (answer)
    add_rows (items, answer, clock);
  if (text)
    add_commands (items, text);
  return items;
}
