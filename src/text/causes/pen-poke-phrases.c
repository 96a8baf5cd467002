/* pen-poke-phrases.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke-phrases.h"

#include <glib/gi18n-lib.h>

#define TRACEPOINT_PREFIX "__tracepoint_"

/* A store may leave strings out. */
static const char *
get_text (const char *text)
{
  return text ? text : "";
}

/* ---- who uses a trampoline ---- */

/* Functions of the kernel that trampolines of ftrace call. */
static const struct {
  const char *function;
  const char *name;
} users[] = {
  { "function_trace_call", N_ ("function tracer") },
  { "function_stack_trace_call", N_ ("function tracer") },
  { "ftrace_graph_func", N_ ("function graph tracer") },
  { "ftrace_graph_caller", N_ ("function graph tracer") },
  { "function_profile_call", N_ ("function profiler") },
  { "stack_trace_call", N_ ("stack tracer") },
  { "perf_ftrace_function_call", N_ ("function event of perf") },
  { "kprobe_ftrace_handler", N_ ("kprobe by ftrace") },
  { "fprobe_handler", N_ ("fprobe") },
  { "fprobe_kprobe_handler", N_ ("fprobe") },
  { "klp_ftrace_handler", N_ ("live patch") },
  { "call_direct_funcs", N_ ("direct calls, as of BPF") },
  { "ftrace_ops_list_func", N_ ("several users") },
  { "arch_ftrace_ops_list_func", N_ ("several users") },
};

static void
add_user (GString *text, const char *user)
{
  const char *name = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (users) && !name; i++)
    name = g_str_equal (users[i].function, user) ? _ (users[i].name) : NULL;
  g_string_append_c (text, ' ');
  if (name)
    g_string_append_printf (text, _ ("The trampoline calls %s (%s)."), user, name);
  else
    g_string_append_printf (text, _ ("The trampoline calls %s."), user);
}

/* Takes @sentence. */
static char *
add_users (char *sentence, const char *user, const char *programs, const char *replacement,
           const char *purpose)
{
  g_autoptr (GString) text = g_string_new (sentence);

  g_free (sentence);
  if (user)
    add_user (text, user);
  if (programs) {
    g_string_append_c (text, ' ');
    g_string_append_printf (text, _ ("Programs loaded for this function: %s."), programs);
  }
  if (replacement) {
    g_string_append_c (text, ' ');
    g_string_append_printf (text, _ ("Live patch: %s."), replacement);
  }
  if (purpose) {
    g_string_append_c (text, ' ');
    g_string_append_printf (text, _ ("For %s (recorder's snapshot)."), purpose);
  }
  return g_strdup (text->str);
}

/* ---- one poke ---- */

static char *
describe_side (const PenPokeSide *side, const guint8 *bytes, guint length)
{
  switch (side->form) {
  case PEN_FORM_NOP:
    return g_strdup_printf (_ ("a %u-byte nop"), length);
  case PEN_FORM_CALL:
    return g_strdup_printf (_ ("a call to %s"), get_text (side->target));
  case PEN_FORM_JUMP:
    return g_strdup_printf (_ ("a jump to %s"), get_text (side->target));
  case PEN_FORM_CONDITIONAL_JUMP:
    return side->target ? g_strdup_printf (_ ("a conditional jump to %s"), side->target)
                        : g_strdup (_ ("a conditional jump to somewhere"));
  case PEN_FORM_RETURN:
    return g_strdup (_ ("a return"));
  case PEN_FORM_RETURN_ZERO:
    return g_strdup (_ ("a result of 0 in place of a call"));
  case PEN_FORM_WARNING_TRAP:
    return g_strdup (_ ("a trap for a warning in place of a call"));
  case PEN_FORM_BREAKPOINT:
    return g_strdup (_ ("a breakpoint"));
  case PEN_FORM_OTHER:
  case PEN_FORMS:
  default:
    break;
  }
  if (length == 1)
    return g_strdup_printf (_ ("the byte %02x"), bytes[0]);
  return g_strdup_printf (_ ("%u bytes of other text"), length);
}

/* A sentence begins with it. Takes @text. */
static char *
capitalize (char *text)
{
  gunichar first = g_utf8_get_char_validated (text, -1);
  GString *capitalized = g_string_new (NULL);

  if (first >= (gunichar) -2)
    first = (guchar) text[0];
  g_string_append_unichar (capitalized, g_unichar_toupper (first));
  g_string_append (capitalized, g_utf8_next_char (text));
  g_free (text);
  return g_string_free (capitalized, FALSE);
}

static char *
describe_change (const PenPoke *poke)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *where = NULL;

  if (!poke->site)
    return g_strdup (_ ("Instructions of this machine cannot be decoded here."));
  if (poke->old_length == 0)
    return g_strdup_printf (_ ("%u bytes were written at %s, where no text had been."),
                            poke->new_length, poke->site);
  if (poke->new_length == 0)
    return g_strdup_printf (_ ("%u bytes at %s were given up."), poke->old_length, poke->site);

  before = capitalize (describe_side (&poke->before, poke->old_bytes, poke->old_length));
  where = poke->is_at_entry ? g_strdup_printf (_ ("the entry of %s"), poke->site)
                            : g_strdup (poke->site);
  if (poke->effect == PEN_POKE_SAME && poke->cause != PEN_CAUSE_UNANNOUNCED)
    return g_strdup_printf (_ ("%s at %s was written again, unchanged."), before, where);
  after = describe_side (&poke->after, poke->new_bytes, poke->new_length);
  return g_strdup_printf (_ ("%s at %s became %s."), before, where, after);
}

char *
pen_poke_describe (const PenPoke *poke)
{
  return add_users (describe_change (poke), poke->after.user ? poke->after.user : poke->before.user,
                    poke->programs, poke->replacement, poke->purpose);
}

/* ---- a batch ---- */

/* "at vfs_read+0x1c" or "at 12 sites" */
static char *
describe_place (const PenBatch *batch)
{
  if (batch->n_sites == 1)
    /* Translators: ends a sentence, as "A probe was set by a breakpoint at vfs_read+0x1c." */
    return g_strdup_printf (C_ ("place", "at %s"), get_text (batch->site));
  return g_strdup_printf (ngettext ("at %u site", "at %u sites", batch->n_sites), batch->n_sites);
}

/* "75 nops became jumps, and a jump became a nop" */
static char *
describe_jumps (const PenBatch *batch)
{
  guint on = MIN (batch->n_jumps, batch->n_sites);
  guint off = batch->n_sites - on;
  g_autofree char *jumps
      = g_strdup_printf (ngettext ("a nop became a jump", "%u nops became jumps", on), on);
  g_autofree char *nops
      = g_strdup_printf (ngettext ("a jump became a nop", "%u jumps became nops", off), off);

  if (off == 0)
    return g_steal_pointer (&jumps);
  if (on == 0)
    return g_steal_pointer (&nops);
  return g_strdup_printf (_ ("%s, and %s"), jumps, nops);
}

static char *
describe_key (const PenBatch *batch, const char *where)
{
  g_autofree char *jumps = describe_jumps (batch);
  const char *name = batch->key;

  if (!name)
    return batch->action == PEN_ACTION_ON
               ? g_strdup_printf (_ ("A static key was switched on %s: %s."), where, jumps)
           : batch->action == PEN_ACTION_OFF
               ? g_strdup_printf (_ ("A static key was switched off %s: %s."), where, jumps)
               : g_strdup_printf (_ ("A static key was switched %s: %s."), where, jumps);
  if (g_str_has_prefix (name, TRACEPOINT_PREFIX)) {
    name += strlen (TRACEPOINT_PREFIX);
    return batch->action == PEN_ACTION_ON ? g_strdup_printf (
               _ ("The tracepoint %s was switched on %s: %s."), name, where, jumps)
           : batch->action == PEN_ACTION_OFF
               ? g_strdup_printf (_ ("The tracepoint %s was switched off %s: %s."), name, where,
                                  jumps)
               : g_strdup_printf (_ ("The tracepoint %s was switched %s: %s."), name, where, jumps);
  }
  return batch->action == PEN_ACTION_ON
             ? g_strdup_printf (_ ("The static key %s was switched on %s: %s."), name, where, jumps)
         : batch->action == PEN_ACTION_OFF
             ? g_strdup_printf (_ ("The static key %s was switched off %s: %s."), name, where,
                                jumps)
             : g_strdup_printf (_ ("The static key %s was switched %s: %s."), name, where, jumps);
}

static char *
describe_call (const PenBatch *batch, const char *where)
{
  if (batch->target)
    return batch->key ? g_strdup_printf (_ ("The static call %s was retargeted to %s %s."),
                                         batch->key, batch->target, where)
                      : g_strdup_printf (_ ("A static call was retargeted to %s %s."),
                                         batch->target, where);
  return batch->key
             ? g_strdup_printf (_ ("The static call %s was taken out %s."), batch->key, where)
             : g_strdup_printf (_ ("A static call was taken out %s."), where);
}

static char *
describe_ftrace (const PenBatch *batch, const char *where)
{
  const char *target = get_text (batch->target);
  guint n = batch->n_sites;

  switch (batch->action) {
  case PEN_ACTION_ATTACHED:
    return n == 1 ? g_strdup_printf (_ ("ftrace was attached to the entry of %s via %s."),
                                     get_text (batch->site), target)
                  : g_strdup_printf (ngettext ("ftrace was attached to %u function via %s.",
                                               "ftrace was attached to %u functions via %s.", n),
                                     n, target);
  case PEN_ACTION_DETACHED:
    return n == 1 ? g_strdup_printf (_ ("ftrace was taken off the entry of %s."),
                                     get_text (batch->site))
                  : g_strdup_printf (ngettext ("ftrace was taken off %u function.",
                                               "ftrace was taken off %u functions.", n),
                                     n);
  case PEN_ACTION_OWN_SET:
    return g_strdup_printf (_ ("ftrace's own call was retargeted to %s %s."), target, where);
  case PEN_ACTION_OWN_REMOVED:
    return g_strdup_printf (_ ("ftrace's own call was taken away %s."), where);
  case PEN_ACTION_SET:
    return g_strdup_printf (_ ("A call of ftrace was retargeted to %s %s."), target, where);
  default:
    return g_strdup_printf (_ ("A call of ftrace was taken away %s."), where);
  }
}

static char *
describe_livepatch (const PenBatch *batch, const char *where)
{
  const char *site = get_text (batch->site);
  guint n = batch->n_sites;

  switch (batch->action) {
  case PEN_ACTION_ATTACHED:
    return n == 1 ? g_strdup_printf (_ ("A live patch was put on %s."), site)
                  : g_strdup_printf (ngettext ("A live patch was put on %u function.",
                                               "A live patch was put on %u functions.", n),
                                     n);
  case PEN_ACTION_DETACHED:
    return n == 1 ? g_strdup_printf (_ ("A live patch was taken off %s."), site)
                  : g_strdup_printf (ngettext ("A live patch was taken off %u function.",
                                               "A live patch was taken off %u functions.", n),
                                     n);
  default:
    return g_strdup_printf (_ ("A call of live patching was changed %s."), where);
  }
}

static char *
describe_patch (const PenBatch *batch, const char *where)
{
  gboolean is_set = batch->action == PEN_ACTION_SET;

  switch (batch->cause) {
  case PEN_CAUSE_STATIC_KEY:
    return describe_key (batch, where);
  case PEN_CAUSE_STATIC_CALL:
    return describe_call (batch, where);
  case PEN_CAUSE_FTRACE:
    return describe_ftrace (batch, where);
  case PEN_CAUSE_LIVEPATCH:
    return describe_livepatch (batch, where);
  case PEN_CAUSE_KPROBE:
    return g_strdup_printf (is_set ? _ ("A probe was set by a breakpoint %s.")
                                   : _ ("A probe's breakpoint was taken away %s."),
                            where);
  case PEN_CAUSE_OPTPROBE:
    return g_strdup_printf (is_set ? _ ("A probe was optimised: a jump to a detour was put %s.")
                                   : _ ("A probe's jump to a detour was taken away %s."),
                            where);
  case PEN_CAUSE_BPF:
    return is_set ? g_strdup_printf (_ ("BPF's branch was retargeted to %s %s."),
                                     get_text (batch->target), where)
                  : g_strdup_printf (_ ("BPF's branch was taken away %s."), where);
  case PEN_CAUSE_UNANNOUNCED:
  case PEN_CAUSE_UNKNOWN:
  case PEN_CAUSES:
  default:
    return g_strdup_printf (_ ("Text was patched %s. The cause is unknown."), where);
  }
}

static char *
describe_batch (const PenBatch *batch)
{
  g_autofree char *where = describe_place (batch);

  if (batch->cause == PEN_CAUSE_UNANNOUNCED)
    return g_strdup_printf (_ ("Text changed %s without a record."), where);
  switch (batch->effect) {
  case PEN_POKE_FILL:
    return g_strdup_printf (_ ("Text was written where there had been none, %s."), where);
  case PEN_POKE_CLEAR:
    return g_strdup_printf (_ ("Text was given up %s."), where);
  case PEN_POKE_SAME:
    return g_strdup_printf (_ ("Text was written again, unchanged, %s."), where);
  case PEN_POKE_PATCH:
  case PEN_POKE_EFFECTS:
  default:
    return describe_patch (batch, where);
  }
}

char *
pen_batch_describe (const PenBatch *batch)
{
  return add_users (describe_batch (batch), batch->user, batch->programs, batch->replacement,
                    batch->purpose);
}
