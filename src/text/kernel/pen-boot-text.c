/* pen-boot-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-boot-text.h"

#include <string.h>

#include "pen-table-hash.h"

/* So often a form has to be there: a few look alike by chance. */
#define ENOUGH 16u
/* One in so many may be another: assembly keeps a few returns, or thunks, as linked. */
#define FEW 64u
/* Most functions return: if so few do, there is a thunk of a name not known here. */
#define SOME 8u
#define RETURN_THUNK "return_thunk"
#define INDIRECT_THUNK "x86_indirect_thunk_"
#define CALL 0xe8
#define JUMP 0xe9

typedef struct {
  guint64 start;
  const guint8 *bytes;
  gsize length;
  GHashTable *returns;    /* address of a return thunk → its count */
  GHashTable *retpolines; /* addresses */
  guint64 first_thunk;
  guint64 last_thunk;
} Text;

typedef struct {
  guint plain_returns;
  guint retpolines;
  guint locks;
  guint removed_locks;
  guint counted_calls;
  guint zeros[2];
} Counts;

static const guint8 zero_forms[2][5]
    = { { 0x2e, 0x2e, 0x2e, 0x31, 0xc0 }, { 0x66, 0x66, 0x48, 0x31, 0xc0 } };
static const guint8 seal_forms[2][4] = { { 0x66, 0x0f, 0x1f, 0x00 }, { 0x0f, 0x1f, 0x40, 0xd6 } };
static const guint8 nop_forms[2][5]
    = { { 0x0f, 0x1f, 0x44, 0x00, 0x00 }, { 0x66, 0x66, 0x66, 0x66, 0x90 } };
static const guint8 endbr[4] = { 0xf3, 0x0f, 0x1e, 0xfa };

static gboolean
is_at (const Text *text, gsize at, const guint8 *form, gsize length)
{
  return at <= text->length && length <= text->length - at
         && memcmp (text->bytes + at, form, length) == 0;
}

static void
find_thunks (Text *text, const GArray *symbols)
{
  text->first_thunk = G_MAXUINT64;
  for (guint i = 0; i < symbols->len; i++) {
    const PenSymbol *symbol = &g_array_index (symbols, PenSymbol, i);
    gboolean is_return = g_str_has_suffix (symbol->name, RETURN_THUNK);
    gint64 key = (gint64) symbol->start;

    if (!is_return && !strstr (symbol->name, INDIRECT_THUNK))
      continue;
    g_hash_table_replace (is_return ? text->returns : text->retpolines,
                          g_memdup2 (&key, sizeof key), g_new0 (guint, 1));
    text->first_thunk = MIN (text->first_thunk, symbol->start);
    text->last_thunk = MAX (text->last_thunk, symbol->start);
  }
}

static void
count_branch (const Text *text, gsize at, Counts *counts)
{
  gint32 distance;
  guint64 target;
  guint *n;

  if (text->length - at < 5)
    return;
  memcpy (&distance, text->bytes + at + 1, sizeof distance);
  target = text->start + at + 5 + (guint64) (gint64) GINT32_FROM_LE (distance);
  if (target < text->first_thunk || target > text->last_thunk)
    return;

  n = text->bytes[at] == JUMP ? g_hash_table_lookup (text->returns, &target) : NULL;
  if (n)
    (*n)++;
  else if (g_hash_table_contains (text->retpolines, &target))
    counts->retpolines++;
}

/* cmpxchg, with and without a prefix of 64 bits. */
static gboolean
is_exchange (const Text *text, gsize at)
{
  static const guint8 forms[2][3] = { { 0x0f, 0xb1 }, { 0x48, 0x0f, 0xb1 } };

  return is_at (text, at, forms[0], 2) || is_at (text, at, forms[1], 3);
}

static void
count_forms (const Text *text, Counts *counts)
{
  static const guint8 plain_return[] = { 0xc3, 0xcc, 0xcc, 0xcc, 0xcc };
  /* sarq $5, %gs:…: what counts calls. */
  static const guint8 counted[2][4] = { { 0x65, 0x48, 0xc1, 0x3c }, { 0x65, 0x48, 0xc1, 0x3d } };

  for (gsize at = 0; at < text->length; at++)
    switch (text->bytes[at]) {
    case CALL:
    case JUMP:
      count_branch (text, at, counts);
      break;
    case 0xc3:
      counts->plain_returns += is_at (text, at, plain_return, sizeof plain_return);
      break;
    case 0xf0:
      counts->locks += is_exchange (text, at + 1);
      break;
    case 0x3e:
      counts->removed_locks += is_exchange (text, at + 1);
      break;
    case 0x2e:
      counts->zeros[0] += is_at (text, at, zero_forms[0], sizeof zero_forms[0]);
      break;
    case 0x65:
      counts->counted_calls += is_at (text, at, counted[0], 4) || is_at (text, at, counted[1], 4);
      break;
    case 0x66:
      counts->zeros[1] += is_at (text, at, zero_forms[1], sizeof zero_forms[1]);
      break;
    default:
      break;
    }
}

static guint
count_functions (const Text *text, const GArray *symbols)
{
  guint n = 0;

  /* Small copies have holes. */
  for (guint i = 0; i < symbols->len; i++) {
    gsize at = g_array_index (symbols, PenSymbol, i).start - text->start;

    n += at < text->length && text->bytes[at] != 0;
  }
  return n;
}

static void
judge_returns (PenBootText *boot, const Text *text, const Counts *counts, guint n_functions)
{
  GHashTableIter iter;
  gpointer key;
  gpointer value;
  guint64 thunk = 0;
  guint most = 0;
  guint all = 0;

  g_hash_table_iter_init (&iter, text->returns);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    guint n = *(const guint *) value;

    all += n;
    if (n > most || (n == most && *(const guint64 *) key < thunk)) {
      most = n;
      thunk = *(const guint64 *) key;
    }
  }

  if (g_hash_table_size (text->returns) > 0 && all <= counts->plain_returns / FEW
      && counts->plain_returns >= MAX (ENOUGH, n_functions / SOME)) {
    boot->returns = PEN_BOOT_REPLACED;
  } else if (most >= ENOUGH && counts->plain_returns + (all - most) <= most / FEW) {
    boot->returns = PEN_BOOT_REPLACED;
    boot->return_thunk = thunk;
  }
}

/* At their entries functions have ENDBR, or its seal, and the nop of ftrace. */
static void
judge_entries (PenBootText *boot, const Text *text, const Counts *counts, const GArray *symbols)
{
  guint kept = 0;
  guint padded = 0;
  guint sealed[G_N_ELEMENTS (seal_forms)] = { 0 };
  guint nops[G_N_ELEMENTS (nop_forms)] = { 0 };
  static const guint8 padding[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90 };

  for (guint i = 0; i < symbols->len; i++) {
    gsize at = g_array_index (symbols, PenSymbol, i).start - text->start;

    if (at >= text->length)
      continue;
    padded += at >= sizeof padding && is_at (text, at - sizeof padding, padding, sizeof padding);
    if (is_at (text, at, endbr, sizeof endbr)) {
      kept++;
      at += sizeof endbr;
    }
    for (guint k = 0; k < G_N_ELEMENTS (seal_forms); k++)
      if (is_at (text, at, seal_forms[k], sizeof seal_forms[k])) {
        sealed[k]++;
        at += sizeof seal_forms[k];
        break;
      }
    for (guint k = 0; k < G_N_ELEMENTS (nop_forms); k++)
      nops[k] += is_at (text, at, nop_forms[k], sizeof nop_forms[k]);
  }

  if (kept >= ENOUGH && sealed[0] + sealed[1] == 0)
    boot->seals = PEN_BOOT_KEPT;
  for (guint k = 0; k < G_N_ELEMENTS (seal_forms); k++)
    if (sealed[k] >= ENOUGH && sealed[!k] == 0) {
      boot->seals = PEN_BOOT_REPLACED;
      memcpy (boot->seal, seal_forms[k], sizeof boot->seal);
    }
  for (guint k = 0; k < G_N_ELEMENTS (nop_forms); k++)
    if (nops[k] >= ENOUGH && nops[!k] < nops[k] / FEW + 1) {
      boot->has_nop = TRUE;
      memcpy (boot->nop, nop_forms[k], sizeof boot->nop);
    }
  if (padded >= ENOUGH && counts->counted_calls == 0)
    boot->thunks = PEN_BOOT_KEPT;
}

void
pen_boot_text_read (PenBootText *boot, guint64 start, const guint8 *bytes, gsize length,
                    const GArray *symbols)
{
  Text text = { .start = start, .bytes = bytes, .length = length };
  Counts counts = { 0 };

  memset (boot, 0, sizeof *boot);
  text.returns = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, g_free);
  text.retpolines = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, g_free);
  find_thunks (&text, symbols);
  count_forms (&text, &counts);

  judge_returns (boot, &text, &counts, count_functions (&text, symbols));
  judge_entries (boot, &text, &counts, symbols);
  /* Where only some returns were replaced, by their addresses (ITS), so were retpolines. */
  if (counts.retpolines >= ENOUGH
      && (boot->returns != PEN_BOOT_UNKNOWN || g_hash_table_size (text.returns) == 0))
    boot->retpolines = PEN_BOOT_KEPT;
  if (counts.locks >= ENOUGH && counts.removed_locks == 0)
    boot->locks = PEN_BOOT_KEPT;
  else if (counts.removed_locks >= ENOUGH && counts.locks == 0)
    boot->locks = PEN_BOOT_REPLACED;
  for (guint k = 0; k < G_N_ELEMENTS (zero_forms); k++)
    if (counts.zeros[k] > 0 && counts.zeros[!k] == 0) {
      boot->has_zero = TRUE;
      memcpy (boot->zero, zero_forms[k], sizeof boot->zero);
    }
  g_hash_table_unref (text.returns);
  g_hash_table_unref (text.retpolines);
}
