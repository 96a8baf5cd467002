/* pen-translations.h: the language that a program speaks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Takes the user's locale, and finds the translations beside the program: where PENTIMENTO_LOCALE
 * says, in ../share/locale, or where it was installed. To be called first in main(). Numbers keep
 * their point: tables are read by programs. In the window, GTK takes the locale's (pen-numbers.h).
 */
void pen_translations_init (void);

G_END_DECLS
