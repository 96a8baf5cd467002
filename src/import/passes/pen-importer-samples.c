/* pen-importer-samples.c: samples and waits to tenures and callers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-importer.h"

#include "pen-chain-tree.h"
#include "pen-sample-pass.h"

/* Buckets of a part: they are written with each part until there are so many. */
#define PART_BUCKETS (1u << 15)

static PenChainCallers *
new_callers (const PenImporter *self)
{
  if (self->kept)
    return pen_chain_callers_new_with (self->kept->tree);
  return pen_chain_callers_new (PEN_CHAIN_NODES_MAX >> self->halvings);
}

static gboolean
has_callchains (const GPtrArray *attrs)
{
  for (guint i = 0; i < attrs->len; i++)
    if (((const PenAttr *) attrs->pdata[i])->sample_type & PEN_SAMPLE_CALLCHAIN)
      return TRUE;
  return FALSE;
}

gboolean
pen_importer_place_samples (PenImporter *self, GError **error)
{
  const GPtrArray *attrs = pen_reader_get_attrs (self->reader);
  g_autoptr (PenChainResolver) chains = pen_chain_resolver_new (self->chains, self->frames);
  g_autoptr (PenChainCallers) callers = new_callers (self);
  g_autoptr (PenSampleWriter) writer = NULL;
  guint64 n_samples = pen_sample_sorter_get_count (self->sorter);
  PenTimelessCounts timeless = { 0 };

  self->book = pen_bucket_book_new (self->buckets, self->history, self->sources, attrs->len);
  pen_bucket_book_limit (self->book, PEN_GENERATION_BUCKETS >> self->halvings);
  if (self->kept) {
    pen_bucket_book_go_on (self->book, &self->kept->sums);
    pen_bucket_book_limit (self->book, PART_BUCKETS);
    if (self->kept->wanted)
      pen_text_pass_add_wanted (pen_bucket_book_get_text (self->book), self->kept->wanted);
  }
  if (!pen_progress_start (&self->progress, PEN_IMPORT_SAMPLES, n_samples, error)
      || !pen_sample_sorter_sort (self->sorter, error))
    return FALSE;

  writer = pen_sample_writer_new (n_samples - self->n_outputs, self->buckets, self->book,
                                  self->payloads, self->outputs, self->writer);
  if (self->kept)
    pen_sample_writer_go_on (writer, &self->kept->rest);
  else if (has_callchains (attrs))
    pen_sample_writer_count_stacks (writer);
  if (!pen_sample_pass_run (self->sorter, self->history, attrs, FALSE, self->witness, self->threads,
                            chains, callers, writer, self->progress.state.sketcher, &timeless,
                            &self->progress, error))
    return FALSE;
  self->frame_functions = pen_sample_writer_take_functions (writer);
  self->counts.timeless_samples += timeless.samples;
  self->counts.timeless_unknown += timeless.unknown;
  if (self->sketcher)
    pen_sketcher_end_samples (self->sketcher);

  self->counts.chains_dropped += pen_chain_callers_get_dropped (callers);
  self->counts.chains_unjoined += pen_chain_spool_get_unjoined (self->chains);
  g_clear_pointer (&self->sorter, pen_sample_sorter_free);
  return TRUE;
}

/* The same as with samples, into tables of their own. */
static gboolean
place_found_waits (PenImporter *self, PenSampleSorter *sorter, GError **error)
{
  const GPtrArray *attrs = pen_reader_get_attrs (self->reader);
  g_autoptr (PenChainResolver) chains = pen_chain_resolver_new (self->chains, self->frames);
  g_autoptr (PenChainCallers) callers = new_callers (self);
  g_autoptr (PenBucketTable) buckets = pen_bucket_table_new ();
  g_autoptr (PenBucketBook) book = pen_bucket_book_new_beside (self->book, buckets);
  g_autoptr (PenSampleWriter) writer = NULL;
  PenTimelessCounts timeless = { 0 };
  guint64 n = pen_sample_sorter_get_count (sorter);

  if (!pen_progress_start (&self->progress, PEN_IMPORT_SAMPLES, n, error)
      || !pen_store_writer_set_population (self->writer, PEN_POPULATION_WAITS, error))
    return FALSE;

  writer = pen_sample_writer_new (n, buckets, book, self->payloads, self->outputs, self->writer);
  if (!pen_sample_pass_run (sorter, self->history, attrs, TRUE, NULL, self->threads, chains,
                            callers, writer, NULL, &timeless, &self->progress, error)
      || !pen_bucket_book_write (book, self->writer, error)
      || !pen_store_writer_set_population (self->writer, PEN_POPULATION_SAMPLES, error))
    return FALSE;

  self->counts.timeless_waits = timeless.samples;
  self->counts.timeless_waits_unknown = timeless.unknown;
  self->counts.wait_chains_dropped = pen_chain_callers_get_dropped (callers);
  return TRUE;
}

gboolean
pen_importer_place_waits (PenImporter *self, GError **error)
{
  PenSampleSorter *sorter;

  if (self->kept) {
    g_clear_pointer (&self->chains, pen_chain_spool_free);
    return TRUE;
  }
  if (!pen_wait_finder_finish (self->waits, pen_loss_tracker_get_losses (self->losses), &sorter,
                               &self->counts.waits, error)
      || (sorter && !place_found_waits (self, sorter, error)))
    return FALSE;

  pen_wait_finder_clear (self->waits);
  g_clear_pointer (&self->chains, pen_chain_spool_free);
  /* Beside the history; not before, when there is more in memory. */
  return pen_bucket_book_begin_write (self->book, self->writer, error);
}
