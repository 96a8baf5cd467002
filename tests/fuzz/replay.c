/* replay.c: runs a fuzz target over files that are known, as a test
 *
 * Arguments: directories. Each file in them is a test case of its own if the directory's name is
 * "regressions"; else a directory is one case.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "pen-fuzz-mutate.h"
#include "pen-fuzz.h"

#define MAX_LENGTH 4096u

#pragma weak LLVMFuzzerCustomMutator

static guint random_state;

/* A byte that is changed, one that is left out, and one more. */
size_t
LLVMFuzzerMutate (guint8 *data, size_t size, size_t max_size)
{
  gsize at = pen_fuzz_random (&random_state, (guint) size);
  guint choice = pen_fuzz_random (&random_state, 4);

  if (size > 0 && choice == 0) {
    memmove (data + at, data + at + 1, size - at - 1);
    return size - 1;
  }
  if (size < max_size && (size == 0 || choice == 1)) {
    memmove (data + at + 1, data + at, size - at);
    size++;
  }
  if (size > 0)
    data[at] = (guint8) pen_fuzz_random_number (&random_state);
  return size;
}

static void
run_input (const guint8 *bytes, gsize size)
{
  /* A block of just that size, so that a sanitizer sees what reads past its end. */
  guint8 *input = g_malloc (MAX (size, 1));

  memcpy (input, bytes, size);
  g_assert_cmpint (LLVMFuzzerTestOneInput (input, size), ==, 0);
  g_free (input);
}

/* What the target's own mutator makes of an input, and of that, and so on: the same each time. */
static void
run_mutations (const guint8 *bytes, gsize size)
{
  g_autofree guint8 *buffer = g_malloc (MAX_LENGTH);

  size = MIN (size, MAX_LENGTH);
  memcpy (buffer, bytes, size);
  random_state = pen_fuzz_hash (bytes, size);
  /* These are many, and nobody knows them. */
  pen_fuzz_is_replay = FALSE;
  for (guint i = 0; i < pen_fuzz_mutations; i++) {
    size = LLVMFuzzerCustomMutator (buffer, size, MAX_LENGTH, random_state + i);
    g_assert_cmpuint (size, <=, MAX_LENGTH);
    run_input (buffer, size);
  }
  pen_fuzz_is_replay = TRUE;
}

static void
run_file (gconstpointer path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize size;

  g_file_get_contents (path, &bytes, &size, &error);
  g_assert_no_error (error);
  run_input ((const guint8 *) bytes, size);
  if (LLVMFuzzerCustomMutator)
    run_mutations ((const guint8 *) bytes, size);
}

static GPtrArray *
list_files (const char *directory)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    char *path = g_build_filename (directory, name, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      g_ptr_array_add (paths, path);
    else
      g_free (path);
  }
  return paths;
}

static void
run_directory (gconstpointer directory)
{
  g_autoptr (GPtrArray) paths = list_files (directory);

  g_assert_cmpuint (paths->len, >, 0);
  for (guint i = 0; i < paths->len; i++) {
    g_test_message ("%s", (const char *) g_ptr_array_index (paths, i));
    run_file (g_ptr_array_index (paths, i));
  }
}

static void
add_regressions (const char *directory)
{
  g_autoptr (GPtrArray) paths = list_files (directory);

  for (guint i = 0; i < paths->len; i++) {
    char *path = g_strdup (g_ptr_array_index (paths, i));
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *test = g_strdup_printf ("/fuzz/regressions/%s", name);

    g_test_add_data_func_full (test, path, run_file, g_free);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  LLVMFuzzerInitialize (&argc, &argv);
  pen_fuzz_is_replay = TRUE;

  for (int i = 1; i < argc; i++) {
    g_autofree char *parent = g_path_get_dirname (argv[i]);
    g_autofree char *kind = g_path_get_basename (parent);
    g_autofree char *test = g_strdup_printf ("/fuzz/%s/%d", kind, i);

    if (!g_file_test (argv[i], G_FILE_TEST_IS_DIR))
      continue;
    if (g_str_equal (kind, "regressions"))
      add_regressions (argv[i]);
    else
      g_test_add_data_func_full (test, g_strdup (argv[i]), run_directory, g_free);
  }
  return g_test_run ();
}
