/* pen-pasted-trace.h: places as kernels and tools print them: one, or those of a whole oops or
 * trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PEN_PASTED_LINE_MAX 4096u
#define PEN_PASTED_PLACES_MAX 500u

/*
 * PenPastedPlace:
 * @text: as written, without what a log puts before it
 * @symbol: (nullable)
 * @owner: (nullable): what stands after it in brackets, without them: a module, program or file;
 *   NULL: nothing does, or the core kernel
 * @offset: with @has_offset
 * @size: of the function, as the kernel states it (symbol+0x1c/0x310), with @has_size
 * @address: with @has_address
 * @is_user: in user space, as far as the text says so
 * @is_unreliable: with a question mark: found on the stack, perhaps not a frame
 * @line: from 1
 */
typedef struct {
  char *text;
  char *symbol;
  char *owner;
  gboolean has_offset;
  guint64 offset;
  gboolean has_size;
  guint64 size;
  gboolean has_address;
  guint64 address;
  gboolean is_user;
  gboolean is_unreliable;
  guint line;
} PenPastedPlace;

/*
 * PenPastedTrace:
 * @places: (element-type PenPastedPlace): in the order of the text
 * @time: ns, of the first line with a stamp of the kernel's log or of perf, with @has_time
 * @is_cut: there are more places than are kept
 */
typedef struct {
  GPtrArray *places;
  gboolean has_time;
  guint64 time;
  gboolean is_cut;
} PenPastedTrace;

/* @text: any bytes. Lines without a place are passed over. */
PenPastedTrace *pen_pasted_trace_new (const char *text);
void pen_pasted_trace_free (PenPastedTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPastedTrace, pen_pasted_trace_free)

/* One place, as typed: also a bare name, and addresses of any length after 0x. Returns: (transfer
 * full) (nullable): NULL: it is none */
PenPastedPlace *pen_pasted_place_new (const char *text);
void pen_pasted_place_free (PenPastedPlace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPastedPlace, pen_pasted_place_free)

G_END_DECLS
