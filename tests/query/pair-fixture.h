/* pair-fixture.h: recordings whose differences a test knows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "query-fixture.h"

G_BEGIN_DECLS

/*
 * PairFunction:
 * @module: (nullable): of which module; NULL: of the kernel
 * @samples: spread over the recording
 * @text: (nullable): of the kernel, @length bytes at its start; others are int3, also of the other
 *   functions, once one has a text
 */
typedef struct {
  const char *name;
  const char *module;
  guint samples;
  const guint8 *text;
  gsize length;
} PairFunction;

/* Bytes from one function to the next, and how far modules are from the kernel. */
#define PAIR_STEP 0x100u
#define PAIR_MODULES 0x1f000000ull

/*
 * PairRecording:
 * @base: of the kernel's text; 0: ALPHA
 * @gap: how many steps are before the first function
 * @seconds: from the first sample to the last: these two are of “edge”, in the kernel
 * @event: (nullable): NULL: PEN_TEST_EVENT_CLOCK
 * @all_cpus: a recording of all CPUs
 */
typedef struct {
  guint64 base;
  guint gap;
  double seconds;
  const PenTestEvent *event;
  guint cpus;
  gboolean all_cpus;
  const PairFunction *functions;
  guint n;
} PairRecording;

/* From which time on, ns. */
#define PAIR_START 1000000000ull

/* Where function @index begins. */
guint64 pair_recording_get_address (const PairRecording *self, guint index);
/* Records may be added: they are the kernel's own (event 1). */
PenTestCapture *pair_recording_new_capture (const PairRecording *self);
void pair_recording_import (const PairRecording *self, QueryFixture *fixture);

G_END_DECLS
