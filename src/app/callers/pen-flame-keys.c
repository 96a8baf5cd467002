/* pen-flame-keys.c: what keys do to the stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-view-private.h"

static void
step_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  static const struct {
    const char *end;
    int dx;
    int dy;
  } ways[] = { { "left", -1, 0 }, { "right", 1, 0 }, { "up", 0, -1 }, { "down", 0, 1 } };

  for (guint i = 0; self->flame && i < G_N_ELEMENTS (ways); i++) {
    if (!g_str_has_suffix (name, ways[i].end))
      continue;
    pen_flame_view_select (
        self, self->selected == PEN_FLAME_NONE
                  ? self->root
                  : pen_flame_step (self->flame, self->selected, ways[i].dx, ways[i].dy));
  }
}

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  gboolean out = g_str_has_suffix (name, "out");
  guint node = out ? self->root : self->selected;

  if (!pen_flame_view_get_tree (self) || node == PEN_FLAME_NONE)
    return;
  if (out && node > 0)
    node = pen_flame_tree_get (pen_flame_view_get_tree (self), node)->parent;
  pen_flame_view_zoom (self, node);
}

static void
zoom_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_flame_view_zoom (PEN_FLAME_VIEW (widget), 0);
}

/* Escape leaves what was zoomed into; then the window has it. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  const PenFlameState *state = pen_session_get_view (PEN_FLAME_VIEW (widget)->session)->flame;

  if (!state || state->zoom->len == 0)
    return FALSE;
  zoom_all_action (widget, NULL, NULL);
  return TRUE;
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  g_autofree char *text = NULL;

  if (self->selected == PEN_FLAME_NONE)
    return;
  text = pen_flame_dup_name (
      pen_flame_view_get_tree (self),
      pen_flame_tree_get (pen_flame_view_get_tree (self), self->selected)->group);
  gtk_widget_activate_action (widget, "win.copy-text", "s", text);
}

static void
page_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  double page = gtk_adjustment_get_page_increment (self->down);

  gtk_adjustment_set_value (self->down, gtk_adjustment_get_value (self->down)
                                            + (g_str_has_suffix (name, "up") ? -page : page));
}

static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  GdkRectangle box;

  if (self->flame && self->selected == PEN_FLAME_NONE)
    pen_flame_view_set_selected (self, self->root);
  if (self->selected != PEN_FLAME_NONE)
    pen_flame_view_scroll_to (self, self->selected);
  if (pen_flame_view_get_selected_box (self, &box))
    g_signal_emit (self, pen_flame_view_signals[PEN_FLAME_VIEW_MENU], 0,
                   (double) box.x + MIN (box.width / 2, 40), (double) box.y + box.height);
}

void
pen_flame_view_install_actions (GtkWidgetClass *widget_class)
{
  static const struct {
    const char *name;
    GtkWidgetActionActivateFunc activate;
    guint keys[3];
  } actions[] = {
    { "stacks.left", step_action, { GDK_KEY_Left } },
    { "stacks.right", step_action, { GDK_KEY_Right } },
    { "stacks.up", step_action, { GDK_KEY_Up } },
    { "stacks.down", step_action, { GDK_KEY_Down } },
    { "stacks.zoom-in", zoom_action, { GDK_KEY_Return, GDK_KEY_KP_Enter } },
    { "stacks.zoom-out", zoom_action, { GDK_KEY_BackSpace, GDK_KEY_minus } },
    { "stacks.zoom-all", zoom_all_action, { GDK_KEY_0, GDK_KEY_Home } },
    { "stacks.page-up", page_action, { GDK_KEY_Page_Up } },
    { "stacks.page-down", page_action, { GDK_KEY_Page_Down } },
    { "stacks.menu", menu_action, { GDK_KEY_Menu } },
    { "stacks.copy", copy_action, { 0 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].activate);
    for (gsize k = 0; k < G_N_ELEMENTS (actions[i].keys) && actions[i].keys[k]; k++)
      gtk_widget_class_add_binding_action (widget_class, actions[i].keys[k], 0, actions[i].name,
                                           NULL);
  }
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "stacks.menu",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "stacks.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_i, 0, "callers.inverted", NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
}
