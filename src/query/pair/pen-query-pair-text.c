/* pen-query-pair-text.c: the text of one function in two recordings, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-text.h"

#include "pen-binary-search.h"
#include "pen-pair-changes.h"
#include "pen-pair-loads.h"
#include "pen-pair-reader.h"
#include "pen-pair-side.h"
#include "pen-pair-source-lines.h"
#include "pen-pair-test.h"
#include "pen-query-private.h"
#include "pen-query-target.h"
#include "pen-sample-count.h"

static const char *const difference_words[PEN_PAIR_DIFFERENCES] = {
  [PEN_PAIR_LINE_SAME] = "same",       [PEN_PAIR_LINE_CHANGED] = "changed",
  [PEN_PAIR_LINE_ADDED] = "added",     [PEN_PAIR_LINE_REMOVED] = "removed",
  [PEN_PAIR_LINE_UNKNOWN] = "unknown", [PEN_PAIR_LINE_REST] = "rest",
};

const char *
pen_pair_difference_to_string (PenPairDifference difference)
{
  g_return_val_if_fail (difference < PEN_PAIR_DIFFERENCES, NULL);
  return difference_words[difference];
}

static void
free_pair_line (gpointer data)
{
  PenPairLine *line = data;

  g_free (line->targets[0]);
  g_free (line->targets[1]);
  g_free (line);
}

static void
free_function (gpointer data)
{
  PenPairFunction *self = data;

  g_ptr_array_unref (self->lines);
  g_ptr_array_unref (self->sources);
  pen_pair_text_free (self->texts[0]);
  pen_pair_text_free (self->texts[1]);
  g_free (self);
}

void
pen_pair_annotation_free (PenPairAnnotation *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->functions);
  pen_names_free (self->strings);
  g_free (self);
}

/* @matchers: of each side's filter */
typedef struct {
  const PenPairSource *sources;
  const PenPairs *pairs;
  PenSyntax syntax;
  PenPairReader *readers[2];
  PenMatcher *matchers[2];
  PenFilter *filters[2];
  PenDecoder *decoders[2];
} Annotator;

static void
annotator_clear (Annotator *self)
{
  for (guint i = 0; i < 2; i++) {
    g_clear_pointer (&self->readers[i], pen_pair_reader_free);
    g_clear_pointer (&self->matchers[i], pen_matcher_free);
    g_clear_pointer (&self->filters[i], pen_filter_free);
    g_clear_pointer (&self->decoders[i], pen_decoder_free);
  }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Annotator, annotator_clear)

/* ---- lines ---- */

static PenAnnotationLine *
get_text_line (const PenPairText *text, guint i)
{
  return text->lines->pdata[i];
}

/* Texts are compared in one syntax, and shown in another. */
static void
set_syntax (Annotator *self, guint side, PenAnnotationLine *line)
{
  PenInstruction instruction;

  if (!self->decoders[side] || line->is_rest || line->n_bytes == 0)
    return;
  pen_decoder_decode (self->decoders[side], line->bytes, line->n_bytes, line->address,
                      &instruction);
  if (instruction.length != line->n_bytes)
    return;
  g_free (line->instruction);
  line->instruction = g_strdup (instruction.text);
}

static void
set_side (Annotator *self, PenPairLine *line, guint side, const PenPairText *text, guint i)
{
  PenAnnotationLine *own = get_text_line (text, i);
  g_autoptr (GString) target = g_string_new (NULL);

  line->lines[side] = own;
  if (i < text->n)
    line->is_masked |= text->instructions[i].is_masked;
  if (own->has_target)
    pen_pair_reader_append_target (self->readers[side], text, own->target_address, target);
  if (target->len > 0)
    line->targets[side] = g_string_free (g_steal_pointer (&target), FALSE);
  set_syntax (self, side, own);
}

static PenPairLine *
add_line (PenPairFunction *function, PenPairDifference difference)
{
  PenPairLine *line = g_new0 (PenPairLine, 1);

  line->difference = difference;
  g_ptr_array_add (function->lines, line);
  function->n_different += difference != PEN_PAIR_LINE_SAME && difference != PEN_PAIR_LINE_REST;
  return line;
}

/* What is in one text only is not known to be missing in another that is not known. */
static PenPairDifference
get_difference (const PenPairFunction *function, const PenPairChange *change)
{
  gboolean is_single = change->a == G_MAXUINT || change->b == G_MAXUINT;

  return is_single && function->text == PEN_PAIR_TEXT_UNKNOWN ? PEN_PAIR_LINE_UNKNOWN
                                                              : change->difference;
}

static void
add_changes (Annotator *self, PenPairFunction *function, const GArray *changes)
{
  for (guint i = 0; i < changes->len; i++) {
    const PenPairChange *change = &g_array_index (changes, PenPairChange, i);
    PenPairLine *line = add_line (function, get_difference (function, change));

    line->cause = change->cause;
    if (change->a != G_MAXUINT)
      set_side (self, line, 0, function->texts[0], change->a);
    if (change->b != G_MAXUINT)
      set_side (self, line, 1, function->texts[1], change->b);
  }
}

/* ---- samples ---- */

/* Index of the line that has @address; G_MAXUINT: none. */
static guint
find_line (const PenPairText *text, guint64 address)
{
  guint after
      = PEN_BINARY_SEARCH (i, 0, text->lines->len, get_text_line (text, i)->address <= address);
  const PenAnnotationLine *line = after > 0 ? get_text_line (text, after - 1) : NULL;

  return line && address - line->address < line->n_bytes ? after - 1 : G_MAXUINT;
}

/* Adds those of one load of the text, whose instructions are where those of the text are. */
static gboolean
add_samples (Annotator *self, guint side, PenPairFunction *function, const PenFunction *own,
             guint64 *samples, guint64 *rest, GError **error)
{
  const PenPairText *text = function->texts[side];
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (PenBucketSet) set = NULL;
  g_autofree PenBucketCount *counts = NULL;

  g_array_append_val (ids, own->id);
  set = pen_bucket_set_new (self->sources[side].query, ids, NULL, NULL, error);
  if (!set)
    return FALSE;
  counts = pen_query_count_set (self->sources[side].query, self->matchers[side], set, FALSE, error);
  if (!counts)
    return FALSE;
  for (guint i = 0; i < set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (set, i);
    guint line = bucket->has_address ? find_line (text, bucket->address - own->start + text->start)
                                     : G_MAXUINT;

    function->samples[side] += counts[i].samples;
    if (line < text->n)
      samples[line] += counts[i].samples;
    else
      *rest += counts[i].samples;
  }
  return TRUE;
}

/* Of instructions of the text's own; what is left is of padding, or of no known byte.
 * @load: (nullable)
 * Returns: (transfer full): for each of them; NULL with @error */
static guint64 *
count_samples (Annotator *self, guint side, PenPairFunction *function, const PenPairLoad *load,
               guint64 *rest, GError **error)
{
  const PenPairText *text = function->texts[side];
  g_autofree guint64 *samples = g_new0 (guint64, text->n + 1);

  for (guint i = 0; load && i < load->functions->len; i++) {
    const PenFunction *own = load->functions->pdata[i];

    if (own->id != G_MAXUINT32 && !add_samples (self, side, function, own, samples, rest, error))
      return NULL;
  }
  return g_steal_pointer (&samples);
}

/* @a, @b: as count_samples() gives them */
static void
set_samples (PenPairFunction *function, const GArray *changes, const guint64 *a, const guint64 *b,
             const guint64 rest[2])
{
  for (guint i = 0; i < changes->len; i++) {
    const PenPairChange *change = &g_array_index (changes, PenPairChange, i);
    PenPairLine *line = function->lines->pdata[i];

    line->rates[0].samples = change->a != G_MAXUINT ? a[change->a] : 0;
    line->rates[1].samples = change->b != G_MAXUINT ? b[change->b] : 0;
  }
  if (rest[0] > 0 || rest[1] > 0) {
    PenPairLine *line = add_line (function, PEN_PAIR_LINE_REST);

    line->rates[0].samples = rest[0];
    line->rates[1].samples = rest[1];
  }
}

/* ---- functions ---- */

/* There is no such function. */
static PenPairText *
make_nothing (void)
{
  PenPairText *text = g_new0 (PenPairText, 1);

  text->lines = g_ptr_array_new ();
  text->is_known = TRUE;
  return text;
}

/* @load: (nullable): its text goes to @function */
static gboolean
set_side_text (Annotator *self, PenPairFunction *function, PenPairLoad *load, guint side,
               GError **error)
{
  const PenFunction *own = load ? load->functions->pdata[0] : NULL;
  PenPairText *text;

  function->functions[side] = own ? own->id : G_MAXUINT32;
  function->is_there[side] = own != NULL;
  function->texts[side] = text = load ? g_steal_pointer (&load->text) : make_nothing ();
  if (!own)
    return TRUE;
  function->loads[side] = load->functions->len;
  function->symbols[side] = own->symbol;
  function->moments[side] = text->moment;
  function->versions[side] = text->versions;
  return pen_pair_reader_tell_source_lines (self->readers[side], text, error);
}

static void
judge_texts (PenPairFunction *function, const GArray *changes)
{
  const PenPairText *a = function->texts[0], *b = function->texts[1];
  gboolean is_patched = TRUE;

  if (function->text != PEN_PAIR_TEXT_SAME)
    return;
  for (guint i = 0; i < changes->len; i++) {
    const PenPairChange *change = &g_array_index (changes, PenPairChange, i);

    is_patched &= change->difference == PEN_PAIR_LINE_SAME || change->cause != PEN_CAUSE_UNKNOWN;
  }
  if (!pen_pair_text_equal (a, b))
    function->text = is_patched ? PEN_PAIR_TEXT_PATCHED : PEN_PAIR_TEXT_DIFFERS;
}

/* @a_load, @b_load: (nullable): one of them is there */
static PenPairFunction *
annotate_function (Annotator *self, PenPairLoad *a_load, PenPairLoad *b_load, GError **error)
{
  PenPairFunction *function = g_new0 (PenPairFunction, 1);
  g_autoptr (GArray) changes = NULL;
  g_autofree guint64 *a = NULL;
  g_autofree guint64 *b = NULL;
  guint64 rest[2] = { 0, 0 };

  function->lines = g_ptr_array_new_with_free_func (free_pair_line);
  function->sources = g_ptr_array_new_with_free_func (g_free);
  if (!set_side_text (self, function, a_load, 0, error)
      || !set_side_text (self, function, b_load, 1, error))
    goto fail;
  if (!function->is_there[0] || !function->is_there[1])
    function->text = PEN_PAIR_TEXT_NONE;
  else if (((PenPairText *) function->texts[0])->is_known
           && ((PenPairText *) function->texts[1])->is_known)
    function->text = PEN_PAIR_TEXT_SAME;
  else
    function->text = PEN_PAIR_TEXT_UNKNOWN;
  changes = pen_pair_list_changes (self->sources, function->texts[0], function->texts[1],
                                   PEN_PAIR_ALIGN_STEPS, error);
  if (!changes)
    goto fail;
  judge_texts (function, changes);
  add_changes (self, function, changes);
  a = count_samples (self, 0, function, a_load, &rest[0], error);
  b = a ? count_samples (self, 1, function, b_load, &rest[1], error) : NULL;
  if (!b)
    goto fail;
  set_samples (function, changes, a, b, rest);
  return function;

fail:
  free_function (function);
  return NULL;
}

/* ---- all of them ---- */

static gboolean
annotator_init (Annotator *self, PenNames *names, GError **error)
{
  for (guint i = 0; i < 2; i++) {
    const PenPairSource *source = &self->sources[i];

    self->readers[i] = pen_pair_reader_new (source, names, error);
    if (!self->readers[i])
      return FALSE;
    self->filters[i] = source->filter ? pen_filter_copy (source->filter) : pen_filter_new ();
    self->matchers[i] = pen_matcher_new (source->query, self->filters[i], error);
    if (!self->matchers[i])
      return FALSE;
    if (self->syntax != PEN_SYNTAX_ATT)
      self->decoders[i] = pen_decoder_new (
          pen_store_get_fact (pen_query_get_store (source->query), "arch"), self->syntax, NULL);
  }
  return TRUE;
}

static gboolean
has_samples (const PenRate rates[2])
{
  return rates[0].samples + rates[1].samples > 0;
}

/* How many tests of each kind there are. */
static void
set_levels (PenPairAnnotation *self)
{
  guint n = 0, n_sources = 0;

  for (guint i = 0; i < self->functions->len; i++) {
    const PenPairFunction *function = self->functions->pdata[i];

    for (guint k = 0; k < function->lines->len; k++)
      n += has_samples (((const PenPairLine *) function->lines->pdata[k])->rates);
    for (guint k = 0; k < function->sources->len; k++)
      n_sources += has_samples (((const PenPairSourceLine *) function->sources->pdata[k])->rates);
  }
  self->alpha = PEN_POISSON_ALPHA / MAX (n, 1);
  self->source_alpha = PEN_POISSON_ALPHA / MAX (n_sources, 1);
}

static void
measure_line (const PenPairs *pairs, PenRate *rates, PenPairTest *test, double alpha)
{
  double times[2];

  pen_pairs_get_test_times (pairs, times);
  pen_pairs_find_rates (pairs, rates);
  *test = pen_pair_test (rates[0].samples, rates[1].samples, times, alpha);
}

static int
compare_rates (const PenPairSourceLine *x, const PenPairSourceLine *y)
{
  guint64 samples_x = x->rates[0].samples + x->rates[1].samples;
  guint64 samples_y = y->rates[0].samples + y->rates[1].samples;

  if (x->test.least != y->test.least)
    return x->test.least > y->test.least ? -1 : 1;
  return samples_x != samples_y ? (samples_x > samples_y ? -1 : 1) : 0;
}

/* As functions are; those without a place are last. */
static int
compare_sources (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenPairSourceLine *x = *(const PenPairSourceLine *const *) a;
  const PenPairSourceLine *y = *(const PenPairSourceLine *const *) b;
  gboolean has_x = x->files[0] || x->files[1];
  gboolean has_y = y->files[0] || y->files[1];

  return has_x != has_y ? (has_x ? -1 : 1) : compare_rates (x, y);
}

/* Of all functions. */
static int
compare_function_lines (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenPairFunctionLine *x = a;
  const PenPairFunctionLine *y = b;
  int order = compare_rates (&x->line, &y->line);

  return order != 0 ? order : g_strcmp0 (x->row->symbol, y->row->symbol);
}

/* At a level for all lines together. */
static gboolean
measure_lines (Annotator *self, PenPairAnnotation *annotation, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self->sources[0].query);

  set_levels (annotation);
  for (guint i = 0; i < annotation->functions->len; i++) {
    PenPairFunction *function = annotation->functions->pdata[i];

    for (guint k = 0; k < function->lines->len && pen_cancel_check_steps (&check, 100); k++) {
      PenPairLine *line = function->lines->pdata[k];

      measure_line (self->pairs, line->rates, &line->test, annotation->alpha);
    }
    for (guint k = 0; k < function->sources->len && pen_cancel_check_steps (&check, 100); k++) {
      PenPairSourceLine *line = function->sources->pdata[k];

      measure_line (self->pairs, line->rates, &line->test, annotation->source_alpha);
    }
    pen_cancel_check_sort (&check, function->sources->pdata, function->sources->len,
                           sizeof (gpointer), compare_sources, NULL);
  }
  return pen_query_end_check (self->sources[0].query, &check, error);
}

/* @most: functions */
static gboolean
annotate_functions (Annotator *self, PenPairAnnotation *annotation, const PenPairRow *row,
                    guint most, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self->sources[0].query);
  g_autoptr (GPtrArray) loads_a = NULL;
  g_autoptr (GPtrArray) loads_b = NULL;
  g_autoptr (GPtrArray) matched = NULL;

  loads_a = pen_pair_list_loads (self->readers[0], self->sources[0].query, row, 0, most, error);
  if (!loads_a)
    return FALSE;
  loads_b = pen_pair_list_loads (self->readers[1], self->sources[1].query, row, 1, most, error);
  if (!loads_b)
    return FALSE;
  matched = pen_pair_match_loads (loads_a, loads_b);
  for (guint i = 0; i + 1 < matched->len && i / 2 < most; i += 2) {
    PenPairFunction *function
        = annotate_function (self, matched->pdata[i], matched->pdata[i + 1], error);

    if (!function)
      return FALSE;
    g_ptr_array_add (annotation->functions, function);
    pen_pair_list_source_lines (function, annotation->strings, &check);
  }
  return pen_query_end_check (self->sources[0].query, &check, error);
}

PenPairAnnotation *
pen_query_pair_annotate (const PenPairSource sources[2], const PenPairs *pairs,
                         const PenPairRow *row, PenSyntax syntax, guint most, GError **error)
{
  g_autoptr (PenPairAnnotation) self = g_new0 (PenPairAnnotation, 1);
  g_auto (Annotator) annotator = { .sources = sources, .pairs = pairs, .syntax = syntax };
  gboolean is_filled;

  self->functions = g_ptr_array_new_with_free_func (free_function);
  self->strings = pen_names_new ();
  if (!pen_pair_begin_reading (sources, error))
    return NULL;
  is_filled = annotator_init (&annotator, self->strings, error)
              && annotate_functions (&annotator, self, row, most, error);
  pen_pair_end_reading (sources);
  return is_filled && measure_lines (&annotator, self, error) ? g_steal_pointer (&self) : NULL;
}

/* ---- lines of all functions ---- */

void
pen_pair_source_list_free (PenPairSourceList *self)
{
  if (!self)
    return;
  g_array_unref (self->lines);
  pen_names_free (self->strings);
  g_free (self);
}

/* Only lines are kept, not what they are made of. */
static gboolean
add_lines (Annotator *annotator, const PenPairRow *row, PenPairSourceList *lines, GError **error)
{
  PenPairAnnotation annotation = { .strings = lines->strings };
  gboolean is_filled;

  annotation.functions = g_ptr_array_new_with_free_func (free_function);
  is_filled = annotate_functions (annotator, &annotation, row, G_MAXUINT, error);
  for (guint i = 0; i < annotation.functions->len; i++) {
    const PenPairFunction *function = annotation.functions->pdata[i];

    for (guint k = 0; k < function->sources->len; k++) {
      PenPairFunctionLine line = { row, *(const PenPairSourceLine *) function->sources->pdata[k] };

      if (has_samples (line.line.rates))
        g_array_append_val (lines->lines, line);
    }
  }
  g_ptr_array_unref (annotation.functions);
  return is_filled;
}

static gboolean
list_lines (Annotator *annotator, PenPairSourceList *lines, GError **error)
{
  const GPtrArray *rows = annotator->pairs->rows;

  if (!annotator_init (annotator, lines->strings, error))
    return FALSE;
  for (guint i = 0; i < rows->len; i++)
    if (has_samples (((const PenPairRow *) rows->pdata[i])->rates)
        && !add_lines (annotator, rows->pdata[i], lines, error))
      return FALSE;
  return TRUE;
}

PenPairSourceList *
pen_query_pair_lines (const PenPairSource sources[2], const PenPairs *pairs, GError **error)
{
  g_autoptr (PenPairSourceList) self = g_new0 (PenPairSourceList, 1);
  g_auto (Annotator) annotator = { .sources = sources, .pairs = pairs, .syntax = PEN_SYNTAX_ATT };
  PenCancelCheck check = pen_query_make_check (sources[0].query);
  gboolean is_listed;

  self->lines = g_array_new (FALSE, FALSE, sizeof (PenPairFunctionLine));
  self->strings = pen_names_new ();
  if (!pen_pair_begin_reading (sources, error))
    return NULL;
  is_listed = list_lines (&annotator, self, error);
  pen_pair_end_reading (sources);
  if (!is_listed)
    return NULL;
  self->alpha = PEN_POISSON_ALPHA / MAX (self->lines->len, 1);
  for (guint i = 0; i < self->lines->len && pen_cancel_check_steps (&check, 100); i++) {
    PenPairSourceLine *line = &g_array_index (self->lines, PenPairFunctionLine, i).line;

    measure_line (pairs, line->rates, &line->test, self->alpha);
  }
  pen_cancel_check_sort (&check, self->lines->data, self->lines->len, sizeof (PenPairFunctionLine),
                         compare_function_lines, NULL);
  return pen_query_end_check (sources[0].query, &check, error) ? g_steal_pointer (&self) : NULL;
}
