/* damaged-captures.c: captures with one thing wrong each
 *
 * Usage: damaged-captures DIRECTORY
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-capture.h"

#define MISC_BPF_DROPPED (1u << 15)
#define TYPE_MMAP 1
#define TYPE_UNKNOWN 60

typedef void (*AddFunc) (PenTestCapture *capture);

static void
add_nothing (PenTestCapture *capture G_GNUC_UNUSED)
{
}

static void
add_lost (PenTestCapture *capture)
{
  pen_test_capture_add_lost (capture, pen_test_capture_get_id (0, 0), 7);
}

static void
add_lost_samples (PenTestCapture *capture)
{
  pen_test_capture_add_lost_samples (capture, 0, 7);
}

static void
add_unwanted (PenTestCapture *capture)
{
  pen_test_capture_add_lost_samples (capture, MISC_BPF_DROPPED, 7);
}

/* A map that is too short to say what it maps. */
static void
add_short_record (PenTestCapture *capture)
{
  static const guint8 body[8] = { 0 };

  pen_test_capture_add_raw (capture, TYPE_MMAP, 0, body, sizeof body, FALSE);
}

static void
add_unknown_type (PenTestCapture *capture)
{
  static const guint8 body[16] = { 0 };

  pen_test_capture_add_raw (capture, TYPE_UNKNOWN, 0, body, sizeof body, FALSE);
}

static const struct {
  const char *name;
  AddFunc add;
  PenTestCaptureFlags flags;
} kinds[] = {
  { "clean", add_nothing, PEN_TEST_CAPTURE_FILE },
  { "repaired", add_nothing, PEN_TEST_CAPTURE_INFLATED },
  { "lost", add_lost, PEN_TEST_CAPTURE_FILE },
  { "lost-samples", add_lost_samples, PEN_TEST_CAPTURE_FILE },
  { "unwanted", add_unwanted, PEN_TEST_CAPTURE_FILE },
  { "set-aside", add_short_record, PEN_TEST_CAPTURE_FILE },
  { "unknown-type", add_unknown_type, PEN_TEST_CAPTURE_FILE },
  { "unterminated", add_nothing, PEN_TEST_CAPTURE_UNTERMINATED },
};

static PenTestCapture *
make_capture (AddFunc add)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x00, 0x00, 0x00, 0x00 };
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, 0xffffffff81000000ull, 0xe00000,
                             0xffffffff81000000ull, "[kernel.kallsyms]_text");
  pen_test_capture_at (capture, 1000, 7, 7, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000010ull, 1);
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 1500, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, 0xffffffff81000010ull, nop, 5, call, 5);
  add (capture);
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, 2000, 7, 7, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000010ull, 1);
  return capture;
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    return 2;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (PenTestCapture) capture = make_capture (kinds[i].add);
    g_autoptr (GError) error = NULL;
    g_autofree char *name = g_strconcat (kinds[i].name, ".data", NULL);
    g_autofree char *path = g_build_filename (argv[1], name, NULL);

    if (!pen_test_capture_write (capture, path, kinds[i].flags, &error)) {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  }
  return 0;
}
