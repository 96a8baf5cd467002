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

/* Names: as many of each group as are read at a glance, until more are asked for. Places: all. */
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

/* Which of the loads it was is a question of its own: all are listed. */
static gboolean
can_fold (PenFoundKind group)
{
  return group != PEN_FOUND_ADDRESS && group != PEN_FOUND_OCCUPANT;
}

static guint
count_rows (const PenFound *found, guint first)
{
  const PenFoundRow *rows = (const PenFoundRow *) found->rows->data;
  guint end = first + 1;

  while (end < found->rows->len && rows[end].found == rows[first].found
         && rows[end].place == rows[first].place)
    end++;
  return end - first;
}

/* @rest: not listed. The last of them may say that there are yet more. */
static void
add_more (GPtrArray *items, const PenFoundRow *rest, guint n_rest)
{
  gboolean is_cut = rest[n_rest - 1].remark == PEN_REMARK_MORE;
  guint n = n_rest - is_cut;
  g_autofree char *title = is_cut ? g_strdup_printf (_ ("%u+ more…"), n)
                                  : g_strdup_printf (ngettext ("%u more…", "%u more…", n), n);

  g_ptr_array_add (items, pen_found_item_new_more (title, rest->found));
}

static void
add_rows (GPtrArray *items, PenFoundAnswer *answer, PenClock clock, guint unfolded)
{
  const PenFound *found = answer->found;
  guint n;

  for (guint first = 0; first < found->rows->len; first += n) {
    const PenFoundRow *rows = &g_array_index (found->rows, PenFoundRow, first);
    gboolean is_folded;
    guint n_shown;

    n = count_rows (found, first);
    /* A row that stands for one would take its place. */
    is_folded
        = n > NAMES_MAX + 1 && can_fold (rows->found) && (unfolded & (1u << rows->found)) == 0;
    n_shown = is_folded ? NAMES_MAX : n;
    add_heading (items, found, rows);
    for (guint i = 0; i < n_shown; i++)
      g_ptr_array_add (items, pen_found_item_new (answer, &rows[i], clock));
    if (is_folded)
      add_more (items, rows + n_shown, n - n_shown);
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
pen_found_list_new (PenFoundAnswer *answer, PenClock clock, guint unfolded, const char *text)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  if (answer)
    add_rows (items, answer, clock, unfolded);
  if (text)
    add_commands (items, text);
  return items;
}
