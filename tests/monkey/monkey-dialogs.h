/* monkey-dialogs.h: dialogs of files, which never get a key or a click of the monkey's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "monkey-acts.h"

G_BEGIN_DECLS

/* One that opens is answered, with a file in the monkey's place or with none. */
void monkey_watch_dialogs (Monkey *monkey);

G_END_DECLS
