/* pen-stack-labels.h: frames as the words that folded stacks are made of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-stack-index.h"

G_BEGIN_DECLS

/*
 * PenStackLabels: equal words are one number
 * @words: (element-type char *): by number; the first is that of callers that were not recorded
 * @of_function: the number of each function; or of each frame and bucket, where an offset or a
 *   version is in the words
 * @of_thread: the number of each thread's comm in @comms, which begins with number 0
 */
typedef struct {
  GPtrArray *words;
  guint32 *of_function;
  guint32 *of_frame;
  guint32 *of_bucket;
  GPtrArray *comms;
  guint32 *of_thread;
} PenStackLabels;

/* @suffixes: PEN_FOLD_…
 * @is_folded: for a line of folded stacks: spaces in comm are _, a ; is :, control characters are
 * escaped
 *
 * Cost: with an offset or version, one text for each frame and bucket. */
PenStackLabels *pen_stack_labels_new (PenStackIndex *index, PenStackGrouping grouping,
                                      guint suffixes, gboolean is_folded, GError **error);
void pen_stack_labels_free (PenStackLabels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackLabels, pen_stack_labels_free)

G_END_DECLS
