/* pen-cause-cost-cell.c: what the detours of a row of the tree of causes cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-cost-cell.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-amount-words.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-row-strip.h"
#include "pen-tooltip.h"

#define BAR 10
/* "< 0.1 %" */
#define SHARE_CHARS 7

/* The nearer to the patched instruction, the lighter. */
static const double shades[PEN_COST_PARTS] = { 0.3, 0.6, 1 };

/* ---- in words ---- */

static char *
dup_amount (const PenCauseCost *cost)
{
  g_autofree char *share = isfinite (cost->share) ? pen_format_share (cost->share) : NULL;
  g_autofree char *text = pen_amount_phrase (cost->while_on.amount, FALSE);

  return share ? g_strdup_printf ("%s (%s)", text, share) : g_steal_pointer (&text);
}

static char *
dup_part (const PenCauseCost *cost, PenCostPart part)
{
  return pen_amount_format (
      (PenAmount){ cost->while_on.amount.population, cost->parts[part], cost->parts[part] });
}

static void
append_rate (GString *text, const PenCauseRate *side)
{
  g_autofree char *time = NULL;

  if (!isfinite (side->rate))
    return;
  if (side->amount.population != PEN_POPULATION_WAITS) {
    g_string_append_printf (text, _ ("; %.1f per second while on (%.1f–%.1f)"), side->rate,
                            side->low, side->high);
    return;
  }
  time = pen_format_duration ((guint64) (side->rate * 1e9));
  g_string_append_printf (text, _ ("; %s per second while on"), time);
}

char *
pen_cause_cost_dup_words (PenCauseItem *item)
{
  const PenCauseCost *cost = pen_cause_item_get_cost (item);
  GString *text;
  g_autofree char *amount = cost ? dup_amount (cost) : NULL;
  g_autofree char *trampoline = NULL;
  g_autofree char *handler = NULL;
  g_autofree char *program = NULL;

  if (!cost)
    return NULL;
  text = g_string_new (amount);
  if (pen_amount_get (cost->while_on.amount) > 0 && !pen_cause_item_get_row (item)->is_program) {
    trampoline = dup_part (cost, PEN_COST_TRAMPOLINE);
    handler = dup_part (cost, PEN_COST_HANDLER);
    program = dup_part (cost, PEN_COST_PROGRAM);
    g_string_append_printf (text, _ (": trampoline %s, handler %s, BPF program %s"), trampoline,
                            handler, program);
  }
  append_rate (text, &cost->while_on);
  if (cost->elsewhere.n > 0) {
    g_autofree char *elsewhere = pen_amount_format (cost->elsewhere);

    g_string_append_printf (text, _ ("; %s at sites not listed below"), elsewhere);
  }
  return g_string_free (text, FALSE);
}

char *
pen_cause_cost_dup_spoken (PenCauseItem *item)
{
  const PenCauseCost *cost = pen_cause_item_get_cost (item);
  g_autofree char *amount
      = cost && pen_amount_get (cost->while_on.amount) > 0 ? dup_amount (cost) : NULL;

  return amount ? g_strdup_printf (_ ("cost %s"), amount) : g_strdup ("");
}

/* ---- the cell ---- */

/* The largest cost of the tree fills it. */
static void
draw (gpointer item, PenRaster *raster, int scale, gboolean dark)
{
  const PenCauseCost *cost = pen_cause_item_get_cost (item);
  guint64 most = MAX (pen_cause_item_get_show (item)->most_cost, 1);
  guint32 ground = pen_palette_ground (dark);
  guint32 color = pen_palette_cause (pen_cause_item_get_row (item)->cause, dark);
  guint64 sum = 0;
  int from = 0;

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height }, ground);
  for (guint i = 0; i < PEN_COST_PARTS; i++) {
    int to;

    sum += cost->parts[i];
    to = (int) ((double) sum / (double) most * raster->width);
    /* What there is can be seen. */
    if (cost->parts[i] > 0)
      to = MAX (to, from + scale);
    pen_raster_fill (raster,
                     (PenBox){ from, (raster->height - BAR * scale) / 2, to - from, BAR * scale },
                     pen_raster_blend (color, ground, shades[i]));
    from = to;
  }
}

GtkWidget *
pen_cause_cost_cell_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *strip = pen_row_strip_new (draw);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_set_hexpand (strip, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_width_chars (GTK_LABEL (label), SHARE_CHARS);
  gtk_box_append (GTK_BOX (box), strip);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

void
pen_cause_cost_cell_set_item (GtkWidget *cell, PenCauseItem *item)
{
  const PenCauseCost *cost = pen_cause_item_get_cost (item);
  gboolean is_drawn = cost && pen_amount_get (cost->while_on.amount) > 0;
  g_autofree char *words = pen_cause_cost_dup_words (item);
  g_autofree char *share
      = cost && isfinite (cost->share) ? pen_format_share (cost->share) : g_strdup ("");

  pen_row_strip_set_item (PEN_ROW_STRIP (gtk_widget_get_first_child (cell)), is_drawn ? item : NULL,
                          words, NULL);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (cell)), share);
  pen_tooltip_set (cell, words);
}
