/* pen-detour-map.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-detour-map.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-decoder.h"
#include "pen-store-buckets.h"

/* A patched instruction is no longer. */
#define LONGEST 16
/* Patches with one target that are looked at for a sample's time: those before it. */
#define MOST_BEFORE 16

/* The state of a stack: nothing, or an index with one of these. */
#define STATE_SITE (1u << 30)  /* of a poke: the site is in the stack */
#define STATE_STUB (2u << 30)  /* of a frame in a stub: its site follows from the sample's time */
#define STATE_CAUSE (3u << 30) /* a PenCause: which site is not known */
#define STATE_WHAT (3u << 30)
#define STATE_INDEX (STATE_SITE - 1)

typedef enum {
  ROLE_NONE,
  ROLE_STUB,       /* code that was written for a patch */
  ROLE_TRAMPOLINE, /* the kernel's own */
  ROLE_RETURN,     /* what a return leads to: a detour where it is the leaf */
  ROLE_HANDLER,    /* called from there only */
} Role;

/* A byte that a patch left as it is for one revision. */
typedef struct {
  guint32 tenure;
  guint32 poke;
  guint64 address;
} PatchedByte;

/* A patch that leads to @target from one time to another. */
typedef struct {
  guint64 target;
  guint64 from;
  guint64 to;
  guint32 poke;
} Lead;

/* When the text at an address was written or given up: a slot got another patch to serve. */
typedef struct {
  guint64 address;
  guint64 time;
} Turnover;

struct _PenDetourMap {
  PenQuery *query;
  const PenFrameColumns *frames;
  const PenPokeSites *sites;
  guint8 *roles;    /* by function */
  guint8 *causes;   /* of roles, by function */
  guint32 *patches; /* by frame: index of the poke that leads away from it, plus one */
  guint32 *states;  /* by callchain */
  guint8 *has_program;
  guint n_chains;
  GArray *leads;     /* (element-type Lead): by target and time */
  GArray *turnovers; /* (element-type Turnover): by address and time */
};

/* ---- what is known by name ---- */

static const struct {
  const char *name;
  gboolean is_prefix;
  Role role;
  PenCause cause;
} known[] = {
  /* Ksymbols of stubs, as kernels register them. */
  { "bpf_trampoline_", TRUE, ROLE_STUB, PEN_CAUSE_BPF },
  { "bpf_dispatcher_", TRUE, ROLE_STUB, PEN_CAUSE_BPF },
  { "ftrace_trampoline", FALSE, ROLE_STUB, PEN_CAUSE_FTRACE },
  { "kprobe_optinsn_page", FALSE, ROLE_STUB, PEN_CAUSE_OPTPROBE },
  { "kprobe_insn_page", FALSE, ROLE_STUB, PEN_CAUSE_KPROBE },
  /* arch/x86/kernel/ftrace_64.S, arch/arm64/kernel/entry-ftrace.S */
  { "ftrace_caller", FALSE, ROLE_TRAMPOLINE, PEN_CAUSE_FTRACE },
  { "ftrace_regs_caller", FALSE, ROLE_TRAMPOLINE, PEN_CAUSE_FTRACE },
  { "ftrace_graph_caller", FALSE, ROLE_TRAMPOLINE, PEN_CAUSE_FTRACE },
  { "return_to_handler", FALSE, ROLE_RETURN, PEN_CAUSE_FTRACE },
  { "ftrace_return_to_handler", FALSE, ROLE_HANDLER, PEN_CAUSE_FTRACE },
  /* arch/x86/kernel/rethook.c, kprobes/core.c, kernel/trace/rethook.c */
  { "arch_rethook_trampoline", FALSE, ROLE_RETURN, PEN_CAUSE_KPROBE },
  { "__kretprobe_trampoline", FALSE, ROLE_RETURN, PEN_CAUSE_KPROBE },
  { "kretprobe_trampoline", FALSE, ROLE_RETURN, PEN_CAUSE_KPROBE },
  { "arch_rethook_trampoline_callback", FALSE, ROLE_HANDLER, PEN_CAUSE_KPROBE },
  { "rethook_trampoline_handler", FALSE, ROLE_HANDLER, PEN_CAUSE_KPROBE },
  { "__kretprobe_trampoline_handler", FALSE, ROLE_HANDLER, PEN_CAUSE_KPROBE },
};

static void
find_role (PenDetourMap *self, guint32 number)
{
  const PenFunction *function = &self->query->functions[number];

  if (!function->symbol || (function->kind != PEN_KIND_STUB && function->kind != PEN_KIND_KERNEL))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    gboolean is_stub = known[i].role == ROLE_STUB;

    if (is_stub == (function->kind == PEN_KIND_STUB)
        && (known[i].is_prefix ? g_str_has_prefix (function->symbol, known[i].name)
                               : g_str_equal (function->symbol, known[i].name))) {
      self->roles[number] = known[i].role;
      self->causes[number] = known[i].cause;
      return;
    }
  }
}

/* ---- patches ---- */

static gboolean
is_detour (PenCause cause, PenSideForm form)
{
  switch (cause) {
  case PEN_CAUSE_FTRACE:
  case PEN_CAUSE_BPF:
    return form == PEN_FORM_CALL || form == PEN_FORM_JUMP;
  case PEN_CAUSE_KPROBE:
    return form == PEN_FORM_BREAKPOINT;
  case PEN_CAUSE_OPTPROBE:
    return form == PEN_FORM_JUMP;
  default:
    return FALSE;
  }
}

gboolean
pen_cause_has_detours (PenCause cause)
{
  for (PenSideForm form = 0; form < PEN_FORMS; form++) {
    if (is_detour (cause, form))
      return TRUE;
  }
  return FALSE;
}

gboolean
pen_poke_is_detour (const PenPoke *poke)
{
  return poke->effect == PEN_POKE_PATCH && is_detour (poke->cause, poke->after.form);
}

gboolean
pen_poke_ends_detour (const PenPoke *poke)
{
  return poke->effect == PEN_POKE_PATCH && is_detour (poke->cause, poke->before.form);
}

static int
compare_bytes (gconstpointer a, gconstpointer b)
{
  const PatchedByte *x = a;
  const PatchedByte *y = b;

  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->poke < y->poke ? -1 : x->poke > y->poke;
}

/* Each byte of each patch: the n-th of a byte made its revision n (P3). */
static GArray *
list_patched_bytes (const PenPokeSites *sites)
{
  GArray *bytes = g_array_new (FALSE, FALSE, sizeof (PatchedByte));

  for (guint32 i = 0; i < sites->pokes->len; i++) {
    const PenPoke *poke = pen_poke_sites_get (sites, i);

    if (poke->effect != PEN_POKE_PATCH || poke->tenure == 0 || poke->length > LONGEST)
      continue;
    for (guint k = 0; k < poke->length; k++) {
      PatchedByte byte = { poke->tenure, i, poke->address + k };

      g_array_append_val (bytes, byte);
    }
  }
  g_array_sort (bytes, compare_bytes);
  return bytes;
}

static guint32
find_patch (const GArray *bytes, guint32 tenure, guint64 address, guint32 revision)
{
  const PatchedByte *all = (const PatchedByte *) (gpointer) bytes->data;
  PatchedByte wanted = { tenure, 0, address };
  guint first = PEN_BINARY_SEARCH (i, 0, bytes->len, compare_bytes (&all[i], &wanted) < 0);
  guint64 at = (guint64) first + revision - 1;

  return at < bytes->len && all[at].tenure == tenure && all[at].address == address ? all[at].poke
                                                                                   : G_MAXUINT32;
}

static void
find_patches (PenDetourMap *self)
{
  g_autoptr (GArray) bytes = list_patched_bytes (self->sites);

  self->patches = g_new0 (guint32, (gsize) self->frames->n + 1);
  for (guint32 i = 0; i < self->frames->n; i++) {
    guint32 poke;

    if (self->frames->revision[i] == 0 || self->frames->tenure[i] == 0)
      continue;
    poke = find_patch (bytes, self->frames->tenure[i],
                       self->frames->address[i] - (self->frames->is_return[i] != 0),
                       self->frames->revision[i]);
    if (poke != G_MAXUINT32 && pen_poke_is_detour (pen_poke_sites_get (self->sites, poke)))
      self->patches[i] = poke + 1;
  }
}

static int
compare_leads (gconstpointer a, gconstpointer b)
{
  const Lead *x = a;
  const Lead *y = b;

  if (x->target != y->target)
    return x->target < y->target ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->poke < y->poke ? -1 : x->poke > y->poke;
}

/* Where patches lead to, for code that does not show where it came from: a jump leaves no return
 * address. */
static gboolean
list_leads (PenDetourMap *self, GError **error)
{
  const PenPokeSites *sites = self->sites;
  g_autoptr (PenDecoder) decoder = NULL;

  self->leads = g_array_new (FALSE, FALSE, sizeof (Lead));
  for (guint s = 0; s < sites->n_sites; s++) {
    for (guint i = sites->starts[s]; i < sites->starts[s + 1]; i++) {
      const PenPoke *poke = pen_poke_sites_get (sites, sites->order[i]);
      PenInstruction instruction;
      Lead lead = { 0, poke->time, G_MAXUINT64, sites->order[i] };

      if (!pen_poke_is_detour (poke) || poke->new_length == 0)
        continue;
      if (!decoder) {
        decoder = pen_decoder_new (pen_store_get_fact (self->query->store, "arch"), PEN_SYNTAX_ATT,
                                   error);
        if (!decoder)
          return FALSE;
      }
      pen_decoder_classify (decoder, poke->new_bytes, poke->new_length, poke->address,
                            &instruction);
      if (!instruction.has_target)
        continue;
      lead.target = instruction.target;
      if (i + 1 < sites->starts[s + 1])
        lead.to = pen_poke_sites_get (sites, sites->order[i + 1])->time;
      g_array_append_val (self->leads, lead);
    }
  }
  g_array_sort (self->leads, compare_leads);
  return TRUE;
}

static int
compare_turnovers (gconstpointer a, gconstpointer b)
{
  const Turnover *x = a;
  const Turnover *y = b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->time < y->time ? -1 : x->time > y->time;
}

static void
list_turnovers (PenDetourMap *self)
{
  self->turnovers = g_array_new (FALSE, FALSE, sizeof (Turnover));
  for (guint i = 0; i < self->sites->pokes->len; i++) {
    const PenPoke *poke = pen_poke_sites_get (self->sites, i);
    Turnover turnover = { poke->address, poke->time };

    if (poke->effect == PEN_POKE_FILL || poke->effect == PEN_POKE_CLEAR)
      g_array_append_val (self->turnovers, turnover);
  }
  g_array_sort (self->turnovers, compare_turnovers);
}

/* Did the text at @address stay from @from to @to? */
static gboolean
is_same_slot (const PenDetourMap *self, guint64 address, guint64 from, guint64 to)
{
  const Turnover *all = (const Turnover *) (gpointer) self->turnovers->data;
  Turnover wanted = { address, from };
  guint first
      = PEN_BINARY_SEARCH (i, 0, self->turnovers->len, compare_turnovers (&all[i], &wanted) < 0);

  return first == self->turnovers->len || all[first].address != address || all[first].time > to;
}

/*
 * The patch that led to @address, in a stub that begins at @start, at @time; G_MAXUINT: none, or
 * several. Slots of a stub begin at targets.
 *
 * A slot is also used before the jump to it is there, and after: a breakpoint's handler goes on at
 * the copied instruction in it (setup_detour_execution() in arch/x86/kernel/kprobes/opt.c). Then it
 * is the next patch that leads there, or the one before, as long as the slot is the same.
 */
static guint
find_lead (const PenDetourMap *self, guint64 start, guint64 address, guint64 time)
{
  const Lead *leads = (const Lead *) (gpointer) self->leads->data;
  guint end = PEN_BINARY_SEARCH (i, 0, self->leads->len, leads[i].target <= address);
  guint64 target = end > 0 ? leads[end - 1].target : 0;
  const Lead *before = NULL;
  const Lead *after;
  guint found = G_MAXUINT;
  guint last = end;

  if (end == 0 || target < start)
    return G_MAXUINT;
  end = PEN_BINARY_SEARCH (
      i, 0, last, leads[i].target < target || (leads[i].target == target && leads[i].from <= time));
  for (guint i = end, n = 0; i > 0 && n < MOST_BEFORE && leads[i - 1].target == target; i--, n++) {
    guint poke = leads[i - 1].poke;

    if (!before || leads[i - 1].to > before->to)
      before = &leads[i - 1];
    if (leads[i - 1].to < time)
      continue;
    if (found != G_MAXUINT && self->sites->site_of[poke] != self->sites->site_of[found])
      return G_MAXUINT;
    found = poke;
  }
  if (found != G_MAXUINT)
    return found;
  after = end < last ? &leads[end] : NULL;
  if (after && is_same_slot (self, target, time, after->from))
    return after->poke;
  return before && is_same_slot (self, target, before->to, time) ? before->poke : G_MAXUINT;
}

/* ---- callchains ---- */

/* Where a frame brings a stack that was in no detour. */
static guint32
enter (const PenDetourMap *self, guint32 frame)
{
  guint32 function = self->frames->function[frame];

  if (self->patches[frame] != 0)
    return STATE_SITE | (self->patches[frame] - 1);
  switch ((Role) self->roles[function]) {
  case ROLE_STUB:
    return STATE_STUB | frame;
  case ROLE_TRAMPOLINE:
  case ROLE_HANDLER:
    return STATE_CAUSE | self->causes[function];
  case ROLE_NONE:
  case ROLE_RETURN:
  default:
    return 0;
  }
}

/* Is it the patched function itself, called by its trampoline? */
static gboolean
is_original (const PenDetourMap *self, guint32 state, guint32 function)
{
  guint32 index = state & STATE_INDEX;

  return (state & STATE_WHAT) == STATE_SITE
         && pen_poke_sites_get (self->sites, index)->function == function;
}

static gboolean
walk_block (PenDetourMap *self, guint number, GError **error)
{
  guint32 first = number * PEN_BLOCK_CHAINS + 1;
  const PenChainNode *chains;
  guint n;

  if (!pen_store_goes_on (self->query->store, error)
      || !pen_store_read_chain_block (self->query->store, number, &chains, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    guint32 frame = MIN (chains[i].frame, self->frames->n - 1);
    guint32 state = self->states[chains[i].parent];
    guint8 has_program = self->has_program[chains[i].parent];

    if (state != 0 && is_original (self, state, self->frames->function[frame]))
      state = 0;
    if (state == 0) {
      state = enter (self, frame);
      has_program = FALSE;
    }
    self->states[first + i] = state;
    self->has_program[first + i]
        = state != 0 && (has_program || self->frames->kind[frame] == PEN_KIND_BPF);
  }
  return TRUE;
}

PenDetourMap *
pen_detour_map_new (PenStackIndex *index, const PenPokeSites *sites, GError **error)
{
  g_autoptr (PenDetourMap) self = g_new0 (PenDetourMap, 1);
  guint32 n = pen_store_count_chains (index->query->store);

  self->query = index->query;
  self->frames = index->frames;
  self->sites = sites;
  if (sites->pokes->len >= STATE_INDEX || self->frames->n >= STATE_INDEX) {
    pen_stack_map_refuse_size (error);
    return NULL;
  }
  if (!pen_query_load_buckets (self->query, error) || !list_leads (self, error))
    return NULL;
  self->roles = g_malloc0 ((gsize) self->query->n_functions + 1);
  self->causes = g_malloc0 ((gsize) self->query->n_functions + 1);
  for (guint32 i = 0; i < self->query->n_functions; i++)
    find_role (self, i);
  find_patches (self);
  list_turnovers (self);
  self->n_chains = n;
  self->states = g_new0 (guint32, (gsize) n + 1);
  self->has_program = g_malloc0 ((gsize) n + 1);
  for (guint i = 0; (guint64) i * PEN_BLOCK_CHAINS < n && self->frames->n > 0; i++) {
    if (!walk_block (self, i, error))
      return NULL;
  }
  return g_steal_pointer (&self);
}

void
pen_detour_map_free (PenDetourMap *self)
{
  if (!self)
    return;
  g_free (self->roles);
  g_free (self->causes);
  g_free (self->patches);
  g_free (self->states);
  g_free (self->has_program);
  g_clear_pointer (&self->leads, g_array_unref);
  g_clear_pointer (&self->turnovers, g_array_unref);
  g_free (self);
}

/* ---- samples ---- */

static void
set_poke (const PenDetourMap *self, PenDetour *detour, guint poke)
{
  detour->poke = poke;
  if (poke != G_MAXUINT)
    detour->cause = pen_poke_sites_get (self->sites, poke)->cause;
}

static void
find_of_stub (const PenDetourMap *self, guint32 function, guint64 address, guint64 time,
              PenDetour *detour)
{
  detour->cause = self->causes[function];
  set_poke (self, detour, find_lead (self, self->query->functions[function].start, address, time));
}

/* A leaf without a detour above it may be in one. */
static gboolean
enter_by_leaf (const PenDetourMap *self, const PenBucket *bucket, guint64 time, PenDetour *detour)
{
  guint32 function = bucket->function;

  detour->part = PEN_COST_TRAMPOLINE;
  switch ((Role) self->roles[function]) {
  case ROLE_STUB:
    find_of_stub (self, function, bucket->address, time, detour);
    return TRUE;
  case ROLE_HANDLER:
    detour->part = PEN_COST_HANDLER;
    detour->cause = self->causes[function];
    return TRUE;
  case ROLE_TRAMPOLINE:
  case ROLE_RETURN:
    detour->cause = self->causes[function];
    return TRUE;
  case ROLE_NONE:
  default:
    return FALSE;
  }
}

static PenCostPart
find_part (const PenDetourMap *self, guint32 chain, const PenBucket *bucket)
{
  if (self->has_program[chain] || bucket->kind == PEN_KIND_BPF)
    return PEN_COST_PROGRAM;
  switch ((Role) self->roles[bucket->function]) {
  case ROLE_STUB:
  case ROLE_TRAMPOLINE:
  case ROLE_RETURN:
    return PEN_COST_TRAMPOLINE;
  case ROLE_NONE:
  case ROLE_HANDLER:
  default:
    return PEN_COST_HANDLER;
  }
}

gboolean
pen_detour_map_find (const PenDetourMap *self, const PenSampleBlock *block, guint row,
                     PenDetour *detour)
{
  const PenBucket *bucket = &self->query->buckets[block->bucket[row]];
  guint64 time = block->has[row] & PEN_SAMPLE_HAS_TIME ? block->time[row] : 0;
  guint32 chain = block->has[row] & PEN_SAMPLE_HAS_CHAIN ? block->chain[row] : 0;
  guint32 state = chain <= self->n_chains ? self->states[chain] : 0;
  guint32 index = state & STATE_INDEX;

  *detour = (PenDetour){ .poke = G_MAXUINT };
  if (state == 0 || is_original (self, state, bucket->function))
    return enter_by_leaf (self, bucket, time, detour);
  switch (state & STATE_WHAT) {
  case STATE_SITE:
    set_poke (self, detour, index);
    break;
  case STATE_STUB:
    find_of_stub (self, self->frames->function[index],
                  self->frames->address[index] - (self->frames->is_return[index] != 0), time,
                  detour);
    /* Its trampoline called the original. */
    if (detour->poke != G_MAXUINT
        && pen_poke_sites_get (self->sites, detour->poke)->function == bucket->function)
      return FALSE;
    break;
  case STATE_CAUSE:
  default:
    detour->cause = index;
    break;
  }
  detour->part = find_part (self, chain, bucket);
  return TRUE;
}
