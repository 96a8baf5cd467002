/* pen-tracepoint.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tracepoint.h"

#include <event-parse.h>
#include <string.h>

#define MAX_FIELDS 512u
#define MAX_DECLARATION 256u
#define MAX_OFFSET 65536u
/* The most elements of an array that are printed. */
#define MAX_ELEMENTS 64u

struct _PenTracepoint {
  struct tep_handle *tep;
  const struct tep_event *event; /* owned by tep */
  gboolean big_endian;
};

/* ---- the format ---- */

/* Passes over an identifier and the blanks after it; 0: there is none. */
static gsize
skip_word (const char *text, gsize n)
{
  gsize i = 0;

  while (i < n && (g_ascii_isalnum (text[i]) || text[i] == '_'))
    i++;
  if (i == 0 || g_ascii_isdigit (text[0]))
    return 0;
  while (i < n && text[i] == ' ')
    i++;
  return i;
}

/* "[…]" with nothing but a number or an identifier in it; 0: it is not that. */
static gsize
skip_brackets (const char *text, gsize n)
{
  gsize i = 1;

  if (n == 0 || text[0] != '[')
    return 0;
  while (i < n && (g_ascii_isalnum (text[i]) || text[i] == '_'))
    i++;
  if (i == n || text[i] != ']')
    return 0;
  for (i++; i < n && text[i] == ' ';)
    i++;
  return i;
}

static gboolean
is_location (const char *text)
{
  return g_str_has_prefix (text, "__data_loc") || g_str_has_prefix (text, "__rel_loc");
}

/* "unsigned long name", "const void * name", "char name[16]", "__data_loc char[] name": what
 * kernels write. libtraceevent leaks memory where it gives up on others. */
static gboolean
is_declaration (const char *text, gsize n)
{
  gboolean is_located = is_location (text);
  gboolean has_brackets = FALSE;
  gboolean ends_with_name = FALSE;
  guint words = 0;

  if (n == 0 || n > MAX_DECLARATION)
    return FALSE;

  for (gsize i = 0, step; i < n; i += step) {
    if ((step = skip_word (text + i, n - i)) > 0) {
      /* Brackets after a name end the declaration; those of a type stand before the name. */
      if ((has_brackets && !is_located) || (i > 0 && is_location (text + i)))
        return FALSE;
      words++;
      ends_with_name = TRUE;
    } else if (text[i] == '*' && words > 0 && !has_brackets) {
      for (step = 1; i + step < n && text[i + step] == ' ';)
        step++;
      ends_with_name = FALSE;
    } else if ((step = skip_brackets (text + i, n - i)) > 0 && ends_with_name && !has_brackets
               && words >= 2) {
      has_brackets = TRUE;
      ends_with_name = !is_located;
    } else {
      return FALSE;
    }
  }
  return ends_with_name && words >= (is_located ? 3 : 2) && has_brackets >= is_located;
}

/* After "\t@key:" a number below @limit and ';'. */
static gboolean
take_number (const char **at, const char *key, guint64 limit)
{
  char *end;

  while (**at == '\t')
    (*at)++;
  if (!g_str_has_prefix (*at, key) || !g_ascii_isdigit ((*at)[strlen (key)]))
    return FALSE;
  if (g_ascii_strtoull (*at + strlen (key), &end, 10) >= limit || *end != ';')
    return FALSE;
  *at = end + 1;
  return TRUE;
}

/* "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;": the kernel's Documentation/trace/events
 */
static gboolean
is_field (const char *line)
{
  const char *at = line;
  const char *end;

  if (!g_str_has_prefix (at, "\tfield:"))
    return FALSE;
  at += strlen ("\tfield:");
  end = strchr (at, ';');
  if (!end || !is_declaration (at, (gsize) (end - at)))
    return FALSE;
  at = end + 1;
  return take_number (&at, "offset:", MAX_OFFSET) && take_number (&at, "size:", MAX_OFFSET)
         && take_number (&at, "signed:", 2) && *at == '\0';
}

static gboolean
is_name (const char *name)
{
  for (const char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && *at != '_')
      return FALSE;
  return *name != '\0' && strlen (name) < MAX_DECLARATION;
}

/* libtraceevent gets a name and fields of the usual form only. Its parser of `print fmt` recurses
 * as deep as the text has brackets, so that is left out. */
static GString *
make_checked (const char *format, char **name)
{
  g_auto (GStrv) lines = g_strsplit (format, "\n", 2 * MAX_FIELDS);
  g_autoptr (GString) fields = g_string_new (NULL);
  GString *checked;
  guint n = 0;

  for (guint i = 0; lines[i] && n < MAX_FIELDS; i++) {
    if (!*name && g_str_has_prefix (lines[i], "name: ") && is_name (lines[i] + 6)) {
      *name = g_strdup (lines[i] + 6);
    } else if (lines[i][0] == '\0' && n > 0) {
      /* Fields that all have in common come first, and an empty line after them. */
      g_string_append_c (fields, '\n');
    } else if (is_field (lines[i])) {
      g_string_append_printf (fields, "%s\n", lines[i]);
      n++;
    }
  }

  if (!*name || n == 0)
    return NULL;

  checked = g_string_new (NULL);
  g_string_printf (checked, "name: %s\nID: 1\nformat:\n%s\nprint fmt: \"\"\n", *name, fields->str);
  return checked;
}

PenTracepoint *
pen_tracepoint_new (const char *system, const char *format, gboolean big_endian, guint long_size,
                    GError **error)
{
  g_autoptr (PenTracepoint) self = g_new0 (PenTracepoint, 1);
  g_autofree char *name = NULL;
  g_autoptr (GString) checked = make_checked (format, &name);

  if (!checked || !is_name (system)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                         "A tracepoint's format has no name or no fields");
    return NULL;
  }

  self->big_endian = big_endian;
  self->tep = tep_alloc ();
  tep_set_loglevel (TEP_LOG_NONE);
  tep_set_long_size (self->tep, long_size == 4 ? 4 : 8);
  if (tep_parse_event (self->tep, checked->str, checked->len, system) == TEP_ERRNO__SUCCESS)
    self->event = tep_find_event (self->tep, 1);

  if (!self->event) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                 "The format of the tracepoint “%s:%s” cannot be read", system, name);
    return NULL;
  }
  return g_steal_pointer (&self);
}

void
pen_tracepoint_free (PenTracepoint *self)
{
  if (!self)
    return;

  g_clear_pointer (&self->tep, tep_free);
  g_free (self);
}

/* ---- the payload ---- */

typedef struct {
  const guint8 *bytes;
  gsize n;
} Span;

static guint64
read_number (PenTracepoint *self, const guint8 *bytes, gsize size)
{
  guint64 value = 0;

  for (gsize i = 0; i < size; i++)
    value = value << 8 | bytes[self->big_endian ? i : size - 1 - i];
  return value;
}

static gboolean
slice (const Span *payload, guint64 offset, guint64 n, Span *part)
{
  if (offset > payload->n || n > payload->n - offset)
    return FALSE;

  *part = (Span){ payload->bytes + offset, (gsize) n };
  return TRUE;
}

/* Where a field's contents are. A field of variable length (__data_loc, __rel_loc) refers to them:
 * the lower half is an offset, from the payload's start or from the field's end; the upper half a
 * length. */
static gboolean
find_contents (PenTracepoint *self, const struct tep_format_field *field, const Span *payload,
               Span *contents)
{
  guint64 location;
  guint64 offset;

  if (field->offset < 0 || field->size <= 0
      || !slice (payload, (guint64) field->offset, (guint64) field->size, contents))
    return FALSE;
  if ((field->flags & TEP_FIELD_IS_DYNAMIC) == 0)
    return TRUE;
  if (contents->n != 4)
    return FALSE;

  location = read_number (self, contents->bytes, 4);
  offset = location & 0xffff;
  if ((field->flags & TEP_FIELD_IS_RELATIVE) != 0)
    offset += (guint64) field->offset + (guint64) field->size;
  return slice (payload, offset, location >> 16, contents);
}

static void
append_text (GString *text, const Span *span)
{
  const char *at = (const char *) span->bytes;
  const char *end = at + strnlen (at, span->n);
  gboolean is_quoted = at == end;

  for (const char *c = at; c < end; c++)
    is_quoted |= *c == ' ' || *c == '"' || *c == '=';

  if (is_quoted)
    g_string_append_c (text, '"');
  while (at < end) {
    gunichar c = g_utf8_get_char_validated (at, end - at);

    if (c == (gunichar) -1 || c == (gunichar) -2 || !g_unichar_isprint (c)) {
      g_string_append_printf (text, "\\x%02x", (guint8) *at++);
      continue;
    }
    if (c == '"' || c == '\\')
      g_string_append_c (text, '\\');
    g_string_append_unichar (text, c);
    at = g_utf8_next_char (at);
  }
  if (is_quoted)
    g_string_append_c (text, '"');
}

static void
append_number (PenTracepoint *self, const struct tep_format_field *field, const Span *span,
               GString *text)
{
  guint64 value;

  if (span->n > 8) {
    for (gsize i = 0; i < MIN (span->n, MAX_ELEMENTS); i++)
      g_string_append_printf (text, "%02x", span->bytes[i]);
    return;
  }

  value = read_number (self, span->bytes, span->n);
  if ((field->flags & TEP_FIELD_IS_POINTER) != 0)
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", value);
  else if ((field->flags & TEP_FIELD_IS_SIGNED) != 0 && span->n > 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT,
                            (gint64) (value << (64 - 8 * span->n)) >> (64 - 8 * span->n));
  else
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, value);
}

static void
append_array (PenTracepoint *self, const struct tep_format_field *field, const Span *span,
              GString *text)
{
  gsize size = field->elementsize;
  gsize n;

  if (size != 1 && size != 2 && size != 4 && size != 8)
    size = 1;
  n = span->n / size;

  g_string_append_c (text, '{');
  for (gsize i = 0; i < MIN (n, MAX_ELEMENTS); i++) {
    Span element = { span->bytes + i * size, size };

    if (i > 0)
      g_string_append_c (text, ',');
    append_number (self, field, &element, text);
  }
  g_string_append (text, n > MAX_ELEMENTS ? ",…}" : "}");
}

static gboolean
is_text (const struct tep_format_field *field)
{
  return (field->flags & TEP_FIELD_IS_STRING) != 0;
}

static gboolean
is_array (const struct tep_format_field *field)
{
  return (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)) != 0;
}

char *
pen_tracepoint_decode (PenTracepoint *self, const guint8 *payload, gsize n)
{
  const struct tep_format_field *field = self->event->format.fields;
  GString *text = g_string_new (NULL);
  Span all = { payload, n };

  for (; field; field = field->next) {
    Span contents;

    if (text->len > 0)
      g_string_append_c (text, ' ');
    g_string_append_printf (text, "%s=", field->name);
    if (!find_contents (self, field, &all, &contents))
      g_string_append_c (text, '?');
    else if (is_text (field))
      append_text (text, &contents);
    else if (is_array (field))
      append_array (self, field, &contents, text);
    else
      append_number (self, field, &contents, text);
  }
  return g_string_free (text, FALSE);
}

static gboolean
find_named (PenTracepoint *self, const char *name, const Span *payload,
            const struct tep_format_field **field, Span *contents)
{
  *field = self->event->format.fields;
  while (*field && strcmp ((*field)->name, name) != 0)
    *field = (*field)->next;
  return *field && find_contents (self, *field, payload, contents);
}

char *
pen_tracepoint_get_string (PenTracepoint *self, const char *field_name, const guint8 *payload,
                           gsize n)
{
  const struct tep_format_field *field;
  Span all = { payload, n };
  Span contents;

  if (!find_named (self, field_name, &all, &field, &contents) || !is_text (field))
    return NULL;
  return g_strndup ((const char *) contents.bytes, contents.n);
}

gboolean
pen_tracepoint_get_number (PenTracepoint *self, const char *field_name, const guint8 *payload,
                           gsize n, guint64 *number)
{
  const struct tep_format_field *field;
  Span all = { payload, n };
  Span contents;

  if (!find_named (self, field_name, &all, &field, &contents) || is_text (field)
      || contents.n > sizeof *number)
    return FALSE;
  *number = read_number (self, contents.bytes, contents.n);
  return TRUE;
}
