/* pen-pair-key.h: the same function in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-programs.h"
#include "pen-query-pair.h"

G_BEGIN_DECLS

/*
 * PenPairKey: by which a function is found in another recording
 * @key: the whole of it: functions with one key are the same
 * @occupant, @symbol: the parts that are shown; @symbol is empty where there is none
 */
typedef struct {
  GString *key;
  GString *occupant;
  GString *symbol;
} PenPairKey;

void pen_pair_key_init (PenPairKey *self);
void pen_pair_key_clear (PenPairKey *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenPairKey, pen_pair_key_clear)

/* @programs: of the recording that has @function */
void pen_pair_key_set (PenPairKey *self, const PenFunction *function,
                       const PenPairPrograms *programs);
/* The same of what a row has. @symbol: (nullable) */
void pen_pair_key_set_words (PenPairKey *self, PenKind kind, const char *occupant,
                             const char *symbol);

G_END_DECLS
