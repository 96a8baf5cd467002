/* pen-line-book.h: from which lines functions were made, until it is written
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

G_BEGIN_DECLS

/* Lines of all functions together; further ones are left out. */
#define PEN_LINE_BOOK_MAX (2u << 20)

typedef struct _PenLineBook PenLineBook;

PenLineBook *pen_line_book_new (void);
void pen_line_book_free (PenLineBook *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLineBook, pen_line_book_free)

/* Begins the page of a function: what follows is about its code from @start on. @tenure: as
 * in PenFunctionLines */
void pen_line_book_begin (PenLineBook *self, guint32 function, guint32 tenure, guint64 start);

/*
 * pen_line_book_add:
 * @address: rising
 * @file: (nullable): as the compiler was called; NULL: no line is known
 * @call: number of the call that brought the code, as pen_line_book_add_call() gave it; 0: none
 */
void pen_line_book_add (PenLineBook *self, guint64 address, const char *file, guint line,
                        guint call);

/*
 * pen_line_book_add_call:
 * @name: as the linker knows it
 * @outer: number of the call that this one stands in
 *
 * Returns: its number on this page; 0: there is no room
 */
guint pen_line_book_add_call (PenLineBook *self, const char *name, const char *file, guint line,
                              guint outer);

/* Adds the pages of @other, which is freed. */
void pen_line_book_append (PenLineBook *self, PenLineBook *other);

gboolean pen_line_book_write (PenLineBook *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
