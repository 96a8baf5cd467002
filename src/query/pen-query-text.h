/* pen-query-text.h: text as of a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-query.h"
#include "pen-store-text.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* The part that one tenure held: of a symbol, where that is known. @tenure: its id is 0 where
 * nothing is known there. Strings are owned by the store. */
typedef struct {
  guint64 start;
  guint64 end;
  PenTenure tenure;
  const char *symbol; /* or NULL */
  guint64 symbol_start;
  guint first_line;
  guint end_line;
} PenTextStretch;

/*
 * PenTextAt: a range of the kernel's addresses as it was just before @moment
 * @stretches: (element-type PenTextStretch): by address; all of the range
 * @lines: (element-type PenAnnotationLine): by address. @offset is from the start of the symbol, or
 *   else of the stretch; @from and @to tell since and until when all bytes of a line were as they
 *   are. The first of a stretch may begin before it. A line without bytes stands for those that are
 *   not known. Versions, revisions and samples are not counted
 * @bytes, @known: @end - @start of them; @known: 1 where a byte is known
 * @kernel_text: whether the core kernel's text beside the store could be asked
 */
typedef struct {
  guint64 start;
  guint64 end;
  PenMoment moment;
  GArray *stretches;
  GPtrArray *lines;
  guint8 *bytes;
  guint8 *known;
  PenStoreKernelText kernel_text;
} PenTextAt;

void pen_text_at_free (PenTextAt *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTextAt, pen_text_at_free)

/*
 * pen_query_text_at:
 * @start, @end: at most PEN_ANNOTATION_MAX bytes
 * @tenure: what this one held of it; 0: whoever
 *
 * Cost: the range, the tenures in it, and a few searches for each site in it that was poked,
 * however often that was.
 */
PenTextAt *pen_query_text_at (PenQuery *self, guint64 start, guint64 end, guint32 tenure,
                              PenMoment moment, PenSyntax syntax, GError **error);

/*
 * pen_text_at_find_span:
 * @from, @to: (out): the stretch around the moment of @text in which no byte of its range changed,
 *   nor who held it
 */
gboolean pen_text_at_find_span (const PenTextAt *text, PenStore *store, PenMoment *from,
                                PenMoment *to, GError **error);

/*
 * pen_query_find_instruction_end:
 * @address: of the kernel's space; below G_MAXUINT64
 * @end: (out): where the instruction that begins there ends, the longest that ever stood there; the
 *   next byte where its bytes are not known
 *
 * Cost: its function, once for each tenure that held it.
 */
gboolean pen_query_find_instruction_end (PenQuery *self, guint64 address, guint64 *end,
                                         GError **error);

/* Some code that stood somewhere at a moment. */
typedef struct {
  guint64 start;
  guint64 end;
  guint32 tenure;
} PenTextRange;

/*
 * pen_query_find_text:
 * @target: SYMBOL, SYMBOL+OFFSET (from there on), or "0x…" (the whole symbol that held it, unless
 *   @length is given)
 * @length: bytes; 0: to the symbol's end
 *
 * Functions of that name just before @moment, also those without samples or changes.
 * Returns: (transfer full) (element-type PenTextRange): not empty
 */
GArray *pen_query_find_text (PenQuery *self, const char *target, guint64 length, PenMoment moment,
                             GError **error);

/* @at: for pen_query_parse_moment() */
gboolean pen_query_write_text (PenQuery *self, const char *target, guint64 length, const char *at,
                               PenSyntax syntax, PenTableWriter *writer, GError **error);
/* The bytes themselves, one range after the other. Fails where one is not known. */
gboolean pen_query_write_bytes (PenQuery *self, const char *target, guint64 length, const char *at,
                                GOutputStream *stream, GError **error);

G_END_DECLS
