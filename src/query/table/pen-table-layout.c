/* pen-table-layout.c: tables for people: alignment, heads, headings, colour
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-table-private.h"

#include <string.h>

#include "pen-display.h"

/* A name of some hundred characters, as C++ has them, runs over: it does not push aside what stands
 * beside all others. */
#define MAX_WIDTH 64u

static const char *
style_on (PenTableWriter *self, PenStyle style)
{
  if (!self->colour)
    return "";
  switch (style) {
  case PEN_STYLE_MARKED:
    return "\033[33m";
  case PEN_STYLE_DIM:
    return "\033[2m";
  case PEN_STYLE_PLAIN:
  default:
    return "";
  }
}

static void
append_padding (GString *out, guint n)
{
  static const char blanks[] = "                                ";

  for (; n > sizeof blanks - 1; n -= sizeof blanks - 1)
    g_string_append_len (out, blanks, sizeof blanks - 1);
  g_string_append_len (out, blanks, n);
}

static void
append_aligned (PenTableWriter *self, guint index, const char *cell)
{
  Column *column = &self->columns[index];
  guint width = pen_display_width (cell);
  guint padding = column->width > width ? column->width - width : 0;

  if (index > 0)
    g_string_append_len (self->out, "  ", 2);
  if (column->type != PEN_COLUMN_TEXT)
    append_padding (self->out, padding);
  g_string_append (self->out, cell);
  if (column->type == PEN_COLUMN_TEXT)
    append_padding (self->out, padding);
}

/* An empty last cell leaves blanks that nobody needs. */
static void
end_line (PenTableWriter *self, gsize start)
{
  while (self->out->len > start && self->out->str[self->out->len - 1] == ' ')
    g_string_truncate (self->out, self->out->len - 1);
}

static void
append_head (PenTableWriter *self)
{
  if (self->colour)
    g_string_append (self->out, "\033[1m");

  gsize start = self->out->len;

  for (guint i = 0; i < self->n_columns; i++)
    append_aligned (self, i, self->columns[i].name);
  end_line (self, start);
  if (self->colour)
    g_string_append (self->out, "\033[0m");
  g_string_append_c (self->out, '\n');
}

static void
append_bold (PenTableWriter *self, const char *shown)
{
  g_string_append_printf (self->out, "%s%s%s\n", self->colour ? "\033[1m" : "", shown,
                          self->colour ? "\033[0m" : "");
}

static const char *
append_section (PenTableWriter *self, const char *shown)
{
  g_string_append_c (self->out, '\n');
  append_bold (self, shown);
  return shown + strlen (shown) + 1;
}

static const char *
append_row (PenTableWriter *self, const char *cell)
{
  if (*cell == ROW_IS_SECTION)
    return append_section (self, cell + 1);

  const char *style = style_on (self, (PenStyle) *cell++);

  g_string_append (self->out, style);

  gsize start = self->out->len;

  for (guint i = 0; i < self->n_columns; i++) {
    append_aligned (self, i, cell);
    cell += strlen (cell) + 1;
  }
  end_line (self, start);
  if (*style != '\0')
    g_string_append (self->out, "\033[0m");
  g_string_append_c (self->out, '\n');
  return cell;
}

static void
measure (PenTableWriter *self)
{
  const char *cell = self->cells->str;

  for (guint row = 0; row < self->n_pending; row++) {
    if (*cell++ == ROW_IS_SECTION) {
      cell += strlen (cell) + 1;
      continue;
    }
    for (guint i = 0; i < self->n_columns; i++) {
      self->columns[i].width
          = MAX (self->columns[i].width, MIN (pen_display_width (cell), MAX_WIDTH));
      cell += strlen (cell) + 1;
    }
  }
}

void
pen_table_writer_write_pending (PenTableWriter *self)
{
  if (!self->is_aligned) {
    measure (self);
    append_head (self);
    self->is_aligned = TRUE;
  }

  const char *cell = self->cells->str;

  for (guint row = 0; row < self->n_pending; row++)
    cell = append_row (self, cell);
  g_string_truncate (self->cells, 0);
  self->n_pending = 0;
}

void
pen_table_writer_begin_table_row (PenTableWriter *self)
{
  if (self->section) {
    g_string_append_c (self->cells, ROW_IS_SECTION);
    g_string_append_len (self->cells, self->section, (gssize) strlen (self->section) + 1);
    self->n_pending++;
    g_clear_pointer (&self->section, g_free);
  }
  g_string_append_c (self->cells, (char) self->style);
}

void
pen_table_writer_style (PenTableWriter *self, PenStyle style)
{
  self->style = style;
}

void
pen_table_writer_section (PenTableWriter *self, const char *text)
{
  g_return_if_fail (self->column == 0);

  if (self->format != PEN_FORMAT_TABLE)
    return;
  g_free (self->section);
  self->section = pen_display_text (text);
}

void
pen_table_writer_heading (PenTableWriter *self, const char *text)
{
  g_autofree char *shown = pen_display_text (text);

  g_return_if_fail (self->column == 0);

  if (self->format != PEN_FORMAT_TABLE)
    return;
  if (self->n_pending > 0)
    pen_table_writer_write_pending (self);
  if (self->n_rows > 0 && self->is_aligned)
    g_string_append_c (self->out, '\n');
  append_bold (self, shown);
  self->is_aligned = FALSE;
  for (guint i = 0; i < self->n_columns; i++)
    self->columns[i].width = pen_display_width (self->columns[i].name);
}
