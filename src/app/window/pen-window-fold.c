/* pen-window-fold.c: what a window shows of its panes: by its width, its page, and what was hidden
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-text-size.h"

/* px beside each name of a view, at least */
#define SWITCHER_MARGIN 5

static const char *const code_pane_words[PEN_CODE_PANES] = {
  [PEN_CODE_PANE_FUNCTIONS] = "functions",
  [PEN_CODE_PANE_ANNOTATION] = "annotation",
  [PEN_CODE_PANE_HISTORY] = "history",
};

const char *
pen_code_pane_to_string (PenCodePane pane)
{
  g_return_val_if_fail (pane < PEN_CODE_PANES, NULL);
  return code_pane_words[pane];
}

gboolean
pen_code_pane_from_string (const char *word, PenCodePane *pane)
{
  for (guint i = 0; i < PEN_CODE_PANES; i++) {
    if (g_strcmp0 (word, code_pane_words[i]) == 0) {
      *pane = i;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
is_narrow (PenWindow *self)
{
  return pen_fold_get_width_class (self->fold) <= PEN_WIDTH_NARROW;
}

/* Where patches were not recorded there is nothing to read in it: until a person asks for it. */
static gboolean
wants_history (PenWindow *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);

  if (self->history_is_chosen)
    return !self->history_hidden;
  return !opened || pen_opened_may_have_patches (opened);
}

/* Whether the pane is there: in a narrow window one at a time is. */
gboolean
pen_window_shows_code_pane (PenWindow *self, PenCodePane pane)
{
  if (is_narrow (self))
    return self->code_pane == pane;
  return pane != PEN_CODE_PANE_HISTORY || wants_history (self);
}

/* GTK 4.8 keeps a widget that is hidden while it has the focus, if what is around it is hidden,
 * too, before the next frame: the focus goes first.
 *
 * Returns: whether it was there */
static gboolean
set_pane_visible (PenWindow *self, gpointer pane, gboolean is_visible)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean had_focus = !is_visible && focus && gtk_widget_is_ancestor (focus, pane);

  if (had_focus)
    gtk_window_set_focus (GTK_WINDOW (self), NULL);
  gtk_widget_set_visible (pane, is_visible);
  return had_focus;
}

static void
show_code_panes (PenWindow *self)
{
  gboolean functions = pen_window_shows_code_pane (self, PEN_CODE_PANE_FUNCTIONS);
  gboolean annotation = pen_window_shows_code_pane (self, PEN_CODE_PANE_ANNOTATION);
  gboolean history = pen_window_shows_code_pane (self, PEN_CODE_PANE_HISTORY);
  gboolean had_focus = FALSE;

  had_focus |= set_pane_visible (self, self->functions, functions);
  had_focus |= set_pane_visible (self, self->annotation, annotation);
  had_focus |= set_pane_visible (self, self->history, history);
  gtk_widget_set_visible (GTK_WIDGET (self->history_paned), annotation || history);
  gtk_widget_set_visible (self->code_panes, is_narrow (self));
  if (had_focus)
    gtk_widget_child_focus (functions    ? GTK_WIDGET (self->functions)
                            : annotation ? GTK_WIDGET (self->annotation)
                                         : GTK_WIDGET (self->history),
                            GTK_DIR_TAB_FORWARD);
}

/* Actions that have a button in a wide window only. GTK 4.8 keeps pages of submenus in a submenu
 * that goes, and warns when it comes back: so all of the menu is made anew. */
static void
show_narrow_menu (PenWindow *self)
{
  PenWidth width = pen_fold_get_width_class (self->fold);
  gboolean ready = pen_session_get_state (self->session) == PEN_SESSION_READY;
  gboolean has_open = ready && width <= PEN_WIDTH_TINY;
  gboolean has_export = ready && width < PEN_WIDTH_WIDE;
  GtkPopover *popover = gtk_menu_button_get_popover (self->main_button);
  int n = g_menu_model_get_n_items (G_MENU_MODEL (self->narrow_menu));
  g_autoptr (GMenuModel) menu = NULL;
  g_autoptr (GMenu) none = NULL;

  /* While it is open, it stays: on_main_menu() */
  if (n == has_open + has_export || (popover && gtk_widget_get_visible (GTK_WIDGET (popover))))
    return;
  none = g_menu_new ();
  menu = g_object_ref (gtk_menu_button_get_menu_model (self->main_button));
  gtk_menu_button_set_menu_model (self->main_button, G_MENU_MODEL (none));
  g_menu_remove_all (self->narrow_menu);
  if (has_open)
    g_menu_append_submenu (self->narrow_menu, _ ("_Open"),
                           adw_split_button_get_menu_model (self->open_button));
  if (has_export)
    g_menu_append_submenu (self->narrow_menu, _ ("_Export"),
                           gtk_menu_button_get_menu_model (self->export_button));
  gtk_menu_button_set_menu_model (self->main_button, menu);
}

static char *
dup_duration (PenWindow *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);

  return opened ? pen_format_duration (pen_span_length (opened->span)) : g_strdup ("");
}

/* Beside the views there is room for a kernel's release in wide windows only: cut, it says less
 * than none. */
static void
show_start_title (PenWindow *self, gboolean is_wide)
{
  g_autofree char *duration = dup_duration (self);

  adw_window_title_set_title (self->title, is_wide ? self->name : self->short_name);
  adw_window_title_set_subtitle (self->title, is_wide ? self->facts : duration);
}

/* Instead of the views, which are at the bottom then: which of them is shown. */
static void
show_centre_title (PenWindow *self, gboolean ready)
{
  PenPage page = pen_session_get_view (self->session)->page;
  g_autofree char *duration = dup_duration (self);
  g_autofree char *subtitle = g_strdup_printf ("%s · %s", pen_page_get_title (page), duration);

  adw_window_title_set_title (self->centre_title, ready ? self->short_name : self->name);
  adw_window_title_set_subtitle (self->centre_title, ready ? subtitle : self->facts);
}

/* px; of those that are below icons */
static int
find_widest_label (GtkWidget *widget)
{
  int width = 0;

  if (gtk_widget_has_css_class (widget, "wide"))
    return 0;
  if (GTK_IS_LABEL (widget))
    gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    width = MAX (width, find_widest_label (child));
  return width;
}

/* The name of the capture is worth more than words beside icons in place of below, and than room
 * between them: AdwViewSwitcher asks for 100 px each. */
static void
show_switcher (PenWindow *self, PenWidth room)
{
  gboolean is_broad = room >= PEN_WIDTH_BROAD;
  int margin = room >= PEN_WIDTH_WIDE ? 3 * SWITCHER_MARGIN : SWITCHER_MARGIN;
  int width;

  adw_view_switcher_set_policy (self->switcher, is_broad ? ADW_VIEW_SWITCHER_POLICY_WIDE
                                                         : ADW_VIEW_SWITCHER_POLICY_NARROW);
  if (is_broad)
    gtk_widget_measure (GTK_WIDGET (self->switcher), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width,
                        NULL, NULL);
  else
    width = PEN_PAGES * (find_widest_label (GTK_WIDGET (self->switcher)) + margin);
  adw_clamp_set_maximum_size (self->switcher_clamp, width);
  adw_clamp_set_tightening_threshold (self->switcher_clamp, width);
}

/* The name of the capture stands at the start; where there is no room for that, in the middle, and
 * the views are chosen at the bottom. */
static void
show_header (PenWindow *self)
{
  PenWidth width = pen_fold_get_width_class (self->fold);
  gboolean is_wide = width >= PEN_WIDTH_WIDE;
  gboolean ready = pen_session_get_state (self->session) == PEN_SESSION_READY;
  gboolean on_code = pen_session_get_view (self->session)->page == PEN_PAGE_CODE;
  gboolean is_switched = ready && width > PEN_WIDTH_NARROW;
  gboolean has_open = !ready || width > PEN_WIDTH_TINY;

  gtk_stack_set_visible_child_name (self->title_stack, is_switched ? "switcher" : "title");
  gtk_widget_set_visible (GTK_WIDGET (self->title), is_switched);
  show_start_title (self, is_wide);
  show_centre_title (self, ready);
  show_switcher (self, width);
  adw_view_switcher_bar_set_reveal (self->switcher_bar, ready && !is_switched);

  if (is_wide)
    adw_split_button_set_label (self->open_button, _ ("_Open"));
  else
    adw_split_button_set_icon_name (self->open_button, "document-open-symbolic");
  gtk_widget_set_visible (GTK_WIDGET (self->open_button), has_open);
  gtk_widget_set_visible (GTK_WIDGET (self->export_button), ready && is_wide);
  show_narrow_menu (self);
  /* They are in the menu, too, and have keys; the name of the capture has not. */
  gtk_widget_set_visible (self->overview_button, ready && is_wide);
  gtk_widget_set_visible (self->history_button, ready && is_wide && on_code);
}

void
pen_window_fold_update (PenWindow *self)
{
  show_header (self);
  show_code_panes (self);
  pen_live_bar_set_narrow (self->live_bar, is_narrow (self));
  pen_window_overview_update (self);
}

void
pen_window_fold_show_code_pane (PenWindow *self, PenCodePane pane)
{
  self->code_pane = pane;
  pen_window_fold_update (self);
}

void
pen_window_fold_set_history_visible (PenWindow *self, gboolean visible)
{
  if (is_narrow (self))
    self->code_pane = visible ? PEN_CODE_PANE_HISTORY : PEN_CODE_PANE_ANNOTATION;
  else {
    self->history_is_chosen = TRUE;
    self->history_hidden = !visible;
  }
  pen_window_fold_update (self);
}

/* Once a person moved a pane, it is the annotation that takes what room a larger window has. Until
 * then sizes are given out below, and a GtkPaned that adds to them would add twice. */
static void
set_persons (PenWindow *self, gboolean is_persons)
{
  self->is_persons = is_persons;
  gtk_paned_set_resize_start_child (self->history_paned, is_persons);
  gtk_paned_set_resize_end_child (self->history_paned, !is_persons);
}

/* The panes get sizes in proportion to the window again. */
void
pen_window_fold_forget (PenWindow *self)
{
  self->arranged_width = self->arranged_height = 0;
  set_persons (self, FALSE);
}

static void
on_position (PenWindow *self)
{
  if (!self->arranging && !self->is_persons && self->arranged_width > 0)
    set_persons (self, TRUE);
}

/* Sizes of the panes in proportion to the window, until a person moves one of them; and again when
 * the panes were folded or unfolded. The overview gets a quarter of the height at most: what it
 * leads to is below it. */
void
pen_window_fold_arrange (PenWindow *self, int width, int height)
{
  double scale = pen_text_size_get_scale ();
  int functions = CLAMP (width * 25 / 100, (int) (220 * scale), (int) (420 * scale));
  int history = CLAMP (width * 22 / 100, (int) (240 * scale), (int) (380 * scale));
  int overview;

  if (self->is_persons || pen_session_get_state (self->session) != PEN_SESSION_READY
      || (width == self->arranged_width && height == self->arranged_height))
    return;
  self->arranged_width = width;
  self->arranged_height = height;
  gtk_widget_measure (GTK_WIDGET (self->timeline), GTK_ORIENTATION_VERTICAL, -1, NULL, &overview,
                      NULL, NULL);
  gtk_paned_set_position (self->overview_paned, MIN (overview, height * 25 / 100));
  if (is_narrow (self))
    return;
  gtk_paned_set_position (self->functions_paned, functions);
  gtk_paned_set_position (self->history_paned, width - functions - history - 2);
}

/* ---- pages ---- */

static AdwViewStackPage *
find_page (PenWindow *self, PenPage page)
{
  GtkWidget *child = adw_view_stack_get_child_by_name (self->views, pen_page_to_string (page));

  return child ? adw_view_stack_get_page (self->views, child) : NULL;
}

/* Where a mnemonic is not a letter of the title, as in "コード(_C)", it takes room that the
 * recording's name needs. Each page has a key besides. */
static void
show_plain_titles (PenWindow *self)
{
  for (PenPage page = 0; page < PEN_PAGES; page++) {
    AdwViewStackPage *shown = find_page (self, page);
    g_auto (GStrv) parts = g_strsplit (adw_view_stack_page_get_title (shown), "_", -1);
    g_autofree char *title = g_strjoinv (NULL, parts);

    if (g_str_equal (title, pen_page_get_title (page)))
      continue;
    adw_view_stack_page_set_use_underline (shown, FALSE);
    adw_view_stack_page_set_title (shown, pen_page_get_title (page));
  }
}

static void
on_session_page (PenWindow *self)
{
  PenPage page = pen_session_get_view (self->session)->page;
  AdwViewStackPage *shown = find_page (self, page);

  if (shown && adw_view_stack_page_get_visible (shown))
    adw_view_stack_set_visible_child_name (self->views, pen_page_to_string (page));
  pen_window_fold_update (self);
}

static void
on_visible_page (PenWindow *self)
{
  PenPage page;

  if (pen_page_from_string (adw_view_stack_get_visible_child_name (self->views), &page))
    pen_session_set_page (self->session, page);
}

void
pen_window_notify_panes (PenWindow *self)
{
  g_object_notify (G_OBJECT (self), "history-visible");
  g_object_notify (G_OBJECT (self), "code-pane");
}

static void
on_width_class (PenWindow *self)
{
  PenWidth width = MIN (pen_fold_get_width_class (self->fold), PEN_WIDTH_WIDE);

  /* With still more room, only the header is another. */
  if (width != self->width)
    pen_window_fold_forget (self);
  self->width = width;
  pen_window_fold_update (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  pen_window_notify_panes (self);
}

void
pen_window_show_code (PenWindow *self)
{
  pen_session_set_page (self->session, PEN_PAGE_CODE);
  pen_window_fold_show_code_pane (self, PEN_CODE_PANE_ANNOTATION);
  pen_window_notify_panes (self);
}

/* A click on a function, in a window that has room for the list alone, shows its code. */
static void
on_function_clicked (PenWindow *self, int n_press, double x, double y)
{
  GtkWidget *under = gtk_widget_pick (GTK_WIDGET (self->functions), x, y, GTK_PICK_DEFAULT);
  guint32 function;

  if (!is_narrow (self) || !under || !gtk_widget_get_ancestor (under, GTK_TYPE_LIST_VIEW)
      || !pen_session_get_function (self->session, &function))
    return;
  pen_window_show_code (self);
}

/* It is about to be shown: what could not change while it was open before. */
static void
on_main_menu (GtkMenuButton *button, gpointer window)
{
  show_narrow_menu (window);
}

void
pen_window_fold_init (PenWindow *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->width = PEN_WIDTH_WIDE;
  show_plain_titles (self);

  g_signal_connect_swapped (self->fold, "notify::width-class", G_CALLBACK (on_width_class), self);
  g_signal_connect_swapped (self->views, "notify::visible-child", G_CALLBACK (on_visible_page),
                            self);
  g_signal_connect_swapped (self->session, "notify::page", G_CALLBACK (on_session_page), self);
  gtk_menu_button_set_create_popup_func (self->main_button, on_main_menu, self, NULL);
  g_signal_connect_swapped (self->overview_paned, "notify::position", G_CALLBACK (on_position),
                            self);
  g_signal_connect_swapped (self->functions_paned, "notify::position", G_CALLBACK (on_position),
                            self);
  g_signal_connect_swapped (self->history_paned, "notify::position", G_CALLBACK (on_position),
                            self);

  g_signal_connect_swapped (click, "released", G_CALLBACK (on_function_clicked), self);
  gtk_widget_add_controller (GTK_WIDGET (self->functions), GTK_EVENT_CONTROLLER (click));
}

/* The main widget of a pane, rather than the buttons above it. */
static GtkWidget *
find_list (GtkWidget *widget)
{
  if (!gtk_widget_get_mapped (widget) || GTK_IS_POPOVER (widget))
    return NULL;
  if (GTK_IS_LIST_BASE (widget) || GTK_IS_LIST_BOX (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_list (child);

    if (found)
      return found;
  }
  return NULL;
}

static gboolean
focus_pane (GtkWidget *pane)
{
  GtkWidget *list = find_list (pane);

  if (!gtk_widget_get_mapped (pane))
    return FALSE;
  return (list && gtk_widget_child_focus (list, GTK_DIR_TAB_FORWARD))
         || gtk_widget_child_focus (pane, GTK_DIR_TAB_FORWARD);
}

/* On what was gone to: the code, or the list or picture of another page. */
void
pen_window_fold_focus_page (PenWindow *self)
{
  if (pen_session_get_view (self->session)->page == PEN_PAGE_CODE)
    focus_pane (GTK_WIDGET (self->annotation));
  else
    focus_pane (adw_view_stack_get_visible_child (self->views));
}

/* F6 goes round the panes that are there, and Shift+F6 the other way. */
void
pen_window_fold_focus_next (PenWindow *self, int direction)
{
  GtkWidget *panes[] = { GTK_WIDGET (self->timeline),
                         GTK_WIDGET (self->functions),
                         GTK_WIDGET (self->annotation),
                         GTK_WIDGET (self->history),
                         adw_view_stack_get_visible_child (self->views),
                         pen_callers_view_get_neighbours (self->callers),
                         GTK_WIDGET (self->changes) };
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  int n = G_N_ELEMENTS (panes), current;

  /* The panes of the code are children of the last but two, which stands for the other pages; the
   * changes are one of that of causes, the neighbours of that of callers. */
  if (pen_session_get_view (self->session)->page == PEN_PAGE_CODE)
    n -= 3;
  current = n - 1;
  for (int i = 0; i < n; i++) {
    if (focus && (focus == panes[i] || gtk_widget_is_ancestor (focus, panes[i])))
      current = i;
  }
  for (int step = 1; step <= n; step++) {
    if (focus_pane (panes[(current + direction * step + 2 * n) % n]))
      return;
  }
}

/* ---- Tab ---- */

static GtkWidget *
find_list_of (GtkWidget *focus)
{
  GtkWidget *found = NULL;

  for (GtkWidget *at = focus; at && !GTK_IS_POPOVER (at); at = gtk_widget_get_parent (at)) {
    if (GTK_IS_LIST_BASE (at) || (GTK_IS_COLUMN_VIEW (at) && found))
      found = at;
  }
  return found;
}

/* GTK 4.8 goes on to the next row of a list, of which there may be thousands. The arrows do that;
 * Tab goes to what comes after the list. */
gboolean
pen_window_fold_leave_list (PenWindow *self, GtkDirectionType direction)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *list = focus ? find_list_of (focus) : NULL;
  gboolean forward = direction == GTK_DIR_TAB_FORWARD;

  if (!list || (!forward && direction != GTK_DIR_TAB_BACKWARD))
    return FALSE;
  for (GtkWidget *at = list; at && at != GTK_WIDGET (self); at = gtk_widget_get_parent (at)) {
    GtkWidget *next = at;

    if (at == GTK_WIDGET (self->find) && pen_find_box_go_round (self->find, direction))
      return TRUE;
    while ((next
            = forward ? gtk_widget_get_next_sibling (next) : gtk_widget_get_prev_sibling (next))) {
      if (gtk_widget_get_mapped (next) && !GTK_IS_NATIVE (next)
          && gtk_widget_child_focus (next, direction))
        return TRUE;
    }
  }
  /* Round, to the other end of the window. */
  gtk_window_set_focus (GTK_WINDOW (self), NULL);
  return FALSE;
}
