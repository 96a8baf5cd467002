/* pen-poke-case.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke-case.h"

#include <string.h>

/* A jump or call has five bytes. Kernels before 5.15 write a return over the first byte of a jump,
 * and leave the rest. */
#define BRANCH_LENGTH 5
#define TRAMPOLINE_PREFIX "__SCT__"
/* kernel/livepatch/patch.c */
#define LIVEPATCH_HANDLER "klp_ftrace_handler"

/* ---- places ---- */

/* The labels in ftrace's own code at which its calls are patched, and its entries. */
static gboolean
is_ftrace_entry (const char *name)
{
  static const char *const names[] = {
    "ftrace_call",          "ftrace_regs_call",          "ftrace_graph_call",
    "ftrace_caller",        "ftrace_regs_caller",        "ftrace_graph_caller",
    "ftrace_caller_op_ptr", "ftrace_regs_caller_op_ptr", "ftrace_regs_caller_jmp",
    "ftrace_caller_end",    "ftrace_regs_caller_end",    "ftrace_common",
    "ftrace_common_return", "ftrace_epilogue",
  };

  if (!g_str_has_prefix (name, "ftrace_"))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    if (strcmp (names[i], name) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_dispatcher_text (const char *name)
{
  return g_str_has_prefix (name, "bpf_dispatcher_")
         || g_str_has_prefix (name, "__SCT__bpf_dispatcher_");
}

static PenSpotRole
find_role (const PenPlace *place)
{
  const char *occupant = place->occupant ? place->occupant : "";
  const char *function = place->function_name ? place->function_name : "";

  switch (place->kind) {
  case PEN_KIND_BPF:
    return PEN_ROLE_BPF;
  case PEN_KIND_STUB:
    if (strcmp (occupant, "ftrace_trampoline") == 0)
      return g_strcmp0 (place->user, LIVEPATCH_HANDLER) == 0 ? PEN_ROLE_LIVEPATCH : PEN_ROLE_FTRACE;
    if (strcmp (occupant, "kprobe_insn_page") == 0)
      return PEN_ROLE_KPROBE_SLOT;
    if (strcmp (occupant, "kprobe_optinsn_page") == 0)
      return PEN_ROLE_OPTPROBE_DETOUR;
    if (g_str_has_prefix (occupant, "bpf_"))
      return PEN_ROLE_BPF;
    return PEN_ROLE_UNKNOWN;
  case PEN_KIND_KERNEL:
  case PEN_KIND_MODULE:
    if (is_ftrace_entry (function))
      return PEN_ROLE_FTRACE;
    return is_dispatcher_text (function) ? PEN_ROLE_BPF_DISPATCHER_TEXT : PEN_ROLE_TEXT;
  default:
    return PEN_ROLE_UNKNOWN;
  }
}

static char *
make_label (guint64 address, const PenPlace *place)
{
  if (place->function_name && address == place->function_start)
    return g_strdup (place->function_name);
  if (place->function_name)
    return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", place->function_name,
                            address - place->function_start);
  if (place->occupant && place->occupant[0] != '\0')
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x in %s", address, place->occupant);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
}

static void
find_spot (PenSpot *spot, guint64 address, PenMoment moment, PenPlaceFunc find_place,
           gpointer user_data)
{
  PenPlace place = { .kind = PEN_KIND_UNKNOWN };

  find_place (address, moment, &place, user_data);
  if (place.function_start == 0 || place.function_start > address)
    place.function_name = NULL;
  spot->address = address;
  spot->kind = place.kind;
  /* Where nobody is known to be nothing is claimed. */
  spot->is_unsure = place.is_unsure && place.kind != PEN_KIND_UNKNOWN;
  spot->role = find_role (&place);
  spot->function_start = place.function_name ? place.function_start : 0;
  spot->function_name = place.function_name;
  spot->label = make_label (address, &place);
  spot->user = g_strdup (place.user);
  spot->programs = g_strdup (place.programs);
  spot->is_user_inferred = place.is_user_inferred;
}

static void
clear_spot (PenSpot *spot)
{
  g_free (spot->label);
  g_free (spot->user);
  g_free (spot->programs);
}

gboolean
pen_spot_is_text (const PenSpot *spot)
{
  return spot->role == PEN_ROLE_TEXT || spot->role == PEN_ROLE_BPF_DISPATCHER_TEXT;
}

gboolean
pen_spot_is_unnamed_ftrace (const PenSpot *spot)
{
  return spot->role == PEN_ROLE_FTRACE && spot->kind == PEN_KIND_STUB && !spot->user;
}

/* A function's first instruction, or the first after its landing mark. */
gboolean
pen_spot_is_entry (const PenSpot *spot)
{
  return spot->function_start != 0
         && (spot->address == spot->function_start || spot->address == spot->function_start + 4);
}

/* "foo.cold" and "foo.cold.3" belong to "foo". */
static gsize
measure_without_cold (const char *name)
{
  const char *cold = strstr (name, ".cold");

  return cold ? (gsize) (cold - name) : strlen (name);
}

gboolean
pen_spot_is_same_function (const PenSpot *a, const PenSpot *b)
{
  gsize length;

  if (a->function_start == 0 || b->function_start == 0)
    return FALSE;
  if (a->function_start == b->function_start)
    return TRUE;
  length = measure_without_cold (a->function_name);
  return length == measure_without_cold (b->function_name)
         && strncmp (a->function_name, b->function_name, length) == 0;
}

const char *
pen_spot_get_static_call (const PenSpot *spot)
{
  return spot->function_name && g_str_has_prefix (spot->function_name, TRAMPOLINE_PREFIX)
             ? spot->function_name + strlen (TRAMPOLINE_PREFIX)
             : NULL;
}

/* ---- bytes ---- */

static gboolean
is_padding (const guint8 *bytes, gsize length)
{
  for (gsize i = 0; i < length; i++) {
    if (bytes[i] != 0xcc && bytes[i] != 0x90)
      return FALSE;
  }
  return TRUE;
}

/* Replaces a static call whose function only returns 0: `xor %eax,%eax`, padded to five bytes. */
static gboolean
is_return_zero (const guint8 *bytes, gsize length)
{
  static const guint8 forms[][5] = {
    { 0x2e, 0x2e, 0x2e, 0x31, 0xc0 },
    { 0x66, 0x66, 0x48, 0x31, 0xc0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++) {
    if (length == sizeof forms[i] && memcmp (bytes, forms[i], length) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Replaces a static call of the function that only warns (seen in Linux 7.3, when a module is
 * loaded): an undefined instruction, "ud1 (%edx),%rdi". */
static gboolean
is_warning_trap (const guint8 *bytes, gsize length)
{
  static const guint8 trap[] = { 0x67, 0x48, 0x0f, 0xb9, 0x3a };

  return length == sizeof trap && memcmp (bytes, trap, length) == 0;
}

static PenSideForm
find_form (PenDecoder *decoder, const guint8 *bytes, gsize length, guint64 address,
           PenInstruction *instruction)
{
  pen_decoder_classify (decoder, bytes, length, address, instruction);

  if (instruction->class == PEN_INSTRUCTION_BREAKPOINT)
    return PEN_FORM_BREAKPOINT;
  if (instruction->class == PEN_INSTRUCTION_RETURN
      && (length == BRANCH_LENGTH
          || is_padding (bytes + instruction->length, length - instruction->length)))
    return PEN_FORM_RETURN;
  if (is_return_zero (bytes, length))
    return PEN_FORM_RETURN_ZERO;
  if (is_warning_trap (bytes, length))
    return PEN_FORM_WARNING_TRAP;
  if (instruction->length != length)
    return PEN_FORM_OTHER;

  switch (instruction->class) {
  case PEN_INSTRUCTION_NOP:
    return PEN_FORM_NOP;
  case PEN_INSTRUCTION_CALL:
    return instruction->has_target ? PEN_FORM_CALL : PEN_FORM_OTHER;
  case PEN_INSTRUCTION_JUMP:
    return instruction->has_target ? PEN_FORM_JUMP : PEN_FORM_OTHER;
  case PEN_INSTRUCTION_CONDITIONAL_JUMP:
    return PEN_FORM_CONDITIONAL_JUMP;
  default:
    return PEN_FORM_OTHER;
  }
}

static void
find_side (PenSide *side, PenDecoder *decoder, const PenPoke *poke, const guint8 *bytes,
           gsize length, PenPlaceFunc find_place, gpointer user_data)
{
  PenInstruction instruction;

  if (length == 0)
    return;
  side->form = find_form (decoder, bytes, length, poke->address, &instruction);
  side->has_target = side->form != PEN_FORM_OTHER && instruction.has_target;
  if (side->has_target)
    find_spot (&side->target, instruction.target, poke->moment, find_place, user_data);
}

/* ---- a case ---- */

void
pen_poke_case_init (PenPokeCase *c, const PenPoke *poke, PenDecoder *decoder,
                    PenPlaceFunc find_place, gpointer user_data)
{
  *c = (PenPokeCase){ .poke = poke };
  find_spot (&c->site, poke->address, poke->moment, find_place, user_data);
  find_side (&c->before, decoder, poke, poke->old_bytes, poke->old_length, find_place, user_data);
  find_side (&c->after, decoder, poke, poke->new_bytes, poke->new_length, find_place, user_data);
}

void
pen_poke_case_clear (PenPokeCase *c)
{
  clear_spot (&c->site);
  clear_spot (&c->before.target);
  clear_spot (&c->after.target);
}

gboolean
pen_poke_case_is_replaced (const PenPokeCase *c)
{
  return c->poke->old_length > 0 && c->poke->new_length > 0;
}

gboolean
pen_poke_case_is_pair (const PenPokeCase *c, PenSideForm a, PenSideForm b)
{
  return (c->before.form == a && c->after.form == b) || (c->before.form == b && c->after.form == a);
}

gboolean
pen_poke_case_leads_to (const PenPokeCase *c, PenSpotRole role)
{
  return (c->before.has_target && c->before.target.role == role)
         || (c->after.has_target && c->after.target.role == role);
}

gboolean
pen_poke_case_is_unsure (const PenPokeCase *c, guint needs)
{
  return ((needs & PEN_NEEDS_SITE) && c->site.is_unsure)
         || ((needs & PEN_NEEDS_TARGETS)
             && (c->before.target.is_unsure || c->after.target.is_unsure));
}

/* Kernels before 5.15 write a return over the first byte of a tail call alone. */
static gboolean
is_cut_tail_call (const PenPokeCase *c)
{
  const PenPoke *poke = c->poke;

  return poke->old_length == 1 && poke->new_length == 1
         && ((poke->old_bytes[0] == 0xe9 && poke->new_bytes[0] == 0xc3)
             || (poke->old_bytes[0] == 0xc3 && poke->new_bytes[0] == 0xe9));
}

gboolean
pen_poke_case_is_static_call (const PenPokeCase *c)
{
  PenSideForm a = c->before.form;
  PenSideForm b = c->after.form;

  if (pen_poke_case_is_pair (c, PEN_FORM_NOP, PEN_FORM_CALL)
      || pen_poke_case_is_pair (c, PEN_FORM_RETURN_ZERO, PEN_FORM_CALL)
      || pen_poke_case_is_pair (c, PEN_FORM_RETURN_ZERO, PEN_FORM_NOP)
      || pen_poke_case_is_pair (c, PEN_FORM_WARNING_TRAP, PEN_FORM_CALL)
      || pen_poke_case_is_pair (c, PEN_FORM_WARNING_TRAP, PEN_FORM_NOP)
      || pen_poke_case_is_pair (c, PEN_FORM_RETURN, PEN_FORM_JUMP) || is_cut_tail_call (c))
    return TRUE;
  return a == b
         && (a == PEN_FORM_CALL || a == PEN_FORM_JUMP || a == PEN_FORM_CONDITIONAL_JUMP
             || a == PEN_FORM_RETURN_ZERO);
}
