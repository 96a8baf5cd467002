/* test-find.c: what is typed or pasted, and who it was: from tables, and against every occupant
 * looked at one by one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "query-fixture.h"

#include "pen-filter-choices.h"
#include "pen-pasted-trace.h"
#include "pen-query-find.h"
#include "pen-store-occupants.h"

/* ---- parsing ---- */

#define NO_OFFSET G_MAXUINT64

typedef struct {
  const char *text;
  const char *symbol;
  guint64 offset;
  guint64 size;
  guint64 address;
  const char *owner;
} Written;

/* clang-format off */
static const Written lines[] = {
  { "vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "  vfs_read+0x1c/0x310 [xfs]", "vfs_read", 0x1c, 0x310, 0, "xfs" },
  { "foo+0x1/0x2 [xfs 12ab34cd12ab34cd]", "foo", 1, 2, 0, "xfs" },
  { "foo+0x1/0x2 [kernel]", "foo", 1, 2, 0, NULL },
  { "RIP: 0010:vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "RIP: 0010:[<ffffffff81234567>]  [<ffffffff81234567>] vfs_read+0x1c/0x310",
    "vfs_read", 0x1c, 0x310, 0xffffffff81234567, NULL },
  { "RIP: 0010:0xffffffffc0000c10", NULL, NO_OFFSET, 0, 0xffffffffc0000c10, NULL },
  { " [<ffffffff81234567>] ? vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0xffffffff81234567, NULL },
  { "[<ffffffff81234567>]", NULL, NO_OFFSET, 0, 0xffffffff81234567, NULL },
  { " [<ffffffffc0000c10>] 0xffffffffc0000c10", NULL, NO_OFFSET, 0, 0xffffffffc0000c10, NULL },
  { "[<0>] do_wait+0x1/0x2", "do_wait", 1, 2, 0, NULL },
  { "0xffffffff81234567", NULL, NO_OFFSET, 0, 0xffffffff81234567, NULL },
  { "ffffffff81234567", NULL, NO_OFFSET, 0, 0xffffffff81234567, NULL },
  { "ffff800008012345", NULL, NO_OFFSET, 0, 0xffff800008012345, NULL },
  { "[  123.456789]  ? vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "<4>[  123.456789][  T132] vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "[Sun Nov 22 16:47:36 2026]  vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "2026-11-22T16:47:36,123456+00:00  vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "Nov 22 16:47:36 host kernel: [  1.000000]  vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "Nov 22 16:47:36 host kernel:  vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "pc : foo+0x10/0x40", "foo", 0x10, 0x40, 0, NULL },
  { "lr : foo.isra.0+0x10/0x40 [mod]", "foo.isra.0", 0x10, 0x40, 0, "mod" },
  { "PC is at foo+0x10/0x40", "foo", 0x10, 0x40, 0, NULL },
  { "pc : [<ffff800008012345>]", NULL, NO_OFFSET, 0, 0xffff800008012345, NULL },
  { " => vfs_read", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { " => 0xffffffffc0000c10", NULL, NO_OFFSET, 0, 0xffffffffc0000c10, NULL },
  { "\tffffffff8134cc6c vfs_read+0x1c ([kernel.kallsyms])", "vfs_read", 0x1c, 0, 0xffffffff8134cc6c, NULL },
  { "\tffffffffc0000c10 bpf_prog_8a80def6a098fcba_raw_a+0x24 (bpf_prog_8a80def6a098fcba_raw_a)",
    "bpf_prog_8a80def6a098fcba_raw_a", 0x24, 0, 0xffffffffc0000c10, "bpf_prog_8a80def6a098fcba_raw_a" },
  { "\tffffffffc0123456 xfs_read+0x6 (/lib/modules/6.1.0/kernel/fs/xfs/xfs.ko)", "xfs_read", 6, 0,
    0xffffffffc0123456, "xfs" },
  { "  ffffffff8134cc50 vfs_read ([kernel.kallsyms])", "vfs_read", NO_OFFSET, 0, 0xffffffff8134cc50, NULL },
  { "    7f1c2a0b1e8e __libc_read+0xe (/usr/lib/libc.so.6)", "__libc_read", 0xe, 0, 0x7f1c2a0b1e8e,
    "/usr/lib/libc.so.6" },
  { "    7f1c2a0b1e8e std::vector<int>::at(int)+0x4 (/usr/bin/a)", "std::vector<int>::at(int)", 4, 0,
    0x7f1c2a0b1e8e, "/usr/bin/a" },
  { "    vfs_read+28", "vfs_read", 28, 0, 0, NULL },
  { " #3 [ffffc90000123e00] vfs_read at ffffffff8134cc6c", "vfs_read", NO_OFFSET, 0, 0xffffffff8134cc6c, NULL },
  { " #3 [ffffc90000123e00] vfs_read+28 at ffffffff8134cc6c", "vfs_read", 28, 0, 0xffffffff8134cc6c, NULL },
  { "    [ffffc90000123e00] xfs_read at ffffffffc0123456 [xfs]", "xfs_read", NO_OFFSET, 0, 0xffffffffc0123456, "xfs" },
  { "    [exception RIP: vfs_read+28]", "vfs_read", 28, 0, 0, NULL },
  { "    RIP: ffffffff8134cc6c  RSP: ffffc90000123e00  RFLAGS: 00010246", NULL, NO_OFFSET, 0, 0xffffffff8134cc6c, NULL },
  { "ffffffff8134cc6c (T) vfs_read+28 /src/fs/read_write.c: 468", "vfs_read", 28, 0, 0xffffffff8134cc6c, NULL },
  { " => ksys_read <ffffffff8134d81f>", "ksys_read", NO_OFFSET, 0, 0xffffffff8134d81f, NULL },
  { " => ksys_read+0x5f/0xe0 <ffffffff8134d81f>", "ksys_read", 0x5f, 0xe0, 0xffffffff8134d81f, NULL },
  { "=> ksys_read (ffffffff8134d81f)", "ksys_read", NO_OFFSET, 0, 0xffffffff8134d81f, NULL },
  { " =>  <00007f1c2a0b1e8e>", NULL, NO_OFFSET, 0, 0x7f1c2a0b1e8e, NULL },
  { "vfs_read <ffffffff8134cc6c>", "vfs_read", NO_OFFSET, 0, 0xffffffff8134cc6c, NULL },
  { "  1)   0.456 us    |    vfs_read();", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { "  1)               |  ksys_read() {", "ksys_read", NO_OFFSET, 0, 0, NULL },
  { "  2)     2928     224   vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
  { " myretprobe: (ksys_read+0x5f/0xe0 <- vfs_read)", "ksys_read", 0x5f, 0xe0, 0, NULL },
  { " vfs_read (fs/read_write.c:468)", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { "[    5.1] ? vfs_read (include/linux/fs.h:12 fs/read_write.c:468 (discriminator 3))", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { "RIP: 0010:vfs_read (fs/read_write.c:468)", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { " xfs_read (fs/xfs/xfs_file.c:12) xfs", "xfs_read", NO_OFFSET, 0, 0, "xfs" },
  { " xfs_read (fs/xfs/xfs_file.c:12) [xfs 12ab34cd]", "xfs_read", NO_OFFSET, 0, 0, "xfs" },
  { " raw_read (??:?)", "raw_read", NO_OFFSET, 0, 0, NULL },
  { " call_read fs/read_write.c:468 [inline]", "call_read", NO_OFFSET, 0, 0, NULL },
  { " vfs_read+0x1c/0x310 fs/read_write.c:468", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "#0  vfs_read (fs/read_write.c:468:6)", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { "#5 at 0xffffffff8134cc6c (vfs_read+0x1c/0x310) in vfs_read at fs/read_write.c:468:6", "vfs_read", 0x1c, 0x310,
    0xffffffff8134cc6c, NULL },
  { "#0  0xffffffff8134cc6c in vfs_read (file=0xffff888003c0d000, buf=0x7f <a>) at fs/read_write.c:468", "vfs_read",
    NO_OFFSET, 0, 0xffffffff8134cc6c, NULL },
  { "#3  0xffffffff8134d81f in ksys_read ()", "ksys_read", NO_OFFSET, 0, 0xffffffff8134d81f, NULL },
  { "#4  0xffffffffc0000c10 in ?? ()", NULL, NO_OFFSET, 0, 0xffffffffc0000c10, NULL },
  { "#1  vfs_read (file=0xffff888003c0d000) at fs/read_write.c:468", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { "0xffffffff8134cc6c is in vfs_read (fs/read_write.c:468).", "vfs_read", NO_OFFSET, 0, 0xffffffff8134cc6c, NULL },
  { "=> 0xffffffff8134cc6c <vfs_read+28>:\tcall   0xffffffff81060000", "vfs_read", 28, 0, 0xffffffff8134cc6c, NULL },
  { "vfs_read + 28 in section .text", "vfs_read", 28, 0, 0, NULL },
  { "ffffffff8134cc50 T vfs_read", "vfs_read", NO_OFFSET, 0, 0xffffffff8134cc50, NULL },
  { "ffffffffc0123456 t xfs_read\t[xfs]", "xfs_read", NO_OFFSET, 0, 0xffffffffc0123456, "xfs" },
  { "\tffffffff8134cc6c vfs_read", "vfs_read", NO_OFFSET, 0, 0xffffffff8134cc6c, NULL },
  { "sh   132 [000]  5.844816:     250000 cycles:  ffffffff8134cc6c vfs_read ([kernel.kallsyms])", "vfs_read",
    NO_OFFSET, 0, 0xffffffff8134cc6c, NULL },
  { "sh   132 [000]  5.844816:     250000 cycles:ppp:      7f1c2a0b1e8e read (/usr/lib/libc.so.6)", "read", NO_OFFSET, 0,
    0x7f1c2a0b1e8e, "/usr/lib/libc.so.6" },
  { "    31.25%     0.00%  sh       [kernel.kallsyms]  [k] vfs_read", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { "            |--60.00%--ksys_read", "ksys_read", NO_OFFSET, 0, 0, NULL },
  { "            ---entry_SYSCALL_64_after_hwframe", "entry_SYSCALL_64_after_hwframe", NO_OFFSET, 0, 0, NULL },
  { "            |          vfs_read", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { "    finish_task_switch.isra.0", "finish_task_switch.isra.0", NO_OFFSET, 0, 0, NULL },
  { "    vfs_read_[k]", "vfs_read", NO_OFFSET, 0, 0, NULL },
  { "NMI backtrace for cpu 1 skipped: idling at default_idle+0xb/0x10", "default_idle", 0xb, 0x10, 0, NULL },
  { "NMI backtrace for cpu 1 skipped: idling at pc 0xffffffff8134cc6c", NULL, NO_OFFSET, 0, 0xffffffff8134cc6c, NULL },
  { " <NMI>  [<ffffffff81234567>] ? vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0xffffffff81234567, NULL },
  { " <NMI>  [<ffffffffc0000c10>]", NULL, NO_OFFSET, 0, 0xffffffffc0000c10, NULL },
  { " <<EOE>>  <IRQ>  [<ffffffffc0000c10>] 0xffffffffc0000c10", NULL, NO_OFFSET, 0, 0xffffffffc0000c10, NULL },
  { " vfs_read+0x1c/0x310 (P)", "vfs_read", 0x1c, 0x310, 0, NULL },
  { "[c000000001a3bd30] [c000000000123456] foo+0x10/0x40 (unreliable)", "foo", 0x10, 0x40, 0xc000000000123456, NULL },
  { "pc : [<ffff800008012345>] lr : [<ffff800008012399>] pstate: 60000145", NULL, NO_OFFSET, 0, 0xffff800008012345, NULL },
  { "BUG: KASAN: use-after-free in xfs_read+0x1c/0x310 [xfs]", "xfs_read", 0x1c, 0x310, 0, "xfs" },
  { " #0: ffff888003c0d000 (&p->lock){+.+.}-{3:3}, at: seq_read_iter+0x56/0x410", "seq_read_iter", 0x56, 0x410, 0, NULL },
  { "hardirqs last  enabled at (1234): [<ffffffff8134cc6c>] vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310,
    0xffffffff8134cc6c, NULL },
  { " 0xffffffff8134cc6c : vfs_read+0x1c/0x310 [kernel]", "vfs_read", 0x1c, 0x310, 0xffffffff8134cc6c, NULL },
  { "WARNING: CPU: 0 PID: 1 at kernel/foo.c:12 foo+0x10/0x40", "foo", 0x10, 0x40, 0, NULL },
  { "NIP [c000000000123456] foo+0x10/0x40", "foo", 0x10, 0x40, 0xc000000000123456, NULL },
  { "> [    1.000000] vfs_read+0x1c/0x310", "vfs_read", 0x1c, 0x310, 0, NULL },
};

/* Lines of an oops that are no place. */
static const char *const others[] = {
  "[  123.456789] Call Trace:",
  " <TASK>",
  "Modules linked in: xfs(E) loop(E)",
  "Code: 48 8b 04 25 28 00 00 00 48 89 45 f8 31 c0 <0f> 0b",
  "RSP: 0018:ffffc90000123e00 EFLAGS: 00010246",
  "RAX: 0000000000000000 RBX: ffff888003c0d000 RCX: 0000000000000001",
  "CR2: ffffffffc0000c10 CR3: 0000000004a1a000 CR4: 00000000000006f0",
  " ffff88003c0d3e58 ffffffff8116d9b1 ffff88003c0d3f18 0000000000000000",
  "CPU: 1 PID: 132 Comm: sh Not tainted 6.1.0-13-amd64 #1  Debian 6.1.55-1+deb12u1",
  "---[ end trace 0000000000000000 ]---",
  "------------[ cut here ]------------",
  " ffff888003c0d000: fb fb fb fb fb fb fb fb fb fb fb fb fb fb fb fb",
  ">ffff888003c0d080: fa fb fb fb fb fb fb fb fb fb fb fb fb fb fb fb",
  "ffff888003c0d000:  0000000000000000 ffffffff8134cc6c   ........l.4.....",
  "ffff888003c0d000: ffffffff8134cc6c",
  "Read of size 8 at addr ffff888003c0d000 by task sh/132",
  "sh/132 is trying to acquire lock:",
  "ffff888003c0d000 (&p->lock){+.+.}-{3:3}",
  "-> #1 (&p->lock){+.+.}-{3:3}:",
  "INFO: task sh:132 blocked for more than 120 seconds.",
  "task:sh              state:D stack:    0 pid:  132 ppid:     1 flags:0x00004000",
  "kernel BUG at fs/read_write.c:468!",
  "GS:  0000000000000000(0000) GS:ffff88813bc00000(0000) knlGS:0000000000000000",
  "Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.16.2-debian-1.16.2-1 04/01/2014",
  "Kernel Offset: 0x1000000 from 0xffffffff81000000 (relocation range: 0xffffffff80000000-0xffffffffbfffffff)",
  " </NMI>",
  "    /src/fs/read_write.c: 468",
  "Tainted", "a <- b", ";", ";; 1", "  a;", " <-", "x <-", "--%--", "---", "( 0x1", "a (.:1",
  "x29: ffff80000a5dbc30 x28: ffff0000c1b58000 x27: 0000000000000000",
  "", "   ", "+", "+0x1", "?", "=>", "[<", "[<>]", "[", "a+0x/0x", "0x", "#", "RIP:", "a+99999999999999999999",
};
/* clang-format on */

static void
test_lines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    g_autofree char *text = g_strdup_printf ("\n%s\n", lines[i].text);
    g_autoptr (PenPastedTrace) trace = pen_pasted_trace_new (text);
    const PenPastedPlace *place;

    g_test_message ("%s", lines[i].text);
    g_assert_cmpuint (trace->places->len, ==, 1);
    place = trace->places->pdata[0];
    g_assert_cmpuint (place->line, ==, 2);
    g_assert_cmpstr (place->symbol, ==, lines[i].symbol);
    g_assert_cmpint (place->has_offset, ==, lines[i].offset != NO_OFFSET);
    if (place->has_offset)
      g_assert_cmphex (place->offset, ==, lines[i].offset);
    g_assert_cmphex (place->has_size ? place->size : 0, ==, lines[i].size);
    g_assert_cmphex (place->has_address ? place->address : 0, ==, lines[i].address);
    g_assert_cmpstr (place->owner, ==, lines[i].owner);
  }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autoptr (PenPastedTrace) trace = pen_pasted_trace_new (others[i]);

    g_test_message ("“%s”", others[i]);
    g_assert_cmpuint (trace->places->len, ==, 0);
  }
}

static void
test_marks (void)
{
  g_autoptr (PenPastedTrace) trace = pen_pasted_trace_new ("[    5.250000] BUG: soft lockup\n"
                                                           "[    5.300000]  ? alpha+0x1/0x40\n"
                                                           "RIP: 0033:0x7f1c2a0b1e8e\n"
                                                           "\t401234 main+0x4 (/usr/bin/a)\n");
  const PenPastedPlace *const *places = (const PenPastedPlace *const *) trace->places->pdata;
  g_autoptr (PenPastedTrace) perf
      = pen_pasted_trace_new ("sh   132 [000]  5.844816:     250000 cycles:ppp: \n\t1234\n");

  g_assert_cmpuint (trace->places->len, ==, 3);
  g_assert_true (trace->has_time);
  g_assert_cmpuint (trace->time, ==, 5250000000u);
  g_assert_true (places[0]->is_unreliable);
  g_assert_false (places[0]->is_user);
  g_assert_true (places[1]->is_user);
  g_assert_true (places[2]->is_user);
  g_assert_cmpstr (places[0]->text, ==, "? alpha+0x1/0x40");
  g_assert_true (perf->has_time);
  g_assert_cmpuint (perf->time, ==, 5844816000u);

  g_assert_true (pen_find_is_trace ("a\n\nb"));
  g_assert_false (pen_find_is_trace ("\n a \n\n"));
  g_assert_false (pen_find_is_trace (""));
}

static void
test_typed_place (void)
{
  g_autoptr (PenPastedPlace) name = pen_pasted_place_new (" vfs_read ");
  g_autoptr (PenPastedPlace) address = pen_pasted_place_new ("0x400123");
  g_autoptr (PenPastedPlace) traced = pen_pasted_place_new ("vfs_read <ffffffff8134cc6c>");
  g_autoptr (PenPastedPlace) two = pen_pasted_place_new ("two words");

  g_assert_cmpstr (name->symbol, ==, "vfs_read");
  g_assert_cmphex (address->address, ==, 0x400123);
  g_assert_cmpstr (traced->symbol, ==, "vfs_read");
  g_assert_cmphex (traced->address, ==, 0xffffffff8134cc6c);
  g_assert_null (two);
}

static void
test_limits (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (PenPastedTrace) trace = NULL;
  g_autoptr (PenPastedTrace) odd = NULL;

  for (guint i = 0; i < PEN_PASTED_PLACES_MAX + 10; i++)
    g_string_append_printf (text, "f+0x%x/0x4000\n", i);
  trace = pen_pasted_trace_new (text->str);
  g_assert_cmpuint (trace->places->len, ==, PEN_PASTED_PLACES_MAX);
  g_assert_true (trace->is_cut);
  g_string_truncate (text, 0);
  for (guint i = 0; i < 200000; i++)
    g_string_append (text, "a+");
  odd = pen_pasted_trace_new (text->str);
  g_assert_cmpuint (odd->places->len, ==, 0);
}

static void
assert_places (const char *text, const char *const *symbols)
{
  g_autoptr (PenPastedTrace) trace = pen_pasted_trace_new (text);

  g_test_message ("%s", text);
  g_assert_cmpuint (trace->places->len, ==, g_strv_length ((char **) symbols));
  for (guint i = 0; i < trace->places->len; i++)
    g_assert_cmpstr (((PenPastedPlace *) trace->places->pdata[i])->symbol, ==, symbols[i]);
}

/* Several in a line. */
static void
test_lists (void)
{
  static const char *const call[] = { "vfs_read", "ksys_read", NULL };
  static const char *const folded[] = { "entry_SYSCALL_64", "ksys_read", "vfs_read", NULL };
  g_autoptr (PenPastedTrace) trace
      = pen_pasted_trace_new ("  sh-132 [000] d..1.  5.844816: vfs_read <ffffffff8134cc50> "
                              "<-ksys_read <ffffffff8134d81f>\n");

  assert_places ("  sh-132     [000] .....     5.844816: vfs_read <-ksys_read\n", call);
  assert_places ("sh-132 [000] d..1.  5.844816: vfs_read+0x4/0x310 <-ksys_read+0x5f/0xe0\n", call);
  assert_places ("sh;entry_SYSCALL_64;ksys_read;vfs_read 12\n", folded);
  assert_places ("a b;entry_SYSCALL_64_[k];ksys_read_[k];vfs_read_[k] 12\n", folded);
  g_assert_true (trace->has_time);
  g_assert_cmpuint (trace->time, ==, 5844816000u);
  g_assert_cmphex (((PenPastedPlace *) trace->places->pdata[0])->address, ==, 0xffffffff8134cc50);
  g_assert_cmphex (((PenPastedPlace *) trace->places->pdata[1])->address, ==, 0xffffffff8134d81f);
}

/* ---- answers, by hand ---- */

static PenFound *
find (QueryFixture *fixture, const char *text, guint64 time)
{
  g_autoptr (GError) error = NULL;
  PenFound *found = pen_query_find (fixture->query, text, pen_moment (time, G_MAXUINT64), &error);

  g_assert_no_error (error);
  return found;
}

static const PenFoundRow *
get (const PenFound *found, guint i)
{
  g_assert_cmpuint (i, <, found->rows->len);
  return &g_array_index (found->rows, PenFoundRow, i);
}

static void
test_address (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFound) found = find (fixture, "ffffffffc0001002", 1600);
  const PenFoundRow *row = get (found, 0);

  /* Then A, before and between the module, later B. */
  g_assert_cmpuint (found->rows->len, ==, 4);
  g_assert_cmpint (row->when, ==, PEN_FOUND_THEN);
  g_assert_cmpstr (row->name, ==, "bpf_prog_a");
  g_assert_cmphex (row->offset, ==, 2);
  g_assert_cmpuint (row->bpf_id, ==, 1);
  g_assert_cmpuint (row->from.time, ==, 1500);
  g_assert_cmpuint (row->to.time, ==, 3000);
  g_assert_cmpint (get (found, 1)->when, ==, PEN_FOUND_BEFORE);
  g_assert_cmpstr (get (found, 1)->occupant, ==, "[m]");
  g_assert_cmpint (get (found, 2)->when, ==, PEN_FOUND_AFTER);
  g_assert_cmpstr (get (found, 2)->occupant, ==, "[m]");
  g_assert_cmpstr (get (found, 3)->name, ==, "bpf_prog_b");
  g_assert_cmphex (get (found, 3)->offset, ==, 10);
}

static void
test_symbol (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFound) right = find (fixture, "alpha+0x5/0x40", 2000);
  g_autoptr (PenFound) traced = find (fixture, " => bpf_prog_a <ffffffffc0001002>", 1600);
  g_autoptr (PenFound) longer = find (fixture, "alpha+0x5/0x50", 2000);
  g_autoptr (PenFound) past = find (fixture, "alpha+0x500/0x510", 2000);
  g_autoptr (PenFound) end = find (fixture, "alpha+0x40/0x40", 2000);
  g_autoptr (PenFound) gone = find (fixture, "bpf_prog_a+0x5/0x20", 4000);
  g_autoptr (PenFound) none = find (fixture, "gamma+0x5/0x20", 4000);

  /* The address is the place, not the name's beginning. */
  g_assert_cmphex (get (traced, 0)->address, ==, 0xffffffffc0001002);
  g_assert_cmpstr (get (traced, 0)->name, ==, "bpf_prog_a");
  g_assert_cmphex (get (traced, 0)->offset, ==, 2);
  g_assert_cmpint (get (traced, 0)->remark, ==, PEN_REMARK_NONE);
  g_assert_cmphex (get (right, 0)->address, ==, ALPHA + 5);
  g_assert_cmpint (get (right, 0)->remark, ==, PEN_REMARK_NONE);
  g_assert_cmpuint (get (right, 0)->samples, >, 0);
  g_assert_cmpint (get (longer, 0)->remark, ==, PEN_REMARK_LENGTH);
  g_assert_cmphex (get (longer, 0)->stated, ==, 0x50);
  g_assert_cmphex (get (longer, 0)->length, ==, 0x40);
  g_assert_cmpint (get (past, 0)->remark, ==, PEN_REMARK_PAST_END);
  /* A call that was the last of its function returns to the next one. */
  g_assert_cmpstr (get (end, 0)->name, ==, "alpha");
  g_assert_cmphex (get (end, 0)->address, ==, BETA);
  g_assert_cmpint (get (gone, 0)->remark, ==, PEN_REMARK_NOT_THEN);
  g_assert_cmpuint (get (gone, 0)->tenure, ==, 0);
  g_assert_cmpint (get (gone, 1)->when, ==, PEN_FOUND_BEFORE);
  g_assert_cmphex (get (gone, 1)->address, ==, A + 5);
  g_assert_cmpint (get (none, 0)->remark, ==, PEN_REMARK_NO_NAME);
  g_assert_cmpuint (none->rows->len, ==, 1);
}

static void
test_trace (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFound) found = find (fixture,
                                     "[    0.000003] RIP: 0010:bpf_prog_a+0x5/0x20\n"
                                     "[    0.000003] Call Trace:\n"
                                     "[    0.000003]  [<ffffffffc0001002>] beta+0x1/0x2\n"
                                     "[    0.000003]  ? alpha+0x1/0x40\n"
                                     "[    0.000003] RIP: 0033:0x7f1c2a0b1e8e\n",
                                     1600);

  g_assert_true (found->is_trace);
  g_assert_true (found->has_time);
  g_assert_cmpuint (found->places->len, ==, 4);
  g_assert_cmpstr (get (found, 0)->name, ==, "bpf_prog_a");
  g_assert_cmpuint (get (found, 0)->place, ==, 0);
  for (guint i = 0; i < found->rows->len; i++) {
    const PenFoundRow *row = get (found, i);

    if (row->when != PEN_FOUND_THEN)
      continue;
    if (row->place == 1)
      g_assert_cmpint (row->remark, ==, PEN_REMARK_NAME);
    if (row->place == 2)
      g_assert_cmphex (row->address, ==, ALPHA + 1);
    if (row->place == 3)
      g_assert_cmpint (row->remark, ==, PEN_REMARK_USER_SPACE);
  }
  g_assert_true (g_array_index (found->places, PenFoundPlace, 2).is_unreliable);
}

static void
assert_first (QueryFixture *fixture, const char *text, PenFoundKind found, const char *name)
{
  g_autoptr (PenFound) answer = find (fixture, text, 2000);

  g_test_message ("%s", text);
  for (guint i = 0; i < answer->rows->len; i++) {
    if (get (answer, i)->found == found) {
      g_assert_cmpstr (get (answer, i)->name, ==, name);
      return;
    }
  }
  g_assert_not_reached ();
}

static void
test_names (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFound) id = find (fixture, "bpf:2", 2000);
  g_autoptr (PenFound) time = find (fixture, "50%", 2000);

  assert_first (fixture, "LPH", PEN_FOUND_FUNCTION, "alpha");
  assert_first (fixture, "one", PEN_FOUND_TASK, "one");
  assert_first (fixture, "8", PEN_FOUND_TASK, "two");
  assert_first (fixture, "pid 7", PEN_FOUND_TASK, "one");
  assert_first (fixture, "bpf_prog", PEN_FOUND_OCCUPANT, "bpf_prog_a");
  assert_first (fixture, "0200", PEN_FOUND_OCCUPANT, "bpf_prog_b");
  assert_first (fixture, "[m]", PEN_FOUND_OCCUPANT, "[m]");
  g_assert_cmpuint (id->rows->len, ==, 1);
  g_assert_cmpstr (get (id, 0)->name, ==, "bpf_prog_b");
  g_assert_cmpint (get (id, 0)->when, ==, PEN_FOUND_AFTER);
  g_assert_cmpint (get (time, 0)->found, ==, PEN_FOUND_TIME);
  g_assert_cmpuint (get (time, 0)->from.time, ==, 2900);
}

static gboolean
has_choice (PenFilterChoices *choices, const char *typed, const char *value)
{
  g_autoptr (GPtrArray) terms = pen_filter_choices_match (choices, typed, 20);

  for (guint i = 0; i < terms->len; i++) {
    const PenFilterTerm *term = terms->pdata[i];

    if (term->part == PEN_FILTER_BPF && g_str_equal (term->value, value))
      return TRUE;
  }
  return FALSE;
}

/* A program is suggested by its number and by its name. */
static void
test_choices (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFilterChoices) choices = pen_filter_choices_new (fixture->query, &error);

  g_assert_no_error (error);
  g_assert_true (has_choice (choices, "bpf", "1"));
  g_assert_true (has_choice (choices, "bpf:2", "2"));
  g_assert_true (has_choice (choices, "prog_b", "2"));
  g_assert_false (has_choice (choices, "prog_b", "1"));
}

/* ---- against every occupant, one by one ---- */

#define PAGES 0xffffffffc0100000ull
#define N_SLOTS 24u
#define SLOT 16u
#define N_EVENTS 60u

/* Programs come and go in a few lines of memory, and some lie over others. */
static void
add_random_programs (PenTestCapture *capture, GRand *rand)
{
  guint32 lengths[N_SLOTS] = { 0 };

  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, PAGES, SLOT * N_SLOTS / 2, 0,
                             "/lib/m.ko");
  for (guint i = 0; i < N_EVENTS; i++) {
    guint slot = (guint) g_rand_int_range (rand, 0, N_SLOTS);
    g_autofree char *name = g_strdup_printf ("bpf_prog_%u", slot % 5);

    pen_test_capture_at (capture, 1000 + 10 * i, 7, 7, 0);
    pen_test_capture_from (capture, 1);
    if (lengths[slot] == 0 || g_rand_int_range (rand, 0, 3) == 0) {
      lengths[slot] = (guint32) g_rand_int_range (rand, 1, 5 * SLOT);
      pen_test_capture_add_ksymbol (capture, PAGES + SLOT * slot, lengths[slot], 1, 0, name);
    } else {
      pen_test_capture_add_ksymbol (capture, PAGES + SLOT * slot, lengths[slot], 1, 1, name);
      lengths[slot] = 0;
    }
    if (i % 7 == 0)
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, PAGES, 10);
  }
}

/* K3: of the ksymbols the one that starts nearest at or below; without one, the map; without one,
 * what pokes tell of. */
static guint32
look_up_plainly (const GArray *tenures, const GArray *parts, guint64 address, PenMoment moment)
{
  const PenTenure *best = NULL;

  for (guint i = 0; i < parts->len; i++) {
    const PenPart *part = &g_array_index (parts, PenPart, i);
    const PenTenure *tenure = NULL;

    if (address < part->start || address >= part->end
        || pen_moment_compare (part->from, moment) >= 0
        || pen_moment_compare (part->to, moment) < 0)
      continue;
    for (guint k = 0; k < tenures->len && !tenure; k++) {
      if (g_array_index (tenures, PenTenure, k).id == part->tenure)
        tenure = &g_array_index (tenures, PenTenure, k);
    }
    g_assert_nonnull (tenure);
    if (!best || (tenure->layer == PEN_LAYER_KSYMBOL && best->layer != PEN_LAYER_KSYMBOL)
        || (tenure->layer == best->layer && tenure->start > best->start))
      best = tenure;
  }
  return best ? best->id : 0;
}

static void
assert_as_plain (QueryFixture *fixture, const GArray *tenures, const GArray *parts, guint64 address,
                 guint64 time)
{
  g_autofree char *text = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", address);
  g_autoptr (PenFound) found = find (fixture, text, time);
  guint n_then = 0;

  for (guint i = 0; i < found->rows->len; i++) {
    const PenFoundRow *row = get (found, i);

    if (row->found != PEN_FOUND_ADDRESS)
      continue;
    if (row->when == PEN_FOUND_THEN) {
      n_then++;
      g_assert_cmpuint (row->tenure, ==,
                        look_up_plainly (tenures, parts, address, pen_moment (time, G_MAXUINT64)));
      continue;
    }
    /* At its beginning and at its end it was there. */
    g_assert_cmpuint (row->tenure, ==, look_up_plainly (tenures, parts, address, row->to));
    if (row->from.time > 0)
      g_assert_cmpuint (
          row->tenure, ==,
          look_up_plainly (tenures, parts, address, pen_moment (row->from.time, G_MAXUINT64)));
  }
  g_assert_cmpuint (n_then, <=, 1);
  /* Where nothing ever was, what is typed may be something else. */
  if (n_then == 0)
    g_assert_cmpuint (look_up_plainly (tenures, parts, address, pen_moment (time, G_MAXUINT64)), ==,
                      0);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= 12; seed++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
    g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
    g_autoptr (GArray) tenures = NULL;
    g_autoptr (GArray) parts = NULL;
    g_autoptr (GError) error = NULL;
    QueryFixture fixture;

    pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
    pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
    pen_test_capture_set_arch (capture, "x86_64");
    add_random_programs (capture, rand);
    query_fixture_import (&fixture, capture);
    tenures
        = pen_store_load_tenures (fixture.store, PEN_SPACE_KERNEL, PAGES, PAGES + 0x1000, &error);
    g_assert_no_error (error);
    parts = pen_store_load_parts (fixture.store, PEN_SPACE_KERNEL, PAGES, PAGES + 0x1000, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < 100; i++)
      assert_as_plain (&fixture, tenures, parts,
                       PAGES + (guint64) g_rand_int_range (rand, 0, SLOT * N_SLOTS + 80),
                       (guint64) g_rand_int_range (rand, 990, 1010 + 10 * N_EVENTS));
    query_fixture_tear_down (&fixture, NULL);
  }
}

/* ---- tables ---- */

static void
test_table (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (
      pen_query_write_found (fixture->query, "bpf_prog_b+0x2/0x40", "end", writer, &error));
  g_assert_no_error (error);
  g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  text = g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
  g_assert_true (g_str_has_prefix (
      text, "place,text,found,when,from,to,address,kind,occupant,bpf_id,name,offset,length,stated,"
            "samples,changes,pid,tid,evidence,tenure,remark\n"
            "1,bpf_prog_b+0x2/0x40,address,then,3500,,0xffffffffc0000ffa,bpf,bpf_prog_b,2,"
            "bpf_prog_b,0x2,0x40,0x40,"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/find/lines", test_lines);
  g_test_add_func ("/find/marks", test_marks);
  g_test_add_func ("/find/lists", test_lists);
  g_test_add_func ("/find/typed-place", test_typed_place);
  g_test_add_func ("/find/limits", test_limits);
#define ADD(name, func)                                                                            \
  g_test_add (name, QueryFixture, NULL, query_fixture_set_up, func, query_fixture_tear_down)
  ADD ("/find/address", test_address);
  ADD ("/find/symbol", test_symbol);
  ADD ("/find/trace", test_trace);
  ADD ("/find/names", test_names);
  ADD ("/find/choices", test_choices);
  ADD ("/find/table", test_table);
  g_test_add_func ("/find/random", test_random);
  return g_test_run ();
}
