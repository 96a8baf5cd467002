/* pen-theme.c: the colours that words and lines over a picture have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-theme.h"

#include <math.h>

/* WCAG 2.1, 1.4.3 */
#define READABLE 4.5

guint32
pen_theme_fade (guint32 color, double opacity)
{
  double alpha = (color >> 24) * CLAMP (opacity, 0, 1);

  return (color & 0xffffff) | (guint32) lround (alpha) << 24;
}

/* WCAG 2.1, relative luminance: 0–1 */
static double
get_luminance (guint32 color)
{
  static const double weights[] = { 0.0722, 0.7152, 0.2126 };
  double sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++) {
    double value = ((color >> i * 8) & 0xff) / 255.0;

    sum += weights[i] * (value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4));
  }
  return sum;
}

guint32
pen_theme_get_text_on (const PenTheme *theme, guint32 ground)
{
  double on_black = (get_luminance (ground) + 0.05) / 0.05;
  double on_white = 1.05 / (get_luminance (ground) + 0.05);
  double own = theme->dark ? on_white : on_black;

  if (own >= READABLE)
    return theme->dark ? 0xffffffffu : 0xff000000u;
  return on_black > on_white ? 0xff000000u : 0xffffffffu;
}

PenTheme
pen_theme_new_for (guint32 text, guint32 accent, gboolean dark, gboolean contrast)
{
  return (PenTheme){
    .dark = dark,
    .contrast = contrast,
    .text = text,
    .dim = pen_theme_fade (text, contrast ? 1 : 0.72),
    .line = pen_theme_fade (text, contrast ? 0.8 : 0.35),
    .faint = pen_theme_fade (text, contrast ? 0.3 : 0.08),
    .accent = accent,
  };
}

PenTheme
pen_theme_new (gboolean dark, gboolean contrast)
{
  return pen_theme_new_for (dark ? 0xfff6f5f4 : 0xff2e3436, dark ? 0xff78aeed : 0xff1c71d8, dark,
                            contrast);
}
