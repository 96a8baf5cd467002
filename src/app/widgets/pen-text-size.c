/* pen-text-size.c: how large a person wants text, for what is as wide as text is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-size.h"

#define USUAL_DPI (96.0 * 1024)
#define USUAL_POINTS 11.0

double
pen_text_size_get_scale (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  g_autofree char *name = NULL;
  PangoFontDescription *font;
  double points;
  int dpi;

  if (!settings)
    return 1;
  g_object_get (settings, "gtk-xft-dpi", &dpi, "gtk-font-name", &name, NULL);
  font = pango_font_description_from_string (name ? name : "");
  points = pango_font_description_get_size_is_absolute (font)
               ? USUAL_POINTS
               : pango_font_description_get_size (font) / (double) PANGO_SCALE;
  pango_font_description_free (font);
  /* Where nothing is set, it is as usual; smaller text gets no less room. */
  return CLAMP ((dpi > 0 ? dpi / USUAL_DPI : 1) * MAX (points / USUAL_POINTS, 1), 1, 4);
}

void
pen_text_size_watch (gpointer object, GCallback callback)
{
  GtkSettings *settings = gtk_settings_get_default ();

  if (!settings)
    return;
  g_signal_connect_object (settings, "notify::gtk-xft-dpi", callback, object, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::gtk-font-name", callback, object, G_CONNECT_SWAPPED);
}
