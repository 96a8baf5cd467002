/* pen-name-label.h: a name in a row: where it has too little room, cut where names differ least
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As a GtkLabel of one line, cut as pen_short_name_new() does. Assistive technology reads all of
 * the name. */
#define PEN_TYPE_NAME_LABEL (pen_name_label_get_type ())
G_DECLARE_FINAL_TYPE (PenNameLabel, pen_name_label, PEN, NAME_LABEL, GtkWidget)

GtkWidget *pen_name_label_new (void);
/* @name: UTF-8 */
void pen_name_label_set_name (PenNameLabel *self, const char *name);
const char *pen_name_label_get_name (PenNameLabel *self);

G_END_DECLS
