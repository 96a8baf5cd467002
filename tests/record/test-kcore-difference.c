/* test-kcore-difference.c: pages that differ between two copies of a kernel's text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kcore-difference.h"

#include <elf.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096u
#define TEXT 0xffffffff81000000ull
#define MODULE 0xffffffffc0000000ull
#define TEXT_PAGES 40u
#define MODULE_PAGES 2u
#define BEGIN (sizeof (Elf64_Ehdr) + 2 * sizeof (Elf64_Phdr))
#define SIZE (BEGIN + (TEXT_PAGES + MODULE_PAGES) * PAGE)

/* Two segments; each page has its number in each byte, counted from 1. */
static guint8 *
make_file (void)
{
  guint8 *bytes = g_malloc0 (SIZE);
  Elf64_Ehdr header
      = { .e_phoff = sizeof header, .e_phentsize = sizeof (Elf64_Phdr), .e_phnum = 2 };
  const Elf64_Phdr segments[] = {
    { .p_type = PT_LOAD, .p_vaddr = TEXT, .p_filesz = TEXT_PAGES * PAGE, .p_offset = BEGIN },
    { .p_type = PT_LOAD,
      .p_vaddr = MODULE,
      .p_filesz = MODULE_PAGES * PAGE,
      .p_offset = BEGIN + TEXT_PAGES * PAGE },
  };

  memcpy (header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  memcpy (bytes, &header, sizeof header);
  memcpy (bytes + sizeof header, segments, sizeof segments);
  for (guint page = 0; page < TEXT_PAGES + MODULE_PAGES; page++)
    memset (bytes + BEGIN + page * PAGE, (int) page + 1, PAGE);
  return bytes;
}

static int
open_bytes (const guint8 *bytes, gsize size)
{
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("pen-kcore-XXXXXX", &path, NULL);

  g_assert_cmpint (file, >=, 0);
  g_unlink (path);
  g_assert_cmpint (write (file, bytes, size), ==, (gssize) size);
  return file;
}

static GByteArray *
compare (const guint8 *before, gsize before_size, const guint8 *now, gsize now_size,
         const char *modules, GError **error)
{
  int first = open_bytes (before, before_size);
  int second = open_bytes (now, now_size);
  GByteArray *difference = pen_kcore_difference_new (first, second, modules, error);

  close (first);
  close (second);
  g_assert_true (!difference == !!*error);
  return difference;
}

static void
test_pages (void)
{
  g_autofree guint8 *before = make_file ();
  g_autofree guint8 *now = make_file ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) difference = NULL;
  Elf64_Ehdr header;
  Elf64_Phdr runs[2];

  /* Two neighbours, across the end of what is read at once; one byte elsewhere; and what is gone.
   */
  now[BEGIN + 16 * PAGE - 1] = 0xcc;
  now[BEGIN + 16 * PAGE] = 0xcc;
  now[BEGIN + 39 * PAGE + 7] = 0xe9;
  memset (now + BEGIN + TEXT_PAGES * PAGE, 0, MODULE_PAGES * PAGE);
  difference = compare (before, SIZE, now, SIZE, NULL, &error);
  g_assert_no_error (error);
  memcpy (&header, difference->data, sizeof header);
  g_assert_cmpmem (header.e_ident, EI_NIDENT, before, EI_NIDENT);
  g_assert_cmpuint (header.e_phnum, ==, 2);
  memcpy (runs, difference->data + header.e_phoff, sizeof runs);
  g_assert_cmphex (runs[0].p_vaddr, ==, TEXT + 15 * PAGE);
  g_assert_cmpuint (runs[0].p_filesz, ==, 2 * PAGE);
  g_assert_cmphex (runs[1].p_vaddr, ==, TEXT + 39 * PAGE);
  g_assert_cmpuint (runs[1].p_filesz, ==, PAGE);
  g_assert_cmpmem (difference->data + runs[0].p_offset, 2 * PAGE, now + BEGIN + 15 * PAGE,
                   2 * PAGE);
  g_assert_cmpmem (difference->data + runs[1].p_offset, PAGE, now + BEGIN + 39 * PAGE, PAGE);
  g_assert_cmpuint (difference->len, ==, runs[1].p_offset + PAGE);
}

static void
test_same (void)
{
  g_autofree guint8 *bytes = make_file ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) difference = compare (bytes, SIZE, bytes, SIZE, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (difference->len, ==, sizeof (Elf64_Ehdr));
}

/* Two segments of now, one of before: the other has a module, from within a page on, of which one
 * page is zeros; another module overlaps it, and one is in what was compared. */
static void
test_modules (void)
{
  static const char modules[] = "late 5000 0 - Live 0xffffffffc0000800 (OE)\n"
                                "later 8192 1 late, Live 0xffffffffc0001000\n"
                                "old 4096 0 - Live 0xffffffff81000000\n"
                                "gone 4096 0 - Unloading 0xffffffffd0000000\n"
                                "hidden 4096 0 - Live 0x0000000000000000\n"
                                "\n"
                                "x\n"
                                "huge 18446744073709551615 0 - Live 0xffffffffc0000000\n"
                                "last 4096 0 - Live 0xfffffffffffff000\n"
                                "none 4096 0 - Live ffffffffc0000000\n";
  g_autofree guint8 *before = make_file ();
  g_autofree guint8 *now = make_file ();
  Elf64_Ehdr header;
  Elf64_Phdr run;
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) difference = NULL;

  memcpy (&header, before, sizeof header);
  header.e_phnum = 1;
  memcpy (before, &header, sizeof header);
  memset (now + BEGIN + (TEXT_PAGES + 1) * PAGE, 0, PAGE);
  difference = compare (before, SIZE, now, SIZE, modules, &error);
  g_assert_no_error (error);
  memcpy (&header, difference->data, sizeof header);
  g_assert_cmpuint (header.e_phnum, ==, 1);
  memcpy (&run, difference->data + header.e_phoff, sizeof run);
  g_assert_cmphex (run.p_vaddr, ==, MODULE);
  g_assert_cmpuint (run.p_filesz, ==, PAGE);
  g_assert_cmpmem (difference->data + run.p_offset, PAGE, now + BEGIN + TEXT_PAGES * PAGE, PAGE);
  g_assert_cmpuint (difference->len, ==, run.p_offset + PAGE);
}

/* Cut off, or with numbers that are anything: an error, or no more than there is. */
static void
test_hostile (void)
{
  static const guint64 values[]
      = { 0, 1, 55, 4097, G_MAXUINT16, G_MAXUINT32, G_MAXINT64, G_MAXUINT64, 0xffffffff81001000 };
  g_autofree guint8 *now = make_file ();

  memset (now + BEGIN, 0xcc, PAGE);
  for (gsize size = 0; size < SIZE; size += 4099) {
    g_autofree guint8 *before = make_file ();
    g_autoptr (GError) error = NULL;
    g_autoptr (GByteArray) difference = compare (before, size, now, SIZE, NULL, &error);

    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  }
  for (gsize at = 0; at < BEGIN; at += 8) {
    for (guint i = 0; i < 2 * G_N_ELEMENTS (values); i++) {
      g_autofree guint8 *before = make_file ();
      g_autofree guint8 *changed = make_file ();
      g_autoptr (GError) error = NULL;
      g_autoptr (GByteArray) difference = NULL;

      changed[BEGIN + 5] = 0xcc;
      memcpy ((i % 2 ? before : changed) + at, &values[i / 2], sizeof values[0]);
      difference = compare (before, SIZE, changed, SIZE, NULL, &error);
      g_assert_true (!difference || difference->len <= SIZE);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/kcore-difference/pages", test_pages);
  g_test_add_func ("/record/kcore-difference/same", test_same);
  g_test_add_func ("/record/kcore-difference/modules", test_modules);
  g_test_add_func ("/record/kcore-difference/hostile", test_hostile);
  return g_test_run ();
}
