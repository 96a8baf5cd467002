/* fuzz-pack.c: the blocks of a store, each from its pack, without a store around it
 *
 * The input is a block's kind (1 byte), the count that the store gives it (2), a number that some
 * kinds take (1), and the content of the pack. It gets a checksum: it is not refused for lack of
 * one.
 *
 * A block that is read is packed again, and is the same when that is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-bucket-block.h"
#include "pen-chain-block.h"
#include "pen-fuzz-mutate.h"
#include "pen-fuzz-steps.h"
#include "pen-fuzz.h"
#include "pen-payload-block.h"
#include "pen-sample-block.h"
#include "pen-source-line-block.h"
#include "pen-span-functions.h"
#include "pen-span-piece.h"
#include "pen-stack-block.h"
#include "pen-store-buckets.h"
#include "pen-store-spans.h"
#include "pen-symbol-block.h"
#include "pen-text-block.h"

#define HEADER_LENGTH 4u
/* Longer ones hold nothing that shorter ones do not, and are slower. */
#define N_MAX 1024u

typedef struct {
  guint n;
  guint more;
  PenUnpacker unpacker;
} Reading;

/* Reads a block of the kind; packs what it read. @length: (out). Returns: (nullable): the pack,
 * until @packer is used again; NULL with @reason where it was not read */
typedef const guint8 *(*BlockFunc) (Reading *self, const guint8 *bytes, gsize size,
                                    PenPacker *packer, gsize *length, const char **reason);

static const guint8 *
read_samples (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
              const char **reason)
{
  static PenSampleBlock *block;

  if (!block)
    block = pen_sample_block_new ();
  if (!pen_sample_block_unpack (block, self->n, bytes, size, &self->unpacker, reason))
    return NULL;
  g_assert_cmpuint (block->n, ==, self->n);
  return pen_sample_block_pack (block, packer, length);
}

static const guint8 *
read_buckets (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
              const char **reason)
{
  static PenBucket buckets[PEN_BLOCK_BUCKETS];
  guint32 ids[N_MAX];
  guint32 functions[N_MAX];

  if (!pen_bucket_block_unpack (buckets, self->n, bytes, size, &self->unpacker, reason))
    return NULL;
  g_assert_true (pen_bucket_block_unpack_functions (ids, functions, self->n, bytes, size,
                                                    &self->unpacker, reason));
  for (guint i = 0; i < self->n; i++) {
    g_assert_cmpuint (ids[i], ==, buckets[i].id);
    g_assert_cmpuint (functions[i], ==, buckets[i].function);
    g_assert_cmpint (buckets[i].kind, <, PEN_KINDS);
  }
  return pen_bucket_block_pack (buckets, self->n, packer, length);
}

/* The same read as columns. */
static void
compare_columns (Reading *self, const PenFrame *frames, const guint8 *bytes, gsize size)
{
  static guint64 address[N_MAX];
  static guint32 tenure[N_MAX];
  static guint32 revision[N_MAX];
  static guint32 function[N_MAX];
  static guint8 kind[N_MAX];
  static guint8 is_return[N_MAX];
  PenFrameColumns columns = { self->n, address, tenure, revision, function, kind, is_return };
  const char *reason;

  g_assert_true (
      pen_frame_block_unpack_columns (&columns, 0, self->n, bytes, size, &self->unpacker, &reason));
  for (guint i = 0; i < self->n; i++) {
    g_assert_cmphex (address[i], ==, frames[i].address);
    g_assert_cmpuint (tenure[i], ==, frames[i].tenure);
    g_assert_cmpuint (revision[i], ==, frames[i].revision);
    g_assert_cmpuint (function[i], ==, frames[i].function);
    g_assert_cmpuint (kind[i], ==, (guint) frames[i].kind);
    g_assert_cmpint (is_return[i] != 0, ==, frames[i].is_return);
  }
}

static const guint8 *
read_frames (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
             const char **reason)
{
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (PenFrame));

  if (!pen_frame_block_unpack (frames, self->n, bytes, size, &self->unpacker, reason))
    return NULL;
  g_assert_cmpuint (frames->len, ==, self->n);
  compare_columns (self, (const PenFrame *) (gpointer) frames->data, bytes, size);
  return pen_frame_block_pack ((const PenFrame *) (gpointer) frames->data, self->n, packer, length);
}

static const guint8 *
read_chains (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
             const char **reason)
{
  static PenChainBlock block;
  guint32 first = self->more * PEN_BLOCK_CHAINS + 1;

  block.number = self->more;
  block.n = self->n;
  if (!pen_chain_block_unpack (&block, bytes, size, &self->unpacker, reason))
    return NULL;
  for (guint i = 0; i < block.n; i++)
    g_assert_cmpuint (block.nodes[i].parent, <, first + i);
  return pen_chain_block_pack (first, block.nodes, self->n, packer, length);
}

static const guint8 *
read_payloads (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
               const char **reason)
{
  guint32 lengths[N_MAX];
  g_autoptr (PenPayloadBlock) block
      = pen_payload_block_unpack (self->n, bytes, size, &self->unpacker, reason);

  if (!block)
    return NULL;
  for (guint i = 0; i < block->n; i++) {
    g_assert_cmpuint (block->offsets[i], <=, block->offsets[i + 1]);
    lengths[i] = block->has[i] ? (guint32) (block->offsets[i + 1] - block->offsets[i]) + 1 : 0;
  }
  pen_fuzz_touch_bytes (block->bytes, block->offsets[block->n]);
  return pen_payload_block_pack (lengths, self->n, block->bytes, block->offsets[block->n], packer,
                                 length);
}

static const guint8 *
read_lines (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
            const char **reason)
{
  g_autoptr (PenFunctionLines) lines
      = pen_source_line_block_unpack (1, self->n, self->more, bytes, size, reason);

  return lines ? pen_source_line_block_pack (lines, packer, length) : NULL;
}

static const guint8 *
read_symbols (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
              const char **reason)
{
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (PenStoreSymbol));
  g_autoptr (GStringChunk) names = g_string_chunk_new (256);

  if (!pen_symbol_block_unpack (bytes, size, self->n, symbols, names, reason)) {
    g_assert_cmpuint (symbols->len, ==, 0);
    return NULL;
  }
  return pen_symbol_block_pack ((const PenStoreSymbol *) (gpointer) symbols->data, symbols->len,
                                packer, length);
}

static const guint8 *
read_piece (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
            const char **reason)
{
  static PenSpanPiece *piece;
  guint cell = 0;

  if (!piece)
    piece = pen_span_piece_new ();
  if (!pen_span_piece_unpack (piece, bytes, size, &self->unpacker, reason))
    return NULL;
  for (guint i = 0; i < piece->n_buckets; i++) {
    guint end = cell + piece->cells[i];

    g_assert_cmpuint (piece->cells[i], >, 0);
    for (guint first = cell; cell < end; cell++) {
      g_assert_cmpuint (piece->tiles[cell], <, PEN_SPAN_TILES);
      g_assert_true (cell == first || piece->tiles[cell - 1] < piece->tiles[cell]);
    }
  }
  g_assert_cmpuint (cell, ==, piece->n_cells);
  return pen_span_piece_pack (piece, packer, length);
}

static const guint8 *
read_tiles (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
            const char **reason)
{
  static guint32 counts[PEN_SPAN_TILES * PEN_KINDS];
  guint64 total;

  if (!pen_span_tiles_unpack (counts, self->n, bytes, size, &self->unpacker, &total, reason))
    return NULL;
  return pen_span_tiles_pack (counts, self->n, packer, length);
}

static const guint8 *
read_functions (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
                const char **reason)
{
  guint64 total;
  g_autoptr (GArray) functions
      = pen_span_functions_unpack (self->n, bytes, size, &self->unpacker, &total, reason);

  if (!functions)
    return NULL;
  for (guint i = 0; i < functions->len; i++)
    g_assert_cmpuint (g_array_index (functions, PenSpanFunction, i).function, <, self->n);
  return pen_span_functions_pack (functions, packer, length);
}

static const guint8 *
read_stacks (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
             const char **reason)
{
  PenStoredStack stacks[N_MAX];
  guint32 first = self->more + 1;

  if (!pen_stack_block_unpack (first, stacks, self->n, bytes, size, &self->unpacker, reason))
    return NULL;
  for (guint i = 0; i < self->n; i++)
    g_assert_cmpuint (stacks[i].parent, <, first + i);
  return pen_stack_block_pack (first, stacks, self->n, packer, length);
}

/* Of a few stacks: each function of theirs is another. */
static const guint8 *
read_cells (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
            const char **reason)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  PenStoredStack stacks[0x100];

  for (guint i = 0; i <= self->more; i++)
    stacks[i] = (PenStoredStack){ .parent = i / 2, .function = i };
  if (!pen_stack_cells_unpack (cells, self->n, stacks, self->more, bytes, size, &self->unpacker,
                               reason))
    return NULL;
  g_assert_cmpuint (cells->len, ==, self->n);
  for (guint i = 0; i < self->n; i++)
    g_assert_cmpuint (g_array_index (cells, PenStackCell, i).stack, <=, self->more);
  return pen_stack_cells_pack ((const PenStackCell *) (gpointer) cells->data, self->n, stacks,
                               packer, length);
}

static void
free_text (gpointer data)
{
  PenStoredText *text = data;

  g_bytes_unref (text->bytes);
  g_free (text);
}

/* The highest address is in no range. */
static const guint8 *
read_texts (Reading *self, const guint8 *bytes, gsize size, PenPacker *packer, gsize *length,
            const char **reason)
{
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func (free_text);
  g_autofree PenStoredText *texts = NULL;

  if (!pen_text_block_unpack (bytes, size, self->n, 0, G_MAXUINT64, &self->unpacker, pieces,
                              reason))
    return NULL;
  g_assert_cmpuint (pieces->len, <=, self->n);
  self->n = pieces->len;
  texts = g_new0 (PenStoredText, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++) {
    texts[i] = *(const PenStoredText *) pieces->pdata[i];
    pen_fuzz_touch_bytes (g_bytes_get_data (texts[i].bytes, NULL),
                          g_bytes_get_size (texts[i].bytes));
  }
  return pen_text_block_pack (texts, self->n, packer, length);
}

/*
 * @columns: how many of them there are, for the mutator
 * @has_count: a varint before them says how many numbers they have
 */
static const struct {
  BlockFunc read;
  guint columns;
  gboolean has_count;
} blocks[] = {
  { read_samples, 7, FALSE },  { read_buckets, 11, FALSE }, { read_frames, 6, FALSE },
  { read_chains, 2, FALSE },   { read_payloads, 1, FALSE }, { read_lines, 4, FALSE },
  { read_symbols, 2, FALSE },  { read_piece, 6, TRUE },     { read_tiles, 1, FALSE },
  { read_functions, 3, TRUE }, { read_stacks, 2, FALSE },   { read_cells, 4, FALSE },
  { read_texts, 2, FALSE },
};

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static PenPacker *packer;
  static Reading self;
  PenFuzzBytes input = { data, data + size };
  BlockFunc read = blocks[pen_fuzz_take (&input, 1) % G_N_ELEMENTS (blocks)].read;
  g_autofree guint8 *pack = NULL;
  g_autofree guint8 *again = NULL;
  const char *reason = NULL;
  const guint8 *bytes;
  gsize length;

  if (!packer)
    packer = pen_packer_new ();
  self.n = (guint) pen_fuzz_take (&input, 2) % N_MAX;
  self.more = (guint) pen_fuzz_take (&input, 1);
  pen_packer_bytes (packer, input.at, (gsize) (input.end - input.at));
  bytes = pen_packer_finish (packer, &length);
  pack = g_memdup2 (bytes, length);

  pen_fuzz_steps_start ();
  bytes = read (&self, pack, length, packer, &length, &reason);
  /* A pack may say with a few bytes that all of its numbers are the same. */
  pen_fuzz_steps_check (size + self.n + self.more, 1000, 1 << 20);
  if (!bytes) {
    g_assert_nonnull (reason);
    return 0;
  }

  again = g_memdup2 (bytes, length);
  bytes = read (&self, again, length, packer, &length, &reason);
  if (!bytes)
    g_error ("it is not read again: %s", reason);
  g_assert_cmpmem (bytes, length, again, length);
  return 0;
}

/* ---- what knows the form ---- */

static void
fill_column (guint64 *column, guint n, guint *seed)
{
  guint how = pen_fuzz_random (seed, 4);
  guint64 value = pen_fuzz_random (seed, 2) == 0 ? pen_fuzz_random (seed, 300)
                                                 : pen_fuzz_random_number (seed);

  for (guint i = 0; i < n; i++) {
    column[i] = value;
    if (how == 1)
      value += pen_fuzz_random (seed, 3);
    else if (how == 2)
      value = pen_fuzz_random (seed, 16);
    else if (how == 3)
      value = pen_fuzz_random_number (seed);
  }
}

/* A block whose columns hold as many numbers as it says, with anything in them. */
static gsize
make_block (guint8 *data, gsize max_size, guint *seed)
{
  guint kind = pen_fuzz_random (seed, G_N_ELEMENTS (blocks));
  guint n
      = pen_fuzz_random (seed, 4) == 0 ? pen_fuzz_random (seed, 300) : pen_fuzz_random (seed, 6);
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  guint64 column[300];
  const char *reason;
  const guint8 *pack;
  gsize length;

  if (blocks[kind].has_count)
    pen_packer_varint (packer, n);
  for (guint i = 0; i < blocks[kind].columns; i++) {
    fill_column (column, n, seed);
    pen_packer_column (packer, column, n);
  }
  for (guint i = pen_fuzz_random (seed, 16); i > 0; i--)
    pen_packer_byte (packer, (guint8) pen_fuzz_random (seed, 4));
  pack = pen_packer_finish (packer, &length);
  g_assert_true (pen_unpacker_start (&unpacker, pack, length, G_MAXUINT32, &reason));

  length = MIN ((gsize) (unpacker.end - unpacker.at), max_size - HEADER_LENGTH);
  data[0] = (guint8) kind;
  data[1] = (guint8) n;
  data[2] = (guint8) (n >> 8);
  data[3] = (guint8) pen_fuzz_random (seed, 4);
  if (length > 0)
    memcpy (data + HEADER_LENGTH, unpacker.at, length);
  pen_unpacker_clear (&unpacker);
  return HEADER_LENGTH + length;
}

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  if (size <= HEADER_LENGTH || max_size <= HEADER_LENGTH || pen_fuzz_random (&seed, 4) == 0)
    return max_size > HEADER_LENGTH ? make_block (data, max_size, &seed)
                                    : LLVMFuzzerMutate (data, size, max_size);
  if (pen_fuzz_random (&seed, 8) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  return HEADER_LENGTH
         + LLVMFuzzerMutate (data + HEADER_LENGTH, size - HEADER_LENGTH, max_size - HEADER_LENGTH);
}
