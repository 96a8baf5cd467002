/* pair-code.h: two recordings of functions whose code a test writes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pair-fixture.h"
#include "pen-query-pair.h"

G_BEGIN_DECLS

#define PAIR_CODE_FUNCTIONS 8u

/*
 * PairCode: a recording of functions “alpha”, “beta” … with 20 samples each
 * @has_kernel_text: as the cache has it, also of functions without samples
 * @add_records: (nullable): the kernel's own, see pair_recording_new_capture()
 */
typedef struct _PairCode PairCode;
struct _PairCode {
  GByteArray *bytes[PAIR_CODE_FUNCTIONS];
  PairFunction functions[PAIR_CODE_FUNCTIONS];
  PairRecording recording;
  gboolean has_kernel_text;
  void (*add_records) (const PairCode *self, PenTestCapture *capture);
};

guint64 pair_code_get_address (const PairCode *self, guint function);

void pair_code_put (PairCode *self, guint function, const char *bytes, guint n);
/* @opcode, then the distance to @target from after the instruction. */
void pair_code_put_relative (PairCode *self, guint function, const char *opcode, guint n,
                             guint64 target);

#define PAIR_CODE_NOP "\x0f\x1f\x44\x00\x00"

/* At the function's entry, what ftrace would patch; then a bit of everything that moves. */
void pair_code_put_usual (PairCode *self, guint function);

typedef struct {
  PairCode codes[2];
  QueryFixture fixtures[2];
  PenPairSource sources[2];
  PenPairs *pairs;
} CodePair;

/* Of other addresses in B. */
void code_pair_init (CodePair *pair);
/* Each function gets a return at its end. */
void code_pair_ask (CodePair *pair);
void code_pair_clear (CodePair *pair);

/* Returns: (nullable) */
const PenPairRow *code_pair_find (const CodePair *pair, const char *symbol);

G_END_DECLS
