/* pen-flame-difference.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-difference.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "pen-display.h"
#include "pen-flame.h"
#include "pen-format.h"
#include "pen-palette.h"

/* Of frames that parted a little, and of those by OCTAVES or more; of all others. */
#define STRENGTH_LEAST 0.30
#define STRENGTH_MOST 0.66
#define STRENGTH_GREY 0.17
#define OCTAVES 3

/* ---- colours ---- */

guint32
pen_flame_difference_get_color (PenVerdict verdict, gboolean dark)
{
  /* Vermilion and blue, as Okabe and Ito (2008) chose them for all eyes; lighter on black. */
  switch (verdict) {
  case PEN_VERDICT_MORE:
    return dark ? 0xffff8c42u : 0xffd55e00u;
  case PEN_VERDICT_LESS:
    return dark ? 0xff5ab4f0u : 0xff0072b2u;
  case PEN_VERDICT_UNKNOWN:
  case PEN_VERDICT_ALIKE:
  case PEN_VERDICTS:
  default:
    return pen_palette_kind (PEN_KIND_UNKNOWN, dark);
  }
}

static gboolean
has_parted (const PenFlameDifference *node)
{
  return node->verdict == PEN_VERDICT_MORE || node->verdict == PEN_VERDICT_LESS;
}

double
pen_flame_difference_get_strength (const PenFlameDiff *self, guint node)
{
  double ratio = self->nodes[node].test.ratio;
  double octaves = ratio > 0 && isfinite (ratio) ? fabs (log2 (ratio)) : OCTAVES;

  if (!has_parted (&self->nodes[node]))
    return STRENGTH_GREY;
  return STRENGTH_LEAST
         + (STRENGTH_MOST - STRENGTH_LEAST) * MIN (octaves, OCTAVES) / (double) OCTAVES;
}

gboolean
pen_flame_difference_is_one_sided (const PenFlameDiff *self, guint node)
{
  PenStackCount total = pen_flame_tree_get (self->tree, node)->total;

  return (total.samples == 0) != (total.after == 0);
}

const char *
pen_flame_difference_get_title (PenVerdict verdict)
{
  static const char *const titles[PEN_VERDICTS] = {
    [PEN_VERDICT_UNKNOWN] = N_ ("Cannot be compared"),
    [PEN_VERDICT_ALIKE] = N_ ("No significant difference"),
    [PEN_VERDICT_MORE] = N_ ("More often after"),
    [PEN_VERDICT_LESS] = N_ ("Less often after"),
  };

  return _ (titles[verdict]);
}

/* ---- words ---- */

/* Two significant digits, or all that are before the point: "1250", "12", "1.2", "0.12" */
static void
append_number (GString *text, double value)
{
  g_string_append_printf (text, "%.*f", value >= 10 ? 0 : value >= 1 ? 1 : 2, value);
}

char *
pen_flame_difference_format_ratio (const PenFlameDifference *self)
{
  g_autoptr (GString) text = NULL;

  if (self->verdict == PEN_VERDICT_UNKNOWN || isnan (self->test.ratio))
    return g_strdup ("");
  if (isinf (self->test.ratio))
    return g_strdup (_ ("only after"));
  if (self->test.ratio <= 0)
    return g_strdup (_ ("only before"));
  text = g_string_new (NULL);
  append_number (text, self->test.ratio);
  g_string_append (text, "× (");
  append_number (text, self->test.low);
  g_string_append (text, "–");
  if (isinf (self->test.high))
    g_string_append (text, "∞");
  else
    append_number (text, self->test.high);
  g_string_append_c (text, ')');
  return g_strdup (text->str);
}

static char *
format_samples (PenStackCount count)
{
  g_autofree char *before = pen_format_count (count.samples);
  g_autofree char *after = pen_format_count (count.after);

  /* Translators: numbers of samples before and after */
  return g_strdup_printf (ngettext ("%s → %s sample", "%s → %s samples", (gulong) count.after),
                          before, after);
}

static void
append_part (GString *text, const char *part)
{
  if (part[0] != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", part);
}

/* "0.20× (0.10–0.38) · 178/s → 36/s · 174 → 35 samples" */
static char *
format_effect (const PenFlameDiff *self, guint index)
{
  const PenFlameDifference *node = &self->nodes[index];
  g_autofree char *ratio = pen_flame_difference_format_ratio (node);
  g_autofree char *before = pen_format_rate (node->rates[0]);
  g_autofree char *after = pen_format_rate (node->rates[1]);
  g_autofree char *rates = before[0] ? g_strdup_printf ("%s → %s", before, after) : g_strdup ("");
  g_autofree char *samples = format_samples (pen_flame_tree_get (self->tree, index)->total);
  GString *text = g_string_new (NULL);

  append_part (text, ratio);
  append_part (text, rates);
  append_part (text, samples);
  return g_string_free (text, FALSE);
}

char *
pen_flame_difference_describe (const PenFlameDiff *self, guint index)
{
  const PenFlameNode *node = pen_flame_tree_get (self->tree, index);
  g_autofree char *name = pen_flame_dup_name (self->tree, node->group);
  g_autofree char *effect = format_effect (self, index);
  g_autofree char *own = format_samples (node->own);
  GString *text = g_string_new (name);

  if (node->group != PEN_STACK_NO_GROUP && node->group != PEN_STACK_UNRECORDED) {
    const PenStackGroup *group = &self->tree->groups[node->group];
    g_autofree char *occupant = pen_display_text (group->occupant ? group->occupant : "");

    g_string_append_printf (text, "\n%s%s%s", pen_palette_kind_title (group->kind),
                            occupant[0] ? " " : "", occupant);
  }
  g_string_append_printf (text, "\n%s\n%s", effect,
                          pen_flame_difference_get_title (self->nodes[index].verdict));
  if (!pen_stack_count_is_zero (node->own))
    g_string_append_printf (text, "\n%s %s", C_ ("stacks", "Own"), own);
  return g_string_free (text, FALSE);
}

char *
pen_flame_difference_speak (const PenFlameDiff *self, guint index)
{
  const PenFlameNode *node = pen_flame_tree_get (self->tree, index);
  g_autofree char *name = pen_flame_dup_name (self->tree, node->group);
  GString *text = g_string_new (name);

  if (node->group != PEN_STACK_NO_GROUP && node->group != PEN_STACK_UNRECORDED)
    g_string_append_printf (text, ", %s",
                            pen_palette_kind_title (self->tree->groups[node->group].kind));
  if (node->depth > 0)
    g_string_append_printf (text, _ (", level %u"), node->depth);
  g_string_append_printf (text, _ (", %" PRIu64 " samples before, %" PRIu64 " after, %s"),
                          node->total.samples, node->total.after,
                          pen_flame_difference_get_title (self->nodes[index].verdict));
  return g_string_free (text, FALSE);
}

/* ---- what is compared ---- */

/* "Ftrace at vfs_read, by sh [131]"; "Static key sched_schedstats: 141 sites" */
static char *
name_batch (const PenBatch *batch)
{
  GString *text = g_string_new (pen_palette_cause_title (batch->cause));

  if (batch->key) {
    g_autofree char *key = pen_display_text (batch->key);

    g_string_append_printf (text, " %s", key);
  }
  if (batch->n_sites > 1) {
    g_string_append_printf (text, ngettext (": %u site", ": %u sites", batch->n_sites),
                            batch->n_sites);
  } else if (batch->site) {
    g_autofree char *site = pen_display_text (batch->site);

    /* Translators: after the cause of a patch: the function that was patched */
    g_string_append_printf (text, _ (" at %s"), site);
  }
  if (batch->has_task) {
    g_autofree char *comm = pen_display_text (batch->comm);

    g_string_append_printf (text, _ (", by %s [%d]"), comm, batch->tid);
  }
  return g_string_free (text, FALSE);
}

static char *
name_window (const PenFlameWindow *window, const PenClock *clock, guint64 resolution)
{
  g_autofree char *from = pen_clock_format (clock, window->from, resolution);
  g_autofree char *to = pen_clock_format_long (clock, window->to, resolution);

  return g_strdup_printf ("%s–%s", from, to);
}

char *
pen_flame_difference_name (const PenFlameDiff *self, const PenBatch *batch, const PenClock *clock)
{
  guint64 shortest = MIN (self->windows[0].to - self->windows[0].from,
                          self->windows[1].to - self->windows[1].from);
  guint64 resolution = CLAMP (shortest / 100, 1000, 1000000);
  g_autofree char *before = name_window (&self->windows[0], clock, resolution);
  g_autofree char *after = name_window (&self->windows[1], clock, resolution);
  g_autofree char *what = batch ? name_batch (batch) : NULL;

  if (what)
    /* Translators: two stretches of time, and the patch between them */
    return g_strdup_printf (_ ("Before %s, after %s: %s"), before, after, what);
  return g_strdup_printf (_ ("Before %s, after %s"), before, after);
}
