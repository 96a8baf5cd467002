/* pen-sketch-read.c: a sketch without an import
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sketch.h"

#include "pen-sketcher.h"
#include "pen-witnessed-place.h"

/* A look at the clock costs as much as a record. */
#define RECORDS_STEP 128

static void
add_record (PenSketcher *sketcher, PenReader *reader, const PenRecord *record, GArray *losses)
{
  GPtrArray *attrs = pen_reader_get_attrs (reader);
  guint64 time = (record->has & PEN_HAS_TIME) != 0 ? pen_moment (record->time, 0).time : 0;

  if (record->type != PEN_RECORD_SAMPLE)
    pen_sketcher_add_record (sketcher, record, losses);
  else if (record->event < 0 || !pen_attr_is_bpf_output (attrs->pdata[record->event]))
    pen_sketcher_add_sample (sketcher, time, pen_record_get_cpumode (record));
}

PenSketch *
pen_sketch_read (const char *path, gint64 microseconds, double *part, GError **error)
{
  gint64 end = g_get_monotonic_time () + microseconds;
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, error);
  g_autoptr (PenSketcher) sketcher = pen_sketcher_new ();
  g_autoptr (GArray) losses = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  GError *failure = NULL;
  gboolean is_late = FALSE;
  PenRecord record;

  if (!reader)
    return NULL;
  for (guint n = 0; !is_late && pen_reader_next (reader, &record, NULL, &failure); n++) {
    if (n == 0)
      pen_sketcher_set_facts (sketcher, reader);
    add_record (sketcher, reader, &record, losses);
    is_late = n % RECORDS_STEP == 0 && g_get_monotonic_time () >= end;
  }
  if (failure) {
    g_propagate_error (error, failure);
    return NULL;
  }

  *part = 1;
  if (is_late && pen_reader_get_size (reader) > 0)
    *part = MIN (1, (double) pen_reader_get_bytes_read (reader)
                        / (double) pen_reader_get_size (reader));
  return pen_sketcher_draw (sketcher);
}
