/* pen-late-spinner.h: spinners that turn only when it takes long
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Until then all stays as it was. */
#define PEN_LATE_SPINNER_MS 500

/* Lets @spinner turn, a while later unless it is stopped until then. */
void pen_late_spinner_start (GtkSpinner *spinner);
void pen_late_spinner_stop (GtkSpinner *spinner);
/* Whether it turns, or is about to. */
gboolean pen_late_spinner_is_started (GtkSpinner *spinner);

G_END_DECLS
