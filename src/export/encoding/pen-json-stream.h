/* pen-json-stream.h: JSON, written as it comes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenJsonStream: @cancellable: (nullable): looked at for each 64 KiB; values of an object have a
 * @key, those of an array have NULL. The first error of the stream stops all further writing.
 *
 * A library's generator needs the whole of a document in memory: of a large recording, gigabytes.
 */
typedef struct {
  GOutputStream *stream;
  GCancellable *cancellable;
  GString *text;
  gboolean is_first; /* of its object or array */
  GError *error;
} PenJsonStream;

void pen_json_stream_init (PenJsonStream *self, GOutputStream *stream, GCancellable *cancellable);
void pen_json_stream_clear (PenJsonStream *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenJsonStream, pen_json_stream_clear)

void pen_json_stream_begin (PenJsonStream *self, const char *key, char bracket);
void pen_json_stream_end (PenJsonStream *self, char bracket);

/* @text: (nullable): any bytes; made visible where they are no text */
void pen_json_stream_text (PenJsonStream *self, const char *key, const char *text);
void pen_json_stream_number (PenJsonStream *self, const char *key, gint64 value);
void pen_json_stream_unsigned (PenJsonStream *self, const char *key, guint64 value);
/* @ns as milliseconds, exactly */
void pen_json_stream_milliseconds (PenJsonStream *self, const char *key, guint64 ns);
void pen_json_stream_boolean (PenJsonStream *self, const char *key, gboolean value);
void pen_json_stream_null (PenJsonStream *self, const char *key);
/* An array with @n times the same @literal. */
void pen_json_stream_repeat (PenJsonStream *self, const char *key, const char *literal, guint64 n);

/* Is it not stopped? */
gboolean pen_json_stream_goes_on (PenJsonStream *self, GError **error);
/* Writes what is left. */
gboolean pen_json_stream_finish (PenJsonStream *self, GError **error);

G_END_DECLS
