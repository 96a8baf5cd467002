/* pen-query-find.c: places and names that a person looks for, against what the store knows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-find.h"

#include "pen-find-names.h"
#include "pen-find-private.h"
#include "pen-query-private.h"
#include "pen-query-resolve.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"

#define USER_HALF 0x8000000000000000ull

/* ---- words ---- */

static const char *const found_words[PEN_FOUNDS] = {
  [PEN_FOUND_ADDRESS] = "address", [PEN_FOUND_FUNCTION] = "function",
  [PEN_FOUND_TASK] = "task",       [PEN_FOUND_KEY] = "key",
  [PEN_FOUND_TIME] = "time",       [PEN_FOUND_OCCUPANT] = "occupant",
};

static const char *const when_words[] = {
  [PEN_FOUND_ALWAYS] = "",
  [PEN_FOUND_THEN] = "then",
  [PEN_FOUND_BEFORE] = "before",
  [PEN_FOUND_AFTER] = "after",
};

static const char *const remark_words[PEN_REMARKS] = {
  [PEN_REMARK_NONE] = "",
  [PEN_REMARK_LENGTH] = "other length",
  [PEN_REMARK_NAME] = "other name",
  [PEN_REMARK_SEVERAL] = "several of this name",
  [PEN_REMARK_NOT_THEN] = "not at that time",
  [PEN_REMARK_PAST_END] = "past the end",
  [PEN_REMARK_NO_NAME] = "name unknown",
  [PEN_REMARK_NO_ONE] = "occupant unknown",
  [PEN_REMARK_USER_SPACE] = "user space",
  [PEN_REMARK_MORE] = "more not listed",
};

const char *
pen_found_kind_to_string (PenFoundKind kind)
{
  g_return_val_if_fail (kind < PEN_FOUNDS, NULL);
  return found_words[kind];
}

const char *
pen_found_when_to_string (PenFoundWhen when)
{
  g_return_val_if_fail (when < G_N_ELEMENTS (when_words), NULL);
  return when_words[when];
}

const char *
pen_found_remark_to_string (PenFoundRemark remark)
{
  g_return_val_if_fail (remark < PEN_REMARKS, NULL);
  return remark_words[remark];
}

/* ---- life ---- */

static void
clear_place (gpointer data)
{
  g_free (((PenFoundPlace *) data)->text);
}

void
pen_found_free (PenFound *self)
{
  g_array_unref (self->places);
  g_array_unref (self->rows);
  g_free (self);
}

static void
clear_find (Find *find)
{
  g_clear_pointer (&find->tenures, g_array_unref);
  g_clear_pointer (&find->by_name, g_hash_table_unref);
  g_clear_pointer (&find->spots, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Find, clear_find)

/* ---- names of the kernel's space ---- */

static gboolean
add_tenure (const PenTenure *tenure, gpointer user_data)
{
  Find *find = user_data;
  GArray *indexes;

  g_array_append_val (find->tenures, *tenure);
  if (tenure->layer != PEN_LAYER_KSYMBOL)
    return TRUE;
  indexes = g_hash_table_lookup (find->by_name, tenure->occupant);
  if (!indexes) {
    indexes = g_array_new (FALSE, FALSE, sizeof (guint));
    g_hash_table_insert (find->by_name, (gpointer) tenure->occupant, indexes);
  }
  g_array_append_val (indexes, (guint){ find->tenures->len - 1 });
  return TRUE;
}

static gboolean
load_tenures (Find *find, GError **error)
{
  find->tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  find->by_name
      = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  find->spots
      = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  return pen_store_foreach_tenure (find->query->store, FALSE, add_tenure, find, error);
}

/* ---- places ---- */

static gboolean
find_address (Find *find, guint place, const PenPastedPlace *written, GError **error)
{
  /* As above: the name says that the call was the last of its function. */
  gboolean is_past = written->has_size && written->size > 0 && written->offset == written->size
                     && written->address > 0;
  FindProbe probe = { written->address, written->address - is_past };
  g_autoptr (GArray) holdings = pen_query_find_holdings (find->query, probe.byte, error);

  if (!holdings)
    return FALSE;
  if (!pen_find_get_then (find, holdings))
    pen_find_add_unknown (find, place, written,
                          holdings->len == 0 && (written->is_user || written->address < USER_HALF)
                              ? PEN_REMARK_USER_SPACE
                              : PEN_REMARK_NO_ONE);
  pen_find_add_holdings (find, place, written, probe, holdings, PEN_REMARK_NONE);
  return TRUE;
}

static gboolean
find_place (Find *find, const PenPastedPlace *written, GError **error)
{
  PenFoundPlace place = { g_strdup (written->text), written->is_unreliable, written->line };
  guint index = find->found->places->len;

  g_array_append_val (find->found->places, place);
  if (written->has_address && (!written->symbol || written->address >= USER_HALF))
    return find_address (find, index, written, error);
  return pen_find_symbol (find, index, written, error);
}

/* ---- one line, or many ---- */

static gboolean
find_trace (Find *find, const char *text, GError **error)
{
  g_autoptr (PenPastedTrace) trace = pen_pasted_trace_new (text);

  find->found->is_trace = TRUE;
  find->found->is_cut = trace->is_cut;
  find->found->has_time = trace->has_time;
  find->found->time = trace->time;
  for (guint i = 0; i < trace->places->len; i++) {
    if (!find_place (find, trace->places->pdata[i], error))
      return FALSE;
  }
  return TRUE;
}

/* An address of processes that samples fell on. */
static gboolean
add_functions_at (Find *find, const PenPastedPlace *written, GError **error)
{
  g_autofree char *target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", written->address);
  g_autoptr (GError) failure = NULL;
  g_autoptr (GArray) functions = pen_query_find_functions (find->query, target, &failure);

  if (!functions && !g_error_matches (failure, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND)) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return FALSE;
  }
  for (guint i = 0; functions && i < functions->len; i++) {
    PenFoundRow row = pen_find_make_row (PEN_FOUND_FUNCTION, G_MAXUINT);

    pen_find_fill_function (
        &row, pen_query_get_function (find->query, g_array_index (functions, guint32, i)));
    if (!pen_find_add_row (find, &row))
      break;
  }
  return TRUE;
}

/* Typed text may be a name of anything: that it is no place is only worth a row if it is nothing
 * else. */
static void
drop_unknown (Find *find)
{
  const PenFoundRow *row = (const PenFoundRow *) find->found->rows->data;
  guint n = find->found->rows->len;

  if (n < 2 || row[0].found != PEN_FOUND_ADDRESS || row[0].tenure != 0
      || row[0].remark == PEN_REMARK_NONE || row[1].found == PEN_FOUND_ADDRESS)
    return;
  g_array_remove_index (find->found->rows, 0);
  g_array_set_size (find->found->places, 0);
}

static gboolean
find_typed (Find *find, const char *text, GError **error)
{
  g_autoptr (PenPastedPlace) written = pen_pasted_place_new (text);

  if (written && !find_place (find, written, error))
    return FALSE;
  if (written && written->has_address && written->address < USER_HALF
      && !add_functions_at (find, written, error))
    return FALSE;
  if (!pen_find_names (find, text, error))
    return FALSE;
  drop_unknown (find);
  return TRUE;
}

PenFound *
pen_query_find (PenQuery *self, const char *text, PenMoment moment, GError **error)
{
  g_autoptr (PenFound) found = g_new0 (PenFound, 1);
  g_auto (Find) find
      = { .query = self, .found = found, .moment = moment, .check = pen_query_make_check (self) };

  found->moment = moment;
  found->places = g_array_new (FALSE, FALSE, sizeof (PenFoundPlace));
  g_array_set_clear_func (found->places, clear_place);
  found->rows = g_array_new (FALSE, FALSE, sizeof (PenFoundRow));
  if (!pen_query_load (self, error) || !load_tenures (&find, error))
    return NULL;
  if (!(pen_find_is_trace (text) ? find_trace : find_typed) (&find, text, error)
      || !pen_query_end_check (self, &find.check, error))
    return NULL;
  return g_steal_pointer (&found);
}

/* The kernel's log and perf read the same clock, unless another was asked for. */
static gboolean
is_recorded (PenQuery *self, guint64 time)
{
  guint64 first;
  guint64 last;

  return pen_query_get_time_range (self, &first, &last) && time >= first && time <= last;
}

PenFound *
pen_query_find_at_own_time (PenQuery *self, const char *text, PenMoment moment, GError **error)
{
  g_autoptr (PenFound) found = pen_query_find (self, text, moment, error);

  if (!found || !found->has_time || !is_recorded (self, found->time))
    return g_steal_pointer (&found);
  return pen_query_find (self, text, pen_moment (found->time, G_MAXUINT64), error);
}
