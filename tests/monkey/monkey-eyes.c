/* monkey-eyes.c: what there is to aim at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "monkey-eyes.h"

#include <gdk/x11/gdkx.h>

/* Long lists have hundreds of cells. */
#define WIDGETS_MAX 4000

GList *
monkey_eyes_list_windows (void)
{
  GList *all = gtk_window_list_toplevels ();
  GList *shown = NULL;

  for (GList *at = all; at; at = at->next) {
    if (gtk_widget_get_mapped (at->data))
      shown = g_list_prepend (shown, at->data);
  }
  g_list_free (all);
  return shown;
}

GtkWindow *
monkey_eyes_get_window (void)
{
  g_autoptr (GList) shown = monkey_eyes_list_windows ();

  for (GList *at = shown; at; at = at->next) {
    if (gtk_window_is_active (at->data))
      return at->data;
  }
  return shown ? shown->data : NULL;
}

static void
list_widgets (GtkWidget *widget, GPtrArray *below, GPtrArray *menu)
{
  gboolean is_menu = GTK_IS_POPOVER (widget);

  if (!gtk_widget_get_mapped (widget) || below->len >= WIDGETS_MAX)
    return;
  if (gtk_widget_get_can_target (widget) && gtk_widget_get_width (widget) > 0)
    g_ptr_array_add (is_menu ? menu : below, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    list_widgets (child, is_menu ? menu : below, menu);
}

static gboolean
aim_at (GtkWidget *widget, double x, double y, MonkeyAim *aim)
{
  GtkNative *native = gtk_widget_get_native (widget);
  GdkSurface *surface = native ? gtk_native_get_surface (native) : NULL;
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) (x * gtk_widget_get_width (widget)),
                                                (float) (y * gtk_widget_get_height (widget)));
  graphene_point_t at;
  double left, top;
  Display *display;
  Window child;
  int scale;

  if (!surface || !gtk_widget_compute_point (widget, GTK_WIDGET (native), &point, &at))
    return FALSE;
  gtk_native_get_surface_transform (native, &left, &top);
  scale = gdk_surface_get_scale_factor (surface);
  display = gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface));
  g_strlcpy (aim->name, G_OBJECT_TYPE_NAME (widget), sizeof aim->name);
  return XTranslateCoordinates (display, gdk_x11_surface_get_xid (surface),
                                DefaultRootWindow (display), (int) (at.x + left) * scale,
                                (int) (at.y + top) * scale, &aim->x, &aim->y, &child);
}

static gboolean
is_source (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_DRAG_SOURCE (controller))
      return TRUE;
  }
  return FALSE;
}

gboolean
monkey_eyes_aim_source (GtkWindow *window, guint32 choice, double x, double y, MonkeyAim *aim)
{
  g_autoptr (GPtrArray) below = g_ptr_array_new ();
  g_autoptr (GPtrArray) menu = g_ptr_array_new ();

  list_widgets (GTK_WIDGET (window), below, menu);
  for (guint i = below->len; i > 0; i--) {
    if (!is_source (below->pdata[i - 1]))
      g_ptr_array_remove_index (below, i - 1);
  }
  return below->len > 0 && aim_at (below->pdata[choice % below->len], x, y, aim);
}

gboolean
monkey_eyes_aim_anywhere (GtkWindow *window, double x, double y, MonkeyAim *aim)
{
  return aim_at (GTK_WIDGET (window), x, y, aim);
}

/* A kind first, since cells of lists are many and buttons are few. */
static GtkWidget *
choose (GPtrArray *widgets, guint32 choice)
{
  g_autoptr (GArray) kinds = g_array_new (FALSE, FALSE, sizeof (GType));
  g_autoptr (GPtrArray) of_kind = g_ptr_array_new ();
  GType kind;

  for (guint i = 0; i < widgets->len; i++) {
    GType type = G_OBJECT_TYPE (widgets->pdata[i]);
    gboolean is_known = FALSE;

    for (guint k = 0; k < kinds->len && !is_known; k++)
      is_known = g_array_index (kinds, GType, k) == type;
    if (!is_known)
      g_array_append_val (kinds, type);
  }
  kind = g_array_index (kinds, GType, choice % kinds->len);
  for (guint i = 0; i < widgets->len; i++) {
    if (G_OBJECT_TYPE (widgets->pdata[i]) == kind)
      g_ptr_array_add (of_kind, widgets->pdata[i]);
  }
  return of_kind->pdata[choice / kinds->len % of_kind->len];
}

gboolean
monkey_eyes_aim (GtkWindow *window, guint32 choice, double x, double y, MonkeyAim *aim)
{
  g_autoptr (GPtrArray) below = g_ptr_array_new ();
  g_autoptr (GPtrArray) menu = g_ptr_array_new ();

  list_widgets (GTK_WIDGET (window), below, menu);
  if (menu->len > 0 && choice % 2 == 0)
    return aim_at (choose (menu, choice / 2), x, y, aim);
  return below->len > 0 && aim_at (choose (below, choice / 2), x, y, aim);
}

/* ---- shortcuts ---- */

/* The keys of XFree86 are those of X whose names GDK cuts. */
#define FIRST_OF_XFREE86 0x1008ff00

static char *
dup_keys (guint keyval, GdkModifierType modifiers)
{
  return g_strdup_printf ("%s%s%s%s%s", modifiers & GDK_CONTROL_MASK ? "ctrl+" : "",
                          modifiers & GDK_ALT_MASK ? "alt+" : "",
                          modifiers & GDK_SHIFT_MASK ? "shift+" : "",
                          keyval >= FIRST_OF_XFREE86 ? "XF86" : "", gdk_keyval_name (keyval));
}

static void
add_trigger (GtkShortcutTrigger *trigger, GPtrArray *keys)
{
  if (GTK_IS_ALTERNATIVE_TRIGGER (trigger)) {
    add_trigger (gtk_alternative_trigger_get_first (GTK_ALTERNATIVE_TRIGGER (trigger)), keys);
    add_trigger (gtk_alternative_trigger_get_second (GTK_ALTERNATIVE_TRIGGER (trigger)), keys);
  } else if (GTK_IS_KEYVAL_TRIGGER (trigger)) {
    g_ptr_array_add (keys,
                     dup_keys (gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)),
                               gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger))));
  }
}

static void
list_shortcuts (GtkWidget *widget, GPtrArray *keys)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GListModel) controller = g_list_model_get_item (controllers, i);

    for (guint k = 0;
         GTK_IS_SHORTCUT_CONTROLLER (controller) && k < g_list_model_get_n_items (controller);
         k++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (controller, k);

      add_trigger (gtk_shortcut_get_trigger (shortcut), keys);
    }
  }
}

static void
list_accelerators (GtkApplication *application, GPtrArray *keys)
{
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);

  for (char **action = actions; *action; action++) {
    g_auto (GStrv) accelerators = gtk_application_get_accels_for_action (application, *action);

    for (char **accelerator = accelerators; *accelerator; accelerator++) {
      GdkModifierType modifiers;
      guint keyval;

      if (gtk_accelerator_parse (*accelerator, &keyval, &modifiers))
        g_ptr_array_add (keys, dup_keys (keyval, modifiers));
    }
  }
}

/* Half of them of the application, half of what has the focus and all that is around it. */
char *
monkey_eyes_dup_shortcut (GtkWindow *window, guint32 choice)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  GtkApplication *application = gtk_window_get_application (window);

  if (application && choice % 2 == 0)
    list_accelerators (application, keys);
  for (GtkWidget *at = gtk_window_get_focus (window); at && choice % 2 == 1;
       at = gtk_widget_get_parent (at))
    list_shortcuts (at, keys);
  return keys->len > 0 ? g_strdup (keys->pdata[choice / 2 % keys->len]) : NULL;
}
