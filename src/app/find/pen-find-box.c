/* pen-find-box.c: typing, the list of what was found, and going there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-find-box-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-css-class.h"
#include "pen-found-item.h"
#include "pen-found-list.h"
#include "pen-found-row.h"
#include "pen-format.h"
#include "pen-query-find.h"
#include "pen-session-find.h"

#define SEARCH_WIDTH 620
#define MARGIN 12

G_DEFINE_FINAL_TYPE (PenFindBox, pen_find_box, ADW_TYPE_BIN)

enum { PROP_0, PROP_IS_TRACE, N_PROPS };
static GParamSpec *properties[N_PROPS];

/* ---- what is listed ---- */

static void
show_note (PenFindBox *self, const char *text)
{
  gtk_label_set_text (self->note, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note), text != NULL);
}

static void
show_title (PenFindBox *self)
{
  const PenFound *found = self->answer->found;
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *time
      = pen_clock_format_long (&clock, CLAMP (found->moment.time, clock.span.from, clock.span.to),
                               MAX (pen_span_length (clock.span) / 100000, 1));
  g_autofree char *title = g_strdup_printf (
      ngettext ("Trace of %u Place", "Trace of %u Places", found->places->len), found->places->len);
  g_autofree char *subtitle = g_strdup_printf (_ ("As of %s"), time);

  adw_window_title_set_title (self->title, title);
  adw_window_title_set_subtitle (self->title, subtitle);
  if (found->places->len == 0)
    show_note (self, _ ("No symbol or address in the pasted text."));
  else
    show_note (self, found->is_cut ? _ ("Further places are not listed.") : NULL);
}

static GPtrArray *
list_rows (PenFindBox *self, const char *text)
{
  return pen_found_list_new (self->answer, pen_session_get_clock (self->session), self->unfolded,
                             self->trace ? NULL : text);
}

static void
show_rows (PenFindBox *self, const char *text)
{
  g_autoptr (GPtrArray) items = list_rows (self, text);

  if (self->trace)
    show_title (self);
  else
    show_note (self, items->len == 0 ? _ ("Nothing of this name in this recording.") : NULL);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)),
                       items->pdata, items->len);
  gtk_widget_set_visible (GTK_WIDGET (self->scroller), items->len > 0);
  if (!self->trace)
    gtk_single_selection_set_selected (self->selection, pen_find_box_find_active (self, 0, 1));
}

/* ---- asking ---- */

static void go (PenFindBox *self, guint position);
static void on_activate (PenFindBox *self);

/* Another time's occupant is no answer to who was there then. */
static gboolean
is_first_known (PenFindBox *self)
{
  return gtk_single_selection_get_selected (self->selection) == 1;
}

static void
on_found (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenFindBox *self = user_data;
  g_autoptr (PenFoundAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;

  /* The window may be gone. */
  if (pen_worker_was_dropped (result) || !self->session) {
    g_object_unref (self);
    return;
  }
  answer = pen_session_find_finish (result, &error);
  if (!answer) {
    g_autofree char *message = pen_format_error (error);

    show_note (self, message);
  } else {
    g_clear_pointer (&self->answer, pen_found_answer_unref);
    self->answer = g_steal_pointer (&answer);
    self->unfolded = 0;
    show_rows (self, self->answer->text);
    if (self->goes_first && is_first_known (self))
      go (self, gtk_single_selection_get_selected (self->selection));
  }
  self->goes_first = FALSE;
  g_object_unref (self);
}

static gboolean
is_ready (PenFindBox *self)
{
  return self->session && pen_session_get_state (self->session) == PEN_SESSION_READY;
}

static void
ask (PenFindBox *self, const char *text, gboolean is_fixed)
{
  if (is_ready (self))
    pen_session_find_async (self->session, text, is_fixed, on_found, g_object_ref (self));
}

static const char *
get_text (PenFindBox *self)
{
  return gtk_editable_get_text (self->entry);
}

static gboolean
is_answered (PenFindBox *self)
{
  return get_text (self)[0] == '\0'
         || (self->answer && g_str_equal (self->answer->text, get_text (self)));
}

/* ---- trace, or search ---- */

/* Where a place of a trace can be seen while the trace stays. */
static gboolean
is_at_side (PenFindBox *self)
{
  return self->trace && self->width > PEN_WIDTH_NARROW;
}

gboolean
pen_find_box_is_beside (PenFindBox *self)
{
  return pen_find_box_is_trace (self) && self->width >= PEN_WIDTH_WIDE;
}

static void
place (PenFindBox *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean is_narrow = self->width <= PEN_WIDTH_NARROW;
  gboolean is_side = is_at_side (self);
  GtkAlign across = is_narrow ? GTK_ALIGN_FILL : is_side ? GTK_ALIGN_END : GTK_ALIGN_CENTER;
  int width = is_narrow ? -1 : is_side ? PEN_FIND_BOX_WIDTH : SEARCH_WIDTH;
  int margin = is_side ? 0 : MARGIN;

  gtk_stack_set_visible_child_name (self->heading, self->trace ? "trace" : "search");
  gtk_widget_set_halign (widget, across);
  gtk_widget_set_valign (widget, is_side ? GTK_ALIGN_FILL : GTK_ALIGN_START);
  gtk_widget_set_size_request (widget, width, -1);
  gtk_widget_set_margin_top (widget, margin);
  gtk_widget_set_margin_bottom (widget, margin);
  gtk_widget_set_margin_start (widget, margin);
  gtk_widget_set_margin_end (widget, margin);
  pen_css_class_set (widget, "beside", is_side);
  /* Arrow keys go through what was found while the text keeps the focus. */
  gtk_widget_set_can_focus (GTK_WIDGET (self->scroller), self->trace != NULL);
}

static void
set_trace (PenFindBox *self, const char *text)
{
  gboolean was_trace = self->trace != NULL;

  if (text != self->trace) {
    g_free (self->trace);
    self->trace = g_strdup (text);
  }
  if (was_trace != (text != NULL)) {
    place (self);
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_IS_TRACE]);
  }
}

gboolean
pen_find_box_is_trace (PenFindBox *self)
{
  return self->trace && gtk_widget_get_visible (GTK_WIDGET (self));
}

static void
clear (PenFindBox *self)
{
  g_clear_pointer (&self->answer, pen_found_answer_unref);
  self->goes_first = FALSE;
  set_trace (self, NULL);
  gtk_editable_set_text (self->entry, "");
  g_list_store_remove_all (self->store);
}

static void
hide (PenFindBox *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  GtkWidget *before = self->before;

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  /* Before it is hidden: GTK 4.8 keeps what it takes the focus from, and forgets to let go of it if
   * it takes it twice within a frame. */
  if (before && gtk_widget_get_mapped (before))
    gtk_widget_grab_focus (before);
  else if (focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    gtk_root_set_focus (root, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_clear_weak_pointer (&self->before);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_IS_TRACE]);
}

void
pen_find_box_close (PenFindBox *self)
{
  hide (self);
  clear (self);
}

void
pen_find_box_open (PenFindBox *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  gboolean was_open = gtk_widget_get_visible (GTK_WIDGET (self));

  if (!is_ready (self))
    return;
  if (!was_open)
    g_set_weak_pointer (&self->before, focus);
  /* Pressed in the trace, it begins anew. */
  if (was_open && self->trace && focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    clear (self);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  place (self);
  if (self->trace) {
    gtk_widget_grab_focus (GTK_WIDGET (self->list));
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_IS_TRACE]);
    return;
  }
  show_rows (self, get_text (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (self->entry, 0, -1);
}

void
pen_find_box_search (PenFindBox *self, const char *text)
{
  if (!is_ready (self))
    return;
  pen_find_box_close (self);
  pen_find_box_open (self);
  gtk_editable_set_text (self->entry, text);
  on_activate (self);
}

void
pen_find_box_set_width (PenFindBox *self, PenWidth width)
{
  self->width = width;
  place (self);
}

/* ---- going ---- */

static void
activate_command (PenFindBox *self, PenFoundItem *item)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  GVariant *target;
  const char *action = pen_found_item_get_action (item, &target);

  pen_find_box_close (self);
  gtk_widget_activate_action_variant (parent, action, target);
}

/* Lists the rows that the one at @position stands for in its place. */
static void
unfold (PenFindBox *self, PenFoundKind group, guint position)
{
  guint n_before = g_list_model_get_n_items (G_LIST_MODEL (self->store));
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  gboolean is_in_list = focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->list));
  g_autoptr (GPtrArray) items = NULL;

  self->unfolded |= 1u << group;
  items = list_rows (self, self->answer->text);
  /* Not the row that has the focus: it would go elsewhere. */
  g_list_store_splice (self->store, position + 1, 0, items->pdata + position,
                       items->len - n_before + 1);
  pen_find_box_select (self, position + 1);
  if (is_in_list)
    gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_DOWN);
  g_list_store_remove (self->store, position);
}

static void
go (PenFindBox *self, guint position)
{
  g_autoptr (PenFoundItem) item = g_list_model_get_item (G_LIST_MODEL (self->store), position);
  const PenFoundRow *row = item ? pen_found_item_get_row (item) : NULL;
  PenFoundKind group;
  gboolean leads_to_code;

  if (!item || pen_found_item_is_heading (item))
    return;
  if (pen_found_item_is_more (item, &group)) {
    unfold (self, group, position);
    return;
  }
  if (!row) {
    activate_command (self, item);
    return;
  }
  leads_to_code = row->found == PEN_FOUND_ADDRESS || row->found == PEN_FOUND_FUNCTION
                  || row->found == PEN_FOUND_OCCUPANT;
  if (!pen_session_show_found (self->session, pen_found_item_get_answer (item), row))
    return;
  if (leads_to_code)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-code", NULL);
  if (is_at_side (self))
    return;
  if (self->trace)
    hide (self);
  else
    pen_find_box_close (self);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-page", NULL);
}

static void
on_row_activated (PenFindBox *self, guint position)
{
  go (self, position);
}

static void
on_activate (PenFindBox *self)
{
  if (is_answered (self)) {
    go (self, gtk_single_selection_get_selected (self->selection));
    return;
  }
  self->goes_first = TRUE;
  ask (self, get_text (self), FALSE);
}

/* At once, where it is pasted: entries wait for more to be typed. */
static void
on_changed (PenFindBox *self)
{
  g_autofree char *text = NULL;

  if (!pen_find_is_trace (get_text (self)))
    return;
  text = g_strdup (get_text (self));
  self->goes_first = FALSE;
  set_trace (self, text);
  gtk_editable_set_text (self->entry, "");
  ask (self, text, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
on_search_changed (PenFindBox *self)
{
  if (self->trace || self->goes_first || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  if (get_text (self)[0] != '\0') {
    ask (self, get_text (self), FALSE);
    return;
  }
  g_clear_pointer (&self->answer, pen_found_answer_unref);
  show_rows (self, "");
}

static void
on_again (PenFindBox *self)
{
  if (self->trace)
    ask (self, self->trace, TRUE);
}

static void
on_close (PenFindBox *self)
{
  pen_find_box_close (self);
}

/* ---- keeping up with the session ---- */

static void
on_state (PenFindBox *self)
{
  if (!is_ready (self))
    pen_find_box_close (self);
}

static void
on_clock (PenFindBox *self)
{
  if (self->answer)
    show_rows (self, self->answer->text);
}

void
pen_find_box_set_session (PenFindBox *self, PenSession *session)
{
  if (g_set_object (&self->session, session))
    g_signal_group_set_target (self->signals, session);
}

/* ---- object ---- */

static void
pen_find_box_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_IS_TRACE)
    g_value_set_boolean (value, pen_find_box_is_trace (PEN_FIND_BOX (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
pen_find_box_dispose (GObject *object)
{
  PenFindBox *self = PEN_FIND_BOX (object);

  g_clear_object (&self->signals);
  g_clear_weak_pointer (&self->before);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_FIND_BOX);
  g_clear_object (&self->store);
  g_clear_object (&self->session);
  g_clear_pointer (&self->answer, pen_found_answer_unref);
  g_clear_pointer (&self->trace, g_free);

  G_OBJECT_CLASS (pen_find_box_parent_class)->dispose (object);
}

static void
pen_find_box_class_init (PenFindBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = pen_find_box_dispose;
  object_class->get_property = pen_find_box_get_property;
  properties[PROP_IS_TRACE]
      = g_param_spec_boolean ("is-trace", NULL, NULL, FALSE,
                              G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  widget_class->focus = pen_find_box_focus;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SEARCH);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/find/pen-find-box.ui");
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, heading);
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, entry);
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, title);
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, again);
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, close);
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, note);
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, scroller);
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, list);
  gtk_widget_class_bind_template_child (widget_class, PenFindBox, selection);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_again);
  gtk_widget_class_bind_template_callback (widget_class, on_close);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
}

static void
pen_find_box_init (PenFindBox *self)
{
  g_autoptr (GtkListItemFactory) factory = pen_found_row_new_factory ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->store = g_list_store_new (PEN_TYPE_FOUND_ITEM);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->store));
  gtk_list_view_set_factory (self->list, factory);
  pen_find_box_add_keys (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_clock),
                           self, G_CONNECT_SWAPPED);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_clock), self);
  place (self);
}
