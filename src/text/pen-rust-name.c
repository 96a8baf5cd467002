/* pen-rust-name.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-rust-name.h"

#include <string.h>

/* The deepest of real names are some dozens deep. */
#define MAX_DEPTH 250
#define MAX_STEPS 65536
#define MAX_LIFETIMES 1024
#define MAX_CODE_POINTS 256

/* Productions of the grammar are functions, named after what they print. When one fails, is_bad is
 * set, and nothing else moves any more. */
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
} Reader;

static void print_path (Reader *self, gboolean is_value);
static void print_type (Reader *self);
static void print_const (Reader *self);

static void
fail (Reader *self)
{
  self->is_bad = TRUE;
  self->at = self->end;
}

static void
print_length (Reader *self, const char *text, gsize length)
{
  if (self->is_silent || self->is_bad)
    return;

  if (length > self->max_shown - self->text->len)
    fail (self);
  else
    g_string_append_len (self->text, text, (gssize) length);
}

static void
print (Reader *self, const char *text)
{
  print_length (self, text, strlen (text));
}

static void
print_number (Reader *self, guint64 number)
{
  char digits[24];

  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, number);
  print (self, digits);
}

static void
print_character (Reader *self, gunichar character)
{
  char bytes[6];

  print_length (self, bytes, (gsize) g_unichar_to_utf8 (character, bytes));
}

static char
peek (Reader *self)
{
  return self->at < self->end ? *self->at : '\0';
}

static gboolean
eat (Reader *self, char what)
{
  if (self->at >= self->end || *self->at != what)
    return FALSE;

  self->at++;

  return TRUE;
}

static char
take (Reader *self)
{
  if (self->at >= self->end) {
    fail (self);
    return '\0';
  }

  return *self->at++;
}

/* Every production that may hold others is entered through this. */
static gboolean
enter (Reader *self)
{
  if (self->is_bad || self->depth >= MAX_DEPTH || self->steps >= MAX_STEPS) {
    fail (self);
    return FALSE;
  }

  self->depth++;
  self->steps++;

  return TRUE;
}

static void
leave (Reader *self)
{
  self->depth--;
}

/* "_" is 0, "0_" is 1 */
static guint64
take_base62 (Reader *self)
{
  guint64 number = 0;

  if (eat (self, '_'))
    return 0;

  while (!eat (self, '_')) {
    char c = take (self);
    guint digit;

    if (g_ascii_isdigit (c))
      digit = (guint) (c - '0');
    else if (g_ascii_islower (c))
      digit = 10u + (guint) (c - 'a');
    else if (g_ascii_isupper (c))
      digit = 36u + (guint) (c - 'A');
    else {
      fail (self);
      return 0;
    }
    if (number > (G_MAXUINT64 - 62) / 62 - 1) {
      fail (self);
      return 0;
    }
    number = number * 62 + digit;
  }

  return number + 1;
}

/* 0 where @tag does not stand. */
static guint64
take_optional (Reader *self, char tag)
{
  return eat (self, tag) ? take_base62 (self) + 1 : 0;
}

/* ---- identifiers ---- */

typedef struct {
  const char *bytes;
  gsize length;
  gboolean is_punycode;
} Identifier;

static Identifier
take_identifier (Reader *self)
{
  Identifier identifier = { .is_punycode = eat (self, 'u') };
  gsize length = 0;

  if (!g_ascii_isdigit (peek (self)))
    fail (self);
  else if (!eat (self, '0'))
    while (g_ascii_isdigit (peek (self)) && length < 65536)
      length = length * 10 + (gsize) (take (self) - '0');
  eat (self, '_');

  if (self->is_bad || length > (gsize) (self->end - self->at)) {
    fail (self);
    return identifier;
  }
  identifier.bytes = self->at;
  identifier.length = length;
  self->at += length;

  return identifier;
}

/* RFC 3492, 6.1 */
static guint32
adapt (guint32 delta, guint32 n, gboolean is_first)
{
  guint32 k = 0;

  delta = is_first ? delta / 700 : delta / 2;
  delta += delta / n;
  for (; delta > 455; k += 36)
    delta /= 35;

  return k + 36 * delta / (delta + 38);
}

/* Returns: FALSE if it is none. RFC 3492, 6.2, with '_' for '-' */
static gboolean
decode_punycode (const Identifier *identifier, gunichar *points, guint *n_points)
{
  const char *end = identifier->bytes + identifier->length;
  const char *split
      = identifier->length > 0 ? memrchr (identifier->bytes, '_', identifier->length) : NULL;
  const char *at = split != NULL ? split + 1 : identifier->bytes;
  guint32 code = 0x80;
  guint64 place = 0;
  guint32 bias = 72;
  guint n = 0;

  for (const char *c = identifier->bytes; split != NULL && c < split; c++) {
    if (n >= MAX_CODE_POINTS)
      return FALSE;
    points[n++] = (guchar) *c;
  }

  while (at < end) {
    guint64 old = place;
    guint64 weight = 1;

    for (guint32 k = 36;; k += 36) {
      guint32 threshold = k <= bias ? 1 : MIN (k - bias, 26);
      guint32 digit;

      if (at >= end || (!g_ascii_islower (*at) && !g_ascii_isdigit (*at)))
        return FALSE;
      digit = g_ascii_islower (*at) ? (guint32) (*at - 'a') : (guint32) (*at - '0') + 26;
      at++;
      place += digit * weight;
      if (place > G_MAXUINT32)
        return FALSE;
      if (digit < threshold)
        break;
      weight *= 36 - threshold;
      if (weight > G_MAXUINT32)
        return FALSE;
    }

    if (n >= MAX_CODE_POINTS)
      return FALSE;
    bias = adapt ((guint32) (place - old), n + 1, old == 0);
    if (place / (n + 1) > 0x10ffff)
      return FALSE;
    code += (guint32) (place / (n + 1));
    place %= n + 1;
    if (!g_unichar_validate (code))
      return FALSE;
    memmove (points + place + 1, points + place, (n - place) * sizeof *points);
    points[place++] = code;
    n++;
  }
  *n_points = n;

  return TRUE;
}

static void
print_identifier (Reader *self, const Identifier *identifier)
{
  gunichar points[MAX_CODE_POINTS];
  guint n;

  if (self->is_bad || identifier->length == 0)
    return;

  if (!identifier->is_punycode)
    print_length (self, identifier->bytes, identifier->length);
  else if (decode_punycode (identifier, points, &n))
    for (guint i = 0; i < n; i++)
      print_character (self, points[i]);
  else {
    print (self, "punycode{");
    print_length (self, identifier->bytes, identifier->length);
    print (self, "}");
  }
}

/* ---- lifetimes ---- */

static void
print_lifetime (Reader *self, guint64 index)
{
  guint64 number;

  if (index == 0) {
    print (self, "'_");
    return;
  }
  if (index > self->lifetimes) {
    fail (self);
    return;
  }

  number = self->lifetimes - index;
  print (self, "'");
  if (number < 26)
    print_character (self, (gunichar) ('a' + number));
  else {
    print (self, "_");
    print_number (self, number);
  }
}

static void
print_binder (Reader *self)
{
  guint64 n = take_optional (self, 'G');

  if (n > MAX_LIFETIMES || self->lifetimes > MAX_LIFETIMES)
    fail (self);
  if (n == 0 || self->is_bad)
    return;

  print (self, "for<");
  for (guint64 i = 0; i < n; i++) {
    if (i > 0)
      print (self, ", ");
    self->lifetimes++;
    print_lifetime (self, 1);
  }
  print (self, "> ");
}

/* ---- what stood there before ---- */

typedef void (*PrintFunc) (Reader *self, gpointer data);

/* Behind the 'B'. */
static void
print_back (Reader *self, PrintFunc func, gpointer data)
{
  const char *here = self->at;
  guint64 place = take_base62 (self);
  const char *after = self->at;

  if (self->is_bad || place >= (guint64) (here - self->start) - 1) {
    fail (self);
    return;
  }
  if (self->is_silent || !enter (self))
    return;

  self->at = self->start + place;
  func (self, data);
  leave (self);
  if (!self->is_bad)
    self->at = after;
}

static void
print_back_path (Reader *self, gpointer data)
{
  print_path (self, *(gboolean *) data);
}

static void
print_back_type (Reader *self, G_GNUC_UNUSED gpointer data)
{
  print_type (self);
}

static void
print_back_const (Reader *self, G_GNUC_UNUSED gpointer data)
{
  print_const (self);
}

/* ---- paths ---- */

static void
print_generic_argument (Reader *self)
{
  if (eat (self, 'L'))
    print_lifetime (self, take_base62 (self));
  else if (eat (self, 'K'))
    print_const (self);
  else
    print_type (self);
}

/* Up to the 'E'. Returns: how many there were */
static guint
print_list (Reader *self, void (*func) (Reader *self), const char *separator)
{
  guint n = 0;

  for (; !self->is_bad && !eat (self, 'E'); n++) {
    if (n > 0)
      print (self, separator);
    func (self);
  }

  return n;
}

static void
print_nested (Reader *self, gboolean is_value)
{
  char space = take (self);
  Identifier name;
  guint64 number;

  if (!g_ascii_isalpha (space)) {
    fail (self);
    return;
  }
  print_path (self, is_value);
  number = take_optional (self, 's');
  name = take_identifier (self);

  if (g_ascii_islower (space)) {
    if (name.length > 0)
      print (self, "::");
    print_identifier (self, &name);
    return;
  }

  print (self, "::{");
  if (space == 'C')
    print (self, "closure");
  else if (space == 'S')
    print (self, "shim");
  else
    print_length (self, &space, 1);
  if (name.length > 0)
    print (self, ":");
  print_identifier (self, &name);
  print (self, "#");
  print_number (self, number);
  print (self, "}");
}

static void
skip_impl_path (Reader *self)
{
  gboolean was_silent = self->is_silent;

  take_optional (self, 's');
  self->is_silent = TRUE;
  print_path (self, FALSE);
  self->is_silent = was_silent;
}

static void
print_crate (Reader *self)
{
  Identifier name;

  take_optional (self, 's');
  name = take_identifier (self);
  print_identifier (self, &name);
}

static void
print_path (Reader *self, gboolean is_value)
{
  char tag;

  if (!enter (self))
    return;

  tag = take (self);
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
    print (self, "<");
    print_type (self);
    if (tag != 'M') {
      print (self, " as ");
      print_path (self, FALSE);
    }
    print (self, ">");
    break;
  case 'I':
    print_path (self, is_value);
    print (self, is_value ? "::<" : "<");
    print_list (self, print_generic_argument, ", ");
    print (self, ">");
    break;
  case 'B':
    print_back (self, print_back_path, &is_value);
    break;
  default:
    fail (self);
  }
  leave (self);
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
print_reference (Reader *self, gboolean is_mutable)
{
  print (self, "&");
  if (eat (self, 'L')) {
    guint64 lifetime = take_base62 (self);

    if (lifetime != 0) {
      print_lifetime (self, lifetime);
      print (self, " ");
    }
  }
  if (is_mutable)
    print (self, "mut ");
  print_type (self);
}

static void
print_abi (Reader *self)
{
  Identifier abi = { "C", 1, FALSE };

  if (!eat (self, 'C'))
    abi = take_identifier (self);

  print (self, "extern \"");
  for (gsize i = 0; !self->is_bad && i < abi.length; i++)
    print_length (self, abi.bytes[i] == '_' ? "-" : &abi.bytes[i], 1);
  print (self, "\" ");
}

static void
print_function_type (Reader *self)
{
  guint64 lifetimes = self->lifetimes;

  print_binder (self);
  if (eat (self, 'U'))
    print (self, "unsafe ");
  if (eat (self, 'K'))
    print_abi (self);
  print (self, "fn(");
  print_list (self, print_type, ", ");
  print (self, ")");
  if (!eat (self, 'u')) {
    print (self, " -> ");
    print_type (self);
  }
  self->lifetimes = lifetimes;
}

static gboolean print_open_path (Reader *self);

static void
print_back_open (Reader *self, gpointer data)
{
  *(gboolean *) data = print_open_path (self);
}

/* A trait's associated types are shown among its arguments. Returns: TRUE if "<" was shown, and its
 * ">" is to come */
static gboolean
print_open_path (Reader *self)
{
  gboolean is_open = FALSE;

  if (!enter (self))
    return FALSE;

  if (eat (self, 'B'))
    print_back (self, print_back_open, &is_open);
  else if (eat (self, 'I')) {
    print_path (self, FALSE);
    print (self, "<");
    print_list (self, print_generic_argument, ", ");
    is_open = TRUE;
  } else
    print_path (self, FALSE);
  leave (self);

  return is_open;
}

static void
print_dynamic_trait (Reader *self)
{
  gboolean is_open = print_open_path (self);

  while (!self->is_bad && eat (self, 'p')) {
    Identifier name = take_identifier (self);

    print (self, is_open ? ", " : "<");
    is_open = TRUE;
    print_identifier (self, &name);
    print (self, " = ");
    print_type (self);
  }
  if (is_open)
    print (self, ">");
}

static void
print_dynamic_type (Reader *self)
{
  guint64 lifetimes = self->lifetimes;
  guint64 lifetime;

  print (self, "dyn ");
  print_binder (self);
  print_list (self, print_dynamic_trait, " + ");
  self->lifetimes = lifetimes;

  if (!eat (self, 'L')) {
    fail (self);
    return;
  }
  lifetime = take_base62 (self);
  if (lifetime != 0) {
    print (self, " + ");
    print_lifetime (self, lifetime);
  }
}

static void
print_array_type (Reader *self, gboolean has_length)
{
  print (self, "[");
  print_type (self);
  if (has_length) {
    print (self, "; ");
    print_const (self);
  }
  print (self, "]");
}

static void
print_tuple_type (Reader *self)
{
  print (self, "(");
  if (print_list (self, print_type, ", ") == 1)
    print (self, ",");
  print (self, ")");
}

static void
print_compound_type (Reader *self)
{
  char tag = take (self);

  switch (tag) {
  case 'R':
  case 'Q':
    print_reference (self, tag == 'Q');
    break;
  case 'P':
  case 'O':
    print (self, tag == 'P' ? "*const " : "*mut ");
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
print_type (Reader *self)
{
  const char *basic = get_basic_type (peek (self));

  if (!enter (self))
    return;

  if (basic != NULL) {
    self->at++;
    print (self, basic);
  } else
    print_compound_type (self);
  leave (self);
}

/* ---- constants ---- */

/* Hexadecimal digits up to '_'. Returns: FALSE if they are more than fit */
static gboolean
take_hex (Reader *self, const char **digits, gsize *length, guint64 *number)
{
  *digits = self->at;
  *number = 0;
  while (!self->is_bad && !eat (self, '_')) {
    int digit = g_ascii_xdigit_value (take (self));

    if (digit < 0)
      fail (self);
    *number = *number << 4 | (guint64) (digit & 15);
  }
  *length = self->is_bad ? 0 : (gsize) (self->at - *digits) - 1;

  return *length <= 16;
}

static void
print_integer (Reader *self)
{
  const char *digits;
  gsize length;
  guint64 number;

  if (take_hex (self, &digits, &length, &number))
    print_number (self, number);
  else {
    print (self, "0x");
    print_length (self, digits, length);
  }
}

static void
print_boolean (Reader *self)
{
  const char *digits;
  gsize length;
  guint64 number;

  if (!take_hex (self, &digits, &length, &number) || number > 1)
    fail (self);
  else
    print (self, number != 0 ? "true" : "false");
}

static void
print_quoted (Reader *self)
{
  const char *digits;
  gsize length;
  guint64 number;

  if (!take_hex (self, &digits, &length, &number) || number > 0x10ffff
      || !g_unichar_validate ((gunichar) number)) {
    fail (self);
    return;
  }

  print (self, "'");
  if (number == '\'' || number == '\\') {
    print (self, "\\");
    print_character (self, (gunichar) number);
  } else if (g_unichar_isprint ((gunichar) number))
    print_character (self, (gunichar) number);
  else {
    char code[16];

    g_snprintf (code, sizeof code, "\\u{%x}", (guint) number);
    print (self, code);
  }
  print (self, "'");
}

static void
print_const (Reader *self)
{
  char tag;

  if (!enter (self))
    return;

  tag = take (self);
  if (tag == 'B')
    print_back (self, print_back_const, NULL);
  else if (tag == 'p')
    print (self, "_");
  else if (tag != '\0' && strchr ("htmyoj", tag) != NULL)
    print_integer (self);
  else if (tag != '\0' && strchr ("aslxni", tag) != NULL) {
    if (eat (self, 'n'))
      print (self, "-");
    print_integer (self);
  } else if (tag == 'b')
    print_boolean (self);
  else if (tag == 'c')
    print_quoted (self);
  else
    fail (self);
  leave (self);
}

char *
pen_rust_name_demangle (const char *name, gsize max_shown)
{
  Reader self = { .start = name + 2, .max_shown = max_shown };

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
