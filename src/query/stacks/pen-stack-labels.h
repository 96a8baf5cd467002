/* pen-stack-labels.h: frames as the words that folded stacks are made of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-stack-index.h"

G_BEGIN_DECLS

/*
 * PenStackLabel: what has a number
 * @group: of the grouping
 * @address: in the kernel's space as recorded, in a file that has symbols as in the file: of the
 *   first place. None where the words are of functions
 */
typedef struct {
  guint32 group;
  gboolean has_address;
  guint64 address;
} PenStackLabel;

/*
 * PenStackLabels: equal words are one number
 * @words: (element-type char *): by number; the first is that of callers that were not recorded
 * @labels: (element-type PenStackLabel): by number: the first that had the word
 * @of_function: the number of each function; or of each frame and bucket, where an offset or a
 *   version is in the words
 * @of_thread: the number of each thread's comm in @comms, which begins with number 0
 */
typedef struct {
  GPtrArray *words;
  GArray *labels;
  guint32 *of_function;
  guint32 *of_frame;
  guint32 *of_bucket;
  GPtrArray *comms;
  guint32 *of_thread;
} PenStackLabels;

typedef enum {
  PEN_STACK_WORDS_PLAIN,
  PEN_STACK_WORDS_FOLDED,   /* for a line of folded stacks: spaces in comm are _, a ; is :, control
                               characters are escaped */
  PEN_STACK_WORDS_DISTINCT, /* the same word of two groups is two numbers; with an offset, of two
                               addresses, too */
} PenStackWords;

/* @suffixes: PEN_FOLD_…
 *
 * Cost: with an offset, version or cause, one text for each frame and bucket; with a cause that of
 * pen_stack_versions_new(), too. */
PenStackLabels *pen_stack_labels_new (PenStackIndex *index, PenStackGrouping grouping,
                                      guint suffixes, PenStackWords words, GError **error);
void pen_stack_labels_free (PenStackLabels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackLabels, pen_stack_labels_free)

G_END_DECLS
