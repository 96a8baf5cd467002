/* cause-fixture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "cause-fixture.h"

#include <string.h>

typedef struct {
  guint64 start;
  guint64 end;
  PenKind kind;
  const char *occupant;
  const char *function; /* NULL: the occupant is known only */
} Region;

#define KERNEL PEN_KIND_KERNEL, "[kernel.kallsyms]"
#define VIRTIO PEN_KIND_MODULE, "[virtio]"

/* Addresses of the captures' kernels; those that begin with 0xa are made up. */
static const Region regions[] = {
  { 0xffffffff8106b710, 0xffffffff8106b740, KERNEL, "ftrace_stub" },
  { 0xffffffff8106b740, 0xffffffff8106b7be, KERNEL, "ftrace_caller" },
  { 0xffffffff8106b7be, 0xffffffff8106b8d3, KERNEL, "ftrace_call" },
  { 0xffffffff8106b8d3, 0xffffffff8106b940, KERNEL, "ftrace_regs_call" },
  { 0xffffffff8119f540, 0xffffffff8119f700, KERNEL, "ftrace_ops_list_func" },
  { 0xffffffff810c9f50, 0xffffffff810c9fa0, KERNEL, "__traceiter_sched_wakeup" },
  { 0xffffffff811bdfc0, 0xffffffff811be110, KERNEL, "probe_sched_wakeup" },
  { 0xffffffff810d1ad0, 0xffffffff810d1ba0, KERNEL, "ttwu_do_wakeup" },
  { 0xffffffff810d3940, 0xffffffff810d3f50, KERNEL, "try_to_wake_up" },
  { 0xffffffff81e00468, 0xffffffff81e00470, KERNEL, "__SCT__tp_func_sched_wakeup" },
  { 0xffffffff81e014e0, 0xffffffff81e014e8, KERNEL, "__SCT__bpf_dispatcher_xdp_call" },
  { 0xffffffff8179ac20, 0xffffffff8179ac30, KERNEL, "bpf_dispatcher_nop_func" },
  { 0xffffffff817d34a0, 0xffffffff817d34b0, KERNEL, "bpf_dispatcher_xdp_func" },
  { 0xffffffff8134cc50, 0xffffffff8134cf70, KERNEL, "vfs_read" },
  { 0xffffffff8134d3d0, 0xffffffff8134d7c0, KERNEL, "vfs_write" },
  { 0xffffffff81798030, 0xffffffff81798300, KERNEL, "vfs_read" }, /* after endbr64 */
  { 0xffffffff81a00000, 0xffffffff81a00100, KERNEL, "print_task.isra.0" },
  { 0xffffffff81b00000, 0xffffffff81b00100, KERNEL, "print_task.isra.0.cold" },
  { 0xffffffff81b00100, 0xffffffff81b00200, KERNEL, "asm_entry" },
  { 0xffffffff81b00200, 0xffffffff81b00300, KERNEL, "asm_common" },
  { 0xffffffff81c00000, 0xffffffff81c10000, KERNEL, NULL },
  { 0xffffffffa0000000, 0xffffffffa0000200, VIRTIO, "virtio_probe" },
  { 0xffffffffa0001000, 0xffffffffa0001200, PEN_KIND_MODULE, "[snapshot]", "snapshot_probe" },
  { 0xffffffffa0002000, 0xffffffffa0003000, PEN_KIND_UNKNOWN, "[snapshot]", NULL },
  { 0xffffffffc0219000, 0xffffffffc02190cf, PEN_KIND_STUB, "ftrace_trampoline",
    "ftrace_trampoline" },
  { 0xffffffffc0229000, 0xffffffffc02290cf, PEN_KIND_STUB, "ftrace_trampoline",
    "klp_ftrace_trampoline" },
  { 0xffffffffc0239000, 0xffffffffc02390cf, PEN_KIND_STUB, "ftrace_trampoline",
    "ftrace_trampoline" },
  { 0xffffffffc0249000, 0xffffffffc02490cf, PEN_KIND_STUB, "ftrace_trampoline",
    "ftrace_trampoline" },
  { 0xffffffffc021b000, 0xffffffffc021c000, PEN_KIND_STUB, "kprobe_optinsn_page",
    "kprobe_optinsn_page" },
  { 0xffffffffc021d000, 0xffffffffc021e000, PEN_KIND_STUB, "kprobe_insn_page", NULL },
  { 0xffffffffc0232000, 0xffffffffc0233000, PEN_KIND_STUB, "bpf_trampoline_6442492247",
    "bpf_trampoline_6442492247" },
  { 0xffffffffc0020c00, 0xffffffffc0021c00, PEN_KIND_STUB, "bpf_dispatcher_xdp",
    "bpf_dispatcher_xdp" },
  { 0xffffffffc0404000, 0xffffffffc0404100, PEN_KIND_BPF, "bpf_prog_12d4df590959649c_fe_read",
    "bpf_prog_12d4df590959649c_fe_read" },
  { 0xffffffffc0500000, 0xffffffffc0500100, PEN_KIND_STUB, "something_new", "something_new" },
};

static void
find_place (guint64 address, G_GNUC_UNUSED PenMoment moment, PenPlace *place,
            G_GNUC_UNUSED gpointer user_data)
{
  place->occupant = "";
  for (gsize i = 0; i < G_N_ELEMENTS (regions); i++) {
    if (address < regions[i].start || address >= regions[i].end)
      continue;
    place->kind = regions[i].kind;
    place->occupant = regions[i].occupant;
    place->function_name = regions[i].function;
    place->function_start = regions[i].function ? regions[i].start : 0;
    /* Of the trampolines of ftrace the second is a live patch's, the third has no known user, the
     * fourth has the form of a live patch's. */
    if (regions[i].start == 0xffffffffc0219000)
      place->user = "function_trace_call";
    else if (regions[i].start == 0xffffffffc0229000)
      place->user = "klp_ftrace_handler";
    place->is_user_inferred = regions[i].start == 0xffffffffc0249000;
    if (place->is_user_inferred)
      place->user = "klp_ftrace_handler";
    place->is_unsure = strcmp (regions[i].occupant, "[snapshot]") == 0;
  }
}

/* A branch of @opcode from @address to @target. */
char *
cause_fixture_branch (const char *opcode, guint64 address, guint64 target)
{
  guint32 distance = GUINT32_TO_LE ((guint32) (target - (address + 5)));
  const guint8 *bytes = (const guint8 *) &distance;

  return g_strdup_printf ("%s%02x%02x%02x%02x", opcode, bytes[0], bytes[1], bytes[2], bytes[3]);
}

const PenCauseSources cause_fixture_sources = { .find_place = find_place };

PenCauseVerdict
cause_fixture_find_verdict (TextPokes *pokes, const PenCauseSources *from)
{
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  guint n;
  const PenPoke *all = text_pokes_get (pokes, &n);

  return pen_cause_find (all, n, n - 1, decoder, from);
}

gboolean
cause_fixture_find_name (guint64 address, G_GNUC_UNUSED PenMoment moment, PenSiteName *name,
                         gpointer user_data)
{
  *name = *(const PenSiteName *) user_data;
  return address == 0xffffffff81c00010 || address == 0xffffffff8134cc50
         || address == 0xffffffff81e014e0;
}

guint64
cause_fixture_pick (GRand *random)
{
  return regions[g_rand_int_range (random, 0, G_N_ELEMENTS (regions))].start;
}
