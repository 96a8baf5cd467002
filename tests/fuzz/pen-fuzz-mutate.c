/* pen-fuzz-mutate.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fuzz-mutate.h"

#include <elf.h>
#include <string.h>

guint
pen_fuzz_random (guint *seed, guint n)
{
  *seed = *seed * 1103515245u + 12345u;
  return n > 0 ? (*seed >> 8) % n : 0;
}

guint64
pen_fuzz_random_number (guint *seed)
{
  static const guint64 ends[]
      = { 0,          1,          0x7f,       0x80,        0xff,       0x7fff,
          0x10000,    0x7fffffff, 0x80000000, G_MAXUINT32, G_MAXINT64, (guint64) G_MININT64,
          G_MAXUINT64 };
  guint64 number = (guint64) pen_fuzz_random (seed, 1u << 24) << 40
                   | (guint64) pen_fuzz_random (seed, 1u << 24) << 20
                   | pen_fuzz_random (seed, 1u << 20);

  if (pen_fuzz_random (seed, 2) == 0)
    return ends[pen_fuzz_random (seed, G_N_ELEMENTS (ends))] + pen_fuzz_random (seed, 3) - 1;
  return number >> pen_fuzz_random (seed, 64);
}

/* ---- text ---- */

/* Replaces @length bytes at @at by @n others, as many as there is room for. Returns: the size */
static gsize
splice (guint8 *data, gsize size, gsize max_size, gsize at, gsize length, const void *bytes,
        gsize n)
{
  g_autofree guint8 *copy = g_memdup2 (bytes, n);
  gsize after = size - at - length;

  n = MIN (n, max_size - MIN (max_size, at + after));
  memmove (data + at + n, data + at + length, after);
  if (n > 0)
    memcpy (data + at, copy, n);
  return at + n + after;
}

/* A line at random: where it begins. @length: (out): with its end */
static gsize
pick_line (const guint8 *data, gsize size, guint *seed, gsize *length)
{
  gsize at = pen_fuzz_random (seed, (guint) size);
  const guint8 *end;

  while (at > 0 && data[at - 1] != '\n')
    at--;
  end = memchr (data + at, '\n', size - at);
  *length = end ? (gsize) (end + 1 - data) - at : size - at;
  return at;
}

static gboolean
is_of_word (guint8 c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c >= 0x80;
}

static gsize
pick_word (const guint8 *data, gsize size, guint *seed, gsize *length)
{
  gsize at = pen_fuzz_random (seed, (guint) size);
  gsize end;

  while (at < size && !is_of_word (data[at]))
    at++;
  while (at > 0 && is_of_word (data[at - 1]))
    at--;
  for (end = at; end < size && is_of_word (data[end]);)
    end++;
  *length = end - at;
  return at;
}

static char *
make_word (const guint8 *data, gsize size, guint *seed, const char *const *words)
{
  guint n_words = g_strv_length ((char **) words);
  gsize length;
  gsize at;

  switch (pen_fuzz_random (seed, 4)) {
  case 0:
    return g_strdup_printf ("%" G_GINT64_MODIFIER "x", pen_fuzz_random_number (seed));
  case 1:
    return g_strdup_printf ("%" G_GUINT64_FORMAT, pen_fuzz_random_number (seed));
  case 2:
    at = pick_word (data, size, seed, &length);
    return g_strndup ((const char *) data + at, length);
  default:
    return g_strdup (n_words > 0 ? words[pen_fuzz_random (seed, n_words)] : "");
  }
}

gsize
pen_fuzz_mutate_lines (guint8 *data, gsize size, gsize max_size, guint *seed,
                       const char *const *words)
{
  gsize length;
  gsize at = pick_line (data, size, seed, &length);
  gsize n;
  gsize other = pick_line (data, size, seed, &n);
  g_autofree char *word = make_word (data, size, seed, words);

  switch (pen_fuzz_random (seed, 6)) {
  case 0: /* once more, there or elsewhere */
    return splice (data, size, max_size, other, 0, data + at, length);
  case 1:
    return splice (data, size, max_size, at, length, NULL, 0);
  case 2:
    return splice (data, size, max_size, at, length, data + other, n);
  case 3:
    at = pen_fuzz_random (seed, (guint) size + 1);
    return splice (data, size, max_size, at, 0, word, strlen (word));
  default:
    at = pick_word (data, size, seed, &length);
    return splice (data, size, max_size, at, length, word, strlen (word));
  }
}

/* ---- numbers in binary files ---- */

static void
change_number (guint8 *data, gsize size, gsize at, guint width, guint *seed)
{
  guint64 value = 0;
  gsize other = pen_fuzz_random (seed, (guint) (size - width + 1)) & ~(gsize) (width - 1);

  switch (pen_fuzz_random (seed, 4)) {
  case 0:
    memcpy (&value, data + other, width);
    break;
  case 1:
    memcpy (&value, data + at, width);
    value = GUINT64_FROM_LE (value) + pen_fuzz_random (seed, 33) - 16;
    value = GUINT64_TO_LE (value);
    break;
  case 2:
    value = GUINT64_TO_LE (size + pen_fuzz_random (seed, 17) - 8);
    break;
  default:
    value = GUINT64_TO_LE (pen_fuzz_random_number (seed));
  }
  memcpy (data + at, &value, width);
}

void
pen_fuzz_mutate_field (guint8 *data, gsize size, guint *seed)
{
  guint width = 2u << pen_fuzz_random (seed, 3);

  if (size >= width)
    change_number (data, size, pen_fuzz_random (seed, (guint) (size / width)) * (gsize) width,
                   width, seed);
}

gboolean
pen_fuzz_mutate_elf (guint8 *data, gsize size, guint *seed)
{
  Elf64_Ehdr header;
  guint64 at = 0;
  guint64 length = sizeof header;
  guint choice = pen_fuzz_random (seed, 4);
  guint width = choice == 0 ? 2u << pen_fuzz_random (seed, 3) : 4u << pen_fuzz_random (seed, 2);

  if (size < sizeof header || memcmp (data, ELFMAG, SELFMAG) != 0)
    return FALSE;

  memcpy (&header, data, sizeof header);
  if (choice == 1) {
    at = header.e_phoff;
    length = sizeof (Elf64_Phdr) * (guint64) header.e_phnum;
  } else if (choice > 1) {
    at = header.e_shoff;
    length = sizeof (Elf64_Shdr) * (guint64) header.e_shnum;
  }
  if (at > size || length > size - at || length < width)
    return FALSE;
  at += pen_fuzz_random (seed, (guint) (length / width)) * (guint64) width;
  change_number (data, size, at, width, seed);
  return TRUE;
}

/* ---- perf.data ---- */

#define MAX_RECORDS 128u
/* Offsets in the header of a file: where its records begin, and their length. A stream's is
 * shorter. */
#define MAGIC "PERFILE2"
#define DATA_AT 40u
#define FILE_HEADER 104u
#define STREAM_HEADER 16u
/* A record begins with type (4), misc (2), size (2). */
#define RECORD_HEADER 8u

static guint
get_record_size (const guint8 *record)
{
  return record[6] | (guint) record[7] << 8;
}

/* @records: (out): where each begins. Returns: how many */
static guint
find_records (const guint8 *data, gsize size, gsize *records)
{
  guint64 at = STREAM_HEADER;
  guint64 length = size;
  guint n = 0;

  if (size < STREAM_HEADER || memcmp (data, MAGIC, strlen (MAGIC)) != 0)
    return 0;
  if (data[8] == FILE_HEADER && size >= FILE_HEADER) {
    memcpy (&at, data + DATA_AT, sizeof at);
    memcpy (&length, data + DATA_AT + 8, sizeof length);
  }
  if (at > size)
    return 0;
  size = (gsize) (at + MIN (length, size - at));
  while (n < MAX_RECORDS && size - at >= RECORD_HEADER) {
    guint taken = get_record_size (data + at);

    if (taken < RECORD_HEADER || taken > size - at)
      break;
    records[n++] = (gsize) at;
    at += taken;
  }
  return n;
}

/* A record and the one that follows it change places. */
static void
swap_records (guint8 *record)
{
  guint first = get_record_size (record);
  guint second = get_record_size (record + first);
  g_autofree guint8 *copy = g_memdup2 (record, first);

  memmove (record, record + first, second);
  memcpy (record + second, copy, first);
}

gboolean
pen_fuzz_mutate_records (guint8 *data, gsize size, guint *seed)
{
  gsize records[MAX_RECORDS];
  guint n = find_records (data, size, records);
  guint one = pen_fuzz_random (seed, n);
  guint other = pen_fuzz_random (seed, n);
  guint choice = pen_fuzz_random (seed, 8);
  guint length;

  if (n == 0)
    return FALSE;
  length = get_record_size (data + records[one]);
  if (choice == 0 && one + 1 < n)
    swap_records (data + records[one]);
  else if (choice == 1 && get_record_size (data + records[other]) == length)
    memcpy (data + records[one], data + records[other], length);
  else if (choice == 2)
    memcpy (data + records[one], data + records[other], 4);
  else if (length > RECORD_HEADER)
    pen_fuzz_mutate_field (data + records[one] + RECORD_HEADER, length - RECORD_HEADER, seed);
  return TRUE;
}
