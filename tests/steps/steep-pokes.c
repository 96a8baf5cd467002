/* steep-pokes.c: text pokes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep.h"

/* @number: the destination of a jump, or nothing. */
static void
poke (SteepMaker *self, guint64 address, guint from, guint to)
{
  guint8 bytes[2][5] = { { 0xe9 }, { 0xe9 } };

  memcpy (bytes[0] + 1, &from, 4);
  memcpy (bytes[1] + 1, &to, 4);
  steep_at (self, 7);
  pen_test_capture_add_text_poke (self->capture, address, from == 0 ? steep_nop : bytes[0], 5,
                                  to == 0 ? steep_nop : bytes[1], 5);
}

static void
pokes_at_one_place (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    poke (self, KERNEL + 0x100, i, i + 1);
    if (i % 4 == 0)
      steep_sample (self, KERNEL + 0x100);
  }
}

static void
pokes_to_and_fro (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    poke (self, KERNEL + 0x100, i % 2, 1 - i % 2);
    if (i % 4 == 0)
      steep_sample (self, KERNEL + 0x101);
  }
}

static void
pokes_apart (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    poke (self, KERNEL + 16 * (guint64) i, 0, i + 1);
    if (i % 4 == 0)
      steep_sample (self, KERNEL + 16 * (guint64) i);
  }
}

static void
pokes_overlapping (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    poke (self, KERNEL + 0x100 + i, i, i + 1);
}

/* Places poked one by one, then one by one again, the other way round. */
static void
pokes_there_and_back (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++)
    poke (self, KERNEL + 3 * (guint64) i, 0, 1);
  for (guint i = n / 2; i-- > 0;)
    poke (self, KERNEL + 3 * (guint64) i + 1, 0, 2);
}

static void
pokes_of_all_lengths (SteepMaker *self, guint n)
{
  guint8 bytes[250];

  memset (bytes, 0x90, sizeof bytes);
  for (guint i = 0; i < n; i++) {
    guint16 length = (guint16) (1 + i % sizeof bytes);

    bytes[0] = (guint8) i;
    steep_at (self, 7);
    pen_test_capture_add_text_poke (self->capture, KERNEL + 0x100 + i % 7, bytes, length, bytes + 1,
                                    (guint16) (length - 1));
    if (i % 8 == 0)
      steep_sample (self, KERNEL + 0x100 + i % 64);
  }
}

static void
pokes_in_ksymbols (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++)
    steep_ksymbol (self, PROGRAM + 8 * i, 16 * (n - i), FALSE, i);
  for (guint i = 0; i < n / 2; i++) {
    poke (self, PROGRAM + 8 * i, 0, i + 1);
    if (i % 4 == 0)
      steep_sample (self, PROGRAM + 8 * i);
  }
}

/* One place has as many turns of the kernel's text as pokes of it. */
static void
pokes_between_ksymbols (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 4; i++) {
    steep_ksymbol (self, KERNEL + 0x100, 64, FALSE, i);
    steep_ksymbol (self, KERNEL + 0x100, 64, TRUE, i);
    poke (self, KERNEL + 0x100, i, i + 1);
    steep_sample (self, KERNEL + 0x100);
  }
}

/* Trampolines come and go, while places jump to them. */
static void
trampolines (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 3; i++) {
    g_autofree char *name = g_strdup_printf ("bpf_trampoline_%u", i);

    steep_at (self, 7);
    pen_test_capture_add_ksymbol (self->capture, PROGRAM + 64 * (guint64) i, 4096, 1, 0, name);
  }
  for (guint i = 0; i < n / 3; i++) {
    guint64 place = KERNEL + 16 * (guint64) (i % 100);

    poke (self, place, 0, (guint) (PROGRAM + 64 * (guint64) i - place - 5));
    poke (self, place, (guint) (PROGRAM + 64 * (guint64) i - place - 5), 0);
  }
}

const SteepKind steep_pokes[] = {
  STEEP_KIND (pokes_at_one_place),   STEEP_KIND (pokes_to_and_fro),
  STEEP_KIND (pokes_apart),          STEEP_KIND (pokes_overlapping),
  STEEP_KIND (pokes_there_and_back), STEEP_KIND (pokes_of_all_lengths),
  STEEP_KIND (pokes_in_ksymbols),    STEEP_KIND (pokes_between_ksymbols),
  STEEP_KIND (trampolines),          { 0 },
};
