/* pen-rust-name.c
 *
 * libiberty reads this scheme, too, and is not used for it: it goes through what it does not print
 * all the same, so that "_RMIC1aFGzzzzzzzzz_EuEu" keeps it busy for months (a binder of more than
 * 62^8 lifetimes, in a path that is left out). Here each step is counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-rust-name.h"

#include <string.h>

#include "pen-rust-reader.h"

/* Productions of the grammar are functions, named after what they print. */
static void print_path (PenRustReader *self, gboolean is_value);
static void print_type (PenRustReader *self);
static void print_const (PenRustReader *self);

/* ---- what stood there before ---- */

typedef void (*PrintFunc) (PenRustReader *self, gpointer data);

/* Behind the 'B'. */
static void
print_back (PenRustReader *self, PrintFunc func, gpointer data)
{
  const char *here = self->at;
  guint64 place = pen_rust_take_base62 (self);
  const char *after = self->at;

  if (self->is_bad || place >= (guint64) (here - self->start) - 1) {
    pen_rust_fail (self);
    return;
  }
  if (self->is_silent || !pen_rust_enter (self))
    return;

  self->at = self->start + place;
  func (self, data);
  pen_rust_leave (self);
  if (!self->is_bad)
    self->at = after;
}

static void
print_back_path (PenRustReader *self, gpointer data)
{
  print_path (self, *(gboolean *) data);
}

static void
print_back_type (PenRustReader *self, G_GNUC_UNUSED gpointer data)
{
  print_type (self);
}

static void
print_back_const (PenRustReader *self, G_GNUC_UNUSED gpointer data)
{
  print_const (self);
}

/* ---- paths ---- */

static void
print_generic_argument (PenRustReader *self)
{
  if (pen_rust_eat (self, 'L'))
    pen_rust_print_lifetime (self, pen_rust_take_base62 (self));
  else if (pen_rust_eat (self, 'K'))
    print_const (self);
  else
    print_type (self);
}

/* Up to the 'E'. Returns: how many there were */
static guint
print_list (PenRustReader *self, void (*func) (PenRustReader *self), const char *separator)
{
  guint n = 0;

  for (; !self->is_bad && !pen_rust_eat (self, 'E'); n++) {
    if (n > 0)
      pen_rust_print (self, separator);
    func (self);
  }

  return n;
}

static void
print_nested (PenRustReader *self, gboolean is_value)
{
  char space = pen_rust_take (self);
  PenRustIdentifier name;
  guint64 number;

  if (!g_ascii_isalpha (space)) {
    pen_rust_fail (self);
    return;
  }
  print_path (self, is_value);
  number = pen_rust_take_optional (self, 's');
  name = pen_rust_take_identifier (self);

  if (g_ascii_islower (space)) {
    if (name.length > 0)
      pen_rust_print (self, "::");
    pen_rust_print_identifier (self, &name);
    return;
  }

  pen_rust_print (self, "::{");
  if (space == 'C')
    pen_rust_print (self, "closure");
  else if (space == 'S')
    pen_rust_print (self, "shim");
  else
    pen_rust_print_length (self, &space, 1);
  if (name.length > 0)
    pen_rust_print (self, ":");
  pen_rust_print_identifier (self, &name);
  pen_rust_print (self, "#");
  pen_rust_print_number (self, number);
  pen_rust_print (self, "}");
}

static void
skip_impl_path (PenRustReader *self)
{
  gboolean was_silent = self->is_silent;

  pen_rust_take_optional (self, 's');
  self->is_silent = TRUE;
  print_path (self, FALSE);
  self->is_silent = was_silent;
}

static void
print_crate (PenRustReader *self)
{
  PenRustIdentifier name;

  pen_rust_take_optional (self, 's');
  name = pen_rust_take_identifier (self);
  pen_rust_print_identifier (self, &name);
}

static void
print_path (PenRustReader *self, gboolean is_value)
{
  char tag;

  if (!pen_rust_enter (self))
    return;

  tag = pen_rust_take (self);
  switch (tag) {
  case 'C':
    print_crate (self);
    break;
  case 'N':
    print_nested (self, is_value);
    break;
  case 'M':
  case 'X':
  case 'Y':
    if (tag != 'Y')
      skip_impl_path (self);
    pen_rust_print (self, "<");
    print_type (self);
    if (tag != 'M') {
      pen_rust_print (self, " as ");
      print_path (self, FALSE);
    }
    pen_rust_print (self, ">");
    break;
  case 'I':
    print_path (self, is_value);
    pen_rust_print (self, is_value ? "::<" : "<");
    print_list (self, print_generic_argument, ", ");
    pen_rust_print (self, ">");
    break;
  case 'B':
    print_back (self, print_back_path, &is_value);
    break;
  default:
    pen_rust_fail (self);
  }
  pen_rust_leave (self);
}

/* ---- types ---- */

static const char *
get_basic_type (char tag)
{
  static const char *const names[26] = {
    ['a' - 'a'] = "i8",    ['b' - 'a'] = "bool", ['c' - 'a'] = "char", ['d' - 'a'] = "f64",
    ['e' - 'a'] = "str",   ['f' - 'a'] = "f32",  ['h' - 'a'] = "u8",   ['i' - 'a'] = "isize",
    ['j' - 'a'] = "usize", ['l' - 'a'] = "i32",  ['m' - 'a'] = "u32",  ['n' - 'a'] = "i128",
    ['o' - 'a'] = "u128",  ['p' - 'a'] = "_",    ['s' - 'a'] = "i16",  ['t' - 'a'] = "u16",
    ['u' - 'a'] = "()",    ['v' - 'a'] = "...",  ['x' - 'a'] = "i64",  ['y' - 'a'] = "u64",
    ['z' - 'a'] = "!",
  };

  return g_ascii_islower (tag) ? names[tag - 'a'] : NULL;
}

static void
print_reference (PenRustReader *self, gboolean is_mutable)
{
  pen_rust_print (self, "&");
  if (pen_rust_eat (self, 'L')) {
    guint64 lifetime = pen_rust_take_base62 (self);

    if (lifetime != 0) {
      pen_rust_print_lifetime (self, lifetime);
      pen_rust_print (self, " ");
    }
  }
  if (is_mutable)
    pen_rust_print (self, "mut ");
  print_type (self);
}

static void
print_abi (PenRustReader *self)
{
  PenRustIdentifier abi = { "C", 1, FALSE };

  if (!pen_rust_eat (self, 'C'))
    abi = pen_rust_take_identifier (self);

  pen_rust_print (self, "extern \"");
  for (gsize i = 0; !self->is_bad && i < abi.length; i++)
    pen_rust_print_length (self, abi.bytes[i] == '_' ? "-" : &abi.bytes[i], 1);
  pen_rust_print (self, "\" ");
}

static void
print_function_type (PenRustReader *self)
{
  guint64 lifetimes = self->lifetimes;

  pen_rust_print_binder (self);
  if (pen_rust_eat (self, 'U'))
    pen_rust_print (self, "unsafe ");
  if (pen_rust_eat (self, 'K'))
    print_abi (self);
  pen_rust_print (self, "fn(");
  print_list (self, print_type, ", ");
  pen_rust_print (self, ")");
  if (!pen_rust_eat (self, 'u')) {
    pen_rust_print (self, " -> ");
    print_type (self);
  }
  self->lifetimes = lifetimes;
}

static gboolean print_open_path (PenRustReader *self);

static void
print_back_open (PenRustReader *self, gpointer data)
{
  *(gboolean *) data = print_open_path (self);
}

/* A trait's associated types are shown among its arguments. Returns: TRUE if "<" was shown, and its
 * ">" is to come */
static gboolean
print_open_path (PenRustReader *self)
{
  gboolean is_open = FALSE;

  if (!pen_rust_enter (self))
    return FALSE;

  if (pen_rust_eat (self, 'B'))
    print_back (self, print_back_open, &is_open);
  else if (pen_rust_eat (self, 'I')) {
    print_path (self, FALSE);
    pen_rust_print (self, "<");
    print_list (self, print_generic_argument, ", ");
    is_open = TRUE;
  } else
    print_path (self, FALSE);
  pen_rust_leave (self);

  return is_open;
}

static void
print_dynamic_trait (PenRustReader *self)
{
  gboolean is_open = print_open_path (self);

  while (!self->is_bad && pen_rust_eat (self, 'p')) {
    PenRustIdentifier name = pen_rust_take_identifier (self);

    pen_rust_print (self, is_open ? ", " : "<");
    is_open = TRUE;
    pen_rust_print_identifier (self, &name);
    pen_rust_print (self, " = ");
    print_type (self);
  }
  if (is_open)
    pen_rust_print (self, ">");
}

static void
print_dynamic_type (PenRustReader *self)
{
  guint64 lifetimes = self->lifetimes;
  guint64 lifetime;

  pen_rust_print (self, "dyn ");
  pen_rust_print_binder (self);
  print_list (self, print_dynamic_trait, " + ");
  self->lifetimes = lifetimes;

  if (!pen_rust_eat (self, 'L')) {
    pen_rust_fail (self);
    return;
  }
  lifetime = pen_rust_take_base62 (self);
  if (lifetime != 0) {
    pen_rust_print (self, " + ");
    pen_rust_print_lifetime (self, lifetime);
  }
}

static void
print_array_type (PenRustReader *self, gboolean has_length)
{
  pen_rust_print (self, "[");
  print_type (self);
  if (has_length) {
    pen_rust_print (self, "; ");
    print_const (self);
  }
  pen_rust_print (self, "]");
}

static void
print_tuple_type (PenRustReader *self)
{
  pen_rust_print (self, "(");
  if (print_list (self, print_type, ", ") == 1)
    pen_rust_print (self, ",");
  pen_rust_print (self, ")");
}

static void
print_compound_type (PenRustReader *self)
{
  char tag = pen_rust_take (self);

  switch (tag) {
  case 'R':
  case 'Q':
    print_reference (self, tag == 'Q');
    break;
  case 'P':
  case 'O':
    pen_rust_print (self, tag == 'P' ? "*const " : "*mut ");
    print_type (self);
    break;
  case 'A':
  case 'S':
    print_array_type (self, tag == 'A');
    break;
  case 'T':
    print_tuple_type (self);
    break;
  case 'F':
    print_function_type (self);
    break;
  case 'D':
    print_dynamic_type (self);
    break;
  case 'B':
    print_back (self, print_back_type, NULL);
    break;
  default:
    self->at -= !self->is_bad;
    print_path (self, FALSE);
  }
}

static void
print_type (PenRustReader *self)
{
  const char *basic = get_basic_type (pen_rust_peek (self));

  if (!pen_rust_enter (self))
    return;

  if (basic != NULL) {
    self->at++;
    pen_rust_print (self, basic);
  } else
    print_compound_type (self);
  pen_rust_leave (self);
}

/* ---- constants ---- */

/* Hexadecimal digits up to '_'. Returns: FALSE if they are more than fit */
static gboolean
take_hex (PenRustReader *self, const char **digits, gsize *length, guint64 *number)
{
  *digits = self->at;
  *number = 0;
  while (!self->is_bad && !pen_rust_eat (self, '_')) {
    int digit = g_ascii_xdigit_value (pen_rust_take (self));

    if (digit < 0)
      pen_rust_fail (self);
    *number = *number << 4 | (guint64) (digit & 15);
  }
  *length = self->is_bad ? 0 : (gsize) (self->at - *digits) - 1;

  return *length <= 16;
}

static void
print_integer (PenRustReader *self)
{
  const char *digits;
  gsize length;
  guint64 number;

  if (take_hex (self, &digits, &length, &number))
    pen_rust_print_number (self, number);
  else {
    pen_rust_print (self, "0x");
    pen_rust_print_length (self, digits, length);
  }
}

static void
print_boolean (PenRustReader *self)
{
  const char *digits;
  gsize length;
  guint64 number;

  if (!take_hex (self, &digits, &length, &number) || number > 1)
    pen_rust_fail (self);
  else
    pen_rust_print (self, number != 0 ? "true" : "false");
}

static void
print_quoted (PenRustReader *self)
{
  const char *digits;
  gsize length;
  guint64 number;

  if (!take_hex (self, &digits, &length, &number) || number > 0x10ffff
      || !g_unichar_validate ((gunichar) number)) {
    pen_rust_fail (self);
    return;
  }

  pen_rust_print (self, "'");
  if (number == '\'' || number == '\\') {
    pen_rust_print (self, "\\");
    pen_rust_print_character (self, (gunichar) number);
  } else if (g_unichar_isprint ((gunichar) number))
    pen_rust_print_character (self, (gunichar) number);
  else {
    char code[16];

    g_snprintf (code, sizeof code, "\\u{%x}", (guint) number);
    pen_rust_print (self, code);
  }
  pen_rust_print (self, "'");
}

static void
print_const (PenRustReader *self)
{
  char tag;

  if (!pen_rust_enter (self))
    return;

  tag = pen_rust_take (self);
  if (tag == 'B')
    print_back (self, print_back_const, NULL);
  else if (tag == 'p')
    pen_rust_print (self, "_");
  else if (tag != '\0' && strchr ("htmyoj", tag) != NULL)
    print_integer (self);
  else if (tag != '\0' && strchr ("aslxni", tag) != NULL) {
    if (pen_rust_eat (self, 'n'))
      pen_rust_print (self, "-");
    print_integer (self);
  } else if (tag == 'b')
    print_boolean (self);
  else if (tag == 'c')
    print_quoted (self);
  else
    pen_rust_fail (self);
  pen_rust_leave (self);
}

char *
pen_rust_name_demangle (const char *name, gsize max_shown)
{
  PenRustReader self = { .start = name + 2, .max_shown = max_shown };

  if (strncmp (name, "_R", 2) != 0 || g_ascii_isdigit (name[2]))
    return NULL;

  self.at = self.start;
  self.end = self.start + strcspn (self.start, ".");
  self.text = g_string_new (NULL);
  print_path (&self, TRUE);
  /* The crate that asked for this instance of something generic. */
  if (!self.is_bad && self.at < self.end) {
    self.is_silent = TRUE;
    print_path (&self, FALSE);
  }
  if (self.at < self.end)
    self.is_bad = TRUE;

  return g_string_free (self.text, self.is_bad);
}
