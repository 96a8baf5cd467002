/* pen-pair-standing.c: how things of one recording stand in another that has no patch of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-standing.h"

#include <math.h>

#include "pen-map-name.h"
#include "pen-pair-token.h"
#include "pen-query-private.h"
#include "pen-store-occupants.h"
#include "pen-store-symbols.h"
#include "pen-table-hash.h"

/* ---- which places ---- */

static void
want_names (PenPairStanding *self, const PenPairThing *thing)
{
  for (guint k = 0; k < thing->spots->len; k++) {
    const PenPairSpot *spot = &g_array_index (thing->spots, PenPairSpot, k);

    if (spot->own_symbol)
      pen_pair_names_want (self->names, spot->kind, spot->own_occupant, spot->own_symbol);
  }
}

static gboolean
note_module (const PenTenure *tenure, gpointer user_data)
{
  PenPairStanding *self = user_data;
  const PenCauseStretch *window = &self->things->window;

  if (tenure->kind == PEN_KIND_MODULE && tenure->from.time < window->to
      && tenure->to.time > window->from)
    g_hash_table_add (self->modules, (gpointer) tenure->occupant);
  return TRUE;
}

static gboolean
has_other_kernel (PenStore *a, PenStore *b)
{
  const char *release = pen_store_get_fact (a, "osrelease");
  const char *other = pen_store_get_fact (b, "osrelease");

  return release && other && !g_str_equal (release, other)
         && pen_store_find_symbol_above (a, PEN_CORE_KERNEL, 0) != G_MAXUINT64;
}

gboolean
pen_pair_standing_init (PenPairStanding *self, const PenPairThings *things,
                        const PenPairThings *others, PenPairReader *reader, GError **error)
{
  PenStore *store = things->query->store;

  self->things = things;
  self->reader = reader;
  self->names = pen_pair_names_new ();
  self->modules = g_hash_table_new (pen_str_hash, g_str_equal);
  self->is_other_kernel = has_other_kernel (store, others->query->store);
  self->has_pokes = pen_store_get_fact_int (store, "text_pokes_recorded", 1) != 0;
  self->has_programs = pen_store_get_fact_int (store, "ksymbols_recorded", 1) != 0;
  for (guint i = 0; i < others->things->len; i++) {
    const PenPairThing *thing = others->things->pdata[i];

    if (!g_hash_table_contains (things->by_key, thing->key))
      want_names (self, thing);
  }
  return pen_store_foreach_tenure (store, FALSE, note_module, self, error)
         && pen_pair_names_find (self->names, things->query, error);
}

void
pen_pair_standing_clear (PenPairStanding *self)
{
  g_clear_pointer (&self->names, pen_pair_names_free);
  g_clear_pointer (&self->modules, g_hash_table_unref);
}

/* ---- one place ---- */

/* Where calls lead while ftrace has them, whoever its user is. */
static gboolean
is_of_ftrace (const char *target)
{
  return g_str_has_prefix (target, "ftrace_") || *target == '\0';
}

static gboolean
is_of_bpf (const char *target)
{
  return g_str_has_prefix (target, "bpf_");
}

/* By the name without what compilers append. */
static gboolean
leads_to (const PenPokeSide *side, const char *target)
{
  g_autoptr (GString) name = g_string_new (NULL);

  if (!side->target || *target == '\0')
    return FALSE;
  pen_pair_append_plain_symbol (name, side->target);
  return g_str_equal (name->str, target);
}

static gboolean
has_form (const PenPokeSide *side, PenInstructionClass class)
{
  switch (side->form) {
  case PEN_FORM_NOP:
    return class == PEN_INSTRUCTION_NOP;
  case PEN_FORM_CALL:
    return class == PEN_INSTRUCTION_CALL;
  case PEN_FORM_JUMP:
    return class == PEN_INSTRUCTION_JUMP;
  case PEN_FORM_CONDITIONAL_JUMP:
    return class == PEN_INSTRUCTION_CONDITIONAL_JUMP;
  case PEN_FORM_RETURN:
    return class == PEN_INSTRUCTION_RETURN;
  case PEN_FORM_BREAKPOINT:
    return class == PEN_INSTRUCTION_BREAKPOINT;
  case PEN_FORM_RETURN_ZERO:
  case PEN_FORM_WARNING_TRAP:
  case PEN_FORM_OTHER:
  case PEN_FORMS:
  default:
    return FALSE;
  }
}

/* What stands there is what a patch of the other recording left, or found: a call has to lead to
 * the same place. */
static PenPairStandState
judge_by_sides (const PenPairSpot *spot, const PenAnnotationLine *line, const char *target)
{
  const PenPokeSide *sides[]
      = { spot->has_on ? &spot->on : NULL, spot->has_off ? &spot->off : NULL };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    if (sides[i] && has_form (sides[i], line->class)
        && (!sides[i]->target || leads_to (sides[i], target)))
      return i == 0 ? PEN_PAIR_STAND_IS_ON : PEN_PAIR_STAND_IS_OFF;
  return PEN_PAIR_STAND_IS_UNKNOWN;
}

/* A site has a no-op or a jump: which of them is on, the patches say. */
static PenPairStandState
judge_key (const PenPairSpot *spot, const PenAnnotationLine *line)
{
  if (line->class != PEN_INSTRUCTION_NOP && line->class != PEN_INSTRUCTION_JUMP)
    return PEN_PAIR_STAND_IS_UNKNOWN;
  if (spot->has_on)
    return has_form (&spot->on, line->class) ? PEN_PAIR_STAND_IS_ON : PEN_PAIR_STAND_IS_OFF;
  if (spot->has_off)
    return has_form (&spot->off, line->class) ? PEN_PAIR_STAND_IS_OFF : PEN_PAIR_STAND_IS_ON;
  return PEN_PAIR_STAND_IS_UNKNOWN;
}

/* At an entry there is a no-op, or a call of somebody. */
static PenPairStandState
judge_entry (const PenPairThing *thing, const PenPairSpot *spot, const PenAnnotationLine *line,
             const char *target)
{
  if (line->class == PEN_INSTRUCTION_NOP)
    return PEN_PAIR_STAND_IS_OFF;
  if (line->class != PEN_INSTRUCTION_CALL && line->class != PEN_INSTRUCTION_JUMP)
    return PEN_PAIR_STAND_IS_UNKNOWN;
  if (thing->cause == PEN_CAUSE_BPF)
    return is_of_bpf (target)      ? PEN_PAIR_STAND_IS_ON
           : is_of_ftrace (target) ? PEN_PAIR_STAND_IS_UNKNOWN
                                   : judge_by_sides (spot, line, target);
  if (is_of_bpf (target))
    return PEN_PAIR_STAND_IS_OFF;
  return g_str_equal (target, thing->name) ? PEN_PAIR_STAND_IS_ON : PEN_PAIR_STAND_IS_UNKNOWN;
}

static PenPairStandState
judge (const PenPairThing *thing, const PenPairSpot *spot, const PenAnnotationLine *line,
       const char *target)
{
  switch (thing->cause) {
  case PEN_CAUSE_STATIC_KEY:
    return judge_key (spot, line);
  case PEN_CAUSE_KPROBE:
    return line->class == PEN_INSTRUCTION_BREAKPOINT ? PEN_PAIR_STAND_IS_ON : PEN_PAIR_STAND_IS_OFF;
  case PEN_CAUSE_OPTPROBE:
    return line->class == PEN_INSTRUCTION_JUMP && g_str_has_prefix (target, "kprobe_")
               ? PEN_PAIR_STAND_IS_ON
               : PEN_PAIR_STAND_IS_OFF;
  case PEN_CAUSE_FTRACE:
  case PEN_CAUSE_LIVEPATCH:
  case PEN_CAUSE_BPF:
    return spot->is_at_entry ? judge_entry (thing, spot, line, target)
                             : judge_by_sides (spot, line, target);
  case PEN_CAUSE_STATIC_CALL:
    return judge_by_sides (spot, line, target);
  case PEN_CAUSE_UNANNOUNCED:
  case PEN_CAUSE_UNKNOWN:
  case PEN_CAUSES:
  default:
    return PEN_PAIR_STAND_IS_UNKNOWN;
  }
}

/* @line: (out) (nullable): what is compared; of an entry, what is after a landing */
static gboolean
read_line (const PenPairStanding *self, const PenFunction *function, const PenPairSpot *spot,
           PenAnnotationLine **line, GString *target, GError **error)
{
  guint64 offset = spot->is_at_entry ? 0 : spot->offset;

  for (guint i = 0; i < 2; i++) {
    GError *failure = NULL;

    g_string_truncate (target, 0);
    *line = pen_pair_reader_read_instruction (self->reader, function, offset, target, &failure);
    if (failure) {
      g_propagate_error (error, failure);
      return FALSE;
    }
    if (!*line || i == 1 || !spot->is_at_entry || !pen_pair_is_landing (*line))
      break;
    offset = (*line)->n_bytes;
    g_clear_pointer (line, pen_annotation_line_free);
  }
  return TRUE;
}

static gboolean
read_spot (const PenPairStanding *self, const PenPairThing *thing, const PenPairSpot *spot,
           PenPairStandState *state, GError **error)
{
  g_autoptr (GString) target = g_string_new (NULL);
  PenAnnotationLine *line = NULL;
  const PenFunction *function;

  *state = PEN_PAIR_STAND_IS_UNKNOWN;
  if (!spot->own_symbol)
    return TRUE;
  if (spot->kind == PEN_KIND_MODULE && !g_hash_table_contains (self->modules, spot->own_occupant)) {
    *state = PEN_PAIR_STAND_IS_ABSENT;
    return TRUE;
  }
  function = pen_pair_names_get (self->names, spot->own_occupant, spot->own_symbol);
  if (!function) {
    if (self->is_other_kernel)
      *state = PEN_PAIR_STAND_IS_ABSENT;
    return TRUE;
  }
  if (!read_line (self, function, spot, &line, target, error))
    return FALSE;
  if (line)
    *state = judge (thing, spot, line, target->str);
  g_clear_pointer (&line, pen_annotation_line_free);
  return TRUE;
}

/* ---- a thing ---- */

PenPairStand
pen_pair_standing_make (const PenPairStanding *self, PenPairStandState state)
{
  const PenCauseStretch *window = &self->things->window;
  PenPairStand stand = { .state = state, .on = NAN, .unknown = NAN, .is_read = TRUE };
  double all = (double) (window->to - window->from), known;

  if (all <= 0 || !self->has_pokes)
    return stand;
  known = (double) (CLAMP (self->things->hidden_from, window->from, window->to) - window->from);
  if (state == PEN_PAIR_STAND_IS_UNKNOWN || known <= 0) {
    stand.state = PEN_PAIR_STAND_IS_UNKNOWN;
    known = 0;
  }
  stand.on = state == PEN_PAIR_STAND_IS_ON ? known / all : 0;
  stand.unknown = 1 - known / all;
  return stand;
}

/* Sites of a key or call stand alike; other things have one: the first that is known says it. */
gboolean
pen_pair_standing_read (const PenPairStanding *self, const PenPairThing *thing, PenPairStand *stand,
                        GError **error)
{
  PenPairStandState state = PEN_PAIR_STAND_IS_UNKNOWN;

  if (thing->is_program) {
    *stand = (PenPairStand){ .state = PEN_PAIR_STAND_IS_UNKNOWN, .on = NAN, .unknown = 1 };
    if (self->has_programs)
      *stand = (PenPairStand){ .state = PEN_PAIR_STAND_IS_OFF };
    return TRUE;
  }
  for (guint i = 0; i < thing->spots->len; i++) {
    PenPairStandState other;

    if (!read_spot (self, thing, &g_array_index (thing->spots, PenPairSpot, i), &other, error))
      return FALSE;
    if (other == PEN_PAIR_STAND_IS_ABSENT && state == PEN_PAIR_STAND_IS_UNKNOWN)
      state = other;
    if (other != PEN_PAIR_STAND_IS_OFF && other != PEN_PAIR_STAND_IS_ON)
      continue;
    state = other;
    break;
  }
  *stand = pen_pair_standing_make (self, state);
  return TRUE;
}
