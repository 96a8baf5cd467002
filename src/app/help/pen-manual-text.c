/* pen-manual-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-manual-text.h"

#include <string.h>

#define HEADINGS 3
#define LINK_KEY "pen-link"

static void
make_tags (GtkTextBuffer *buffer)
{
  gtk_text_buffer_create_tag (buffer, "heading-1", "scale", 1.7, "weight", PANGO_WEIGHT_BOLD,
                              "pixels-above-lines", 24, "pixels-below-lines", 8, NULL);
  gtk_text_buffer_create_tag (buffer, "heading-2", "scale", 1.35, "weight", PANGO_WEIGHT_BOLD,
                              "pixels-above-lines", 18, "pixels-below-lines", 6, NULL);
  gtk_text_buffer_create_tag (buffer, "heading-3", "scale", 1.1, "weight", PANGO_WEIGHT_BOLD,
                              "pixels-above-lines", 14, "pixels-below-lines", 4, NULL);
  gtk_text_buffer_create_tag (buffer, "item", "left-margin", 36, "indent", -16, NULL);
  gtk_text_buffer_create_tag (buffer, "row", "left-margin", 36, "indent", -24, NULL);
  gtk_text_buffer_create_tag (buffer, "block", "left-margin", 36, "family", "monospace",
                              "wrap-mode", GTK_WRAP_CHAR, NULL);
  gtk_text_buffer_create_tag (buffer, "code", "family", "monospace", NULL);
  gtk_text_buffer_create_tag (buffer, "strong", "weight", PANGO_WEIGHT_BOLD, NULL);
}

static void
insert (GtkTextBuffer *buffer, const char *text, gssize length, const char *tag, const char *style)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert_with_tags_by_name (buffer, &end, text, (int) length, tag ? tag : style,
                                            tag && style ? style : NULL, NULL);
}

static void
insert_plain (GtkTextBuffer *buffer, const char *text, gssize length, const char *tag)
{
  GtkTextIter end;

  if (tag) {
    insert (buffer, text, length, tag, NULL);
    return;
  }
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, text, (int) length);
}

/* From @offset to the end. */
static void
make_link (GtkTextBuffer *buffer, int offset, const char *name, gsize length)
{
  GtkTextTag *tag
      = gtk_text_buffer_create_tag (buffer, NULL, "underline", PANGO_UNDERLINE_SINGLE, NULL);
  GtkTextIter start, end;

  g_object_set_data_full (G_OBJECT (tag), LINK_KEY, g_strndup (name, length), g_free);
  gtk_text_buffer_get_iter_at_offset (buffer, &start, offset);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_apply_tag (buffer, tag, &start, &end);
}

const char *
pen_manual_text_get_link (const GtkTextIter *at)
{
  g_autoptr (GSList) tags = gtk_text_iter_get_tags (at);
  const char *name = NULL;

  for (GSList *l = tags; l && !name; l = l->next)
    name = g_object_get_data (l->data, LINK_KEY);
  return name;
}

/* `code`, **strong**, *stressed*, [words](#name): what is not ended is text. */
static void
insert_words (GtkTextBuffer *buffer, const char *text, const char *tag)
{
  const char *plain = text;

  for (const char *p = text; *p;) {
    const char *mark = *p == '`'                             ? "`"
                       : g_str_has_prefix (p, "**")          ? "**"
                       : *p == '*' && g_ascii_isalpha (p[1]) ? "*"
                                                             : NULL;
    const char *from = mark ? p + strlen (mark) : p + 1;
    const char *to = mark ? strstr (from, mark) : *p == '[' ? strstr (p, "](") : NULL;
    const char *after = to && !mark ? strchr (to, ')') : to ? to + strlen (mark) : NULL;

    if (!to || !after || to == from) {
      p++;
      continue;
    }
    insert_plain (buffer, plain, p - plain, tag);
    if (mark) {
      insert (buffer, from, to - from, tag, *mark == '`' ? "code" : "strong");
    } else {
      g_autofree char *words = g_strndup (from, (gsize) (to - from));
      int offset = gtk_text_buffer_get_char_count (buffer);

      insert_words (buffer, words, tag);
      if (g_str_has_prefix (to, "](#"))
        make_link (buffer, offset, to + 3, (gsize) (after - to - 3));
    }
    p = plain = mark ? after : after + 1;
  }
  insert_plain (buffer, plain, -1, tag);
}

static gboolean
is_rule (const char *line)
{
  return line[0] == '|' && strspn (line, "|-: ") == strlen (line);
}

/* The cells of a row. Titles are strong. */
static void
insert_row (GtkTextBuffer *buffer, const char *line, gboolean has_titles)
{
  g_auto (GStrv) cells = NULL;
  g_autofree char *inner = g_strndup (line + 1, strlen (line) - 1);
  gsize length = strlen (inner);
  gboolean is_first = TRUE;
  GtkTextIter start, end;
  int offset;

  gtk_text_buffer_get_end_iter (buffer, &end);
  offset = gtk_text_iter_get_offset (&end);

  if (length > 0 && inner[length - 1] == '|')
    inner[length - 1] = '\0';
  cells = g_strsplit (inner, " |", -1);
  for (guint i = 0; cells[i]; i++) {
    g_strstrip (cells[i]);
    if (cells[i][0] == '\0')
      continue;
    if (!is_first)
      insert_plain (buffer, "  —  ", -1, "row");
    insert_words (buffer, cells[i], "row");
    is_first = FALSE;
  }
  if (!is_first)
    insert_plain (buffer, "\n", -1, "row");
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_get_iter_at_offset (buffer, &start, offset);
  if (has_titles)
    gtk_text_buffer_apply_tag_by_name (buffer, "strong", &start, &end);
}

static guint
count_hashes (const char *line)
{
  guint n = (guint) strspn (line, "#");

  return n > 0 && n <= HEADINGS && line[n] == ' ' ? n : 0;
}

static void
insert_heading (GtkTextBuffer *buffer, const char *words, guint level)
{
  static const char *const headings[HEADINGS] = { "heading-1", "heading-2", "heading-3" };
  const char *name = strstr (words, " {#");
  g_autofree char *title = g_strndup (words, name ? (gsize) (name - words) : strlen (words));

  if (name) {
    g_autofree char *mark = g_strndup (name + 3, strcspn (name + 3, "}"));
    GtkTextIter end;

    gtk_text_buffer_get_end_iter (buffer, &end);
    gtk_text_buffer_create_mark (buffer, mark, &end, TRUE);
  }
  insert_words (buffer, title, headings[level - 1]);
  insert_plain (buffer, "\n", -1, NULL);
}

/* "- ", "1. ". Returns: how many bytes; 0: no item */
static gsize
count_item (const char *line)
{
  gsize digits = strspn (line, "0123456789");

  if (g_str_has_prefix (line, "- "))
    return 2;
  return digits > 0 && g_str_has_prefix (line + digits, ". ") ? digits + 2 : 0;
}

/* Lines of one paragraph flow together. */
static void
flush (GtkTextBuffer *buffer, GString *paragraph, const char *tag)
{
  if (paragraph->len == 0)
    return;
  insert_words (buffer, paragraph->str, tag);
  insert_plain (buffer, "\n", -1, tag);
  g_string_truncate (paragraph, 0);
}

void
pen_manual_text_fill (GtkTextBuffer *buffer, const char *markdown)
{
  g_auto (GStrv) lines = g_strsplit (markdown, "\n", -1);
  g_autoptr (GString) paragraph = g_string_new (NULL);
  const char *tag = NULL;

  make_tags (buffer);
  for (guint i = 0; lines[i]; i++) {
    const char *line = lines[i];
    guint level = count_hashes (line);
    gsize item = count_item (line);
    gboolean is_block = paragraph->len == 0 && g_str_has_prefix (line, "    ");

    if (level > 0 || item > 0 || is_block || line[0] == '|' || line[0] == '\0') {
      flush (buffer, paragraph, tag);
      tag = NULL;
    }
    if (level > 0) {
      insert_heading (buffer, line + level + 1, level);
    } else if (is_block) {
      insert_plain (buffer, line + 4, -1, "block");
      insert_plain (buffer, "\n", -1, "block");
    } else if (line[0] == '|') {
      if (!is_rule (line))
        insert_row (buffer, line, lines[i + 1] && is_rule (lines[i + 1]));
    } else if (line[0] == '\0') {
      if (i > 0 && lines[i - 1][0] != '\0')
        insert_plain (buffer, "\n", -1, NULL);
    } else {
      if (item > 0) {
        tag = "item";
        if (line[0] == '-')
          g_string_append (paragraph, "•  ");
        else
          g_string_append_len (paragraph, line, (gssize) item);
        line += item;
      }
      while (*line == ' ')
        line++;
      g_string_append_printf (paragraph, "%s%s", paragraph->len > 0 && item == 0 ? " " : "", line);
    }
  }
  flush (buffer, paragraph, tag);
}
