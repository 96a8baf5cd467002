/* test-ring.c: records at a ring's end, and sizes that cannot be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ring.h"

#include <string.h>

#define SIZE 64u

typedef struct {
  guint n;
  guint8 marks[8];
  guint32 sizes[8];
} Taken;

static void
take (const guint8 *record, guint32 size, gpointer user_data)
{
  Taken *taken = user_data;

  g_assert_cmpuint (taken->n, <, G_N_ELEMENTS (taken->marks));
  for (guint32 i = 8; i < size; i++)
    g_assert_cmpuint (record[i], ==, record[8]);
  taken->sizes[taken->n] = size;
  taken->marks[taken->n++] = size > 8 ? record[8] : 0;
}

/* A header (perf_event.h: type, misc, size), then @mark. */
static guint64
put (guint8 *ring, guint64 at, guint16 size, guint8 mark)
{
  guint8 header[8] = { 0 };

  memcpy (header + 6, &size, sizeof size);
  for (guint i = 0; i < 8; i++)
    ring[(at + i) % SIZE] = header[i];
  for (guint i = 8; i < size; i++)
    ring[(at + i) % SIZE] = mark;
  return at + size;
}

/* Wherever the first one begins, the records are the same. */
static void
test_wrapped (void)
{
  guint8 scratch[PEN_RING_RECORD_MAX];

  for (guint64 tail = 0; tail < 3 * SIZE; tail += 8) {
    guint8 ring[SIZE];
    Taken taken = { 0 };
    guint64 head = put (ring, tail, 24, 1);

    head = put (ring, head, 8, 0);
    head = put (ring, head, 32, 3);
    g_assert_cmpuint (pen_ring_take (ring, SIZE, tail, head, scratch, take, &taken), ==, 0);
    g_assert_cmpuint (taken.n, ==, 3);
    g_assert_cmpuint (taken.marks[0], ==, 1);
    g_assert_cmpuint (taken.sizes[1], ==, 8);
    g_assert_cmpuint (taken.marks[2], ==, 3);
  }
}

static void
test_impossible (void)
{
  static const struct {
    guint16 size;
    guint written;
    gsize given_up;
  } cases[] = {
    { 0, 24, 24 }, { 7, 24, 24 }, { 32, 24, 24 }, { G_MAXUINT16, 48, 48 }, { 8, 4, 4 },
  };
  guint8 scratch[PEN_RING_RECORD_MAX];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint8 ring[SIZE] = { 0 };
    Taken taken = { 0 };
    guint64 second = put (ring, 56, 16, 7);

    memcpy (ring + second % SIZE + 6, &cases[i].size, sizeof cases[i].size);
    g_assert_cmpuint (
        pen_ring_take (ring, SIZE, 56, second + cases[i].written, scratch, take, &taken), ==,
        cases[i].given_up);
    g_assert_cmpuint (taken.n, ==, 1);
    g_assert_cmpuint (taken.marks[0], ==, 7);
  }
}

/* More than there is room for cannot have been written. */
static void
test_too_much (void)
{
  guint8 scratch[PEN_RING_RECORD_MAX];
  guint8 ring[SIZE] = { 0 };
  Taken taken = { 0 };

  g_assert_cmpuint (pen_ring_take (ring, SIZE, 8, 8 + SIZE + 1, scratch, take, &taken), ==,
                    SIZE + 1);
  g_assert_cmpuint (taken.n, ==, 0);
  g_assert_cmpuint (pen_ring_take (ring, SIZE, 8, 8, scratch, take, &taken), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/ring/wrapped", test_wrapped);
  g_test_add_func ("/record/ring/impossible", test_impossible);
  g_test_add_func ("/record/ring/too-much", test_too_much);
  return g_test_run ();
}
