/* pen-theme.c: the colours that words and lines over a picture have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-theme.h"

#include <math.h>

guint32
pen_theme_fade (guint32 color, double opacity)
{
  double alpha = (color >> 24) * CLAMP (opacity, 0, 1);

  return (color & 0xffffff) | (guint32) lround (alpha) << 24;
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
