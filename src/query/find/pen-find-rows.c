/* pen-find-rows.c: what is said of one address, in rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-find-private.h"

#include <string.h>

#include "pen-query-cells.h"
#include "pen-query-private.h"

PenFoundWhen
pen_find_get_when (const Find *find, PenMoment from, PenMoment to)
{
  if (pen_moment_compare (to, find->moment) < 0)
    return PEN_FOUND_BEFORE;
  return pen_moment_compare (from, find->moment) < 0 ? PEN_FOUND_THEN : PEN_FOUND_AFTER;
}

PenFoundRow
pen_find_make_row (PenFoundKind found, guint place)
{
  return (PenFoundRow){ .found = found,
                        .place = place,
                        .from = PEN_MOMENT_START,
                        .to = PEN_MOMENT_END,
                        .function = G_MAXUINT32 };
}

/* Returns: FALSE: it is not listed, and one row says so */
gboolean
pen_find_add_row (Find *find, const PenFoundRow *row)
{
  GArray *rows = find->found->rows;
  const PenFoundRow *last
      = rows->len > 0 ? &g_array_index (rows, PenFoundRow, rows->len - 1) : NULL;
  gboolean is_same = last && last->found == row->found && last->place == row->place;
  PenFoundRow more = pen_find_make_row (row->found, row->place);

  find->n_listed = is_same ? find->n_listed + 1 : 0;
  if (find->n_listed > PEN_FOUND_ROWS_MAX)
    return FALSE;
  more.remark = PEN_REMARK_MORE;
  g_array_append_val (rows, *(find->n_listed < PEN_FOUND_ROWS_MAX ? row : &more));
  return find->n_listed < PEN_FOUND_ROWS_MAX;
}

typedef struct {
  PenFoundRow *row;
  guint64 start;
} FunctionMatch;

static void
match_function (const PenFunction *function, gpointer user_data)
{
  FunctionMatch *match = user_data;
  PenFoundRow *row = match->row;

  if (function->start != match->start || g_strcmp0 (function->symbol, row->name) != 0
      || g_strcmp0 (function->occupant, row->occupant) != 0)
    return;
  row->function = function->id;
  row->samples = function->samples;
  row->changes = function->changes;
}

PenFoundRow
pen_find_make_holding_row (Find *find, guint place, FindProbe probe, const PenHolding *holding)
{
  PenFoundRow row = pen_find_make_row (PEN_FOUND_ADDRESS, place);
  const PenTenure *tenure = &holding->tenure;
  guint64 start;
  guint64 end;

  row.when = pen_find_get_when (find, holding->from, holding->to);
  row.has_address = TRUE;
  row.address = probe.address;
  row.tenure = tenure->id;
  row.kind = tenure->kind;
  row.occupant = tenure->occupant;
  row.bpf_id = tenure->bpf_id;
  row.from = holding->from;
  row.to = holding->to;
  row.evidence = pen_tenure_get_evidence (tenure, probe.byte, holding->from, holding->to);
  row.source = pen_tenure_get_source (tenure, probe.byte);
  row.is_unverified = pen_query_is_unverified (tenure, holding->to);
  if (pen_query_find_symbol (find->query, tenure, probe.byte, &row.name, &start, &end)) {
    row.has_offset = TRUE;
    row.offset = probe.address - start;
    row.length = end - start;
  }
  return row;
}

gboolean
pen_find_add_holding_row (Find *find, PenFoundRow *row)
{
  FunctionMatch match = { row, row->address - row->offset };

  if (row->has_offset)
    pen_query_foreach_function_in (find->query, match.start, match.start + 1, match_function,
                                   &match);
  return pen_find_add_row (find, row);
}

gboolean
pen_find_row_is (const PenFoundRow *row, const PenPastedPlace *written)
{
  return row->has_offset && strcmp (row->name, written->symbol) == 0
         && row->offset == (written->has_offset ? written->offset : 0);
}

static PenFoundRemark
judge (const PenFoundRow *row, const PenPastedPlace *written)
{
  if (row->when != PEN_FOUND_THEN || !written->symbol)
    return PEN_REMARK_NONE;
  if (!row->name || strcmp (row->name, written->symbol) != 0)
    return PEN_REMARK_NAME;
  return written->has_size && row->length != written->size ? PEN_REMARK_LENGTH : PEN_REMARK_NONE;
}

void
pen_find_add_unknown (Find *find, guint place, const PenPastedPlace *written, PenFoundRemark remark)
{
  PenFoundRow row = pen_find_make_row (PEN_FOUND_ADDRESS, place);

  row.when = PEN_FOUND_THEN;
  row.remark = remark;
  row.has_address = written->has_address;
  row.address = written->address;
  /* The name that was written belongs to the person, not to the store. */
  pen_find_add_row (find, &row);
}

/* All who ever held an address: first who did then.
 * @written: what they are compared with */
void
pen_find_add_holdings (Find *find, guint place, const PenPastedPlace *written, FindProbe probe,
                       const GArray *holdings, PenFoundRemark remark)
{
  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < holdings->len; i++) {
      PenFoundRow row = pen_find_make_holding_row (find, place, probe,
                                                   &g_array_index (holdings, PenHolding, i));

      /* The symbols of a module may have to be read. */
      if (!pen_cancel_check_steps (&find->check, 32))
        return;
      if ((row.when == PEN_FOUND_THEN) != (pass == 0))
        continue;
      row.remark = judge (&row, written);
      row.stated = written->size;
      if (row.when == PEN_FOUND_THEN && row.remark == PEN_REMARK_NONE)
        row.remark = remark;
      if (!pen_find_add_holding_row (find, &row))
        return;
    }
  }
}

const PenHolding *
pen_find_get_then (const Find *find, const GArray *holdings)
{
  for (guint i = 0; i < holdings->len; i++) {
    const PenHolding *holding = &g_array_index (holdings, PenHolding, i);

    if (pen_find_get_when (find, holding->from, holding->to) == PEN_FOUND_THEN)
      return holding;
  }
  return NULL;
}
