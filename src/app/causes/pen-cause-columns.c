/* pen-cause-columns.c: the columns of the tree of causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-columns.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>
#include <math.h>

#include "pen-amount-words.h"
#include "pen-cause-cost-cell.h"
#include "pen-cause-item.h"
#include "pen-cause-lane.h"
#include "pen-column.h"
#include "pen-format.h"
#include "pen-name-label.h"
#include "pen-palette.h"
#include "pen-ratio-words.h"
#include "pen-tooltip.h"

#define ROW(item) (pen_cause_item_get_row ((PenCauseItem *) (item)))
#define SECOND 1e9

static gboolean
is_dark (void)
{
  return adw_style_manager_get_dark (adw_style_manager_get_default ());
}

/* ---- the name ---- */

static GtkWidget *
make_name (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *badge = gtk_label_new (NULL);
  GtkWidget *name = pen_name_label_new ();
  GtkWidget *detail = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (detail), 0);
  gtk_label_set_ellipsize (GTK_LABEL (detail), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (detail, "dim-label");
  gtk_widget_set_hexpand (detail, TRUE);
  gtk_box_append (GTK_BOX (box), badge);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), detail);
  return box;
}

static void
show_name (GtkWidget *cell, gpointer item)
{
  const PenCauseRow *row = ROW (item);
  GtkWidget *badge = gtk_widget_get_first_child (cell);
  GtkWidget *name = gtk_widget_get_next_sibling (badge);
  g_autofree char *text = pen_cause_item_dup_name (item);
  g_autofree char *detail = pen_cause_item_dup_detail (item);
  g_autofree char *markup
      = pen_format_badge (pen_palette_cause_letter (row->cause),
                          pen_palette_cause (row->cause, is_dark ()), is_dark ());
  g_autofree char *cost = pen_cause_cost_dup_words (item);
  g_autofree char *tooltip = g_strdup_printf (
      "%s%s%s%s%s%s%s", row->level > 0 ? pen_palette_cause_title (row->cause) : "",
      row->level > 0 ? "\n" : "", text, detail[0] ? "\n" : "", detail, cost ? "\n" : "",
      cost ? cost : "");

  gtk_label_set_markup (GTK_LABEL (badge), markup);
  gtk_widget_set_visible (badge, row->level == 0);
  pen_name_label_set_name (PEN_NAME_LABEL (name), text);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (cell)), detail);
  pen_tooltip_set (cell, tooltip);
}

static void
show_lane (GtkWidget *cell, gpointer item)
{
  pen_cause_lane_set_item (PEN_ROW_STRIP (cell), pen_cause_item_is_more (item) ? NULL : item);
}

/* ---- numbers ---- */

static void
show_count (GtkWidget *cell, gpointer item, guint64 count)
{
  g_autofree char *text = pen_format_count (count);

  gtk_label_set_text (GTK_LABEL (cell),
                      pen_cause_item_is_more (item) || ROW (item)->is_program ? "" : text);
}

static void
show_flips (GtkWidget *cell, gpointer item)
{
  show_count (cell, item, ROW (item)->flips);
}

static void
show_sites (GtkWidget *cell, gpointer item)
{
  show_count (cell, item, ROW (item)->sites);
}

static void
show_on (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_format_duration ((guint64) (ROW (item)->on_seconds * SECOND));

  gtk_label_set_text (GTK_LABEL (cell),
                      ROW (item)->on_seconds > 0 && !pen_cause_item_is_more (item) ? text : "");
}

/* "57 (41.4/s)" */
static char *
dup_side (const PenCauseRate *side)
{
  g_autofree char *amount = pen_amount_format (side->amount);
  g_autofree char *rate = NULL;

  if (side->amount.population != PEN_POPULATION_WAITS)
    return g_strdup_printf (_ ("%s (%.1f/s)"), amount, side->rate);
  if (side->amount.period == 0)
    return g_steal_pointer (&amount);
  rate = pen_format_duration ((guint64) (side->rate * SECOND));
  /* Translators: time off CPU, and how much per second: "2.38 s (71.0 ms/s)" */
  return g_strdup_printf (_ ("%s (%s/s)"), amount, rate);
}

/* The interval; of waits, how many there are. */
static char *
dup_side_words (const PenCauseRate *side)
{
  g_autofree char *amount = NULL;
  g_autofree char *number = NULL;

  if (side->amount.population != PEN_POPULATION_WAITS)
    return g_strdup_printf (_ ("%.2f samples per second (95 %%: %.2f–%.2f), in %.3f s"), side->rate,
                            side->low, side->high, side->seconds);
  amount = pen_amount_phrase (side->amount, FALSE);
  number = pen_amount_phrase_number (side->amount, FALSE);
  /* Translators: "2.38 s off CPU, 12 waits, in 33.521 s" */
  return g_strdup_printf (_ ("%s, %s, in %.3f s"), amount, number, side->seconds);
}

static void
show_side (GtkWidget *cell, gpointer item, const PenCauseRate *side)
{
  gboolean is_shown = isfinite (side->rate) && !pen_cause_item_is_more (item);
  g_autofree char *text = is_shown ? dup_side (side) : NULL;
  g_autofree char *range = is_shown ? dup_side_words (side) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
  pen_tooltip_set (cell, range);
}

static void
show_samples_on (GtkWidget *cell, gpointer item)
{
  show_side (cell, item, &ROW (item)->on);
}

static void
show_samples_off (GtkWidget *cell, gpointer item)
{
  show_side (cell, item, &ROW (item)->off);
}

/* "0.71× (0.28–1.76)" */
static char *
dup_bounds (const PenRateTest *test)
{
  g_autofree char *ratio = pen_ratio_format_fixed (test->ratio, 2);
  g_autofree char *low = pen_ratio_format_fixed (test->low, 2);
  g_autofree char *high = pen_ratio_format_fixed (test->high, 2);

  return isfinite (test->high) ? g_strdup_printf (_ ("%s× (%s–%s)"), ratio, low, high)
                               : g_strdup_printf (_ ("> %s×"), low);
}

/* Of a load's rate to that of the load before: "0.71× (0.28–1.76)"; "" */
static char *
dup_ratio (const PenCauseRow *row)
{
  if (isnan (row->test.low))
    return g_strdup ("");
  return dup_bounds (&row->test);
}

/* "0.71× (0.28–1.76) of the load before, not significant"; "" */
static char *
dup_comparison (const PenCauseRow *row)
{
  g_autofree char *ratio = dup_ratio (row);

  if (ratio[0] == '\0')
    return g_steal_pointer (&ratio);
  return g_strdup_printf (row->verdict == PEN_VERDICT_ALIKE
                              ? _ ("%s of the load before, not significant")
                              : _ ("%s of the load before"),
                          ratio);
}

static gboolean
is_of_waits (const PenCauseRow *row)
{
  return row->on.amount.population == PEN_POPULATION_WAITS;
}

static const char *
get_difference (guint i)
{
  static const char *const words[]
      = { N_ ("not significant"), N_ ("only while off"), N_ ("only while on") };

  return i < G_N_ELEMENTS (words) ? _ (words[i]) : NULL;
}

/* A difference is claimed where its interval shows one; of waits there is none. */
static char *
dup_difference (const PenCauseRow *row)
{
  if (is_of_waits (row))
    return isfinite (row->test.ratio) ? g_strdup_printf (_ ("%.2f×"), row->test.ratio)
                                      : g_strdup ("");
  if (row->verdict == PEN_VERDICT_UNKNOWN || row->on.amount.n + row->off.amount.n == 0)
    return g_strdup ("");
  if (row->verdict == PEN_VERDICT_ALIKE)
    return g_strdup (get_difference (0));
  if (row->is_program)
    return dup_ratio (row);
  if (row->on.amount.n == 0)
    return g_strdup (get_difference (1));
  if (row->off.amount.n == 0)
    return g_strdup (get_difference (2));
  return dup_bounds (&row->test);
}

static void
show_ratio (GtkWidget *cell, gpointer item)
{
  const PenCauseRow *row = ROW (item);
  g_autofree char *text = pen_cause_item_is_more (item) ? g_strdup ("") : dup_difference (row);
  g_autofree char *comparison = row->is_program ? dup_comparison (row) : NULL;
  gboolean is_significant
      = text[0] != '\0' && (row->verdict == PEN_VERDICT_MORE || row->verdict == PEN_VERDICT_LESS);

  if (is_significant)
    gtk_widget_remove_css_class (cell, "dim-label");
  else
    gtk_widget_add_css_class (cell, "dim-label");
  gtk_label_set_text (GTK_LABEL (cell), text);
  if (comparison && text[0] != '\0') {
    pen_tooltip_set (cell, comparison);
    return;
  }
  if (is_of_waits (row))
    pen_tooltip_set (
        cell, text[0] != '\0'
                  ? _ ("Time off CPU per second while on, against while off. It is not tested: "
                       "waits do not come at random")
                  : NULL);
  else
    pen_tooltip_set (
        cell, is_significant ? _ ("Samples per second while on, against while off (95 %)") : NULL);
}

static void
show_cost (GtkWidget *cell, gpointer item)
{
  pen_cause_cost_cell_set_item (cell, item);
}

static void
show_task (GtkWidget *cell, gpointer item)
{
  g_autofree char *text
      = pen_cause_item_is_more (item) ? g_strdup ("") : pen_cause_item_dup_task (item);

  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_tooltip_set (cell, text[0] ? text : NULL);
}

/* "Static key, 716 flips, 176 sites, on for 25.353 s in 3 stretches, by sh [131]" */
static char *
speak (gpointer item)
{
  const PenCauseRow *row = ROW (item);
  g_autofree char *name = pen_cause_item_dup_name (item);
  g_autofree char *detail = pen_cause_item_dup_detail (item);
  g_autofree char *times = pen_cause_item_dup_times (item);
  g_autofree char *task = pen_cause_item_dup_task (item);
  g_autofree char *difference = row->is_program ? dup_comparison (row) : dup_difference (row);
  g_autofree char *cost = pen_cause_cost_dup_spoken (item);
  g_autofree char *flips = g_strdup_printf (ngettext ("%u flip", "%u flips", (gulong) row->flips),
                                            (guint) MIN (row->flips, G_MAXUINT));
  g_autofree char *sites
      = g_strdup_printf (ngettext ("%u site", "%u sites", row->sites), row->sites);
  const char *parts[] = {
    name, detail, row->is_program ? "" : flips, row->is_program ? "" : sites, times, difference,
    cost, task
  };
  GString *words = NULL;

  if (pen_cause_item_is_more (item))
    return g_steal_pointer (&name);
  words = g_string_new (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    if (parts[i][0] != '\0')
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", parts[i]);
  }
  return g_string_free (words, FALSE);
}

void
pen_cause_columns_add (GtkColumnView *view)
{
  static const PenColumnSpec columns[] = {
    { .title = N_ ("Cause"),
      .tooltip = N_ ("Cause, then the key, call, probe or program, then its sites"),
      .width = 230,
      .ellipsize = TRUE,
      .expand = TRUE,
      .expander = TRUE,
      .tree = TRUE,
      .make = make_name,
      .show = show_name,
      .speak = speak,
      .sort = 1 + PEN_CAUSE_SORT_NAME },
    { .title = N_ ("On over Time"),
      .tooltip = N_ ("When it was on, in the time of the overview"),
      .width = 150,
      .expand = TRUE,
      .tree = TRUE,
      .make = pen_cause_lane_new,
      .show = show_lane,
      .sort = 1 + PEN_CAUSE_SORT_FIRST,
      .min_width = 540 },
    { .title = N_ ("Flips"),
      .tooltip = N_ ("Number of patches under the filters"),
      .width = 62,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_flips,
      .sort = 1 + PEN_CAUSE_SORT_FLIPS },
    { .title = N_ ("Sites"),
      .tooltip = N_ ("Number of patched places"),
      .width = 62,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_sites,
      .sort = 1 + PEN_CAUSE_SORT_SITES,
      .min_width = 380 },
    { .title = N_ ("Time On"),
      .tooltip = N_ ("How long any site was on"),
      .width = 76,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_on,
      .sort = 1 + PEN_CAUSE_SORT_ON,
      .min_width = 640 },
    { .title = N_ ("Samples On"),
      .tooltip = N_ ("Samples in the patched functions while on, and their rate"),
      .width = 124,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_samples_on,
      .sort = 1 + PEN_CAUSE_SORT_SAMPLES_ON,
      .min_width = 860 },
    { .title = N_ ("Samples Off"),
      .tooltip = N_ ("Samples in the patched functions while off, and their rate"),
      .width = 124,
      .css = "numeric",
      .align_end = TRUE,
      .tree = TRUE,
      .show = show_samples_off,
      .sort = 1 + PEN_CAUSE_SORT_SAMPLES_OFF,
      .min_width = 980 },
    { .title = N_ ("On to Off"),
      .tooltip = N_ ("Ratio of the rates while on and off, if significant"),
      .width = 140,
      .get_word = get_difference,
      .css = "numeric",
      .tree = TRUE,
      .show = show_ratio,
      .sort = 1 + PEN_CAUSE_SORT_RATIO,
      .min_width = 780 },
    { .title = N_ ("Cost"),
      .tooltip = N_ ("Share of all samples in trampolines, handlers and BPF programs"),
      .width = 132,
      .css = "numeric",
      .tree = TRUE,
      .make = pen_cause_cost_cell_new,
      .show = show_cost,
      .sort = 1 + PEN_CAUSE_SORT_COST,
      .min_width = 1250 },
    { .title = N_ ("By"),
      .tooltip = N_ ("Task that patched most"),
      .width = 146,
      .css = "numeric",
      .ellipsize = TRUE,
      .tree = TRUE,
      .show = show_task,
      .sort = 1 + PEN_CAUSE_SORT_TASK,
      .min_width = 1120 },
  };

  pen_column_add_all (view, columns, G_N_ELEMENTS (columns));
}
