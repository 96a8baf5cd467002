/* pen-virtual-constraint.c: what a query asks a virtual table for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-virtual-private.h"

#include <string.h>

/* Columns are counted from 'A', so that a row's id (-1) is a character too. */
#define COLUMN_BASE 'A'

/* Letters for the operators; a set has one of its own. */
static const struct {
  char letter;
  guint8 operator;
} operators[] = {
  { '=', SQLITE_INDEX_CONSTRAINT_EQ }, { '>', SQLITE_INDEX_CONSTRAINT_GT },
  { 'g', SQLITE_INDEX_CONSTRAINT_GE }, { '<', SQLITE_INDEX_CONSTRAINT_LT },
  { 'l', SQLITE_INDEX_CONSTRAINT_LE },
};

#define SET_LETTER 'i'

static char
operator_to_letter (guint8 operator)
{
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (operators[i].operator== operator)
      return operators[i].letter;
  return '\0';
}

gboolean
pen_virtual_take_constraint (sqlite3_index_info *info, int index, int column, GString *taken)
{
  char letter = operator_to_letter (info->aConstraint[index].op);

  if (letter == '\0' || taken->len / 2 >= PEN_VIRTUAL_MAX_CONSTRAINTS)
    return FALSE;

  /* All at once: one look at the samples for a whole list of values. */
  if (letter == '=' && sqlite3_vtab_in (info, index, 1))
    letter = SET_LETTER;

  g_string_append_c (taken, (char) (COLUMN_BASE + column));
  g_string_append_c (taken, letter);
  info->aConstraintUsage[index].argvIndex = (int) taken->len / 2;
  return TRUE;
}

int
pen_virtual_finish_index (sqlite3_index_info *info, GString *taken)
{
  info->idxStr = sqlite3_mprintf ("%s", taken->str);
  info->needToFreeIdxStr = 1;
  return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

PenVirtualConstraint
pen_virtual_get_constraint (const char *taken, int index)
{
  PenVirtualConstraint constraint = {
    .column = taken[2 * index] - COLUMN_BASE,
    .operator= SQLITE_INDEX_CONSTRAINT_EQ,
    .is_set = taken[2 * index + 1] == SET_LETTER,
  };

  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (operators[i].letter == taken[2 * index + 1])
      constraint.operator= operators[i].operator;
  return constraint;
}

gboolean
pen_virtual_may_equal_integer (sqlite3_value *value, gint64 number)
{
  switch (sqlite3_value_type (value)) {
  case SQLITE_INTEGER:
    return sqlite3_value_int64 (value) == number;
  case SQLITE_NULL:
    return FALSE;
  default:
    /* A text or a real that SQLite may still find to be that number. */
    return TRUE;
  }
}

gboolean
pen_virtual_may_equal_text (sqlite3_value *value, const char *text)
{
  switch (sqlite3_value_type (value)) {
  case SQLITE_TEXT:
    return text && strcmp ((const char *) sqlite3_value_text (value), text) == 0;
  case SQLITE_NULL:
    return FALSE;
  default:
    return text != NULL;
  }
}

/* The integers around a number: the greatest that is not above it, the least that is not below. */
static gboolean
get_bounds (sqlite3_value *value, gint64 *down, gint64 *up)
{
  double real;

  switch (sqlite3_value_type (value)) {
  case SQLITE_INTEGER:
    *down = *up = sqlite3_value_int64 (value);
    return TRUE;
  case SQLITE_FLOAT:
    real = sqlite3_value_double (value);
    /* Beyond 2^53 not every integer is a double. */
    if (real > 9007199254740992.0 || real < -9007199254740992.0)
      return FALSE;
    *down = *up = (gint64) real;
    *down -= (double) *down > real;
    *up += (double) *up < real;
    return TRUE;
  default:
    return FALSE;
  }
}

static PenVirtualRange
get_range (guint8 operator, gint64 down, gint64 up)
{
  static const PenVirtualRange none = { 1, 0 };

  switch (operator) {
  case SQLITE_INDEX_CONSTRAINT_EQ:
    return (PenVirtualRange){ up, down };
  case SQLITE_INDEX_CONSTRAINT_GE:
    return (PenVirtualRange){ up, G_MAXINT64 };
  case SQLITE_INDEX_CONSTRAINT_LE:
    return (PenVirtualRange){ G_MININT64, down };
  case SQLITE_INDEX_CONSTRAINT_GT:
    return down == G_MAXINT64 ? none : (PenVirtualRange){ down + 1, G_MAXINT64 };
  default:
    return up == G_MININT64 ? none : (PenVirtualRange){ G_MININT64, up - 1 };
  }
}

void
pen_virtual_range_narrow (PenVirtualRange *range, guint8 operator, sqlite3_value * value)
{
  PenVirtualRange left = PEN_VIRTUAL_RANGE_ALL;
  gint64 down;
  gint64 up;

  if (sqlite3_value_type (value) == SQLITE_NULL)
    left = (PenVirtualRange){ 1, 0 };
  else if (get_bounds (value, &down, &up))
    left = get_range (operator, down, up);

  range->first = MAX (range->first, left.first);
  range->last = MIN (range->last, left.last);
}
