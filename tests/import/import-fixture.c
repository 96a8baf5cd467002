/* import-fixture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-sql-query.h"
#include "pen-store-buckets.h"
#include "pen-store-functions.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"

void
import_fixture_set_up (ImportFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  self->directory = g_dir_make_tmp ("pen-import-XXXXXX", NULL);
  g_assert_nonnull (self->directory);
  self->capture = g_build_filename (self->directory, "perf.data", NULL);
  self->store = g_build_filename (self->directory, "store.pentimento", NULL);
}

void
import_fixture_remove (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
      import_fixture_remove (child);
    else
      g_unlink (child);
  }
  g_remove (path);
}

void
import_fixture_tear_down (ImportFixture *self, G_GNUC_UNUSED gconstpointer data)
{
  import_fixture_remove (self->directory);
  g_free (self->directory);
  g_free (self->capture);
  g_free (self->store);
}

static void
add_initial_state (PenTestCapture *capture)
{
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0x100000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE, 0x4000, 0,
                             "/lib/modules/6.1/kernel/snd-hda.ko.xz");
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "worker");
  pen_test_capture_add_mmap (capture, PEN_TEST_USER, 42, 42, 0x400000, 0x1000, 0, "/bin/worker");
}

static void
add_sample (PenTestCapture *capture, guint64 time, guint16 misc, guint64 address)
{
  pen_test_capture_at (capture, time, 42, 42, 1);
  pen_test_capture_add_sample (capture, misc, address, 1000000);
}

static const guint8 nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
static const guint8 other[] = { 0xe9, 0x20, 0x00, 0x00, 0x00 };
static const guint8 tag[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static void
add_files (PenTestCapture *capture)
{
  static const char kallsyms[] = "ffffffff81000000 T _text\n"
                                 "ffffffff81001000 T vfs_read\n"
                                 "ffffffff81001100 T vfs_write\n"
                                 "ffffffff81001200 T last\n"
                                 "ffffffffa0000000 t hda_init\t[snd_hda]\n";
  static const char modules[] = "snd_hda 16384 0 - Live 0xffffffffa0000000\n"
                                "late 8192 0 - Live 0xffffffffa0100000\n";
  guint8 *bytes = g_malloc (0x2000);

  for (guint i = 0; i < 0x2000; i++)
    bytes[i] = (guint8) i;
  memcpy (bytes + 0x1010, nop5, sizeof nop5);

  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, sizeof kallsyms - 1);
  pen_test_capture_add_kcore_file (capture, "modules", modules, sizeof modules - 1);
  pen_test_capture_add_kcore_segment (capture, KERNEL, bytes, 0x2000);
  g_free (bytes);
}

PenTestCapture *
import_fixture_make_capture (void)
{
  static const guint8 image[0x40] = { 0x55, 0x48, 0x89, 0xe5 };
  PenTestCapture *capture = pen_test_capture_new ();
  guint64 address = PROGRAM;
  guint32 length = 0x40;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  add_initial_state (capture);

  /* Not in the order of time: as ring buffers give them. */
  add_sample (capture, 3000, PEN_TEST_KERNEL, KERNEL + 0x1010);
  add_sample (capture, 1000, PEN_TEST_KERNEL, KERNEL + 0x1010);
  add_sample (capture, 5500, PEN_TEST_KERNEL, KERNEL + 0x1010);
  add_sample (capture, 1500, PEN_TEST_KERNEL, MODULE + 8);
  add_sample (capture, 1600, PEN_TEST_USER, 0x400123);
  add_sample (capture, 1700, PEN_TEST_USER, 0x900000);
  add_sample (capture, 3500, PEN_TEST_KERNEL, PROGRAM + 4);
  add_sample (capture, 4500, PEN_TEST_KERNEL, PROGRAM + 4);
  add_sample (capture, 1800, 4, KERNEL + 0x1010); /* a guest's kernel */
  add_sample (capture, 1900, 0, KERNEL + 0x1010); /* unknown cpumode */

  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 2000, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1010, nop5, 5, jump, 5);
  pen_test_capture_at (capture, 5000, 7, 8, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1010, jump, 5, nop5, 5);
  /* Its old bytes are wrong: something was lost before. */
  pen_test_capture_at (capture, 6000, 7, 8, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1010, other, 5, nop5, 5);

  pen_test_capture_at (capture, 3200, 9, 9, 0);
  pen_test_capture_add_ksymbol (capture, PROGRAM, 0x40, 1, 0, "bpf_prog_0102030405060708_x");
  pen_test_capture_add_bpf_event (capture, 1, 33, tag);
  pen_test_capture_at (capture, 4000, 9, 9, 0);
  pen_test_capture_add_ksymbol (capture, PROGRAM, 0x40, 1, 1, "bpf_prog_0102030405060708_x");

  pen_test_capture_at (capture, 5900, 7, 7, 0);
  pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, 0), 3);

  pen_test_capture_set_os_release (capture, "6.1.0-test");
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_add_bpf_program (capture, 33, "x", tag, 0, &address, &length, 1, image,
                                    sizeof image);
  add_files (capture);
  return capture;
}

void
import_fixture_import (ImportFixture *self, PenTestCapture *capture, PenTestCaptureFlags flags)
{
  GError *error = NULL;

  import_fixture_remove (self->capture);
  g_assert_true (pen_test_capture_write (capture, self->capture, flags, &error));
  g_assert_no_error (error);
  pen_import (self->capture, self->store, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

PenStore *
import_fixture_import_with (ImportFixture *self, PenTestCapture *capture, const PenSources *sources)
{
  GError *error = NULL;

  import_fixture_remove (self->capture);
  import_fixture_remove (self->store);
  pen_test_capture_write (capture, self->capture, PEN_TEST_CAPTURE_FILE, &error);
  g_assert_no_error (error);
  pen_import (self->capture, self->store, sources, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return import_fixture_open (self);
}

PenStore *
import_fixture_open (ImportFixture *self)
{
  GError *error = NULL;
  PenStore *store = pen_store_open (self->store, &error);

  g_assert_no_error (error);
  return store;
}

static void
dump_sample (PenStore *store, const PenSampleBlock *block, guint i, GString *text)
{
  guint n;
  const PenBucket *bucket = &pen_store_get_buckets (store, &n, NULL)[block->bucket[i]];
  const PenFunction *function = &pen_store_get_functions (store, &n, NULL)[bucket->function];
  const PenThread *thread = &pen_store_get_threads (store, &n, NULL)[block->thread[i]];
  const PenStoreEvent *event
      = g_ptr_array_index (pen_store_get_events (store), (guint) bucket->event);

  g_string_append_printf (
      text,
      "%" G_GUINT64_FORMAT " %s %u %d/%d %s %" G_GINT64_MODIFIER
      "x %s %s r%u %s+%" G_GINT64_MODIFIER "x %" G_GUINT64_FORMAT "\n",
      block->time[i], event->name, block->cpu[i], thread->pid, thread->tid, thread->comm,
      bucket->address, pen_kind_to_string (bucket->kind), function->occupant, bucket->revision,
      function->symbol ? function->symbol : "-",
      function->symbol ? bucket->address - function->start : 0, block->period[i]);
}

char *
import_fixture_dump_samples (PenStore *store)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GString *text = g_string_new (NULL);
  GError *error = NULL;
  guint n;

  pen_store_get_blocks (store, &n);
  for (guint b = 0; b < n; b++) {
    pen_store_read_block (store, b, block, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < block->n; i++)
      dump_sample (store, block, i, text);
  }
  return g_string_free (text, FALSE);
}

char *
import_fixture_ask (PenStore *store, const char *sql)
{
  GError *error = NULL;
  g_autoptr (PenSqlQuery) query = pen_sql_query_new (store, sql, 0, NULL, NULL, &error);
  gboolean has_row;

  g_assert_no_error (error);
  pen_sql_query_next (query, &has_row, &error);
  g_assert_no_error (error);
  g_assert_true (has_row);
  return g_strdup (pen_sql_query_get_cell (query, 0).text);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
import_fixture_list (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

int
import_fixture_main (int argc, char **argv, void (*add_tests) (void))
{
  g_autofree char *home = g_dir_make_tmp ("pentimento-home-XXXXXX", NULL);
  int status;

  g_setenv ("HOME", home, TRUE);
  g_unsetenv ("PERF_CONFIG");
  g_unsetenv ("XDG_CACHE_HOME");
  g_test_init (&argc, &argv, NULL);
  add_tests ();
  status = g_test_run ();
  import_fixture_remove (home);
  return status;
}
