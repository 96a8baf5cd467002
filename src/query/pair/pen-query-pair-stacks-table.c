/* pen-query-pair-stacks-table.c: stacks of two recordings as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-comparison-cells.h"
#include "pen-pair-cells.h"
#include "pen-pair-test.h"
#include "pen-query-cells.h"
#include "pen-query-pair-paths.h"
#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "stack", PEN_COLUMN_TEXT },        { "frames", PEN_COLUMN_NUMBER },
  { "a_samples", PEN_COLUMN_NUMBER },  { "a_rate", PEN_COLUMN_NUMBER },
  { "a_low", PEN_COLUMN_NUMBER },      { "a_high", PEN_COLUMN_NUMBER },
  { "a_share", PEN_COLUMN_NUMBER },    { "b_samples", PEN_COLUMN_NUMBER },
  { "b_rate", PEN_COLUMN_NUMBER },     { "b_low", PEN_COLUMN_NUMBER },
  { "b_high", PEN_COLUMN_NUMBER },     { "b_share", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },      { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER }, { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },      { "obstacle", PEN_COLUMN_TEXT },
};

/* The stack is last, since it is long. */
static const PenColumn listing_columns[] = {
  { "A", PEN_COLUMN_NUMBER },     { "rate", PEN_COLUMN_NUMBER },   { "share", PEN_COLUMN_NUMBER },
  { "B", PEN_COLUMN_NUMBER },     { "rate", PEN_COLUMN_NUMBER },   { "share", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER }, { "interval", PEN_COLUMN_TEXT }, { "verdict", PEN_COLUMN_TEXT },
  { "stack", PEN_COLUMN_TEXT },
};

/* Samples that end in @path. */
typedef struct {
  guint32 path;
  PenRate rates[2];
  PenPairTest test;
} Stack;

/* ---- which ---- */

static int
compare_stacks (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const Stack *x = a;
  const Stack *y = b;
  guint64 samples_x = x->rates[0].samples + x->rates[1].samples;
  guint64 samples_y = y->rates[0].samples + y->rates[1].samples;

  if (x->test.least != y->test.least)
    return x->test.least > y->test.least ? -1 : 1;
  if (samples_x != samples_y)
    return samples_x > samples_y ? -1 : 1;
  return x->path < y->path ? -1 : x->path > y->path;
}

static gboolean
has_share (const PenPairs *pairs, const PenPairPath *path, double least)
{
  double totals[2];

  pen_pairs_get_totals (pairs, totals);
  for (guint i = 0; i < 2; i++)
    if (path->own[i] > 0 && (double) path->own[i] >= least * totals[i])
      return TRUE;
  return FALSE;
}

/* Returns: (transfer full) (element-type Stack) */
static GArray *
list_stacks (const PenPairs *pairs, const PenPairPaths *paths, double least, PenCancelCheck *check)
{
  GArray *stacks = g_array_new (FALSE, FALSE, sizeof (Stack));
  double times[2];

  for (guint32 i = 0; i < paths->paths->len && pen_cancel_check_step (check); i++) {
    const PenPairPath *path = pen_pair_paths_get (paths, i);
    Stack stack = { .path = i };

    for (guint side = 0; side < 2; side++)
      stack.rates[side].samples = path->own[side];
    if (has_share (pairs, path, least))
      g_array_append_val (stacks, stack);
  }
  pen_pairs_get_test_times (pairs, times);
  if (paths->obstacle == PEN_PAIR_OTHER_CHAINS)
    times[0] = times[1] = 0;
  for (guint i = 0; i < stacks->len && pen_cancel_check_steps (check, 100); i++) {
    Stack *stack = &g_array_index (stacks, Stack, i);

    pen_pairs_find_rates (pairs, stack->rates);
    stack->test = pen_pair_test (stack->rates[0].samples, stack->rates[1].samples, times,
                                 PEN_POISSON_ALPHA / stacks->len);
  }
  pen_cancel_check_sort (check, stacks->data, stacks->len, sizeof (Stack), compare_stacks, NULL);
  return stacks;
}

/* ---- rows ---- */

/* From the outermost frame; a renamed one is called as in A. */
static char *
make_words (const PenPairPaths *paths, guint32 index)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GString *words = g_string_new (NULL);

  for (; index != PEN_PAIR_NO_PATH; index = pen_pair_paths_get (paths, index)->parent) {
    const PenPairFrame *frame = pen_pair_paths_get_frame (paths, pen_pair_paths_get (paths, index));

    if (frame)
      g_ptr_array_add (names, pen_pair_frame_get_name (frame));
  }
  for (guint i = names->len; i > 0; i--)
    g_string_append_printf (words, "%s%s", (const char *) names->pdata[i - 1], i > 1 ? ";" : "");
  return g_string_free (words, FALSE);
}

static void
write_row (PenTableWriter *writer, const PenPairPaths *paths, const Stack *stack)
{
  g_autofree char *words = make_words (paths, stack->path);

  pen_table_writer_text (writer, words);
  pen_table_writer_unsigned (writer, pen_pair_paths_get (paths, stack->path)->depth);
  for (guint side = 0; side < 2; side++) {
    pen_table_writer_unsigned (writer, stack->rates[side].samples);
    pen_pair_write_rate (writer, &stack->rates[side]);
    pen_query_write_real_or_empty (writer, stack->rates[side].share, 6);
  }
  pen_pair_write_test (writer, &stack->test);
  pen_table_writer_text (writer, pen_pair_obstacle_to_string (paths->obstacle));
}

static void
write_listed_row (PenTableWriter *writer, const PenPairPaths *paths, const Stack *stack)
{
  g_autofree char *words = make_words (paths, stack->path);

  pen_table_writer_style (writer, stack->test.verdict != PEN_PAIR_UNSURE ? PEN_STYLE_MARKED
                                                                         : PEN_STYLE_PLAIN);
  for (guint side = 0; side < 2; side++) {
    pen_table_writer_unsigned (writer, stack->rates[side].samples);
    pen_query_write_real_or_empty (writer, stack->rates[side].rate, 2);
    pen_query_write_real_or_empty (writer, stack->rates[side].share, 4);
  }
  pen_query_write_real_or_empty (writer, stack->test.test.ratio, 3);
  pen_comparison_write_interval (writer, stack->test.test.low, stack->test.test.high, 3);
  pen_table_writer_text (writer, pen_pair_verdict_to_string (stack->test.verdict));
  pen_table_writer_text (writer, words);
}

gboolean
pen_query_write_pair_stacks (const PenPairSource sources[2], double least, PenTableWriter *writer,
                             GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;
  PenCancelCheck check = pen_query_make_check (sources[0].query);
  g_autoptr (PenPairs) pairs = pen_query_pair (sources, error);
  g_autoptr (PenPairPaths) paths
      = pairs ? pen_query_pair_paths (sources, pairs, NULL, 0, error) : NULL;
  g_autoptr (GArray) stacks = paths ? list_stacks (pairs, paths, least, &check) : NULL;

  if (!stacks || !pen_query_end_check (sources[0].query, &check, error))
    return FALSE;
  if (is_listing) {
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
    pen_pair_write_sides (writer, pairs, sources);
    if (!pairs->has_same_chains)
      pen_table_writer_heading (writer, pen_pair_obstacle_describe (PEN_PAIR_OTHER_CHAINS));
  } else {
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  }
  for (guint i = 0; i < stacks->len; i++) {
    const Stack *stack = &g_array_index (stacks, Stack, i);

    if (is_listing)
      write_listed_row (writer, paths, stack);
    else
      write_row (writer, paths, stack);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
