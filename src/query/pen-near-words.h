/* pen-near-words.h: what a person may have meant who wrote a word that is not there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenNearWords: those of the words that were offered which a slip of the finger, or a part of a
 * name, may have meant.
 */
typedef struct _PenNearWords PenNearWords;

PenNearWords *pen_near_words_new (const char *written);
void pen_near_words_free (PenNearWords *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenNearWords, pen_near_words_free)

/* @weight: of those that are equally near, the one that weighs more comes first
 * Cost: the product of the two lengths; of words of more than 128 bytes none. */
void pen_near_words_offer (PenNearWords *self, const char *word, guint64 weight);

/* At most five, nearest first, with commas between; each once. NULL: none is near. */
char *pen_near_words_list (PenNearWords *self);

G_END_DECLS
