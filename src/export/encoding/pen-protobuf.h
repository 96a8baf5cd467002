/* pen-protobuf.h: messages of Protocol Buffers, as far as profile.proto needs them
 *
 * Two of the wire format's types occur there: varints, and bytes with their length
 * (https://protobuf.dev/programming-guides/encoding/). These are a few lines; libprotobuf-c would
 * need a compiler of its own at build time and its runtime in every package, and keep a message
 * object for each sample, where here each is written and forgotten.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void pen_protobuf_append_varint (GByteArray *message, guint64 value);
/* A value of 0 is a field's default, and is not written. */
void pen_protobuf_append_number (GByteArray *message, guint field, guint64 value);
void pen_protobuf_append_bytes (GByteArray *message, guint field, const guint8 *bytes,
                                gsize length);
/* Numbers one after the other, packed; zeros too. */
void pen_protobuf_append_numbers (GByteArray *message, guint field, const guint64 *values, guint n);
/* @inner, which is empty afterwards. */
void pen_protobuf_append_message (GByteArray *message, guint field, GByteArray *inner);

G_END_DECLS
