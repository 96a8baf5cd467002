/* test-annotate-sums.c: each sample is in one row of one function's annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-annotated.h"
#include "pen-import.h"
#include "pen-query-annotation.h"
#include "pen-query-resolve.h"
#include "pen-store-functions.h"
#include "test-share.h"

/* Annotations by name are one name in so many: all of them, without a sanitizer. */
#define NAME_STRIDE TEST_SHARE (1, 4)

/* The numbers of column @name of CSV. @with_tenure: (inout): those of rows that name a tenure */
static guint64
sum_column (const char *csv, const char *name, guint64 *with_tenure)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  g_auto (GStrv) columns = g_strsplit (lines[0], ",", -1);
  guint64 sum = 0;

  for (char **line = lines + 1; *line && **line; line++) {
    g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GString) cell = g_string_new (NULL);
    gboolean is_quoted = FALSE;
    guint64 samples = 0;

    for (const char *p = *line;; p++) {
      if (*p == '"') {
        is_quoted = !is_quoted;
      } else if ((*p == ',' && !is_quoted) || *p == '\0') {
        g_ptr_array_add (cells, g_strdup (cell->str));
        g_string_truncate (cell, 0);
      } else {
        g_string_append_c (cell, *p);
      }
      if (*p == '\0')
        break;
    }
    g_assert_cmpuint (cells->len, ==, g_strv_length (columns));
    for (guint i = 0; i < cells->len; i++)
      if (g_str_equal (columns[i], name))
        samples = g_ascii_strtoull (cells->pdata[i], NULL, 10);
    sum += samples;
    g_assert_cmpstr (columns[cells->len - 1], ==, "tenure");
    if (*(char *) cells->pdata[cells->len - 1] != '\0')
      *with_tenure += samples;
  }
  return sum;
}

static char *
annotate (PenQuery *query, const char *target)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  GError *error = NULL;

  pen_query_write_annotation (query, NULL, target, PEN_SYNTAX_ATT, writer, &error);
  g_assert_no_error (error);
  g_output_stream_write (stream, "", 1, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

/* By function, and for those that have a name by name, as the command is asked. */
static void
check_sums (PenQuery *query, PenStore *store, guint64 *with_tenure)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;
  const PenFunction *functions = pen_store_get_functions (store, &n, NULL);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (PenFunctionGroup) group = NULL;
  guint64 all = 0;
  guint64 total = 0;

  for (guint i = 0; i < n; i++)
    g_array_append_val (ids, functions[i].id);
  group = pen_function_group_new (query, NULL, ids, PEN_SYNTAX_ATT, NULL);
  g_assert_nonnull (group);
  for (guint i = 0; i < n; i++) {
    g_autoptr (PenAnnotated) annotated = pen_query_annotate_own (group, functions[i].id, NULL);
    guint64 *of_name;
    guint64 sum = 0;

    g_assert_nonnull (annotated);
    for (guint k = 0; k < annotated->lines->len; k++)
      sum += ((const PenAnnotationLine *) annotated->lines->pdata[k])->samples;
    g_assert_cmpuint (annotated->samples, ==, functions[i].samples);
    g_assert_cmpuint (sum, ==, functions[i].samples);
    all += sum;
    total = annotated->total_samples;
    if (!functions[i].symbol || g_str_hash (functions[i].symbol) % NAME_STRIDE != 0)
      continue;
    of_name = g_hash_table_lookup (names, functions[i].symbol);
    if (!of_name) {
      of_name = g_new0 (guint64, 1);
      g_hash_table_insert (names, (gpointer) functions[i].symbol, of_name);
    }
    *of_name += sum;
  }
  g_assert_cmpuint (all, ==, total);
  g_assert_cmpuint (total, >, 0);

  GHashTableIter iter;
  gpointer name;
  gpointer of_name;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, &of_name)) {
    g_autofree char *csv = annotate (query, name);

    g_assert_cmpuint (sum_column (csv, "samples", with_tenure), ==, *(guint64 *) of_name);
    g_free (of_name);
  }
}

static void
test_bundled (void)
{
  g_autofree char *directory = g_test_build_filename (G_TEST_DIST, "data", NULL);
  g_autofree char *place = g_dir_make_tmp ("pentimento-sums-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (place, "store", NULL);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint64 with_tenure = 0;
  guint n = 0;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *capture = g_build_filename (directory, name, NULL);
    GError *error = NULL;

    if (!g_str_has_suffix (name, ".data"))
      continue;
    g_test_message ("%s", name);
    pen_import (capture, path, NULL, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    {
      g_autoptr (PenStore) store = pen_store_open (path, &error);
      g_autoptr (PenQuery) query = NULL;

      g_assert_no_error (error);
      query = pen_query_new (store);
      check_sums (query, store, &with_tenure);
    }
    g_unlink (path);
    n++;
  }
  g_rmdir (place);
  g_assert_cmpuint (n, >, 5);
  g_assert_cmpuint (with_tenure, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/annotate-sums/bundled", test_bundled);
  return g_test_run ();
}
