/* pen-rust-reader.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-rust-reader.h"

#include <string.h>

#include "pen-punycode.h"

/* The deepest of real names are some dozens deep. */
#define MAX_DEPTH 250
#define MAX_STEPS 65536
#define MAX_LIFETIMES 1024

void
pen_rust_fail (PenRustReader *self)
{
  self->is_bad = TRUE;
  self->at = self->end;
}

void
pen_rust_print_length (PenRustReader *self, const char *text, gsize length)
{
  if (self->is_silent || self->is_bad)
    return;

  if (length > self->max_shown - self->text->len)
    pen_rust_fail (self);
  else
    g_string_append_len (self->text, text, (gssize) length);
}

void
pen_rust_print (PenRustReader *self, const char *text)
{
  pen_rust_print_length (self, text, strlen (text));
}

void
pen_rust_print_number (PenRustReader *self, guint64 number)
{
  char digits[24];

  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, number);
  pen_rust_print (self, digits);
}

void
pen_rust_print_character (PenRustReader *self, gunichar character)
{
  char bytes[6];

  pen_rust_print_length (self, bytes, (gsize) g_unichar_to_utf8 (character, bytes));
}

char
pen_rust_peek (PenRustReader *self)
{
  return self->at < self->end ? *self->at : '\0';
}

gboolean
pen_rust_eat (PenRustReader *self, char what)
{
  if (self->at >= self->end || *self->at != what)
    return FALSE;

  self->at++;

  return TRUE;
}

char
pen_rust_take (PenRustReader *self)
{
  if (self->at >= self->end) {
    pen_rust_fail (self);
    return '\0';
  }

  return *self->at++;
}

/* Every production that may hold others is entered through this. */
gboolean
pen_rust_enter (PenRustReader *self)
{
  if (self->is_bad || self->depth >= MAX_DEPTH || self->steps >= MAX_STEPS) {
    pen_rust_fail (self);
    return FALSE;
  }

  self->depth++;
  self->steps++;

  return TRUE;
}

void
pen_rust_leave (PenRustReader *self)
{
  self->depth--;
}

/* "_" is 0, "0_" is 1 */
guint64
pen_rust_take_base62 (PenRustReader *self)
{
  guint64 number = 0;

  if (pen_rust_eat (self, '_'))
    return 0;

  while (!pen_rust_eat (self, '_')) {
    char c = pen_rust_take (self);
    guint digit;

    if (g_ascii_isdigit (c))
      digit = (guint) (c - '0');
    else if (g_ascii_islower (c))
      digit = 10u + (guint) (c - 'a');
    else if (g_ascii_isupper (c))
      digit = 36u + (guint) (c - 'A');
    else {
      pen_rust_fail (self);
      return 0;
    }
    if (number > (G_MAXUINT64 - 62) / 62 - 1) {
      pen_rust_fail (self);
      return 0;
    }
    number = number * 62 + digit;
  }

  return number + 1;
}

/* 0 where @tag does not stand. */
guint64
pen_rust_take_optional (PenRustReader *self, char tag)
{
  return pen_rust_eat (self, tag) ? pen_rust_take_base62 (self) + 1 : 0;
}

/* ---- identifiers ---- */

PenRustIdentifier
pen_rust_take_identifier (PenRustReader *self)
{
  PenRustIdentifier identifier = { .is_punycode = pen_rust_eat (self, 'u') };
  gsize length = 0;

  if (!g_ascii_isdigit (pen_rust_peek (self)))
    pen_rust_fail (self);
  else if (!pen_rust_eat (self, '0'))
    while (g_ascii_isdigit (pen_rust_peek (self)) && length < 65536)
      length = length * 10 + (gsize) (pen_rust_take (self) - '0');
  pen_rust_eat (self, '_');

  if (self->is_bad || length > (gsize) (self->end - self->at)) {
    pen_rust_fail (self);
    return identifier;
  }
  identifier.bytes = self->at;
  identifier.length = length;
  self->at += length;

  return identifier;
}

void
pen_rust_print_identifier (PenRustReader *self, const PenRustIdentifier *identifier)
{
  gunichar points[PEN_PUNYCODE_MAX];
  guint n;

  if (self->is_bad || identifier->length == 0)
    return;

  if (!identifier->is_punycode)
    pen_rust_print_length (self, identifier->bytes, identifier->length);
  else if (pen_punycode_decode (identifier->bytes, identifier->length, points, &n))
    for (guint i = 0; i < n; i++)
      pen_rust_print_character (self, points[i]);
  else {
    pen_rust_print (self, "punycode{");
    pen_rust_print_length (self, identifier->bytes, identifier->length);
    pen_rust_print (self, "}");
  }
}

/* ---- lifetimes ---- */

void
pen_rust_print_lifetime (PenRustReader *self, guint64 index)
{
  guint64 number;

  if (index == 0) {
    pen_rust_print (self, "'_");
    return;
  }
  if (index > self->lifetimes) {
    pen_rust_fail (self);
    return;
  }

  number = self->lifetimes - index;
  pen_rust_print (self, "'");
  if (number < 26)
    pen_rust_print_character (self, (gunichar) ('a' + number));
  else {
    pen_rust_print (self, "_");
    pen_rust_print_number (self, number);
  }
}

void
pen_rust_print_binder (PenRustReader *self)
{
  guint64 n = pen_rust_take_optional (self, 'G');

  if (n > MAX_LIFETIMES || self->lifetimes > MAX_LIFETIMES)
    pen_rust_fail (self);
  if (n == 0 || self->is_bad)
    return;

  pen_rust_print (self, "for<");
  for (guint64 i = 0; i < n; i++) {
    if (i > 0)
      pen_rust_print (self, ", ");
    self->lifetimes++;
    pen_rust_print_lifetime (self, 1);
  }
  pen_rust_print (self, "> ");
}
