/* pen-test-samples.c: a capture with a record of every kind
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-samples.h"

#define KERNEL 0xffffffff81000000
#define BPF 0xffffffffc0000bfc

static const guint8 build_id[20]
    = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };
static const guint8 tag[8] = { 0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4 };
static const guint8 nop5[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 call5[5] = { 0xe8, 0x11, 0x22, 0x33, 0x44 };
static const guint8 stub[23] = { 0x55, 0x48, 0x89, 0xe5, 0xc3 };

const char *const pen_test_everything_lines[] = {
  "MMAP misc=1 time=0 -1/0 ffffffff81000000+e00000@ffffffff81000000 prot=0 flags=0 id= "
  "[kernel.kallsyms]_text",
  "MMAP2 misc=4001 time=0 -1/0 ffffffffc0201000+c000@0 prot=5 flags=2 "
  "id=0102030405060708090a0b0c0d0e0f1011121314 /lib/modules/6/virtio_ring.ko",
  "KSYMBOL misc=0 time=0 ffffffffc0000b00+96 type=1 flags=0 bpf_prog_aa",
  "COMM misc=0 time=0 1/1 init",
  "COMM misc=2000 time=1000 task=42/42 cpu=0 event=dummy:u 42/42 sh",
  "MMAP misc=2002 time=1010 task=42/42 cpu=0 event=dummy:u 42/42 7f0000000000+1000@0 prot=0 "
  "flags=0 id= /dev/zero",
  "MMAP2 misc=2 time=1020 task=42/42 cpu=0 event=dummy:u 42/42 400000+13000@4000 prot=5 flags=2 "
  "id= /usr/bin/dash",
  "FORK misc=0 time=1030 task=42/42 cpu=0 event=dummy:u 43<42 43<42",
  "SAMPLE misc=1 time=1040 task=42/42 cpu=0 event=cpu-clock address=ffffffff81000010 period=7",
  "SAMPLE misc=4002 time=1050 task=42/43 cpu=1 event=cpu-clock address=400100 period=8",
  "KSYMBOL misc=0 time=1060 task=42/43 cpu=1 event=dummy:u ffffffffc0000bfc+2619 type=1 flags=0 "
  "bpf_prog_deadbeef01020304_name",
  "BPF_EVENT misc=0 time=1070 task=42/43 cpu=1 event=dummy:u type=1 flags=0 id=17 "
  "tag=deadbeef01020304",
  "TEXT_POKE misc=1 time=1080 task=42/43 cpu=1 event=dummy:u ffffffff81000020 "
  "0f1f440000->e811223344",
  "TEXT_POKE misc=1 time=1090 task=42/43 cpu=1 event=dummy:u ffffffffc0300000 "
  "->554889e5c3000000000000000000000000000000000000",
  "TEXT_POKE misc=1 time=1100 task=42/43 cpu=1 event=dummy:u ffffffffc0300000 "
  "554889e5c3000000000000000000000000000000000000->",
  "LOST misc=0 time=1110 task=42/43 cpu=1 event=dummy:u 12 of 2001",
  "LOST_SAMPLES misc=8000 time=1120 task=42/43 cpu=1 event=dummy:u 5 of 0",
  "THROTTLE misc=0 time=1130 task=42/43 cpu=1 event=cpu-clock 1130 1001",
  "UNTHROTTLE misc=0 time=1140 task=42/43 cpu=1 event=cpu-clock 1140 1001",
  "KSYMBOL misc=0 time=1150 task=42/43 cpu=1 event=dummy:u ffffffffc0000bfc+2619 type=1 flags=1 "
  "bpf_prog_deadbeef01020304_name",
  "BPF_EVENT misc=0 time=1160 task=42/43 cpu=1 event=dummy:u type=2 flags=0 id=17 "
  "tag=deadbeef01020304",
  "SWITCH misc=2000 time=1170 task=42/43 cpu=1 event=dummy:u",
  "NAMESPACES misc=0 time=1180 task=42/43 cpu=1 event=dummy:u",
  "CGROUP misc=0 time=1190 task=42/43 cpu=1 event=dummy:u 0 /a",
  "SAMPLE misc=1 time=1200 task=-1/-1 cpu=3 event=cpu-clock address=ffffffffffffffff "
  "period=18446744073709551615",
  "EXIT misc=0 time=1210 task=43/43 cpu=3 event=dummy:u 43<42 43<42",
  NULL,
};

static void
add_initial_state (PenTestCapture *capture)
{
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0xe00000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap2 (capture, PEN_TEST_KERNEL, -1, 0, 0xffffffffc0201000, 0xc000, 0, 5, 2,
                              build_id, "/lib/modules/6/virtio_ring.ko");
  pen_test_capture_add_ksymbol (capture, 0xffffffffc0000b00, 96, 1, 0, "bpf_prog_aa");
  pen_test_capture_add_comm (capture, 1, 1, FALSE, "init");
  pen_test_capture_add_mark (capture, 82); /* FINISHED_INIT */
}

static void
add_processes_and_samples (PenTestCapture *capture, guint clock, guint dummy)
{
  pen_test_capture_from (capture, dummy);
  pen_test_capture_at (capture, 1000, 42, 42, 0);
  pen_test_capture_add_comm (capture, 42, 42, TRUE, "sh");
  pen_test_capture_at (capture, 1010, 42, 42, 0);
  pen_test_capture_add_mmap (capture, PEN_TEST_USER | 1u << 13, 42, 42, 0x7f0000000000, 0x1000, 0,
                             "/dev/zero");
  pen_test_capture_at (capture, 1020, 42, 42, 0);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 42, 42, 0x400000, 0x13000, 0x4000, 5, 2, NULL,
                              "/usr/bin/dash");
  pen_test_capture_at (capture, 1030, 42, 42, 0);
  pen_test_capture_add_fork (capture, 0, 43, 42, 43, 42);

  pen_test_capture_from (capture, clock);
  pen_test_capture_at (capture, 1040, 42, 42, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 0x10, 7);
  pen_test_capture_at (capture, 1050, 42, 43, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_USER | 1u << 14, 0x400100, 8);
}

static void
add_text_changes (PenTestCapture *capture, guint dummy)
{
  pen_test_capture_from (capture, dummy);
  pen_test_capture_at (capture, 1060, 42, 43, 1);
  pen_test_capture_add_ksymbol (capture, BPF, 2619, 1, 0, "bpf_prog_deadbeef01020304_name");
  pen_test_capture_at (capture, 1070, 42, 43, 1);
  pen_test_capture_add_bpf_event (capture, 1, 17, tag);
  pen_test_capture_at (capture, 1080, 42, 43, 1);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x20, nop5, 5, call5, 5);
  pen_test_capture_at (capture, 1090, 42, 43, 1);
  pen_test_capture_add_text_poke (capture, 0xffffffffc0300000, NULL, 0, stub, sizeof stub);
  pen_test_capture_at (capture, 1100, 42, 43, 1);
  pen_test_capture_add_text_poke (capture, 0xffffffffc0300000, stub, sizeof stub, NULL, 0);
  pen_test_capture_add_finished_round (capture);
}

static void
add_losses_and_ends (PenTestCapture *capture, guint clock, guint dummy)
{
  static const guint8 no_namespaces[16] = { 42, 0, 0, 0, 43, 0, 0, 0 };
  static const guint8 cgroup[16] = { 0, 0, 0, 0, 0, 0, 0, 0, '/', 'a', 0, 0, 0, 0, 0, 0 };

  pen_test_capture_at (capture, 1110, 42, 43, 1);
  pen_test_capture_add_lost (capture, pen_test_capture_get_id (dummy, 1), 12);
  pen_test_capture_at (capture, 1120, 42, 43, 1);
  pen_test_capture_add_lost_samples (capture, 1u << 15, 5);
  pen_test_capture_from (capture, clock);
  pen_test_capture_at (capture, 1130, 42, 43, 1);
  pen_test_capture_add_throttle (capture, FALSE);
  pen_test_capture_at (capture, 1140, 42, 43, 1);
  pen_test_capture_add_throttle (capture, TRUE);
  pen_test_capture_from (capture, dummy);
  pen_test_capture_at (capture, 1150, 42, 43, 1);
  pen_test_capture_add_ksymbol (capture, BPF, 2619, 1, 1, "bpf_prog_deadbeef01020304_name");
  pen_test_capture_at (capture, 1160, 42, 43, 1);
  pen_test_capture_add_bpf_event (capture, 2, 17, tag);
  pen_test_capture_at (capture, 1170, 42, 43, 1);
  pen_test_capture_add_raw (capture, 14, 1u << 13, NULL, 0, TRUE);
  pen_test_capture_at (capture, 1180, 42, 43, 1);
  pen_test_capture_add_raw (capture, 16, 0, no_namespaces, sizeof no_namespaces, TRUE);
  pen_test_capture_at (capture, 1190, 42, 43, 1);
  pen_test_capture_add_raw (capture, 19, 0, cgroup, sizeof cgroup, TRUE);
  pen_test_capture_from (capture, clock);
  pen_test_capture_at (capture, 1200, -1, -1, 3);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, G_MAXUINT64, G_MAXUINT64);
  pen_test_capture_from (capture, dummy);
  pen_test_capture_at (capture, 1210, 43, 43, 3);
  pen_test_capture_add_exit (capture, 43, 42, 43, 42);
  pen_test_capture_add_finished_round (capture);
}

static void
add_features (PenTestCapture *capture)
{
  static const char *const arguments[] = { "perf", "record", "-e", "a b", "--", "it's", NULL };
  static const guint64 addresses[2] = { 0xffffffffc0000bfc, 0xffffffffc0001c10 };
  static const guint32 lengths[2] = { 5, 6 };
  static const guint8 image[11] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

  pen_test_capture_set_os_release (capture, "6.1.0-test");
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_set_text (capture, 5, "6.1.176");
  pen_test_capture_set_text (capture, 8, "A processor");
  pen_test_capture_set_text (capture, 9, "Vendor,1,2,3");
  pen_test_capture_set_cpus (capture, 8, 4);
  pen_test_capture_set_total_memory (capture, 2970364);
  pen_test_capture_set_command_line (capture, arguments);
  pen_test_capture_set_clock (capture, 1, 1795188775619334000, 3534260498056, 1);
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_KERNEL, build_id, 20, "[kernel.kallsyms]");
  pen_test_capture_add_build_id (capture, 42, PEN_TEST_USER, build_id, 16, "/usr/bin/dash");
  pen_test_capture_add_bpf_program (capture, 17, "name", tag, 3, addresses, lengths, 2, image,
                                    sizeof image);
  pen_test_capture_add_bpf_program (capture, 18, "a_name_of_fifteen", tag, 0, addresses + 1,
                                    lengths, 1, image + 1, 5);
  pen_test_capture_add_btf (capture, 3, "\x9f\xeb\x01\x00", 4);
  pen_test_capture_add_kcore_file (capture, "kallsyms", "ffffffff81000000 T _text\n", 25);
}

PenTestCapture *
pen_test_make_everything (void)
{
  PenTestCapture *capture = pen_test_capture_new ();
  guint clock = pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  guint dummy = pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);

  add_features (capture);
  add_initial_state (capture);
  add_processes_and_samples (capture, clock, dummy);
  add_text_changes (capture, dummy);
  add_losses_and_ends (capture, clock, dummy);
  return capture;
}
