/* pen-found-item.h: one row of the box: a heading, what was found, or a command
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-clock.h"
#include "pen-load-find.h"

G_BEGIN_DECLS

#define PEN_TYPE_FOUND_ITEM (pen_found_item_get_type ())
G_DECLARE_FINAL_TYPE (PenFoundItem, pen_found_item, PEN, FOUND_ITEM, GObject)

/* @row: owned by the answer, which is kept */
PenFoundItem *pen_found_item_new (PenFoundAnswer *answer, const PenFoundRow *row, PenClock clock);
/* @is_place: a place as written: in letters of one width */
PenFoundItem *pen_found_item_new_heading (const char *title, gboolean is_place);
/* @action, @target: for gtk_widget_activate_action_variant() */
PenFoundItem *pen_found_item_new_command (const char *title, const char *action, GVariant *target);

/* Stands for further rows of a group, and shows them. */
PenFoundItem *pen_found_item_new_more (const char *title, PenFoundKind group);

/* NULL: it is not one that was found */
const PenFoundRow *pen_found_item_get_row (PenFoundItem *self);
PenFoundAnswer *pen_found_item_get_answer (PenFoundItem *self);
gboolean pen_found_item_is_heading (PenFoundItem *self);
gboolean pen_found_item_is_place (PenFoundItem *self);
/* Whether it stands for further rows. @group: (out): of these */
gboolean pen_found_item_is_more (PenFoundItem *self, PenFoundKind *group);
/* NULL: it is no command */
const char *pen_found_item_get_action (PenFoundItem *self, GVariant **target);
/* Whether it leads anywhere */
gboolean pen_found_item_is_active (PenFoundItem *self);

/* The shown texts: the name; when it was there; more about it, or NULL */
const char *pen_found_item_get_title (PenFoundItem *self);
const char *pen_found_item_get_when (PenFoundItem *self);
const char *pen_found_item_get_detail (PenFoundItem *self);

G_END_DECLS
