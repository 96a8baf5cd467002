/* monkey-acts.h: all that the monkey does
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-test-growing.h"
#include "monkey-hands.h"
#include "pen-application.h"

G_BEGIN_DECLS

typedef struct {
  PenApplication *application;
  MonkeyHands *hands;
  const char *place;
  GPtrArray *captures; /* (element-type filename) */
  guint n_whole;       /* of them, the first ones */
  guint32 seed;
  guint n;                 /* actions so far */
  gboolean in_dialog;      /* of files, which it leaves by itself */
  PenTestGrowing *growing; /* (nullable): a recording that is being made */
  double grown;            /* its share that was written, from 0 to 1 */
} Monkey;

/* Does action number @monkey->n of the seed, prints it, and leaves to the hands what they are to
 * do. Returns: how long to wait after it, in milliseconds */
guint monkey_act (Monkey *monkey);

G_END_DECLS
