/* pen-history-card.c: one version of a line: when, what, why, who, how many samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-history-card.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-byte-marks.h"
#include "pen-comparison-words.h"
#include "pen-direction.h"
#include "pen-format.h"
#include "pen-name-label.h"
#include "pen-palette.h"
#include "pen-phrases.h"
#include "pen-tooltip.h"
#include "pen-unknown-text.h"

struct _PenHistoryCard {
  AdwBin parent_instance;

  PenHistoryItem *item;

  GtkLabel *badge;
  PenNameLabel *title;
  GtkLabel *when;
  GtkLabel *when_below;
  GtkToggleButton *unfold;
  GtkLabel *elsewhere;
  GtkWidget *before_sign;
  PenNameLabel *before;
  GtkLabel *before_bytes;
  GtkWidget *after_sign;
  PenNameLabel *after;
  GtkLabel *after_bytes;
  GtkLabel *reason;
  GtkLabel *who;
  GtkLabel *callers;
  GtkLabel *count;
  GtkLabel *samples;
  GtkLabel *compared;
  GtkLabel *notes;
  GtkLabel *evidence;
};

G_DEFINE_FINAL_TYPE (PenHistoryCard, pen_history_card, ADW_TYPE_BIN)

/* Text that is empty takes no room. */
static void
set_text (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text && text[0]);
}

static void
set_name (PenNameLabel *label, const char *text)
{
  pen_name_label_set_name (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), text[0] != '\0');
}

/* The same of text that only an unfolded card shows. */
static void
set_detail (PenHistoryCard *self, GtkLabel *label, const char *text)
{
  set_text (label, text);
  if (!pen_history_item_is_unfolded (self->item))
    gtk_widget_set_visible (GTK_WIDGET (label), FALSE);
}

static void
show_title (PenHistoryCard *self, const PenHistoryRow *row)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autofree char *badge = NULL;
  g_autofree char *title = NULL;

  if (row->poke > 0) {
    badge = pen_format_badge (pen_palette_cause_letter (row->cause),
                              pen_palette_cause (row->cause, dark), dark);
    pen_name_label_set_name (self->title, pen_palette_cause_title (row->cause));
  } else if (row->from_bound == PEN_BOUND_INITIAL) {
    pen_name_label_set_name (self->title, _ ("Original"));
  } else {
    g_autofree char *occupant = pen_display_text (row->occupant ? row->occupant : "");
    g_autofree char *name = pen_phrase_program (
        occupant[0] ? occupant : pen_palette_kind_title (row->kind), row->bpf_id);

    title = g_strdup_printf (_ ("New: %s"), name);
    pen_name_label_set_name_in (self->title, title, name);
  }
  gtk_label_set_markup (self->badge, badge ? badge : "");
  gtk_widget_set_visible (GTK_WIDGET (self->badge), badge != NULL);
  pen_tooltip_set (GTK_WIDGET (self->title), title);
}

static void
show_code (PenHistoryCard *self, const PenHistoryRow *row)
{
  gboolean patch = row->poke > 0;
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();
  g_autofree char *before_named = pen_format_instruction (row->before_instruction, NULL);
  g_autofree char *after_named = pen_format_instruction (row->instruction, NULL);
  g_autofree char *before = pen_display_text (before_named);
  g_autofree char *after = pen_display_text (after_named);
  g_autofree char *before_known = pen_unknown_text_translate (row->before_instruction);
  g_autofree char *after_known = pen_unknown_text_translate (row->instruction);
  g_autofree char *before_plain = pen_display_text (before_known ? before_known : "");
  g_autofree char *after_plain = pen_display_text (after_known ? after_known : "");
  g_autofree char *before_bytes
      = pen_format_bytes (row->before_bytes, MIN (row->n_before_bytes, sizeof row->before_bytes));
  g_autofree char *after_bytes
      = pen_format_bytes (row->bytes, MIN (row->n_bytes, sizeof row->bytes));

  gtk_widget_set_visible (self->before_sign, patch);
  gtk_widget_set_visible (self->after_sign, patch);
  set_name (self->before, patch ? before : "");
  set_detail (self, self->before_bytes, patch ? before_bytes : "");
  set_name (self->after, after);
  set_detail (self, self->after_bytes, after_bytes);
  if (patch)
    pen_byte_marks_add_changed (marks, row->bytes, MIN (row->n_bytes, sizeof row->bytes),
                                row->before_bytes,
                                MIN (row->n_before_bytes, sizeof row->before_bytes));
  pen_byte_marks_apply (self->after_bytes, marks);
  pen_tooltip_set (GTK_WIDGET (self->before), before_plain);
  pen_tooltip_set (GTK_WIDGET (self->after), after_plain);
}

/* The change's effect, how sure its cause is and why, and what was patched together with it; or
 * which program came. */
static char *
make_reason (const PenHistoryRow *row)
{
  g_autofree char *reason = NULL;
  g_autofree char *why = NULL;
  g_autofree char *sentence = NULL;
  g_autofree char *called_from = NULL;
  GString *text;

  if (row->poke == 0)
    return pen_display_text (row->program ? row->program : "");
  reason = pen_display_text (row->reason);
  text = g_string_new (reason);
  if (row->confidence != PEN_CONFIDENCE_NONE && row->why) {
    why = pen_display_text (row->why);
    g_string_append_c (text, '\n');
    g_string_append_printf (text, _ ("Cause: %s (%s). %s"), pen_palette_cause_title (row->cause),
                            pen_phrase_confidence (row->confidence), why);
  }
  if (row->n_sites > 1 && row->sentence) {
    sentence = pen_display_text (row->sentence);
    g_string_append_c (text, '\n');
    g_string_append_printf (text,
                            ngettext ("One of %u site patched together: %s",
                                      "One of %u sites patched together: %s", row->n_sites),
                            row->n_sites, sentence);
  }
  called_from = pen_patch_path_describe (&row->path);
  if (called_from) {
    g_autofree char *shown = pen_display_text (called_from);

    g_string_append_printf (text, "\n%s", shown);
  }
  return g_string_free (text, FALSE);
}

static void
show_who (PenHistoryCard *self, const PenHistoryRow *row)
{
  g_autofree char *comm = pen_display_text (row->comm ? row->comm : "");
  g_autofree char *who = row->poke > 0 ? pen_phrase_task (comm, row->pid, row->cpu) : NULL;
  g_autofree char *text = who ? g_strdup_printf (_ ("by %s"), who) : NULL;
  g_autofree char *callers = row->path.callers ? pen_display_text (row->path.callers) : NULL;
  g_autofree char *from = callers ? g_strdup_printf (_ ("called from %s"), callers) : NULL;

  set_text (self->who, text ? text : "");
  pen_tooltip_set (GTK_WIDGET (self->who), text);
  /* Unfolded, the reason says it, and how it is known. */
  set_text (self->callers, from && !pen_history_item_is_unfolded (self->item) ? from : "");
  pen_tooltip_set (GTK_WIDGET (self->callers), from);
}

static void
add_band (GString *text, guint64 near, PenAmount amount, const char *format)
{
  g_autofree char *part = g_strdup_printf ("%" G_GUINT64_FORMAT, near);
  g_autofree char *all = pen_amount_phrase_number (amount, TRUE);

  if (near == 0)
    return;
  g_string_append_c (text, '\n');
  g_string_append_printf (text, format, part, all, PEN_BAND / 1000000u);
}

/* Of waits, the share is of time off CPU, the rate of their number. */
static void
show_samples (PenHistoryCard *self, PenHistoryItem *item)
{
  const PenHistoryRow *row = pen_history_item_get_row (item);
  PenAmount amount = pen_history_item_get_amount (item);
  g_autofree char *count = pen_amount_phrase (amount, FALSE);
  g_autofree char *number = pen_amount_phrase_number (amount, FALSE);
  g_autofree char *share = pen_format_share (row->share);
  g_autofree char *rate = pen_format_rate (row->rate);
  g_autoptr (GString) text = g_string_new (share);

  gtk_label_set_text (self->count, count);
  if (amount.population == PEN_POPULATION_WAITS)
    g_string_append_printf (text, " · %s", number);
  if (rate[0])
    g_string_append_printf (text, " · %s", rate);
  /* Uncertain by semantics.md, P4 and K5. */
  add_band (text, row->near_from, amount, _ ("%s of %s within %u ms of its start: side uncertain"));
  add_band (text, row->near_to, amount, _ ("%s of %s within %u ms of its end: side uncertain"));
  set_detail (self, self->samples, text->str);
}

static void
add_comparison (GString *text, const char *format, const PenComparison *comparison)
{
  g_autofree char *words = NULL;

  if (!comparison || comparison->verdict == PEN_VERDICT_UNKNOWN)
    return;
  words = pen_format_comparison (comparison);
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append_printf (text, format, words);
}

/* Waits do not come at random, as the test needs. */
static void
show_no_comparison (PenHistoryCard *self, PenHistoryItem *item)
{
  gboolean is_patch = pen_history_item_get_row (item)->poke > 0;

  set_detail (self, self->compared,
              is_patch ? _ ("Not compared: waits do not come at random") : "");
  pen_tooltip_set (GTK_WIDGET (self->compared),
                   _ ("Only rates of samples before and after a patch are compared."));
}

/* Did the patch make a difference? Rates with the intervals that hold them. */
static void
show_comparison (PenHistoryCard *self, PenHistoryItem *item)
{
  const PenComparison *here = pen_history_item_get_comparison (item);
  const PenComparison *function = pen_history_item_get_function_comparison (item);
  g_autoptr (GString) text = g_string_new (NULL);

  add_comparison (text, _ ("This instruction: %s"), here);
  add_comparison (text, _ ("Whole function: %s"), function);
  set_detail (self, self->compared, text->str);
  pen_tooltip_set (
      GTK_WIDGET (self->compared),
      /* xgettext:no-c-format */
      _ ("Samples per second of recorded time, from the previous patch to this one and from this "
         "one "
         "to the next, with 95 % confidence intervals. Times with lost records or samples are "
         "excluded."));
}

static void
show_notes (PenHistoryCard *self, PenHistoryItem *item)
{
  g_autoptr (GPtrArray) notes = pen_history_item_list_notes (item);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < notes->len; i++) {
    g_autofree char *shown = pen_display_text (((const PenNote *) notes->pdata[i])->text);

    if (i > 0)
      g_string_append_c (text, '\n');
    g_string_append_printf (text, _ ("Note: %s"), shown);
  }
  set_text (self->notes, text->str);
}

static void
show_evidence (PenHistoryCard *self, const PenHistoryRow *row)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, _ ("Source: %s"), pen_phrase_evidence (row->evidence));
  if (pen_phrase_doubt (row->bytes_source))
    g_string_append_printf (text, " · %s", pen_phrase_doubt (row->bytes_source));
  if (row->from_bound == PEN_BOUND_INFERRED || row->to_bound == PEN_BOUND_INFERRED)
    g_string_append (text, _ (" · inferred time span"));
  if (row->breaks_chain)
    g_string_append (text, _ (" · old bytes do not match: records may be missing"));
  if (row->is_changed_early)
    g_string_append (text, _ (" · changed between the copy and the start"));
  set_detail (self, self->evidence, text->str);
}

static void
show_fold (PenHistoryCard *self)
{
  gboolean is_open = pen_history_item_is_unfolded (self->item);
  GtkWidget *row = gtk_widget_get_parent (GTK_WIDGET (self));

  gtk_toggle_button_set_active (self->unfold, is_open);
  gtk_button_set_icon_name (GTK_BUTTON (self->unfold),
                            is_open ? "pan-up-symbolic" : "pan-down-symbolic");
  /* It is the row that has the focus. */
  if (row)
    gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED, is_open, -1);
}

static void
on_unfold (PenHistoryCard *self)
{
  if (self->item)
    pen_history_item_set_unfolded (self->item, gtk_toggle_button_get_active (self->unfold));
}

/* A name needs the room beside it. */
static void
show_when (PenHistoryCard *self, const char *when, gboolean is_below)
{
  gtk_label_set_text (self->when, when);
  gtk_label_set_text (self->when_below, when);
  gtk_widget_set_visible (GTK_WIDGET (self->when), !is_below);
  gtk_widget_set_visible (GTK_WIDGET (self->when_below), is_below);
}

static void
show_item (PenHistoryCard *self)
{
  PenHistoryItem *item = self->item;
  const PenHistoryRow *row;
  const PenClock *clock;
  g_autofree char *when = NULL;
  g_autofree char *elsewhere = NULL;
  g_autofree char *reason = NULL;

  row = pen_history_item_get_row (item);
  reason = make_reason (row);
  clock = pen_history_item_get_clock (item);
  when = pen_clock_format_tenancy (clock, row->from, row->to);
  elsewhere = pen_clock_format_tenancy_elsewhere (clock, row->from, row->to);
  show_title (self, row);
  show_when (self, when, row->poke == 0 && row->from_bound != PEN_BOUND_INITIAL);
  show_fold (self);
  set_detail (self, self->elsewhere, elsewhere);
  show_code (self, row);
  set_detail (self, self->reason, reason);
  show_who (self, row);
  show_samples (self, item);
  if (pen_history_item_get_amount (item).population == PEN_POPULATION_WAITS)
    show_no_comparison (self, item);
  else
    show_comparison (self, item);
  show_notes (self, item);
  show_evidence (self, row);
}

void
pen_history_card_set_item (PenHistoryCard *self, PenHistoryItem *item)
{
  if (self->item)
    g_signal_handlers_disconnect_by_data (self->item, self);
  g_set_object (&self->item, item);
  if (!item)
    return;
  g_signal_connect_swapped (item, "changed", G_CALLBACK (show_item), self);
  show_item (self);
}

char *
pen_history_card_dup_text (PenHistoryCard *self)
{
  gpointer labels[]
      = { self->title,       self->when,     self->elsewhere, self->before_bytes, self->before,
          self->after_bytes, self->after,    self->count,     self->who,          self->reason,
          self->samples,     self->compared, self->notes,     self->evidence };
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++) {
    const char *part = PEN_IS_NAME_LABEL (labels[i]) ? pen_name_label_get_name (labels[i])
                                                     : gtk_label_get_text (labels[i]);

    if (part[0])
      g_string_append_printf (text, "%s\n", part);
  }
  return g_string_free (text, FALSE);
}

static void
pen_history_card_dispose (GObject *object)
{
  PenHistoryCard *self = PEN_HISTORY_CARD (object);

  pen_history_card_set_item (self, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_HISTORY_CARD);

  G_OBJECT_CLASS (pen_history_card_parent_class)->dispose (object);
}

static void
pen_history_card_class_init (PenHistoryCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (PEN_TYPE_NAME_LABEL);
  G_OBJECT_CLASS (klass)->dispose = pen_history_card_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/history/pen-history-card.ui");
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, badge);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, title);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, when);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, when_below);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, unfold);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, elsewhere);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, before_sign);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, before);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, before_bytes);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, after_sign);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, after);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, after_bytes);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, reason);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, who);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, callers);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, count);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, samples);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, compared);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, notes);
  gtk_widget_class_bind_template_child (widget_class, PenHistoryCard, evidence);
  gtk_widget_class_bind_template_callback (widget_class, on_unfold);
}

static void
pen_history_card_init (PenHistoryCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  pen_direction_keep_left_to_right (gtk_widget_get_parent (GTK_WIDGET (self->before)));
  pen_direction_keep_left_to_right (GTK_WIDGET (self->when));
}

GtkWidget *
pen_history_card_new (void)
{
  return g_object_new (PEN_TYPE_HISTORY_CARD, NULL);
}
