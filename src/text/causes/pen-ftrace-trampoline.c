/* pen-ftrace-trampoline.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ftrace-trampoline.h"

#include <string.h>

#include "pen-kernel-release.h"

#define CALL_LENGTH 5u
/* mov function_trace_op(%rip),%rdx: the struct is an argument of the call. */
#define LOAD_LENGTH 7u
#define ADDRESS_LENGTH 8u
/* pushfq, with which ftrace_regs_caller begins (arch/x86/kernel/ftrace_64.S) */
#define SAVES_FLAGS 0x9c
/* Guards users against recursion that do not do so themselves (kernel/trace/ftrace.c). */
#define ASSISTANT "ftrace_ops_assist_func"
#define LIVEPATCH_HANDLER "klp_ftrace_handler"
/* Since then, live patches do, and are called directly. */
#define DIRECT_MAJOR 5
#define DIRECT_MINOR 11
/* The kernel's image and modules are above; what is allocated is below. */
#define IMAGE_START 0xffffffff80000000u

/* By their structs (kernel/kprobes.c) */
static const struct {
  const char *ops;
  const char *function;
} assisted[] = {
  { "kprobe_ftrace_ops", "kprobe_ftrace_handler" },
  { "kprobe_ipmodify_ops", "kprobe_ftrace_handler" },
};

/* Returns: 0: it is elsewhere */
static guint64
read_ops (const guint8 *bytes, gsize length, gsize load)
{
  guint32 distance;
  guint64 place;
  guint64 ops;

  memcpy (&distance, bytes + load + LOAD_LENGTH - sizeof distance, sizeof distance);
  place = (guint64) load + LOAD_LENGTH + GUINT32_FROM_LE (distance);
  if (place > length || length - place < ADDRESS_LENGTH)
    return 0;
  memcpy (&ops, bytes + place, sizeof ops);
  return GUINT64_FROM_LE (ops);
}

PenFtraceTrampoline
pen_ftrace_trampoline_read (PenDecoder *decoder, const guint8 *bytes, gsize length, guint64 address)
{
  static const guint8 load[] = { 0x48, 0x8b, 0x15 };
  PenFtraceTrampoline self = { .wants_registers = length > 0 && bytes[0] == SAVES_FLAGS };

  length = MIN (length, PEN_FTRACE_TRAMPOLINE_MAX);
  for (gsize at = 0; at < length;) {
    PenInstruction instruction;

    pen_decoder_classify (decoder, bytes + at, length - at, address + at, &instruction);
    if (instruction.class == PEN_INSTRUCTION_CALL && instruction.has_target
        && instruction.length == CALL_LENGTH) {
      self.call = address + at;
      self.target = instruction.target;
      return self;
    }
    if (instruction.length == LOAD_LENGTH && memcmp (bytes + at, load, sizeof load) == 0)
      self.ops = read_ops (bytes, length, at);
    at += instruction.length;
  }
  return self;
}

gboolean
pen_ftrace_trampoline_is_for_any (const char *called)
{
  return strcmp (called, ASSISTANT) == 0;
}

/* Live patches alone want all registers and allocate their structs: tracers of instances and perf's
 * want a part of the registers, and kprobes have their structs in the kernel's image. */
static gboolean
is_of_livepatch (const PenFtraceTrampoline *self, const char *release)
{
  return pen_kernel_release_is_before (release, DIRECT_MAJOR, DIRECT_MINOR) && self->ops != 0
         && self->ops < IMAGE_START && self->wants_registers;
}

const char *
pen_ftrace_trampoline_find_user (const PenFtraceTrampoline *self, const char *called,
                                 const char *ops, const char *release, gboolean *is_inferred)
{
  *is_inferred = FALSE;
  if (!pen_ftrace_trampoline_is_for_any (called))
    return called;
  for (guint i = 0; ops && i < G_N_ELEMENTS (assisted); i++)
    if (strcmp (assisted[i].ops, ops) == 0)
      return assisted[i].function;
  *is_inferred = is_of_livepatch (self, release);
  return *is_inferred ? LIVEPATCH_HANDLER : called;
}
