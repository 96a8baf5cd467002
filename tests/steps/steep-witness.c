/* steep-witness.c: readings of a witness
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep.h"

#define WITNESS 3u
#define LENGTH 64u

/* Of @value in each of its bytes. */
static void
add_reading (SteepMaker *self, guint64 address, guint value)
{
  struct {
    guint32 magic;
    guint8 version;
    guint8 length;
    guint16 flags;
    guint64 start;
    guint64 address;
    guint8 bytes[LENGTH];
  } record = { 0x54495750, 1, LENGTH, 0, address & ~(guint64) 31, address, { 0 } };

  memset (record.bytes, (int) value, sizeof record.bytes);
  pen_test_capture_from (self->capture, WITNESS);
  steep_at (self, 7);
  pen_test_capture_set_payload (self->capture, &record, sizeof record);
  pen_test_capture_add_sample (self->capture, PEN_TEST_KERNEL, address, 1);
  pen_test_capture_set_payload (self->capture, NULL, 0);
  pen_test_capture_from (self->capture, 1);
}

/* Of one place that is patched all the time, and is never as the records have it. */
static void
witness_readings (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    const guint8 old[5] = { 0xe9, (guint8) (i >> 2) };
    const guint8 new[5] = { 0xe9, (guint8) ((i >> 2) + 1) };

    if (i % 4 == 0) {
      steep_at (self, 7);
      pen_test_capture_add_text_poke (self->capture, KERNEL + 0x110, old, 5, new, 5);
    }
    add_reading (self, KERNEL + 0x100 + i % 32, i % 0xc0);
    steep_sample (self, KERNEL + 0x100 + i % 32);
    steep_sample (self, KERNEL + 0x100 + i * 7 % 32);
  }
}

/* Of as many places, of which nothing else is known; and of one all the time. */
static void
witness_places (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 address = i % 2 == 0 ? PROGRAM + 8 + 64 * (guint64) i : PROGRAM + i % 32;

    add_reading (self, address, i % 0xc0);
    steep_sample (self, address);
  }
}

const SteepKind steep_witness[] = {
  STEEP_KIND (witness_readings),
  STEEP_KIND (witness_places),
  { 0 },
};
