/* pen-lanes.c: the lanes of the overview: where each lies, what is at a point
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-lanes.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-binary-search.h"

#define GAP 5
#define SAMPLES_MIN 44
#define SAMPLES_COMFORTABLE 64
#define SAMPLES_MAX 120
#define CAUSE_HEIGHT 13
#define TASK_HEIGHT 13
#define ROW_MIN 6
#define ROW_MAX 14
/* Bars have names from here on: where not all rows fit, those in sight do. */
#define ROW_NAMED 13
#define ROWS_READABLE 3
#define ROWS_COMFORTABLE 7
#define PROGRAMS_MIN 28
#define LOST_HEIGHT 14
#define FOLDED_HEIGHT 14
/* All of a compact overview, below a ruler of 22. */
#define COMPACT_HEIGHT 50
#define TICK_REACH 4
/* Beyond that, rows are not counted in layouts: no window is that high. */
#define ROWS_COUNTED 1000

static const struct {
  const char *title;
  const char *word;
} lane_words[PEN_LANES] = {
  [PEN_LANE_SAMPLES] = { NC_ ("lane", "Samples"), "samples" },
  [PEN_LANE_CPUS] = { NC_ ("lane", "CPUs"), "cpus" },
  [PEN_LANE_TASKS] = { NC_ ("lane", "Processes"), "processes" },
  [PEN_LANE_PATCHES] = { NC_ ("lane", "Patches"), "patches" },
  [PEN_LANE_PROGRAMS] = { NC_ ("lane", "Programs"), "programs" },
  [PEN_LANE_LOST] = { NC_ ("lane", "Lost"), "lost" },
};

const char *
pen_lane_get_title (PenLaneKind lane)
{
  g_return_val_if_fail (lane < PEN_LANES, "");
  return g_dpgettext2 (GETTEXT_PACKAGE, "lane", lane_words[lane].title);
}

const char *
pen_lane_to_string (PenLaneKind lane)
{
  g_return_val_if_fail (lane < PEN_LANES, "");
  return lane_words[lane].word;
}

gboolean
pen_lane_from_string (const char *word, PenLaneKind *lane)
{
  for (guint i = 0; i < PEN_LANES; i++) {
    if (g_strcmp0 (word, lane_words[i].word) == 0) {
      *lane = i;
      return TRUE;
    }
  }
  return FALSE;
}

static guint
count_causes (const PenOutline *outline, PenCause *causes)
{
  guint n = 0;

  /* Unknown comes last, whatever its number. */
  for (guint i = 1; i <= PEN_CAUSES; i++) {
    PenCause cause = i % PEN_CAUSES;

    if (outline && (outline->causes & (1u << cause)))
      causes[n++] = cause;
  }
  return n;
}

/* ---- layout ---- */

static int
scaled (const PenLanesShape *shape, int pixels)
{
  return (int) lround (pixels * shape->em / 17);
}

static gboolean
is_folded (const PenLanesShape *shape, PenLaneKind lane)
{
  if (shape->compact)
    return lane == PEN_LANE_PATCHES;
  return (shape->folded & (1u << lane)) != 0;
}

static guint
count_rows (const PenLanesShape *shape, PenLaneKind lane)
{
  PenCause causes[PEN_CAUSES];

  if (shape->compact && lane != PEN_LANE_SAMPLES && lane != PEN_LANE_PATCHES)
    return 0;
  switch (lane) {
  case PEN_LANE_SAMPLES:
    return 1;
  case PEN_LANE_CPUS:
    /* Of waits, it says why there are none. */
    return shape->cpus && shape->cpus->population == PEN_POPULATION_WAITS ? 1
           : shape->cpus                                                  ? shape->cpus->rows->len
                                                                          : 0;
  case PEN_LANE_TASKS:
    return shape->tasks ? shape->tasks->rows->len : 0;
  case PEN_LANE_PATCHES:
    return count_causes (shape->outline, causes);
  case PEN_LANE_PROGRAMS:
    return shape->outline ? shape->outline->n_lanes : 0;
  case PEN_LANE_LOST:
    return shape->outline && shape->outline->losses->len > 0 ? 1 : 0;
  case PEN_LANES:
  default:
    return 0;
  }
}

static int
get_least_height (const PenLanesShape *shape, PenLaneKind lane)
{
  guint n_rows = count_rows (shape, lane);

  if (n_rows == 0)
    return 0;
  if (is_folded (shape, lane))
    return scaled (shape, FOLDED_HEIGHT);
  switch (lane) {
  case PEN_LANE_SAMPLES:
    return scaled (shape, shape->compact ? COMPACT_HEIGHT - GAP - FOLDED_HEIGHT : SAMPLES_MIN);
  case PEN_LANE_CPUS:
  case PEN_LANE_TASKS:
    return (int) n_rows * scaled (shape, TASK_HEIGHT);
  case PEN_LANE_PATCHES:
    return (int) n_rows * scaled (shape, CAUSE_HEIGHT);
  case PEN_LANE_PROGRAMS:
    return scaled (shape, MIN (PROGRAMS_MIN, (int) MIN (n_rows, ROWS_COUNTED) * ROW_MAX));
  case PEN_LANE_LOST:
    return scaled (shape, LOST_HEIGHT);
  case PEN_LANES:
  default:
    return 0;
  }
}

int
pen_lanes_get_min_height (const PenLanesShape *shape)
{
  int height = -GAP;

  if (shape->compact)
    return scaled (shape, COMPACT_HEIGHT);
  for (guint i = 0; i < PEN_LANES; i++) {
    int least = get_least_height (shape, i);

    height += least > 0 ? least + GAP : 0;
  }
  return height;
}

int
pen_lanes_get_extra_height (const PenLanesShape *shape)
{
  guint n_rows = MIN (count_rows (shape, PEN_LANE_PROGRAMS), ROWS_COMFORTABLE);
  int extra = 0;

  if (shape->compact)
    return 0;
  if (!is_folded (shape, PEN_LANE_SAMPLES))
    extra += scaled (shape, SAMPLES_COMFORTABLE - SAMPLES_MIN);
  if (!is_folded (shape, PEN_LANE_PROGRAMS))
    extra += scaled (shape, MAX ((int) n_rows * ROW_MAX - PROGRAMS_MIN, 0));
  return extra;
}

/* Shares out the height left over the least ones: three fifths to the programs, the rest to the
 * samples, and what these do not need to the programs again. */
static void
share_rest (const PenLanesShape *shape, int rest, int *heights)
{
  int wanted
      = scaled (shape, (int) MIN (count_rows (shape, PEN_LANE_PROGRAMS), ROWS_COUNTED) * ROW_MAX);
  gboolean has_programs = heights[PEN_LANE_PROGRAMS] > 0 && !is_folded (shape, PEN_LANE_PROGRAMS);
  int more;

  if (rest <= 0)
    return;
  if (has_programs) {
    more = CLAMP (rest * 3 / 5, 0, MAX (wanted - heights[PEN_LANE_PROGRAMS], 0));
    heights[PEN_LANE_PROGRAMS] += more;
    rest -= more;
  }
  if (!is_folded (shape, PEN_LANE_SAMPLES)) {
    more = CLAMP (rest, 0, scaled (shape, SAMPLES_MAX) - heights[PEN_LANE_SAMPLES]);
    heights[PEN_LANE_SAMPLES] += more;
    rest -= more;
  }
  if (has_programs)
    heights[PEN_LANE_PROGRAMS] += CLAMP (rest, 0, MAX (wanted - heights[PEN_LANE_PROGRAMS], 0));
}

static void
lay_out_programs (PenLanes *self)
{
  const PenLanesShape *shape = &self->shape;
  int height = self->boxes[PEN_LANE_PROGRAMS].height;
  guint visible;

  self->n_rows = count_rows (shape, PEN_LANE_PROGRAMS);
  if (self->n_rows == 0 || is_folded (shape, PEN_LANE_PROGRAMS))
    return;
  self->row_heights[PEN_LANE_PROGRAMS] = CLAMP (height / (int) MIN (self->n_rows, ROWS_COUNTED),
                                                scaled (shape, ROW_MIN), scaled (shape, ROW_MAX));
  /* Rows are scrolled anyway: rather fewer that can be read. */
  if (pen_lanes_get_visible_rows (self) < self->n_rows
      && height >= ROWS_READABLE * scaled (shape, ROW_NAMED))
    self->row_heights[PEN_LANE_PROGRAMS] = scaled (shape, ROW_NAMED);
  visible = pen_lanes_get_visible_rows (self);
  self->first_row = MIN (shape->first_row, self->n_rows > visible ? self->n_rows - visible : 0);
}

void
pen_lanes_layout (PenLanes *self, const PenLanesShape *shape, int width, int height)
{
  int heights[PEN_LANES];
  int rest = height + GAP;
  int y = 0;

  *self = (PenLanes){ .shape = *shape };
  self->n_causes = count_causes (shape->outline, self->causes);
  for (guint i = 0; i < PEN_LANES; i++) {
    heights[i] = get_least_height (shape, i);
    rest -= heights[i] > 0 ? heights[i] + GAP : 0;
  }
  share_rest (shape, rest, heights);
  /* Too little room: the samples give way first, then the programs. */
  for (int i = 0; rest < 0 && i < 2; i++) {
    PenLaneKind lane = i == 0 ? PEN_LANE_SAMPLES : PEN_LANE_PROGRAMS;
    int given = MIN (heights[lane], -rest);

    heights[lane] -= given;
    rest += given;
  }

  for (guint i = 0; i < PEN_LANES; i++) {
    self->boxes[i] = (PenBox){ 0, y, width, heights[i] };
    y += heights[i] > 0 ? heights[i] + GAP : 0;
    if (heights[i] > 0 && !is_folded (shape, i))
      self->row_heights[i] = i == PEN_LANE_CPUS || i == PEN_LANE_TASKS ? scaled (shape, TASK_HEIGHT)
                             : i == PEN_LANE_PATCHES ? scaled (shape, CAUSE_HEIGHT)
                                                     : heights[i];
  }
  self->row_heights[PEN_LANE_PROGRAMS] = 0;
  lay_out_programs (self);
}

guint
pen_lanes_get_visible_rows (const PenLanes *self)
{
  int row_height = self->row_heights[PEN_LANE_PROGRAMS];

  if (row_height == 0)
    return 0;
  return MIN ((guint) (self->boxes[PEN_LANE_PROGRAMS].height / row_height), self->n_rows);
}

gboolean
pen_lanes_is_folded (const PenLanes *self, PenLaneKind lane)
{
  return is_folded (&self->shape, lane);
}

static PenBox
get_row (const PenLanes *self, PenLaneKind lane, guint row)
{
  PenBox box = self->boxes[lane];

  if (is_folded (&self->shape, lane))
    return box;
  box.y += (int) row * self->row_heights[lane];
  box.height = MAX (self->row_heights[lane] - 1, 0);
  return box;
}

PenBox
pen_lanes_get_cause_box (const PenLanes *self, guint index)
{
  return get_row (self, PEN_LANE_PATCHES, index);
}

PenBox
pen_lanes_get_task_box (const PenLanes *self, PenLaneKind lane, guint row)
{
  return get_row (self, lane, row);
}

gboolean
pen_lanes_get_row_box (const PenLanes *self, guint row, PenBox *box)
{
  int row_height = self->row_heights[PEN_LANE_PROGRAMS];

  *box = self->boxes[PEN_LANE_PROGRAMS];
  if (is_folded (&self->shape, PEN_LANE_PROGRAMS))
    return box->height > 0;
  if (row < self->first_row || row >= self->first_row + pen_lanes_get_visible_rows (self))
    return FALSE;

  box->y += (int) (row - self->first_row) * row_height;
  box->height = MAX (row_height - (row_height > 6 ? 2 : 1), 2);
  return TRUE;
}

/* ---- finding ---- */

PenLaneKind
pen_lanes_find_lane (const PenLanes *self, int y)
{
  for (guint i = 0; i < PEN_LANES; i++) {
    const PenBox *box = &self->boxes[i];

    if (box->height > 0 && y >= box->y && y < box->y + box->height)
      return i;
  }
  return PEN_LANES;
}

int
pen_lanes_find_task_row (const PenLanes *self, PenLaneKind lane, int y)
{
  int height = self->row_heights[lane];
  int row = height > 0 ? (y - self->boxes[lane].y) / height : -1;

  return y < self->boxes[lane].y || row >= (int) count_rows (&self->shape, lane) ? -1 : row;
}

/* Bars of a lane follow each other: the last that begins at or before @time, or -1. */
static int
find_begun (const PenOutline *outline, const guint *lane, guint n, guint64 time)
{
  return (int) PEN_BINARY_SEARCH (
             i, 0, n, g_array_index (outline->bars, PenBar, lane[i]).tenure.from.time <= time)
         - 1;
}

const PenBar *
pen_lanes_find_bar (const PenLanes *self, PenSpan view, int x, int y)
{
  const PenOutline *outline = self->shape.outline;
  const PenBox *lane = &self->boxes[PEN_LANE_PROGRAMS];
  int row_height = self->row_heights[PEN_LANE_PROGRAMS];
  guint row = self->first_row + (guint) MAX (y - lane->y, 0) / (guint) MAX (row_height, 1);
  guint64 end = pen_span_time_at (view, (x + 1) / (double) MAX (lane->width, 1));
  const guint *bars;
  PenBox box, part;
  guint n;

  if (!outline || row_height == 0 || y < lane->y || row >= outline->n_lanes
      || !pen_lanes_get_row_box (self, row, &box))
    return NULL;
  bars = pen_outline_get_lane (outline, row, &n);
  for (int i = find_begun (outline, bars, n, end); i >= 0; i--) {
    const PenBar *bar = &g_array_index (outline->bars, PenBar, bars[i]);

    if (!pen_raster_interval (box, view, bar->tenure.from.time, bar->tenure.to.time, &part))
      return NULL;
    if (x >= part.x && x <= part.x + part.width)
      return bar;
    if (part.x + part.width < x)
      return NULL;
  }
  return NULL;
}

/* Index of the first mark that begins at or after @time. */
static guint
first_at_or_after (GArray *marks, guint64 time)
{
  return PEN_BINARY_SEARCH (i, 0, marks->len, g_array_index (marks, PenPatchMark, i).first < time);
}

const PenPatchMark *
pen_lanes_find_mark (const PenLanes *self, const PenOverview *overview, PenSpan view, int x, int y)
{
  const PenBox *lane = &self->boxes[PEN_LANE_PATCHES];
  int height = self->row_heights[PEN_LANE_PATCHES];
  guint row = (guint) MAX (y - lane->y, 0) / (guint) MAX (height, 1);
  guint64 from = pen_span_time_at (view, (x - TICK_REACH) / (double) MAX (lane->width, 1));
  guint64 to = pen_span_time_at (view, (x + TICK_REACH) / (double) MAX (lane->width, 1));
  guint64 at = pen_span_time_at (view, x / (double) MAX (lane->width, 1));
  const PenPatchMark *best = NULL;
  guint64 best_distance = G_MAXUINT64;

  if (height == 0 ? y < lane->y || y >= lane->y + lane->height
                  : row >= self->n_causes || y < lane->y)
    return NULL;
  for (guint i = first_at_or_after (overview->marks, from); i < overview->marks->len; i++) {
    const PenPatchMark *mark = &g_array_index (overview->marks, PenPatchMark, i);
    guint64 distance = mark->first > at ? mark->first - at : at - mark->first;

    if (mark->first > to)
      break;
    if ((height == 0 || mark->cause == self->causes[row]) && distance < best_distance) {
      best = mark;
      best_distance = distance;
    }
  }
  return best;
}
