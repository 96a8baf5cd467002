/* pen-lane-words.c: the words beside and on the lanes of the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-lane-words.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "pen-batch-words.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-loss-words.h"
#include "pen-palette.h"

#define LABEL_MIN_WIDTH 34
#define LABELS_MAX 300
#define COUNT_SPACE 34
#define NAME_SPACE 110
#define SCROLL_WIDTH 5
/* In the description of one point. */
#define LOSSES_SHOWN 8

static int
scaled (const PenPlot *plot, int pixels)
{
  return (int) lround (pixels * plot->em / PEN_EM);
}

char *
pen_lane_words_dup_name (const PenTenure *tenure)
{
  static const char program[] = "bpf_prog_";
  const char *name = tenure->kind == PEN_KIND_MODULE ? tenure->occupant : tenure->name;
  const char *tag = name + strlen (program);

  /* "bpf_prog_0123456789abcdef_name": the tag means nothing to a person. */
  if (tenure->kind == PEN_KIND_BPF && g_str_has_prefix (name, program)
      && strspn (tag, "0123456789abcdef") == 16 && tag[16] == '_' && tag[17] != '\0')
    name = tag + 17;
  return pen_display_text (name);
}

/* Time off CPU in place of samples. */
static gboolean
counts_time (const PenOverview *overview)
{
  return overview && overview->population == PEN_POPULATION_WAITS;
}

/* ---- the gutter ---- */

/* The title is clicked to fold the lane, and shows whether it is folded. */
static void
draw_title (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
            PenLaneKind lane, const char *name)
{
  PenBox box = lanes->boxes[lane];
  g_autofree char *title = NULL;

  if (box.height == 0)
    return;
  if (lanes->shape.compact)
    title = g_strdup (name);
  else
    title = g_strdup_printf ("%s %s", name,
                             pen_lanes_is_folded (lanes, lane) ? (plot->is_rtl ? "◂" : "▸") : "▾");
  pen_plot_draw_title (plot, painter, title, PEN_LOOK_PLAIN, theme->text, box.y,
                       MIN (box.height, scaled (plot, 16)), 0);
}

static void
draw_samples_note (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                   const PenTheme *theme, const PenOverview *overview)
{
  PenBox box = lanes->boxes[PEN_LANE_SAMPLES];
  g_autofree char *width = NULL;
  g_autofree char *highest = NULL;
  g_autofree char *most = NULL;
  g_autofree char *per = NULL;

  if (!overview || overview->n_bins == 0 || overview->max_in_bin == 0
      || box.height < scaled (plot, 44))
    return;
  width = pen_format_duration ((overview->to - overview->from) / overview->n_bins);
  highest = counts_time (overview) ? pen_format_duration (overview->max_in_bin)
                                   : pen_format_count (overview->max_in_bin);
  most = g_strdup_printf ("≤ %s", highest);
  /* Translators: below a number of samples, or a time off CPU; %s is a duration */
  per = g_strdup_printf (_ ("in %s"), width);
  pen_plot_draw_title (plot, painter, most, PEN_LOOK_SMALL, theme->dim, box.y + scaled (plot, 16),
                       scaled (plot, 14), 0);
  pen_plot_draw_title (plot, painter, per, PEN_LOOK_SMALL, theme->dim, box.y + scaled (plot, 30),
                       scaled (plot, 14), 0);
}

static void
draw_causes (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  int letter = scaled (plot, 12);

  for (guint i = 0; i < lanes->n_causes; i++) {
    PenBox box = pen_lanes_get_cause_box (lanes, i);
    PenCause cause = lanes->causes[i];
    int x = plot->is_rtl ? plot->gutter_x + 4 : plot->gutter_x + plot->gutter_width - letter - 4;

    pen_plot_draw_title (plot, painter, pen_palette_cause_title (cause), PEN_LOOK_PLAIN,
                         theme->text, box.y, box.height, letter);
    pen_painter_text (painter, pen_palette_cause_letter (cause), PEN_LOOK_BOLD,
                      pen_palette_cause (cause, theme->dark), x, plot->y + box.y, letter,
                      box.height, 0.5);
  }
}

/* A task that waits has no CPU. */
static gboolean
has_no_cpus (const PenLanes *lanes, PenLaneKind lane)
{
  return lane == PEN_LANE_CPUS && lanes->shape.cpus
         && lanes->shape.cpus->population == PEN_POPULATION_WAITS;
}

static void
draw_task_titles (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                  const PenTheme *theme, PenLaneKind lane, const PenTaskBins *tasks)
{
  for (guint i = 0; tasks && i < tasks->rows->len; i++) {
    const PenTaskTotal *row = &g_array_index (tasks->rows, PenTaskTotal, i);
    PenBox box = pen_lanes_get_task_box (lanes, lane, i);
    g_autofree char *comm = row->comm && row->comm[0] ? pen_display_text (row->comm) : NULL;
    g_autofree char *title = lane == PEN_LANE_CPUS
                                 ? g_strdup_printf (_ ("CPU %" PRId64), row->number)
                             : comm ? g_strdup_printf ("%s %" G_GINT64_FORMAT, comm, row->number)
                                    : g_strdup_printf (_ ("pid %" PRId64), row->number);

    pen_plot_draw_title (plot, painter, title, PEN_LOOK_SMALL, theme->text, box.y, box.height, 0);
  }
}

void
pen_lane_words_draw_gutter (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                            const PenTheme *theme, const PenOverview *overview)
{
  PenBox programs = lanes->boxes[PEN_LANE_PROGRAMS];
  guint visible = pen_lanes_get_visible_rows (lanes);

  draw_title (lanes, plot, painter, theme, PEN_LANE_SAMPLES,
              counts_time (overview) ? C_ ("lane", "Off CPU")
                                     : pen_lane_get_title (PEN_LANE_SAMPLES));
  draw_samples_note (lanes, plot, painter, theme, overview);
  for (guint i = PEN_LANE_CPUS; i <= PEN_LANE_TASKS; i++) {
    const PenTaskBins *tasks = i == PEN_LANE_CPUS ? lanes->shape.cpus : lanes->shape.tasks;

    if (pen_lanes_is_folded (lanes, i) || has_no_cpus (lanes, i))
      draw_title (lanes, plot, painter, theme, i, pen_lane_get_title (i));
    else
      draw_task_titles (lanes, plot, painter, theme, i, tasks);
  }
  if (pen_lanes_is_folded (lanes, PEN_LANE_PATCHES))
    draw_title (lanes, plot, painter, theme, PEN_LANE_PATCHES,
                pen_lane_get_title (PEN_LANE_PATCHES));
  else if (lanes->boxes[PEN_LANE_PATCHES].height > 0)
    draw_causes (lanes, plot, painter, theme);
  draw_title (lanes, plot, painter, theme, PEN_LANE_PROGRAMS,
              pen_lane_get_title (PEN_LANE_PROGRAMS));
  if (visible > 0 && visible < lanes->n_rows && programs.height >= scaled (plot, 28)) {
    g_autofree char *rows = g_strdup_printf (_ ("%u–%u of %u"), lanes->first_row + 1,
                                             lanes->first_row + visible, lanes->n_rows);

    pen_plot_draw_title (plot, painter, rows, PEN_LOOK_SMALL, theme->dim,
                         programs.y + scaled (plot, 14), scaled (plot, 14), 0);
  }
  draw_title (lanes, plot, painter, theme, PEN_LANE_LOST, pen_lane_get_title (PEN_LANE_LOST));
}

/* ---- names ---- */

static guint
draw_bar_names (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                const PenTheme *theme, guint row, guint n_drawn)
{
  const PenOutline *outline = lanes->shape.outline;
  int least = scaled (plot, LABEL_MIN_WIDTH);
  PenBox box, part;
  guint n;
  const guint *bars = pen_outline_get_lane (outline, row, &n);

  if (!pen_lanes_get_row_box (lanes, row, &box))
    return n_drawn;
  for (guint i = 0; i < n && n_drawn < LABELS_MAX; i++) {
    const PenTenure *tenure = &g_array_index (outline->bars, PenBar, bars[i]).tenure;
    g_autofree char *name = NULL;

    if (tenure->from.time > plot->view.to)
      break;
    if (!pen_raster_interval (box, plot->view, tenure->from.time, tenure->to.time, &part)
        || part.width < least)
      continue;
    name = pen_lane_words_dup_name (tenure);
    /* Above the line at the bottom, which is of the bar's full colour. */
    pen_painter_name (painter, name, PEN_LOOK_SMALL, theme->text, plot->x + part.x + 6,
                      plot->y + part.y, part.width - 8, part.height - 2, 0);
    n_drawn++;
  }
  return n_drawn;
}

/* The number of patches, and their key if there is room. */
static gboolean
draw_mark_label (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                 const PenTheme *theme, const PenPatchMark *mark, guint row, double x, double room)
{
  const PenBatch *batch = pen_outline_get_batch (lanes->shape.outline, mark->batch);
  PenBox box = pen_lanes_get_cause_box (lanes, row);
  g_autofree char *label = NULL;

  if (room >= scaled (plot, NAME_SPACE))
    label = pen_batch_words_label (batch, mark->symbol, mark->count);
  else
    label = pen_batch_words_label (NULL, NULL, mark->count);
  if (!label)
    return FALSE;
  pen_painter_text (painter, label, PEN_LOOK_SMALL, theme->dim, x + 5, plot->y + box.y, room - 8,
                    box.height, 0);
  return TRUE;
}

/* To the right of a mark, where the next of its cause is far enough. */
static void
draw_mark_labels (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                  const PenTheme *theme, const PenOverview *overview)
{
  int rows[PEN_CAUSES];
  double next[PEN_CAUSES];
  guint n_drawn = 0;

  for (guint i = 0; i < PEN_CAUSES; i++) {
    rows[i] = -1;
    next[i] = plot->x + plot->width;
  }
  for (guint i = 0; i < lanes->n_causes; i++)
    rows[lanes->causes[i]] = (int) i;
  for (guint i = overview->marks->len; i > 0 && n_drawn < LABELS_MAX; i--) {
    const PenPatchMark *mark = &g_array_index (overview->marks, PenPatchMark, i - 1);
    double first = pen_plot_get_x (plot, mark->first);
    double x = MAX (pen_plot_get_x (plot, mark->last), first);
    double room = next[mark->cause] - x;

    if (rows[mark->cause] < 0)
      continue;
    next[mark->cause] = first;
    if (x >= plot->x && room >= scaled (plot, COUNT_SPACE)
        && draw_mark_label (lanes, plot, painter, theme, mark, (guint) rows[mark->cause], x, room))
      n_drawn++;
  }
}

static void
draw_no_cpus (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
              const PenTheme *theme)
{
  PenBox box = lanes->boxes[PEN_LANE_CPUS];

  if (has_no_cpus (lanes, PEN_LANE_CPUS) && box.height > 0)
    pen_painter_text (painter, _ ("Waiting tasks have no CPU"), PEN_LOOK_SMALL, theme->dim,
                      plot->x + 6, plot->y + box.y, plot->width - 12, box.height, 0);
}

static void
draw_estimate (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
               const PenTheme *theme, PenLaneKind lane)
{
  const PenTaskBins *tasks = lane == PEN_LANE_CPUS ? lanes->shape.cpus : lanes->shape.tasks;
  PenBox box = lanes->boxes[lane];
  g_autofree char *note = NULL;

  if (!tasks || tasks->stride == 1 || box.height == 0)
    return;
  note = g_strdup_printf (_ ("Estimate from one in %u blocks of samples"), tasks->stride);
  pen_plot_draw_note (plot, painter, theme, note, box.y);
}

/* There are more rows above or below. */
static void
draw_scroll (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  PenBox box = lanes->boxes[PEN_LANE_PROGRAMS];
  guint visible = pen_lanes_get_visible_rows (lanes);
  double x = plot->is_rtl ? plot->x : plot->x + plot->width - SCROLL_WIDTH;
  double share = (double) box.height / MAX (lanes->n_rows, 1);

  if (visible == 0 || visible >= lanes->n_rows)
    return;
  pen_painter_fill (painter, pen_palette_lane (theme->dark), x, plot->y + box.y, SCROLL_WIDTH,
                    box.height);
  pen_painter_fill (painter, theme->dim, x, plot->y + box.y + lanes->first_row * share,
                    SCROLL_WIDTH, MAX (visible * share, 4));
}

void
pen_lane_words_draw_names (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                           const PenTheme *theme, const PenOverview *overview)
{
  guint last = MIN (lanes->first_row + pen_lanes_get_visible_rows (lanes), lanes->n_rows);
  guint n_drawn = 0;

  if (lanes->row_heights[PEN_LANE_PROGRAMS] >= scaled (plot, 12)) {
    for (guint row = lanes->first_row; row < last; row++)
      n_drawn = draw_bar_names (lanes, plot, painter, theme, row, n_drawn);
  }
  if (overview && lanes->row_heights[PEN_LANE_PATCHES] > 0)
    draw_mark_labels (lanes, plot, painter, theme, overview);
  draw_scroll (lanes, plot, painter, theme);
  draw_no_cpus (lanes, plot, painter, theme);
  draw_estimate (lanes, plot, painter, theme, PEN_LANE_CPUS);
  draw_estimate (lanes, plot, painter, theme, PEN_LANE_TASKS);
}

/* ---- descriptions ---- */

static char *
describe_bar (const PenBar *bar, const PenClock *clock)
{
  g_autofree char *name = pen_display_text (bar->tenure.name);
  g_autofree char *when = pen_clock_format_tenancy (clock, bar->tenure.from, bar->tenure.to);
  g_autofree char *elsewhere
      = pen_clock_format_tenancy_elsewhere (clock, bar->tenure.from, bar->tenure.to);
  g_autofree char *samples = pen_format_count (bar->samples);
  const char *title = pen_palette_kind_title (bar->tenure.kind);
  const char *grade
      = g_dpgettext2 (GETTEXT_PACKAGE, "evidence", pen_evidence_to_string (bar->tenure.evidence));
  gboolean is_partly = pen_tenure_get_inferred_from (&bar->tenure) != 0;
  /* Translators: a grade of evidence */
  g_autofree char *evidence
      = g_strdup_printf (is_partly ? _ ("%s, inferred beyond its code") : "%s", grade);
  /* Loads of one program have one name. */
  g_autofree char *kind = bar->tenure.bpf_id != 0
                              ? g_strdup_printf (_ ("%s, id %u"), title, bar->tenure.bpf_id)
                              : g_strdup (title);

  return g_strdup_printf (
      /* Translators: name (kind), times, address, length, number of samples, source */
      _ ("%s (%s)\n%s%s%s\n0x%" PRIx64 ", %" PRIu64 " bytes · %s samples · %s"), name, kind, when,
      elsewhere ? "\n" : "", elsewhere ? elsewhere : "", bar->tenure.start,
      bar->tenure.end - bar->tenure.start, samples, evidence);
}

static char *
describe_bin (const PenOverview *overview, const PenClock *clock, guint64 time)
{
  PenSpan span = { overview->from, overview->to };
  double bin = pen_span_position (span, time) * overview->n_bins;
  guint64 step = pen_span_length (span) / MAX (overview->n_bins, 1);
  g_autofree char *at = pen_clock_format_all (clock, time, step);
  g_autofree char *width = pen_format_duration (step);
  GString *text = g_string_new (NULL);

  /* Translators: a time, and a duration after it */
  g_string_printf (text, _ ("%s\nwithin %s"), at, width);
  if (counts_time (overview))
    g_string_append_printf (text, "\n%s", _ ("Time off CPU by kind:"));
  if (bin < 0 || bin >= overview->n_bins)
    return g_string_free (text, FALSE);
  for (int i = PEN_KINDS - 1; i >= 0; i--) {
    PenKind kind = pen_palette_stack_order ()[i];
    guint64 count = overview->samples[(gsize) bin * PEN_KINDS + kind];
    g_autofree char *amount = counts_time (overview)
                                  ? pen_format_duration (count)
                                  : g_strdup_printf ("%" G_GUINT64_FORMAT, count);

    if (count > 0)
      g_string_append_printf (text, "\n%s: %s", pen_palette_kind_title (kind), amount);
  }
  return g_string_free (text, FALSE);
}

static char *
describe_mark (const PenOutline *outline, const PenPatchMark *mark, const PenClock *clock)
{
  const PenBatch *batch = pen_outline_get_batch (outline, mark->batch);
  const char *cause = pen_palette_cause_title (mark->cause);
  g_autofree char *at = pen_clock_format_all (clock, mark->first, 1000);
  g_autofree char *symbol = mark->symbol ? pen_display_text (mark->symbol) : NULL;
  g_autofree char *place = NULL;
  GString *text = g_string_new (NULL);

  if (batch) {
    g_autofree char *what = pen_batch_words_describe (batch, mark->count);

    g_string_append (text, what);
  } else if (mark->count == 1) {
    /* Translators: %s is the cause of a patch: "Ftrace patch" */
    g_string_append_printf (text, C_ ("tooltip", "%s patch"), cause);
  } else {
    g_autofree char *span = pen_format_duration (mark->last - mark->first);

    /* Translators: cause, number of patches, duration */
    g_string_append_printf (
        text, ngettext ("%s: %u patch within %s", "%s: %u patches within %s", mark->count), cause,
        mark->count, span);
  }
  place = symbol ? g_strdup_printf ("%s+0x%" PRIx64 ", 0x%" PRIx64, symbol, mark->offset,
                                    mark->address)
                 : g_strdup_printf ("0x%" PRIx64, mark->address);
  /* Translators: a time and an address */
  g_string_append_printf (
      text, mark->count > 1 ? _ ("\nfrom %s\nthe first at %s") : _ ("\n%s\nat %s"), at, place);
  return g_string_free (text, FALSE);
}

/* Losses of several CPUs may lie over each other. */
static char *
describe_losses (const PenLanes *lanes, const PenPlot *plot, const PenClock *clock, int x)
{
  const GArray *losses = lanes->shape.outline->losses;
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);
    double from = pen_span_position (plot->view, loss->from) * plot->width;
    double to = MAX (pen_span_position (plot->view, loss->to) * plot->width, from + 3);
    g_autofree char *line = NULL;

    if (pen_loss_is_repeated (loss) || x < from - 1 || x > to + 1 || ++n > LOSSES_SHOWN)
      continue;
    line = pen_loss_describe (loss, clock);
    g_string_append_printf (text, text->len > 0 ? "\n%s" : "%s", line);
  }
  if (n > LOSSES_SHOWN)
    g_string_append_printf (text, ngettext ("\n… and %u more", "\n… and %u more", n - LOSSES_SHOWN),
                            n - LOSSES_SHOWN);
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* Losses have no lane of their own in a compact overview. */
static char *
describe_samples (const PenLanes *lanes, const PenPlot *plot, const PenOverview *overview,
                  const PenClock *clock, guint64 time, int x)
{
  g_autofree char *bin = overview ? describe_bin (overview, clock, time) : NULL;
  g_autofree char *lost = lanes->shape.compact && lanes->shape.outline
                              ? describe_losses (lanes, plot, clock, x)
                              : NULL;

  if (bin && lost)
    return g_strconcat (bin, "\n", lost, NULL);
  return g_strdup (bin ? bin : lost);
}

static char *
format_amount (const PenTaskBins *tasks, guint64 amount)
{
  return tasks->population == PEN_POPULATION_WAITS ? pen_format_duration (amount)
                                                   : pen_format_count (amount);
}

static char *
describe_task (const PenLanes *lanes, PenLaneKind lane, const PenClock *clock, guint64 time, int y)
{
  const PenTaskBins *tasks = lane == PEN_LANE_CPUS ? lanes->shape.cpus : lanes->shape.tasks;
  int row = pen_lanes_find_task_row (lanes, lane, y);
  PenSpan span = { tasks->from, tasks->to };
  double bin = pen_span_position (span, time) * tasks->n_bins;
  guint64 step = pen_span_length (span) / MAX (tasks->n_bins, 1);
  g_autofree char *comm = NULL;
  g_autofree char *title = NULL;
  g_autofree char *at = NULL;
  g_autofree char *width = NULL;
  g_autofree char *here = NULL;
  g_autofree char *all = NULL;
  guint64 count;
  const PenTaskTotal *task;

  if (has_no_cpus (lanes, lane))
    return g_strdup (_ ("Waiting tasks have no CPU"));
  if (row < 0 || bin < 0 || bin >= tasks->n_bins)
    return NULL;
  task = &g_array_index (tasks->rows, PenTaskTotal, row);
  comm = task->comm ? pen_display_text (task->comm) : g_strdup ("");
  at = pen_clock_format_all (clock, time, step);
  width = pen_format_duration (step);
  count = tasks->counts[(gsize) row * tasks->n_bins + (guint) bin];
  here = format_amount (tasks, count);
  all = format_amount (tasks, task->samples);
  title = lane == PEN_LANE_CPUS
              ? g_strdup_printf (_ ("CPU %" PRId64), task->number)
              /* Translators: pid and name of a process */
              : g_strdup_printf (_ ("Process %" PRId64 " %s"), task->number, comm);
  if (tasks->population == PEN_POPULATION_WAITS)
    /* Translators: process, a time, a duration, time off CPU, all time off CPU in view */
    return g_strdup_printf (_ ("%s\n%s\nwithin %s: %s off CPU\nin view: %s"), title, at, width,
                            here, all);
  /* Translators: CPU or process, a time, a duration, a number, number of all samples in view */
  return g_strdup_printf (tasks->stride > 1
                              ? _ ("%s\n%s\nwithin %s: about %s samples\nin view: about %s")
                              : _ ("%s\n%s\nwithin %s: %s samples\nin view: %s"),
                          title, at, width, here, all);
}

char *
pen_lane_words_describe (const PenLanes *lanes, const PenPlot *plot, const PenOverview *overview,
                         const PenClock *clock, int x, int y)
{
  guint64 time = pen_span_time_at (plot->view, x / (double) MAX (plot->width, 1));
  PenLaneKind lane = pen_lanes_find_lane (lanes, y);
  const PenPatchMark *mark;
  const PenBar *bar;

  switch (lane) {
  case PEN_LANE_SAMPLES:
    return describe_samples (lanes, plot, overview, clock, time, x);
  case PEN_LANE_CPUS:
  case PEN_LANE_TASKS:
    return describe_task (lanes, lane, clock, time, y);
  case PEN_LANE_PATCHES:
    mark = overview ? pen_lanes_find_mark (lanes, overview, plot->view, x, y) : NULL;
    return mark ? describe_mark (lanes->shape.outline, mark, clock) : NULL;
  case PEN_LANE_PROGRAMS:
    bar = pen_lanes_find_bar (lanes, plot->view, x, y);
    return bar ? describe_bar (bar, clock) : NULL;
  case PEN_LANE_LOST:
    return describe_losses (lanes, plot, clock, x);
  case PEN_LANES:
  default:
    return NULL;
  }
}
