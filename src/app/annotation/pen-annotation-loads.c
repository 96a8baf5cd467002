/* pen-annotation-loads.c: which load of a program the annotation shows, and the others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation-private.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-format.h"

/* "Load 2 of 3 · id 23 · 5.1126–5.2346 s · 77 samples" */
static char *
describe_load (PenAnnotationView *self, const PenLoads *loads, guint i)
{
  const PenLoad *load = &g_array_index (loads->loads, PenLoad, i);
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *when = pen_clock_format_tenancy (&clock, load->tenure.from, load->tenure.to);
  g_autofree char *amount = pen_amount_phrase (load->amount, FALSE);
  GString *text = g_string_new (NULL);

  g_string_printf (text, _ ("Load %u of %u"), i + 1, loads->loads->len);
  if (load->tenure.bpf_id != 0) {
    g_string_append (text, " · ");
    g_string_append_printf (text, _ ("id %u"), load->tenure.bpf_id);
  }
  g_string_append_printf (text, " · %s · %s", when, amount);
  return g_string_free (text, FALSE);
}

static char *
describe_all (const PenLoads *loads)
{
  PenAmount amount = g_array_index (loads->loads, PenLoad, 0).amount;
  g_autofree char *count = NULL;

  for (guint i = 1; i < loads->loads->len; i++) {
    const PenLoad *load = &g_array_index (loads->loads, PenLoad, i);

    amount.n += load->amount.n;
    amount.period += load->amount.period;
  }
  count = pen_amount_phrase (amount, FALSE);
  if (loads->n_others == 0)
    return g_strdup_printf (_ ("All Loads · %s"), count);
  return g_strdup_printf (ngettext ("All Loads · %s · with %u other occupant",
                                    "All Loads · %s · with %u other occupants", loads->n_others),
                          count, loads->n_others);
}

static GtkStringList *
make_choices (PenAnnotationView *self, const PenLoads *loads)
{
  GtkStringList *choices = gtk_string_list_new (NULL);

  for (guint i = 0; i < loads->loads->len; i++)
    gtk_string_list_take (choices, describe_load (self, loads, i));
  gtk_string_list_take (choices, describe_all (loads));
  return choices;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer ellipsizes)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (ellipsizes)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (list_item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (list_item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (list_item)));
}

static GtkListItemFactory *
make_factory (gboolean ellipsizes)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GINT_TO_POINTER (ellipsizes));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  return factory;
}

void
pen_annotation_connect_loads (PenAnnotationView *self)
{
  /* The button gives way where there is little room; the list does not. */
  g_autoptr (GtkListItemFactory) button = make_factory (TRUE);
  g_autoptr (GtkListItemFactory) list = make_factory (FALSE);

  gtk_drop_down_set_factory (self->loads, button);
  gtk_drop_down_set_list_factory (self->loads, list);
}

void
pen_annotation_show_loads (PenAnnotationView *self)
{
  const PenStrips *strips = pen_session_get_answers (self->session)->annotation;
  const PenLoads *loads = strips ? strips->text->loads : NULL;
  gboolean has_several = loads && loads->loads->len > 0 && loads->loads->len + loads->n_others > 1
                         && !pen_filter_asks_tenures (pen_session_get_view (self->session)->filter);
  guint chosen = has_several ? loads->loads->len : 0;

  if (has_several) {
    g_autoptr (GtkStringList) choices = make_choices (self, loads);

    for (guint i = 0; i < loads->loads->len; i++)
      if (g_array_index (loads->loads, PenLoad, i).tenure.id == strips->text->load)
        chosen = i;
    self->updating = TRUE;
    gtk_drop_down_set_model (self->loads, G_LIST_MODEL (choices));
    gtk_drop_down_set_selected (self->loads, chosen);
    self->updating = FALSE;
  }
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->loads)), has_several);
}

/* The playhead goes to where the load begins, unless it is in its time already. */
void
pen_annotation_choose_load (PenAnnotationView *self)
{
  const PenStrips *strips = pen_session_get_answers (self->session)->annotation;
  const PenLoads *loads = strips ? strips->text->loads : NULL;
  guint chosen = gtk_drop_down_get_selected (self->loads);
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  const PenLoad *load;

  if (self->updating || !loads || chosen > loads->loads->len)
    return;
  if (chosen == loads->loads->len) {
    pen_session_set_load (self->session, 0, TRUE);
    return;
  }
  load = &g_array_index (loads->loads, PenLoad, chosen);
  pen_session_set_load (self->session, load->tenure.id, FALSE);
  if (playhead >= load->tenure.from.time && playhead < load->tenure.to.time)
    return;
  pen_session_show_time (self->session, load->tenure.from.time);
  pen_session_set_playhead (self->session, load->tenure.from.time);
}
