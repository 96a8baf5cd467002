/* sourced-capture.c: a capture of a small kernel that was moved, and that kernel's file
 *
 * Usage: sourced-capture DIRECTORY
 *
 * Writes DIRECTORY/vmlinux and DIRECTORY/perf.data, and says the build-id that both have. Exit
 * status 77: there are no tools to make the kernel with.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>

#include "pen-test-capture.h"
#include "pen-test-kernel.h"

#define ID "a00102030405060708090a0b0c0d0e0f10111213"
#define TEXT (PEN_TEST_KERNEL_TEXT + 0x1a000000u)

static void
write_capture (const char *path)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  guint8 id[20] = { 0xa0 };

  for (guint8 i = 1; i < sizeof id; i++)
    id[i] = i;
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, PEN_TEST_KERNEL_END, TEXT,
                             "[kernel.kallsyms]_text");
  pen_test_capture_at (capture, 1000, 42, 42, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, TEXT + PEN_TEST_KERNEL_HOT + 0xb, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, TEXT + PEN_TEST_KERNEL_COLD, 1);
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 2000, 42, 42, 0);
  pen_test_capture_add_text_poke (capture, TEXT + PEN_TEST_KERNEL_JUMP,
                                  (const guint8 *) "\x0f\x1f\x44\x00\x00", 5,
                                  (const guint8 *) "\xe9\x1a\x00\x00\x00", 5);
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_KERNEL, id, sizeof id, "[kernel.kallsyms]");
  if (!pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_FILE, NULL))
    exit (1);
}

int
main (int argc, char **argv)
{
  g_autofree char *vmlinux = NULL;
  g_autofree char *capture = NULL;

  if (argc != 2)
    return 2;
  if (!pen_test_kernel_can_build ())
    return 77;

  vmlinux = g_build_filename (argv[1], "vmlinux", NULL);
  capture = g_build_filename (argv[1], "perf.data", NULL);
  pen_test_kernel_build (vmlinux, ID, FALSE);
  write_capture (capture);
  puts (ID);
  return 0;
}
