/* fuzz-import.c: any bytes as a capture, imported, and the store asked everything
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>

#include "pen-fuzz-ask.h"
#include "pen-fuzz-mutate.h"
#include "pen-fuzz.h"
#include "pen-import.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  const char *capture = pen_fuzz_write_capture (data, size);
  g_autofree char *path = g_build_filename (pen_fuzz_get_directory (), "store.pentimento", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStore) store = NULL;

  pen_fuzz_mutations = 2;
  if (!pen_import (capture, path, NULL, NULL, NULL, NULL, &error)) {
    g_assert_nonnull (error);
    g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    return 0;
  }

  g_assert_no_error (error);
  store = pen_store_open (path, &error);
  g_assert_no_error (error);
  g_unlink (path);
  pen_fuzz_check_import (store);
  pen_fuzz_ask (store, pen_fuzz_hash (data, size));
  return 0;
}

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  if (pen_fuzz_random (&seed, 2) == 0 || !pen_fuzz_mutate_records (data, size, &seed))
    return LLVMFuzzerMutate (data, size, max_size);
  return size;
}
