/* pen-flame-state.c: how the stacks of samples are looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-state.h"

#include <string.h>

static GArray *
copy_numbers (const GArray *numbers)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (numbers && numbers->len > 0)
    g_array_append_vals (copy, numbers->data, numbers->len);
  return copy;
}

static gboolean
are_equal (const GArray *a, const GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * 4) == 0);
}

PenFlameState *
pen_flame_state_new (void)
{
  PenFlameState *self = g_rc_box_new0 (PenFlameState);

  self->focus = self->lens = self->subject = PEN_FLAME_NO_FUNCTION;
  self->hidden = copy_numbers (NULL);
  self->zoom = copy_numbers (NULL);
  return self;
}

PenFlameState *
pen_flame_state_copy (const PenFlameState *self)
{
  PenFlameState *copy = pen_flame_state_new ();
  GArray *hidden = copy->hidden, *zoom = copy->zoom;

  if (!self)
    return copy;
  *copy = *self;
  copy->hidden = hidden;
  copy->zoom = zoom;
  g_array_append_vals (hidden, self->hidden->data, self->hidden->len);
  g_array_append_vals (zoom, self->zoom->data, self->zoom->len);
  return copy;
}

PenFlameState *
pen_flame_state_ref (PenFlameState *self)
{
  return self ? g_rc_box_acquire (self) : NULL;
}

static void
clear (gpointer data)
{
  PenFlameState *self = data;

  g_array_unref (self->hidden);
  g_array_unref (self->zoom);
}

void
pen_flame_state_unref (PenFlameState *self)
{
  g_rc_box_release_full (self, clear);
}

static gboolean
has_same_lens (const PenFlameState *a, const PenFlameState *b)
{
  return a->lens == b->lens && a->is_lens_reversed == b->is_lens_reversed
         && a->has_lens_text == b->has_lens_text && a->lens_tenure == b->lens_tenure
         && a->lens_revision == b->lens_revision;
}

static gboolean
are_same_windows (const PenFlamePair *a, const PenFlamePair *b)
{
  for (guint i = 0; i < G_N_ELEMENTS (a->windows); i++) {
    if (a->windows[i].from != b->windows[i].from || a->windows[i].to != b->windows[i].to)
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_flame_pair_equal (const PenFlamePair *a, const PenFlamePair *b)
{
  return a->is_set == b->is_set && a->batch == b->batch && a->rules.crosses == b->rules.crosses
         && a->rules.most == b->rules.most && are_same_windows (a, b);
}

gboolean
pen_flame_state_has_same_tree (const PenFlameState *a, const PenFlameState *b)
{
  g_autoptr (PenFlameState) first = a ? NULL : pen_flame_state_new ();

  if (!a)
    a = first;
  if (!b)
    return a == first || pen_flame_state_has_same_tree (NULL, a);
  return a->grouping == b->grouping && a->measure == b->measure && a->sort == b->sort
         && a->is_inverted == b->is_inverted && a->collapses_recursion == b->collapses_recursion
         && a->focus == b->focus && has_same_lens (a, b) && are_equal (a->hidden, b->hidden)
         && pen_flame_pair_equal (&a->pair, &b->pair)
         && (a->pair.is_set || are_equal (a->zoom, b->zoom));
}

gboolean
pen_flame_state_equal (const PenFlameState *a, const PenFlameState *b)
{
  g_autoptr (PenFlameState) first = NULL;

  if (a == b)
    return TRUE;
  if (!a || !b)
    first = pen_flame_state_new ();
  a = a ? a : first;
  b = b ? b : first;
  return pen_flame_state_has_same_tree (a, b) && are_equal (a->zoom, b->zoom)
         && a->is_downwards == b->is_downwards && a->is_table == b->is_table
         && a->is_heat == b->is_heat && a->is_chart == b->is_chart && a->chart_key == b->chart_key
         && a->is_as_of == b->is_as_of && a->subject == b->subject;
}

gboolean
pen_flame_state_shows_chart (const PenFlameState *self)
{
  return self && self->is_chart && !self->is_table && !self->pair.is_set;
}

gboolean
pen_flame_state_follows_playhead (const PenFlameState *self)
{
  return self && self->is_as_of && !self->pair.is_set && self->grouping == PEN_STACK_BY_FUNCTION;
}

PenFlameOrder
pen_flame_state_get_order (const PenFlameState *self)
{
  if (self->focus != PEN_FLAME_NO_FUNCTION)
    return self->is_inverted ? PEN_FLAME_CALLERS : PEN_FLAME_CALLEES;
  return self->is_inverted ? PEN_FLAME_INNERMOST : PEN_FLAME_OUTERMOST;
}

void
pen_flame_state_set_zoom (PenFlameState *self, const GArray *path)
{
  g_array_set_size (self->zoom, 0);
  if (path && path->len > 0)
    g_array_append_vals (self->zoom, path->data, path->len);
}

void
pen_flame_state_set_lens (PenFlameState *self, guint32 function, gboolean is_reversed)
{
  self->lens = function;
  self->is_lens_reversed = is_reversed;
  self->has_lens_text = FALSE;
  self->lens_tenure = self->lens_revision = 0;
  self->lens_cause = PEN_CAUSE_UNKNOWN;
}

void
pen_flame_state_set_lens_text (PenFlameState *self, const PenFlameVersion *version)
{
  self->has_lens_text = TRUE;
  self->lens_tenure = version->tenure;
  self->lens_revision = version->revision;
  self->lens_cause = version->cause;
}

void
pen_flame_state_compare (PenFlameState *self, const PenFlameWindow windows[2])
{
  self->pair = (PenFlamePair){ .is_set = TRUE, .windows = { windows[0], windows[1] } };
  pen_flame_state_set_zoom (self, NULL);
}

void
pen_flame_state_compare_batch (PenFlameState *self, guint32 batch, PenWindowRules rules)
{
  self->pair = (PenFlamePair){ .is_set = TRUE, .batch = batch, .rules = rules };
  pen_flame_state_set_zoom (self, NULL);
}

void
pen_flame_state_hide (PenFlameState *self, guint32 function)
{
  g_array_append_val (self->hidden, function);
}

/* ---- words ---- */

static const struct {
  const char *word;
  glong offset;
  int value;
} choices[] = {
  { "by-occupant", G_STRUCT_OFFSET (PenFlameState, grouping), PEN_STACK_BY_OCCUPANT },
  { "by-file", G_STRUCT_OFFSET (PenFlameState, grouping), PEN_STACK_BY_FILE },
  { "period", G_STRUCT_OFFSET (PenFlameState, measure), PEN_STACK_PERIOD },
  { "off-cpu", G_STRUCT_OFFSET (PenFlameState, measure), PEN_STACK_OFF_CPU },
  { "by-name", G_STRUCT_OFFSET (PenFlameState, sort), PEN_FLAME_BY_NAME },
  { "inverted", G_STRUCT_OFFSET (PenFlameState, is_inverted), TRUE },
  { "downwards", G_STRUCT_OFFSET (PenFlameState, is_downwards), TRUE },
  { "table", G_STRUCT_OFFSET (PenFlameState, is_table), TRUE },
  { "heat", G_STRUCT_OFFSET (PenFlameState, is_heat), TRUE },
  { "in-time", G_STRUCT_OFFSET (PenFlameState, is_chart), TRUE },
  { "by-task", G_STRUCT_OFFSET (PenFlameState, chart_key), PEN_CHART_BY_TASK },
  { "recursion", G_STRUCT_OFFSET (PenFlameState, collapses_recursion), TRUE },
  { "as-of", G_STRUCT_OFFSET (PenFlameState, is_as_of), TRUE },
};

/* Enumerations are as large as int. */
G_STATIC_ASSERT (sizeof (PenStackGrouping) == sizeof (int) && sizeof (PenFlameSort) == sizeof (int)
                 && sizeof (PenStackMeasure) == sizeof (int)
                 && sizeof (PenChartKey) == sizeof (int));

char *
pen_flame_state_to_words (const PenFlameState *self)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; self && i < G_N_ELEMENTS (choices); i++) {
    int value;

    memcpy (&value, (const char *) self + choices[i].offset, sizeof value);
    if (value == choices[i].value)
      g_string_append_printf (words, "%s%s", words->len > 0 ? "," : "", choices[i].word);
  }
  return g_string_free (words, FALSE);
}

PenFlameState *
pen_flame_state_new_from_words (const char *words)
{
  g_auto (GStrv) parts = g_strsplit (words, ",", G_N_ELEMENTS (choices) + 1);
  PenFlameState *self = pen_flame_state_new ();

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++) {
    if (g_strv_contains ((const char *const *) parts, choices[i].word))
      memcpy ((char *) self + choices[i].offset, &choices[i].value, sizeof (int));
  }
  return self;
}
