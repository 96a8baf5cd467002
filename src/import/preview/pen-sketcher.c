/* pen-sketcher.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sketcher.h"

#include <string.h>

#include "pen-table-hash.h"

/* Bins are no narrower than 1 µs, and half of them are there for times that come. */
#define FIRST_SHIFT 10
#define USED_MAX (PEN_SKETCH_BINS / 2)
#define SLACK (PEN_SKETCH_BINS / 4)
/* Times in a header that are further apart are not believed: a month. */
#define EXPECTED_MAX (31ull * 24 * 3600 * 1000000000)
/* Names of events that are shown. */
#define EVENTS_MAX 6

/* Kinds that PEN_SKETCHER_MODES stand for until a sample is placed. */
static const guint8 mode_kinds[PEN_SKETCHER_MODES]
    = { PEN_KIND_UNKNOWN, PEN_KIND_KERNEL, PEN_KIND_DSO, PEN_KIND_GUEST };

static void
clear_bar (gpointer data)
{
  PenSketchBar *bar = data;

  g_clear_pointer (&bar->name, g_ref_string_release);
}

static GArray *
new_bars (void)
{
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (PenSketchBar));

  g_array_set_clear_func (bars, clear_bar);
  return bars;
}

PenSketcher *
pen_sketcher_new (void)
{
  PenSketcher *self = g_new0 (PenSketcher, 1);

  self->left = 1;
  self->stride = 1;
  self->sketch.bin_shift = FIRST_SHIFT;
  self->modes = g_malloc0_n (PEN_SKETCH_BINS, sizeof *self->modes);
  self->kinds = g_malloc0_n (PEN_SKETCH_BINS, sizeof *self->kinds);
  self->causes = g_malloc0_n (PEN_SKETCH_BINS, sizeof *self->causes);
  self->first = G_MAXUINT64;
  self->bars = new_bars ();
  self->open = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  self->losses = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  return self;
}

void
pen_sketcher_free (PenSketcher *self)
{
  g_clear_pointer (&self->told_bars, g_array_unref);
  g_clear_pointer (&self->told_losses, g_array_unref);
  g_clear_pointer (&self->facts, pen_sketch_facts_unref);
  g_array_unref (self->bars);
  g_array_unref (self->losses);
  g_hash_table_unref (self->open);
  g_free (self->modes);
  g_free (self->kinds);
  g_free (self->causes);
  g_free (self);
}

/* ---- facts ---- */

static char *
name_events (GPtrArray *attrs)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (attrs->len, EVENTS_MAX); i++) {
    const PenAttr *attr = g_ptr_array_index (attrs, i);

    if (attr->name)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", attr->name);
  }
  if (attrs->len > EVENTS_MAX)
    g_string_append_printf (text, " and %u more", attrs->len - EVENTS_MAX);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
expect_times (PenSketcher *self, const PenFeatures *features)
{
  guint64 first = features->first_sample_time;
  guint64 last = features->last_sample_time;

  if (!features->has_sample_times || first == 0 || last <= first || last - first > EXPECTED_MAX)
    return;

  self->sketch.has_expected = TRUE;
  self->sketch.expected_from = first;
  self->sketch.expected_to = last;
}

void
pen_sketcher_set_facts (PenSketcher *self, PenReader *reader)
{
  const PenFeatures *features = pen_reader_get_features (reader);
  GPtrArray *attrs = pen_reader_get_attrs (reader);
  PenSketchFacts *facts = g_atomic_rc_box_new0 (PenSketchFacts);
  guint64 flags = 0;

  for (guint i = 0; i < attrs->len; i++)
    flags |= ((const PenAttr *) g_ptr_array_index (attrs, i))->flags;

  facts->shape = g_strdup (pen_reader_get_shape (reader));
  facts->size = pen_reader_get_size (reader);
  facts->hostname = g_strdup (features->hostname);
  facts->os_release = g_strdup (features->os_release);
  facts->arch = g_strdup (features->arch);
  facts->processor = g_strdup (features->cpu_description);
  facts->cpus_online = features->cpus_online;
  facts->perf_version = g_strdup (features->perf_version);
  facts->command_line = g_strdup (features->command_line);
  facts->events = name_events (attrs);
  facts->has_pokes = (flags & PEN_ATTR_TEXT_POKE) != 0 || pen_reader_has_own_patches (reader);
  facts->has_ksymbols = (flags & PEN_ATTR_KSYMBOL) != 0;
  facts->has_kcore = pen_reader_get_kcore_dir (reader) != NULL;

  g_clear_pointer (&self->facts, pen_sketch_facts_unref);
  self->facts = facts;
  expect_times (self, features);
}

/* ---- bins ---- */

static gboolean
is_used (PenSketcher *self, guint bin)
{
  for (guint i = 0; i < PEN_SKETCHER_MODES; i++)
    if (self->modes[bin][i] > 0)
      return TRUE;
  for (guint i = 0; i < PEN_CAUSES; i++)
    if (self->causes[bin][i] > 0)
      return TRUE;
  return FALSE;
}

static void
move_bins (PenSketcher *self, guint64 bins_from, guint shift)
{
  guint32 (*modes)[PEN_SKETCHER_MODES] = g_malloc0_n (PEN_SKETCH_BINS, sizeof *modes);
  guint32 (*causes)[PEN_CAUSES] = g_malloc0_n (PEN_SKETCH_BINS, sizeof *causes);

  for (guint i = 0; i < PEN_SKETCH_BINS; i++) {
    guint64 bin;

    if (!is_used (self, i))
      continue;
    bin = (self->sketch.bins_from + ((guint64) i << self->sketch.bin_shift) - bins_from) >> shift;
    for (guint k = 0; k < PEN_SKETCHER_MODES; k++)
      modes[bin][k] += self->modes[i][k];
    for (guint k = 0; k < PEN_CAUSES; k++)
      causes[bin][k] += self->causes[i][k];
  }

  g_free (self->modes);
  g_free (self->causes);
  self->modes = modes;
  self->causes = causes;
  self->sketch.bins_from = bins_from;
  self->sketch.bin_shift = shift;
}

/* Bins begin at multiples of their width, so that each falls into one of those twice as wide. Room
 * on both sides keeps times that creep up, or down, from coming here each time. */
static void
widen (PenSketcher *self, guint64 time)
{
  guint64 low = time;
  guint64 high = time;
  guint shift = self->sketch.bin_shift;
  guint first = 0;
  guint end = PEN_SKETCH_BINS;
  guint64 slack;

  while (first < end && !is_used (self, first))
    first++;
  while (end > first && !is_used (self, end - 1))
    end--;
  if (first < end) {
    low = MIN (low, self->sketch.bins_from + ((guint64) first << shift));
    high = MAX (high, self->sketch.bins_from + ((guint64) (end - 1) << shift));
  } else if (self->sketch.has_expected) {
    low = MIN (low, self->sketch.expected_from);
    high = MAX (high, self->sketch.expected_to);
  }

  while ((high - low) >> shift >= USED_MAX)
    shift++;
  low = low >> shift << shift;
  slack = (guint64) SLACK << shift;
  move_bins (self, low > slack ? low - slack : 0, shift);
}

/* Wide bins hold times from below, too, once those have wrapped. */
static gboolean
has_bin (PenSketcher *self, guint64 time)
{
  return time >= self->sketch.bins_from
         && (time - self->sketch.bins_from) >> self->sketch.bin_shift < PEN_SKETCH_BINS;
}

static void
count_patch (PenSketcher *self, guint64 time, PenCause cause)
{
  if (!has_bin (self, time))
    widen (self, time);
  self->causes[(time - self->sketch.bins_from) >> self->sketch.bin_shift][cause]++;
}

/* ---- records ---- */

static void
note_time (PenSketcher *self, guint64 time)
{
  if (time == 0)
    return;
  self->first = MIN (self->first, time);
  self->last = MAX (self->last, time);
}

void
pen_sketcher_count_sample (PenSketcher *self, guint64 time, guint cpumode)
{
  static const guint8 modes[8] = { 0, 1, 2, 0, 3, 3, 0, 0 };
  self->n_counted += self->stride;
  note_time (self, time);
  if (time != 0 && !has_bin (self, time))
    widen (self, time);
  if (time != 0)
    self->modes[(time - self->sketch.bins_from) >> self->sketch.bin_shift][modes[cpumode & 7]]
        += self->stride;
  if (self->n_counted >= PEN_SKETCHER_EXACT)
    self->stride = PEN_SKETCHER_STRIDE;
  self->left = self->stride;
}

static void
close_bar (PenSketcher *self, guint64 start, guint64 time)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->open, &start));

  if (index == 0)
    return;
  g_array_index (self->bars, PenSketchBar, index - 1).to = time;
  g_hash_table_remove (self->open, &start);
  g_clear_pointer (&self->told_bars, g_array_unref);
}

static void
add_bar (PenSketcher *self, PenKind kind, guint64 start, guint64 end, guint64 from, guint64 to,
         const char *name)
{
  PenSketchBar bar = { .kind = kind, .start = start, .end = end, .from = from, .to = to };

  self->sketch.n_programs++;
  if (self->bars->len >= PEN_SKETCH_BARS)
    return;
  bar.name = g_ref_string_new (name);
  g_array_append_val (self->bars, bar);
  g_clear_pointer (&self->told_bars, g_array_unref);
}

static void
add_ksymbol (PenSketcher *self, const PenKsymbolRecord *ksymbol, guint64 time)
{
  PenKind kind = ksymbol->type == PEN_KSYMBOL_TYPE_BPF ? PEN_KIND_BPF : PEN_KIND_STUB;
  guint64 end = ksymbol->address + ksymbol->length;
  guint n = self->bars->len;

  close_bar (self, ksymbol->address, time);
  if ((ksymbol->flags & PEN_KSYMBOL_UNREGISTER) != 0 || end <= ksymbol->address)
    return;
  add_bar (self, kind, ksymbol->address, end, time, G_MAXUINT64, ksymbol->name);
  if (self->bars->len > n)
    g_hash_table_insert (self->open, g_memdup2 (&ksymbol->address, sizeof ksymbol->address),
                         GUINT_TO_POINTER (self->bars->len));
}

static void
add_poke (PenSketcher *self, guint64 time)
{
  self->sketch.n_patches++;
  if (time != 0)
    count_patch (self, time, PEN_CAUSE_UNKNOWN);
}

static void
take_losses (PenSketcher *self, const PenLoss *losses, guint n)
{
  g_array_set_size (self->losses, 0);
  g_array_append_vals (self->losses, losses, MIN (n, PEN_SKETCH_LOSSES));
  self->sketch.n_lost = 0;
  for (guint i = 0; i < n; i++)
    if (losses[i].kind != PEN_LOSS_UNWANTED)
      self->sketch.n_lost += losses[i].count - MIN (losses[i].repeated, losses[i].count);
  g_clear_pointer (&self->told_losses, g_array_unref);
}

void
pen_sketcher_add_record (PenSketcher *self, const PenRecord *record, GArray *losses)
{
  guint64 time = (record->has & PEN_HAS_TIME) != 0 ? pen_moment (record->time, 0).time : 0;

  switch (record->type) {
  case PEN_RECORD_KSYMBOL:
    note_time (self, time);
    add_ksymbol (self, &record->ksymbol, time);
    break;
  case PEN_RECORD_TEXT_POKE:
    note_time (self, time);
    add_poke (self, time);
    break;
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    note_time (self, time);
    break;
  case PEN_RECORD_LOST:
  case PEN_RECORD_LOST_SAMPLES:
    if (losses->len <= PEN_SKETCH_LOSSES)
      take_losses (self, (const PenLoss *) (gpointer) losses->data, losses->len);
    break;
  default:
    break;
  }
}

/* ---- what comes later ---- */

/* As pen_query_bars() has it. */
static gboolean
is_dynamic (const PenTenure *tenure)
{
  return tenure->space == PEN_SPACE_KERNEL && tenure->kind != PEN_KIND_KERNEL
         && tenure->kind != PEN_KIND_GUEST;
}

void
pen_sketcher_set_history (PenSketcher *self, PenHistory *history)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);
  const PenLoss *losses;

  g_array_set_size (self->bars, 0);
  g_hash_table_remove_all (self->open);
  g_clear_pointer (&self->told_bars, g_array_unref);
  self->sketch.n_programs = 0;
  for (guint i = 0; i < n; i++)
    if (is_dynamic (&tenures[i]))
      add_bar (self, tenures[i].kind, tenures[i].start, tenures[i].end, tenures[i].from.time,
               tenures[i].to.time,
               tenures[i].kind == PEN_KIND_MODULE ? tenures[i].occupant : tenures[i].name);

  losses = pen_history_get_losses (history, &n);
  take_losses (self, losses, n);
  self->sketch.is_read = TRUE;
}

void
pen_sketcher_place (PenSketcher *self, const PenPlacedSample *samples, guint n)
{
  guint64 i = self->n_skipped;

  for (; i < n; i += self->stride) {
    guint64 time = samples[i].time;

    if (time != 0 && (samples[i].has & PEN_PLACED_IS_OUTPUT) == 0 && has_bin (self, time))
      self->kinds[(time - self->sketch.bins_from) >> self->sketch.bin_shift][samples[i].kind]
          += self->stride;
  }
  self->n_skipped = i - n;
  if (n > 0)
    self->sketch.placed_to = samples[n - 1].time;
}

void
pen_sketcher_end_samples (PenSketcher *self)
{
  self->is_placed = TRUE;
}

void
pen_sketcher_set_causes (PenSketcher *self, PenHistory *history)
{
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (history, &n);

  memset (self->causes, 0, PEN_SKETCH_BINS * sizeof *self->causes);
  for (guint i = 0; i < n; i++)
    if (pokes[i].moment.time != 0)
      count_patch (self, pokes[i].moment.time, pokes[i].cause);
  self->sketch.has_causes = TRUE;
}

/* ---- a sketch ---- */

static GArray *
copy_bars (PenSketcher *self)
{
  if (!self->told_bars) {
    self->told_bars = new_bars ();
    g_array_append_vals (self->told_bars, self->bars->data, self->bars->len);
    for (guint i = 0; i < self->bars->len; i++)
      g_ref_string_acquire (g_array_index (self->told_bars, PenSketchBar, i).name);
  }
  return g_array_ref (self->told_bars);
}

static GArray *
copy_losses (PenSketcher *self)
{
  if (!self->told_losses)
    self->told_losses = g_array_copy (self->losses);
  return g_array_ref (self->told_losses);
}

static void
copy_samples (const PenSketcher *self, PenSketch *sketch)
{
  guint64 placed = self->is_placed ? PEN_SKETCH_BINS
                                   : (self->sketch.placed_to - self->sketch.bins_from)
                                         >> self->sketch.bin_shift;
  guint n_placed
      = self->sketch.placed_to == 0 && !self->is_placed ? 0 : (guint) MIN (placed, PEN_SKETCH_BINS);

  sketch->samples = g_new0 (guint32, PEN_SKETCH_BINS * PEN_KINDS);
  memcpy (sketch->samples, self->kinds, n_placed * sizeof *self->kinds);
  for (guint bin = n_placed; bin < PEN_SKETCH_BINS; bin++)
    for (guint mode = 0; mode < PEN_SKETCHER_MODES; mode++)
      sketch->samples[bin * PEN_KINDS + mode_kinds[mode]] += self->modes[bin][mode];
  if (self->is_placed)
    sketch->placed_to = G_MAXUINT64;
}

PenSketch *
pen_sketcher_draw (PenSketcher *self)
{
  PenSketch *sketch = g_atomic_rc_box_new0 (PenSketch);

  *sketch = self->sketch;
  if (self->facts)
    sketch->facts = g_atomic_rc_box_acquire (self->facts);
  if (self->first <= self->last) {
    sketch->from = self->first;
    sketch->to = self->last;
  }
  sketch->n_bins = PEN_SKETCH_BINS;
  copy_samples (self, sketch);
  sketch->patches = g_memdup2 (self->causes, PEN_SKETCH_BINS * sizeof *self->causes);
  sketch->bars = copy_bars (self);
  sketch->losses = copy_losses (self);
  return sketch;
}
