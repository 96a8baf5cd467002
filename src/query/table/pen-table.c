/* pen-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-table-private.h"

#include <string.h>

#include "pen-digits.h"
#include "pen-display.h"
#include "pen-quoting.h"
#include "pen-table-hash.h"

/* A table is aligned by what it holds, as long as that is not more than this many rows and bytes: a
 * cell may have 16 MiB. */
#define ALIGNED_ROWS 4096
#define ALIGNED_BYTES (16u << 20)
/* A table is for reading: of bytes it shows the beginning. */
#define TABLE_BYTES 16
#define FLUSH_BYTES (64u * 1024)

struct _PenTableFragment {
  guint column;
  guint n_columns;
  gsize length;
  char cells[];
};

gboolean
pen_format_from_string (const char *word, PenFormat *format)
{
  static const char *const words[] = { "table", "csv", "json" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    if (g_strcmp0 (word, words[i]) == 0) {
      *format = (PenFormat) i;
      return TRUE;
    }
  }
  return FALSE;
}

PenTableWriter *
pen_table_writer_new_open (GOutputStream *stream, PenFormat format)
{
  PenTableWriter *self = g_new0 (PenTableWriter, 1);

  self->stream = g_object_ref (stream);
  self->format = format;
  self->out = g_string_sized_new (FLUSH_BYTES + 4096);
  self->cells = g_string_new (NULL);
  return self;
}

PenTableWriter *
pen_table_writer_new (GOutputStream *stream, PenFormat format, const PenColumn *columns,
                      guint n_columns)
{
  PenTableWriter *self = pen_table_writer_new_open (stream, format);

  pen_table_writer_set_columns (self, columns, n_columns);
  return self;
}

static void
append_csv (PenTableWriter *self, GString *out, const char *text)
{
  g_autofree char *shown = self->is_shown ? pen_display_text (text) : NULL;

  if (self->is_bare)
    pen_quoting_append_bare (out, text);
  else
    pen_quoting_append_csv (out, shown ? shown : text);
}

static void
append_json (PenTableWriter *self, GString *out, const char *text)
{
  if (self->is_shown)
    pen_quoting_append_json_shown (out, text);
  else
    pen_quoting_append_json (out, text);
}

static char *
make_json_key (PenTableWriter *self, const char *name, gboolean is_first)
{
  GString *key = g_string_new (is_first ? "{" : ",");

  append_json (self, key, name);
  g_string_append_c (key, ':');
  return g_string_free (key, FALSE);
}

void
pen_table_writer_rename (PenTableWriter *self, const char *name, const char *other)
{
  if (!self->names)
    self->names = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (self->names, g_strdup (name), g_strdup (other));
}

static const char *
get_name (PenTableWriter *self, const char *name)
{
  const char *other = self->names ? g_hash_table_lookup (self->names, name) : NULL;

  return other ? other : name;
}

void
pen_table_writer_set_columns (PenTableWriter *self, const PenColumn *columns, guint n_columns)
{
  g_return_if_fail (!self->columns && n_columns > 0);

  self->columns = g_new0 (Column, n_columns);
  self->n_columns = n_columns;
  for (guint i = 0; i < n_columns; i++) {
    Column *column = &self->columns[i];

    column->name = g_strdup (get_name (self, columns[i].name));
    column->type = columns[i].type;
    column->json_key = make_json_key (self, column->name, i == 0);
    column->json_key_length = strlen (column->json_key);
    column->width = pen_display_width (column->name);
  }
}

void
pen_table_writer_set_cancellable (PenTableWriter *self, GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
}

void
pen_table_writer_set_shown (PenTableWriter *self, gboolean is_shown)
{
  g_return_if_fail (!self->columns);

  self->is_shown = is_shown;
}

void
pen_table_writer_set_bare (PenTableWriter *self)
{
  g_return_if_fail (!self->columns);

  self->is_bare = TRUE;
}

void
pen_table_writer_set_live (PenTableWriter *self)
{
  static const guint widths[] = {
    [PEN_COLUMN_TEXT] = 12,
    [PEN_COLUMN_NUMBER] = 6,
    [PEN_COLUMN_HEX] = 18,
    [PEN_COLUMN_TIME] = 16,
  };

  self->is_live = TRUE;
  for (guint i = 0; i < self->n_columns; i++)
    self->columns[i].width = MAX (self->columns[i].width, widths[self->columns[i].type]);
}

PenFormat
pen_table_writer_get_format (PenTableWriter *self)
{
  return self->format;
}

void
pen_table_writer_set_colour (PenTableWriter *self, gboolean colour)
{
  self->colour = colour;
}

void
pen_table_writer_free (PenTableWriter *self)
{
  for (guint i = 0; i < self->n_columns; i++) {
    g_free (self->columns[i].name);
    g_free (self->columns[i].json_key);
  }
  g_free (self->columns);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_error (&self->failure);
  g_string_free (self->out, TRUE);
  g_string_free (self->cells, TRUE);
  g_free (self->section);
  g_clear_object (&self->cancellable);
  g_object_unref (self->stream);
  g_free (self);
}

/* ---- cells ---- */

/* The head of the document, before its first cell. */
static void
begin (PenTableWriter *self)
{
  self->has_begun = TRUE;
  if (self->format == PEN_FORMAT_JSON) {
    if (!self->is_live)
      g_string_append_c (self->out, '[');
  } else if (self->format == PEN_FORMAT_CSV) {
    for (guint i = 0; i < self->n_columns; i++) {
      if (i > 0)
        g_string_append_c (self->out, ',');
      append_csv (self, self->out, self->columns[i].name);
    }
    g_string_append_c (self->out, '\n');
  }
}

/* Room for @n bytes at the end of @out. */
static inline char *
reserve (GString *out, gsize n)
{
  gsize length = out->len;

  if (G_UNLIKELY (out->allocated_len - length <= n)) {
    g_string_set_size (out, length + n);
    out->len = length;
  }
  return out->str + length;
}

/* Where the next cell's bytes go, after the separator or key that belongs in front of them. */
static inline GString *
begin_cell (PenTableWriter *self)
{
  g_assert (self->column < self->n_columns);

  if (G_UNLIKELY (!self->has_begun))
    begin (self);

  Column *column = &self->columns[self->column];

  switch (self->format) {
  case PEN_FORMAT_TABLE:
    if (self->column == 0)
      pen_table_writer_begin_table_row (self);
    return self->cells;
  case PEN_FORMAT_CSV:
    if (self->column > 0)
      g_string_append_c (self->out, ',');
    return self->out;
  case PEN_FORMAT_JSON:
  default:
    if (self->column == 0 && !self->is_live)
      g_string_append (self->out, self->n_rows > 0 ? ",\n" : "\n");
    g_string_append_len (self->out, column->json_key, column->json_key_length);
    return self->out;
  }
}

static inline void
end_cell (PenTableWriter *self)
{
  if (self->format == PEN_FORMAT_TABLE)
    g_string_append_c (self->cells, '\0');
  self->column++;
}

void
pen_table_writer_text (PenTableWriter *self, const char *text)
{
  g_autofree char *valid = NULL;

  if (!text) {
    pen_table_writer_empty (self);
    return;
  }

  GString *out = begin_cell (self);

  if (self->format == PEN_FORMAT_TABLE) {
    pen_display_append (out, text);
  } else {
    if (!g_utf8_validate (text, -1, NULL))
      text = valid = g_utf8_make_valid (text, -1);
    if (self->format == PEN_FORMAT_CSV)
      append_csv (self, out, text);
    else
      append_json (self, out, text);
  }
  end_cell (self);
}

static void
append_digits (PenTableWriter *self, const char *digits, gsize n, gboolean is_json_string)
{
  GString *out = begin_cell (self);
  gboolean is_quoted = is_json_string && self->format == PEN_FORMAT_JSON;

  if (is_quoted)
    g_string_append_c (out, '"');
  g_string_append_len (out, digits, n);
  if (is_quoted)
    g_string_append_c (out, '"');
  end_cell (self);
}

/* Digits go to where they stay. */
static inline void
end_number (PenTableWriter *self, GString *out, gsize n)
{
  out->len += n;
  out->str[out->len] = '\0';
  end_cell (self);
}

void
pen_table_writer_unsigned (PenTableWriter *self, guint64 value)
{
  GString *out = begin_cell (self);

  end_number (self, out, pen_digits_unsigned (reserve (out, PEN_DIGITS_MAX), value));
}

void
pen_table_writer_signed (PenTableWriter *self, gint64 value)
{
  GString *out = begin_cell (self);

  end_number (self, out, pen_digits_signed (reserve (out, PEN_DIGITS_MAX), value));
}

void
pen_table_writer_hex (PenTableWriter *self, guint64 value)
{
  char digits[PEN_DIGITS_MAX];

  append_digits (self, digits, pen_digits_hex (digits, value), TRUE);
}

void
pen_table_writer_time (PenTableWriter *self, guint64 ns)
{
  GString *out = begin_cell (self);
  char *at = reserve (out, PEN_DIGITS_MAX);

  end_number (self, out,
              self->format == PEN_FORMAT_TABLE ? pen_digits_seconds (at, ns)
                                               : pen_digits_unsigned (at, ns));
}

void
pen_table_writer_real (PenTableWriter *self, double value, int digits)
{
  char format[16];
  char text[G_ASCII_DTOSTR_BUF_SIZE + 320];

  if (value != value || value > G_MAXDOUBLE || value < -G_MAXDOUBLE) {
    pen_table_writer_empty (self);
    return;
  }
  g_snprintf (format, sizeof format, "%%.%df", CLAMP (digits, 0, 17));
  g_ascii_formatd (text, sizeof text, format, value);
  append_digits (self, text, strlen (text), FALSE);
}

void
pen_table_writer_double (PenTableWriter *self, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (value != value || value > G_MAXDOUBLE || value < -G_MAXDOUBLE) {
    pen_table_writer_empty (self);
    return;
  }
  g_ascii_formatd (text, sizeof text, "%.15g", value);
  if (g_ascii_strtod (text, NULL) != value)
    g_ascii_dtostr (text, sizeof text, value);
  append_digits (self, text, strlen (text), FALSE);
}

void
pen_table_writer_bytes (PenTableWriter *self, const guint8 *bytes, gsize n)
{
  gboolean is_cut = self->format == PEN_FORMAT_TABLE && n > TABLE_BYTES;
  gsize n_shown = is_cut ? TABLE_BYTES : n;

  if (n == 0) {
    pen_table_writer_empty (self);
    return;
  }

  GString *out = begin_cell (self);
  gboolean is_quoted = self->format == PEN_FORMAT_JSON;

  if (is_quoted)
    g_string_append_c (out, '"');
  for (gsize i = 0; i < n_shown; i++) {
    if (i > 0)
      g_string_append_c (out, ' ');
    g_string_append_c (out, "0123456789abcdef"[bytes[i] >> 4]);
    g_string_append_c (out, "0123456789abcdef"[bytes[i] & 15]);
  }
  if (is_cut)
    g_string_append (out, " …");
  if (is_quoted)
    g_string_append_c (out, '"');
  end_cell (self);
}

void
pen_table_writer_empty (PenTableWriter *self)
{
  GString *out = begin_cell (self);

  if (self->format == PEN_FORMAT_JSON)
    g_string_append (out, "null");
  end_cell (self);
}

/* ---- lists ---- */

static void
write_json_list (PenTableWriter *self, const char *const *texts, guint n)
{
  GString *out = begin_cell (self);

  for (guint i = 0; i < n; i++) {
    g_autofree char *valid = g_utf8_make_valid (texts[i], -1);

    g_string_append_c (out, i == 0 ? '[' : ',');
    append_json (self, out, valid);
  }
  g_string_append_c (out, ']');
  end_cell (self);
}

static void
append_csv_item (GString *list, const char *text)
{
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == ';' || *p == '\\')
      g_string_append_c (list, '\\');
    g_string_append_c (list, *p);
  }
}

static void
write_list (PenTableWriter *self, const char *const *texts, guint n, const char *arrow)
{
  if (n == 0) {
    pen_table_writer_empty (self);
    return;
  }
  if (self->format == PEN_FORMAT_JSON) {
    write_json_list (self, texts, n);
    return;
  }

  GString *list = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    if (self->format == PEN_FORMAT_CSV) {
      g_string_append (list, i > 0 ? ";" : "");
      append_csv_item (list, texts[i]);
    } else {
      g_string_append_printf (list, "%s%s", i > 0 ? arrow : "", texts[i]);
    }
  }
  pen_table_writer_text (self, list->str);
  g_string_free (list, TRUE);
}

void
pen_table_writer_list (PenTableWriter *self, const char *const *texts, guint n)
{
  write_list (self, texts, n, " ← ");
}

void
pen_table_writer_path (PenTableWriter *self, const char *const *texts, guint n)
{
  write_list (self, texts, n, " → ");
}

/* ---- fragments ---- */

static GString *
cells_buffer (PenTableWriter *self)
{
  return self->format == PEN_FORMAT_TABLE ? self->cells : self->out;
}

PenTableMark
pen_table_writer_begin_fragment (PenTableWriter *self)
{
  /* The head, and what a row begins with, are not part of it. */
  g_assert (self->column > 0);
  return (PenTableMark){ cells_buffer (self)->len, self->column };
}

PenTableFragment *
pen_table_writer_end_fragment (PenTableWriter *self, PenTableMark mark)
{
  GString *buffer = cells_buffer (self);
  gsize length = buffer->len - mark.length;
  PenTableFragment *fragment = g_malloc (sizeof *fragment + length);

  fragment->column = mark.column;
  fragment->n_columns = self->column - mark.column;
  fragment->length = length;
  memcpy (fragment->cells, buffer->str + mark.length, length);
  g_string_truncate (buffer, mark.length);
  self->column = mark.column;
  return fragment;
}

void
pen_table_fragment_free (PenTableFragment *fragment)
{
  g_free (fragment);
}

void
pen_table_writer_fragment (PenTableWriter *self, const PenTableFragment *fragment)
{
  GString *out = cells_buffer (self);

  g_assert (self->column == fragment->column);
  memcpy (reserve (out, fragment->length), fragment->cells, fragment->length);
  out->len += fragment->length;
  out->str[out->len] = '\0';
  self->column += fragment->n_columns;
}

/* ---- rows ---- */

/* A pipe takes this much at once when it is ready for writing (PIPE_BUF, pipe(7)). A longer write
 * waits for the reader where no cancellable is looked at. */
#define PIPE_BYTES 4096u

static gsize
choose_piece (PenTableWriter *self)
{
  gboolean is_pipe = G_IS_POLLABLE_OUTPUT_STREAM (self->stream)
                     && g_pollable_output_stream_can_poll (G_POLLABLE_OUTPUT_STREAM (self->stream));

  return is_pipe ? PIPE_BYTES : MAX (self->out->len, 1);
}

static gboolean
flush (PenTableWriter *self, GError **error)
{
  gsize piece = choose_piece (self);

  for (gsize at = 0; at < self->out->len && !self->failure; at += piece)
    g_output_stream_write_all (self->stream, self->out->str + at, MIN (piece, self->out->len - at),
                               NULL, self->cancellable, &self->failure);
  g_string_truncate (self->out, 0);
  if (self->failure && error)
    *error = g_error_copy (self->failure);
  return !self->failure;
}

gboolean
pen_table_writer_end_row (PenTableWriter *self, GError **error)
{
  while (self->column < self->n_columns)
    pen_table_writer_empty (self);
  self->column = 0;

  if (self->format == PEN_FORMAT_CSV) {
    g_string_append_c (self->out, '\n');
  } else if (self->format == PEN_FORMAT_JSON) {
    g_string_append (self->out, self->is_live ? "}\n" : "}");
  } else {
    self->n_pending++;
    if (self->is_aligned || self->n_pending >= ALIGNED_ROWS || self->cells->len >= ALIGNED_BYTES)
      pen_table_writer_write_pending (self);
  }
  self->n_rows++;
  self->style = PEN_STYLE_PLAIN;
  /* Thousands of rows wait until they are aligned. */
  if (self->n_rows % 256 == 0 && g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  return self->out->len < FLUSH_BYTES || flush (self, error);
}

guint64
pen_table_writer_get_n_rows (PenTableWriter *self)
{
  return self->n_rows;
}

gboolean
pen_table_writer_flush (PenTableWriter *self, GError **error)
{
  if (self->n_pending > 0)
    pen_table_writer_write_pending (self);
  return flush (self, error);
}

gboolean
pen_table_writer_finish (PenTableWriter *self, GError **error)
{
  if (!self->has_begun && self->columns)
    begin (self);
  if (self->format == PEN_FORMAT_JSON && !self->is_live)
    g_string_append (self->out, self->n_rows > 0 ? "\n]\n" : "]\n");
  else if (self->format == PEN_FORMAT_TABLE && self->columns
           && (self->n_pending > 0 || self->n_rows == 0))
    pen_table_writer_write_pending (self);
  return flush (self, error) && g_output_stream_flush (self->stream, self->cancellable, error);
}
