/* pen-pair-columns.c: the tables of a comparison
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-columns.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-column.h"
#include "pen-css-class.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-name-label.h"
#include "pen-pair-bars.h"
#include "pen-pair-cause-item.h"
#include "pen-pair-item.h"
#include "pen-pair-line-item.h"
#include "pen-pair-path-item.h"
#include "pen-pair-source-item.h"
#include "pen-pair-words.h"
#include "pen-palette.h"
#include "pen-tooltip.h"

/* ---- cells of functions ---- */

static GtkWidget *
make_name (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = pen_name_label_new ();

  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  gtk_box_append (GTK_BOX (box), name);
  return box;
}

static void
show_named (GtkWidget *cell, PenKind shown, const char *name, const char *tooltip)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autofree char *square = pen_format_square (pen_palette_kind (shown, dark));
  GtkWidget *kind = gtk_widget_get_first_child (cell);

  gtk_label_set_markup (GTK_LABEL (kind), square);
  gtk_accessible_update_property (GTK_ACCESSIBLE (kind), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pen_palette_kind_title (shown), -1);
  pen_name_label_set_name (PEN_NAME_LABEL (gtk_widget_get_last_child (cell)), name);
  pen_tooltip_set (cell, tooltip);
}

static void
show_name (GtkWidget *cell, gpointer item)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  g_autofree char *name = pen_pair_item_dup_name (item);
  g_autofree char *occupant = pen_display_text (row->occupant);
  g_autofree char *tooltip
      = g_strdup_printf ("%s\n%s %s%s%s", name, pen_palette_kind_title (row->kind), occupant,
                         row->is_renamed ? "\n" : "", row->is_renamed ? _ ("Renamed") : "");

  show_named (cell, row->kind, name, tooltip);
}

/* Of the side that has more of it: how much the row matters. */
static void
show_share (GtkWidget *cell, gpointer item)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  double a = row->rates[0].share, b = row->rates[1].share;
  g_autofree char *text = pen_format_share (isgreater (b, a) ? b : isfinite (a) ? a : 0);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_ratio_of (GtkWidget *cell, const PenPairTest *test)
{
  g_autofree char *text = pen_pair_words_of_ratio (test);

  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_css_class_set (cell, "dim-label", test->verdict == PEN_PAIR_UNSURE);
}

static void
show_ratio (GtkWidget *cell, gpointer item)
{
  show_ratio_of (cell, pen_pair_item_get_test (item));
}

static void
show_verdict_of (GtkWidget *cell, PenPairVerdict verdict)
{
  gtk_label_set_text (GTK_LABEL (cell), pen_pair_words_of_verdict (verdict));
  pen_tooltip_set (cell, verdict == PEN_PAIR_UNSURE
                             ? _ ("No significant difference; there may be a small one")
                             : NULL);
}

static void
show_verdict (GtkWidget *cell, gpointer item)
{
  show_verdict_of (cell, pen_pair_item_get_test (item)->verdict);
}

static void
show_text (GtkWidget *cell, gpointer item)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  g_autofree char *tooltip = pen_pair_words_of_texts (row);

  gtk_label_set_text (GTK_LABEL (cell), pen_pair_words_of_text (row->text));
  pen_css_class_set (cell, "dim-label",
                     row->text != PEN_PAIR_TEXT_PATCHED && row->text != PEN_PAIR_TEXT_DIFFERS);
  pen_tooltip_set (cell, tooltip);
}

/* "vfs_read, slower, 2.5×, text differs. A: …" */
static char *
speak (gpointer item)
{
  const PenPairRow *row = pen_pair_item_get_row (item);
  const PenPairTest *test = pen_pair_item_get_test (item);
  g_autofree char *name = pen_pair_item_dup_name (item);
  g_autofree char *sides = pen_pair_words_of_sides (item);
  g_autofree char *ratio = pen_pair_words_of_ratio (test);
  GString *words = g_string_new (name);

  g_string_append_printf (words, ", %s, %s",
                          test->verdict == PEN_PAIR_UNSURE
                              ? _ ("no significant difference")
                              : pen_pair_words_of_verdict (test->verdict),
                          ratio);
  if (row->text != PEN_PAIR_TEXT_NONE)
    g_string_append_printf (words, _ (", text: %s"), pen_pair_words_of_text (row->text));
  g_string_append_printf (words, ". %s", sides);
  return g_string_free (words, FALSE);
}

static const PenColumnSpec function_columns[] = {
  { .title = N_ ("Function"),
    .tooltip = N_ ("Function, matched by name and occupant"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .make = make_name,
    .show = show_name,
    .speak = speak },
  { .title = N_ ("A and B"),
    /* xgettext:no-c-format */
    .tooltip = N_ ("Rates of both recordings, with 95 % intervals"),
    .width = 120,
    .make = pen_pair_bars_new,
    .show = pen_pair_bars_show },
  { .title = N_ ("Share"),
    .tooltip = N_ ("Share of all samples, A and B"),
    .width = 64,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_share,
    .min_width = 480 },
  { .title = N_ ("Ratio"),
    .tooltip = N_ ("Rate in B divided by rate in A"),
    .width = 62,
    .get_word = pen_pair_words_get_ratio,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_ratio },
  { .title = N_ ("Verdict"),
    .tooltip = N_ ("Slower or faster in B, if significant"),
    .width = 70,
    .get_word = pen_pair_words_get_verdict,
    .show = show_verdict },
  { .title = N_ ("Text"),
    .tooltip = N_ ("Whether both have the same text"),
    .width = 70,
    .get_word = pen_pair_words_get_text,
    .show = show_text,
    .min_width = 400 },
};

/* ---- cells of lines ---- */

static void
show_offset (GtkWidget *cell, gpointer item)
{
  const char *mark = pen_pair_line_item_get_mark (item);
  g_autofree char *offset = pen_pair_line_item_dup_offset (item);
  g_autofree char *difference = pen_pair_line_item_dup_difference (item);
  g_autofree char *text = g_strdup_printf ("%s%s%s", mark, mark[0] ? " " : "", offset);

  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_css_class_set (cell, "dim-label", mark[0] == '\0');
  gtk_widget_set_tooltip_text (cell, difference);
}

static void
show_code (GtkWidget *cell, gpointer item, guint side)
{
  const PenPairLine *line = pen_pair_line_item_get_line (item);
  g_autofree char *code = pen_pair_line_item_dup_code (item, side);
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();

  /* Beside the mark in front, so that it is found without colours, too. */
  if (line->difference != PEN_PAIR_LINE_SAME)
    pango_attr_list_insert (marks, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  gtk_label_set_text (GTK_LABEL (cell), code[0] ? code : "—");
  gtk_label_set_attributes (GTK_LABEL (cell), marks);
  pen_css_class_set (cell, "dim-label", !line->lines[side]);
  gtk_widget_set_tooltip_text (cell, code[0] ? code : NULL);
}

/* Their rate with its interval is in the tooltip. */
static void
show_samples_of (GtkWidget *cell, const PenRate *rates, guint side)
{
  guint64 samples = rates[side].samples;
  g_autofree char *text = samples > 0 ? pen_format_count (samples) : NULL;
  g_autofree char *tooltip = samples > 0 ? pen_pair_words_of_rate (&rates[side], side) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
  pen_tooltip_set (cell, tooltip);
}

static void
show_samples (GtkWidget *cell, gpointer item, guint side)
{
  show_samples_of (cell, pen_pair_line_item_get_line (item)->rates, side);
}

static void
show_first_code (GtkWidget *cell, gpointer item)
{
  show_code (cell, item, 0);
}

static void
show_second_code (GtkWidget *cell, gpointer item)
{
  show_code (cell, item, 1);
}

static void
show_first_samples (GtkWidget *cell, gpointer item)
{
  show_samples (cell, item, 0);
}

static void
show_second_samples (GtkWidget *cell, gpointer item)
{
  show_samples (cell, item, 1);
}

static void
show_line_verdict (GtkWidget *cell, gpointer item)
{
  const PenPairLine *line = pen_pair_line_item_get_line (item);
  g_autofree char *ratio = pen_pair_words_of_ratio (&line->test);

  gtk_label_set_text (GTK_LABEL (cell), line->test.verdict == PEN_PAIR_UNSURE ? "" : ratio);
  pen_tooltip_set (cell, line->test.verdict == PEN_PAIR_UNSURE
                             ? NULL
                             : pen_pair_words_of_verdict (line->test.verdict));
}

static char *
speak_line (gpointer item)
{
  return pen_pair_line_item_dup_spoken (item);
}

static const PenColumnSpec line_columns[] = {
  { .title = N_ ("Offset"),
    .tooltip = N_ ("Offset of the instruction in the function"),
    .width = 76,
    .css = "monospace",
    .ellipsize = TRUE,
    .show = show_offset,
    .speak = speak_line },
  { .title = N_ ("Samples A"),
    .tooltip = N_ ("Samples on the instruction in A"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_first_samples,
    .min_width = 480 },
  { .title = N_ ("Instruction A"),
    .tooltip = N_ ("Instruction in A"),
    .css = "monospace",
    .ellipsize = TRUE,
    .expand = TRUE,
    .show = show_first_code },
  { .title = N_ ("Samples B"),
    .tooltip = N_ ("Samples on the instruction in B"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_second_samples,
    .min_width = 480 },
  { .title = N_ ("Instruction B"),
    .tooltip = N_ ("Instruction in B"),
    .css = "monospace",
    .ellipsize = TRUE,
    .expand = TRUE,
    .show = show_second_code },
  { .title = N_ ("Ratio"),
    .tooltip = N_ ("Rate in B divided by rate in A"),
    .width = 62,
    .get_word = pen_pair_words_get_ratio,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_line_verdict,
    .min_width = 620 },
};

/* ---- cells of lines of source ---- */

static void
show_place (GtkWidget *cell, gpointer item, guint side)
{
  g_autofree char *place = pen_pair_source_item_dup_place (item, side, FALSE);
  g_autofree char *path = pen_pair_source_item_dup_place (item, side, TRUE);

  gtk_label_set_text (GTK_LABEL (cell), place[0] ? place : "—");
  pen_css_class_set (cell, "dim-label", place[0] == '\0');
  pen_tooltip_set (cell, path[0] ? path : NULL);
}

static void
show_first_place (GtkWidget *cell, gpointer item)
{
  show_place (cell, item, 0);
}

static void
show_second_place (GtkWidget *cell, gpointer item)
{
  show_place (cell, item, 1);
}

static void
show_first_source_samples (GtkWidget *cell, gpointer item)
{
  show_samples_of (cell, pen_pair_source_item_get_line (item)->rates, 0);
}

static void
show_second_source_samples (GtkWidget *cell, gpointer item)
{
  show_samples_of (cell, pen_pair_source_item_get_line (item)->rates, 1);
}

static void
show_source_changed (GtkWidget *cell, gpointer item)
{
  guint n = pen_pair_source_item_get_line (item)->n_different;
  g_autofree char *text = n > 0 ? pen_format_count (n) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
  pen_tooltip_set (cell, n > 0 ? _ ("Instructions that differ") : NULL);
}

static void
show_source_ratio (GtkWidget *cell, gpointer item)
{
  show_ratio_of (cell, &pen_pair_source_item_get_line (item)->test);
}

static void
show_source_verdict (GtkWidget *cell, gpointer item)
{
  show_verdict_of (cell, pen_pair_source_item_get_line (item)->test.verdict);
}

static char *
speak_source (gpointer item)
{
  return pen_pair_source_item_dup_spoken (item);
}

static const PenColumnSpec source_columns[] = {
  { .title = N_ ("Line A"),
    .tooltip = N_ ("Source line in A"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .show = show_first_place,
    .speak = speak_source },
  { .title = N_ ("Samples A"),
    .tooltip = N_ ("Samples on the line in A"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_first_source_samples },
  { .title = N_ ("Line B"),
    .tooltip = N_ ("Source line in B"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .show = show_second_place },
  { .title = N_ ("Samples B"),
    .tooltip = N_ ("Samples on the line in B"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_second_source_samples },
  { .title = N_ ("Differ"),
    .tooltip = N_ ("Number of instructions that differ"),
    .width = 62,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_source_changed,
    .min_width = 480 },
  { .title = N_ ("Ratio"),
    .tooltip = N_ ("Rate in B divided by rate in A"),
    .width = 62,
    .get_word = pen_pair_words_get_ratio,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_source_ratio,
    .min_width = 400 },
  { .title = N_ ("Verdict"),
    .tooltip = N_ ("Slower or faster in B, if significant"),
    .width = 70,
    .get_word = pen_pair_words_get_verdict,
    .show = show_source_verdict,
    .min_width = 560 },
};

/* ---- cells of call paths ---- */

static void
show_frame (GtkWidget *cell, gpointer item)
{
  g_autofree char *name = pen_pair_path_item_dup_name (item);
  g_autofree char *words = pen_pair_path_item_dup_words (item);

  show_named (cell, pen_pair_path_item_get_kind (item), name, words);
}

static void
show_first_path_samples (GtkWidget *cell, gpointer item)
{
  show_samples_of (cell, pen_pair_path_item_get_path (item)->rates, 0);
}

static void
show_second_path_samples (GtkWidget *cell, gpointer item)
{
  show_samples_of (cell, pen_pair_path_item_get_path (item)->rates, 1);
}

static void
show_path_ratio (GtkWidget *cell, gpointer item)
{
  show_ratio_of (cell, &pen_pair_path_item_get_path (item)->test);
}

static void
show_path_verdict (GtkWidget *cell, gpointer item)
{
  show_verdict_of (cell, pen_pair_path_item_get_path (item)->test.verdict);
}

static char *
speak_path (gpointer item)
{
  return pen_pair_path_item_dup_spoken (item);
}

static const PenColumnSpec path_columns[] = {
  { .title = N_ ("Call Path"),
    .tooltip = N_ ("Call path, from the outermost frame"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .expander = TRUE,
    .tree = TRUE,
    .make = make_name,
    .show = show_frame,
    .speak = speak_path },
  { .title = N_ ("Samples A"),
    .tooltip = N_ ("Samples through the path in A"),
    .width = 84,
    .tree = TRUE,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_first_path_samples },
  { .title = N_ ("Samples B"),
    .tooltip = N_ ("Samples through the path in B"),
    .width = 84,
    .tree = TRUE,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_second_path_samples },
  { .title = N_ ("Ratio"),
    .tooltip = N_ ("Rate in B divided by rate in A"),
    .width = 62,
    .get_word = pen_pair_words_get_ratio,
    .tree = TRUE,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_path_ratio,
    .min_width = 340 },
  { .title = N_ ("Verdict"),
    .tooltip = N_ ("Slower or faster in B, if significant"),
    .width = 70,
    .get_word = pen_pair_words_get_verdict,
    .tree = TRUE,
    .show = show_path_verdict,
    .min_width = 440 },
};

/* ---- cells of causes ---- */

static void
show_cause (GtkWidget *cell, gpointer item)
{
  const PenPairCause *cause = pen_pair_cause_item_get_cause (item);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autofree char *name = pen_pair_cause_item_dup_name (item);
  g_autofree char *facts = pen_pair_cause_item_dup_facts (item);
  g_autofree char *badge = pen_format_badge (pen_palette_cause_letter (cause->cause),
                                             pen_palette_cause (cause->cause, dark), dark);

  gtk_label_set_markup (GTK_LABEL (gtk_widget_get_first_child (cell)), badge);
  pen_name_label_set_name (PEN_NAME_LABEL (gtk_widget_get_last_child (cell)), name);
  pen_tooltip_set (cell, facts);
}

static void
show_cause_place (GtkWidget *cell, gpointer item)
{
  g_autofree char *place = pen_pair_cause_item_dup_place (item);

  gtk_label_set_text (GTK_LABEL (cell), place);
}

static void
show_stand (GtkWidget *cell, gpointer item, guint side)
{
  const PenPairCause *cause = pen_pair_cause_item_get_cause (item);
  g_autofree char *state = pen_pair_words_of_stand (&cause->stands[side]);
  g_autofree char *words = pen_pair_cause_item_dup_stand (item, side);

  gtk_label_set_text (GTK_LABEL (cell), state);
  pen_css_class_set (cell, "dim-label",
                     cause->verdict == PEN_PAIR_STAND_SAME
                         || cause->verdict == PEN_PAIR_STAND_UNKNOWN);
  pen_tooltip_set (cell, words);
}

static void
show_first_stand (GtkWidget *cell, gpointer item)
{
  show_stand (cell, item, 0);
}

static void
show_second_stand (GtkWidget *cell, gpointer item)
{
  show_stand (cell, item, 1);
}

static void
show_difference (GtkWidget *cell, gpointer item)
{
  PenPairStandVerdict verdict = pen_pair_cause_item_get_cause (item)->verdict;

  gtk_label_set_text (GTK_LABEL (cell), pen_pair_words_of_difference (verdict));
  pen_css_class_set (cell, "dim-label", verdict == PEN_PAIR_STAND_UNKNOWN);
}

static void
show_first_cause_samples (GtkWidget *cell, gpointer item)
{
  show_samples_of (cell, pen_pair_cause_item_get_cause (item)->rates, 0);
}

static void
show_second_cause_samples (GtkWidget *cell, gpointer item)
{
  show_samples_of (cell, pen_pair_cause_item_get_cause (item)->rates, 1);
}

static void
show_cause_ratio (GtkWidget *cell, gpointer item)
{
  show_ratio_of (cell, &pen_pair_cause_item_get_cause (item)->test);
}

static void
show_cause_verdict (GtkWidget *cell, gpointer item)
{
  show_verdict_of (cell, pen_pair_cause_item_get_cause (item)->test.verdict);
}

static char *
speak_cause (gpointer item)
{
  return pen_pair_cause_item_dup_spoken (item);
}

static const PenColumnSpec cause_columns[] = {
  { .title = N_ ("Cause"),
    .tooltip = N_ ("Static key, call, traced function, probe or program"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .make = make_name,
    .show = show_cause,
    .speak = speak_cause },
  { .title = N_ ("Place"),
    .tooltip = N_ ("First patched place"),
    .ellipsize = TRUE,
    .expand = TRUE,
    .css = "dim-label",
    .show = show_cause_place,
    .min_width = 860 },
  { .title = N_ ("State A"),
    .tooltip = N_ ("Whether it was on in A, and for which share of the time"),
    .width = 84,
    .get_word = pen_pair_words_get_stand,
    .show = show_first_stand },
  { .title = N_ ("State B"),
    .tooltip = N_ ("Whether it was on in B, and for which share of the time"),
    .width = 84,
    .get_word = pen_pair_words_get_stand,
    .show = show_second_stand },
  { .title = N_ ("Difference"),
    .tooltip = N_ ("On in B alone, in A alone, or for more or less of the time in B"),
    .width = 76,
    .get_word = pen_pair_words_get_difference,
    .show = show_difference },
  { .title = N_ ("Samples A"),
    .tooltip = N_ ("Samples in its functions in A"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_first_cause_samples,
    .min_width = 560 },
  { .title = N_ ("Samples B"),
    .tooltip = N_ ("Samples in its functions in B"),
    .width = 84,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_second_cause_samples,
    .min_width = 560 },
  { .title = N_ ("Ratio"),
    .tooltip = N_ ("Rate in B divided by rate in A"),
    .width = 62,
    .get_word = pen_pair_words_get_ratio,
    .css = "numeric",
    .align_end = TRUE,
    .show = show_cause_ratio,
    .min_width = 640 },
  { .title = N_ ("Verdict"),
    .tooltip = N_ ("Slower or faster in B, if significant"),
    .width = 70,
    .get_word = pen_pair_words_get_verdict,
    .show = show_cause_verdict,
    .min_width = 700 },
};

/* ---- all of them ---- */

void
pen_pair_columns_add (GtkColumnView *view, PenPairTable table)
{
  static const struct {
    const PenColumnSpec *specs;
    gsize n;
  } tables[PEN_PAIR_TABLES] = {
    [PEN_PAIR_FUNCTIONS] = { function_columns, G_N_ELEMENTS (function_columns) },
    [PEN_PAIR_LINES] = { line_columns, G_N_ELEMENTS (line_columns) },
    [PEN_PAIR_SOURCES] = { source_columns, G_N_ELEMENTS (source_columns) },
    [PEN_PAIR_PATHS] = { path_columns, G_N_ELEMENTS (path_columns) },
    [PEN_PAIR_CAUSES] = { cause_columns, G_N_ELEMENTS (cause_columns) },
  };

  pen_column_add_all (view, tables[table].specs, tables[table].n);
}
