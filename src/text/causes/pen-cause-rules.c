/* pen-cause-rules.c
 *
 * On x86, text_poke records are written by text_poke_bp_batch() for static keys, static calls,
 * ftrace, optprobes and BPF (arch/x86/kernel/alternative.c), and separately by kprobes and by code
 * that fills out-of-line memory. Other machines write none (Linux 5.9 to 7.2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-rules.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-static-call.h"

/* How far other pokes of a site are looked for, in pokes. */
#define LOOK_BACK 4096u
/* A BPF trampoline is replaced via ftrace within this, ns. */
#define REPLACING 1000000000u
/* Within a function, in bytes. */
#define LONGEST_JUMP 65536u

/* ---- the two sides ---- */

static gboolean
is_branch (PenSideForm form)
{
  return form == PEN_FORM_CALL || form == PEN_FORM_JUMP;
}

static gboolean
has_branch (const PenPokeCase *c)
{
  return is_branch (c->before.form) || is_branch (c->after.form);
}

static gboolean
are_branches (const PenPokeCase *c)
{
  return is_branch (c->before.form) && is_branch (c->after.form);
}

static const PenSide *
get_side (const PenPokeCase *c, PenSideForm form)
{
  return c->before.form == form ? &c->before : &c->after;
}

/* ---- memory that has one use ---- */

static gboolean
is_in_detours (const PenCauseQuestion *q)
{
  return q->c->site.role == PEN_ROLE_OPTPROBE_DETOUR;
}

static gboolean
is_in_slots (const PenCauseQuestion *q)
{
  return q->c->site.role == PEN_ROLE_KPROBE_SLOT;
}

static gboolean
is_in_bpf (const PenCauseQuestion *q)
{
  return q->c->site.role == PEN_ROLE_BPF;
}

static gboolean
is_in_ftrace_memory (const PenCauseQuestion *q)
{
  return q->c->site.role == PEN_ROLE_FTRACE && q->c->site.kind == PEN_KIND_STUB;
}

static gboolean
is_in_unnamed_ftrace_memory (const PenCauseQuestion *q)
{
  return pen_spot_is_unnamed_ftrace (&q->c->site);
}

static gboolean
is_in_livepatch_memory (const PenCauseQuestion *q)
{
  return q->c->site.role == PEN_ROLE_LIVEPATCH;
}

/* By the form of the trampoline alone. */
static gboolean
is_in_likely_livepatch_memory (const PenCauseQuestion *q)
{
  return is_in_livepatch_memory (q) && q->c->site.is_user_inferred;
}

static gboolean
is_call_of_ftrace (const PenCauseQuestion *q)
{
  return q->c->site.role == PEN_ROLE_FTRACE && pen_poke_case_is_replaced (q->c)
         && has_branch (q->c);
}

/* ---- probes ---- */

static gboolean
is_jump_to_detour (const PenCauseQuestion *q)
{
  return pen_poke_case_is_replaced (q->c)
         && pen_poke_case_leads_to (q->c, PEN_ROLE_OPTPROBE_DETOUR);
}

static gboolean
is_breakpoint_and_jump (const PenCauseQuestion *q)
{
  return pen_poke_case_is_pair (q->c, PEN_FORM_BREAKPOINT, PEN_FORM_JUMP)
         && q->c->poke->old_length > 1;
}

static gboolean
is_breakpoint (const PenCauseQuestion *q)
{
  return pen_poke_case_is_replaced (q->c)
         && (q->c->before.form == PEN_FORM_BREAKPOINT || q->c->after.form == PEN_FORM_BREAKPOINT);
}

static gboolean
is_one_breakpoint (const PenCauseQuestion *q)
{
  return is_breakpoint (q) && q->c->poke->old_length == 1 && q->c->poke->new_length == 1;
}

/* A probe's breakpoint, written over the site shortly before. */
static gboolean
had_breakpoint (const PenCauseQuestion *q)
{
  guint64 address = q->pokes[q->index].address;

  for (guint i = q->index; i-- > 0 && q->index - i <= LOOK_BACK;) {
    const PenPoke *poke = &q->pokes[i];

    if (poke->address == address && poke->new_length > 0)
      return poke->new_bytes[0] == 0xcc;
  }
  return FALSE;
}

/* An optimised probe taken away at once: no breakpoint in between. */
static gboolean
is_jump_undone (const PenCauseQuestion *q)
{
  return q->c->before.form == PEN_FORM_JUMP && q->c->after.form == PEN_FORM_OTHER
         && q->c->poke->new_length > 0 && had_breakpoint (q);
}

/* ---- tracing and BPF ---- */

static gboolean
is_dispatcher (const PenCauseQuestion *q)
{
  return q->c->site.role == PEN_ROLE_BPF_DISPATCHER_TEXT && q->c->before.form == PEN_FORM_JUMP
         && q->c->after.form == PEN_FORM_JUMP;
}

/* Without names, the kernel's text that is called instead of a BPF trampoline is ftrace's. */
static gboolean
is_call_of_ftrace_beside (const PenSide *side, const PenSide *other)
{
  const PenSpot *target = &side->target;

  if (other->target.role != PEN_ROLE_BPF || side->form != PEN_FORM_CALL)
    return FALSE;
  return target->role == PEN_ROLE_FTRACE
         || (target->role == PEN_ROLE_TEXT && target->kind == PEN_KIND_KERNEL
             && target->function_start == 0 && other->target.kind == PEN_KIND_STUB
             && !g_str_has_prefix (other->target.function_name, "bpf_dispatcher_"));
}

/* BPF attaches through ftrace: a tracer may share the entry. */
static gboolean
is_shared_entry (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return are_branches (c)
         && (is_call_of_ftrace_beside (&c->before, &c->after)
             || is_call_of_ftrace_beside (&c->after, &c->before));
}

/* The poke of the same site before or after this one. */
static const PenPoke *
find_neighbour (const PenCauseQuestion *q, gboolean is_before)
{
  for (guint distance = 1; distance <= LOOK_BACK; distance++) {
    const PenPoke *poke;

    if (is_before ? distance > q->index : distance >= q->n_pokes - q->index)
      return NULL;
    poke = &q->pokes[is_before ? q->index - distance : q->index + distance];
    if (poke->address == q->c->poke->address)
      return poke;
  }
  return NULL;
}

/* From one trampoline to the code of ftrace, and at once from there to another one
 * (modify_ftrace_direct() in kernel/trace/ftrace.c). */
static gboolean
is_trampoline_replaced (const PenCauseQuestion *q)
{
  const PenPoke *poke = q->c->poke;
  gboolean is_second = q->c->after.target.role == PEN_ROLE_BPF;
  const PenPoke *other = is_shared_entry (q) ? find_neighbour (q, is_second) : NULL;
  guint64 a = poke->moment.time;
  guint64 b = other ? other->moment.time : 0;
  gboolean is_replaced;
  PenPokeCase c;

  if (!other || other->tid != poke->tid || MAX (a, b) - MIN (a, b) > REPLACING)
    return FALSE;

  pen_poke_case_init (&c, other, q->decoder, q->sources->find_place, q->sources->user_data);
  is_replaced = are_branches (&c)
                && (is_second ? c.before.target.role == PEN_ROLE_BPF
                                    && c.before.target.address != q->c->after.target.address
                              : c.after.target.role == PEN_ROLE_BPF
                                    && c.after.target.address != q->c->before.target.address);
  pen_poke_case_clear (&c);
  return is_replaced;
}

static gboolean
is_branch_to_ftrace (const PenCauseQuestion *q)
{
  return pen_poke_case_is_replaced (q->c) && has_branch (q->c)
         && pen_poke_case_leads_to (q->c, PEN_ROLE_FTRACE);
}

/* One side only: from one trampoline to other code of ftrace it is ftrace in any case. */
static gboolean
is_branch_to_unnamed_ftrace (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;
  gboolean before = c->before.has_target && c->before.target.role == PEN_ROLE_FTRACE;
  gboolean after = c->after.has_target && c->after.target.role == PEN_ROLE_FTRACE;

  return is_branch_to_ftrace (q) && before != after
         && pen_spot_is_unnamed_ftrace (before ? &c->before.target : &c->after.target);
}

static gboolean
is_branch_to_livepatch (const PenCauseQuestion *q)
{
  return pen_poke_case_is_replaced (q->c) && has_branch (q->c)
         && pen_poke_case_leads_to (q->c, PEN_ROLE_LIVEPATCH);
}

static gboolean
is_branch_to_likely_livepatch (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return is_branch_to_livepatch (q)
         && (c->before.target.is_user_inferred || c->after.target.is_user_inferred);
}

static gboolean
is_branch_to_bpf (const PenCauseQuestion *q)
{
  return pen_poke_case_is_replaced (q->c) && has_branch (q->c)
         && pen_poke_case_leads_to (q->c, PEN_ROLE_BPF);
}

static gboolean
is_branch_to_dispatcher (const PenCauseQuestion *q)
{
  return are_branches (q->c) && pen_poke_case_leads_to (q->c, PEN_ROLE_BPF_DISPATCHER_TEXT);
}

/* ---- static keys and calls ---- */

static gboolean
is_named_key (const PenCauseQuestion *q)
{
  return q->name && q->name->cause == PEN_CAUSE_STATIC_KEY && pen_poke_case_is_replaced (q->c);
}

static gboolean
is_named_call (const PenCauseQuestion *q)
{
  return q->name && q->name->cause == PEN_CAUSE_STATIC_CALL && pen_poke_case_is_replaced (q->c);
}

static gboolean
is_nop_and_jump (const PenCauseQuestion *q)
{
  return pen_poke_case_is_pair (q->c, PEN_FORM_NOP, PEN_FORM_JUMP);
}

static gboolean
is_jump_within_function (const PenCauseQuestion *q)
{
  return is_nop_and_jump (q)
         && pen_spot_is_same_function (&q->c->site, &get_side (q->c, PEN_FORM_JUMP)->target);
}

/* Hand-written code jumps from one symbol to the next; nothing else there turns nops into jumps. */
static gboolean
is_jump_within_text (const PenCauseQuestion *q)
{
  return is_nop_and_jump (q) && pen_spot_is_text (&q->c->site)
         && pen_spot_is_text (&get_side (q->c, PEN_FORM_JUMP)->target);
}

static gboolean
is_short_jump (const PenCauseQuestion *q)
{
  return is_nop_and_jump (q) && q->c->poke->new_length == 2;
}

static gboolean
is_static_trampoline (const PenCauseQuestion *q)
{
  return pen_spot_is_text (&q->c->site) && pen_spot_get_static_call (&q->c->site)
         && pen_poke_case_is_replaced (q->c);
}

/* Only its sites call it; loading a module points its sites to the trampoline's target. */
static gboolean
is_call_of_static_trampoline (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return pen_poke_case_is_replaced (c)
         && ((c->before.has_target && pen_spot_get_static_call (&c->before.target))
             || (c->after.has_target && pen_spot_get_static_call (&c->after.target)));
}

static gboolean
is_static_call (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return pen_spot_is_text (&c->site)
         && !(c->before.has_target && !pen_spot_is_text (&c->before.target))
         && !(c->after.has_target && !pen_spot_is_text (&c->after.target))
         && pen_poke_case_is_static_call (c);
}

static gboolean
is_known_static_call (const PenCauseQuestion *q)
{
  return is_static_call (q) && q->c->site.function_start != 0;
}

/* Without names. */
static gboolean
is_jump_to_jump (const PenCauseQuestion *q)
{
  return is_static_call (q) && q->c->before.form == PEN_FORM_JUMP
         && q->c->after.form == PEN_FORM_JUMP;
}

static gboolean
is_jump_to_jump_in_unknown (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return c->site.role == PEN_ROLE_UNKNOWN && pen_static_call_fits (c)
         && c->before.form == PEN_FORM_JUMP && c->after.form == PEN_FORM_JUMP;
}

static gboolean
is_lonely_call (const PenCauseQuestion *q)
{
  return is_static_call (q) && q->c->before.form == PEN_FORM_CALL
         && q->c->after.form == PEN_FORM_CALL;
}

static gboolean
is_first_of_function (const PenSide *side)
{
  return side->has_target && side->target.function_start == side->target.address;
}

/* Both functions are known, and the site is not where ftrace writes. */
static gboolean
is_call_between_functions (const PenCauseQuestion *q)
{
  return is_static_call (q) && q->c->before.form == q->c->after.form
         && is_first_of_function (&q->c->before) && is_first_of_function (&q->c->after)
         && q->c->site.function_start != 0 && !pen_spot_is_entry (&q->c->site);
}

/* ---- entries of functions, where little is known of what they call ---- */

/* Recorders let a module's map cover the memory after it. */
static gboolean
is_without_name (const PenSpot *spot)
{
  return spot->role == PEN_ROLE_UNKNOWN
         || (spot->kind == PEN_KIND_MODULE && spot->function_start == 0);
}

/* Out-of-line memory whose ksymbol was lost. Static calls go to functions of the kernel and of
 * modules. */
static gboolean
is_call_into_unknown (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return pen_spot_is_text (&c->site) && pen_spot_is_entry (&c->site)
         && pen_poke_case_is_pair (c, PEN_FORM_NOP, PEN_FORM_CALL)
         && is_without_name (&get_side (c, PEN_FORM_CALL)->target);
}

static gboolean
is_call_via_unknown (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return pen_spot_is_text (&c->site) && pen_spot_is_entry (&c->site)
         && c->before.form == PEN_FORM_CALL && c->after.form == PEN_FORM_CALL
         && (is_without_name (&c->before.target) || is_without_name (&c->after.target));
}

/* The same where the kernel's names are unknown. */
static gboolean
is_nameless_call_into_unknown (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return pen_spot_is_text (&c->site) && c->site.function_start == 0
         && pen_poke_case_is_pair (c, PEN_FORM_NOP, PEN_FORM_CALL)
         && get_side (c, PEN_FORM_CALL)->target.role == PEN_ROLE_UNKNOWN;
}

/* In an unrecorded module. */
static gboolean
is_call_between_unknown (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;

  return c->site.role == PEN_ROLE_UNKNOWN && pen_poke_case_is_pair (c, PEN_FORM_NOP, PEN_FORM_CALL)
         && get_side (c, PEN_FORM_CALL)->target.role == PEN_ROLE_UNKNOWN;
}

static gboolean
is_jump_between_unknown (const PenCauseQuestion *q)
{
  const PenPokeCase *c = q->c;
  const PenSpot *target;

  if (c->site.role != PEN_ROLE_UNKNOWN || !is_nop_and_jump (q))
    return FALSE;
  target = &get_side (c, PEN_FORM_JUMP)->target;
  return target->role == PEN_ROLE_UNKNOWN
         && MAX (target->address, c->site.address) - MIN (target->address, c->site.address)
                <= LONGEST_JUMP;
}

static gboolean
fits_always (G_GNUC_UNUSED const PenCauseQuestion *q)
{
  return TRUE;
}

/* Of a change that a witness saw, and no record. */
static gboolean
is_unannounced (const PenCauseQuestion *question)
{
  return question->c->poke->cause == PEN_CAUSE_UNANNOUNCED;
}

/* ---- the rules ---- */

#define CERTAIN PEN_CONFIDENCE_CERTAIN
#define LIKELY PEN_CONFIDENCE_LIKELY
#define GUESS PEN_CONFIDENCE_GUESS
#define NOTHING PEN_NEEDS_NOTHING
#define SITE PEN_NEEDS_SITE
#define TARGETS PEN_NEEDS_TARGETS
#define BOTH (PEN_NEEDS_SITE | PEN_NEEDS_TARGETS)

/* In the order in which they are asked; the last one fits always. */
static const PenCauseRule rules[] = {
  { is_unannounced, "unannounced", PEN_CAUSE_UNANNOUNCED, CERTAIN, 0,
    N_ ("The kernel read other bytes here. The change has no record.") },
  { is_in_detours, "detour memory", PEN_CAUSE_OPTPROBE, CERTAIN, SITE,
    N_ ("The detours of optimised probes lie in this memory.") },
  { is_in_slots, "probe slot", PEN_CAUSE_KPROBE, CERTAIN, SITE,
    N_ ("The instructions that probes displaced lie in this memory.") },
  { is_in_bpf, "bpf memory", PEN_CAUSE_BPF, CERTAIN, SITE,
    N_ ("A BPF program, trampoline or dispatcher lies in this memory.") },
  { is_in_unnamed_ftrace_memory, "unnamed ftrace memory", PEN_CAUSE_FTRACE, LIKELY, SITE,
    N_ ("A trampoline of ftrace with an unknown user lies in this memory: it may be a live "
        "patch.") },
  { is_in_ftrace_memory, "ftrace memory", PEN_CAUSE_FTRACE, CERTAIN, SITE,
    N_ ("A trampoline of ftrace lies in this memory.") },
  { is_in_likely_livepatch_memory, "likely livepatch memory", PEN_CAUSE_LIVEPATCH, LIKELY, SITE,
    N_ ("A trampoline of ftrace of the form that only live patches have lies in this memory.") },
  { is_in_livepatch_memory, "livepatch memory", PEN_CAUSE_LIVEPATCH, CERTAIN, SITE,
    N_ ("A trampoline of ftrace that calls klp_ftrace_handler lies in this memory.") },
  { is_call_of_ftrace, "ftrace's own call", PEN_CAUSE_FTRACE, CERTAIN, SITE,
    N_ ("ftrace's call of its tracer is at this place.") },
  { is_jump_to_detour, "jump to a detour", PEN_CAUSE_OPTPROBE, CERTAIN, TARGETS,
    N_ ("Only an optimised probe jumps to a detour.") },
  { is_breakpoint_and_jump, "breakpoint and jump", PEN_CAUSE_OPTPROBE, CERTAIN, NOTHING,
    N_ ("A probe's breakpoint and a jump replace each other only where a probe is optimised.") },
  { is_one_breakpoint, "breakpoint", PEN_CAUSE_KPROBE, CERTAIN, NOTHING,
    N_ ("A probe replaces one byte by a breakpoint, and restores it.") },
  { is_breakpoint, "breakpoint and text", PEN_CAUSE_KPROBE, LIKELY, NOTHING,
    N_ ("A breakpoint belongs to a probe, but probes usually change one byte.") },
  { is_jump_undone, "jump undone", PEN_CAUSE_OPTPROBE, LIKELY, NOTHING,
    N_ ("Text replaced a jump where a probe's breakpoint had been.") },
  { is_dispatcher, "dispatcher", PEN_CAUSE_BPF, CERTAIN, SITE,
    N_ ("The jump of a BPF dispatcher is at this place.") },
  { is_trampoline_replaced, "trampoline replaced", PEN_CAUSE_BPF, CERTAIN, TARGETS,
    N_ ("The call led from one BPF trampoline to another via ftrace.") },
  { is_shared_entry, "entry shared with ftrace", PEN_CAUSE_BPF, LIKELY, TARGETS,
    N_ ("ftrace shares this entry with a BPF trampoline.") },
  { is_branch_to_unnamed_ftrace, "branch to unnamed ftrace", PEN_CAUSE_FTRACE, LIKELY, TARGETS,
    N_ ("The call leads to a trampoline of ftrace with an unknown user: it may be a live patch.") },
  { is_branch_to_ftrace, "branch to ftrace", PEN_CAUSE_FTRACE, CERTAIN, TARGETS,
    N_ ("The call leads to code of ftrace.") },
  { is_branch_to_bpf, "branch to bpf", PEN_CAUSE_BPF, CERTAIN, TARGETS,
    N_ ("The branch leads to a BPF program, trampoline or dispatcher.") },
  { is_branch_to_likely_livepatch, "branch to a likely live patch", PEN_CAUSE_LIVEPATCH, LIKELY,
    TARGETS,
    N_ ("The call leads to a trampoline of ftrace of the form that only live patches have.") },
  { is_branch_to_livepatch, "branch to a live patch", PEN_CAUSE_LIVEPATCH, CERTAIN, TARGETS,
    N_ ("The call leads to a trampoline of ftrace that calls klp_ftrace_handler.") },
  { is_branch_to_dispatcher, "branch to a dispatcher", PEN_CAUSE_BPF, LIKELY, TARGETS,
    N_ ("The branch leads to a BPF dispatcher.") },
  { is_call_into_unknown, "call at the entry", PEN_CAUSE_FTRACE, LIKELY, BOTH,
    N_ ("At a function's entry, a call to unnamed memory leads to a trampoline of ftrace.") },
  { is_call_via_unknown, "moved call at the entry", PEN_CAUSE_FTRACE, GUESS, BOTH,
    N_ ("At a function's entry, the target of a call is or was unnamed memory.") },
  { is_named_key, "key of the table", PEN_CAUSE_STATIC_KEY, CERTAIN, SITE,
    N_ ("The kernel's table of static keys contains this place.") },
  { is_named_call, "call of the table", PEN_CAUSE_STATIC_CALL, CERTAIN, SITE,
    N_ ("The kernel's table of static calls contains this place.") },
  { is_nameless_call_into_unknown, "call without names", PEN_CAUSE_FTRACE, LIKELY, BOTH,
    N_ ("A call from kernel text to unnamed memory leads to a trampoline of ftrace.") },
  { is_jump_within_function, "jump within the function", PEN_CAUSE_STATIC_KEY, CERTAIN, BOTH,
    N_ ("A nop and a jump within one function replace each other only for a static key.") },
  { is_jump_within_text, "jump within the text", PEN_CAUSE_STATIC_KEY, LIKELY, BOTH,
    N_ ("A nop and a jump within the kernel's text replace each other for a static key.") },
  { is_short_jump, "short jump", PEN_CAUSE_STATIC_KEY, LIKELY, NOTHING,
    N_ ("Only a static key has jumps of two bytes.") },
  { is_static_trampoline, "static call trampoline", PEN_CAUSE_STATIC_CALL, CERTAIN, SITE,
    N_ ("This is the trampoline of a static call.") },
  { is_call_of_static_trampoline, "call of a trampoline", PEN_CAUSE_STATIC_CALL, CERTAIN, TARGETS,
    N_ ("Only the sites of a static call call its trampoline.") },
  { is_call_between_functions, "call between functions", PEN_CAUSE_STATIC_CALL, CERTAIN, BOTH,
    N_ ("Only a static call changes from one function of the kernel to another.") },
  { is_known_static_call, "call", PEN_CAUSE_STATIC_CALL, LIKELY, BOTH,
    N_ ("The site of a static call contains a call or its replacement.") },
  { is_jump_to_jump, "jump to jump", PEN_CAUSE_STATIC_CALL, LIKELY, BOTH,
    N_ ("A jump with a new target is a static call's trampoline or a tail call.") },
  { pen_static_call_is_after_trampoline, "call after its trampoline", PEN_CAUSE_STATIC_CALL, LIKELY,
    BOTH, N_ ("A static call's trampoline changed between the same targets just before.") },
  { pen_static_call_is_trampoline, "trampoline before its calls", PEN_CAUSE_STATIC_CALL, LIKELY,
    BOTH, N_ ("The same task changed calls between the same targets just after.") },
  { pen_static_call_is_of_later_trampoline, "call of a later trampoline", PEN_CAUSE_STATIC_CALL,
    LIKELY, BOTH,
    N_ ("It called a jump that led to the new target: the trampoline of a static call.") },
  { is_lonely_call, "lonely call", PEN_CAUSE_FTRACE, GUESS, BOTH,
    N_ ("An unnamed call got a new target, and no static call's trampoline changed before it.") },
  { is_static_call, "stand-in without a name", PEN_CAUSE_STATIC_CALL, GUESS, BOTH,
    N_ ("At an unnamed place, a call and a static call's replacement replaced each other.") },
  { is_jump_to_jump_in_unknown, "jump to jump in unknown memory", PEN_CAUSE_STATIC_CALL, GUESS,
    BOTH, N_ ("A jump got a new target where an unrecorded module may be.") },
  { is_call_between_unknown, "call in unknown memory", PEN_CAUSE_FTRACE, GUESS, BOTH,
    N_ ("A nop and a call replace each other where an unrecorded module may be.") },
  { is_jump_between_unknown, "jump in unknown memory", PEN_CAUSE_STATIC_KEY, GUESS, BOTH,
    N_ ("A nop and a near jump replace each other where an unrecorded module may be.") },
  { fits_always, "none", PEN_CAUSE_UNKNOWN, PEN_CONFIDENCE_NONE, NOTHING,
    N_ ("No rule fits this change.") },
};

const PenCauseRule *
pen_cause_question_answer (const PenCauseQuestion *question)
{
  const PenCauseRule *rule = rules;

  while (!rule->fits (question))
    rule++;
  return rule;
}

const PenCauseRule *
pen_cause_find_rule (const char *name)
{
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (rules) && strcmp (rules[i].name, name) != 0)
    i++;
  return &rules[i];
}

char *
pen_cause_explain (const char *name, PenConfidence confidence)
{
  const PenCauseRule *rule = pen_cause_find_rule (name);

  if (confidence >= rule->confidence)
    return g_strdup (_ (rule->why));
  return g_strdup_printf ("%s %s", _ (rule->why), _ ("The occupant there is not certain."));
}
