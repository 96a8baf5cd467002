/* pen-numbers.h: numbers for people, in the form of the locale, and for programs, in one form
 *
 * The window has the locale's decimal mark and groups of digits (LC_NUMERIC, which GTK sets); the
 * command line has LC_NUMERIC of "C". What is read by programs is written within
 * pen_numbers_begin_plain(): also in the window it has a point, and no groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "." or ",": what printf() puts between the whole and the fraction. */
const char *pen_numbers_get_mark (void);
/* Between groups of three digits: a narrow space where the locale has nothing. */
const char *pen_numbers_get_group (void);

typedef gpointer PenNumbers;

/* Of this thread, until pen_numbers_end_plain() with what it returned. */
PenNumbers pen_numbers_begin_plain (void);
void pen_numbers_end_plain (PenNumbers before);

G_END_DECLS
