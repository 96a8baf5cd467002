/* pen-change-columns.c: the columns of the list of changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-change-columns.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-column.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-name-label.h"
#include "pen-palette.h"
#include "pen-phrases.h"
#include "pen-tooltip.h"

static gboolean
is_dark (void)
{
  return adw_style_manager_get_dark (adw_style_manager_get_default ());
}

static void
show_time (GtkWidget *cell, gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);
  g_autofree char *text = pen_change_item_dup_time (item);
  g_autofree char *all = NULL;

  if (row && !pen_change_is_initial (&row->change))
    all = pen_clock_format_all (pen_change_item_get_clock (item), row->change.time, 1000);
  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_tooltip_set (cell, all);
}

static void
show_what (GtkWidget *cell, gpointer item)
{
  gtk_label_set_text (GTK_LABEL (cell), pen_change_item_get_what (item));
}

/* The kind's colour, and the name; the tooltip says the kind in words. */
static GtkWidget *
make_place (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *arrow = gtk_image_new ();
  GtkWidget *kind = gtk_label_new (NULL);
  GtkWidget *name = pen_name_label_new ();

  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), arrow);
  gtk_box_append (GTK_BOX (box), kind);
  gtk_box_append (GTK_BOX (box), name);
  return box;
}

static void
show_place (GtkWidget *cell, gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);
  GtkWidget *arrow = gtk_widget_get_first_child (cell);
  GtkWidget *kind = gtk_widget_get_next_sibling (arrow);
  gboolean is_group = pen_change_item_get_n_changes (item) > 1;
  gboolean is_open = pen_change_item_is_open (item);
  g_autofree char *place = pen_change_item_dup_place (item);
  g_autofree char *name = pen_change_item_dup_name (item);
  g_autofree char *occupant = NULL;
  g_autofree char *tooltip = NULL;
  g_autofree char *square = NULL;

  gtk_widget_set_visible (arrow, is_group);
  gtk_image_set_from_icon_name (GTK_IMAGE (arrow),
                                is_open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_STATE_EXPANDED, is_open, -1);
  pen_name_label_set_name_in (PEN_NAME_LABEL (gtk_widget_get_last_child (cell)), place, name);
  if (!row) {
    gtk_label_set_text (GTK_LABEL (kind), "");
    pen_tooltip_set (cell, NULL);
    return;
  }
  occupant = pen_display_text (row->change.occupant ? row->change.occupant : "");
  tooltip
      = g_strdup_printf ("%s\n%s %s", place, pen_palette_kind_title (row->change.kind), occupant);
  square = pen_format_square (pen_palette_kind (row->change.kind, is_dark ()));
  gtk_label_set_markup (GTK_LABEL (kind), square);
  gtk_accessible_update_property (GTK_ACCESSIBLE (kind), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pen_palette_kind_title (row->change.kind), -1);
  pen_tooltip_set (cell, tooltip);
}

static void
show_cause (GtkWidget *cell, gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);
  g_autofree char *badge = NULL;
  g_autofree char *markup = NULL;
  g_autofree char *reason = NULL;

  /* Only a change that replaces text has a cause. */
  if (!row || row->change.poke == 0 || row->change.effect != PEN_POKE_PATCH) {
    gtk_label_set_text (GTK_LABEL (cell), "");
    pen_tooltip_set (cell, NULL);
    return;
  }
  badge = pen_format_badge (pen_palette_cause_letter (row->change.cause),
                            pen_palette_cause (row->change.cause, is_dark ()), is_dark ());
  markup = g_strdup_printf ("%s %s", badge, pen_palette_cause_title (row->change.cause));
  gtk_label_set_markup (GTK_LABEL (cell), markup);
  reason = row->reason ? pen_display_text (row->reason) : NULL;
  pen_tooltip_set (cell, reason);
}

static void
show_bytes (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_change_item_dup_bytes (item);
  g_autofree char *before = pen_change_item_dup_before (item);

  /* Several together have a sentence. */
  if (pen_change_item_get_n_changes (item) > 1)
    gtk_widget_remove_css_class (cell, "monospace");
  else
    gtk_widget_add_css_class (cell, "monospace");
  /* The arrow and the new bytes are left, and both ends of a sentence. */
  pen_name_label_set_name_in (PEN_NAME_LABEL (cell), text, before);
  pen_tooltip_set (cell, text[0] ? text : NULL);
}

static void
show_task (GtkWidget *cell, gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);
  g_autofree char *text = pen_change_item_dup_task (item);
  g_autofree char *called_from
      = row && row->called_from ? pen_display_text (row->called_from) : NULL;
  g_autofree char *tooltip = called_from ? g_strdup_printf ("%s\n%s", text, called_from) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_tooltip_set (cell, tooltip);
}

static void
show_callers (GtkWidget *cell, gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);
  g_autofree char *text = row && row->callers ? pen_display_text (row->callers) : NULL;
  g_autofree char *how = text ? pen_display_text (row->called_from) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
  pen_tooltip_set (cell, how);
}

static char *
dup_address (gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);

  return row ? g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->change.address) : g_strdup ("");
}

static void
show_address (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = dup_address (item);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_length (GtkWidget *cell, gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);
  g_autofree char *text = row ? pen_format_count (row->change.length) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
}

static void
show_evidence (GtkWidget *cell, gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);

  gtk_label_set_text (GTK_LABEL (cell), row ? pen_phrase_evidence (row->change.evidence) : "");
}

/* "5.733232, patch, 3 sites, Static call, The static call … was retargeted to …, sh [126], CPU 0"
 */
static char *
speak (gpointer item)
{
  const PenChangeRow *row = pen_change_item_get_row (item);
  const gboolean is_patch = row && row->change.poke != 0 && row->change.effect == PEN_POKE_PATCH;
  g_autofree char *time = pen_change_item_dup_time (item);
  g_autofree char *place = pen_change_item_dup_place (item);
  g_autofree char *bytes = pen_change_item_dup_bytes (item);
  g_autofree char *task = pen_change_item_dup_task (item);
  const char *parts[] = { time,  row ? pen_change_item_get_what (item) : "",
                          place, is_patch ? pen_palette_cause_title (row->change.cause) : "",
                          bytes, task };
  GString *words = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    if (parts[i][0] != '\0')
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", parts[i]);
  }
  return g_string_free (words, FALSE);
}

void
pen_change_columns_add (GtkColumnView *view)
{
  static const PenColumnSpec columns[] = {
    { .title = N_ ("Time"),
      .tooltip = N_ ("When the change happened"),
      .width = 100,
      .css = "numeric",
      .show = show_time,
      .sort = 1 + PEN_CHANGE_SORT_TIME },
    { .title = N_ ("Change"),
      .tooltip = N_ ("Patch, write, map, register or unregister"),
      .width = 100,
      .get_word = pen_change_item_get_word,
      .show = show_what,
      .sort = 1 + PEN_CHANGE_SORT_CHANGE,
      .min_width = 620 },
    { .title = N_ ("Place"),
      .tooltip = N_ ("Changed code: function and occupant"),
      .ellipsize = TRUE,
      .expand = TRUE,
      .make = make_place,
      .show = show_place,
      .speak = speak,
      .sort = 1 + PEN_CHANGE_SORT_PLACE },
    { .title = N_ ("Cause"),
      .tooltip = N_ ("Why the text was patched"),
      .width = 120,
      .show = show_cause,
      .sort = 1 + PEN_CHANGE_SORT_CAUSE },
    { .title = N_ ("Before → After"),
      .tooltip = N_ ("Instruction or bytes before and after the change"),
      .width = 280,
      .expand = TRUE,
      .make = pen_name_label_new,
      .show = show_bytes,
      .min_width = 900 },
    { .title = N_ ("By"),
      .tooltip = N_ ("Task and CPU that made the change"),
      .width = 170,
      .css = "numeric",
      .ellipsize = TRUE,
      .show = show_task,
      .sort = 1 + PEN_CHANGE_SORT_TASK,
      .min_width = 760 },
    { .title = N_ ("Called From"),
      .tooltip = N_ ("Functions that asked for the patch, by callchains"),
      .width = 260,
      .ellipsize = TRUE,
      .show = show_callers,
      .min_width = 1350 },
    { .title = N_ ("Address"),
      .tooltip = N_ ("First changed address"),
      .width = 150,
      .css = "monospace",
      .show = show_address,
      .sort = 1 + PEN_CHANGE_SORT_ADDRESS,
      .min_width = 1060 },
    { .title = N_ ("Bytes"),
      .tooltip = N_ ("Number of changed bytes"),
      .width = 84,
      .css = "numeric",
      .align_end = TRUE,
      .show = show_length,
      .sort = 1 + PEN_CHANGE_SORT_LENGTH,
      .min_width = 1150 },
    { .title = N_ ("Evidence"),
      .tooltip = N_ ("How the change is known"),
      .width = 90,
      .get_word = pen_phrase_get_evidence,
      .show = show_evidence,
      .min_width = 1250 },
  };

  pen_column_add_all (view, columns, G_N_ELEMENTS (columns));
}
