/* pen-fuzz-history.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fuzz-history.h"

#include <string.h>

PenTestCapture *
pen_fuzz_make_history (void)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
  static const guint8 tag[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  static const char kallsyms[] = "ffffffff81000000 T _text\n"
                                 "ffffffff81000010 T vfs_read\n"
                                 "ffffffff81000040 T vfs_write\n"
                                 "ffffffffa0000000 t hda_init\t[snd_hda]\n";
  static const char modules[] = "snd_hda 16384 0 - Live 0xffffffffa0000000\n";
  const guint64 kernel = 0xffffffff81000000;
  const guint64 program = 0xffffffffc0000004;
  const guint32 length = 0x40;
  guint8 text[0x80];
  PenTestCapture *capture = pen_test_capture_new ();

  memset (text, 0x90, sizeof text);
  memcpy (text + 0x10, nop, sizeof nop);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, kernel, 0x100000, kernel,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_USER, 42, 42, 0x400000, 0x1000, 0, "/bin/worker");
  for (guint i = 0; i < 4; i++) {
    pen_test_capture_from (capture, 0);
    pen_test_capture_at (capture, 1000 * i + 500, 42, 42, i & 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, kernel + 0x10, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, program + 4, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_USER, 0x400010, 1);
    pen_test_capture_from (capture, 1);
    pen_test_capture_at (capture, 1000 * i + 700, 7, 7, 0);
    pen_test_capture_add_text_poke (capture, kernel + 0x10, i & 1 ? jump : nop, 5,
                                    i & 1 ? nop : jump, 5);
    pen_test_capture_add_ksymbol (capture, program, length, 1, i & 1, "bpf_prog_0102030405060708");
    pen_test_capture_add_bpf_event (capture, (guint16) (1 + (i & 1)), 33, tag);
  }
  pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, 0), 3);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_add_bpf_program (capture, 33, "x", tag, 0, &program, &length, 1, text, length);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, sizeof kallsyms - 1);
  pen_test_capture_add_kcore_file (capture, "modules", modules, sizeof modules - 1);
  pen_test_capture_add_kcore_segment (capture, kernel, text, sizeof text);
  return capture;
}
