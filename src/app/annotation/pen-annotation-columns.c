/* pen-annotation-columns.c: the cells of an annotation row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation-columns.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-byte-marks.h"
#include "pen-column.h"
#include "pen-format.h"
#include "pen-jump-gutter.h"
#include "pen-jump-target.h"
#include "pen-palette.h"
#include "pen-poke-phrases.h"
#include "pen-sample-bar.h"
#include "pen-slot-words.h"
#include "pen-strip.h"
#include "pen-tooltip.h"

#define CUE "↯"
#define NOTE "✎"
/* Between an instruction and the time beside it. */
#define CODE_LETTERS 18

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

static GtkWidget *
make_line (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  return label;
}

/* A box with two labels: a first one, and one that takes the room. */
static GtkWidget *
make_pair (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  for (guint i = 0; i < 2; i++)
    gtk_box_append (GTK_BOX (box), make_line ());
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

/* The cue, the offset, and a mark where there are notes, which few rows have: a text has hundreds
 * of rows that are made at once. */
static GtkWidget *
make_offset (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *pair = make_pair ();

  gtk_label_set_width_chars (GTK_LABEL (first_of (pair)), 2);
  gtk_widget_add_css_class (second_of (pair), "monospace");
  gtk_label_set_ellipsize (GTK_LABEL (second_of (pair)), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (second_of (pair), TRUE);
  gtk_box_append (GTK_BOX (box), pair);
  return box;
}

static void
show_note_mark (GtkWidget *cell, gboolean has_notes)
{
  GtkWidget *note = gtk_widget_get_next_sibling (gtk_widget_get_first_child (cell));

  if (!note && has_notes) {
    note = gtk_label_new (NOTE);
    gtk_widget_add_css_class (note, "note-mark");
    gtk_box_append (GTK_BOX (cell), note);
  }
  if (note)
    gtk_widget_set_visible (note, has_notes);
}

static char *
dup_version_tooltip (PenSlot *slot, const char *title)
{
  const PenPoke *poke = pen_slot_find_poke (slot, pen_slot_get_line (slot));
  g_autofree char *phrase = poke ? pen_poke_describe (poke) : NULL;
  g_autofree char *reason = poke ? pen_display_text (phrase) : NULL;
  g_autofree char *who = poke ? pen_slot_dup_who (poke) : NULL;
  GString *text = g_string_new (title);

  if (reason && reason[0])
    g_string_append_printf (text, ": %s", reason);
  if (who)
    g_string_append (text, "\n");
  g_string_append_printf (text, _ ("by %s"), who);
  return g_string_free (text, FALSE);
}

static void
show_version (GtkWidget *pair, PenSlot *slot, const char *title)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  const PenPoke *poke = pen_slot_find_poke (slot, line);

  if (poke) {
    g_autofree char *badge
        = pen_format_badge (pen_palette_cause_letter (poke->cause),
                            pen_palette_cause (poke->cause, is_dark ()), is_dark ());

    /* Short: beside its badge there is little room. */
    g_autofree char *number = poke->effect != PEN_POKE_FILL && poke->effect != PEN_POKE_CLEAR
                                  ? g_strdup_printf ("#%u", line->version)
                                  : g_strdup (title);

    gtk_label_set_markup (GTK_LABEL (first_of (pair)), badge);
    gtk_label_set_text (GTK_LABEL (second_of (pair)), number);
  } else {
    gtk_label_set_text (GTK_LABEL (second_of (pair)), title);
  }
  gtk_widget_set_visible (first_of (pair), poke != NULL);
}

static void
show_slot (GtkWidget *pair, PenSlot *slot)
{
  g_autofree char *offset
      = g_strdup_printf ("+%" G_GINT64_MODIFIER "x", pen_slot_get_line (slot)->offset);
  gboolean patched = pen_slot_get_nth_line (slot, 0)->is_patched;

  gtk_widget_set_visible (first_of (pair), TRUE);
  gtk_label_set_markup (GTK_LABEL (first_of (pair)),
                        patched ? "<span weight=\"bold\">" CUE "</span>" : "");
  gtk_label_set_text (GTK_LABEL (second_of (pair)), offset);
}

static char *
dup_slot_tooltip (PenSlot *slot)
{
  guint n = pen_slot_get_n_lines (slot);

  if (n > 1)
    return g_strdup_printf (
        ngettext ("%u version during the recording (Return or Right to expand)",
                  "%u versions during the recording (Return or Right to expand)", n),
        n);
  if (pen_slot_get_nth_line (slot, 0)->is_patched)
    return g_strdup (_ ("Patched during the recording"));
  return NULL;
}

static void
show_offset (GtkWidget *cell, gpointer item)
{
  GtkWidget *pair = gtk_widget_get_first_child (cell);
  gboolean is_version = pen_slot_is_version (item);
  gboolean patched = pen_slot_get_nth_line (item, 0)->is_patched;
  GtkWidget *row = pen_column_find_row (cell);
  g_autofree char *title = pen_slot_dup_version_title (item);
  g_autofree char *told = is_version ? dup_version_tooltip (item, title) : dup_slot_tooltip (item);
  g_autofree char *notes = pen_slot_dup_notes (item);
  g_autofree char *tooltip
      = told && notes ? g_strdup_printf ("%s\n%s", told, notes) : g_strdup (told ? told : notes);

  set_class (second_of (pair), "monospace", !is_version);
  set_class (second_of (pair), "dim-label", is_version || !patched);
  set_class (first_of (pair), "cue", patched && !is_version);
  if (is_version)
    show_version (pair, item, title);
  else
    show_slot (pair, item);
  show_note_mark (cell, notes != NULL);
  pen_tooltip_set (cell, tooltip);
  if (row)
    set_class (row, "lit", pen_slot_is_lit (item));
}

/* ---- samples ---- */

static void
show_samples (GtkWidget *cell, gpointer item)
{
  PenKind kind = pen_slot_get_strips (item)->text->annotated->kind;
  g_autofree char *tooltip = pen_slot_dup_samples (item);

  pen_sample_bar_set (PEN_SAMPLE_BAR (cell), pen_slot_get_samples (item),
                      pen_slot_get_hottest (item), pen_palette_kind (kind, is_dark ()));
  pen_tooltip_set (cell, pen_slot_get_samples (item) > 0 ? tooltip : NULL);
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
mark_matches (PangoAttrList *marks, const char *text, const char *needle)
{
  g_autofree char *haystack = g_utf8_casefold (text, -1);
  g_autofree char *folded = g_utf8_casefold (needle, -1);
  gsize length = strlen (folded);

  if (length == 0 || strlen (haystack) != strlen (text))
    return;
  for (const char *at = haystack; (at = strstr (at, folded)); at += length)
    pen_byte_marks_add (marks, (guint) (at - haystack), (guint) (at - haystack + (gssize) length));
}

/* ---- bytes ---- */

static void
show_bytes (GtkWidget *cell, gpointer item)
{
  const PenAnnotationLine *line = pen_slot_get_line (item);
  const PenAnnotationLine *before = pen_slot_get_line_before (item);
  g_autofree char *text = pen_format_bytes (line->bytes, MIN (line->n_bytes, sizeof line->bytes));
  g_autofree char *tooltip
      = before ? g_strdup_printf (_ ("%s\nMarked: changed since the previous version"), text)
               : NULL;
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();

  if (pen_slot_get_needle (item)[0] != '\0')
    mark_matches (marks, text, pen_slot_get_needle (item));
  else if (before)
    pen_byte_marks_add_changed (marks, line->bytes, MIN (line->n_bytes, sizeof line->bytes),
                                before->bytes, MIN (before->n_bytes, sizeof before->bytes));
  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_byte_marks_apply (GTK_LABEL (cell), marks);
  pen_tooltip_set (cell, tooltip ? tooltip : text[0] ? text : NULL);
}

/* ---- instruction ---- */

/* Between the instruction and when it stood there, beside the spacing of the cell. */
#define DETAIL_MARGIN 4

/* Arrows and the instruction; of a version also when it stood there. */
static GtkWidget *
make_instruction (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  GtkWidget *instruction = make_line ();

  gtk_widget_add_css_class (instruction, "monospace");
  gtk_box_append (GTK_BOX (box), pen_jump_gutter_new ());
  gtk_box_append (GTK_BOX (box), instruction);
  return box;
}

static void
show_detail (GtkWidget *cell, GtkWidget *instruction, const char *text)
{
  GtkWidget *detail = gtk_widget_get_next_sibling (instruction);

  if (!detail && text) {
    detail = make_line ();
    gtk_widget_set_margin_start (detail, DETAIL_MARGIN);
    gtk_widget_add_css_class (detail, "dim-label");
    gtk_widget_add_css_class (detail, "caption");
    gtk_box_append (GTK_BOX (cell), detail);
  }
  if (detail)
    gtk_label_set_text (GTK_LABEL (detail), text ? text : "");
}

static void
show_instruction (GtkWidget *cell, gpointer item)
{
  GtkWidget *label = gtk_widget_get_next_sibling (gtk_widget_get_first_child (cell));
  const PenAnnotationLine *line = pen_slot_get_line (item);
  g_autofree char *named = pen_format_instruction (line->instruction, line->target);
  g_autofree char *instruction = line->is_inside ? g_strdup (_ ("(inside the instruction above)"))
                                                 : pen_display_text (named);
  g_autofree char *plain = pen_display_text (line->instruction ? line->instruction : "");
  g_autofree char *detail = pen_slot_is_version (item) ? pen_slot_dup_version_detail (item) : NULL;
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();
  PenJumpTarget jump = pen_jump_target_find (item);
  g_autofree char *jump_text = pen_jump_target_dup_text (&jump, line);
  g_autofree char *tooltip = NULL;
  PenJumpCell jumps;
  guint n_lanes = pen_slot_get_jumps (item, &jumps);

  pen_jump_gutter_set_cell (PEN_JUMP_GUTTER (gtk_widget_get_first_child (cell)), &jumps, n_lanes);
  gtk_label_set_text (GTK_LABEL (label), instruction);
  /* Before the time gets its room. */
  gtk_label_set_width_chars (
      GTK_LABEL (label), detail ? (int) MIN (g_utf8_strlen (instruction, -1), CODE_LETTERS) : -1);
  mark_matches (marks, instruction, pen_slot_get_needle (item));
  pen_byte_marks_apply (GTK_LABEL (label), marks);
  set_class (label, "dim-label", line->is_inside || !pen_slot_is_present (item));
  show_detail (cell, label, detail);
  if (jump_text)
    tooltip = g_strdup_printf ("%s\n%s", plain, jump_text);
  pen_tooltip_set (cell, tooltip ? tooltip : plain[0] ? plain : NULL);
}

/* ---- source ---- */

/* The whole path, and a line for each call through which it came here. */
static char *
dup_source_tooltip (const PenAnnotationLine *line, const char *path)
{
  GString *text = g_string_new (NULL);
  g_auto (GStrv) calls = line->inlined ? g_strsplit (line->inlined, "\n", -1) : NULL;

  g_string_printf (text, "%s:%u", path, line->source_line);
  for (guint i = 0; calls && calls[i]; i++) {
    g_autofree char *shown = pen_display_text (calls[i]);

    g_string_append (text, "\n");
    g_string_append_printf (text, _ ("Inlined: %s"), shown);
  }
  return g_string_free (text, FALSE);
}

static void
show_source (GtkWidget *cell, gpointer item)
{
  const PenAnnotationLine *line = pen_slot_get_line (item);
  g_autofree char *path = line->source_file ? pen_display_text (line->source_file) : NULL;
  g_autofree char *name = path ? g_path_get_basename (path) : NULL;
  g_autofree char *text
      = name ? g_strdup_printf ("%s%s:%u", line->inlined ? "↳ " : "", name, line->source_line)
             : NULL;
  g_autofree char *tooltip = path ? dup_source_tooltip (line, path) : NULL;

  gtk_label_set_text (GTK_LABEL (cell), text ? text : "");
  pen_tooltip_set (cell, tooltip);
}

static char *
speak (gpointer item)
{
  return pen_slot_dup_spoken (item);
}

void
pen_annotation_columns_add (GtkColumnView *view)
{
  static const PenColumnSpec specs[PEN_ANNOTATION_COLUMNS] = {
    [PEN_ANNOTATION_OFFSET] = { .title = N_ ("Offset"),
                                .width = 124,
                                .css = "offset-cell",
                                .tree = TRUE,
                                .expander = TRUE,
                                .make = make_offset,
                                .show = show_offset,
                                .speak = speak },
    [PEN_ANNOTATION_SAMPLES] = { .title = N_ ("Samples"),
                                 .align_end = TRUE,
                                 .tree = TRUE,
                                 .make = pen_sample_bar_new,
                                 .show = show_samples },
    [PEN_ANNOTATION_BYTES] = { .title = N_ ("Bytes"),
                               .width = 114,
                               .ellipsize = TRUE,
                               .css = "bytes-cell",
                               .tree = TRUE,
                               .show = show_bytes },
    [PEN_ANNOTATION_INSTRUCTION] = { .title = N_ ("Instruction"),
                                     .tree = TRUE,
                                     .make = make_instruction,
                                     .show = show_instruction },
    [PEN_ANNOTATION_SOURCE] = { .title = N_ ("Source"),
                                .width = 132,
                                .ellipsize = TRUE,
                                .css = "source-cell",
                                .tree = TRUE,
                                .show = show_source },
    [PEN_ANNOTATION_TIME] = { .title = N_ ("Over Time"),
                              .css = "time-cell",
                              .tree = TRUE,
                              .expand = TRUE,
                              .make = pen_strip_new,
                              .show = show_time },
  };

  pen_column_add_all (view, specs, G_N_ELEMENTS (specs));
}
