/* pen-cause-finder.c: why was this patched?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-finder.h"

#include <string.h>

/* How far back the breakpoint before a jump is looked for, in pokes. */
#define LOOK_BACK 4096u

/* What the bytes of a poke are, as a whole. */
typedef enum {
  FORM_OTHER,
  FORM_NOP,
  FORM_CALL,
  FORM_JUMP,
  FORM_CONDITIONAL_JUMP,
  FORM_RETURN,      /* with padding behind it */
  FORM_RETURN_ZERO, /* result set to 0 in a call's place */
  FORM_BREAKPOINT,  /* with the rest of the probed text behind it */
} Form;

/* What an address is to the kernel's patching. */
typedef enum {
  ROLE_UNKNOWN,
  ROLE_TEXT, /* core kernel or module */
  ROLE_FTRACE,
  ROLE_KPROBE_SLOT,
  ROLE_OPTPROBE_DETOUR,
  ROLE_BPF,
  ROLE_BPF_DISPATCHER_TEXT, /* of the core kernel, but there for a dispatcher */
} Role;

typedef struct {
  guint64 address;
  Role role;
  PenKind kind;
  guint64 function_start; /* 0: not known */
  char *function_name;
  char *label; /* for a person */
} Spot;

typedef struct {
  Form form;
  gboolean has_target;
  Spot target;
} Side;

typedef struct {
  const PenPoke *poke;
  Spot site;
  Side before;
  Side after;
} Case;

/* ---- places ---- */

/* The labels in ftrace's own code at which its calls are patched, and what leads there. */
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

static Role
find_role (const PenPlace *place)
{
  const char *occupant = place->occupant != NULL ? place->occupant : "";
  const char *function = place->function_name != NULL ? place->function_name : "";

  switch (place->kind) {
  case PEN_KIND_BPF:
    return ROLE_BPF;
  case PEN_KIND_STUB:
    if (strcmp (occupant, "ftrace_trampoline") == 0)
      return ROLE_FTRACE;
    if (strcmp (occupant, "kprobe_insn_page") == 0)
      return ROLE_KPROBE_SLOT;
    if (strcmp (occupant, "kprobe_optinsn_page") == 0)
      return ROLE_OPTPROBE_DETOUR;
    if (g_str_has_prefix (occupant, "bpf_"))
      return ROLE_BPF;
    return ROLE_UNKNOWN;
  case PEN_KIND_KERNEL:
  case PEN_KIND_MODULE:
    if (is_ftrace_entry (function))
      return ROLE_FTRACE;
    return is_dispatcher_text (function) ? ROLE_BPF_DISPATCHER_TEXT : ROLE_TEXT;
  default:
    return ROLE_UNKNOWN;
  }
}

static char *
make_label (guint64 address, const PenPlace *place)
{
  if (place->function_name != NULL && address == place->function_start)
    return g_strdup (place->function_name);
  if (place->function_name != NULL)
    return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", place->function_name,
                            address - place->function_start);
  if (place->occupant != NULL && place->occupant[0] != '\0')
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x in %s", address, place->occupant);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
}

static void
find_spot (Spot *spot, guint64 address, PenMoment moment, PenPlaceFunc find_place,
           gpointer user_data)
{
  PenPlace place = { PEN_KIND_UNKNOWN, NULL, 0, NULL };

  find_place (address, moment, &place, user_data);
  if (place.function_start == 0 || place.function_start > address)
    place.function_name = NULL;
  spot->address = address;
  spot->kind = place.kind;
  spot->role = find_role (&place);
  spot->function_start = place.function_name != NULL ? place.function_start : 0;
  spot->function_name = g_strdup (place.function_name);
  spot->label = make_label (address, &place);
}

static void
clear_spot (Spot *spot)
{
  g_free (spot->function_name);
  g_free (spot->label);
}

static gboolean
is_text (const Spot *spot)
{
  return spot->role == ROLE_TEXT || spot->role == ROLE_BPF_DISPATCHER_TEXT;
}

/* A function's first instruction, or the first after its landing mark. */
static gboolean
is_entry (const Spot *spot)
{
  return spot->function_start != 0
         && (spot->address == spot->function_start || spot->address == spot->function_start + 4);
}

/* "foo.cold" and "foo.cold.3" belong to "foo". */
static gsize
measure_without_cold (const char *name)
{
  const char *cold = strstr (name, ".cold");

  return cold != NULL ? (gsize) (cold - name) : strlen (name);
}

static gboolean
is_same_function (const Spot *a, const Spot *b)
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

/* What stands for a static call whose function only returns 0: `xor %eax,%eax`, made five long. */
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

static Form
find_form (PenDecoder *decoder, const guint8 *bytes, gsize length, guint64 address,
           PenInstruction *instruction)
{
  pen_decoder_decode (decoder, bytes, length, address, instruction);

  if (instruction->class == PEN_INSTRUCTION_BREAKPOINT)
    return FORM_BREAKPOINT;
  if (instruction->class == PEN_INSTRUCTION_RETURN
      && is_padding (bytes + instruction->length, length - instruction->length))
    return FORM_RETURN;
  if (is_return_zero (bytes, length))
    return FORM_RETURN_ZERO;
  if (instruction->length != length)
    return FORM_OTHER;

  switch (instruction->class) {
  case PEN_INSTRUCTION_NOP:
    return FORM_NOP;
  case PEN_INSTRUCTION_CALL:
    return instruction->has_target ? FORM_CALL : FORM_OTHER;
  case PEN_INSTRUCTION_JUMP:
    return instruction->has_target ? FORM_JUMP : FORM_OTHER;
  case PEN_INSTRUCTION_CONDITIONAL_JUMP:
    return FORM_CONDITIONAL_JUMP;
  default:
    return FORM_OTHER;
  }
}

static void
find_side (Side *side, PenDecoder *decoder, const PenPoke *poke, const guint8 *bytes, gsize length,
           PenPlaceFunc find_place, gpointer user_data)
{
  PenInstruction instruction;

  if (length == 0)
    return;
  side->form = find_form (decoder, bytes, length, poke->address, &instruction);
  side->has_target = side->form != FORM_OTHER && instruction.has_target;
  if (side->has_target)
    find_spot (&side->target, instruction.target, poke->moment, find_place, user_data);
}

static gboolean
leads_to (const Side *side, Role role)
{
  return side->has_target && side->target.role == role;
}

static gboolean
either_leads_to (const Case *c, Role role)
{
  return leads_to (&c->before, role) || leads_to (&c->after, role);
}

static gboolean
is_pair (const Case *c, Form a, Form b)
{
  return (c->before.form == a && c->after.form == b) || (c->before.form == b && c->after.form == a);
}

static gboolean
is_branch (Form form)
{
  return form == FORM_CALL || form == FORM_JUMP;
}

/* ---- sentences ---- */

static char *
describe_side (const Side *side, const guint8 *bytes, gsize length)
{
  switch (side->form) {
  case FORM_NOP:
    return g_strdup_printf ("a %" G_GSIZE_FORMAT "-byte nop", length);
  case FORM_CALL:
    return g_strdup_printf ("a call to %s", side->target.label);
  case FORM_JUMP:
    return g_strdup_printf ("a jump to %s", side->target.label);
  case FORM_CONDITIONAL_JUMP:
    return g_strdup_printf ("a conditional jump to %s",
                            side->has_target ? side->target.label : "somewhere");
  case FORM_RETURN:
    return g_strdup ("a return");
  case FORM_RETURN_ZERO:
    return g_strdup ("a result of 0 in place of a call");
  case FORM_BREAKPOINT:
    return g_strdup ("a breakpoint");
  case FORM_OTHER:
  default:
    break;
  }
  if (length == 1)
    return g_strdup_printf ("the byte %02x", bytes[0]);
  return g_strdup_printf ("%" G_GSIZE_FORMAT " bytes of other text", length);
}

static char *
describe (const Case *c)
{
  const PenPoke *poke = c->poke;
  g_autofree char *before = describe_side (&c->before, poke->old_bytes, poke->old_length);
  g_autofree char *after = describe_side (&c->after, poke->new_bytes, poke->new_length);
  g_autofree char *where = NULL;

  if (poke->old_length == 0)
    return g_strdup_printf ("%u bytes were written at %s, where no text had been.",
                            poke->new_length, c->site.label);
  if (poke->new_length == 0)
    return g_strdup_printf ("%u bytes at %s were given up.", poke->old_length, c->site.label);

  if (is_text (&c->site) && c->site.address == c->site.function_start)
    where = g_strdup_printf ("the entry of %s", c->site.label);
  else
    where = g_strdup (c->site.label);
  if (poke->effect == PEN_POKE_SAME)
    return g_strdup_printf ("%c%s at %s was written again, unchanged.", g_ascii_toupper (before[0]),
                            before + 1, where);
  return g_strdup_printf ("%c%s at %s became %s.", g_ascii_toupper (before[0]), before + 1, where,
                          after);
}

/* ---- causes ---- */

/* Out-of-line memory and BPF text have one use each. */
static PenCause
judge_site (const Case *c)
{
  switch (c->site.role) {
  case ROLE_OPTPROBE_DETOUR:
    return PEN_CAUSE_OPTPROBE;
  case ROLE_KPROBE_SLOT:
    return PEN_CAUSE_KPROBE;
  case ROLE_BPF:
    return PEN_CAUSE_BPF;
  case ROLE_FTRACE:
    if (c->site.kind == PEN_KIND_STUB || is_branch (c->before.form) || is_branch (c->after.form))
      return PEN_CAUSE_FTRACE;
    return PEN_CAUSE_UNKNOWN;
  default:
    return PEN_CAUSE_UNKNOWN;
  }
}

/* A probe's breakpoint, written over @poke's site shortly before. */
static gboolean
had_breakpoint (const PenPoke *pokes, guint index)
{
  guint64 address = pokes[index].address;

  for (guint i = index; i-- > 0 && index - i <= LOOK_BACK;) {
    const PenPoke *poke = &pokes[i];

    if (poke->address == address && poke->new_length > 0)
      return poke->new_bytes[0] == 0xcc;
  }
  return FALSE;
}

static PenCause
judge_probe (const Case *c, const PenPoke *pokes, guint index)
{
  const PenPoke *poke = c->poke;

  if (either_leads_to (c, ROLE_OPTPROBE_DETOUR))
    return PEN_CAUSE_OPTPROBE;
  if (is_pair (c, FORM_BREAKPOINT, FORM_JUMP) && poke->old_length > 1)
    return PEN_CAUSE_OPTPROBE;
  if (c->before.form == FORM_BREAKPOINT || c->after.form == FORM_BREAKPOINT)
    return PEN_CAUSE_KPROBE;
  /* An optimised probe taken away at once: no breakpoint in between. */
  if (c->before.form == FORM_JUMP && c->after.form == FORM_OTHER && had_breakpoint (pokes, index))
    return PEN_CAUSE_OPTPROBE;
  return PEN_CAUSE_UNKNOWN;
}

static PenCause
judge_tracing (const Case *c)
{
  if (c->before.form == FORM_JUMP && c->after.form == FORM_JUMP
      && c->site.role == ROLE_BPF_DISPATCHER_TEXT)
    return PEN_CAUSE_BPF;
  if (!is_branch (c->before.form) && !is_branch (c->after.form))
    return PEN_CAUSE_UNKNOWN;
  /* A call that changes hands between the two is ftrace's doing: BPF attaches through it. */
  if (either_leads_to (c, ROLE_FTRACE))
    return PEN_CAUSE_FTRACE;
  if (either_leads_to (c, ROLE_BPF))
    return PEN_CAUSE_BPF;
  if (either_leads_to (c, ROLE_BPF_DISPATCHER_TEXT) && is_branch (c->before.form)
      && is_branch (c->after.form))
    return PEN_CAUSE_BPF;
  return PEN_CAUSE_UNKNOWN;
}

/* A function's entry where nothing is known of what it calls: out-of-line memory whose ksymbol was
 * lost. Static calls go to functions of the kernel and of modules. */
static PenCause
judge_entry (const Case *c)
{
  const Side *call = c->before.form == FORM_CALL ? &c->before : &c->after;

  if (!is_text (&c->site) || !is_entry (&c->site) || call->form != FORM_CALL)
    return PEN_CAUSE_UNKNOWN;
  if (is_pair (c, FORM_NOP, FORM_CALL) && call->target.role == ROLE_UNKNOWN)
    return PEN_CAUSE_FTRACE;
  if (c->before.form == FORM_CALL && c->after.form == FORM_CALL
      && (c->before.target.role == ROLE_UNKNOWN || c->after.target.role == ROLE_UNKNOWN))
    return PEN_CAUSE_FTRACE;
  return PEN_CAUSE_UNKNOWN;
}

static PenCause
judge_static_key (const Case *c)
{
  const Side *jump = c->before.form == FORM_JUMP ? &c->before : &c->after;

  if (!is_pair (c, FORM_NOP, FORM_JUMP))
    return PEN_CAUSE_UNKNOWN;
  if (is_same_function (&c->site, &jump->target))
    return PEN_CAUSE_STATIC_KEY;
  /* Hand-written code jumps from one symbol into the next; nothing else there turns nops into
   * jumps. */
  if (is_text (&c->site) && is_text (&jump->target))
    return PEN_CAUSE_STATIC_KEY;
  /* Too short for anything else, also where nothing is known of the place. */
  if (c->poke->new_length == 2)
    return PEN_CAUSE_STATIC_KEY;
  return PEN_CAUSE_UNKNOWN;
}

/* What a static call's site can hold: a call or its stand-ins, or a tail call or its. */
static gboolean
is_static_call_pair (const Case *c)
{
  Form a = c->before.form;
  Form b = c->after.form;

  if (is_pair (c, FORM_NOP, FORM_CALL) || is_pair (c, FORM_RETURN_ZERO, FORM_CALL)
      || is_pair (c, FORM_RETURN_ZERO, FORM_NOP) || is_pair (c, FORM_RETURN, FORM_JUMP))
    return TRUE;
  return a == b && (is_branch (a) || a == FORM_CONDITIONAL_JUMP || a == FORM_RETURN_ZERO);
}

static PenCause
judge_static_call (const Case *c)
{
  if (!is_text (&c->site))
    return PEN_CAUSE_UNKNOWN;
  if (c->site.function_name != NULL && g_str_has_prefix (c->site.function_name, "__SCT__"))
    return PEN_CAUSE_STATIC_CALL;
  if ((c->before.has_target && !is_text (&c->before.target))
      || (c->after.has_target && !is_text (&c->after.target)))
    return PEN_CAUSE_UNKNOWN;
  return is_static_call_pair (c) ? PEN_CAUSE_STATIC_CALL : PEN_CAUSE_UNKNOWN;
}

static PenCause
judge (const Case *c, const PenPoke *pokes, guint index)
{
  PenCause cause = judge_site (c);

  if (cause == PEN_CAUSE_UNKNOWN && c->poke->old_length > 0 && c->poke->new_length > 0) {
    cause = judge_probe (c, pokes, index);
    if (cause == PEN_CAUSE_UNKNOWN)
      cause = judge_tracing (c);
    if (cause == PEN_CAUSE_UNKNOWN)
      cause = judge_entry (c);
    if (cause == PEN_CAUSE_UNKNOWN)
      cause = judge_static_key (c);
    if (cause == PEN_CAUSE_UNKNOWN)
      cause = judge_static_call (c);
  }
  return cause;
}

PenCauseVerdict
pen_cause_find (const PenPoke *pokes, guint n_pokes, guint index, PenDecoder *decoder,
                PenPlaceFunc find_place, gpointer user_data)
{
  const PenPoke *poke = &pokes[index];
  PenCauseVerdict verdict = { PEN_CAUSE_UNKNOWN, NULL };
  Case c = { .poke = poke };

  g_return_val_if_fail (index < n_pokes, verdict);

  find_spot (&c.site, poke->address, poke->moment, find_place, user_data);
  find_side (&c.before, decoder, poke, poke->old_bytes, poke->old_length, find_place, user_data);
  find_side (&c.after, decoder, poke, poke->new_bytes, poke->new_length, find_place, user_data);

  verdict.cause = judge (&c, pokes, index);
  verdict.reason = describe (&c);

  clear_spot (&c.site);
  clear_spot (&c.before.target);
  clear_spot (&c.after.target);
  return verdict;
}
