/* test-sketcher.c: what is told of a capture while it is imported agrees with what comes out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <string.h>

#include "pen-query-bars.h"
#include "pen-query.h"
#include "pen-sketcher.h"
#include "pen-store-pokes.h"

/* ---- against the store ---- */

typedef struct {
  GPtrArray *sketches;
  GArray *stages;
} Told;

static void
keep (const PenImportProgress *progress, gpointer user_data)
{
  Told *told = user_data;
  PenSketch *sketch = pen_import_progress_draw (progress);

  g_assert_nonnull (sketch);
  g_ptr_array_add (told->sketches, sketch);
  g_array_append_val (told->stages, progress->stage);
}

static void
count_kinds (const PenSketch *sketch, guint64 *kinds)
{
  memset (kinds, 0, PEN_KINDS * sizeof *kinds);
  for (guint i = 0; i < sketch->n_bins * PEN_KINDS; i++)
    kinds[i % PEN_KINDS] += sketch->samples[i];
}

static guint64
sum_kinds (const PenSketch *sketch)
{
  guint64 kinds[PEN_KINDS];
  guint64 sum = 0;

  count_kinds (sketch, kinds);
  for (guint i = 0; i < PEN_KINDS; i++)
    sum += kinds[i];
  return sum;
}

static void
assert_samples (const PenSketch *sketch, PenStore *store)
{
  guint64 stored[PEN_KINDS] = { 0 };
  guint64 kinds[PEN_KINDS];
  guint n;
  const PenFunction *functions = pen_store_get_functions (store, &n, NULL);

  for (guint i = 0; i < n; i++)
    stored[functions[i].kind] += functions[i].samples;
  count_kinds (sketch, kinds);
  for (guint i = 0; i < PEN_KINDS; i++)
    g_assert_cmpuint (kinds[i], ==, stored[i]);
}

static void
assert_patches (const PenSketch *sketch, PenStore *store)
{
  g_autoptr (GArray) ticks = pen_store_load_poke_ticks (store, NULL);
  guint64 stored[PEN_CAUSES] = { 0 };
  guint64 causes[PEN_CAUSES] = { 0 };

  for (guint i = 0; i < ticks->len; i++)
    stored[g_array_index (ticks, PenPokeTick, i).cause]++;
  for (guint i = 0; i < sketch->n_bins * PEN_CAUSES; i++)
    causes[i % PEN_CAUSES] += sketch->patches[i];
  for (guint i = 0; i < PEN_CAUSES; i++)
    g_assert_cmpuint (causes[i], ==, stored[i]);
  g_assert_cmpuint (sketch->n_patches, ==, ticks->len);
  g_assert_true (sketch->has_causes);
}

/* Whoever draws the one draws the other in its place. */
static void
assert_like_store (const PenSketch *sketch, PenStore *store)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  guint n_lanes;
  g_autoptr (GArray) bars = pen_query_bars (query, &n_lanes, NULL);
  g_autoptr (GArray) losses = pen_store_load_losses (store, NULL);
  guint64 first, last;

  g_assert_true (pen_query_get_time_range (query, &first, &last));
  g_assert_cmpuint (sketch->from, ==, first);
  g_assert_cmpuint (sketch->to, ==, last);
  g_assert_true (sketch->is_read);
  g_assert_cmpuint (sketch->placed_to, ==, G_MAXUINT64);
  assert_samples (sketch, store);
  assert_patches (sketch, store);
  g_assert_cmpuint (sketch->bars->len, ==, bars->len);
  g_assert_cmpuint (sketch->n_programs, ==, bars->len);
  g_assert_cmpuint (sketch->losses->len, ==, losses->len);
  g_assert_cmpstr (sketch->facts->os_release, ==, pen_store_get_fact (store, "osrelease"));
  g_assert_cmpstr (sketch->facts->command_line, ==, pen_store_get_fact (store, "command_line"));
  g_assert_cmpstr (sketch->facts->hostname, ==, pen_store_get_fact (store, "hostname"));
}

static void
test_capture (ImportFixture *self, gconstpointer name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", name, NULL);
  g_autoptr (GPtrArray) sketches
      = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_sketch_unref);
  g_autoptr (GArray) stages = g_array_new (FALSE, FALSE, sizeof (PenImportStage));
  Told told = { sketches, stages };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStore) store = NULL;
  guint64 before = 0;

  g_assert_true (pen_import (path, self->store, NULL, keep, &told, NULL, &error));
  g_assert_no_error (error);
  store = import_fixture_open (self);
  g_assert_cmpuint (g_array_index (stages, PenImportStage, stages->len - 1), ==, PEN_IMPORT_WRITE);
  assert_like_store (sketches->pdata[sketches->len - 1], store);

  /* Nothing that was told is taken back; what was placed is not counted twice. */
  for (guint i = 0; i < sketches->len; i++) {
    const PenSketch *sketch = sketches->pdata[i];
    guint64 sum = sum_kinds (sketch);

    g_assert_cmpuint (sum, >=, before);
    g_assert_cmpuint (sum, <=, sketch->n_samples);
    before = sum;
  }
}

/* ---- bins ---- */

typedef struct {
  guint64 time;
  guint mode;
} Known;

static const PenKind kinds_of_modes[] = { PEN_KIND_UNKNOWN, PEN_KIND_KERNEL, PEN_KIND_DSO };

/* Every sample is in the bin that its time is in. */
static void
assert_bins (PenSketcher *sketcher, GArray *known)
{
  g_autoptr (PenSketch) sketch = pen_sketcher_draw (sketcher);
  g_autofree guint32 *left
      = g_memdup2 (sketch->samples, (gsize) sketch->n_bins * PEN_KINDS * sizeof *sketch->samples);

  for (guint i = 0; i < known->len; i++) {
    const Known *sample = &g_array_index (known, Known, i);
    guint64 bin = (sample->time - sketch->bins_from) >> sketch->bin_shift;

    g_assert_cmpuint (sample->time, >=, sketch->bins_from);
    g_assert_cmpuint (bin, <, sketch->n_bins);
    g_assert_cmpuint (left[bin * PEN_KINDS + kinds_of_modes[sample->mode]]--, >, 0);
  }
  for (guint i = 0; i < sketch->n_bins * PEN_KINDS; i++)
    g_assert_cmpuint (left[i], ==, 0);
}

/* Steps of many sizes, up and down, from the first nanosecond to the last. */
static void
test_bins (void)
{
  for (guint run = 0; run < 40; run++) {
    g_autoptr (PenSketcher) sketcher = pen_sketcher_new ();
    g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (Known));
    guint64 time = 1 + (guint64) g_test_rand_int () * (run % 2 ? 1 : 1u << 20);

    for (guint i = 0; i < 400; i++) {
      guint64 step = ((guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ())
                     >> g_test_rand_int_range (1 + (int) run / 2, 64);
      Known sample = { .mode = (guint) g_test_rand_int_range (0, 3) };

      if (g_test_rand_bit ())
        time = time > step ? time - step : 1;
      else
        time = time < G_MAXUINT64 - 1 - step ? time + step : G_MAXUINT64 - 1;
      sample.time = time;
      g_array_append_val (known, sample);
      pen_sketcher_add_sample (sketcher, time, sample.mode);
    }
    assert_bins (sketcher, known);
  }
}

/* Half of the bins are in use at least, once there are times. */
static void
test_fine (void)
{
  g_autoptr (PenSketcher) sketcher = pen_sketcher_new ();
  g_autoptr (PenSketch) sketch = NULL;

  for (guint64 i = 0; i < 100000; i++)
    pen_sketcher_add_sample (sketcher, 5000000000u + i * 1000, PEN_CPUMODE_KERNEL);
  sketch = pen_sketcher_draw (sketcher);
  g_assert_cmpuint (100000000u >> sketch->bin_shift, >=, PEN_SKETCH_BINS / 4);
  g_assert_cmpuint (sketch->from, ==, 5000000000u);
  g_assert_cmpuint (sketch->to, ==, 5000000000u + 99999000);
}

/* One of many stands for the others: their number is about right, kind by kind. */
static void
test_many (void)
{
  const guint64 n = 4 * PEN_SKETCHER_EXACT;
  g_autoptr (PenSketcher) sketcher = pen_sketcher_new ();
  g_autoptr (PenSketch) sketch = NULL;
  guint64 kinds[PEN_KINDS];

  for (guint64 i = 0; i < n; i++)
    pen_sketcher_add_sample (sketcher, 1000 + i * 100,
                             i % 4 ? PEN_CPUMODE_KERNEL : PEN_CPUMODE_USER);
  sketch = pen_sketcher_draw (sketcher);
  count_kinds (sketch, kinds);
  g_assert_cmpuint (kinds[PEN_KIND_KERNEL] + kinds[PEN_KIND_DSO], <=, n + PEN_SKETCHER_STRIDE);
  g_assert_cmpuint (kinds[PEN_KIND_KERNEL] + kinds[PEN_KIND_DSO], >=, n - PEN_SKETCHER_STRIDE);
  g_assert_cmpfloat ((double) kinds[PEN_KIND_DSO] / (double) n, >, 0.249);
  g_assert_cmpfloat ((double) kinds[PEN_KIND_DSO] / (double) n, <, 0.251);
}

/* ---- bounds ---- */

static void
add_ksymbol (PenSketcher *sketcher, guint64 time, guint64 address, guint flags)
{
  g_autoptr (GArray) losses = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  PenRecord record = {
    .type = PEN_RECORD_KSYMBOL,
    .has = PEN_HAS_TIME,
    .time = time,
    .ksymbol = { .address = address,
                 .length = 64,
                 .type = PEN_KSYMBOL_TYPE_BPF,
                 .flags = (guint16) flags,
                 .name = "bpf_prog_x" },
  };

  pen_sketcher_add_record (sketcher, &record, losses);
}

static void
test_programs (void)
{
  g_autoptr (PenSketcher) sketcher = pen_sketcher_new ();
  g_autoptr (PenSketch) before = NULL;
  g_autoptr (PenSketch) sketch = NULL;
  const PenSketchBar *bar;

  add_ksymbol (sketcher, 1000, PROGRAM, 0);
  before = pen_sketcher_draw (sketcher);
  add_ksymbol (sketcher, 2000, PROGRAM, PEN_KSYMBOL_UNREGISTER);
  add_ksymbol (sketcher, 3000, PROGRAM + 4096, PEN_KSYMBOL_UNREGISTER);
  sketch = pen_sketcher_draw (sketcher);

  bar = &g_array_index (before->bars, PenSketchBar, 0);
  g_assert_cmpuint (bar->to, ==, G_MAXUINT64);
  g_assert_cmpuint (sketch->bars->len, ==, 1);
  bar = &g_array_index (sketch->bars, PenSketchBar, 0);
  g_assert_cmpuint (bar->from, ==, 1000);
  g_assert_cmpuint (bar->to, ==, 2000);
  g_assert_cmpint (bar->kind, ==, PEN_KIND_BPF);
  g_assert_cmpstr (bar->name, ==, "bpf_prog_x");

  /* However many come, no more than so many are kept. */
  for (guint i = 0; i < 10 * PEN_SKETCH_BARS; i++)
    add_ksymbol (sketcher, 4000 + i, PROGRAM + i * 4096ull, 0);
  g_clear_pointer (&sketch, pen_sketch_unref);
  sketch = pen_sketcher_draw (sketcher);
  g_assert_cmpuint (sketch->bars->len, ==, PEN_SKETCH_BARS);
  g_assert_cmpuint (sketch->n_programs, ==, 1 + 10 * PEN_SKETCH_BARS);
}

int
main (int argc, char **argv)
{
  static const char *const captures[]
      = { "a-jump-labels.data", "b-ftrace.data",       "d-bpf.data",
          "e-modules.data",     "f-everything-z.data", "a-pipe.data" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (captures); i++) {
    g_autofree char *name = g_strdup_printf ("/sketcher/capture/%s", captures[i]);

    g_test_add (name, ImportFixture, captures[i], import_fixture_set_up, test_capture,
                import_fixture_tear_down);
  }
  g_test_add_func ("/sketcher/bins", test_bins);
  g_test_add_func ("/sketcher/fine", test_fine);
  g_test_add_func ("/sketcher/many", test_many);
  g_test_add_func ("/sketcher/programs", test_programs);
  return g_test_run ();
}
