/* pen-fleet-occupants.c: who was there: a row for each occupant, and for each load of a BPF program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fleet-rows.h"

#include <string.h>

#include "pen-bucket-cells.h"
#include "pen-compare.h"
#include "pen-occupant-count.h"
#include "pen-query-cells.h"
#include "pen-store-programs.h"

typedef struct {
  PenKind kind;
  const char *build;
  const char *occupant;
  guint32 bpf_id;
  guint64 from;
  guint64 to;
  guint64 samples;
  guint64 changes;
} Hold;

typedef struct {
  PenFleetSheet *sheet;
  GArray *holds;
} Listing;

static gboolean
add_tenure (const PenTenure *tenure, guint64 samples, guint64 period G_GNUC_UNUSED, guint64 changes,
            gpointer user_data)
{
  Listing *self = user_data;
  const Hold hold = {
    .kind = tenure->kind,
    .build = pen_fleet_sheet_get_build (self->sheet, tenure->id)->build,
    .occupant = pen_names_add (self->sheet->names, tenure->occupant),
    .bpf_id = tenure->bpf_id,
    .from = tenure->from.time,
    .to = tenure->to.time,
    .samples = samples,
    .changes = changes,
  };

  g_array_append_val (self->holds, hold);
  return TRUE;
}

static int
compare_occupants (const Hold *x, const Hold *y)
{
  int order = x->build == y->build ? 0 : strcmp (x->build, y->build);

  if (order == 0)
    order = PEN_COMPARE (x->kind, y->kind);
  if (order == 0 && x->occupant != y->occupant)
    order = strcmp (x->occupant, y->occupant);
  return order != 0 ? order : PEN_COMPARE (x->bpf_id, y->bpf_id);
}

static int
compare_holds (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Hold *x = a;
  const Hold *y = b;
  int order = compare_occupants (x, y);

  return order != 0 ? order : PEN_COMPARE (x->from, y->from);
}

static gboolean
write_program (PenFleetSheet *sheet, guint32 bpf_id, GError **error)
{
  PenStoredBpfProgram program = { .name = "" };
  GError *failure = NULL;

  if (bpf_id != 0 && !pen_store_find_bpf_program (sheet->query->store, bpf_id, &program, &failure)
      && failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  pen_query_write_unsigned_or_empty (sheet->writer, bpf_id != 0, bpf_id);
  pen_fleet_write_word (sheet->writer, program.name);
  return TRUE;
}

/* @holds: of one occupant, by their beginnings */
static gboolean
write_occupant (PenFleetSheet *sheet, const Hold *holds, guint n, GError **error)
{
  PenStoodSpan span = { 0 };
  double seconds = 0;
  guint64 samples = 0;
  guint64 changes = 0;

  for (guint i = 0; i < n; i++) {
    seconds = pen_stood_span_add (&span, &sheet->time, holds[i].from, holds[i].to);
    samples += holds[i].samples;
    changes += holds[i].changes;
  }
  pen_fleet_write_word (sheet->writer, holds->build);
  pen_fleet_write_word (sheet->writer, pen_kind_to_string (holds->kind));
  pen_fleet_write_word (sheet->writer, holds->occupant);
  pen_fleet_write_word (sheet->writer, sheet->id);
  if (!write_program (sheet, holds->bpf_id, error))
    return FALSE;
  pen_query_write_stood (sheet->writer, TRUE,
                         (double) (MAX (holds->from, sheet->time.from) - sheet->time.from) / 1e9);
  pen_query_write_stood (sheet->writer, TRUE, seconds);
  pen_table_writer_unsigned (sheet->writer, n);
  pen_table_writer_unsigned (sheet->writer, samples);
  pen_table_writer_unsigned (sheet->writer, changes);
  return pen_table_writer_end_row (sheet->writer, error);
}

gboolean
pen_fleet_write_occupants (PenFleetSheet *sheet, GError **error)
{
  PenCancelCheck check = pen_query_make_check (sheet->query);
  g_autoptr (PenMatcher) matcher = pen_matcher_new (sheet->query, NULL, error);
  g_autoptr (GArray) holds = g_array_new (FALSE, FALSE, sizeof (Hold));
  Listing listing = { sheet, holds };
  guint end;

  if (!matcher || !pen_query_foreach_occupant (sheet->query, matcher, add_tenure, &listing, error))
    return FALSE;
  pen_cancel_check_sort (&check, holds->data, holds->len, sizeof (Hold), compare_holds, NULL);
  if (!pen_query_end_check (sheet->query, &check, error))
    return FALSE;
  for (guint i = 0; i < holds->len; i = end) {
    const Hold *first = &g_array_index (holds, Hold, i);

    for (end = i + 1;
         end < holds->len && compare_occupants (first, &g_array_index (holds, Hold, end)) == 0;)
      end++;
    if (!write_occupant (sheet, first, end - i, error))
      return FALSE;
  }
  return TRUE;
}
