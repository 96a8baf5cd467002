/* test-pack.c: packed columns come back as they were, and damage is seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-pack.h"
#include "pen-sample-block.h"
#include "pen-symbol-block.h"
#include "pen-text-block.h"

#define N 5000u

static guint64
random_u64 (void)
{
  return (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
}

/* Numbers of every magnitude, and both ends. */
static guint64
random_number (void)
{
  switch (g_test_rand_int_range (0, 6)) {
  case 0:
    return 0;
  case 1:
    return G_MAXUINT64;
  case 2:
    return G_MAXINT64;
  case 3:
    return (guint64) G_MININT64;
  default:
    return random_u64 () >> g_test_rand_int_range (0, 64);
  }
}

static guint8 *
finish (PenPacker *packer, gsize *length)
{
  const guint8 *pack = pen_packer_finish (packer, length);

  return g_memdup2 (pack, *length);
}

/* Bit by bit, as it is defined. */
static guint32
divide (const guint8 *bytes, gsize n)
{
  guint32 crc = 0xffffffffu;

  for (gsize i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (guint bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~crc;
}

static void
test_crc (void)
{
  guint8 bytes[1100];

  /* The check value that the catalogues of CRCs give for CRC-32. */
  g_assert_cmphex (pen_crc32 ((const guint8 *) "123456789", 9), ==, 0xcbf43926);
  g_assert_cmphex (pen_crc32 ((const guint8 *) "", 0), ==, 0);
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) g_test_rand_int ();
  for (guint n = 0; n < sizeof bytes - 16; n++) {
    guint start = (guint) g_test_rand_int_range (0, 16);

    g_assert_cmphex (pen_crc32 (bytes + start, n), ==, divide (bytes + start, n));
  }
}

static void
test_varints (void)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  g_autofree guint8 *pack = NULL;
  const char *reason = NULL;
  gsize length;

  for (guint shift = 0; shift < 64; shift++) {
    pen_packer_varint (packer, G_GUINT64_CONSTANT (1) << shift);
    pen_packer_varint (packer, (G_GUINT64_CONSTANT (1) << shift) - 1);
  }
  pen_packer_varint (packer, G_MAXUINT64);

  pack = finish (packer, &length);
  g_assert_true (pen_unpacker_start (&unpacker, pack, length, 4096, &reason));
  for (guint shift = 0; shift < 64; shift++) {
    g_assert_cmpuint (pen_unpacker_varint (&unpacker), ==, G_GUINT64_CONSTANT (1) << shift);
    g_assert_cmpuint (pen_unpacker_varint (&unpacker), ==, (G_GUINT64_CONSTANT (1) << shift) - 1);
  }
  g_assert_cmpuint (pen_unpacker_varint (&unpacker), ==, G_MAXUINT64);
  g_assert_true (pen_unpacker_finish (&unpacker));
  pen_unpacker_clear (&unpacker);
}

static void
fill_column (guint64 *values, guint n, guint how)
{
  guint64 value = random_number ();

  for (guint i = 0; i < n; i++) {
    if (how == 1)
      value += (guint64) g_test_rand_int_range (-50, 5000);
    else if (how == 2)
      value = random_number ();
    else if (how == 3)
      value = (guint64) g_test_rand_int_range (0, 4);
    values[i] = value;
  }
}

static void
test_columns (void)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  g_autofree guint64 *values = g_new (guint64, N);
  g_autofree guint64 *back = g_new (guint64, N);

  for (guint round = 0; round < 64; round++) {
    guint n = round < 4 ? round : (guint) g_test_rand_int_range (1, N);
    g_autofree guint8 *pack = NULL;
    const char *reason = NULL;
    gsize length;

    fill_column (values, n, round % 4);
    pen_packer_column (packer, values, n);
    pack = finish (packer, &length);

    memset (back, 0x55, N * sizeof *back);
    g_assert_true (pen_unpacker_start (&unpacker, pack, length, N * 11, &reason));
    pen_unpacker_column (&unpacker, back, n);
    g_assert_true (pen_unpacker_finish (&unpacker));
    g_assert_cmpmem (back, n * sizeof *back, values, n * sizeof *values);

    if (round % 4 == 0)
      g_assert_cmpuint (length, <=, 9 + 2 + 1 + 10);
  }

  pen_unpacker_clear (&unpacker);
}

/* @how: ids that come again and again; numbers that only rise; of any size; near the end of what
 * there is */
static guint64
make_id (guint how, guint i)
{
  switch (how) {
  case 0:
    return (guint64) g_test_rand_int_range (0, 1 << 20) % 3000 * 77;
  case 1:
    return i;
  case 2:
    return random_u64 () >> (i % 64);
  default:
    return G_MAXUINT64 - (guint64) g_test_rand_int_range (0, 1 << 20);
  }
}

/* Few numbers, and those that chunks make short, are not in planes; others come back, too. */
static void
test_planes (void)
{
  static const guint lengths[] = { 0, 1, 1023, 1024, 1025, N };
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  guint64 values[N];
  guint32 narrow[N];
  guint64 back[N];
  guint32 narrow_back[N];

  for (guint round = 0; round < 4 * G_N_ELEMENTS (lengths); round++) {
    guint n = lengths[round / 4];
    g_autofree guint8 *pack = NULL;
    const char *reason = NULL;
    gsize length;

    for (guint i = 0; i < n; i++) {
      values[i] = make_id (round % 4, i);
      narrow[i] = (guint32) values[i];
    }
    pen_packer_planes (packer, values, n);
    pen_packer_planes32 (packer, narrow, n);
    pen_packer_planes (packer, values, n);
    pen_packer_byte (packer, 7);
    pack = finish (packer, &length);

    g_assert_true (pen_unpacker_start (
        &unpacker, pack, length, 2 * PEN_PACK_COLUMN_MAX (n, 8) + PEN_PACK_COLUMN_MAX (n, 4) + 1,
        &reason));
    pen_unpacker_column (&unpacker, back, n);
    pen_unpacker_column32 (&unpacker, narrow_back, n);
    pen_unpacker_skip_column (&unpacker, n);
    g_assert_cmpuint (pen_unpacker_byte (&unpacker), ==, 7);
    g_assert_true (pen_unpacker_finish (&unpacker));
    g_assert_cmpmem (back, n * sizeof *back, values, n * sizeof *values);
    g_assert_cmpmem (narrow_back, n * sizeof *narrow_back, narrow, n * sizeof *narrow);
  }
  pen_unpacker_clear (&unpacker);
}

/* What is there is read as planes of as many numbers, or not at all. */
static void
test_hostile_planes (void)
{
  static const struct {
    guint8 n_planes;
    guint n_bytes;
    gboolean is_right;
  } columns[] = { { 0, 0, TRUE },   { 1, 5, TRUE },   { 8, 40, TRUE },   { 1, 4, FALSE },
                  { 8, 39, FALSE }, { 9, 45, FALSE }, { 255, 60, FALSE } };
  static const guint8 bytes[64] = { 0 };
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++) {
    g_autofree guint8 *pack = NULL;
    const char *reason = NULL;
    guint64 back[5];
    gsize length;

    pen_packer_varint (packer, 5);
    pen_packer_byte (packer, 2);
    pen_packer_varint (packer, 12);
    pen_packer_byte (packer, columns[i].n_planes);
    pen_packer_bytes (packer, bytes, columns[i].n_bytes);
    pack = finish (packer, &length);
    g_assert_true (pen_unpacker_start (&unpacker, pack, length, 100, &reason));
    pen_unpacker_column (&unpacker, back, 5);
    g_assert_cmpint (pen_unpacker_finish (&unpacker), ==, columns[i].is_right);
    g_assert_cmpuint (back[4], ==, columns[i].is_right ? 12 : 0);
  }
  pen_unpacker_clear (&unpacker);
}

/* Numbers that need @width bits, in columns that end at and around the end of a chunk. */
static void
check_width (guint width, guint n, gboolean is_last)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  guint64 values[3 * PEN_PACK_CHUNK];
  guint64 back[3 * PEN_PACK_CHUNK];
  guint64 base = random_u64 ();
  g_autofree guint8 *pack = NULL;
  const char *reason = NULL;
  gsize length;

  for (guint i = 0; i < n; i++)
    values[i] = base + (i % 2 == 0 || width == 0 ? 0 : G_MAXUINT64 >> (64 - width))
                - (i % 3 == 0 && i % 2 != 0 && width > 1 ? 1 : 0);
  pen_packer_column (packer, values, n);
  if (!is_last)
    pen_packer_bytes (packer, "what follows it", 15);
  pack = finish (packer, &length);
  g_assert_cmpuint (length, <=, 9 + PEN_PACK_COLUMN_MAX (n, 8) + 15);

  g_assert_true (pen_unpacker_start (&unpacker, pack, length, length * 1000, &reason));
  pen_unpacker_column (&unpacker, back, n);
  if (!is_last)
    g_assert_cmpmem (pen_unpacker_bytes (&unpacker, 15), 15, "what follows it", 15);
  g_assert_true (pen_unpacker_finish (&unpacker));
  g_assert_cmpmem (back, n * sizeof *back, values, n * sizeof *values);
  pen_unpacker_clear (&unpacker);
}

static void
test_widths (void)
{
  for (guint width = 0; width <= 64; width++)
    for (guint n = 1; n <= 3 * PEN_PACK_CHUNK;
         n += n % PEN_PACK_CHUNK == 1 ? PEN_PACK_CHUNK - 3 : 1) {
      check_width (width, n, FALSE);
      check_width (width, n, TRUE);
    }
}

/* A column is not read as one of another length. */
static void
test_other_lengths (void)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  guint32 values[] = { 1, 0, 1, 1, 0 };
  guint32 back[] = { 7, 7, 7, 7, 7, 7, 7, 7 };
  g_autofree guint8 *pack = NULL;
  const char *reason = NULL;
  gsize length;

  pen_packer_column32 (packer, values, G_N_ELEMENTS (values));
  pack = finish (packer, &length);
  for (guint n = 0; n <= G_N_ELEMENTS (back); n++) {
    g_assert_true (pen_unpacker_start (&unpacker, pack, length, 100, &reason));
    pen_unpacker_column32 (&unpacker, back, n);
    g_assert_cmpint (pen_unpacker_finish (&unpacker), ==, n == G_N_ELEMENTS (values));
  }
  pen_unpacker_clear (&unpacker);
}

static void
fill_block (PenSampleBlock *block, guint n)
{
  block->n = n;
  for (guint i = 0; i < n; i++) {
    block->has[i] = (guint8) g_test_rand_int_range (0, 8);
    block->time[i] = random_number ();
    block->bucket[i] = (guint32) g_test_rand_int ();
    block->thread[i] = (guint32) g_test_rand_int () >> 20;
    block->cpu[i] = (guint32) random_number ();
    block->period[i] = random_number ();
  }
}

static void
test_blocks (void)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (PenSampleBlock) back = pen_sample_block_new ();
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  static const guint lengths[] = { 1, 2, 100, PEN_BLOCK_SAMPLES };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    guint n = lengths[i];
    const char *reason = NULL;
    const guint8 *pack;
    gsize length;

    fill_block (block, n);
    pack = pen_sample_block_pack (block, packer, &length);
    g_assert_true (pen_sample_block_unpack (back, n, pack, length, &unpacker, &reason));
    g_assert_cmpuint (back->n, ==, n);
    g_assert_cmpmem (back->has, n, block->has, n);
    g_assert_cmpmem (back->time, 8 * n, block->time, 8 * n);
    g_assert_cmpmem (back->bucket, 4 * n, block->bucket, 4 * n);
    g_assert_cmpmem (back->thread, 4 * n, block->thread, 4 * n);
    g_assert_cmpmem (back->cpu, 4 * n, block->cpu, 4 * n);
    g_assert_cmpmem (back->period, 8 * n, block->period, 8 * n);
  }

  pen_unpacker_clear (&unpacker);
}

/* Columns that nobody asks for are passed over, and left as they were. */
static void
test_some_columns (void)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  const guint n = 1000;

  fill_block (block, n);
  for (guint columns = 0; columns <= PEN_SAMPLE_COLUMNS_ALL; columns++) {
    g_autoptr (PenSampleBlock) back = pen_sample_block_new ();
    g_autoptr (PenSampleBlock) zeros = pen_sample_block_new ();
    const char *reason = NULL;
    const guint8 *pack;
    gsize length;

    for (guint i = 0; i < n; i++)
      back->time[i] = zeros->time[i] = back->thread[i] = zeros->thread[i] = back->cpu[i]
          = zeros->cpu[i] = 0;
    /* All the same is another form of column. */
    for (guint i = 0; columns % 2 == 0 && i < n; i++)
      block->cpu[i] = block->thread[i] = 7;
    pack = pen_sample_block_pack (block, packer, &length);
    g_assert_true (
        pen_sample_block_unpack_some (back, n, pack, length, columns, &unpacker, &reason));
    g_assert_cmpuint (back->n, ==, n);
    g_assert_cmpmem (back->has, n, block->has, n);
    g_assert_cmpmem (back->bucket, 4 * n, block->bucket, 4 * n);
    g_assert_cmpmem (back->period, 8 * n, block->period, 8 * n);
    g_assert_cmpmem (back->chain, 4 * n, block->chain, 4 * n);
    g_assert_cmpmem (back->time, 8 * n,
                     columns & PEN_SAMPLE_COLUMN_TIME ? block->time : zeros->time, 8 * n);
    g_assert_cmpmem (back->thread, 4 * n,
                     columns & PEN_SAMPLE_COLUMN_THREAD ? block->thread : zeros->thread, 4 * n);
    g_assert_cmpmem (back->cpu, 4 * n, columns & PEN_SAMPLE_COLUMN_CPU ? block->cpu : zeros->cpu,
                     4 * n);
    g_assert_false (
        pen_sample_block_unpack_some (back, n + 1, pack, length, columns, &unpacker, &reason));
  }
  pen_unpacker_clear (&unpacker);
}

/* What samples of a real recording look like has to stay small. */
static void
test_block_size (void)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (PenPacker) packer = pen_packer_new ();
  guint64 time = 4572132168;
  gsize length;

  block->n = PEN_BLOCK_SAMPLES;
  for (guint i = 0; i < block->n; i++) {
    time += (guint64) g_test_rand_int_range (0, 1000000);
    block->has[i] = 7;
    block->time[i] = time;
    block->bucket[i] = (guint32) g_test_rand_int_range (0, 20000);
    block->thread[i] = (guint32) g_test_rand_int_range (0, 200);
    block->cpu[i] = (guint32) g_test_rand_int_range (0, 8);
    block->period[i] = 1000000;
  }

  pen_sample_block_pack (block, packer, &length);
  g_assert_cmpuint (length, <=, 6 * PEN_BLOCK_SAMPLES);
}

/* One byte changed anywhere, or some missing at the end: never taken for samples. */
static void
test_damaged_blocks (void)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  const char *reason = NULL;
  g_autofree guint8 *pack = NULL;
  const guint8 *made;
  gsize length;

  fill_block (block, 100);
  made = pen_sample_block_pack (block, packer, &length);
  pack = g_memdup2 (made, length);

  for (gsize i = 0; i < length; i++) {
    pack[i] ^= 0x40;
    g_assert_false (pen_sample_block_unpack (block, 100, pack, length, &unpacker, &reason));
    g_assert_nonnull (reason);
    pack[i] ^= 0x40;
  }

  for (gsize cut = 0; cut < length; cut++)
    g_assert_false (pen_sample_block_unpack (block, 100, pack, cut, &unpacker, &reason));

  g_assert_true (pen_sample_block_unpack (block, 100, pack, length, &unpacker, &reason));
  g_assert_false (pen_sample_block_unpack (block, 99, pack, length, &unpacker, &reason));
  g_assert_false (pen_sample_block_unpack (block, 101, pack, length, &unpacker, &reason));
  pen_unpacker_clear (&unpacker);
}

/* The checksum is right, the content is not: what somebody would write who means harm. */
static void
test_hostile_content (void)
{
  PenUnpacker unpacker = { 0 };
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();

  for (guint round = 0; round < 20000; round++) {
    guint8 pack[64];
    gsize length = (gsize) g_test_rand_int_range (9, sizeof pack);
    guint32 crc;
    const char *reason = NULL;

    for (gsize i = 0; i < length; i++)
      pack[i] = (guint8) (g_test_rand_bit () ? g_test_rand_int_range (0, 4) : g_test_rand_int ());
    pack[4] = (guint8) g_test_rand_int_range (0, 2);
    if (g_test_rand_bit ()) {
      guint32 claimed = GUINT32_TO_LE ((guint32) length - 9);

      memcpy (pack + 5, &claimed, 4);
    }
    crc = GUINT32_TO_LE (pen_crc32 (pack + 4, length - 4));
    memcpy (pack, &crc, 4);

    if (!pen_sample_block_unpack (block, 1 + round % 20, pack, length, &unpacker, &reason))
      g_assert_cmpuint (block->n, ==, 0);
  }

  pen_unpacker_clear (&unpacker);
}

static void
test_symbols (void)
{
  static const PenStoreSymbol symbols[] = {
    { 0xffffffff81000000, 0xffffffff81000040, "_text" },
    { 0xffffffff81000040, 0xffffffff81000040, "" },
    { 0xffffffff81000040, G_MAXUINT64, "a name with, everything\xff" },
  };
  g_autoptr (PenPacker) packer = pen_packer_new ();
  g_autoptr (GArray) back = g_array_new (FALSE, FALSE, sizeof (PenStoreSymbol));
  GStringChunk *names = g_string_chunk_new (64);
  g_autofree guint8 *pack = NULL;
  const char *reason = NULL;
  const guint8 *made;
  gsize length;

  made = pen_symbol_block_pack (symbols, G_N_ELEMENTS (symbols), packer, &length);
  pack = g_memdup2 (made, length);

  g_assert_true (
      pen_symbol_block_unpack (pack, length, G_N_ELEMENTS (symbols), back, names, &reason));
  g_assert_cmpuint (back->len, ==, G_N_ELEMENTS (symbols));
  for (guint i = 0; i < back->len; i++) {
    const PenStoreSymbol *symbol = &g_array_index (back, PenStoreSymbol, i);

    g_assert_cmpuint (symbol->start, ==, symbols[i].start);
    g_assert_cmpuint (symbol->end, ==, symbols[i].end);
    g_assert_cmpstr (symbol->name, ==, symbols[i].name);
  }

  g_assert_false (pen_symbol_block_unpack (pack, length, 2, back, names, &reason));
  g_assert_false (pen_symbol_block_unpack (pack, length, 4, back, names, &reason));
  g_assert_false (pen_symbol_block_unpack (pack, length, G_MAXUINT, back, names, &reason));
  g_assert_cmpuint (back->len, ==, G_N_ELEMENTS (symbols));
  g_string_chunk_free (names);
}

static void
stored_text_free (gpointer data)
{
  PenStoredText *text = data;

  g_bytes_unref (text->bytes);
  g_free (text);
}

/* Only what is asked for comes back, whole. */
static void
test_texts (void)
{
  g_autoptr (GBytes) one = g_bytes_new_static ("one function", 12);
  g_autoptr (GBytes) other = g_bytes_new_static ("another", 7);
  const PenStoredText texts[]
      = { { .start = 0x1000, .bytes = one }, { .start = 0x100c, .bytes = other } };
  static const struct {
    guint64 start;
    guint64 end;
    guint first;
    guint n;
  } ranges[] = {
    { 0, 0x1000, 0, 0 },      { 0, 0x1001, 0, 1 },      { 0x100b, 0x100c, 0, 1 },
    { 0x100b, 0x100d, 0, 2 }, { 0x100c, 0x100d, 1, 1 }, { 0x1012, G_MAXUINT64, 1, 1 },
    { 0x1013, 0x2000, 0, 0 }, { 0, G_MAXUINT64, 0, 2 },
  };
  g_autoptr (PenPacker) packer = pen_packer_new ();
  g_autoptr (GPtrArray) back = g_ptr_array_new_with_free_func (stored_text_free);
  PenUnpacker unpacker = { 0 };
  g_autofree guint8 *pack = NULL;
  const char *reason = NULL;
  const guint8 *made;
  gsize length;

  made = pen_text_block_pack (texts, G_N_ELEMENTS (texts), packer, &length);
  pack = g_memdup2 (made, length);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    g_ptr_array_set_size (back, 0);
    g_assert_true (pen_text_block_unpack (pack, length, 2, ranges[i].start, ranges[i].end,
                                          &unpacker, back, &reason));
    g_assert_cmpuint (back->len, ==, ranges[i].n);
    for (guint k = 0; k < back->len; k++) {
      const PenStoredText *text = back->pdata[k];

      g_assert_cmpuint (text->start, ==, texts[ranges[i].first + k].start);
      g_assert_true (g_bytes_equal (text->bytes, texts[ranges[i].first + k].bytes));
    }
  }

  g_assert_false (
      pen_text_block_unpack (pack, length, 1, 0, G_MAXUINT64, &unpacker, back, &reason));
  g_assert_false (
      pen_text_block_unpack (pack, length, 3, 0, G_MAXUINT64, &unpacker, back, &reason));
  g_assert_false (
      pen_text_block_unpack (pack, length, G_MAXUINT, 0, G_MAXUINT64, &unpacker, back, &reason));
  pen_unpacker_clear (&unpacker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/pack/crc", test_crc);
  g_test_add_func ("/store/pack/varints", test_varints);
  g_test_add_func ("/store/pack/columns", test_columns);
  g_test_add_func ("/store/pack/planes", test_planes);
  g_test_add_func ("/store/pack/hostile-planes", test_hostile_planes);
  g_test_add_func ("/store/pack/widths", test_widths);
  g_test_add_func ("/store/pack/other-lengths", test_other_lengths);
  g_test_add_func ("/store/pack/blocks", test_blocks);
  g_test_add_func ("/store/pack/some-columns", test_some_columns);
  g_test_add_func ("/store/pack/block-size", test_block_size);
  g_test_add_func ("/store/pack/damaged-blocks", test_damaged_blocks);
  g_test_add_func ("/store/pack/hostile-content", test_hostile_content);
  g_test_add_func ("/store/pack/symbols", test_symbols);
  g_test_add_func ("/store/pack/texts", test_texts);
  return g_test_run ();
}
