/* pen-name-label.h: a name in a row: where it has too little room, cut where names differ least
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As a GtkLabel of one line, cut as pen_short_name_new() does. Assistive technology reads all of
 * its text. */
#define PEN_TYPE_NAME_LABEL (pen_name_label_get_type ())
G_DECLARE_FINAL_TYPE (PenNameLabel, pen_name_label, PEN, NAME_LABEL, GtkWidget)

GtkWidget *pen_name_label_new (void);
/* @name: UTF-8 */
void pen_name_label_set_name (PenNameLabel *self, const char *name);
/* @text: UTF-8; @name: a part of it, which alone is cut */
void pen_name_label_set_name_in (PenNameLabel *self, const char *text, const char *name);
/* All of the text. */
const char *pen_name_label_get_name (PenNameLabel *self);
/* As it is cut in its present width. (transfer full) */
char *pen_name_label_dup_shown (PenNameLabel *self);

G_END_DECLS
