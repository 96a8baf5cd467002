/* pen-clean-slide.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clean-slide.h"

#include <glib/gi18n-lib.h>
#include <sodium.h>
#include <string.h>

#include "pen-store-occupants.h"

#define PAGE 4096u
/* The lowest address of the kernel's half, with five levels of page tables. */
#define HALF G_GUINT64_CONSTANT (0xff00000000000000)
/* x86-64: text and modules, which code names by 32 bits, are in the last 2 GiB
 * (Documentation/arch/x86/x86_64/mm.rst); from the fixed mappings with vsyscall on, addresses are
 * the same everywhere. Other machines have no text there. */
#define IMAGE G_GUINT64_CONSTANT (0xffffffff80000000)
/* With four levels the half begins here. Below the image is all memory, and nothing else. */
#define HALF_OF_FOUR G_GUINT64_CONSTANT (0xffff800000000000)
#define FIXED G_GUINT64_CONSTANT (0xffffffffff600000)

/* Of the kernel alone its text is known, after which data follow: _end is not farther (of Debian's
 * kernels, some 50 MiB). */
#define IMAGE_SIZE (128u << 20)

/* @memory: text below the image, which no kernel has; @kernel: where it begins; @others: modules,
 * programs and stubs */
typedef struct {
  PenMoveRange all;
  PenMoveRange memory;
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

  if (tenure->space == PEN_SPACE_KERNEL && tenure->start >= HALF && tenure->start < IMAGE)
    add_place (&places->memory, tenure);
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

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const PenCleanRange *x = a;
  const PenCleanRange *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

/* Sorted; ranges that meet become one. */
static void
join_ranges (GArray *ranges)
{
  guint n = 0;

  g_array_sort (ranges, compare_ranges);
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

gboolean
pen_clean_slide_is_made (const PenCleanSlide *self, guint64 address)
{
  guint low = 0;
  guint high = self->made->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (self->made, PenCleanRange, middle).start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && address < g_array_index (self->made, PenCleanRange, low - 1).end;
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

/* Round and round, in whole pages: from the first to the last place of a part of the half all are
 * alike likely. */
static guint64
turn (guint64 address, guint64 first, guint64 last, guint64 pages)
{
  guint64 all = (last - first) / PAGE + 1;

  return first + ((address - first) / PAGE + pages % all) % all * PAGE + address % PAGE;
}

static guint64
turn_memory (const PenCleanSlide *self, guint64 address)
{
  return address < HALF_OF_FOUR ? turn (address, HALF, HALF_OF_FOUR - 1, self->turned)
                                : turn (address, HALF_OF_FOUR, IMAGE - 1, self->turned);
}

/* What is sorted stays so: no range is cut where the turn ends. */
static gboolean
choose_turn (PenCleanSlide *self, const PenMoveRange *memory)
{
  guint64 last = memory->last > 0 ? MIN (memory->last, IMAGE) - 1 : 0;

  for (guint i = 0; i < 1000; i++) {
    randombytes_buf (&self->turned, sizeof self->turned);
    if (memory->first > last || turn_memory (self, memory->first) <= turn_memory (self, last))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_known (const char *arch)
{
  return !arch || strcmp (arch, "x86_64") == 0 || strcmp (arch, "amd64") == 0;
}

static void
take_places (PenCleanSlide *self, const Places *places)
{
  self->images[0] = places->kernel < FIXED
                        ? (PenMoveRange){ places->kernel, places->kernel + IMAGE_SIZE - 1 }
                        : (PenMoveRange){ G_MAXUINT64, 0 };
  self->images[1] = places->others;
  join_ranges (self->made);
}

gboolean
pen_clean_slide_init (PenCleanSlide *self, PenStore *store, GError **error)
{
  const char *arch = pen_store_get_fact (store, "arch");
  Places places = { { G_MAXUINT64, 0 }, { G_MAXUINT64, 0 }, G_MAXUINT64, { G_MAXUINT64, 0 }, NULL };
  /* 1 GiB, where nothing is known that would be in the way. */
  gint64 first = -(gint64) (1u << 18);
  gint64 last = 1 << 18;

  *self = (PenCleanSlide){ .made = g_array_new (FALSE, FALSE, sizeof (PenCleanRange)) };
  places.made = self->made;
  if (!is_known (arch)) {
    g_set_error (
        error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        _ ("It is of a machine “%s”, whose kernel addresses cannot be moved: only those of "
           "x86_64 can"),
        arch);
    return FALSE;
  }
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
  take_places (self, &places);
  if (last <= first || !choose_turn (self, &places.memory)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                         _ ("The kernel's addresses leave no room to move them"));
    return FALSE;
  }
  self->distance = (guint64) choose_pages (first, last) * PAGE;
  return TRUE;
}

void
pen_clean_slide_clear (PenCleanSlide *self)
{
  g_clear_pointer (&self->made, g_array_unref);
}

/* Order is kept: what would leave stands at the end. */
guint64
pen_clean_slide_address (const PenCleanSlide *self, guint64 address)
{
  guint64 moved = address + self->distance;

  if (address < HALF || address >= FIXED)
    return address;
  if (address < IMAGE)
    return turn_memory (self, address);
  if ((gint64) self->distance > 0)
    return moved < address || moved >= FIXED ? FIXED - 1 : moved;
  return moved > address || moved < IMAGE ? IMAGE : moved;
}
