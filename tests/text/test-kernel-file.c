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
read_text (PenKernelFile *file, guint64 address, gsize length, const PenModuleLoad *load)
{
  g_autofree guint8 *bytes = g_malloc (length);
  g_autofree guint8 *states = g_malloc (length);
  GString *text = g_string_new (NULL);

  pen_kernel_file_read (file, address, length, bytes, states, load);
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
  return strcmp (name, "cold") == 0 ? FENTRY : 0;
}

static void
test_module (Fixture *self, gconstpointer data)
{
  g_autoptr (PenKernelFile) file = NULL;
  g_autoptr (PenTextSites) sites = NULL;
  g_autofree char *alone = NULL;
  g_autofree char *known = NULL;
  PenModuleLoad load = { .resolve = resolve };
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

  /* Nobody traces. Calls of what is elsewhere, the state of its keys, and how the kernel writes
   * returns are not known; nor is where the module's data is. */
  alone = read_text (file, MODULE + PEN_TEST_KERNEL_FTRACE, 0x32, NULL);
  g_assert_cmpstr (alone, ==,
                   "!0f!1f!44!00!0053??????????488d4701????????????ff06e8????????8b05????????"
                   "5bc3ebda????????????????????????");
  known = read_text (file, MODULE + PEN_TEST_KERNEL_LOCK + 3, 5, &load);
  g_assert_cmpstr (known, ==, "e8e4ee9fc1");
}

static gboolean
read_trampoline (guint64 address, gsize length, guint8 *buffer, gpointer user_data)
{
  if (address != FENTRY + 0x100)
    return FALSE;
  memcpy (buffer, user_data, length);
  return TRUE;
}

static guint64
resolve_all (const char *name, gpointer user_data)
{
  static const struct {
    const char *name;
    guint64 address;
  } places[] = {
    { "__SCT__pen_hook", FENTRY + 0x100 },
    { "__static_call_return0", FENTRY + 0x200 },
    { "__x86_indirect_thunk_rax", FENTRY + 0x300 },
    { "__x86_return_thunk", FENTRY + 0x400 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (strcmp (name, places[i].name) == 0)
      return places[i].address;
  return resolve (name, user_data);
}

/* What the kernel's own text proves of it. */
static void
test_loaded (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *trampoline; /* five bytes */
    PenBootText boot;
    gboolean is_new;
    const char *call; /* and the lock after it */
    const char *end;  /* a return, an indirect call, a label whose key is its own */
  } cases[] = {
    { "\xe9\x7b\0\0\0",
      { .returns = PEN_BOOT_REPLACED, .retpolines = PEN_BOOT_KEPT, .locks = PEN_BOOT_KEPT },
      TRUE,
      "!e8!6c!f0!9f!c1!f0",
      "!c3!cc!cc!cc!cc!e8!d0!f1!9f!c1!66!90" },
    /* Gone: no call; and one CPU. */
    { "\xc3\xcc\xcc\xcc\xcc",
      { .returns = PEN_BOOT_REPLACED,
        .return_thunk = FENTRY,
        .locks = PEN_BOOT_REPLACED,
        .has_nop = TRUE,
        .nop = { 0x66, 0x66, 0x66, 0x66, 0x90 } },
      FALSE,
      "!66!66!66!66!90!3e",
      "!e9!d5!ee!9f!c1??????????????" },
    /* "Returns 0" has forms of which one has to be seen. */
    { "\xe9\xfb\0\0\0",
      { .returns = PEN_BOOT_REPLACED, .has_zero = TRUE, .zero = { 0x2e, 0x2e, 0x2e, 0x31, 0xc0 } },
      FALSE,
      "!2e!2e!2e!31!c0??",
      "!c3!cc!cc!cc!cc??????????????" },
    { "\xe9\xfb\0\0\0",
      { .returns = PEN_BOOT_REPLACED },
      FALSE,
      "????????????",
      "!c3!cc!cc!cc!cc??????????????" },
    /* A trampoline that something traces, or probes. */
    { "\xcc\x7b\0\0\0",
      { .returns = PEN_BOOT_UNKNOWN },
      FALSE,
      "????????????",
      "????????????????????????" },
  };

  (void) data;
  if (!pen_test_kernel_can_build ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PenKernelFile) file = open_built (self, TRUE, MODULE);
    PenModuleLoad load = { .resolve = resolve_all,
                           .read = read_trampoline,
                           .boot = &cases[i].boot,
                           .is_new = cases[i].is_new,
                           .user_data = (gpointer) cases[i].trampoline };
    g_autofree char *call = read_text (file, MODULE + PEN_TEST_KERNEL_CALL, 6, &load);
    g_autofree char *end = read_text (file, MODULE + PEN_TEST_KERNEL_RETURN, 12, &load);
    /* Half of a place is the same half. */
    g_autofree char *half = read_text (file, MODULE + PEN_TEST_KERNEL_CALL + 2, 4, &load);

    g_assert_cmpstr (call, ==, cases[i].call);
    g_assert_cmpstr (end, ==, cases[i].end);
    g_assert_true (g_str_has_suffix (call, half));
  }
}

static void
fill (GByteArray *text, const char *digits, guint times)
{
  for (guint i = 0; i < times; i++)
    for (const char *p = digits; *p != '\0'; p += 2) {
      guint8 byte = (guint8) (g_ascii_xdigit_value (p[0]) << 4 | g_ascii_xdigit_value (p[1]));

      g_byte_array_append (text, &byte, 1);
    }
}

/* A call or a jump to @target from the end of @text on. */
static void
branch (GByteArray *text, guint8 code, guint64 target, guint times)
{
  for (guint i = 0; i < times; i++) {
    guint32 distance = GUINT32_TO_LE ((guint32) (target - (TEXT + text->len + 5)));

    g_byte_array_append (text, &code, 1);
    g_byte_array_append (text, (const guint8 *) &distance, sizeof distance);
  }
}

static void
test_boot (void)
{
  const PenSymbol names[] = { { TEXT, TEXT + 1, "first" },
                              { TEXT + 0x100000, TEXT + 0x100001, "__x86_return_thunk" },
                              { TEXT + 0x100020, TEXT + 0x100021, "srso_return_thunk" },
                              { TEXT + 0x100040, TEXT + 0x100041, "__x86_indirect_thunk_rax" } };
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (PenSymbol));
  g_autoptr (GByteArray) text = g_byte_array_new ();
  PenBootText boot;

  g_array_append_vals (symbols, names, G_N_ELEMENTS (names));
  pen_boot_text_read (&boot, TEXT, text->data, 0, symbols);
  g_assert_cmpint (boot.returns, ==, PEN_BOOT_UNKNOWN);
  g_assert_false (boot.has_nop);

  /* Functions of a kernel that needs no thunk but for indirect calls. */
  for (guint i = 0; i < 200; i++) {
    PenSymbol function = { TEXT + text->len + 8, TEXT + text->len + 9, "function" };

    g_array_append_val (symbols, function);
    fill (text, "90", 8);
    fill (text, i % 2 == 0 ? "f30f1efa" : "0f1f40d6", 1);
    fill (text, "0f1f440000f0480fb1072e2e2e31c0", 1);
    branch (text, 0xe8, TEXT + 0x100040, 1);
    fill (text, "c3cccccccc", 1);
  }
  branch (text, 0xe9, TEXT + 0x100020, 1);
  pen_boot_text_read (&boot, TEXT, text->data, text->len, symbols);
  g_assert_cmpint (boot.returns, ==, PEN_BOOT_REPLACED);
  g_assert_cmphex (boot.return_thunk, ==, 0);
  g_assert_cmpint (boot.retpolines, ==, PEN_BOOT_KEPT);
  g_assert_cmpint (boot.locks, ==, PEN_BOOT_KEPT);
  g_assert_cmpint (boot.seals, ==, PEN_BOOT_REPLACED);
  g_assert_cmpmem (boot.seal, 4, "\x0f\x1f\x40\xd6", 4);
  g_assert_cmpint (boot.thunks, ==, PEN_BOOT_KEPT);
  g_assert_true (boot.has_nop);
  g_assert_cmpmem (boot.nop, 5, "\x0f\x1f\x44\0\0", 5);
  g_assert_true (boot.has_zero);
  g_assert_cmpmem (boot.zero, 5, "\x2e\x2e\x2e\x31\xc0", 5);

  /* By address: some have a thunk, others do not. Calls are counted. */
  branch (text, 0xe9, TEXT + 0x100020, 100);
  fill (text, "6548c13c2500000000053e0fb10700660f1f00", 1);
  pen_boot_text_read (&boot, TEXT, text->data, text->len, symbols);
  g_assert_cmpint (boot.returns, ==, PEN_BOOT_UNKNOWN);
  g_assert_cmpint (boot.retpolines, ==, PEN_BOOT_UNKNOWN);
  g_assert_cmpint (boot.locks, ==, PEN_BOOT_UNKNOWN);
  g_assert_cmpint (boot.thunks, ==, PEN_BOOT_UNKNOWN);

  /* Nearly all have it. */
  branch (text, 0xe9, TEXT + 0x100020, 200 * 64);
  pen_boot_text_read (&boot, TEXT, text->data, text->len, symbols);
  g_assert_cmpint (boot.returns, ==, PEN_BOOT_REPLACED);
  g_assert_cmphex (boot.return_thunk, ==, TEXT + 0x100020);
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
  g_test_add ("/text/kernel-file/loaded", Fixture, NULL, set_up, test_loaded, tear_down);
  g_test_add_func ("/text/kernel-file/boot", test_boot);
  g_test_add ("/text/kernel-file/packed", Fixture, NULL, set_up, test_packed, tear_down);
  g_test_add ("/text/kernel-file/damaged-kernel", Fixture, GINT_TO_POINTER (FALSE), set_up,
              test_damaged, tear_down);
  g_test_add ("/text/kernel-file/damaged-module", Fixture, GINT_TO_POINTER (TRUE), set_up,
              test_damaged, tear_down);
  g_test_add ("/text/kernel-file/refused", Fixture, NULL, set_up, test_refused, tear_down);
  return g_test_run ();
}
