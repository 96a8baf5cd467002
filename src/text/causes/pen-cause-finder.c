/* pen-cause-finder.c: why was this patched?
 *
 * What writes text_poke records on x86: text_poke_bp_batch() for static keys, static calls, ftrace,
 * optprobes and BPF (arch/x86/kernel/alternative.c), and by themselves kprobes and what fills
 * memory out of line. Other machines write none (Linux 5.9 to 7.2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-finder.h"

#include <string.h>

/* How far back the breakpoint before a jump is looked for, in pokes. */
#define LOOK_BACK 4096u
/* A static call has this many sites at most that are told by its trampoline. */
#define TRAMPOLINE_LOOK_BACK 256u
/* Within a function, in bytes. */
#define LONGEST_JUMP 65536u
#define TRAMPOLINE_PREFIX "__SCT__"
#define TRACEPOINT_PREFIX "__tracepoint_"

typedef struct {
  const PenPokeCase *c;
  const PenPoke *pokes;
  guint index;
  const PenSiteName *name; /* NULL: no table names the site */
} Question;

typedef gboolean (*Fits) (const Question *q);

gboolean
pen_cause_is_recorded (const char *arch)
{
  return !arch || *arch == '\0' || g_str_has_prefix (arch, "x86")
         || (arch[0] == 'i' && g_str_has_suffix (arch, "86"));
}

/* ---- what rules ask for ---- */

static gboolean
is_replaced (const PenPokeCase *c)
{
  return c->poke->old_length > 0 && c->poke->new_length > 0;
}

static gboolean
either_leads_to (const PenPokeCase *c, PenSpotRole role)
{
  return (c->before.has_target && c->before.target.role == role)
         || (c->after.has_target && c->after.target.role == role);
}

static gboolean
is_pair (const PenPokeCase *c, PenSideForm a, PenSideForm b)
{
  return (c->before.form == a && c->after.form == b) || (c->before.form == b && c->after.form == a);
}

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

static gboolean
is_trampoline (const PenSpot *spot)
{
  return spot->function_name && g_str_has_prefix (spot->function_name, TRAMPOLINE_PREFIX);
}

/* ---- memory that has one use ---- */

static gboolean
is_in_detours (const Question *q)
{
  return q->c->site.role == PEN_ROLE_OPTPROBE_DETOUR;
}

static gboolean
is_in_slots (const Question *q)
{
  return q->c->site.role == PEN_ROLE_KPROBE_SLOT;
}

static gboolean
is_in_bpf (const Question *q)
{
  return q->c->site.role == PEN_ROLE_BPF;
}

static gboolean
is_in_ftrace_memory (const Question *q)
{
  return q->c->site.role == PEN_ROLE_FTRACE && q->c->site.kind == PEN_KIND_STUB;
}

static gboolean
is_call_of_ftrace (const Question *q)
{
  return q->c->site.role == PEN_ROLE_FTRACE && is_replaced (q->c) && has_branch (q->c);
}

/* ---- probes ---- */

static gboolean
is_jump_to_detour (const Question *q)
{
  return is_replaced (q->c) && either_leads_to (q->c, PEN_ROLE_OPTPROBE_DETOUR);
}

static gboolean
is_breakpoint_and_jump (const Question *q)
{
  return is_pair (q->c, PEN_FORM_BREAKPOINT, PEN_FORM_JUMP) && q->c->poke->old_length > 1;
}

static gboolean
is_breakpoint (const Question *q)
{
  return is_replaced (q->c)
         && (q->c->before.form == PEN_FORM_BREAKPOINT || q->c->after.form == PEN_FORM_BREAKPOINT);
}

static gboolean
is_one_breakpoint (const Question *q)
{
  return is_breakpoint (q) && q->c->poke->old_length == 1 && q->c->poke->new_length == 1;
}

/* A probe's breakpoint, written over the site shortly before. */
static gboolean
had_breakpoint (const Question *q)
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
is_jump_undone (const Question *q)
{
  return q->c->before.form == PEN_FORM_JUMP && q->c->after.form == PEN_FORM_OTHER
         && q->c->poke->new_length > 0 && had_breakpoint (q);
}

/* ---- tracing and BPF ---- */

static gboolean
is_dispatcher (const Question *q)
{
  return q->c->site.role == PEN_ROLE_BPF_DISPATCHER_TEXT && q->c->before.form == PEN_FORM_JUMP
         && q->c->after.form == PEN_FORM_JUMP;
}

/* A call that changes hands between the two is ftrace's doing: BPF attaches through it. */
static gboolean
is_branch_to_ftrace (const Question *q)
{
  return is_replaced (q->c) && has_branch (q->c) && either_leads_to (q->c, PEN_ROLE_FTRACE);
}

static gboolean
is_branch_to_bpf (const Question *q)
{
  return is_replaced (q->c) && has_branch (q->c) && either_leads_to (q->c, PEN_ROLE_BPF);
}

static gboolean
is_branch_to_dispatcher (const Question *q)
{
  return are_branches (q->c) && either_leads_to (q->c, PEN_ROLE_BPF_DISPATCHER_TEXT);
}

/* ---- static keys and calls ---- */

static gboolean
is_named_key (const Question *q)
{
  return q->name && q->name->cause == PEN_CAUSE_STATIC_KEY && is_replaced (q->c);
}

static gboolean
is_named_call (const Question *q)
{
  return q->name && q->name->cause == PEN_CAUSE_STATIC_CALL && is_replaced (q->c);
}

static gboolean
is_nop_and_jump (const Question *q)
{
  return is_pair (q->c, PEN_FORM_NOP, PEN_FORM_JUMP);
}

static gboolean
is_jump_within_function (const Question *q)
{
  return is_nop_and_jump (q)
         && pen_spot_is_same_function (&q->c->site, &get_side (q->c, PEN_FORM_JUMP)->target);
}

/* Hand-written code jumps from one symbol into the next; nothing else there turns nops into jumps.
 */
static gboolean
is_jump_within_text (const Question *q)
{
  return is_nop_and_jump (q) && pen_spot_is_text (&q->c->site)
         && pen_spot_is_text (&get_side (q->c, PEN_FORM_JUMP)->target);
}

static gboolean
is_short_jump (const Question *q)
{
  return is_nop_and_jump (q) && q->c->poke->new_length == 2;
}

static gboolean
is_static_trampoline (const Question *q)
{
  return pen_spot_is_text (&q->c->site) && is_trampoline (&q->c->site) && is_replaced (q->c);
}

/* Nothing but its sites calls it; a module that is loaded has its sites led to where it leads. */
static gboolean
is_call_of_static_trampoline (const Question *q)
{
  const PenPokeCase *c = q->c;

  return is_replaced (c)
         && ((c->before.has_target && is_trampoline (&c->before.target))
             || (c->after.has_target && is_trampoline (&c->after.target)));
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

/* What a static call's site can hold: a call or its stand-ins, or a tail call or its. */
static gboolean
is_static_call_pair (const PenPokeCase *c)
{
  PenSideForm a = c->before.form;
  PenSideForm b = c->after.form;

  if (is_pair (c, PEN_FORM_NOP, PEN_FORM_CALL) || is_pair (c, PEN_FORM_RETURN_ZERO, PEN_FORM_CALL)
      || is_pair (c, PEN_FORM_RETURN_ZERO, PEN_FORM_NOP)
      || is_pair (c, PEN_FORM_WARNING_TRAP, PEN_FORM_CALL)
      || is_pair (c, PEN_FORM_WARNING_TRAP, PEN_FORM_NOP)
      || is_pair (c, PEN_FORM_RETURN, PEN_FORM_JUMP) || is_cut_tail_call (c))
    return TRUE;
  return a == b && (is_branch (a) || a == PEN_FORM_CONDITIONAL_JUMP || a == PEN_FORM_RETURN_ZERO);
}

static gboolean
is_static_call (const Question *q)
{
  const PenPokeCase *c = q->c;

  return pen_spot_is_text (&c->site)
         && !(c->before.has_target && !pen_spot_is_text (&c->before.target))
         && !(c->after.has_target && !pen_spot_is_text (&c->after.target))
         && is_static_call_pair (c);
}

static gboolean
is_known_static_call (const Question *q)
{
  return is_static_call (q) && q->c->site.function_start != 0;
}

/* Where there are no names. */
static gboolean
is_jump_to_jump (const Question *q)
{
  return is_static_call (q) && q->c->before.form == PEN_FORM_JUMP
         && q->c->after.form == PEN_FORM_JUMP;
}

static gboolean
is_jump_to (guint64 address, const guint8 *bytes, gsize length, guint64 target)
{
  guint32 distance;

  if (length != 5 || bytes[0] != 0xe9)
    return FALSE;
  memcpy (&distance, bytes + 1, sizeof distance);
  return address + 5 + (guint64) (gint64) (gint32) GUINT32_FROM_LE (distance) == target;
}

/* A static call's trampoline is led elsewhere just before its sites are (static_call_update()). */
static gboolean
is_call_after_trampoline (const Question *q)
{
  const PenPokeCase *c = q->c;

  if (!is_static_call (q) || c->before.form != PEN_FORM_CALL || c->after.form != PEN_FORM_CALL)
    return FALSE;
  for (guint i = q->index; i-- > 0 && q->index - i <= TRAMPOLINE_LOOK_BACK;) {
    const PenPoke *poke = &q->pokes[i];

    if (poke->tid == c->poke->tid
        && is_jump_to (poke->address, poke->old_bytes, poke->old_length, c->before.target.address)
        && is_jump_to (poke->address, poke->new_bytes, poke->new_length, c->after.target.address))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_lonely_call (const Question *q)
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
is_call_between_functions (const Question *q)
{
  return is_static_call (q) && q->c->before.form == q->c->after.form
         && is_first_of_function (&q->c->before) && is_first_of_function (&q->c->after)
         && q->c->site.function_start != 0 && !pen_spot_is_entry (&q->c->site);
}

/* ---- entries of functions, where little is known of what they call ---- */

/* Recorders let a module's map reach over what lies behind it. */
static gboolean
is_without_name (const PenSpot *spot)
{
  return spot->role == PEN_ROLE_UNKNOWN
         || (spot->kind == PEN_KIND_MODULE && spot->function_start == 0);
}

/* Out-of-line memory whose ksymbol was lost. Static calls go to functions of the kernel and of
 * modules. */
static gboolean
is_call_into_unknown (const Question *q)
{
  const PenPokeCase *c = q->c;

  return pen_spot_is_text (&c->site) && pen_spot_is_entry (&c->site)
         && is_pair (c, PEN_FORM_NOP, PEN_FORM_CALL)
         && is_without_name (&get_side (c, PEN_FORM_CALL)->target);
}

static gboolean
is_call_via_unknown (const Question *q)
{
  const PenPokeCase *c = q->c;

  return pen_spot_is_text (&c->site) && pen_spot_is_entry (&c->site)
         && c->before.form == PEN_FORM_CALL && c->after.form == PEN_FORM_CALL
         && (is_without_name (&c->before.target) || is_without_name (&c->after.target));
}

/* The same where nobody knows the names of the kernel. */
static gboolean
is_nameless_call_into_unknown (const Question *q)
{
  const PenPokeCase *c = q->c;

  return pen_spot_is_text (&c->site) && c->site.function_start == 0
         && is_pair (c, PEN_FORM_NOP, PEN_FORM_CALL)
         && get_side (c, PEN_FORM_CALL)->target.role == PEN_ROLE_UNKNOWN;
}

/* In a module that was loaded unseen. */
static gboolean
is_call_between_unknown (const Question *q)
{
  const PenPokeCase *c = q->c;

  return c->site.role == PEN_ROLE_UNKNOWN && is_pair (c, PEN_FORM_NOP, PEN_FORM_CALL)
         && get_side (c, PEN_FORM_CALL)->target.role == PEN_ROLE_UNKNOWN;
}

static gboolean
is_jump_between_unknown (const Question *q)
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
fits_always (G_GNUC_UNUSED const Question *q)
{
  return TRUE;
}

/* ---- the rules ---- */

static const Fits fits[] = {
  is_in_detours,
  is_in_slots,
  is_in_bpf,
  is_in_ftrace_memory,
  is_call_of_ftrace,
  is_jump_to_detour,
  is_breakpoint_and_jump,
  is_one_breakpoint,
  is_breakpoint,
  is_jump_undone,
  is_dispatcher,
  is_branch_to_ftrace,
  is_branch_to_bpf,
  is_branch_to_dispatcher,
  is_call_into_unknown,
  is_call_via_unknown,
  is_named_key,
  is_named_call,
  is_nameless_call_into_unknown,
  is_jump_within_function,
  is_jump_within_text,
  is_short_jump,
  is_static_trampoline,
  is_call_of_static_trampoline,
  is_call_between_functions,
  is_known_static_call,
  is_jump_to_jump,
  is_call_after_trampoline,
  is_lonely_call,
  is_static_call,
  is_call_between_unknown,
  is_jump_between_unknown,
  fits_always,
};

#define CERTAIN PEN_CONFIDENCE_CERTAIN
#define LIKELY PEN_CONFIDENCE_LIKELY
#define GUESS PEN_CONFIDENCE_GUESS

static const PenCauseRule rules[] = {
  { "detour memory", PEN_CAUSE_OPTPROBE, CERTAIN,
    "The detours of optimised probes lie in this memory." },
  { "probe slot", PEN_CAUSE_KPROBE, CERTAIN,
    "The instructions that probes displaced lie in this memory." },
  { "bpf memory", PEN_CAUSE_BPF, CERTAIN,
    "A BPF program, trampoline or dispatcher lies in this memory." },
  { "ftrace memory", PEN_CAUSE_FTRACE, CERTAIN, "A trampoline of ftrace lies in this memory." },
  { "ftrace's own call", PEN_CAUSE_FTRACE, CERTAIN,
    "ftrace keeps the call of its tracer at this place." },
  { "jump to a detour", PEN_CAUSE_OPTPROBE, CERTAIN,
    "An optimised probe jumps into such a detour." },
  { "breakpoint and jump", PEN_CAUSE_OPTPROBE, CERTAIN,
    "A probe's breakpoint and a jump take turns only where a probe is optimised." },
  { "breakpoint", PEN_CAUSE_KPROBE, CERTAIN,
    "One byte that becomes a breakpoint, or comes back, is a probe's." },
  { "breakpoint and text", PEN_CAUSE_KPROBE, LIKELY,
    "A breakpoint is a probe's, but probes change one byte as a rule." },
  { "jump undone", PEN_CAUSE_OPTPROBE, LIKELY,
    "A jump gave way to text where a probe's breakpoint had been." },
  { "dispatcher", PEN_CAUSE_BPF, CERTAIN, "The jump of a BPF dispatcher is at this place." },
  { "branch to ftrace", PEN_CAUSE_FTRACE, CERTAIN, "The call leads to code of ftrace." },
  { "branch to bpf", PEN_CAUSE_BPF, CERTAIN,
    "The branch leads to a BPF program, trampoline or dispatcher." },
  { "branch to a dispatcher", PEN_CAUSE_BPF, LIKELY, "The branch leads to a BPF dispatcher." },
  { "call at the entry", PEN_CAUSE_FTRACE, LIKELY,
    "At a function's entry, a call to memory without a name is to a trampoline of ftrace." },
  { "moved call at the entry", PEN_CAUSE_FTRACE, GUESS,
    "At a function's entry a call went to, or came from, memory without a name." },
  { "key of the table", PEN_CAUSE_STATIC_KEY, CERTAIN,
    "The kernel's table of static keys has this place." },
  { "call of the table", PEN_CAUSE_STATIC_CALL, CERTAIN,
    "The kernel's table of static calls has this place." },
  { "call without names", PEN_CAUSE_FTRACE, LIKELY,
    "A call from kernel text to memory without a name is to a trampoline of ftrace." },
  { "jump within the function", PEN_CAUSE_STATIC_KEY, CERTAIN,
    "A nop and a jump within the same function take turns only for a static key." },
  { "jump within the text", PEN_CAUSE_STATIC_KEY, LIKELY,
    "A nop and a jump within the kernel's text take turns for a static key." },
  { "short jump", PEN_CAUSE_STATIC_KEY, LIKELY,
    "A jump of two bytes is too short for anything but a static key." },
  { "static call trampoline", PEN_CAUSE_STATIC_CALL, CERTAIN,
    "This is the trampoline of a static call." },
  { "call of a trampoline", PEN_CAUSE_STATIC_CALL, CERTAIN,
    "Only the sites of a static call call its trampoline." },
  { "call between functions", PEN_CAUSE_STATIC_CALL, CERTAIN,
    "Only a static call goes from one of the kernel's functions to another." },
  { "call", PEN_CAUSE_STATIC_CALL, LIKELY,
    "A static call's site holds a call, or what stands for it." },
  { "jump to jump", PEN_CAUSE_STATIC_CALL, LIKELY,
    "A jump that goes elsewhere is the trampoline of a static call, or a tail call." },
  { "call after its trampoline", PEN_CAUSE_STATIC_CALL, LIKELY,
    "A jump was led from and to the same places just before: the static call's trampoline." },
  { "lonely call", PEN_CAUSE_FTRACE, GUESS,
    "A call without a name was led elsewhere, and no trampoline of a static call before it." },
  { "stand-in without a name", PEN_CAUSE_STATIC_CALL, GUESS,
    "A call took turns with what stands for a static call, at a place without a name." },
  { "call in unknown memory", PEN_CAUSE_FTRACE, GUESS,
    "A nop and a call take turns where a module may have been loaded unseen." },
  { "jump in unknown memory", PEN_CAUSE_STATIC_KEY, GUESS,
    "A nop and a near jump take turns where a module may have been loaded unseen." },
  { "none", PEN_CAUSE_UNKNOWN, PEN_CONFIDENCE_NONE,
    "Nothing that is known of the place tells who patches there." },
};

G_STATIC_ASSERT (G_N_ELEMENTS (fits) == G_N_ELEMENTS (rules));

const PenCauseRule *
pen_cause_get_rule (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (rules), &rules[G_N_ELEMENTS (rules) - 1]);
  return &rules[index];
}

guint
pen_cause_count_rules (void)
{
  return G_N_ELEMENTS (rules);
}

const PenCauseRule *
pen_cause_find_rule (const char *name)
{
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (rules) && strcmp (rules[i].name, name) != 0)
    i++;
  return &rules[i];
}

static const PenCauseRule *
find_rule (const Question *q)
{
  guint i = 0;

  while (!fits[i](q))
    i++;
  return &rules[i];
}

/* ---- names ---- */

/* The key of a tracepoint is a field of that variable: "__tracepoint_sched_switch+0x8". */
static char *
make_name (const char *name)
{
  const char *plus = strchr (name, '+');

  if (plus && g_str_has_prefix (name, TRACEPOINT_PREFIX))
    return g_strndup (name, (gsize) (plus - name));
  return g_strdup (name);
}

static PenSwitch
find_switch (const PenPokeCase *c, const PenCauseRule *rule, const PenSiteName *name)
{
  gboolean is_jump = c->after.form == PEN_FORM_JUMP;

  if (!name || rule->cause != PEN_CAUSE_STATIC_KEY || name->cause != PEN_CAUSE_STATIC_KEY
      || c->poke->effect != PEN_POKE_PATCH || !is_pair (c, PEN_FORM_NOP, PEN_FORM_JUMP))
    return PEN_SWITCH_UNKNOWN;
  return is_jump != name->jumps_when_off ? PEN_SWITCH_ON : PEN_SWITCH_OFF;
}

/* A static call's own name is that of its trampoline. */
static char *
find_key (const PenPokeCase *c, const PenCauseRule *rule, const PenSiteName *name)
{
  if (name && name->cause == rule->cause)
    return make_name (name->name);
  if (rule->cause == PEN_CAUSE_STATIC_CALL && is_trampoline (&c->site))
    return g_strdup (c->site.function_name + strlen (TRAMPOLINE_PREFIX));
  return NULL;
}

PenCauseVerdict
pen_cause_find (const PenPoke *pokes, guint n_pokes, guint index, PenDecoder *decoder,
                const PenCauseSources *sources)
{
  const PenPoke *poke = &pokes[index];
  PenCauseVerdict verdict = { .rule = &rules[G_N_ELEMENTS (rules) - 1] };
  PenPokeCase c;
  PenSiteName name;
  Question question = { .c = &c, .pokes = pokes, .index = index };

  g_return_val_if_fail (index < n_pokes, verdict);

  pen_poke_case_init (&c, poke, decoder, sources->find_place, sources->user_data);
  if (sources->find_name
      && sources->find_name (poke->address, poke->moment, &name, sources->user_data))
    question.name = &name;

  verdict.rule = find_rule (&question);
  verdict.key = find_key (&c, verdict.rule, question.name);
  verdict.switched = find_switch (&c, verdict.rule, question.name);
  verdict.is_at_entry = pen_spot_is_text (&c.site) && c.site.address == c.site.function_start;
  verdict.is_entry = pen_spot_is_text (&c.site) && pen_spot_is_entry (&c.site);
  verdict.role = c.site.role;
  verdict.function = c.site.function_start;
  verdict.site = g_strdup (c.site.label);
  verdict.entry = verdict.is_entry ? g_strdup (c.site.function_name) : NULL;
  verdict.before_target = g_strdup (c.before.target.label);
  verdict.target = g_strdup (c.after.target.label);
  verdict.before_form = c.before.form;
  verdict.after_form = c.after.form;
  verdict.before = c.before.target.address;
  verdict.after = c.after.target.address;

  pen_poke_case_clear (&c);
  return verdict;
}

void
pen_cause_verdict_clear (PenCauseVerdict *verdict)
{
  g_clear_pointer (&verdict->key, g_free);
  g_clear_pointer (&verdict->site, g_free);
  g_clear_pointer (&verdict->entry, g_free);
  g_clear_pointer (&verdict->before_target, g_free);
  g_clear_pointer (&verdict->target, g_free);
}

void
pen_cause_verdict_fill (const PenCauseVerdict *self, PenPoke *poke)
{
  poke->cause = self->rule->cause;
  poke->confidence = self->rule->confidence;
  poke->rule = self->rule->name;
  poke->key = self->key;
  poke->site = self->site;
  poke->is_at_entry = self->is_at_entry;
  poke->before = (PenPokeSide){ self->before_form, self->before_target };
  poke->after = (PenPokeSide){ self->after_form, self->target };
}
