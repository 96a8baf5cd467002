/* pen-flame-words.c: frames of a tree of callers, in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-amount-words.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-palette.h"

/* Versions that a tooltip has. */
#define VERSIONS_MAX 6

char *
pen_flame_dup_group_name (const PenStackGroup *group)
{
  g_autofree char *occupant = NULL;

  if (group->symbol && group->symbol[0])
    return pen_display_text (group->symbol);
  if (group->occupant && group->occupant[0])
    occupant = group->occupant[0] == '/' ? pen_format_basename (group->occupant)
                                         : pen_display_text (group->occupant);
  if (occupant && group->symbol)
    /* Translators: %s is a program or library */
    return g_strdup_printf (_ ("(unknown file of %s)"), occupant);
  return occupant ? g_steal_pointer (&occupant) : g_strdup (_ ("(unknown)"));
}

char *
pen_flame_dup_name (const PenFlameTree *tree, guint32 group)
{
  if (group == PEN_STACK_NO_GROUP)
    return g_strdup (_ ("All stacks"));
  if (group == PEN_STACK_UNRECORDED)
    return g_strdup (_ ("(callers unknown)"));
  return pen_flame_dup_group_name (&tree->groups[group]);
}

char *
pen_flame_format_number (PenStackMeasure measure, PenStackCount count)
{
  PenAmount waits = { PEN_POPULATION_WAITS, count.samples, count.period };

  return measure == PEN_STACK_OFF_CPU ? pen_amount_format (waits)
                                      : pen_format_count (pen_stack_count_get (count, measure));
}

char *
pen_flame_format_count (const PenFlameTree *tree, PenStackCount count)
{
  g_autofree char *number = pen_flame_format_number (tree->measure, count);

  if (tree->measure == PEN_STACK_PERIOD)
    return g_steal_pointer (&number);
  if (tree->measure == PEN_STACK_OFF_CPU)
    /* Translators: a duration, or “unknown” */
    return g_strdup_printf (_ ("%s off CPU"), number);
  return g_strdup_printf (
      ngettext ("%s sample", "%s samples", (gulong) pen_stack_count_get (count, tree->measure)),
      number);
}

double
pen_flame_get_share (const PenFlameTree *tree, PenStackCount count)
{
  guint64 all = pen_stack_count_get (pen_flame_tree_get (tree, 0)->total, tree->measure);

  return (double) pen_stack_count_get (count, tree->measure) / (double) MAX (all, 1);
}

static void
append_count (GString *text, const PenFlameTree *tree, const char *title, PenStackCount count)
{
  g_autofree char *number = pen_flame_format_count (tree, count);
  g_autofree char *share = pen_format_share (pen_flame_get_share (tree, count));

  g_string_append_printf (text, "\n%s %s, %s", title, number, share);
}

/* "Original 900, static key 334": what a stripe shows by colours. */
static void
append_versions (GString *text, const PenFlameTree *tree, const PenFlameNode *node)
{
  for (guint i = 0; i < MIN (node->n_versions, VERSIONS_MAX); i++) {
    const PenFlameVersion *version
        = &g_array_index (tree->versions, PenFlameVersion, node->first_version + i);
    g_autofree char *count = pen_flame_format_count (tree, version->count);

    if (version->poke == 0)
      g_string_append_printf (text, "\n%s: %s", _ ("Original text"), count);
    else
      /* Translators: number of a revision, its cause, a number of samples */
      g_string_append_printf (text, _ ("\nRevision %u, %s: %s"), version->revision,
                              pen_palette_cause_title (version->cause), count);
  }
  if (node->n_versions > VERSIONS_MAX)
    g_string_append_printf (
        text, ngettext ("\n%u more version", "\n%u more versions", node->n_versions - VERSIONS_MAX),
        node->n_versions - VERSIONS_MAX);
}

static void
append_rate (GString *text, PenStackCount count, double seconds)
{
  g_autofree char *rate = seconds > 0 ? pen_format_rate ((double) count.samples / seconds) : NULL;

  if (rate)
    g_string_append_printf (text, "\n%s", rate);
}

char *
pen_flame_describe (const PenFlameTree *tree, guint index, double seconds)
{
  const PenFlameNode *node = pen_flame_tree_get (tree, index);
  g_autofree char *name = pen_flame_dup_name (tree, node->group);
  GString *text = g_string_new (name);

  if (node->group != PEN_STACK_NO_GROUP && node->group != PEN_STACK_UNRECORDED) {
    const PenStackGroup *group = &tree->groups[node->group];
    g_autofree char *occupant = pen_display_text (group->occupant ? group->occupant : "");

    g_string_append_printf (text, "\n%s%s%s", pen_palette_kind_title (group->kind),
                            occupant[0] ? " " : "", occupant);
  }
  append_count (text, tree, C_ ("stacks", "Total"), node->total);
  append_count (text, tree, C_ ("stacks", "Own"), node->own);
  append_rate (text, node->total, seconds);
  append_versions (text, tree, node);
  return g_string_free (text, FALSE);
}

char *
pen_flame_describe_spot (const PenFlameTree *tree, const PenFlameSpot *spot, double seconds)
{
  GString *text;

  if (spot->thing == PEN_FLAME_NOTHING)
    return NULL;
  if (spot->thing == PEN_FLAME_FRAME)
    return pen_flame_describe (tree, spot->node, seconds);
  text = g_string_new (NULL);
  g_string_append_printf (
      text,
      ngettext ("%u frame, too narrow to draw", "%u frames, too narrow to draw", spot->n_merged),
      spot->n_merged);
  append_count (text, tree, C_ ("stacks", "Total"), spot->count);
  return g_string_free (text, FALSE);
}

/* A screen reader reads groups of digits as numbers of their own. */
static void
append_spoken (GString *text, const char *format, guint64 number)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  g_string_append_printf (text, format, digits);
}

static void
append_time (GString *text, const char *format, PenStackCount count)
{
  g_autofree char *time = pen_flame_format_number (PEN_STACK_OFF_CPU, count);

  g_string_append_printf (text, format, time);
}

char *
pen_flame_speak (const PenFlameTree *tree, guint index)
{
  const PenFlameNode *node = pen_flame_tree_get (tree, index);
  g_autofree char *name = pen_flame_dup_name (tree, node->group);
  g_autofree char *share = pen_format_share (pen_flame_get_share (tree, node->total));
  guint64 total = pen_stack_count_get (node->total, tree->measure);
  GString *text = g_string_new (name);

  if (node->group != PEN_STACK_NO_GROUP && node->group != PEN_STACK_UNRECORDED)
    g_string_append_printf (text, ", %s", pen_palette_kind_title (tree->groups[node->group].kind));
  if (node->depth > 0)
    g_string_append_printf (text, _ (", level %u"), node->depth);
  if (tree->measure == PEN_STACK_OFF_CPU)
    append_time (text, _ (", %s off CPU"), node->total);
  else if (tree->measure == PEN_STACK_PERIOD)
    append_spoken (text, ", %s", total);
  else
    append_spoken (text, ngettext (", %s sample", ", %s samples", (gulong) total), total);
  g_string_append_printf (text, ", %s", share);
  if (node->own.samples > 0 && tree->measure == PEN_STACK_OFF_CPU)
    append_time (text, _ (", own %s"), node->own);
  else if (node->own.samples > 0)
    append_spoken (text, _ (", own %s"), pen_stack_count_get (node->own, tree->measure));
  if (node->n_versions > 0)
    g_string_append_printf (text, ngettext (", %u version", ", %u versions", node->n_versions),
                            node->n_versions);
  return g_string_free (text, FALSE);
}
