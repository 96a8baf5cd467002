/* pen-sample-bar.h: a number of samples, and a bar behind it in proportion
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PEN_TYPE_SAMPLE_BAR (pen_sample_bar_get_type ())
G_DECLARE_FINAL_TYPE (PenSampleBar, pen_sample_bar, PEN, SAMPLE_BAR, GtkWidget)

GtkWidget *pen_sample_bar_new (void);
/* @color: 0xffRRGGBB. 0 samples show as nothing. */
void pen_sample_bar_set (PenSampleBar *self, guint64 samples, guint64 full, guint32 color);

G_END_DECLS
