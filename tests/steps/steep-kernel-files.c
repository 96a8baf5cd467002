/* steep-kernel-files.c: copies of the kernel's files beside the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep.h"

static void
add_listed (SteepMaker *self, GString *symbols, GString *modules)
{
  self->flags |= PEN_TEST_CAPTURE_DIRECTORY;
  pen_test_capture_add_kcore_file (self->capture, "kallsyms", symbols->str, symbols->len);
  pen_test_capture_add_kcore_file (self->capture, "modules", modules->str, modules->len);
}

static void
list_symbols (SteepMaker *self, guint n, guint step, gboolean has_modules)
{
  g_autoptr (GString) symbols
      = g_string_new ("ffffffff81000000 T _text\nffffffff81000000 T _stext\n");
  g_autoptr (GString) modules = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    guint64 address = (has_modules ? PROGRAM : KERNEL + 0x100) + step * (guint64) i;

    g_string_append_printf (symbols, "%" G_GINT64_MODIFIER "x t symbol_%u", address, i);
    if (has_modules) {
      g_string_append_printf (symbols, "\t[module_%u]", i);
      g_string_append_printf (modules, "module_%u 16384 1 - Live 0x%" G_GINT64_MODIFIER "x\n", i,
                              address);
    }
    g_string_append_c (symbols, '\n');
    if (i % 4 == 0)
      steep_sample (self, address);
  }
  add_listed (self, symbols, modules);
}

static void
symbols_at_one_place (SteepMaker *self, guint n)
{
  list_symbols (self, n, 0, FALSE);
}

static void
symbols_apart (SteepMaker *self, guint n)
{
  list_symbols (self, n, 16, FALSE);
}

static void
modules_listed (SteepMaker *self, guint n)
{
  list_symbols (self, n, 4096, TRUE);
}

static void
modules_listed_at_one_place (SteepMaker *self, guint n)
{
  list_symbols (self, n, 0, TRUE);
}

static void
modules_listed_overlapping (SteepMaker *self, guint n)
{
  list_symbols (self, n, 16, TRUE);
}

/* One module, loaded again and again somewhere else, with many names. */
static void
modules_of_one_name (SteepMaker *self, guint n)
{
  g_autoptr (GString) symbols
      = g_string_new ("ffffffff81000000 T _text\nffffffff81000000 T _stext\n");
  g_autoptr (GString) modules = g_string_new ("module 16384 1 - Live 0xffffffffc0000000\n");

  for (guint i = 0; i < n; i++) {
    steep_at (self, -1);
    pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0,
                               PROGRAM + 2 * PAGE * (guint64) (n - i), PAGE, 0, "[module]");
    g_string_append_printf (symbols, "%" G_GINT64_MODIFIER "x t symbol_%u\t[module]\n",
                            PROGRAM + 4 * (guint64) i, i);
    if (i % 4 == 0)
      steep_sample (self, PROGRAM + 2 * PAGE * (guint64) (n - i));
  }
  add_listed (self, symbols, modules);
}

static void
kcore_of_segments (SteepMaker *self, guint n)
{
  guint8 bytes[64];

  memset (bytes, 0x90, sizeof bytes);
  for (guint i = 0; i < n; i++)
    pen_test_capture_add_kcore_segment (self->capture, KERNEL + 32 * (guint64) (n - i), bytes,
                                        sizeof bytes);
  list_symbols (self, n / 4, 16, FALSE);
}

/* Bytes of the kernel, and pokes over each other in them, the longest first. */
static void
kcore_with_pokes (SteepMaker *self, guint n)
{
  gsize length = 16 * (gsize) n;
  g_autofree guint8 *bytes = g_malloc (length);
  guint8 old[4000];

  memset (bytes, 0x90, length);
  memset (old, 0x90, sizeof old);
  pen_test_capture_add_kcore_segment (self->capture, KERNEL, bytes, length);
  list_symbols (self, n / 2, 16, FALSE);
  for (guint i = 0; i < n / 4; i++) {
    steep_at (self, 7);
    pen_test_capture_add_text_poke (self->capture, KERNEL + 0x100 + i % 32, old,
                                    i % 64 == 0 ? 4000 : 5, steep_nop, 5);
  }
}

static void
kcore_with_ksymbols (SteepMaker *self, guint n)
{
  gsize length = 16 * (gsize) n;
  g_autofree guint8 *bytes = g_malloc (length);

  memset (bytes, 0x90, length);
  pen_test_capture_add_kcore_segment (self->capture, PROGRAM, bytes, length);
  for (guint i = 0; i < n / 2; i++) {
    steep_ksymbol (self, PROGRAM + 8 * i, 16 * (n - i), FALSE, i);
    if (i % 4 == 0)
      steep_sample (self, PROGRAM + 8 * i);
  }
  list_symbols (self, 1, 16, FALSE);
}

const SteepKind steep_kernel_files[] = {
  STEEP_KIND (symbols_at_one_place),
  STEEP_KIND (symbols_apart),
  STEEP_KIND (modules_listed),
  STEEP_KIND (modules_listed_at_one_place),
  STEEP_KIND (modules_listed_overlapping),
  STEEP_KIND (modules_of_one_name),
  STEEP_KIND (kcore_of_segments),
  STEEP_KIND (kcore_with_pokes),
  STEEP_KIND (kcore_with_ksymbols),
  { 0 },
};
