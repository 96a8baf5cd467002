/* pen-changes-fold.h: how much of the page of causes the changes below them take
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-changes-view.h"

G_BEGIN_DECLS

/*
 * PenChangesFold: keeps the place of the handle between causes and changes, as a part of the page,
 * and whether the changes are folded to their header: in a low page they are, unless a person
 * unfolds them there.
 */
#define PEN_TYPE_CHANGES_FOLD (pen_changes_fold_get_type ())
G_DECLARE_FINAL_TYPE (PenChangesFold, pen_changes_fold, PEN, CHANGES_FOLD, GObject)

/* @paned: with @changes at its end; both outlive it */
PenChangesFold *pen_changes_fold_new (GtkPaned *paned, PenChangesView *changes);
/* As a person wants it: it is kept. */
void pen_changes_fold_toggle (PenChangesFold *self);
/* For a change that is led to. */
void pen_changes_fold_unfold (PenChangesFold *self);

G_END_DECLS
