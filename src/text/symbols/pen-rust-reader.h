/* pen-rust-reader.h: characters, numbers and identifiers of Rust's scheme v0, and what is printed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenRustReader: reads a name and prints what it means. When something fails, is_bad is set, and
 * nothing else moves any more.
 */
typedef struct {
  const char *start; /* behind "_R": what numbers of places count from */
  const char *at;
  const char *end;
  GString *text;
  gsize max_shown;
  guint64 lifetimes; /* that binders around here have named */
  guint depth;
  guint steps;
  gboolean is_silent; /* read, but not shown */
  gboolean is_bad;
} PenRustReader;

void pen_rust_fail (PenRustReader *self);

/* Nothing is printed beyond max_shown: that fails. */
void pen_rust_print (PenRustReader *self, const char *text);
void pen_rust_print_length (PenRustReader *self, const char *text, gsize length);
void pen_rust_print_number (PenRustReader *self, guint64 number);
void pen_rust_print_character (PenRustReader *self, gunichar character);

/* What comes next; '\0' at the end. */
char pen_rust_peek (PenRustReader *self);
gboolean pen_rust_eat (PenRustReader *self, char what);
/* Fails at the end. */
char pen_rust_take (PenRustReader *self);

/* Every production that may hold others is entered through this, which bounds depth and work.
 * Returns: FALSE: it failed; else leave it */
gboolean pen_rust_enter (PenRustReader *self);
void pen_rust_leave (PenRustReader *self);

/* "_" is 0, "0_" is 1 */
guint64 pen_rust_take_base62 (PenRustReader *self);
/* 0 where @tag does not stand. */
guint64 pen_rust_take_optional (PenRustReader *self, char tag);

typedef struct {
  const char *bytes;
  gsize length;
  gboolean is_punycode;
} PenRustIdentifier;

PenRustIdentifier pen_rust_take_identifier (PenRustReader *self);
void pen_rust_print_identifier (PenRustReader *self, const PenRustIdentifier *identifier);

/* @index: counted from the innermost; 0: one without a name */
void pen_rust_print_lifetime (PenRustReader *self, guint64 index);
/* "for<'a, 'b> ", if one stands there */
void pen_rust_print_binder (PenRustReader *self);

G_END_DECLS
