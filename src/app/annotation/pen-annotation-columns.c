/* pen-annotation-columns.c: the cells of an annotation row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation-columns.h"

#include <adwaita.h>

#include "pen-column.h"
#include "pen-format.h"
#include "pen-jump-gutter.h"
#include "pen-lead.h"
#include "pen-palette.h"
#include "pen-sample-bar.h"
#include "pen-slot.h"
#include "pen-strip.h"

#define CUE "↯"

static gboolean
is_dark (void)
{
  return adw_style_manager_get_dark (adw_style_manager_get_default ());
}

static void
set_class (GtkWidget *widget, const char *css, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, css);
  else
    gtk_widget_remove_css_class (widget, css);
}

/* A box with two labels: a first one, and one that takes the room. */
static GtkWidget *
make_pair (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  for (guint i = 0; i < 2; i++) {
    GtkWidget *label = gtk_label_new (NULL);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
    gtk_box_append (GTK_BOX (box), label);
  }
  return box;
}

static GtkWidget *
first_of (GtkWidget *pair)
{
  return gtk_widget_get_first_child (pair);
}

static GtkWidget *
second_of (GtkWidget *pair)
{
  return gtk_widget_get_last_child (pair);
}

/* ---- offset ---- */

static GtkWidget *
make_offset (void)
{
  GtkWidget *pair = make_pair ();

  gtk_label_set_width_chars (GTK_LABEL (first_of (pair)), 2);
  gtk_widget_add_css_class (second_of (pair), "monospace");
  gtk_label_set_ellipsize (GTK_LABEL (second_of (pair)), PANGO_ELLIPSIZE_END);
  return pair;
}

static void
show_version (GtkWidget *cell, PenSlot *slot)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  const PenStoredPoke *poke = pen_slot_find_poke (slot, line);
  g_autofree char *title = pen_slot_dup_version_title (slot);

  if (poke) {
    g_autofree char *badge
        = pen_format_badge (pen_palette_cause_letter (poke->cause),
                            pen_palette_cause (poke->cause, is_dark ()), is_dark ());

    /* Short: beside its badge there is little room. */
    g_autofree char *number = g_str_has_prefix (title, "patch ")
                                  ? g_strdup_printf ("#%u", line->version)
                                  : g_strdup (title);
    g_autofree char *reason = pen_display_text (poke->reason);
    g_autofree char *tooltip = g_strdup_printf ("%s: %s", title, reason);

    gtk_label_set_markup (GTK_LABEL (first_of (cell)), badge);
    gtk_label_set_text (GTK_LABEL (second_of (cell)), number);
    gtk_widget_set_tooltip_text (cell, tooltip);
  } else {
    gtk_label_set_text (GTK_LABEL (second_of (cell)), title);
    gtk_widget_set_tooltip_text (cell, title);
  }
  gtk_widget_set_visible (first_of (cell), poke != NULL);
}

static void
show_offset (GtkWidget *cell, gpointer item)
{
  const PenAnnotationLine *line = pen_slot_get_line (item);
  g_autofree char *offset = g_strdup_printf ("+%" G_GINT64_MODIFIER "x", line->offset);
  gboolean patched = pen_slot_get_nth_line (item, 0)->is_patched;

  set_class (second_of (cell), "monospace", !pen_slot_is_version (item));
  set_class (second_of (cell), "dim-label", pen_slot_is_version (item) || !patched);
  if (pen_slot_is_version (item)) {
    show_version (cell, item);
    return;
  }
  gtk_widget_set_visible (first_of (cell), TRUE);
  gtk_label_set_markup (GTK_LABEL (first_of (cell)),
                        patched ? "<span weight=\"bold\">" CUE "</span>" : "");
  set_class (first_of (cell), "cue", patched);
  gtk_label_set_text (GTK_LABEL (second_of (cell)), offset);
  gtk_widget_set_tooltip_text (cell, patched ? "Changed during the recording. Open to see versions"
                                             : NULL);
}

/* ---- samples ---- */

static void
show_samples (GtkWidget *cell, gpointer item)
{
  PenKind kind = pen_slot_get_strips (item)->text->annotated->kind;
  guint n = pen_slot_get_n_lines (item);
  g_autoptr (GString) split = g_string_new (NULL);

  pen_sample_bar_set (PEN_SAMPLE_BAR (cell), pen_slot_get_samples (item),
                      pen_slot_get_hottest (item), pen_palette_kind (kind, is_dark ()));
  for (guint i = 0; n > 1 && i < n && i < 40; i++)
    g_string_append_printf (split, i ? " | %" G_GUINT64_FORMAT : "%" G_GUINT64_FORMAT,
                            pen_slot_get_nth_line (item, i)->samples);
  gtk_widget_set_tooltip_text (cell, n > 1 ? split->str : NULL);
}

/* ---- time ---- */

static void
show_time (GtkWidget *cell, gpointer item)
{
  pen_strip_set_slot (PEN_STRIP (cell), item);
}

/* Marks each place where what is looked for stands. Letters that fold into others of another length
 * are rare in code: then nothing is marked. */
static void
mark_matches (GtkLabel *label, const char *needle)
{
  g_autoptr (PangoAttrList) marks = NULL;
  const char *text = gtk_label_get_text (label);
  g_autofree char *haystack = g_utf8_casefold (text, -1);
  g_autofree char *folded = g_utf8_casefold (needle, -1);
  gsize length = strlen (folded);

  if (length > 0 && strlen (haystack) == strlen (text)) {
    marks = pango_attr_list_new ();
    for (const char *at = haystack; (at = strstr (at, folded)) != NULL; at += length) {
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
      PangoAttribute *line = pango_attr_underline_new (PANGO_UNDERLINE_SINGLE);

      bold->start_index = line->start_index = (guint) (at - haystack);
      bold->end_index = line->end_index = (guint) (at - haystack + (gssize) length);
      pango_attr_list_insert (marks, bold);
      pango_attr_list_insert (marks, line);
    }
  }
  gtk_label_set_attributes (label, marks);
}

/* ---- bytes ---- */

static void
show_bytes (GtkWidget *cell, gpointer item)
{
  const PenAnnotationLine *line = pen_slot_get_line (item);
  g_autofree char *text = pen_format_bytes (line->bytes, MIN (line->n_bytes, sizeof line->bytes));

  gtk_label_set_text (GTK_LABEL (cell), text);
  mark_matches (GTK_LABEL (cell), pen_slot_get_needle (item));
  gtk_widget_set_tooltip_text (cell, text[0] ? text : NULL);
}

/* ---- instruction ---- */

/* Arrows, the instruction, and when it stood there. */
static GtkWidget *
make_instruction (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  GtkWidget *pair = make_pair ();

  gtk_widget_add_css_class (first_of (pair), "monospace");
  gtk_widget_add_css_class (second_of (pair), "dim-label");
  gtk_widget_add_css_class (second_of (pair), "caption");
  gtk_box_append (GTK_BOX (box), pen_jump_gutter_new ());
  gtk_box_append (GTK_BOX (box), pair);
  return box;
}

static void
show_instruction (GtkWidget *cell, gpointer item)
{
  GtkWidget *pair = gtk_widget_get_last_child (cell);
  const PenAnnotationLine *line = pen_slot_get_line (item);
  g_autofree char *named = pen_format_instruction (line->instruction, line->target);
  g_autofree char *instruction
      = line->is_inside ? g_strdup ("(inside the instruction above)") : pen_display_text (named);
  g_autofree char *plain = pen_display_text (line->instruction ? line->instruction : "");
  g_autofree char *when
      = pen_slot_is_version (item)
            ? pen_clock_format_tenancy (pen_slot_get_clock (item), line->from, line->to)
            : NULL;
  PenLead lead = pen_lead_of (item);
  g_autofree char *lead_text = pen_lead_dup_text (&lead, line);
  g_autofree char *tooltip = NULL;
  PenJumpCell jumps;
  guint n_lanes = pen_slot_get_jumps (item, &jumps);

  pen_jump_gutter_set_cell (PEN_JUMP_GUTTER (gtk_widget_get_first_child (cell)), &jumps, n_lanes);
  gtk_label_set_text (GTK_LABEL (first_of (pair)), instruction);
  mark_matches (GTK_LABEL (first_of (pair)), pen_slot_get_needle (item));
  set_class (first_of (pair), "dim-label", line->is_inside || !pen_slot_is_present (item));
  gtk_label_set_text (GTK_LABEL (second_of (pair)), when ? when : "");
  if (lead_text)
    tooltip = g_strdup_printf ("%s\n%s", plain, lead_text);
  gtk_widget_set_tooltip_text (cell, tooltip ? tooltip : plain[0] ? plain : NULL);
}

/* ---- source ---- */

static void
show_source (GtkWidget *cell, gpointer item)
{
  const PenAnnotationLine *line = pen_slot_get_line (item);
  g_autofree char *path = line->source_file ? pen_display_text (line->source_file) : NULL;
  g_autofree char *name = path ? g_path_get_basename (path) : NULL;
  g_autofree char *text = name ? g_strdup_printf ("%s:%u", name, line->source_line) : NULL;
  g_autofree char *tooltip = path ? g_strdup_printf ("%s:%u", path, line->source_line) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
  gtk_widget_set_tooltip_text (cell, tooltip);
}

GtkColumnViewColumn *
pen_annotation_column_new (PenAnnotationColumn column)
{
  static const PenColumnSpec specs[PEN_ANNOTATION_COLUMNS] = {
    [PEN_ANNOTATION_OFFSET] = { .title = "Offset",
                                .width = 118,
                                .css = "offset-cell",
                                .tree = TRUE,
                                .expander = TRUE,
                                .make = make_offset,
                                .show = show_offset },
    [PEN_ANNOTATION_SAMPLES]
    = { .title = "Samples", .tree = TRUE, .make = pen_sample_bar_new, .show = show_samples },
    [PEN_ANNOTATION_TIME]
    = { .title = "Over Time", .tree = TRUE, .make = pen_strip_new, .show = show_time },
    [PEN_ANNOTATION_BYTES] = { .title = "Bytes",
                               .width = 114,
                               .ellipsize = TRUE,
                               .css = "bytes-cell",
                               .tree = TRUE,
                               .show = show_bytes },
    [PEN_ANNOTATION_INSTRUCTION]
    = { .title = "Instruction", .tree = TRUE, .make = make_instruction, .show = show_instruction },
    [PEN_ANNOTATION_SOURCE] = { .title = "Source",
                                .width = 132,
                                .ellipsize = TRUE,
                                .css = "source-cell",
                                .tree = TRUE,
                                .show = show_source },
  };
  GtkColumnViewColumn *view_column;

  g_return_val_if_fail (column < PEN_ANNOTATION_COLUMNS, NULL);
  view_column = pen_column_new (&specs[column]);
  gtk_column_view_column_set_expand (view_column, column == PEN_ANNOTATION_INSTRUCTION);
  return view_column;
}
