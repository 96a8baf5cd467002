/* pen-clean-code.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clean-code.h"

#include <string.h>

#include "pen-decoder.h"
#include "pen-store-buckets.h"
#include "pen-store-occupants.h"
#include "pen-store-outputs.h"
#include "pen-store-symbols.h"
#include "pen-store-text.h"
#include "pen-table-hash.h"

#define BREAKPOINT 0xcc

typedef enum {
  MARK_UNSOUND,
  MARK_INSIDE,
  MARK_BEGINS,
} Mark;

/* Text: @after: with moved addresses; @marks: a Mark for each byte */
typedef struct {
  guint64 start;
  guint32 tenure;
  gsize n;
  const guint8 *before;
  guint8 *after;
  guint8 *marks;
  GBytes *bytes; /* @before's */
} Chunk;

/* Where a reading's sample landed. */
typedef struct {
  guint32 tenure;
  guint64 address;
} Landing;

/*
 * PenCleanCode:
 * @chunks: (element-type Chunk): by start, then tenure; @longest: of them
 * @begins: (element-type guint64): addresses where an instruction begins, sorted
 * @occupants: tenure → name, of what a compiler made: the kernel and its modules, and of programs
 * @landings: output of a reading → Landing
 * @firsts: (element-type guint64 guint8): first bytes of instructions in place of which a
 * breakpoint was put: by address
 */
struct _PenCleanCode {
  const PenCleanSlide *slide;
  PenDecoder *decoder;
  GArray *chunks;
  gsize longest;
  GArray *begins;
  GHashTable *occupants;
  GHashTable *landings;
  GHashTable *firsts;
  guint64 unsound;
};

static void
chunk_clear (gpointer data)
{
  Chunk *self = data;

  g_bytes_unref (self->bytes);
  g_free (self->after);
  g_free (self->marks);
}

void
pen_clean_code_free (PenCleanCode *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->decoder, pen_decoder_free);
  g_array_unref (self->chunks);
  g_array_unref (self->begins);
  g_hash_table_unref (self->occupants);
  g_hash_table_unref (self->landings);
  g_hash_table_unref (self->firsts);
  g_free (self);
}

guint64
pen_clean_code_get_unsound (const PenCleanCode *self)
{
  return self->unsound;
}

/* ---- one instruction ---- */

static guint64
move_address (guint64 address, gpointer user_data)
{
  return pen_clean_slide_address (user_data, address);
}

/* Is a breakpoint after it a filling, that no branch leads to? Returns, jumps, calls that do not
 * come back, and ud2 (Intel SDM, volume 2). */
static gboolean
ends_flow (const guint8 *bytes, gsize n)
{
  gsize at = n > 1 && (bytes[0] == 0xf3 || bytes[0] == 0x2e || (bytes[0] & 0xf0) == 0x40) ? 1 : 0;
  guint8 opcode = bytes[at];

  if (opcode == 0xff && at + 1 < n)
    return ((bytes[at + 1] >> 3) & 7) == 2 || ((bytes[at + 1] >> 3) & 7) == 4;
  if (opcode == 0x0f && at + 1 < n)
    return bytes[at + 1] == 0x0b || bytes[at + 1] == 0x07;
  return opcode != 0 && strchr ("\xc3\xc2\xcb\xcf\xe9\xeb\xe8\xcc", opcode);
}

/*
 * The one at @bytes, if it is sound. After a filling, a stub may have addresses: a trampoline of
 * ftrace that of its ftrace_ops (create_trampoline() of arch/x86/kernel/ftrace.c).
 * @before: (nullable): the one before it, of @n_before bytes
 * @goes_on: (out): does one begin where it ends?
 *
 * Returns: its length; 0: it is not sound
 */
static gsize
move_one (PenCleanCode *self, guint32 tenure, guint64 address, guint8 *bytes, gsize length,
          const guint8 *before, gsize n_before, gboolean *goes_on)
{
  const PenCleanSlide *slide = self->slide;
  gboolean is_breakpoint = bytes[0] == BREAKPOINT;

  *goes_on = !is_breakpoint
             || (g_hash_table_contains (self->occupants, GUINT_TO_POINTER (tenure)) && before
                 && ends_flow (before, n_before));
  return pen_decoder_move (self->decoder, bytes, length, address, slide->images,
                           G_N_ELEMENTS (slide->images), pen_clean_slide_is_made (slide, address),
                           move_address, (gpointer) slide);
}

/* ---- where instructions begin ---- */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* The lowest one from @address on; G_MAXUINT64: there is none. */
static guint64
find_begin (PenCleanCode *self, guint64 address)
{
  guint low = 0;
  guint high = self->begins->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (self->begins, guint64, middle) < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < self->begins->len ? g_array_index (self->begins, guint64, low) : G_MAXUINT64;
}

static void
add_begin (PenCleanCode *self, guint64 address)
{
  g_array_append_val (self->begins, address);
}

static gboolean
note_tenure (const PenTenure *tenure, gpointer user_data)
{
  PenCleanCode *self = user_data;

  if (tenure->kind == PEN_KIND_BPF || tenure->kind == PEN_KIND_STUB)
    add_begin (self, tenure->start);
  if (tenure->kind == PEN_KIND_KERNEL || tenure->kind == PEN_KIND_MODULE
      || tenure->kind == PEN_KIND_BPF)
    g_hash_table_insert (self->occupants, GUINT_TO_POINTER (tenure->id),
                         g_strdup (tenure->occupant));
  return TRUE;
}

static gboolean
note_reading (const PenReading *reading, const PenBpfOutput *output, gpointer user_data)
{
  PenCleanCode *self = user_data;
  Landing *landing;

  if (!output->has_address)
    return TRUE;
  landing = g_new (Landing, 1);
  *landing = (Landing){ output->tenure, output->address };
  g_hash_table_insert (self->landings, GUINT_TO_POINTER (reading->output), landing);
  add_begin (self, output->address);
  return TRUE;
}

static gboolean
add_sampled (PenCleanCode *self, PenStore *store, GError **error)
{
  guint n;
  const PenBucket *buckets = pen_store_get_buckets (store, &n, error);

  if (!buckets)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (buckets[i].has_address && buckets[i].address >> 63)
      add_begin (self, buckets[i].address);
  }
  return TRUE;
}

static void
add_symbols (PenCleanCode *self, PenStore *store, const Chunk *chunk)
{
  const char *occupant = g_hash_table_lookup (self->occupants, GUINT_TO_POINTER (chunk->tenure));
  const char *name;
  guint64 start;
  guint64 end;

  if (!occupant)
    return;
  if (pen_store_find_symbol (store, occupant, chunk->start, &name, &start, &end)
      && start == chunk->start)
    add_begin (self, start);
  start = chunk->start;
  while ((start = pen_store_find_symbol_above (store, occupant, start)) < chunk->start + chunk->n)
    add_begin (self, start);
}

static void
sort_begins (PenCleanCode *self)
{
  guint n = 0;

  g_array_sort (self->begins, compare_numbers);
  for (guint i = 0; i < self->begins->len; i++) {
    guint64 address = g_array_index (self->begins, guint64, i);

    if (n == 0 || g_array_index (self->begins, guint64, n - 1) != address)
      g_array_index (self->begins, guint64, n++) = address;
  }
  g_array_set_size (self->begins, n);
}

/* ---- text ---- */

static int
compare_chunks (gconstpointer a, gconstpointer b)
{
  const Chunk *x = a;
  const Chunk *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->tenure < y->tenure ? -1 : x->tenure > y->tenure;
}

static void
add_chunk (PenCleanCode *self, const PenStoredText *text)
{
  Chunk chunk
      = { .start = text->start, .tenure = text->tenure, .bytes = g_bytes_ref (text->bytes) };

  chunk.before = g_bytes_get_data (chunk.bytes, &chunk.n);
  chunk.after = g_memdup2 (chunk.before, chunk.n);
  chunk.marks = g_new0 (guint8, chunk.n + 1);
  self->longest = MAX (self->longest, chunk.n);
  g_array_append_val (self->chunks, chunk);
}

static void
mark (Chunk *chunk, gsize at, gsize n)
{
  memset (chunk->marks + at, MARK_INSIDE, n);
  chunk->marks[at] = MARK_BEGINS;
}

static void
decode_chunk (PenCleanCode *self, Chunk *chunk)
{
  guint64 end = chunk->start + chunk->n;
  guint64 at = find_begin (self, chunk->start);
  const guint8 *before = NULL;
  gsize n_before = 0;

  while (at < end) {
    guint64 next = find_begin (self, at + 1);
    gsize i = at - chunk->start;
    gboolean goes_on;
    gsize n = move_one (self, chunk->tenure, at, chunk->after + i, chunk->n - i, before, n_before,
                        &goes_on);

    if (n == 0 || n > next - at) {
      memcpy (chunk->after + i, chunk->before + i, n);
      before = NULL;
      at = next;
      continue;
    }
    mark (chunk, i, n);
    before = goes_on ? chunk->before + i : NULL;
    n_before = n;
    at = goes_on ? at + n : next;
  }
}

static gboolean
decode_chunks (PenCleanCode *self, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < self->chunks->len; i++) {
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;
    decode_chunk (self, &g_array_index (self->chunks, Chunk, i));
  }
  return TRUE;
}

static gboolean
load_chunks (PenCleanCode *self, PenStore *store, GError **error)
{
  g_autoptr (GPtrArray) texts = pen_store_load_text (store, 1ull << 63, G_MAXUINT64, error);

  if (!texts)
    return FALSE;
  for (guint i = 0; i < texts->len; i++)
    add_chunk (self, g_ptr_array_index (texts, i));
  g_array_sort (self->chunks, compare_chunks);
  for (guint i = 0; i < self->chunks->len; i++)
    add_symbols (self, store, &g_array_index (self->chunks, Chunk, i));
  return TRUE;
}

PenCleanCode *
pen_clean_code_new (PenStore *store, const PenCleanSlide *slide, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (PenCleanCode) self = g_new0 (PenCleanCode, 1);

  self->slide = slide;
  self->chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  g_array_set_clear_func (self->chunks, chunk_clear);
  self->begins = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->occupants = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  self->landings = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  self->firsts = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  self->decoder = pen_decoder_new (pen_store_get_fact (store, "arch"), PEN_SYNTAX_ATT, error);
  if (!self->decoder || !pen_store_foreach_tenure (store, FALSE, note_tenure, self, error)
      || !pen_store_foreach_reading (store, note_reading, self, error)
      || !add_sampled (self, store, error) || !load_chunks (self, store, error))
    return NULL;
  sort_begins (self);
  return decode_chunks (self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

/* The index of the first chunk that starts at @address or above. */
static guint
find_chunk (PenCleanCode *self, guint64 address)
{
  guint low = 0;
  guint high = self->chunks->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (self->chunks, Chunk, middle).start < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
move_text (PenCleanCode *self, PenCleanPiece *piece)
{
  for (guint i = find_chunk (self, piece->address); i < self->chunks->len; i++) {
    const Chunk *chunk = &g_array_index (self->chunks, Chunk, i);

    if (chunk->start != piece->address)
      return;
    if (chunk->tenure == piece->id && chunk->n == piece->n
        && memcmp (chunk->before, piece->bytes, piece->n) == 0) {
      memcpy (piece->bytes, chunk->after, piece->n);
      for (gsize at = 0; at < piece->n; at++)
        piece->is_sound[at] = chunk->marks[at] != MARK_UNSOUND;
      return;
    }
  }
}

/* ---- what was read or written over text ---- */

/* The sound instruction of @chunk that @address is in: (out) @from and @to. */
static gboolean
find_instruction (const Chunk *chunk, guint64 address, guint64 *from, guint64 *to)
{
  gsize i = address - chunk->start;
  gsize end = i + 1;

  if (address < chunk->start || i >= chunk->n || chunk->marks[i] == MARK_UNSOUND)
    return FALSE;
  while (chunk->marks[i] != MARK_BEGINS)
    i--;
  while (end < chunk->n && chunk->marks[end] == MARK_INSIDE)
    end++;
  *from = chunk->start + i;
  *to = chunk->start + end;
  return TRUE;
}

/* Takes what the instruction of the text at @at was made, if it stands there, too: the part of it
 * that is among the bytes of @piece. A breakpoint may be in place of its first byte.
 * Returns: how long that part is; 0: it does not stand there */
static gsize
take_known (const Chunk *chunk, PenCleanPiece *piece, gsize at)
{
  guint64 address = piece->address + at;
  guint64 from;
  guint64 to;
  gsize n;
  gsize i = address - chunk->start;
  gsize skipped;

  if (!find_instruction (chunk, address, &from, &to))
    return 0;
  n = (gsize) MIN (to - address, piece->n - at);
  skipped = address == from && piece->bytes[at] == BREAKPOINT ? 1 : 0;
  if (memcmp (piece->bytes + at + skipped, chunk->before + i + skipped, n - skipped) != 0)
    return 0;
  memcpy (piece->bytes + at + skipped, chunk->after + i + skipped, n - skipped);
  return n;
}

static gsize
take_any_known (PenCleanCode *self, guint32 tenure, PenCleanPiece *piece, gsize at)
{
  guint64 address = piece->address + at;

  for (guint i = find_chunk (self, address + 1); i > 0; i--) {
    const Chunk *chunk = &g_array_index (self->chunks, Chunk, i - 1);
    gsize n;

    if (address - chunk->start >= self->longest)
      break;
    n = chunk->tenure == tenure ? take_known (chunk, piece, at) : 0;
    if (n > 0)
      return n;
  }
  return 0;
}

static void
note_first (PenCleanCode *self, guint64 address, guint8 first)
{
  guint64 *key;

  if (first == BREAKPOINT)
    return;
  key = g_new (guint64, 1);
  *key = address;
  g_hash_table_insert (self->firsts, key, GUINT_TO_POINTER (first));
}

/* A breakpoint, and what is left of the instruction in place of whose first byte it is. */
static gsize
move_broken (PenCleanCode *self, guint32 tenure, PenCleanPiece *piece, gsize at)
{
  guint64 address = piece->address + at;
  guint8 *bytes = piece->bytes + at;
  gpointer first;
  gboolean goes_on;
  gsize n;

  if (*bytes != BREAKPOINT || !g_hash_table_lookup_extended (self->firsts, &address, NULL, &first))
    return 0;
  *bytes = (guint8) GPOINTER_TO_UINT (first);
  n = move_one (self, tenure, address, bytes, piece->n - at, NULL, 0, &goes_on);
  *bytes = BREAKPOINT;
  return n;
}

/* @begins: does an instruction begin at @piece's address? */
static void
move_over (PenCleanCode *self, guint32 tenure, gboolean begins, PenCleanPiece *piece)
{
  g_autofree guint8 *copy = g_memdup2 (piece->bytes, piece->n);
  const guint8 *before = NULL;
  gsize n_before = 0;

  for (gsize at = 0; at < piece->n;) {
    guint64 address = piece->address + at;
    gboolean goes_on = TRUE;
    gsize n = take_any_known (self, tenure, piece, at);

    begins = begins || find_begin (self, address) == address;
    if (n == 0 && begins)
      n = move_broken (self, tenure, piece, at);
    if (n == 0 && begins)
      n = move_one (self, tenure, address, piece->bytes + at, piece->n - at, before, n_before,
                    &goes_on);
    memset (piece->is_sound + at, n > 0, MAX (n, 1));
    begins = n > 0 && goes_on;
    before = begins ? copy + at : NULL;
    n_before = n;
    at += MAX (n, 1);
  }
}

/* Of a breakpoint one byte is patched: the first of an instruction, in which no address is. */
static void
move_patch (PenCleanCode *self, PenCleanPiece *piece)
{
  move_over (self, piece->id, TRUE, piece);
  piece->is_sound[0] = TRUE;
  if (piece->n == 1)
    note_first (self, piece->address, piece->bytes[0]);
}

/* A filling has no addresses. */
static gboolean
is_filling (guint8 byte)
{
  return byte == 0 || byte == 0x90 || byte == BREAKPOINT;
}

/* Its length has to stay. */
static void
clear_unsound (PenCleanPiece *piece)
{
  for (gsize at = piece->n; at > 0 && !piece->is_sound[at - 1] && is_filling (piece->bytes[at - 1]);
       at--)
    piece->is_sound[at - 1] = TRUE;
  for (gsize at = 0; at < piece->n; at++) {
    if (!piece->is_sound[at])
      piece->bytes[at] = 0;
  }
}

/* Only one run of a reading can stay: the one in which its sample landed. */
static void
cut_reading (PenCleanPiece *piece, const Landing *landing)
{
  gsize at = landing ? (gsize) (landing->address - piece->address) : piece->n;
  gsize from = at;
  gsize to = at;

  while (at < piece->n && from > 0 && piece->is_sound[from - 1])
    from--;
  while (to < piece->n && piece->is_sound[to])
    to++;
  for (gsize i = 0; i < piece->n; i++)
    piece->is_sound[i] = i >= from && i < to;
}

void
pen_clean_code_move (PenCleanCode *self, PenCleanPiece *piece)
{
  const Landing *landing = NULL;

  memset (piece->is_sound, FALSE, piece->n);
  switch (piece->code) {
  case PEN_CLEAN_STORED_TEXT:
    move_text (self, piece);
    break;
  case PEN_CLEAN_READING:
    landing = g_hash_table_lookup (self->landings, GUINT_TO_POINTER (piece->id));
    move_over (self, landing ? landing->tenure : 0, FALSE, piece);
    cut_reading (piece, landing);
    break;
  case PEN_CLEAN_PATCH:
  default:
    move_patch (self, piece);
  }
  for (gsize at = 0; at < piece->n; at++)
    self->unsound += !piece->is_sound[at];
  if (piece->code == PEN_CLEAN_PATCH)
    clear_unsound (piece);
}
