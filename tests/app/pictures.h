/* pictures.h: pictures of views in a guise, which is how a desktop is set up, and how large the
 * window is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "window-support.h"

G_BEGIN_DECLS

typedef struct {
  const char *colours; /* light, dark, contrast, dark-contrast */
  const char *size;    /* as it is named in the file */
  int width;
  int height;
  gboolean is_rtl;
  gboolean is_large; /* text at twice its size */
} Guise;

/* Whether a picture of that name was asked for. */
gboolean pictures_is_wanted (const Guise *guise, const char *capture, const char *view);
/* Whether views are looked at, instead of written. */
gboolean pictures_is_audit (void);
/* Until @window shows all. */
void pictures_settle (PenWindow *window);
void pictures_resize (GtkWindow *window, const Guise *guise);
/* Writes the picture, or looks at @widget. */
void pictures_take (GtkWidget *widget, const Guise *guise, const char *capture, const char *view);

/* Where it is audited: goes round in @window, or in what lies over all else of it, which was looked
 * at by itself. */
void pictures_check_focus (GtkWindow *window, GtkWidget *within, const Guise *guise,
                           const char *capture, const char *view);

/* A recording that is being made. */
void pictures_take_live (const Guise *guise);
/* What lies over a page or beside it: what was found, a trace, two instants, menus. */
void pictures_take_boxes (PenWindow *window, const Guise *guise, const char *capture);

G_END_DECLS
