/* pen-list-book.h: the kernel's lists of users of its text, kept each time that they are read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record-lack.h"

G_BEGIN_DECLS

/* PenListBook: DIRECTORY/pentimento/lists (docs/recording.md), of bounded size. */
typedef struct _PenListBook PenListBook;

PenListBook *pen_list_book_new (const char *directory);
/* @lacks: (element-type PenRecordLack): one more, if not everything is in it */
void pen_list_book_close (PenListBook *self, GPtrArray *lacks);

/*
 * pen_list_book_may_add: whether lists may be read at @now (ns) already
 *
 * That takes at most a hundredth of a CPU, and is done ten times a second: what was not used can be
 * made up for, a few times.
 */
gboolean pen_list_book_may_add (PenListBook *self, guint64 now);

/* Nothing more can be added: it is full, or could not be written. */
gboolean pen_list_book_is_over (PenListBook *self);

/* Reads the lists, and adds them; of one that is as it was before, that, once a second.
 */
void pen_list_book_add (PenListBook *self);

G_END_DECLS
