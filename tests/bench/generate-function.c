/* generate-function.c: a recording of one long function, for measurements
 *
 * generate-function INSTRUCTIONS PATCHED DIRECTORY
 *
 * A perf.data directory with a function of so many instructions, of which the @PATCHED first ones
 * at equal distances were patched once, and samples of all of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "pen-test-capture.h"

#define TEXT G_GUINT64_CONSTANT (0xffffffff81000000)
#define FUNCTION (TEXT + 0x1000)
#define SECOND G_GUINT64_CONSTANT (1000000000)
#define SAMPLES 20000
#define LENGTH 5u /* of an instruction */
#define SHORT 60u /* instructions of the function after it */

static const guint8 nop[LENGTH] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 call[LENGTH] = { 0xe8, 0x10, 0x20, 0x30, 0x00 };

static void
add_kernel (PenTestCapture *capture, guint n)
{
  gsize size = (gsize) (n + SHORT) * LENGTH;
  g_autofree guint8 *bytes = g_malloc (size);
  g_autofree char *kallsyms = g_strdup_printf (
      "%" G_GINT64_MODIFIER "x T _text\n%" G_GINT64_MODIFIER "x T long_function\n"
      "%" G_GINT64_MODIFIER "x T next_function\n%" G_GINT64_MODIFIER "x T _etext\n",
      TEXT, FUNCTION, FUNCTION + (guint64) n * LENGTH, FUNCTION + size);

  for (guint i = 0; i < n + SHORT; i++)
    memcpy (bytes + (gsize) i * LENGTH, nop, LENGTH);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  pen_test_capture_add_kcore_segment (capture, FUNCTION, bytes, size);
}

int
main (int argc, char **argv)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GError) error = NULL;
  guint64 n, patched;

  if (argc != 4 || !g_ascii_string_to_unsigned (argv[1], 10, 1, 1000000, &n, &error)
      || !g_ascii_string_to_unsigned (argv[2], 10, 1, n, &patched, &error)) {
    g_printerr ("usage: generate-function INSTRUCTIONS PATCHED DIRECTORY\n");
    return 2;
  }
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, 0xe00000, TEXT,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "worker");
  add_kernel (capture, (guint) n);
  for (guint i = 0; i < SAMPLES; i++) {
    pen_test_capture_at (capture, 100 * SECOND + i * (10 * SECOND / SAMPLES), 42, 42,
                         i % PEN_TEST_CPUS);
    for (guint64 k = i * patched / SAMPLES; k < (i + 1) * patched / SAMPLES; k++)
      pen_test_capture_add_text_poke (capture, FUNCTION + k * (n / patched) * LENGTH, nop, LENGTH,
                                      call, LENGTH);
    /* Some in the function after it, so that there is another one to choose. */
    pen_test_capture_add_sample (
        capture, PEN_TEST_KERNEL,
        FUNCTION + (guint64) g_rand_int_range (rand, 0, (gint32) (n + SHORT)) * LENGTH, 1);
  }
  if (!pen_test_capture_write (capture, argv[3], PEN_TEST_CAPTURE_DIRECTORY, &error)) {
    g_printerr ("generate-function: %s\n", error->message);
    return 1;
  }
  return 0;
}
