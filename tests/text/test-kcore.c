/* test-kcore.c: bytes of an ELF core, also of a damaged one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <elf.h>
#include <string.h>

#include "text-fixture.h"

#define BASE G_GUINT64_CONSTANT (0xffffffff81000000)

static PenKcore *
open_core (const GByteArray *file, gsize length, GError **error)
{
  char *path = text_fixture_write ("kcore", file->data, length);
  PenKcore *kcore = pen_kcore_open (path, error);

  text_fixture_remove (path);
  return kcore;
}

static void
assert_read (PenKcore *kcore, guint64 address, gsize length, const char *hex)
{
  g_autoptr (GBytes) expected = text_fixture_hex (hex);
  guint8 buffer[64];
  gsize got = pen_kcore_read (kcore, address, buffer, length);

  g_assert_cmpmem (buffer, got, g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
}

static void
test_read (void)
{
  const TextSegment segments[] = {
    { BASE + 0x1000, "0a0b0c0d" },
    { BASE, "00010203" },
    { BASE + 4, "04050607" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) file = text_fixture_make_core (segments, G_N_ELEMENTS (segments));
  g_autoptr (PenKcore) kcore = open_core (file, file->len, &error);

  g_assert_no_error (error);
  assert_read (kcore, BASE, 4, "00010203");
  assert_read (kcore, BASE + 2, 4, "02030405");
  assert_read (kcore, BASE + 2, 64, "020304050607");
  assert_read (kcore, BASE + 8, 4, "");
  assert_read (kcore, BASE - 1, 4, "");
  assert_read (kcore, BASE + 0x0fff, 4, "");
  assert_read (kcore, BASE + 0x1003, 4, "0d");
  assert_read (kcore, BASE + 0x1004, 4, "");
  assert_read (kcore, G_MAXUINT64, 4, "");
  assert_read (kcore, BASE, 0, "");
}

static void
test_overlap (void)
{
  const TextSegment segments[] = {
    { BASE + 2, "f2f3f4f5" },
    { BASE, "00010203" },
    { BASE + 1, "e1e2" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) file = text_fixture_make_core (segments, G_N_ELEMENTS (segments));
  g_autoptr (PenKcore) kcore = open_core (file, file->len, &error);

  g_assert_no_error (error);
  assert_read (kcore, BASE, 16, "00010203f4f5");
}

static void
set_segment (GByteArray *file, guint i, guint64 offset, guint64 address, guint64 length)
{
  Elf64_Phdr segment;
  guint8 *place = file->data + sizeof (Elf64_Ehdr) + i * sizeof segment;

  memcpy (&segment, place, sizeof segment);
  segment.p_offset = offset;
  segment.p_vaddr = address;
  segment.p_filesz = length;
  memcpy (place, &segment, sizeof segment);
}

/* Program headers that lie about the file. */
static void
test_lies (void)
{
  static const struct {
    guint64 offset;
    guint64 address;
    guint64 length;
    const char *hex; /* what can still be read at BASE */
  } lies[] = {
    { G_MAXUINT64, BASE, 4, "" },         { 176, BASE, G_MAXUINT64, "00010203a0a1a2a3" },
    { 176, BASE, 9, "00010203a0a1a2a3" }, { 184, BASE, 1, "" },
    { G_MAXUINT64 - 3, BASE, 8, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lies); i++) {
    const TextSegment segments[] = { { BASE, "00010203" }, { BASE + 0x1000, "a0a1a2a3" } };
    g_autoptr (GError) error = NULL;
    g_autoptr (GByteArray) file = text_fixture_make_core (segments, G_N_ELEMENTS (segments));
    g_autoptr (PenKcore) kcore = NULL;

    set_segment (file, 0, lies[i].offset, lies[i].address, lies[i].length);
    kcore = open_core (file, file->len, &error);
    g_assert_no_error (error);
    assert_read (kcore, BASE, 16, lies[i].hex);
    assert_read (kcore, BASE + 0x1000, 16, "a0a1a2a3");
  }
}

/* The last byte of the address space is never given out; nothing wraps around. */
static void
test_wrap (void)
{
  const TextSegment segments[] = { { G_MAXUINT64 - 1, "01020304" } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) file = text_fixture_make_core (segments, G_N_ELEMENTS (segments));
  g_autoptr (PenKcore) kcore = open_core (file, file->len, &error);

  g_assert_no_error (error);
  assert_read (kcore, G_MAXUINT64 - 1, 4, "01");
  assert_read (kcore, 0, 4, "");
}

/* Cut off at each byte: either an error, or only bytes that the whole file has there too. */
static void
test_truncated (void)
{
  const TextSegment segments[] = { { BASE, "00010203" }, { BASE + 0x1000, "a0a1a2a3" } };
  g_autoptr (GByteArray) file = text_fixture_make_core (segments, G_N_ELEMENTS (segments));
  guint n_opened = 0;

  for (gsize length = 0; length < file->len; length++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenKcore) kcore = open_core (file, length, &error);
    guint8 buffer[16];
    gsize got;

    if (!kcore) {
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
      continue;
    }
    n_opened++;
    got = pen_kcore_read (kcore, BASE, buffer, sizeof buffer);
    g_assert_cmpmem (buffer, got, "\x00\x01\x02\x03", MIN (4, length > 176 ? length - 176 : 0));
    got = pen_kcore_read (kcore, BASE + 0x1000, buffer, sizeof buffer);
    g_assert_cmpmem (buffer, got, "\xa0\xa1\xa2\xa3", length > 180 ? length - 180 : 0);
  }
  g_assert_cmpuint (n_opened, >=, 8);
}

/* Every byte of the headers set to other values: nothing but an error or bytes of the file. */
static void
test_flipped (void)
{
  static const guint8 values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
  const TextSegment segments[] = { { BASE, "00010203" }, { BASE + 0x1000, "a0a1a2a3" } };
  g_autoptr (GByteArray) file = text_fixture_make_core (segments, G_N_ELEMENTS (segments));

  for (gsize i = 0; i < 176; i++) {
    guint8 kept = file->data[i];

    for (gsize v = 0; v < sizeof values; v++) {
      g_autoptr (PenKcore) kcore = NULL;
      guint8 buffer[4096];

      file->data[i] = values[v];
      kcore = open_core (file, file->len, NULL);
      if (kcore)
        g_assert_cmpuint (pen_kcore_read (kcore, BASE, buffer, sizeof buffer), <=, file->len);
    }
    file->data[i] = kept;
  }
}

static void
test_refused (void)
{
  const TextSegment segments[] = { { BASE, "00010203" } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) file = text_fixture_make_core (segments, G_N_ELEMENTS (segments));

  file->data[16] = ET_EXEC;
  g_assert_null (open_core (file, file->len, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_clear_error (&error);

  g_assert_null (pen_kcore_open ("/dev/zero", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);

  g_assert_null (pen_kcore_open ("/nonexistent", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/kcore/read", test_read);
  g_test_add_func ("/text/kcore/overlap", test_overlap);
  g_test_add_func ("/text/kcore/lies", test_lies);
  g_test_add_func ("/text/kcore/wrap", test_wrap);
  g_test_add_func ("/text/kcore/truncated", test_truncated);
  g_test_add_func ("/text/kcore/flipped", test_flipped);
  g_test_add_func ("/text/kcore/refused", test_refused);
  return g_test_run ();
}
