/* generate-processes.c: writes a recording of processes that come and go, for measure-parts
 *
 * generate-processes PROCESSES FILE
 *
 * Some fifty processes start in each half second. The same number gives the same bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>

#include "process-story.h"

#define KERNEL 0xffffffff81000000u
#define TICK 2000000u
/* Half a second. */
#define STEPS 160u

int
main (int argc, char **argv)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (ProcessStory) story = process_story_new (1, 1000000, TICK, KERNEL + 0x1000, FALSE);
  g_autoptr (GError) error = NULL;

  if (argc != 3 || atoi (argv[1]) <= 0) {
    g_printerr ("generate-processes PROCESSES FILE\n");
    return 2;
  }
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0xe00000, KERNEL,
                             "[kernel.kallsyms]_text");
  while (process_story_count_started (story) < (guint64) atoi (argv[1]))
    process_story_go_on (story, capture, STEPS);
  if (pen_test_capture_write (capture, argv[2], PEN_TEST_CAPTURE_FILE, &error))
    return 0;
  g_printerr ("%s\n", error->message);
  return 1;
}
