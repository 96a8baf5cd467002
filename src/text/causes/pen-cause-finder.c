/* pen-cause-finder.c: why was this patched?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-finder.h"

#include <string.h>

#include "pen-cause-rules.h"

#define TRACEPOINT_PREFIX "__tracepoint_"

gboolean
pen_cause_is_recorded (const char *arch)
{
  return !arch || *arch == '\0' || g_str_has_prefix (arch, "x86")
         || (arch[0] == 'i' && g_str_has_suffix (arch, "86"));
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
      || c->poke->effect != PEN_POKE_PATCH
      || !pen_poke_case_is_pair (c, PEN_FORM_NOP, PEN_FORM_JUMP))
    return PEN_SWITCH_UNKNOWN;
  return is_jump != name->jumps_when_off ? PEN_SWITCH_ON : PEN_SWITCH_OFF;
}

/* A static call's own name is that of its trampoline. */
static char *
find_key (const PenPokeCase *c, const PenCauseRule *rule, const PenSiteName *name)
{
  if (name && name->cause == rule->cause)
    return make_name (name->name);
  if (rule->cause == PEN_CAUSE_STATIC_CALL)
    return g_strdup (pen_spot_get_static_call (&c->site));
  return NULL;
}

/* A place is as sure as what says who was there. */
static PenConfidence
find_confidence (const PenPokeCase *c, const PenCauseRule *rule)
{
  return pen_poke_case_is_unsure (c, rule->needs) ? MIN (rule->confidence, PEN_CONFIDENCE_LIKELY)
                                                  : rule->confidence;
}

/* Of what a trampoline was or is filled with, it is the site's own. */
static void
find_users (PenCauseVerdict *verdict, PenPokeCase *c)
{
  PenSpot *other = c->after.target.programs ? &c->after.target : &c->before.target;

  verdict->before_user = g_steal_pointer (&c->before.target.user);
  verdict->after_user = g_steal_pointer (&c->after.target.user);
  verdict->programs = g_steal_pointer (&other->programs);
  if (c->site.user) {
    char **side = c->poke->new_length > 0 ? &verdict->after_user : &verdict->before_user;

    g_free (*side);
    *side = g_steal_pointer (&c->site.user);
  }
}

PenCauseVerdict
pen_cause_find (const PenPoke *pokes, guint n_pokes, guint index, PenDecoder *decoder,
                const PenCauseSources *sources)
{
  const PenPoke *poke = &pokes[index];
  PenCauseVerdict verdict = { 0 };
  PenPokeCase c;
  PenSiteName name;
  PenCauseQuestion question = {
    .c = &c,
    .pokes = pokes,
    .n_pokes = n_pokes,
    .index = index,
    .decoder = decoder,
    .sources = sources,
  };

  g_return_val_if_fail (index < n_pokes, verdict);

  pen_poke_case_init (&c, poke, decoder, sources->find_place, sources->user_data);
  if (sources->find_name
      && sources->find_name (poke->address, poke->moment, &name, sources->user_data))
    question.name = &name;

  verdict.rule = pen_cause_question_answer (&question);
  verdict.confidence = find_confidence (&c, verdict.rule);
  verdict.key = find_key (&c, verdict.rule, question.name);
  verdict.switched = find_switch (&c, verdict.rule, question.name);
  verdict.is_at_entry = pen_spot_is_text (&c.site) && c.site.address == c.site.function_start;
  verdict.is_entry = pen_spot_is_text (&c.site) && pen_spot_is_entry (&c.site);
  verdict.role = c.site.role;
  verdict.function = c.site.function_start;
  verdict.site = g_steal_pointer (&c.site.label);
  verdict.entry = verdict.is_entry ? c.site.function_name : NULL;
  verdict.before_target = g_steal_pointer (&c.before.target.label);
  verdict.target = g_steal_pointer (&c.after.target.label);
  find_users (&verdict, &c);
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
  g_clear_pointer (&verdict->before_target, g_free);
  g_clear_pointer (&verdict->target, g_free);
  g_clear_pointer (&verdict->before_user, g_free);
  g_clear_pointer (&verdict->after_user, g_free);
  g_clear_pointer (&verdict->programs, g_free);
}

void
pen_cause_verdict_fill (const PenCauseVerdict *self, PenPoke *poke)
{
  poke->cause = self->rule->cause;
  poke->confidence = self->confidence;
  poke->rule = self->rule->name;
  poke->key = self->key;
  poke->site = self->site;
  poke->is_at_entry = self->is_at_entry;
  poke->before = (PenPokeSide){ self->before_form, self->before_target, self->before_user };
  poke->after = (PenPokeSide){ self->after_form, self->target, self->after_user };
  poke->programs = self->programs;
}
