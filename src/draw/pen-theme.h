/* pen-theme.h: the colours that words and lines over a picture have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenTheme: colours are 0xAARRGGBB, not premultiplied.
 * @contrast: lines and dim words are as strong as the others
 * @dim: of words that explain others
 * @faint: of lines that only guide the eye
 */
typedef struct {
  gboolean dark;
  gboolean contrast;
  guint32 text;
  guint32 dim;
  guint32 line;
  guint32 faint;
  guint32 accent;
} PenTheme;

/* The theme of a picture that stands alone. */
PenTheme pen_theme_new (gboolean dark, gboolean contrast);
/* On a surface whose words are @text, with @accent for what is chosen. */
PenTheme pen_theme_new_for (guint32 text, guint32 accent, gboolean dark, gboolean contrast);

/* Black or white: which can be read on @ground, opaque: that of @theme's words if both can. */
guint32 pen_theme_get_text_on (const PenTheme *theme, guint32 ground);
/* @color with @opacity (0–1) of its own. */
guint32 pen_theme_fade (guint32 color, double opacity);

G_END_DECLS
