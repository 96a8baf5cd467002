/* pen-tracepoint.h: the payload of a tracepoint as text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PenTracepoint PenTracepoint;

/*
 * pen_tracepoint_new:
 * @system: "sched", "module" …
 * @format: the text of tracefs's file `format`; of it only the fields count, each checked: what is
 *   to be printed how (print fmt) is a program, and not run
 * @big_endian, @long_size: of the machine that recorded
 *
 * Returns: NULL with G_IO_ERROR_INVALID_DATA where the format has no name or no field
 */
PenTracepoint *pen_tracepoint_new (const char *system, const char *format, gboolean big_endian,
                                   guint long_size, GError **error);
void pen_tracepoint_free (PenTracepoint *self);

/*
 * pen_tracepoint_decode:
 * @payload: @n bytes as recorded; what a field would have beyond them is shown as "?"
 *
 * Returns: (transfer full): "field=value field=value": numbers in decimal, pointers in hexadecimal,
 *   arrays in braces, text in quotation marks where it has blanks. Control characters and what is
 *   not UTF-8 are escaped. Fields that all tracepoints have in common are left out.
 */
char *pen_tracepoint_decode (PenTracepoint *self, const guint8 *payload, gsize n);

/* The text of a field, as recorded. Returns: (transfer full): NULL if there is no such field or it
 * is no text, or it is not within the payload. */
char *pen_tracepoint_get_string (PenTracepoint *self, const char *field, const guint8 *payload,
                                 gsize n);

/* A field that is a number. Returns: FALSE if there is no such field, or it is not within the
 * payload. */
gboolean pen_tracepoint_get_number (PenTracepoint *self, const char *field, const guint8 *payload,
                                    gsize n, guint64 *number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTracepoint, pen_tracepoint_free)

G_END_DECLS
