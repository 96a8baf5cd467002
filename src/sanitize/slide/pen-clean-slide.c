/* pen-clean-slide.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clean-slide.h"

#include <glib/gi18n-lib.h>
#include <sodium.h>

#include "pen-store-occupants.h"

#define PAGE 4096u
/* The lowest address of the kernel's half, with five levels of page tables. */
#define HALF G_GUINT64_CONSTANT (0xff00000000000000)
/* x86-64: text and modules, which code names by 32 bits, are in the last 2 GiB
 * (Documentation/arch/x86/x86_64/mm.rst); from the fixed mappings with vsyscall on, addresses are
 * the same everywhere. Other machines have no text there. */
#define IMAGE G_GUINT64_CONSTANT (0xffffffff80000000)
#define FIXED G_GUINT64_CONSTANT (0xffffffffff600000)

/* Of the kernel alone its text is known, after which data follow: _end is not farther (of Debian's
 * kernels, some 50 MiB). */
#define IMAGE_SIZE (128u << 20)

/* @kernel: where it begins; @others: modules, programs and stubs */
typedef struct {
  PenMoveRange all;
  guint64 kernel;
  PenMoveRange others;
  GArray *made;
} Places;

static void
add_place (PenMoveRange *range, const PenTenure *tenure)
{
  range->first = MIN (range->first, tenure->start);
  /* Maps of the whole kernel may reach to the end of all. */
  range->last = MAX (range->last, tenure->end < FIXED ? tenure->end : tenure->start);
}

static gboolean
note_tenure (const PenTenure *tenure, gpointer user_data)
{
  Places *places = user_data;

  if (tenure->space != PEN_SPACE_KERNEL || tenure->start < IMAGE || tenure->start >= FIXED)
    return TRUE;
  add_place (&places->all, tenure);
  if (tenure->kind == PEN_KIND_KERNEL)
    places->kernel = MIN (places->kernel, tenure->start);
  else
    add_place (&places->others, tenure);
  if (tenure->kind == PEN_KIND_BPF || tenure->kind == PEN_KIND_STUB
      || tenure->kind == PEN_KIND_UNKNOWN)
    g_array_append_vals (places->made, &(PenCleanRange){ tenure->start, tenure->end }, 1);
  return TRUE;
}

/* ---- ranges ---- */

/* Both sorts of elements begin with it. */
static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* Sorted; ranges that meet become one. */
static void
join_ranges (GArray *ranges)
{
  guint n = 0;

  g_array_sort (ranges, compare_addresses);
  for (guint i = 1; i < ranges->len; i++) {
    PenCleanRange *last = &g_array_index (ranges, PenCleanRange, n);
    PenCleanRange range = g_array_index (ranges, PenCleanRange, i);

    if (range.start <= last->end)
      last->end = MAX (last->end, range.end);
    else
      g_array_index (ranges, PenCleanRange, ++n) = range;
  }
  g_array_set_size (ranges, MIN (ranges->len, n + 1));
}

/* The first element with @address or a higher one. */
static guint
find (const GArray *array, guint size, guint64 address)
{
  guint low = 0;
  guint high = array->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (*(const guint64 *) (gconstpointer) (array->data + (gsize) middle * size) < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Is all of [@start, @end) in one of the joined @ranges? */
static gboolean
holds (const GArray *ranges, guint64 start, guint64 end)
{
  guint at = find (ranges, sizeof (PenCleanRange), start + 1);

  return at > 0 && g_array_index (ranges, PenCleanRange, at - 1).end >= end;
}

/* ---- a distance ---- */

/* Evenly one of the pages in [@first, @last], but for 0. */
static gint64
choose_pages (gint64 first, gint64 last)
{
  guint32 n = (guint32) (last - first + 1);
  gint64 pages = 0;

  while (pages == 0 && n > 1)
    pages = first + randombytes_uniform (n);
  return pages;
}

gboolean
pen_clean_slide_init (PenCleanSlide *self, PenStore *store, GError **error)
{
  Places places = { { G_MAXUINT64, 0 }, G_MAXUINT64, { G_MAXUINT64, 0 }, NULL };
  /* 1 GiB, where nothing is known that would be in the way. */
  gint64 first = -(gint64) (1u << 18);
  gint64 last = 1 << 18;

  *self = (PenCleanSlide){ .changed = g_array_new (FALSE, FALSE, sizeof (PenCleanByte)),
                           .known = g_array_new (FALSE, FALSE, sizeof (PenCleanRange)),
                           .made = g_array_new (FALSE, FALSE, sizeof (PenCleanRange)) };
  places.made = self->made;
  if (sodium_init () < 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "libsodium cannot be initialized");
    return FALSE;
  }
  if (!pen_store_foreach_tenure (store, FALSE, note_tenure, &places, error))
    return FALSE;
  if (places.all.first <= places.all.last) {
    first = -(gint64) ((places.all.first - IMAGE) / PAGE);
    last = (gint64) ((FIXED - 1 - places.all.last) / PAGE);
  }
  self->images[0] = places.kernel < FIXED
                        ? (PenMoveRange){ places.kernel, places.kernel + IMAGE_SIZE - 1 }
                        : (PenMoveRange){ G_MAXUINT64, 0 };
  self->images[1] = places.others;
  join_ranges (self->made);
  if (last <= first) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                         _ ("The kernel's addresses leave no room to move them"));
    return FALSE;
  }
  self->distance = (guint64) choose_pages (first, last) * PAGE;
  self->decoder = pen_decoder_new (pen_store_get_fact (store, "arch"), PEN_SYNTAX_ATT, error);
  return self->decoder != NULL;
}

void
pen_clean_slide_clear (PenCleanSlide *self)
{
  g_clear_pointer (&self->decoder, pen_decoder_free);
  g_clear_pointer (&self->changed, g_array_unref);
  g_clear_pointer (&self->known, g_array_unref);
  g_clear_pointer (&self->made, g_array_unref);
}

/* Order is kept: what would leave stands at the end. */
guint64
pen_clean_slide_address (const PenCleanSlide *self, guint64 address)
{
  guint64 moved = address + self->distance;

  if (address < HALF || address >= FIXED)
    return address;
  if ((gint64) self->distance > 0)
    return moved < address || moved >= FIXED ? FIXED - 1 : moved;
  return moved > address || moved < HALF ? HALF : moved;
}

static guint64
move_address (guint64 address, gpointer user_data)
{
  return pen_clean_slide_address (user_data, address);
}

static void
decode (PenCleanSlide *self, guint64 address, guint8 *bytes, gsize n)
{
  pen_decoder_move (self->decoder, bytes, n, address, self->images, G_N_ELEMENTS (self->images),
                    holds (self->made, address, address + 1), move_address, self);
}

void
pen_clean_slide_bytes (PenCleanSlide *self, guint64 address, guint8 *bytes, gsize n)
{
  g_autofree guint8 *before = g_memdup2 (bytes, n);
  PenCleanRange range = { address, address + n };

  decode (self, address, bytes, n);
  for (gsize i = 0; i < n; i++) {
    PenCleanByte byte = { address + i, before[i], bytes[i] };

    if (before[i] != bytes[i])
      g_array_append_val (self->changed, byte);
  }
  g_array_append_val (self->known, range);
  self->is_sorted = FALSE;
}

/* ---- bytes that may begin anywhere ---- */

static void
sort (PenCleanSlide *self)
{
  if (self->is_sorted)
    return;
  g_array_sort (self->changed, compare_addresses);
  join_ranges (self->known);
  self->is_sorted = TRUE;
}

void
pen_clean_slide_reading (PenCleanSlide *self, guint64 address, guint8 *bytes, gsize n)
{
  sort (self);
  if (!holds (self->known, address, address + n)) {
    decode (self, address, bytes, n);
    return;
  }
  for (guint i = find (self->changed, sizeof (PenCleanByte), address); i < self->changed->len;
       i++) {
    const PenCleanByte *byte = &g_array_index (self->changed, PenCleanByte, i);

    if (byte->address >= address + n)
      break;
    if (bytes[byte->address - address] == byte->before)
      bytes[byte->address - address] = byte->after;
  }
}
