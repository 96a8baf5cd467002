/* pen-slot-steps.c: which line of an annotation comes next: by heat, by change, by what it says
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-steps.h"

typedef struct {
  guint64 address;
  guint64 heat; /* samples, or time off CPU */
} Step;

typedef gboolean (*StepTest) (PenSlot *slot, const char *needle);

static gboolean
is_hot (PenSlot *slot, const char *needle)
{
  return pen_slot_get_amount (slot).n > 0;
}

static gboolean
is_patched (PenSlot *slot, const char *needle)
{
  return pen_slot_get_nth_line (slot, 0)->is_patched;
}

/* By address, as they are in @slots. */
static GArray *
collect (GListModel *slots, StepTest test, const char *needle)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));

  for (guint i = 0; i < g_list_model_get_n_items (slots); i++) {
    g_autoptr (PenSlot) slot = g_list_model_get_item (slots, i);
    Step step = { pen_slot_get_address (slot), pen_amount_get (pen_slot_get_amount (slot)) };

    if (test (slot, needle))
      g_array_append_val (steps, step);
  }
  return steps;
}

static int
compare_heat (gconstpointer a, gconstpointer b)
{
  const Step *left = a, *right = b;

  if (left->heat != right->heat)
    return left->heat > right->heat ? -1 : 1;
  return left->address < right->address ? -1 : left->address > right->address;
}

static const Step *
nth (GArray *steps, guint i)
{
  return &g_array_index (steps, Step, i % steps->len);
}

/* Where @steps are in an order of their own, a line that is none of them leads to the first. */
static gboolean
step_in_order (GArray *steps, int direction, guint64 *address)
{
  guint at = 0;

  if (steps->len == 0)
    return FALSE;
  while (at < steps->len && nth (steps, at)->address != *address)
    at++;
  if (at == steps->len)
    at = direction > 0 ? steps->len - 1 : 0;
  *address = nth (steps, direction > 0 ? at + 1 : at + steps->len - 1)->address;
  return TRUE;
}

static gboolean
step_by_address (GArray *steps, int direction, guint64 *address)
{
  guint next = 0;

  if (steps->len == 0)
    return FALSE;
  while (next < steps->len
         && (direction > 0 ? nth (steps, next)->address <= *address
                           : nth (steps, next)->address < *address))
    next++;
  *address = nth (steps, direction < 0 ? next + steps->len - 1 : next)->address;
  return TRUE;
}

gboolean
pen_slot_steps_hot (GListModel *slots, int direction, guint64 *address)
{
  g_autoptr (GArray) steps = collect (slots, is_hot, NULL);

  g_array_sort (steps, compare_heat);
  return step_in_order (steps, direction, address);
}

gboolean
pen_slot_steps_patched (GListModel *slots, int direction, guint64 *address)
{
  g_autoptr (GArray) steps = collect (slots, is_patched, NULL);

  return step_by_address (steps, direction, address);
}

gboolean
pen_slot_steps_matching (GListModel *slots, const char *needle, int direction, guint64 *address)
{
  g_autoptr (GArray) steps = collect (slots, pen_slot_matches, needle);

  return step_by_address (steps, direction, address);
}

guint
pen_slot_steps_count_matching (GListModel *slots, const char *needle, guint64 address, guint *place)
{
  g_autoptr (GArray) steps = NULL;

  *place = 0;
  /* Without a search, no slot is made for it. */
  if (needle[0] == '\0')
    return 0;
  steps = collect (slots, pen_slot_matches, needle);
  for (guint i = 0; i < steps->len; i++)
    if (nth (steps, i)->address == address)
      *place = i + 1;
  return steps->len;
}
