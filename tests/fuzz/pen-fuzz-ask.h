/* pen-fuzz-ask.h: every question there is, put to a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

#define PEN_FUZZ_QUESTIONS 6u

/*
 * pen_fuzz_ask:
 * @choice: any number: which of PEN_FUZZ_QUESTIONS is asked; in a replay all are
 *
 * Answers and errors are both fine; a failure without an error is not.
 */
void pen_fuzz_ask (PenStore *store, guint choice);

/* For a store that an import just made: there must be no errors, and counts agree. */
void pen_fuzz_check_import (PenStore *store);

G_END_DECLS
