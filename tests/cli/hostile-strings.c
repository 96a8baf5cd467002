/* hostile-strings.c: writes a capture whose strings try to do something to who reads them
 *
 * Usage: hostile-strings PATH
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-capture.h"

#define ESCAPE "\033[31m"
#define TITLE "\033]0;mine\007"
#define RIGHT_TO_LEFT "\342\200\256"
#define ISOLATE "\342\201\246"
#define C1_CSI "\302\2332J"
#define NOT_UTF8 "\377\376\300\257"
#define SURROGATE "\355\240\200"

#define HOSTNAME 3
#define CPU_DESCRIPTION 8

static const char *const comms[] = {
  ESCAPE "red",     "=1+1",         RIGHT_TO_LEFT "moc.exe",
  NOT_UTF8,         "new\nline",    "'quoted",
  "@SUM(A1)",       "\t-tab",       C1_CSI,
  "-2+3",           "a;b\\c",       "x\r\ny,\"z\"",
  SURROGATE "half", ISOLATE "flip", "+\b\b\bback",
};

static const char *const files[] = {
  "/tmp/" TITLE "/x",
  "/tmp/a\nb",
  "/" RIGHT_TO_LEFT "os.bil",
  "/bad" NOT_UTF8 ".so",
  "=HYPERLINK(\"http://example.org\",\"x\")",
  "-danger",
  "/semi;colon,comma\"quote\\",
  "/" C1_CSI,
};

static void
add_map (PenTestCapture *capture, gint32 pid, guint file)
{
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, pid, pid, 0x400000 + file * 0x1000, 0x1000, 0,
                              5, 0, NULL, files[file]);
}

static void
add_tasks (PenTestCapture *capture)
{
  for (guint i = 0; i < G_N_ELEMENTS (comms); i++) {
    pen_test_capture_add_comm (capture, (gint32) (100 + i), (gint32) (100 + i), TRUE, comms[i]);
    add_map (capture, (gint32) (100 + i), i % G_N_ELEMENTS (files));
  }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    add_map (capture, 100, i);
}

static void
add_story (PenTestCapture *capture)
{
  const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  const guint8 call[] = { 0xe8, 0x00, 0x00, 0x00, 0x00 };
  guint64 time = 1000;

  for (guint i = 0; i < G_N_ELEMENTS (comms); i++) {
    guint64 chain[] = { 0xffffffffffffff80ull, 0xffffffffc0001000ull, 0xfffffffffffffe00ull,
                        0x400010 + i % G_N_ELEMENTS (files) * 0x1000 };

    pen_test_capture_at (capture, time++, (gint32) (100 + i), (gint32) (100 + i), 0);
    pen_test_capture_add_ksymbol (capture, 0xffffffffc0001000ull + i * 0x40, 0x40, 1, 0, comms[i]);
    pen_test_capture_add_text_poke (capture, 0xffffffffc0001000ull + i * 0x40, nop, 5, call, 5);
    pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL,
                                                0xffffffffc0001000ull + i * 0x40, 1, chain, 4);
  }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    pen_test_capture_at (capture, time++, 100, 100, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_USER, 0x400010 + i * 0x1000, 1);
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GError) error = NULL;
  const char *const command[] = { "perf",        "record", "--" ESCAPE, "=cmd|' /C calc'!A0",
                                  RIGHT_TO_LEFT, NOT_UTF8, "a\nb",      NULL };
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  if (argc != 2)
    return 2;
  event.name = "=clock" ESCAPE "\n" NOT_UTF8;
  event.sample_type |= 1u << 5; /* PERF_SAMPLE_CALLCHAIN */
  pen_test_capture_add_event (capture, &event);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, 0xffffffff81000000ull, 0xe00000,
                             0xffffffff81000000ull, "[kernel.kallsyms]_text");
  add_tasks (capture);
  add_story (capture);
  pen_test_capture_set_text (capture, HOSTNAME, ESCAPE "host\nname" NOT_UTF8);
  pen_test_capture_set_text (capture, CPU_DESCRIPTION, "@cpu" RIGHT_TO_LEFT);
  pen_test_capture_set_os_release (capture, "=6.1" TITLE);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_set_command_line (capture, command);
  if (pen_test_capture_write (capture, argv[1], PEN_TEST_CAPTURE_FILE, &error))
    return 0;
  g_printerr ("%s\n", error->message);
  return 1;
}
