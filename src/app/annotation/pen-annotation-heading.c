/* pen-annotation-heading.c: what the annotation shows, and which part of its function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation-private.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-phrases.h"
#include "pen-query-functions.h"
#include "pen-tooltip.h"

/* Returns: of the program that is shown; 0: it is none, or there are several */
static guint32
find_program (const PenAnnotated *annotated)
{
  guint32 id = 0;

  for (guint i = 0; annotated->kind == PEN_KIND_BPF && i < annotated->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);

    if (tenure->start != annotated->start || g_strcmp0 (tenure->occupant, annotated->occupant) != 0)
      continue;
    if (id != 0 && tenure->bpf_id != id)
      return 0;
    id = tenure->bpf_id;
  }
  return id;
}

/* Its row of the list. (nullable): it has none, or the list is of another part */
static const PenFunction *
find_function (PenAnnotationView *self, const PenAnnotatedText *text)
{
  const PenFunctionList *list = pen_session_get_answers (self->session)->functions;

  for (guint i = 0; list && list->query == text->query && i < list->rows->len; i++) {
    const PenFunction *function = &g_array_index (list->rows, PenFunctionRow, i).function;

    if (function->id == text->function)
      return function;
  }
  return NULL;
}

/* "89 of 183 samples (1.2 %) · load 1 of 2", or all of them. */
static void
add_amount (GString *detail, const PenAnnotatedText *text)
{
  PenAmount amount = pen_annotated_get_amount (text->annotated);
  guint64 all = pen_amount_get (pen_annotated_get_total (text->annotated));
  g_autofree char *share
      = pen_format_share (all > 0 ? (double) pen_amount_get (amount) / (double) all : 0);
  const GArray *loads = text->loads ? text->loads->loads : NULL;
  PenAmount whole = amount;
  g_autofree char *part = pen_amount_format (amount);
  g_autofree char *count = NULL;
  guint number = 0;

  whole.n = whole.period = 0;
  for (guint i = 0; text->load != 0 && loads && i < loads->len; i++) {
    const PenLoad *load = &g_array_index (loads, PenLoad, i);

    whole.n += load->amount.n;
    whole.period += load->amount.period;
    if (load->tenure.id == text->load)
      number = i + 1;
  }
  if (number == 0 || loads->len < 2) {
    count = pen_amount_phrase (amount, FALSE);
    g_string_append_printf (detail, "%s (%s)", count, share);
    return;
  }
  count = pen_amount_phrase (whole, FALSE);
  /* TRANSLATORS: "89 of 183 samples" */
  g_string_append_printf (detail, _ ("%s of %s"), part, count);
  g_string_append_printf (detail, " (%s) · ", share);
  g_string_append_printf (detail, _ ("load %u of %u"), number, loads->len);
}

/* As its row counts them: programs and modules that came and went, too. */
static void
add_changes (GString *detail, const PenFunction *function, const PenAnnotated *annotated)
{
  guint64 changes = function ? function->changes : annotated->pokes->len;
  guint64 patches = function ? function->pokes : changes;
  g_autofree char *count = pen_phrase_changes (changes, FALSE);

  g_string_append_printf (detail, " · %s", count);
  if (changes != patches) {
    g_autofree char *number = pen_format_count (patches);

    g_string_append (detail, " (");
    g_string_append_printf (detail, ngettext ("%s patch", "%s patches", patches), number);
    g_string_append (detail, ")");
  }
}

void
pen_annotation_show_heading (PenAnnotationView *self)
{
  const PenStrips *strips = pen_session_get_answers (self->session)->annotation;
  const PenAnnotated *annotated = strips ? strips->text->annotated : NULL;
  g_autofree char *symbol = NULL;
  g_autofree char *name = NULL;
  g_autofree char *occupant = NULL;
  g_autoptr (GString) detail = g_string_new (NULL);

  if (!annotated) {
    pen_name_label_set_name (self->name, _ ("Annotation"));
    gtk_label_set_text (self->detail, "");
    return;
  }
  symbol = pen_display_text (annotated->symbol && annotated->symbol[0] ? annotated->symbol
                                                                       : annotated->occupant);
  name = pen_phrase_program (symbol, find_program (annotated));
  occupant = pen_display_text (annotated->occupant);
  add_amount (detail, strips->text);
  add_changes (detail, find_function (self, strips->text), annotated);
  g_string_append_printf (detail, " · %s · 0x%" G_GINT64_MODIFIER "x",
                          occupant[0] ? occupant : pen_palette_kind_title (annotated->kind),
                          annotated->start);
  pen_name_label_set_name (self->name, name[0] ? name : _ ("(unknown)"));
  gtk_label_set_text (self->detail, detail->str);
  pen_tooltip_set (GTK_WIDGET (self->detail), detail->str);
}
