/* pen-map-words.c: the words beside and on the text map
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "pen-batch-words.h"
#include "pen-binary-search.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-lane-words.h"
#include "pen-map.h"
#include "pen-palette.h"

#define LABEL_MIN_WIDTH 34
#define LABELS_MAX 300
#define LINE 14
/* Longer gaps have a label even where they are low. */
#define GAP_LABELLED (1024 * 1024)
#define SCROLL_WIDTH 7
#define RANGES_DRAWN 500
#define COUNT_HEIGHT 14
#define COUNT_WIDTH 36 /* px, of "×12" beside a mark, and the mark */

static int
scaled (const PenPlot *plot, int pixels)
{
  return (int) lround (pixels * plot->em / PEN_EM);
}

/* ---- the gutter ---- */

static char *
get_section_title (const PenAxisRange *range)
{
  switch (range->kind) {
  case PEN_KIND_MODULE:
    return pen_display_text (range->occupant);
  case PEN_KIND_STUB:
    return g_strdup (_ ("Stubs"));
  case PEN_KIND_BPF:
    return g_strdup (_ ("BPF programs"));
  case PEN_KIND_UNKNOWN:
  case PEN_KIND_KERNEL:
  case PEN_KIND_DSO:
  case PEN_KIND_VDSO:
  case PEN_KIND_ANON:
  case PEN_KIND_GUEST:
  default:
    return g_strdup (pen_palette_kind_title (range->kind));
  }
}

static gboolean
is_same_section (const PenAxisRange *a, const PenAxisRange *b)
{
  return a->kind == b->kind
         && (a->kind != PEN_KIND_MODULE || g_strcmp0 (a->occupant, b->occupant) == 0);
}

static double
get_y_of_position (const PenMap *self, double position)
{
  return (position - self->axis_view.from) / (self->axis_view.to - self->axis_view.from)
         * self->height;
}

/* Lines of the gutter that have words already: (element-type Taken) */
typedef struct {
  double from;
  double to;
} Taken;

static gboolean
is_free (const GArray *taken, double from, double to)
{
  for (guint i = 0; i < taken->len; i++) {
    const Taken *one = &g_array_index (taken, Taken, i);

    if (from < one->to && to > one->from)
      return FALSE;
  }
  return TRUE;
}

static void
take (GArray *taken, double from, double to)
{
  Taken one = { from, to };

  g_array_append_val (taken, one);
}

/* Sections: neighbours of one kind, with a stroke of its colour along the plot. Their titles leave
 * out the lines that names of functions have taken. */
static void
draw_sections (const PenMap *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
               GArray *taken)
{
  guint n = self->axis->ranges->len;
  int line = scaled (plot, LINE);
  int stroke = plot->is_rtl ? plot->gutter_x : plot->gutter_x + plot->gutter_width - 3;
  double free_from = 0;
  guint i = pen_address_axis_find_range (self->axis, self->axis_view.from);

  while (i < n) {
    const PenAxisRange *first = &g_array_index (self->axis->ranges, PenAxisRange, i);
    const PenAxisRange *last = first;
    double top, bottom;

    if (first->from >= self->axis_view.to)
      break;
    for (i++; i < n && is_same_section (first, last + 1) && last[1].from < self->axis_view.to; i++)
      last++;
    top = CLAMP (get_y_of_position (self, first->from), 0, self->height);
    bottom = CLAMP (get_y_of_position (self, last->to), 0, self->height);
    pen_painter_fill (painter, pen_palette_kind (first->kind, theme->dark), stroke, plot->y + top,
                      3, MAX (bottom - top, 1));
    for (double y = MAX (top, free_from); y + line <= bottom + 3 && y + line <= self->height;
         y += line) {
      g_autofree char *title = NULL;

      if (!is_free (taken, y, y + line))
        continue;
      title = get_section_title (first);
      pen_plot_draw_title (plot, painter, title, PEN_LOOK_BOLD, theme->text, (int) y, line, 3);
      take (taken, y, y + line);
      free_from = y + line;
      break;
    }
  }
}

/* Functions that are high enough to be named, each on a line of its own. */
static void
draw_function_names (const PenMap *self, const PenPlot *plot, PenPainter *painter,
                     const PenTheme *theme, GArray *taken)
{
  const GArray *names = self->bins->names;
  int line = scaled (plot, LINE);
  double free_from = 0;

  for (guint i = 0; i < names->len; i++) {
    const PenMapName *name = &g_array_index (names, PenMapName, i);
    double top = pen_map_get_y (self, name->start);
    double bottom = pen_map_get_y (self, name->end);
    double y = MAX (MAX (top, 0), free_from);
    g_autofree char *shown = NULL;

    if (top >= self->height)
      break;
    if (y + line > MIN (bottom, self->height) + 3)
      continue;
    shown = pen_display_text (name->name);
    pen_plot_draw_title (plot, painter, shown, PEN_LOOK_PLAIN, theme->text, (int) y, line, 3);
    if (top >= 0)
      pen_painter_fill (painter, theme->faint, plot->x, plot->y + floor (top), plot->width, 1);
    take (taken, y, y + line);
    free_from = y + line;
  }
}

/* Functions that are too small for a line of their own, those with most samples first, each where
 * it is; a stroke points at it. */
static void
draw_hot_names (const PenMap *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
                GArray *taken)
{
  int line = scaled (plot, LINE);
  double x = plot->is_rtl ? plot->gutter_x + 3 : plot->gutter_x + plot->gutter_width - 7;

  for (guint i = 0; self->bins->hot && i < self->bins->hot->len; i++) {
    const PenMapName *name = &g_array_index (self->bins->hot, PenMapName, i);
    double middle = (pen_map_get_y (self, name->start) + pen_map_get_y (self, name->end)) / 2;
    double y = CLAMP (middle - line / 2.0, 0, self->height - line);
    g_autofree char *shown = NULL;

    if (middle < 0 || middle > self->height || !is_free (taken, y, y + line))
      continue;
    shown = pen_display_text (name->name);
    pen_plot_draw_title (plot, painter, shown, PEN_LOOK_SMALL, theme->dim, (int) y, line, 5);
    pen_painter_fill (painter, theme->dim, x, plot->y + floor (middle), 4, 1);
    take (taken, y, y + line);
  }
}

/* ---- gaps ---- */

static char *
format_size (guint64 bytes)
{
  return g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
}

/* px */
static double
get_gap_label_width (const PenPlot *plot)
{
  return 4.8 * plot->em;
}

/* How much is left out, where there is room for words: in a gap, or if it is a large one beside it.
 * @tops: (element-type double): of the labels, downwards */
static void
draw_gap_sizes (const PenMap *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
                GArray *tops)
{
  const GArray *ranges = self->axis->ranges;
  int line = scaled (plot, LINE);
  double width = get_gap_label_width (plot);
  double free_from = 0;

  for (guint i = MAX (pen_address_axis_find_range (self->axis, self->axis_view.from), 1);
       i < ranges->len; i++) {
    const PenAxisRange *range = &g_array_index (ranges, PenAxisRange, i);
    double top = get_y_of_position (self, range[-1].to);
    double bottom = get_y_of_position (self, range->from);
    double y = (top + bottom - line) / 2;
    g_autofree char *size = NULL;
    g_autofree char *label = NULL;

    if (range[-1].to >= self->axis_view.to || bottom > self->height)
      break;
    if (y < free_from || y + line > self->height || bottom - top < 2
        || (bottom - top < line && range->start - range[-1].end < GAP_LABELLED))
      continue;
    size = format_size (range->start - range[-1].end);
    label = g_strdup_printf ("⋯ %s", size);
    pen_painter_fill (painter, pen_palette_ground (theme->dark), plot->x + plot->width - width - 8,
                      plot->y + y, width, line);
    pen_painter_text (painter, label, PEN_LOOK_SMALL, theme->dim, plot->x + plot->width - width - 5,
                      plot->y + y, width - 6, line, 0.5);
    g_array_append_val (tops, y);
    free_from = y + 2 * line;
  }
}

/* ---- what more there is ---- */

void
pen_map_draw_scroll (const PenMap *self, const PenPlot *plot, PenPainter *painter,
                     const PenTheme *theme)
{
  double x = plot->is_rtl ? plot->x : plot->x + plot->width - SCROLL_WIDTH;
  double height = (self->axis_view.to - self->axis_view.from) * self->height;

  if (self->axis_view.from <= 0 && self->axis_view.to >= 1)
    return;
  pen_painter_fill (painter, pen_palette_lane (theme->dark), x, plot->y, SCROLL_WIDTH,
                    plot->height);
  for (guint i = 0; i < self->axis->ranges->len && i < RANGES_DRAWN; i++) {
    const PenAxisRange *range = &g_array_index (self->axis->ranges, PenAxisRange, i);

    pen_painter_fill (painter, pen_theme_fade (pen_palette_kind (range->kind, theme->dark), 0.45),
                      x + 1, plot->y + range->from * self->height, SCROLL_WIDTH - 2,
                      MAX ((range->to - range->from) * self->height, 0.5));
  }
  pen_painter_frame (painter, theme->text, x, plot->y + self->axis_view.from * self->height,
                     SCROLL_WIDTH, MAX (height, 4), 1);
}

/* Says that the picture is not exact to the pixel. */
static void
draw_estimate (const PenMap *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  g_autofree char *note = NULL;

  if (self->bins->grain > 0) {
    g_autofree char *grain = pen_format_duration (self->bins->grain);

    note = g_strdup_printf (_ ("Estimate: samples may be off by %s"), grain);
  } else if (self->bins->n_spread > 0 && self->bins->max > 0) {
    note = g_strdup_printf (ngettext ("Estimate: samples of %u function spread evenly; zoom in",
                                      "Estimate: samples of %u functions spread evenly; zoom in",
                                      self->bins->n_spread),
                            self->bins->n_spread);
  }
  if (note)
    pen_plot_draw_note (plot, painter, theme, note, 2);
}

/* ---- on it ---- */

/* @names: gets the boxes of the names, in the map */
static void
draw_bar_names (const PenMap *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
                GArray *names)
{
  const GArray *bars = self->outline->bars;
  int line = scaled (plot, LINE) - 2;
  guint n_drawn = 0;

  for (guint i = 0; i < bars->len && n_drawn < LABELS_MAX; i++) {
    const PenTenure *tenure = &g_array_index (bars, PenBar, i).tenure;
    PenBox box = { 0, 0, self->width, 1 };
    g_autofree char *name = NULL;
    double top, bottom;
    PenBox part;

    if (tenure->from.time > self->view.to)
      break;
    if (tenure->kind == PEN_KIND_MODULE
        || !pen_raster_interval (box, self->view, tenure->from.time, tenure->to.time, &part)
        || part.width < scaled (plot, LABEL_MIN_WIDTH))
      continue;
    top = pen_map_get_y (self, tenure->start);
    bottom = pen_map_get_y (self, tenure->end);
    if (bottom < 0 || top > self->height || bottom - top < line)
      continue;
    top = CLAMP (top, 0, self->height - line);
    name = pen_lane_words_dup_name (tenure);
    pen_painter_name (painter, name, PEN_LOOK_SMALL, theme->text, plot->x + part.x + 6,
                      plot->y + top + 1, part.width - 8, line, 0);
    part.width = MIN (part.width, (int) painter->measure (painter, name, PEN_LOOK_SMALL) + 8);
    part.y = (int) top;
    part.height = line + 1;
    g_array_append_val (names, part);
    n_drawn++;
  }
}

/* Whether another mark stands where the count of this one would. */
static gboolean
is_crowded (const PenMap *self, const PenPlot *plot, const PenMapMark *mark, double x, double y)
{
  const GArray *marks = self->bins->marks;

  for (guint i = pen_map_find_first_mark (self, mark->first); i < marks->len; i++) {
    const PenMapMark *other = &g_array_index (marks, PenMapMark, i);
    double dx = pen_span_position (self->view, other->first) * self->width - x;

    if (dx >= scaled (plot, COUNT_WIDTH))
      break;
    if (other != mark
        && fabs (pen_map_get_y (self, other->address) - y) < scaled (plot, COUNT_HEIGHT))
      return TRUE;
  }
  return FALSE;
}

/* Whether the label of a gap stands where the count of a mark would. */
static gboolean
is_on_gap_label (const PenMap *self, const PenPlot *plot, const GArray *tops, double x, double y)
{
  int line = scaled (plot, LINE), half = scaled (plot, COUNT_HEIGHT) / 2;

  if (x + scaled (plot, COUNT_WIDTH) < self->width - get_gap_label_width (plot) - 8)
    return FALSE;
  for (guint i = 0; i < tops->len; i++) {
    double top = g_array_index (tops, double, i);

    if (y + half > top && y - half < top + line)
      return TRUE;
  }
  return FALSE;
}

/* Whether a name stands where the count of a mark would. */
static gboolean
is_on_name (const PenPlot *plot, const GArray *names, double x, double y)
{
  int half = scaled (plot, COUNT_HEIGHT) / 2;

  for (guint i = 0; i < names->len; i++) {
    const PenBox *box = &g_array_index (names, PenBox, i);

    if (x < box->x + box->width && x + scaled (plot, COUNT_WIDTH) > box->x
        && y - half < box->y + box->height && y + half > box->y)
      return TRUE;
  }
  return FALSE;
}

static void
draw_mark_counts (const PenMap *self, const PenPlot *plot, PenPainter *painter,
                  const PenTheme *theme, const GArray *gap_tops, const GArray *names)
{
  const GArray *marks = self->bins->marks;

  for (guint i = 0; i < marks->len && marks->len <= LABELS_MAX; i++) {
    const PenMapMark *mark = &g_array_index (marks, PenMapMark, i);
    double x = pen_span_position (self->view, mark->first) * self->width;
    double y = pen_map_get_y (self, mark->address);
    g_autofree char *count = NULL;

    if (mark->count < 2 || x < 0 || x > self->width - 30 || y < 6 || y > self->height - 6
        || is_crowded (self, plot, mark, x, y) || is_on_gap_label (self, plot, gap_tops, x, y)
        || is_on_name (plot, names, x, y))
      continue;
    count = g_strdup_printf ("×%u", mark->count);
    pen_painter_text (painter, count, PEN_LOOK_SMALL, theme->text, plot->x + x + 7,
                      plot->y + y - scaled (plot, COUNT_HEIGHT) / 2.0, 0,
                      scaled (plot, COUNT_HEIGHT), 0);
  }
}

void
pen_map_draw_words (const PenMap *self, const PenPlot *plot, PenPainter *painter,
                    const PenTheme *theme)
{
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (Taken));
  g_autoptr (GArray) gap_tops = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (PenBox));

  draw_bar_names (self, plot, painter, theme, names);
  draw_gap_sizes (self, plot, painter, theme, gap_tops);
  if (self->bins) {
    draw_mark_counts (self, plot, painter, theme, gap_tops, names);
    draw_function_names (self, plot, painter, theme, taken);
  }
  draw_sections (self, plot, painter, theme, taken);
  if (self->bins) {
    draw_hot_names (self, plot, painter, theme, taken);
    draw_estimate (self, plot, painter, theme);
  }
}

/* ---- descriptions ---- */

/* n_rows: none */
static guint
find_row (const PenMapBins *bins, guint64 address)
{
  if (address < bins->edges[0] || address >= bins->edges[bins->n_rows])
    return bins->n_rows;
  return PEN_BINARY_SEARCH (i, 1, bins->n_rows, bins->edges[i] <= address) - 1;
}

static void
describe_cell (const PenMap *self, GString *text, int x, int y)
{
  const PenMapBins *bins = self->bins;
  guint64 address = pen_map_get_address (self, y + 0.5);
  guint64 time = pen_span_time_at (self->view, (x + 0.5) / MAX (self->width, 1));
  double column = pen_span_position ((PenSpan){ bins->from, bins->to }, time) * bins->n_columns;
  double n = 0;
  guint row;

  if (column < 0 || column >= bins->n_columns)
    return;
  row = find_row (bins, address);
  if (row < bins->n_rows)
    n = (double) bins->counts[(gsize) row * bins->n_columns + (guint) column];
  if (n > 0 && bins->population == PEN_POPULATION_WAITS) {
    g_autofree char *sum = pen_format_duration ((guint64) llround (n));

    /* Translators: a duration */
    g_string_append_printf (text, _ ("\n%s off CPU here"), sum);
  } else if (n > 0 && bins->grain > 0) {
    g_autofree char *grain = pen_format_duration (bins->grain);

    /* Translators: a number, and the duration within which they lie */
    g_string_append_printf (text, _ ("\nabout %.3g samples here, within %s"), n, grain);
  } else if (n > 0) {
    g_string_append_printf (
        text, ngettext ("\n%.0f sample here", "\n%.0f samples here", (gulong) lround (n)), n);
  }
}

static void
describe_mark (const PenOutline *outline, const PenMapMark *mark, const PenClock *clock,
               GString *text)
{
  const PenBatch *batch = pen_outline_get_batch (outline, mark->batch);
  const char *cause = pen_palette_cause_title (mark->cause);
  g_autofree char *at = pen_clock_format_all (clock, mark->first, 1000);

  if (batch) {
    g_autofree char *what = pen_batch_words_describe (batch, mark->count);

    g_string_append (text, what);
  } else if (mark->count == 1) {
    /* Translators: %s is the cause of a patch: "Ftrace patch" */
    g_string_append_printf (text, C_ ("tooltip", "%s patch"), cause);
  } else {
    g_string_append_printf (text, ngettext ("%s: %u patch", "%s: %u patches", mark->count), cause,
                            mark->count);
  }
  /* Translators: an address and a time */
  g_string_append_printf (text,
                          mark->count > 1 ? _ ("\nthe first at 0x%" PRIx64 ", %s\n")
                                          : _ ("\nat 0x%" PRIx64 ", %s\n"),
                          mark->address, at);
}

char *
pen_map_describe (const PenMap *self, const PenClock *clock, int x, int y)
{
  const PenMapMark *mark = pen_map_find_mark (self, x, y);
  const PenMapName *name = pen_map_find_name (self, y);
  const PenBar *bar = pen_map_find_bar (self, x, y);
  const PenAxisRange *gap = pen_map_find_gap (self, y);
  guint64 address = pen_map_get_address (self, y + 0.5);
  guint64 time = pen_span_time_at (self->view, x / (double) MAX (self->width, 1));
  guint64 step = pen_span_length (self->view) / (guint64) MAX (self->width, 1);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *at = pen_clock_format_all (clock, time, MAX (step, 1));

  if (x < 0 || y < 0 || x >= self->width || y >= self->height)
    return NULL;
  if (mark)
    describe_mark (self->outline, mark, clock, text);
  if (gap) {
    g_autofree char *size = format_size (gap->start - gap[-1].end);

    /* Translators: a size, and the addresses between which there is no known code */
    g_string_append_printf (text, _ ("%s unused (0x%" PRIx64 "–0x%" PRIx64 ")\n"), size,
                            gap[-1].end, gap->start);
  }
  if (name) {
    g_autofree char *shown = pen_display_text (name->name);

    g_string_append_printf (text, "%s+0x%" G_GINT64_MODIFIER "x\n", shown, address - name->start);
  }
  if (bar) {
    g_autofree char *shown = pen_display_text (bar->tenure.name);
    g_autofree char *when = pen_clock_format_tenancy (clock, bar->tenure.from, bar->tenure.to);

    if (bar->tenure.bpf_id != 0)
      g_string_append_printf (text, _ ("%s (%s, id %u), %s\n"), shown,
                              pen_palette_kind_title (bar->tenure.kind), bar->tenure.bpf_id, when);
    else
      g_string_append_printf (text, "%s (%s), %s\n", shown,
                              pen_palette_kind_title (bar->tenure.kind), when);
  }
  g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x, %s", address, at);
  if (self->bins)
    describe_cell (self, text, x, y);
  return g_strdup (text->str);
}

static double
count_cells (const PenMapBins *bins, guint64 from, guint64 to, guint64 first, guint64 last)
{
  PenSpan span = { bins->from, bins->to };
  double left = ceil (pen_span_position (span, from) * bins->n_columns);
  double right = ceil (pen_span_position (span, to) * bins->n_columns);
  double n = 0;

  for (guint row = 0; row < bins->n_rows; row++) {
    if (bins->edges[row] < first || bins->edges[row] >= last)
      continue;
    for (guint column = (guint) CLAMP (left, 0, bins->n_columns);
         column < (guint) CLAMP (right, 0, bins->n_columns); column++)
      n += (double) bins->counts[(gsize) row * bins->n_columns + column];
  }
  return n;
}

static char *
format_amount (const PenMapBins *bins, double amount)
{
  guint64 n = (guint64) llround (amount);
  gboolean is_time = bins->population == PEN_POPULATION_WAITS;
  g_autofree char *text = is_time ? pen_format_duration (n) : pen_format_count (n);

  return is_time ? g_strdup_printf (_ ("%s off CPU"), text)
                 : g_strdup_printf (ngettext ("%s sample", "%s samples", (gulong) n), text);
}

char *
pen_map_format_count (const PenMap *self, guint64 from, guint64 to, guint64 first, guint64 last)
{
  return format_amount (self->bins, count_cells (self->bins, from, to, first, last));
}

char *
pen_map_format_total (const PenMapBins *bins)
{
  return format_amount (bins, bins->total);
}
