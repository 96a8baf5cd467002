/* kernel-fixture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kernel-fixture.h"

#include <glib/gstdio.h>

#include "pen-store-functions.h"
#include "pen-store-pokes.h"
#include "pen-store-sources.h"
#include "pen-store-text.h"
#include "pen-test-kernel.h"

void
kernel_fixture_set_up (KernelFixture *self, gconstpointer data)
{
  import_fixture_set_up (&self->fixture, data);
  self->vmlinux = g_build_filename (self->fixture.directory, "vmlinux", NULL);
  self->root = g_build_filename (self->fixture.directory, "root", NULL);
}

void
kernel_fixture_tear_down (KernelFixture *self, gconstpointer data)
{
  g_autofree char *cache = g_build_filename (g_getenv ("HOME"), ".debug", NULL);
  g_autofree char *settings = g_build_filename (g_getenv ("HOME"), ".perfconfig", NULL);

  import_fixture_remove (cache);
  g_unlink (settings);
  import_fixture_tear_down (&self->fixture, data);
  g_free (self->vmlinux);
  g_free (self->root);
}

void
kernel_fixture_parse_id (const char *digits, guint8 id[20])
{
  for (guint i = 0; i < 20; i++)
    id[i] = (guint8) (g_ascii_xdigit_value (digits[2 * i]) << 4
                      | g_ascii_xdigit_value (digits[2 * i + 1]));
}

/* A kernel that was moved, a patched jump label in it, a module; samples in both. */
PenTestCapture *
kernel_fixture_make_capture (const char *kernel_id, const char *module_id)
{
  PenTestCapture *capture = pen_test_capture_new ();
  guint8 id[20];

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_set_os_release (capture, RELEASE);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, PEN_TEST_KERNEL_END, TEXT,
                             "[kernel.kallsyms]_text");
  if (module_id)
    kernel_fixture_parse_id (module_id, id);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_KERNEL, -1, 0, MODULE_START, 0x3000, 0, 5, 2,
                              module_id ? id : NULL, MODULE_PATH);
  pen_test_capture_at (capture, 1000, 42, 42, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, TEXT + PEN_TEST_KERNEL_HOT + 0xb, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, MODULE_START + PEN_TEST_KERNEL_HOT + 5, 1);
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 2000, 42, 42, 0);
  pen_test_capture_add_text_poke (capture, TEXT + PEN_TEST_KERNEL_JUMP,
                                  (const guint8 *) "\x0f\x1f\x44\x00\x00", 5,
                                  (const guint8 *) "\xe9\x1a\x00\x00\x00", 5);
  /* What the kernel made of a call of the file when it started. */
  pen_test_capture_at (capture, 2001, 42, 42, 0);
  pen_test_capture_add_text_poke (capture, TEXT + PEN_TEST_KERNEL_FTRACE,
                                  (const guint8 *) "\x0f\x1f\x44\x00\x00", 5,
                                  (const guint8 *) "\xe8\x10\x00\x00\x00", 5);
  if (kernel_id) {
    kernel_fixture_parse_id (kernel_id, id);
    pen_test_capture_add_build_id (capture, -1, PEN_TEST_KERNEL, id, 20, "[kernel.kallsyms]");
  }
  return capture;
}

gboolean
kernel_fixture_try_import (KernelFixture *self, PenTestCapture *capture, const PenSources *sources,
                           GError **error)
{
  import_fixture_remove (self->fixture.capture);
  import_fixture_remove (self->fixture.store);
  g_assert_true (
      pen_test_capture_write (capture, self->fixture.capture, PEN_TEST_CAPTURE_DIRECTORY, NULL));
  return pen_import (self->fixture.capture, self->fixture.store, sources, NULL, NULL, NULL, error);
}

PenStore *
kernel_fixture_import (KernelFixture *self, const char *kernel_id, const char *module_id,
                       const PenSources *sources)
{
  g_autoptr (PenTestCapture) capture = kernel_fixture_make_capture (kernel_id, module_id);
  GError *error = NULL;

  kernel_fixture_try_import (self, capture, sources, &error);
  g_assert_no_error (error);
  return import_fixture_open (&self->fixture);
}

/* "vmlinux given file names, bytes, sites" of each source, or "… refused". */
void
kernel_fixture_assert_sources (PenStore *store, const char *expected)
{
  g_autoptr (GArray) sources = pen_store_load_sources (store, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < sources->len; i++) {
    const PenStoreSource *source = &g_array_index (sources, PenStoreSource, i);

    g_string_append_printf (text, "%s %s %s %s%s\n", source->what, source->found,
                            pen_evidence_to_string (source->evidence), source->gives,
                            source->refused ? " refused" : "");
  }
  g_assert_cmpstr (text->str, ==, expected);
}

gboolean
kernel_fixture_has_function (PenStore *store, const char *symbol, guint64 start)
{
  guint n;
  const PenFunction *functions = pen_store_get_functions (store, &n, NULL);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (functions[i].symbol, symbol) == 0 && functions[i].start == start)
      return TRUE;
  return FALSE;
}

PenEvidence
kernel_fixture_get_evidence (PenStore *store, guint64 address, const char *source)
{
  g_autoptr (GPtrArray) text = pen_store_load_text (store, address, address + 1, NULL);
  const PenStoredText *piece;

  if (text->len == 0)
    return PEN_EVIDENCE_UNKNOWN;
  g_assert_cmpuint (text->len, ==, 1);
  piece = g_ptr_array_index (text, 0);
  g_assert_cmpstr (piece->source, ==, source);
  return piece->evidence;
}

void
kernel_fixture_build_at (const char *path, const char *build_id, gboolean is_module)
{
  g_autofree char *directory = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  pen_test_kernel_build (path, build_id, is_module);
}

PenCause
kernel_fixture_get_cause (PenStore *store, guint64 address)
{
  g_autoptr (GArray) pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);

  for (guint i = 0; i < pokes->len; i++)
    if (g_array_index (pokes, PenPoke, i).address == address)
      return g_array_index (pokes, PenPoke, i).cause;

  g_assert_not_reached ();
}

void
kernel_fixture_write_core_at (const char *path, guint64 address, const guint8 *bytes, gsize length)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autofree char *directory = g_strconcat (path, ".data", NULL);
  g_autofree char *core = g_build_filename (directory, "kcore_dir", "kcore", NULL);

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_kcore_segment (capture, address, bytes, length);
  g_assert_true (pen_test_capture_write (capture, directory, PEN_TEST_CAPTURE_DIRECTORY, NULL));
  g_assert_cmpint (g_rename (core, path), ==, 0);
  import_fixture_remove (directory);
}
