/* pen-chooser.h: dialogs of files that have been answered
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * pen_chooser_release:
 * @chooser: (nullable) (transfer full)
 *
 * Hides the dialog at once, and frees it when it has its folder. GTK 4.8 goes on loading for a
 * dialog that is gone: up to half a second later it gives the rows to a list that has been freed
 * (gtkfilechooserwidget.c: dispose() leaves load_timeout_id), and the program falls.
 */
void pen_chooser_release (GtkFileChooserNative *chooser);

G_END_DECLS
