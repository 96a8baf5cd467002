/* monkey-acts.h: all that the monkey does
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

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
  guint n;            /* actions so far */
  gboolean in_dialog; /* of files, which it leaves by itself */
} Monkey;

/* Does action number @monkey->n of the seed, prints it, and leaves to the hands what they are to
 * do. Returns: how long to wait after it, in milliseconds */
guint monkey_act (Monkey *monkey);
/* Dialogs of files never get a key or a click: one that opens is answered, with a file in the
 * monkey's place or with none. */
void monkey_watch_dialogs (Monkey *monkey);

G_END_DECLS
