/* steep-ksymbols.c: ksymbols and BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "steep.h"

static void
ksymbols_at_one_place (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    steep_ksymbol (self, PROGRAM, 64, FALSE, i);
    if (i % 4 == 0)
      steep_sample (self, PROGRAM + 8);
  }
}

/* One place, never the same length: none is the one before. */
static void
ksymbols_in_turn (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++) {
    steep_ksymbol (self, PROGRAM, 64 + i % 100, FALSE, i % 2);
    steep_sample (self, PROGRAM + 8);
    steep_ksymbol (self, PROGRAM, 64 + i % 100, TRUE, i % 2);
  }
}

/* One program, loaded again and again at its place, with a sample of each. */
static void
ksymbols_again (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 3; i++) {
    steep_ksymbol (self, PROGRAM, 64, FALSE, 1);
    steep_sample (self, PROGRAM + 8);
    steep_ksymbol (self, PROGRAM, 64, TRUE, 1);
  }
}

static void
ksymbols_nested (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    steep_ksymbol (self, PROGRAM + i, 2 * (n - i), FALSE, i);
    if (i % 4 == 0)
      steep_sample (self, PROGRAM + n);
  }
}

static void
ksymbols_nested_out (SteepMaker *self, guint n)
{
  for (guint i = n; i-- > 0;)
    steep_ksymbol (self, PROGRAM + i, 2 * (n - i), FALSE, i);
}

/* Each is over before the next begins, so none ends where another starts. */
static void
ksymbols_of_other_times (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++) {
    steep_ksymbol (self, PROGRAM + i, 2 * (n - i), FALSE, i);
    steep_sample (self, PROGRAM + n);
    steep_ksymbol (self, PROGRAM + i, 2 * (n - i), TRUE, i);
  }
}

/* All long, half of them over before the other half begins. */
static void
ksymbols_of_two_times (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 3; i++)
    steep_ksymbol (self, PROGRAM + 2 * i, 4 * n, FALSE, i);
  for (guint i = 0; i < n / 3; i++)
    steep_ksymbol (self, PROGRAM + 2 * i, 4 * n, TRUE, i);
  for (guint i = n / 3; i-- > 0;)
    steep_ksymbol (self, PROGRAM + 2 * i + 1, 4 * n, FALSE, i);
  steep_sample (self, PROGRAM + n);
}

/* Nobody saw them come. */
static void
ksymbols_ending (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    steep_ksymbol (self, PROGRAM + (i % 2 ? i : n - i), i % 2 ? 2 * (n - i) + 1 : n, TRUE, i);
}

static void
bpf_loads (SteepMaker *self, guint n)
{
  static const guint8 tag[8] = { 1 };

  for (guint i = 0; i < n / 2; i++)
    steep_ksymbol (self, PROGRAM + 64 * (guint64) i, 64, FALSE, i);
  for (guint i = 0; i < n / 2; i++) {
    steep_at (self, 7);
    pen_test_capture_add_bpf_event (self->capture, 1, i, tag);
  }
}

/* One program of many functions, loaded again and again. */
static void
bpf_loads_of_one (SteepMaker *self, guint n)
{
  static const guint8 tag[8] = { 1 };
  static const guint8 image[64] = { 0x90 };
  g_autofree guint64 *addresses = g_new (guint64, n / 2);
  g_autofree guint32 *lengths = g_new (guint32, n / 2);

  for (guint i = 0; i < n / 2; i++) {
    addresses[i] = PROGRAM + 64 * (guint64) i;
    lengths[i] = 64;
  }
  pen_test_capture_add_bpf_program (self->capture, 1, "steep", tag, 0, addresses, lengths, n / 2,
                                    image, sizeof image);
  steep_ksymbol (self, PROGRAM, 64, FALSE, 1);
  for (guint i = 0; i < n / 2; i++) {
    steep_at (self, 7);
    pen_test_capture_add_bpf_event (self->capture, 1, 1, tag);
  }
}

/* The feature's programs all name all that is there. */
static void
bpf_programs (SteepMaker *self, guint n)
{
  static const guint8 tag[8] = { 1 };
  static const guint8 image[64] = { 0x90 };

  for (guint i = 0; i < n; i++) {
    guint64 address = PROGRAM + i % 2 * PAGE;
    guint32 length = 64;

    pen_test_capture_add_bpf_program (self->capture, i + 1, "steep", tag, 0, &address, &length, 1,
                                      image, sizeof image);
  }
  for (guint i = 0; i < n / 8; i++) {
    steep_ksymbol (self, PROGRAM + i % 2 * PAGE, 64, FALSE, i);
    steep_at (self, 7);
    pen_test_capture_add_bpf_event (self->capture, 1, i + 1, tag);
    steep_sample (self, PROGRAM + 8);
  }
}

const SteepKind steep_ksymbols[] = {
  STEEP_KIND (ksymbols_at_one_place),
  STEEP_KIND (ksymbols_in_turn),
  STEEP_KIND (ksymbols_again),
  STEEP_KIND (ksymbols_nested),
  STEEP_KIND (ksymbols_nested_out),
  STEEP_KIND (ksymbols_of_other_times),
  STEEP_KIND (ksymbols_of_two_times),
  STEEP_KIND (ksymbols_ending),
  STEEP_KIND (bpf_loads),
  STEEP_KIND (bpf_loads_of_one),
  STEEP_KIND (bpf_programs),
  { 0 },
};
