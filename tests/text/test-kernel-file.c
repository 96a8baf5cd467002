/* test-kernel-file.c: names, bytes and tables of a vmlinux and of a module
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-text-sites.h"
#include "pen-test-kernel.h"
#include "text-fixture.h"

#define ID "000102030405060708090a0b0c0d0e0f10111213"
#define TEXT PEN_TEST_KERNEL_TEXT
#define SLIDE G_GUINT64_CONSTANT (0x1a000000)
#define MODULE G_GUINT64_CONSTANT (0xffffffffc0201000)
#define FENTRY G_GUINT64_CONSTANT (0xffffffff81c00000)

typedef struct {
  char *directory;
  char *path;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  (void) data;
  self->directory = g_dir_make_tmp ("pentimento-kernel-XXXXXX", NULL);
  self->path = g_build_filename (self->directory, "file", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  (void) data;
  g_unlink (self->path);
  g_rmdir (self->directory);
  g_free (self->path);
  g_free (self->directory);
}

static PenKernelFile *
open_built (Fixture *self, gboolean is_module, guint64 place)
{
  g_autoptr (GError) error = NULL;
  PenKernelFile *file;

  pen_test_kernel_build (self->path, ID, is_module);
  file = pen_kernel_file_open (self->path, &error);
  g_assert_no_error (error);
  pen_kernel_file_place (file, place);
  return file;
}

static void
assert_symbol (PenKernelFile *file, guint64 address, const char *name, guint64 start)
{
  PenSymbol symbol;

  g_assert_true (pen_kernel_file_find_symbol (file, address, &symbol));
  g_assert_cmpstr (symbol.name, ==, name);
  g_assert_cmphex (symbol.start, ==, start);
}

static void
assert_site (PenTextSites *sites, guint64 address, PenSiteKind kind, const char *name)
{
  PenTextSite site;

  g_assert_true (pen_text_sites_find (sites, address, &site));
  g_assert_cmpint (site.kind, ==, kind);
  g_assert_cmpstr (site.name, ==, name);
  g_assert_cmphex (site.address, ==, address);
}

/* The bytes as hexadecimal digits; "??" is unknown, and "!" stands before what is rewritten. */
static char *
read_text (PenKernelFile *file, guint64 address, gsize length, PenResolveFunc resolve)
{
  g_autofree guint8 *bytes = g_malloc (length);
  g_autofree guint8 *states = g_malloc (length);
  GString *text = g_string_new (NULL);

  pen_kernel_file_read (file, address, length, bytes, states, resolve, NULL);
  for (gsize i = 0; i < length; i++)
    if (states[i] == PEN_FILE_BYTE_UNKNOWN)
      g_string_append (text, "??");
    else
      g_string_append_printf (text, "%s%02x", states[i] == PEN_FILE_BYTE_REWRITTEN ? "!" : "",
                              bytes[i]);
  return g_string_free (text, FALSE);
}

static void
test_kernel (Fixture *self, gconstpointer data)
{
  g_autoptr (PenKernelFile) file = NULL;
  g_autoptr (PenTextSites) sites = NULL;
  g_autofree char *text = NULL;
  g_autofree char *outside = NULL;
  PenTextSite site;
  guint length;
  const guint8 *id;

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  file = open_built (self, FALSE, SLIDE);
  id = pen_kernel_file_get_build_id (file, &length);
  g_assert_cmpuint (length, ==, 20);
  g_assert_cmpuint (id[19], ==, 0x13);
  g_assert_false (pen_kernel_file_is_module (file));
  g_assert_cmphex (pen_kernel_file_lookup (file, "_stext"), ==, TEXT);
  g_assert_cmphex (pen_kernel_file_lookup (file, "nowhere"), ==, 0);

  g_assert_cmpuint (pen_kernel_file_load_symbols (file), >, 3);
  assert_symbol (file, TEXT + SLIDE + PEN_TEST_KERNEL_HOT + 3, "hot",
                 TEXT + SLIDE + PEN_TEST_KERNEL_HOT);
  /* A label within it, as in kallsyms. */
  assert_symbol (file, TEXT + SLIDE + PEN_TEST_KERNEL_LABEL + 1, "hot_inner",
                 TEXT + SLIDE + PEN_TEST_KERNEL_LABEL);
  assert_symbol (file, TEXT + SLIDE + PEN_TEST_KERNEL_COLD, "cold",
                 TEXT + SLIDE + PEN_TEST_KERNEL_COLD);

  sites = pen_text_sites_new (file);
  assert_site (sites, TEXT + SLIDE + PEN_TEST_KERNEL_JUMP, PEN_SITE_JUMP_LABEL, "pen_key+0x8");
  assert_site (sites, TEXT + SLIDE + PEN_TEST_KERNEL_CALL, PEN_SITE_STATIC_CALL, "pen_hook");
  assert_site (sites, TEXT + SLIDE + PEN_TEST_KERNEL_TRAMPOLINE, PEN_SITE_STATIC_CALL, "pen_hook");
  assert_site (sites, TEXT + SLIDE + PEN_TEST_KERNEL_FTRACE, PEN_SITE_FTRACE, NULL);
  g_assert_false (pen_text_sites_find (sites, TEXT + PEN_TEST_KERNEL_JUMP, &site));
  g_assert_true (pen_text_sites_find (sites, TEXT + SLIDE + PEN_TEST_KERNEL_JUMP, &site));
  g_assert_cmphex (site.target - site.address, <, 0x40);
  g_assert_true (site.jumps_when_off);

  /* The calls and the nop are what the kernel rewrites; the rest is as in memory. */
  text = read_text (file, TEXT + SLIDE + PEN_TEST_KERNEL_FTRACE, 0x18, NULL);
  g_assert_cmpstr (text, ==, "!e8!7c!00!00!0053!0f!1f!44!00!00488d4701!e8!7c!00!00!00!f0ff06e8");
  outside = read_text (file, TEXT - 4, 2, NULL);
  g_assert_cmpstr (outside, ==, "????");
}

static guint64
resolve (const char *name, gpointer user_data)
{
  (void) user_data;
  return strcmp (name, "__fentry__") == 0 ? FENTRY : 0;
}

static void
test_module (Fixture *self, gconstpointer data)
{
  g_autoptr (PenKernelFile) file = NULL;
  g_autoptr (PenTextSites) sites = NULL;
  g_autofree char *alone = NULL;
  g_autofree char *known = NULL;
  PenSymbol symbol;

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  file = open_built (self, TRUE, MODULE);
  g_assert_true (pen_kernel_file_is_module (file));
  g_assert_cmpuint (pen_kernel_file_load_symbols (file), >, 1);
  assert_symbol (file, MODULE + PEN_TEST_KERNEL_HOT, "hot", MODULE + PEN_TEST_KERNEL_HOT);
  /* What is only there while the module starts has no place behind its text. */
  for (guint64 at = MODULE; at < MODULE + 0x1000; at++)
    if (pen_kernel_file_find_symbol (file, at, &symbol))
      g_assert_cmpstr (symbol.name, !=, "begin");

  sites = pen_text_sites_new (file);
  assert_site (sites, MODULE + PEN_TEST_KERNEL_JUMP, PEN_SITE_JUMP_LABEL, "pen_key+0x8");
  assert_site (sites, MODULE + PEN_TEST_KERNEL_CALL, PEN_SITE_STATIC_CALL, "pen_hook");
  assert_site (sites, MODULE + PEN_TEST_KERNEL_FTRACE, PEN_SITE_FTRACE, NULL);

  /* Calls of what is elsewhere are not known; that of the module's own trampoline is; where the
   * module's data is, nobody knows. */
  alone = read_text (file, MODULE + PEN_TEST_KERNEL_FTRACE, 0x23, NULL);
  g_assert_cmpstr (alone, ==,
                   "!e8????????53!0f!1f!44!00!00488d4701!e8!7c!00!00!00!f0ff06e8????????8b05"
                   "????????5b");
  known = read_text (file, MODULE + PEN_TEST_KERNEL_FTRACE, 8, resolve);
  g_assert_cmpstr (known, ==, "!e8!fb!ee!9f!c153!0f!1f");
}

static void
test_packed (Fixture *self, gconstpointer data)
{
  static const char *const tools[] = { "xz --check=crc32", "gzip", "zstd -q --rm" };
  static const char *const suffixes[] = { ".xz", ".gz", ".zst" };

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++) {
    g_autofree char *packed = g_strconcat (self->path, suffixes[i], NULL);
    g_autofree char *bytes = NULL;
    g_autoptr (PenKernelFile) file = NULL;
    g_autoptr (GError) error = NULL;
    gsize n;
    guint length;

    pen_test_kernel_build (self->path, ID, TRUE);
    pen_test_kernel_run ("%s %s", tools[i], self->path);
    file = pen_kernel_file_open (packed, &error);
    g_assert_no_error (error);
    g_assert_nonnull (pen_kernel_file_get_build_id (file, &length));
    pen_kernel_file_place (file, MODULE);
    g_assert_cmpuint (pen_kernel_file_load_symbols (file), >, 1);

    /* Cut off, it is no file that half of is believed. */
    g_assert_true (g_file_get_contents (packed, &bytes, &n, NULL));
    g_assert_true (g_file_set_contents (packed, bytes, (gssize) n / 2, NULL));
    g_assert_null (pen_kernel_file_open (packed, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    g_unlink (packed);
  }
}

/* Whatever a byte of the file is changed to, nothing may be read outside of it. */
static void
test_damaged (Fixture *self, gconstpointer data)
{
  g_autofree char *good = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (0x6b65726e);
  gsize length;

  if (!pen_test_kernel_can_build ())
    return;

  pen_test_kernel_build (self->path, ID, GPOINTER_TO_INT (data));
  g_assert_true (g_file_get_contents (self->path, &good, &length, NULL));
  for (guint round = 0; round < 300; round++) {
    g_autofree char *bad = g_memdup2 (good, length);
    g_autoptr (PenKernelFile) file = NULL;
    g_autofree char *text = NULL;

    for (guint i = 0; i < 4; i++) {
      /* Headers of sections stand at the end, and matter most. */
      gsize at
          = (gsize) g_rand_int_range (random, i < 2 ? (gint32) length - 2048 : 0, (gint32) length);

      bad[at] = (char) g_rand_int (random);
    }
    g_assert_true (g_file_set_contents (self->path, bad, (gssize) length, NULL));
    file = pen_kernel_file_open (self->path, NULL);
    if (!file)
      continue;
    pen_kernel_file_place (file, pen_kernel_file_is_module (file) ? MODULE : SLIDE);
    pen_kernel_file_load_symbols (file);
    pen_text_sites_free (pen_text_sites_new (file));
    text = read_text (file, pen_kernel_file_is_module (file) ? MODULE : TEXT + SLIDE, 0x200, NULL);
    g_assert_nonnull (text);
  }
}

static void
test_refused (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  (void) data;
  g_assert_true (g_file_set_contents (self->path, "not an ELF file", -1, NULL));
  g_assert_null (pen_kernel_file_open (self->path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_nonnull (strstr (error->message, self->path));
  g_clear_error (&error);
  g_assert_null (pen_kernel_file_open (self->directory, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/text/kernel-file/kernel", Fixture, NULL, set_up, test_kernel, tear_down);
  g_test_add ("/text/kernel-file/module", Fixture, NULL, set_up, test_module, tear_down);
  g_test_add ("/text/kernel-file/packed", Fixture, NULL, set_up, test_packed, tear_down);
  g_test_add ("/text/kernel-file/damaged-kernel", Fixture, GINT_TO_POINTER (FALSE), set_up,
              test_damaged, tear_down);
  g_test_add ("/text/kernel-file/damaged-module", Fixture, GINT_TO_POINTER (TRUE), set_up,
              test_damaged, tear_down);
  g_test_add ("/text/kernel-file/refused", Fixture, NULL, set_up, test_refused, tear_down);
  return g_test_run ();
}
