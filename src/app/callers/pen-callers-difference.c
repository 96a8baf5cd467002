/* pen-callers-difference.c: the bar over stacks that are compared: which stretches, and how
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-callers-private.h"

#include <glib/gi18n-lib.h>

#include "pen-column.h"
#include "pen-flame-difference.h"
#include "pen-format.h"

/* ---- words ---- */

/* With blanks that are not broken, so that a colour stays with its words. */
static void
append_color (GString *markup, PenVerdict verdict)
{
  g_auto (GStrv) words = g_strsplit (pen_flame_difference_get_title (verdict), " ", -1);
  g_autofree char *title = g_strjoinv ("\u00a0", words);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autofree char *square = pen_format_square (pen_flame_difference_get_color (verdict, dark));
  const char *signs[PEN_VERDICTS] = { [PEN_VERDICT_MORE] = "+", [PEN_VERDICT_LESS] = "−" };

  g_string_append_printf (markup, "%s\u00a0%s%s%s", square, signs[verdict] ? signs[verdict] : "",
                          signs[verdict] ? "\u00a0" : "", title);
}

/* The meaning of the colours, how sure they are, and which stretch the lists beside are of. */
static char *
make_legend (void)
{
  static const PenVerdict verdicts[] = { PEN_VERDICT_MORE, PEN_VERDICT_LESS, PEN_VERDICT_ALIKE };
  GString *markup = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++) {
    append_color (markup, verdicts[i]);
    g_string_append (markup, "   ");
  }
  /* xgettext:no-c-format */
  g_string_append (markup, _ ("5 % for all frames together. Callers and callees: after"));
  return g_string_free (markup, FALSE);
}

static void
show_words (PenCallersView *self, const PenFlameState *state)
{
  const PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *legend = make_legend ();
  g_autofree char *name = NULL;

  /* Until the answer comes, and where there is none. */
  if (answer && answer->diff && !pen_session_get_error (self->session, PEN_JOB_FLAME))
    name = pen_flame_difference_name (answer->diff, answer->batch, &clock);
  else if (state->pair.batch != 0)
    name = g_strdup_printf (_ ("Before and after batch %u of patches"), state->pair.batch);
  else
    name = g_strdup (_ ("Before and after"));
  gtk_label_set_text (self->compared, name);
  gtk_label_set_markup (self->meaning, legend);
}

/* ---- columns ---- */

static void
choose_columns (PenCallersView *self, gboolean is_compared)
{
  static const char *const alone[] = { "Total", "Share", "Own", "Versions" };
  static const char *const pair[] = { "Before", "After", "Ratio" };

  for (guint i = 0; i < G_N_ELEMENTS (alone); i++)
    pen_column_set_left_out (self->view, alone[i], is_compared);
  for (guint i = 0; i < G_N_ELEMENTS (pair); i++)
    pen_column_set_left_out (self->view, pair[i], !is_compared);
}

/* ---- choices ---- */

static void
on_across (GSimpleAction *action, GVariant *value, gpointer data)
{
  PenCallersView *self = data;
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);

  state->pair.rules.crosses = g_variant_get_boolean (value);
  pen_session_set_flame (self->session, state);
}

static void
on_length (GSimpleAction *action, GVariant *value, gpointer data)
{
  PenCallersView *self = data;
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);

  state->pair.rules.most = g_variant_get_uint64 (value);
  pen_session_set_flame (self->session, state);
}

static void
on_leave (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PenCallersView *self = data;
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);

  state->pair = (PenFlamePair){ 0 };
  pen_session_set_flame (self->session, state);
}

void
pen_callers_init_difference (PenCallersView *self)
{
  static const GActionEntry entries[] = {
    { .name = "across", .state = "false", .change_state = on_across },
    { .name = "window-length",
      .parameter_type = "t",
      .state = "uint64 0",
      .change_state = on_length },
    { .name = "no-difference", .activate = on_leave },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  choose_columns (self, FALSE);
}

void
pen_callers_show_difference (PenCallersView *self, const PenFlameState *state)
{
  GActionMap *map = G_ACTION_MAP (self->actions);
  GAction *across = g_action_map_lookup_action (map, "across");
  GAction *length = g_action_map_lookup_action (map, "window-length");
  GAction *period = g_action_map_lookup_action (map, "by-period");
  GAction *off_cpu = g_action_map_lookup_action (map, "by-off-cpu");
  const PenOpened *opened = pen_session_get_opened (self->session);

  gtk_widget_set_visible (self->difference, state->pair.is_set);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (period), !state->pair.is_set);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (off_cpu),
                               !state->pair.is_set && opened && opened->has_waits);
  choose_columns (self, state->pair.is_set);
  if (!state->pair.is_set)
    return;
  gtk_widget_set_visible (self->rules, state->pair.batch != 0);
  g_simple_action_set_state (G_SIMPLE_ACTION (across),
                             g_variant_new_boolean (state->pair.rules.crosses));
  g_simple_action_set_state (G_SIMPLE_ACTION (length),
                             g_variant_new_uint64 (state->pair.rules.most));
  show_words (self, state);
}
