/* pen-import-history.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-history.h"

#include "pen-digests.h"

#define PROGRESS_STEP 512

static gboolean
is_new_space (const PenSpace *space, PenHistoryRows *rows)
{
  const guint64 words[] = { space->to.time, space->to.position };

  return !rows || pen_digests_set (rows->spaces, space->id, pen_digest (words, 2));
}

static gboolean
write_spaces (PenHistory *history, PenHistoryRows *rows, PenStoreWriter *writer, GError **error)
{
  guint n;
  const PenSpace *spaces = pen_history_get_spaces (history, &n);

  for (guint i = 0; i < n; i++)
    if (is_new_space (&spaces[i], rows) && !pen_store_writer_add_space (writer, &spaces[i], error))
      return FALSE;
  return TRUE;
}

/* What may still change of a process's; the kernel's are few. */
static gboolean
is_new_tenure (const PenTenure *tenure, PenHistoryRows *rows)
{
  const guint64 words[] = {
    tenure->to.time,
    tenure->to.position,
    tenure->unverified_from.time,
    tenure->unverified_from.position,
    (guint64) tenure->to_bound << 32 | tenure->evidence,
    tenure->samples,
  };

  if (!rows || tenure->space == PEN_SPACE_KERNEL)
    return TRUE;
  return pen_digests_set (rows->tenures, tenure->id, pen_digest (words, G_N_ELEMENTS (words)));
}

static gboolean
write_tenures (PenHistory *history, const guint64 *samples, PenHistoryRows *rows,
               PenStoreWriter *writer, PenProgress *progress, GError **error)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);
  const PenSpace *spaces = pen_history_get_spaces (history, &(guint){ 0 });

  for (guint i = 0; i < n; i++) {
    PenTenure tenure = tenures[i];

    if (i % PROGRESS_STEP == 0
        && !pen_progress_step (progress, progress->state.done + PROGRESS_STEP, error))
      return FALSE;

    tenure.space = spaces[tenure.space].id;
    tenure.samples = samples[tenure.id];
    if (is_new_tenure (&tenure, rows) && !pen_store_writer_add_tenure (writer, &tenure, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
part_is_whole (const PenPart *part, const PenTenure *tenure)
{
  return part->start == tenure->start && part->end == tenure->end
         && part->file_offset == tenure->file_offset
         && pen_moment_compare (part->from, tenure->from) == 0
         && pen_moment_compare (part->to, tenure->to) == 0;
}

/* Nothing that comes changes it, and it is not in the history of the next part. */
static gboolean
is_settled (const PenPart *part, const PenTenure *tenure)
{
  return tenure->space != PEN_SPACE_KERNEL && pen_moment_compare (part->to, PEN_MOMENT_END) < 0;
}

static gboolean
write_some_parts (PenHistory *history, gboolean with_settled, gboolean with_others,
                  PenStoreWriter *writer, GError **error)
{
  guint n;
  const PenPart *parts = pen_history_get_parts (history, &n);
  const PenTenure *tenures = pen_history_get_tenures (history, &(guint){ 0 });

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[parts[i].tenure - 1];
    PenPart part = parts[i];

    part.tenure = tenure->id;
    if (!part_is_whole (&parts[i], tenure)
        && (is_settled (&part, tenure) ? with_settled : with_others)
        && !pen_store_writer_add_part (writer, &part, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_parts (PenHistory *history, PenHistoryRows *rows, PenStoreWriter *writer, GError **error)
{
  if (!rows)
    return write_some_parts (history, TRUE, TRUE, writer, error);
  if (!write_some_parts (history, TRUE, FALSE, writer, error))
    return FALSE;
  pen_store_writer_settle_parts (writer);
  return write_some_parts (history, FALSE, TRUE, writer, error);
}

static gboolean
write_losses (PenHistory *history, PenStoreWriter *writer, GError **error)
{
  guint n;
  const PenLoss *losses = pen_history_get_losses (history, &n);

  for (guint i = 0; i < n; i++)
    if (!pen_store_writer_add_loss (writer, &losses[i], error))
      return FALSE;
  return TRUE;
}

gboolean
pen_import_history_write (PenHistory *history, const guint64 *samples, PenHistoryRows *rows,
                          PenStoreWriter *writer, PenProgress *progress, GError **error)
{
  return write_spaces (history, rows, writer, error)
         && write_tenures (history, samples, rows, writer, progress, error)
         && write_parts (history, rows, writer, error) && write_losses (history, writer, error);
}
