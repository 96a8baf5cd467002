/* pen-flame-state.h: how the stacks of samples are looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-flame-diff.h"

G_BEGIN_DECLS

/* A function that is none. */
#define PEN_FLAME_NO_FUNCTION G_MAXUINT32

/*
 * PenFlamePair: two stretches of time that are compared
 * @is_set: FALSE: none are, and the rest is 0
 * @batch: of patches, around which they lie by @rules; 0: they are @windows
 */
typedef struct {
  gboolean is_set;
  guint32 batch;
  PenWindowRules rules;
  PenFlameWindow windows[2];
} PenFlamePair;

/*
 * PenFlameState: not changed once it is shared; by reference. Functions stand for the group that
 * they are merged into, so that they last when frames are grouped otherwise. NULL stands for a new
 * one.
 * @is_inverted: from the innermost frame outwards; of @focus, its callers
 * @is_downwards: the outermost frames are on top, as icicles have it
 * @is_table: a list of rows in place of the picture
 * @is_heat: a heat map of the samples above them
 * @is_chart: stacks in time order in place of the picture, unless two stretches are compared: a row
 *   for each @chart_key
 * @is_as_of: callers and callees are those of the text that the subject had at the playhead: see
 *   pen_flame_state_follows_playhead()
 * @focus: function that the tree begins with, or PEN_FLAME_NO_FUNCTION
 * @lens: function; only stacks through it, with @is_lens_reversed only others; or the same
 * @has_lens_text: only its frames in one text count: of @lens_tenure (0: of any), with
 *   @lens_revision, which @lens_cause brought
 * @hidden: (element-type guint32): functions whose frames are left out
 * @zoom: (element-type guint32): as in PenFlameOptions; of this grouping and order
 * @subject: function whose callers and callees are listed; PEN_FLAME_NO_FUNCTION: that whose code
 * is shown
 * @pair: stacks before and after, in one tree, which does not depend on @zoom
 */
typedef struct {
  PenStackGrouping grouping;
  PenStackMeasure measure;
  PenFlameSort sort;
  gboolean is_inverted;
  gboolean is_downwards;
  gboolean is_table;
  gboolean is_heat;
  gboolean is_chart;
  PenChartKey chart_key;
  gboolean collapses_recursion;
  gboolean is_as_of;
  guint32 focus;
  guint32 lens;
  gboolean is_lens_reversed;
  gboolean has_lens_text;
  guint32 lens_tenure;
  guint32 lens_revision;
  PenCause lens_cause;
  GArray *hidden;
  GArray *zoom;
  guint32 subject;
  PenFlamePair pair;
} PenFlameState;

/* All stacks, by function. */
PenFlameState *pen_flame_state_new (void);
/* One to be changed. @self: (nullable) */
PenFlameState *pen_flame_state_copy (const PenFlameState *self);
/* (nullable) */
PenFlameState *pen_flame_state_ref (PenFlameState *self);
void pen_flame_state_unref (PenFlameState *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFlameState, pen_flame_state_unref)

gboolean pen_flame_pair_equal (const PenFlamePair *a, const PenFlamePair *b);
/* (nullable) both */
gboolean pen_flame_state_equal (const PenFlameState *a, const PenFlameState *b);
/* Whether the same tree of stacks is asked for: they may differ in how it is drawn, and in the
 * subject. */
gboolean pen_flame_state_has_same_tree (const PenFlameState *a, const PenFlameState *b);
/* Whether stacks are shown in time order. @self: (nullable) */
gboolean pen_flame_state_shows_chart (const PenFlameState *self);
/* Whether callers and callees depend on the playhead: not where two stretches are compared, and not
 * of all that an occupant held. @self: (nullable) */
gboolean pen_flame_state_follows_playhead (const PenFlameState *self);
/* The order of the tree that is asked for. */
PenFlameOrder pen_flame_state_get_order (const PenFlameState *self);
void pen_flame_state_set_zoom (PenFlameState *self, const GArray *path);
/* @function: PEN_FLAME_NO_FUNCTION: all stacks */
void pen_flame_state_set_lens (PenFlameState *self, guint32 function, gboolean is_reversed);
/* Of the lens's function, only frames in the text of @version. */
void pen_flame_state_set_lens_text (PenFlameState *self, const PenFlameVersion *version);
/* @windows: stretches chosen by a person, before and after */
void pen_flame_state_compare (PenFlameState *self, const PenFlameWindow windows[2]);
/* @batch: id of a batch of patches */
void pen_flame_state_compare_batch (PenFlameState *self, guint32 batch, PenWindowRules rules);
void pen_flame_state_hide (PenFlameState *self, guint32 function);

/* The choices that last, by commas: "inverted,by-occupant"; "": as at first. Functions and the zoom
 * have no words: their numbers are of one import. @self: (nullable) */
char *pen_flame_state_to_words (const PenFlameState *self);
/* Unknown words are passed over. */
PenFlameState *pen_flame_state_new_from_words (const char *words);

G_END_DECLS
