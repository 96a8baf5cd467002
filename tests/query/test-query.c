/* test-query.c: questions to a capture whose answers are known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <string.h>

#include "pen-filter-choices.h"
#include "pen-query-bars.h"
#include "pen-query-functions.h"
#include "pen-query-overview.h"
#include "pen-query-resolve.h"
#include "pen-query-strips.h"
#include "query-fixture.h"

static guint32
find_function (QueryFixture *fixture, const char *target)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = pen_query_find_functions (fixture->query, target, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 1);
  return g_array_index (found, guint32, 0);
}

static PenAnnotated *
annotate (QueryFixture *fixture, const PenFilter *filter, const char *target)
{
  g_autoptr (GError) error = NULL;
  PenAnnotated *annotated = pen_query_annotate (
      fixture->query, filter, find_function (fixture, target), PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  return annotated;
}

static const PenAnnotationLine *
find_line (const PenAnnotated *annotated, guint64 address, guint version)
{
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    if (line->address == address && line->version == version)
      return line;
  }
  return NULL;
}

/* ---- range and counts ---- */

static void
test_time_range (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint64 first;
  guint64 last;

  g_assert_true (pen_query_get_time_range (fixture->query, &first, &last));
  g_assert_cmpuint (first, ==, 1000);
  g_assert_cmpuint (last, ==, 4800);
}

static void
assert_count (QueryFixture *fixture, const PenFilter *filter, guint64 expected)
{
  g_autoptr (GError) error = NULL;
  guint64 matching;
  guint64 total;

  pen_query_count (fixture->query, filter, &matching, &total, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (matching, ==, expected);
  g_assert_cmpuint (total, ==, FIXTURE_SAMPLES);
}

static void
assert_offers (PenFilterChoices *choices, const char *typed, guint max, const char *expected)
{
  g_autoptr (GPtrArray) terms = pen_filter_choices_match (choices, typed, max);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < terms->len; i++) {
    g_autofree char *term = pen_filter_term_to_text (terms->pdata[i]);

    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", term);
  }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_choices (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFilterChoices) choices = pen_filter_choices_new (fixture->query, &error);

  g_assert_no_error (error);
  assert_offers (choices, "comm:", 10, "comm:one comm:two");
  assert_offers (choices, "!comm:T", 10, "!comm:two");
  assert_offers (choices, "comm:!o", 10, "!comm:one !comm:two");
  assert_offers (choices, " ! pid : 8 ", 10, "!pid:8");
  assert_offers (choices, "comm", 10, "comm:one comm:two");
  assert_offers (choices, "comm", 1, "comm:one");
  /* of all parts: what begins with it comes first */
  assert_offers (choices, "ker", 10, "kind:kernel occupant:[kernel.kallsyms]");
  assert_offers (choices, "symbol:alph", 10, "symbol:alpha");
  assert_offers (choices, "nothing like that", 10, "");
  assert_offers (choices, "colour:r", 10, "");
}

static void
test_count (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) time = query_fixture_time_filter (1600, 2500);
  g_autoptr (PenFilter) kind = pen_filter_new ();
  g_autoptr (PenFilter) cause = pen_filter_new ();
  g_autoptr (PenFilter) both = query_fixture_time_filter (4500, 9999);
  guint32 cpu = 1;

  assert_count (fixture, NULL, FIXTURE_SAMPLES);
  assert_count (fixture, time, 3);
  kind->only.kinds = 1u << PEN_KIND_BPF;
  assert_count (fixture, kind, 3);
  kind->only.kinds = 1u << PEN_KIND_UNKNOWN | 1u << PEN_KIND_DSO;
  assert_count (fixture, kind, 2);
  /* alpha is the only function that was patched */
  cause->only.causes = ~0u;
  assert_count (fixture, cause, 7);
  both->only.cpus = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (both->only.cpus, cpu);
  both->has_address = TRUE;
  both->address_from = ALPHA;
  both->address_to = ALPHA + 1;
  assert_count (fixture, both, 3);
}

/* ---- functions ---- */

static const PenFunctionRow *
find_row (const GArray *rows, const char *symbol)
{
  for (guint i = 0; i < rows->len; i++) {
    const PenFunctionRow *row = &g_array_index (rows, PenFunctionRow, i);

    if (g_strcmp0 (row->function.symbol, symbol) == 0)
      return row;
  }
  return NULL;
}

static void
test_functions (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  guint64 total;
  g_autoptr (GArray) rows = pen_query_functions (fixture->query, NULL, &total, &error);
  const PenFunctionRow *alpha;
  guint64 sum = 0;
  double share = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (total, ==, FIXTURE_SAMPLES);
  alpha = &g_array_index (rows, PenFunctionRow, 0);
  g_assert_cmpstr (alpha->function.symbol, ==, "alpha");
  g_assert_cmpuint (alpha->function.samples, ==, 7);
  g_assert_cmpuint (alpha->function.period, ==, 70);
  g_assert_cmpuint (alpha->function.changes, ==, 2);
  g_assert_cmpuint (alpha->function.versions, ==, 3);
  for (guint i = 0; i < rows->len; i++) {
    sum += g_array_index (rows, PenFunctionRow, i).function.samples;
    share += g_array_index (rows, PenFunctionRow, i).share;
  }
  g_assert_cmpuint (sum, ==, total);
  g_assert_cmpfloat_with_epsilon (share, 1.0, 1e-9);
  g_assert_cmpuint (find_row (rows, "bpf_prog_a")->function.samples, ==, 2);
  g_assert_cmpuint (find_row (rows, "bpf_prog_b")->function.samples, ==, 1);
}

static void
test_functions_filtered (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFilter) filter = query_fixture_time_filter (1900, 2999);
  guint64 total;
  g_autoptr (GArray) rows = pen_query_functions (fixture->query, filter, &total, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (total, ==, 2);
  g_assert_cmpuint (rows->len, ==, 1);
  g_assert_cmpuint (find_row (rows, "alpha")->function.samples, ==, 2);
  /* one of the two patches */
  g_assert_cmpuint (find_row (rows, "alpha")->function.changes, ==, 1);
  g_assert_cmpuint (find_row (rows, "alpha")->function.pokes, ==, 1);
}

static void
test_functions_changed (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (GArray) rows = NULL;

  filter->changed = TRUE;
  rows = pen_query_functions (fixture->query, filter, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (find_row (rows, "alpha"));
  for (guint i = 0; i < rows->len; i++)
    g_assert_cmpuint (g_array_index (rows, PenFunctionRow, i).function.versions, >, 1);
}

/* ---- finding ---- */

static void
test_resolve (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *target;
    guint64 address;
  } right[] = {
    { "alpha", ALPHA },
    { "alpha+0x5", ALPHA + 5 },
    { "alpha+10", ALPHA + 10 },
    { "0xffffffff81000002", ALPHA + 2 },
    { "0XFFFFFFFF81000002", ALPHA + 2 },
    { "bpf_prog_b+0x8", A },
  };
  static const char *const wrong[]
      = { "alpha+", "alpha+x", "alpha+-1", "0x", "0xg", "0x10000000000000000", "alpha++1" };
  static const char *const absent[] = { "gamma", "alpha+0x40", "" };

  for (guint i = 0; i < G_N_ELEMENTS (right); i++) {
    g_autoptr (GError) error = NULL;
    guint64 address;

    pen_query_resolve (fixture->query, right[i].target, &address, &error);
    g_assert_no_error (error);
    g_assert_cmphex (address, ==, right[i].address);
  }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    guint64 address;

    g_test_message ("%s", wrong[i]);
    g_assert_false (pen_query_resolve (fixture->query, wrong[i], &address, &error));
    g_assert_true (error->domain == PEN_QUERY_ERROR);
  }
  for (guint i = 0; i < G_N_ELEMENTS (absent); i++) {
    g_autoptr (GError) error = NULL;
    guint64 address;

    g_assert_false (pen_query_resolve (fixture->query, absent[i], &address, &error));
    g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND);
  }
}

static void
test_near (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_query_find_functions (fixture->query, "alhpa", &error));
  g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "similar: alpha"));
  g_clear_error (&error);
  g_assert_null (pen_query_find_functions (fixture->query, "bpf", &error));
  g_assert_nonnull (strstr (error->message, "bpf_prog_a"));
  g_assert_nonnull (strstr (error->message, "bpf_prog_b"));
}

/* ---- annotation ---- */

static void
test_annotate (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenAnnotated) annotated = annotate (fixture, NULL, "alpha");
  const PenAnnotationLine *nop = find_line (annotated, ALPHA, 0);
  const PenAnnotationLine *call = find_line (annotated, ALPHA, 1);
  const PenAnnotationLine *again = find_line (annotated, ALPHA, 2);
  const PenAnnotationLine *mov = find_line (annotated, ALPHA + 5, 0);
  const PenAnnotationLine *inside = find_line (annotated, ALPHA + 2, 0);
  guint64 sum = 0;

  g_assert_cmpuint (annotated->samples, ==, 7);
  g_assert_cmpuint (annotated->total_samples, ==, FIXTURE_SAMPLES);
  g_assert_cmpuint (annotated->pokes->len, ==, 2);

  g_assert_cmpuint (nop->samples, ==, 1);
  g_assert_true (g_str_has_prefix (nop->instruction, "nop"));
  g_assert_cmpuint (nop->from.time, ==, 0);
  g_assert_cmpuint (nop->to.time, ==, 2000);
  g_assert_cmpint (nop->evidence, ==, PEN_EVIDENCE_RECORDED);

  g_assert_cmpuint (call->samples, ==, 1);
  g_assert_true (g_str_has_prefix (call->instruction, "call"));
  g_assert_cmpstr (call->target, ==, "beta");
  g_assert_cmpuint (call->to.time, ==, 4000);

  g_assert_cmpuint (again->samples, ==, 3);
  g_assert_cmpmem (again->bytes, again->n_bytes, nop->bytes, nop->n_bytes);
  g_assert_cmpuint (again->to.time, ==, G_MAXUINT64);
  g_assert_null (find_line (annotated, ALPHA, 3));

  g_assert_cmpuint (mov->samples, ==, 1);
  g_assert_false (mov->is_patched);
  g_assert_true (again->is_patched);
  g_assert_true (inside->is_inside);
  g_assert_cmpuint (inside->samples, ==, 1);

  for (guint i = 0; i < annotated->lines->len; i++)
    sum += ((const PenAnnotationLine *) annotated->lines->pdata[i])->samples;
  g_assert_cmpuint (sum, ==, 7);
}

static void
test_annotate_filtered (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = query_fixture_time_filter (4500, 5000);
  g_autoptr (PenAnnotated) annotated = annotate (fixture, filter, "alpha");

  g_assert_cmpuint (annotated->samples, ==, 4);
  g_assert_cmpuint (annotated->total_samples, ==, 6);
  g_assert_cmpuint (find_line (annotated, ALPHA, 0)->samples, ==, 0);
  g_assert_cmpuint (find_line (annotated, ALPHA, 2)->samples, ==, 3);
  g_assert_cmpuint (find_line (annotated, ALPHA, 2)->first, ==, 4500);
}

/* What came later begins below, in the middle of one of its own instructions. */
static void
test_annotate_next_occupant (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenAnnotated) annotated = annotate (fixture, NULL, "bpf_prog_a");
  const PenAnnotationLine *push = find_line (annotated, A + 2, 0);
  guint64 module_samples = 0;

  g_assert_cmpuint (annotated->samples, ==, 2);
  g_assert_nonnull (push);
  g_assert_cmpuint (push->samples, ==, 1);
  g_assert_true (g_str_has_prefix (push->instruction, "push"));
  g_assert_cmpuint (push->offset, ==, 2);
  g_assert_cmpuint (find_line (annotated, A + 5, 0)->samples, ==, 1);
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    g_assert_cmphex (line->address, >=, A);
    if (i > 0)
      g_assert_cmphex (line->address, >=,
                       ((const PenAnnotationLine *) annotated->lines->pdata[i - 1])->address);
    if (line->address == A && line->n_bytes == 0)
      module_samples += line->samples;
  }
  g_assert_cmpuint (module_samples, ==, 3);
}

static void
test_annotate_without_text (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenAnnotated) annotated = annotate (fixture, NULL, "0x400123");

  g_assert_cmpint (annotated->kind, ==, PEN_KIND_DSO);
  g_assert_null (annotated->symbol);
  g_assert_cmpuint (annotated->lines->len, ==, 1);
  g_assert_cmpuint (find_line (annotated, 0x400123, 0)->samples, ==, 1);
  g_assert_cmpuint (annotated->tenures->len, ==, 1);
}

static void
test_bands (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenAnnotated) annotated = annotate (fixture, NULL, "alpha");
  g_autofree PenBandCount *counts = g_new (PenBandCount, annotated->lines->len);
  g_autoptr (PenFilter) late = query_fixture_time_filter (3000, 5000);
  g_autoptr (GError) error = NULL;
  guint seen = 0;

  pen_query_count_bands (fixture->query, NULL, annotated, 1000, counts, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    if (line->address != ALPHA)
      continue;
    g_assert_cmpuint (counts[i].near_from, ==,
                      line->revision == 0   ? 0
                      : line->revision == 1 ? 1
                                            : 3);
    g_assert_cmpuint (counts[i].near_to, ==, line->revision == 0 ? 1 : 0);
    seen++;
  }
  g_assert_cmpuint (seen, ==, 3);

  pen_query_count_bands (fixture->query, late, annotated, 1000, counts, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    if (line->address == ALPHA) {
      g_assert_cmpuint (counts[i].near_from, ==, line->revision == 2 ? 3 : 0);
      g_assert_cmpuint (counts[i].near_to, ==, 0);
    }
  }
}

/* ---- pictures ---- */

static void
test_overview (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFilter) filter = query_fixture_time_filter (4500, 4800); /* not applied */
  g_autoptr (PenOverview) overview
      = pen_query_overview (fixture->query, filter, 1000, 5000, 4, &error);
  const guint64 *samples = overview->samples;

  g_assert_no_error (error);
  g_assert_cmpuint (overview->total, ==, FIXTURE_SAMPLES);
  g_assert_cmpuint (samples[0 * PEN_KINDS + PEN_KIND_KERNEL], ==, 1);
  g_assert_cmpuint (samples[0 * PEN_KINDS + PEN_KIND_MODULE], ==, 1);
  g_assert_cmpuint (samples[0 * PEN_KINDS + PEN_KIND_BPF], ==, 2);
  g_assert_cmpuint (samples[1 * PEN_KINDS + PEN_KIND_KERNEL], ==, 2);
  g_assert_cmpuint (samples[2 * PEN_KINDS + PEN_KIND_MODULE], ==, 2);
  g_assert_cmpuint (samples[3 * PEN_KINDS + PEN_KIND_KERNEL], ==, 4);
  g_assert_cmpuint (samples[3 * PEN_KINDS + PEN_KIND_DSO], ==, 1);
  g_assert_cmpuint (samples[3 * PEN_KINDS + PEN_KIND_UNKNOWN], ==, 1);
  g_assert_cmpuint (overview->max_in_bin, ==, 6);
  g_assert_cmpuint (overview->marks->len, ==, 2);
  g_assert_cmpuint (g_array_index (overview->marks, PenPatchMark, 1).first, ==, 4000);
}

static void
test_strips (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenAnnotated) annotated = annotate (fixture, NULL, "alpha");
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStripCounts) counts
      = pen_query_strips (fixture->query, NULL, annotated, 1000, 5000, 8, &error);
  guint64 max = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];
    guint64 bins[8] = { 0 };
    guint64 sum = 0;

    pen_strip_counts_sum (counts, i, 1, bins);
    for (guint bin = 0; bin < 8; bin++) {
      sum += bins[bin];
      max = MAX (max, bins[bin]);
      if (bins[bin] > 0) {
        g_assert_cmpuint (1000 + (bin + 1) * 500, >, line->first);
        g_assert_cmpuint (1000 + bin * 500, <=, line->last);
      }
    }
    g_assert_cmpuint (sum, ==, line->samples);
  }
  g_assert_cmpuint (counts->max, ==, max);
}

static void
test_bars (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  guint n_lanes;
  g_autoptr (GArray) bars = pen_query_bars (fixture->query, &n_lanes, &error);
  const PenBar *module = &g_array_index (bars, PenBar, 0);
  const PenBar *a = &g_array_index (bars, PenBar, 1);
  const PenBar *b = &g_array_index (bars, PenBar, 2);

  g_assert_no_error (error);
  g_assert_cmpuint (bars->len, ==, 3);
  g_assert_cmpint (module->tenure.kind, ==, PEN_KIND_MODULE);
  g_assert_cmpuint (module->samples, ==, 3);
  g_assert_cmpuint (a->samples, ==, 2);
  g_assert_cmpuint (b->samples, ==, 1);
  /* one after the other at the same addresses: one row; the module was there all along: another */
  g_assert_cmpuint (a->lane, ==, b->lane);
  g_assert_cmpuint (a->lane, !=, module->lane);
  g_assert_cmpuint (n_lanes, ==, 2);
}

int
main (int argc, char **argv)
{
  static const QueryFixtureTest tests[] = {
    { "/query/time-range", test_time_range },
    { "/query/choices", test_choices },
    { "/query/count", test_count },
    { "/query/functions", test_functions },
    { "/query/functions/filtered", test_functions_filtered },
    { "/query/functions/changed", test_functions_changed },
    { "/query/resolve", test_resolve },
    { "/query/near", test_near },
    { "/query/annotate", test_annotate },
    { "/query/annotate/filtered", test_annotate_filtered },
    { "/query/annotate/next-occupant", test_annotate_next_occupant },
    { "/query/annotate/without-text", test_annotate_without_text },
    { "/query/overview", test_overview },
    { "/query/strips", test_strips },
    { "/query/bars", test_bars },
    { "/query/bands", test_bands },
  };

  g_test_init (&argc, &argv, NULL);
  query_fixture_add_tests (tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
