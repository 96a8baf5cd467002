/* pen-stack-target.c: the place in stacks that a person means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-stacks.h"

#include <string.h>

#include "pen-query-private.h"
#include "pen-query-resolve.h"
#include "pen-query-text.h"

static gboolean
find_address (PenQuery *self, const char *target, PenStackPlace *place, GError **error)
{
  place->parts = PEN_STACK_PLACE_RANGE;
  if (!pen_query_load (self, error) || !pen_query_resolve (self, target, &place->start, error))
    return FALSE;
  if (place->start == G_MAXUINT64) {
    place->end = place->start;
    return TRUE;
  }
  return pen_query_find_instruction_end (self, place->start, &place->end, error);
}

gboolean
pen_query_find_stack_place (PenQuery *self, const char *target, PenStackPlace *place,
                            GError **error)
{
  g_autoptr (GArray) found = NULL;

  *place = (PenStackPlace){ 0 };
  if (strchr (target, '+') || g_str_has_prefix (target, "0x") || g_str_has_prefix (target, "0X"))
    return find_address (self, target, place, error);
  found = pen_query_find_functions (self, target, error);
  if (!found)
    return FALSE;
  place->parts = PEN_STACK_PLACE_GROUP;
  place->grouping = PEN_STACK_BY_FUNCTION;
  place->group
      = pen_query_get_stack_group (self, place->grouping, g_array_index (found, guint32, 0), error);
  return place->group != PEN_STACK_NO_GROUP;
}
