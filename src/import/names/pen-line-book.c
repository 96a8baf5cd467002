/* pen-line-book.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-line-book.h"

#include "pen-demangle.h"
#include "pen-table-hash.h"

typedef struct {
  guint32 function;
  guint64 start;
  PenFunctionLines *lines;
} Page;

/* Strings by id, from 1. */
typedef struct {
  GHashTable *ids;
  GPtrArray *strings;
} Index;

struct _PenLineBook {
  GArray *pages; /* Page */
  Index files;
  Index names;
  guint n_lines;
  guint n_calls;
};

static void
index_init (Index *index)
{
  index->ids = g_hash_table_new (pen_str_hash, g_str_equal);
  index->strings = g_ptr_array_new_with_free_func (g_free);
}

static void
index_clear (Index *index)
{
  g_hash_table_unref (index->ids);
  g_ptr_array_unref (index->strings);
}

static guint32
index_get (Index *index, const char *string)
{
  guint32 id = GPOINTER_TO_UINT (g_hash_table_lookup (index->ids, string));
  char *kept;

  if (id != 0)
    return id;

  kept = g_strdup (string);
  g_ptr_array_add (index->strings, kept);
  g_hash_table_insert (index->ids, kept, GUINT_TO_POINTER (index->strings->len));
  return index->strings->len;
}

static void
clear_page (gpointer data)
{
  pen_function_lines_free (((Page *) data)->lines);
}

PenLineBook *
pen_line_book_new (void)
{
  PenLineBook *self = g_new0 (PenLineBook, 1);

  self->pages = g_array_new (FALSE, FALSE, sizeof (Page));
  g_array_set_clear_func (self->pages, clear_page);
  index_init (&self->files);
  index_init (&self->names);
  return self;
}

void
pen_line_book_free (PenLineBook *self)
{
  if (!self)
    return;

  g_array_unref (self->pages);
  index_clear (&self->files);
  index_clear (&self->names);
  g_free (self);
}

/* ---- filling ---- */

static Page *
get_last (PenLineBook *self)
{
  return self->pages->len > 0 ? &g_array_index (self->pages, Page, self->pages->len - 1) : NULL;
}

void
pen_line_book_begin (PenLineBook *self, guint32 function, guint32 tenure, guint64 start)
{
  Page *last = get_last (self);
  Page page = { .function = function, .start = start };

  if (last && last->lines->lines->len == 0)
    g_array_set_size (self->pages, self->pages->len - 1);
  page.lines = pen_function_lines_new (tenure);
  g_array_append_val (self->pages, page);
}

void
pen_line_book_add (PenLineBook *self, guint64 address, const char *file, guint line, guint call)
{
  Page *page = get_last (self);
  PenSourceLine row = { .offset = address - page->start };

  if (self->n_lines >= PEN_LINE_BOOK_MAX || page->lines->lines->len >= PEN_FUNCTION_LINES_MAX)
    return;

  if (file) {
    row.file = index_get (&self->files, file);
    row.line = line;
    row.call = call;
  }
  g_array_append_val (page->lines->lines, row);
  self->n_lines++;
}

guint
pen_line_book_add_call (PenLineBook *self, const char *name, const char *file, guint line,
                        guint outer)
{
  Page *page = get_last (self);
  g_autofree char *shown = pen_demangle (name);
  PenSourceCall call = { .outer = outer };

  if (self->n_calls >= PEN_LINE_BOOK_MAX || page->lines->calls->len >= PEN_FUNCTION_LINES_MAX)
    return 0;

  call.inlined = index_get (&self->names, shown ? shown : name);
  if (file) {
    call.file = index_get (&self->files, file);
    call.line = line;
  }
  g_array_append_val (page->lines->calls, call);
  self->n_calls++;
  return page->lines->calls->len;
}

/* ---- joining ---- */

/* Returns: (transfer full): the id in @self for each of @other's, from 1 on */
static guint32 *
map_ids (Index *self, const Index *other)
{
  guint32 *ids = g_new0 (guint32, (gsize) other->strings->len + 1);

  for (guint i = 0; i < other->strings->len; i++)
    ids[i + 1] = index_get (self, g_ptr_array_index (other->strings, i));
  return ids;
}

void
pen_line_book_append (PenLineBook *self, PenLineBook *other)
{
  g_autofree guint32 *files = map_ids (&self->files, &other->files);
  g_autofree guint32 *names = map_ids (&self->names, &other->names);

  for (guint i = 0; i < other->pages->len; i++) {
    Page *page = &g_array_index (other->pages, Page, i);
    Page taken = *page;

    page->lines = NULL;
    for (guint k = 0; k < taken.lines->lines->len; k++) {
      PenSourceLine *line = &g_array_index (taken.lines->lines, PenSourceLine, k);

      line->file = files[line->file];
    }
    for (guint k = 0; k < taken.lines->calls->len; k++) {
      PenSourceCall *call = &g_array_index (taken.lines->calls, PenSourceCall, k);

      call->file = files[call->file];
      call->inlined = names[call->inlined];
    }
    g_array_append_val (self->pages, taken);
  }
  self->n_lines += other->n_lines;
  self->n_calls += other->n_calls;
  pen_line_book_free (other);
}

/* ---- writing ---- */

static int
compare_pages (gconstpointer a, gconstpointer b)
{
  const Page *x = a;
  const Page *y = b;

  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  return (x->lines->tenure > y->lines->tenure) - (x->lines->tenure < y->lines->tenure);
}

gboolean
pen_line_book_write (PenLineBook *self, PenStoreWriter *writer, GError **error)
{
  guint32 id = 0;

  for (guint i = 0; i < self->files.strings->len; i++)
    if (!pen_store_writer_add_source_file (writer, i + 1,
                                           g_ptr_array_index (self->files.strings, i), error))
      return FALSE;
  for (guint i = 0; i < self->names.strings->len; i++)
    if (!pen_store_writer_add_inlined_function (writer, i + 1,
                                                g_ptr_array_index (self->names.strings, i), error))
      return FALSE;

  g_array_sort (self->pages, compare_pages);
  for (guint i = 0; i < self->pages->len; i++) {
    const Page *page = &g_array_index (self->pages, Page, i);

    if (page->lines->lines->len > 0
        && !pen_store_writer_add_source_lines (writer, ++id, page->function, page->lines, error))
      return FALSE;
  }
  return TRUE;
}
