/* pen-test-bytes.h: bytes written in both byte orders at once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* [FALSE]: as a little-endian machine writes them; [TRUE]: as a big-endian one does. */
typedef struct {
  GByteArray *order[2];
} PenTestBytes;

PenTestBytes *pen_test_bytes_new (void);
void pen_test_bytes_free (PenTestBytes *self);

guint pen_test_bytes_get_length (PenTestBytes *self);

void pen_test_bytes_u16 (PenTestBytes *self, guint16 value);
void pen_test_bytes_u32 (PenTestBytes *self, guint32 value);
void pen_test_bytes_u64 (PenTestBytes *self, guint64 value);

/* 64 one-bit fields: bit n of @value is the n-th of them. */
void pen_test_bytes_bits (PenTestBytes *self, guint64 value);

void pen_test_bytes_raw (PenTestBytes *self, gconstpointer data, gsize length);
void pen_test_bytes_append (PenTestBytes *self, PenTestBytes *other);
void pen_test_bytes_zeros (PenTestBytes *self, gsize length);

/* A string with its NUL, and zeros up to the next multiple of @alignment of the string alone. */
void pen_test_bytes_name (PenTestBytes *self, const char *name, guint alignment);

/* As features hold strings: u32 length, rounded up to 64, and the padded string. */
void pen_test_bytes_string (PenTestBytes *self, const char *string);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTestBytes, pen_test_bytes_free)

G_END_DECLS
