/* pen-profile-writer.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-profile-writer.h"

#include "pen-profile-writers.h"

/* How the writer of each format wants frames; folded stacks are the query's own. */
static const struct {
  PenProfileFunc write;
  gboolean is_compressed;
  gboolean has_labels;
} writers[PEN_PROFILE_FORMATS] = {
  [PEN_PROFILE_PPROF] = { pen_pprof_profile_write, TRUE, TRUE },
  [PEN_PROFILE_FIREFOX] = { pen_firefox_profile_write, TRUE, FALSE },
  [PEN_PROFILE_SPEEDSCOPE] = { pen_speedscope_profile_write, FALSE, FALSE },
};

static gboolean
write_folded (PenQuery *query, const PenProfileOptions *options, GOutputStream *stream,
              guint64 *n_samples, GError **error)
{
  guint64 total;

  return pen_query_count (query, options->filter, n_samples, &total, error)
         && pen_query_write_folded (query, options->filter, options->grouping, options->measure,
                                    options->suffixes, stream, error);
}

static gboolean
write_stacks (PenQuery *query, const PenProfileOptions *options, GOutputStream *stream,
              guint64 *n_samples, GError **error)
{
  gboolean has_labels = writers[options->format].has_labels;
  PenWeightedOptions weighted = {
    .grouping = options->grouping,
    .suffixes = has_labels ? options->suffixes & PEN_FOLD_OFFSET : options->suffixes,
    .has_versions = has_labels && options->suffixes & PEN_FOLD_CAUSE,
  };
  g_autoptr (PenWeightedStacks) stacks
      = pen_weighted_stacks_new (query, options->filter, &weighted, error);

  return stacks && writers[options->format].write (stacks, options, stream, n_samples, error);
}

static gboolean
write_compressed (PenQuery *query, const PenProfileOptions *options, GOutputStream *stream,
                  guint64 *n_samples, GError **error)
{
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autoptr (GOutputStream) compressed = g_converter_output_stream_new (stream, G_CONVERTER (gzip));

  /* Of the caller's stream there may be more. */
  g_filter_output_stream_set_close_base_stream (G_FILTER_OUTPUT_STREAM (compressed), FALSE);
  return write_stacks (query, options, compressed, n_samples, error)
         && g_output_stream_close (compressed, NULL, error);
}

gboolean
pen_profile_write (PenQuery *query, const PenProfileOptions *options, GOutputStream *stream,
                   guint64 *n_samples, GError **error)
{
  guint64 n = 0;
  gboolean is_done;

  if (options->format == PEN_PROFILE_FOLDED)
    is_done = write_folded (query, options, stream, &n, error);
  else if (writers[options->format].is_compressed)
    is_done = write_compressed (query, options, stream, &n, error);
  else
    is_done = write_stacks (query, options, stream, &n, error);
  if (is_done && n_samples)
    *n_samples = n;
  return is_done;
}
