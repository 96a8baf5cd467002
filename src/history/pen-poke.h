/* pen-poke.h: a text poke, and those that were one event: from the record to whoever shows them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-words.h"

G_BEGIN_DECLS

/* The effect of a TEXT_POKE (P2). */
typedef enum {
  PEN_POKE_PATCH, /* replaced existing text: raises the revision */
  PEN_POKE_FILL,  /* old_length 0: text came into being */
  PEN_POKE_CLEAR, /* new_length 0: text is gone */
  PEN_POKE_SAME,  /* equal bytes: nothing changed; or it cannot be said of which text (W3) */
  PEN_POKE_EFFECTS,
} PenPokeEffect;

const char *pen_poke_effect_to_string (PenPokeEffect effect);

/* The bytes before or after a poke, as a whole. */
typedef enum {
  PEN_FORM_OTHER,
  PEN_FORM_NOP,
  PEN_FORM_CALL,
  PEN_FORM_JUMP,
  PEN_FORM_CONDITIONAL_JUMP,
  PEN_FORM_RETURN,       /* with padding after it */
  PEN_FORM_RETURN_ZERO,  /* result set to 0 in a call's place */
  PEN_FORM_WARNING_TRAP, /* in a call's place, of a function that only warns */
  PEN_FORM_BREAKPOINT,   /* with the rest of the probed text after it */
  PEN_FORMS,
} PenSideForm;

const char *pen_side_form_to_string (PenSideForm form);

/* @form: of the bytes; @target: where they lead to, for a person, or NULL; @user: whom the
 * trampoline there calls, or that the bytes are of: a function, or BPF programs; NULL where not
 * known */
typedef struct {
  PenSideForm form;
  const char *target;
  const char *user;
} PenPokeSide;

#define PEN_POKE_NO_FUNCTION G_MAXUINT32

/*
 * PenPoke:
 * @id: from 1, in time order
 * @change: place among all changes in time order, from 1
 * @time: as recorded, with @has_time
 * @tenure: the tenure that held the first byte then; 0: nothing known there
 * @revision: of the first byte, after the poke
 * @pid, @tid, @comm: who patched, with @has_task; else -1 and "". @cpu: G_MAXUINT32: not recorded
 *
 * What the import finds out about it:
 * @function: id, or PEN_POKE_NO_FUNCTION
 * @cause, @confidence, @rule: docs/causes.md
 * @key: the static key's or static call's own name, or NULL
 * @batch: id, or 0
 * @breaks_chain: its old bytes are not what was there (P5)
 * @is_changed_early: its old bytes are not those of the copy of kcore, and no poke nor loss lies
 *   between: they were changed after the copy and before the recording (P7); not in a module
 * @break_loss: id of a loss that may have had the poke that is missing, or 0
 * @site: where, for a person; NULL: the instructions of the machine cannot be decoded
 * @is_at_entry: where a function of the kernel's text begins
 * @before, @after: what the bytes are
 * @programs: BPF programs that were loaded for the function of the BPF trampoline, or NULL
 * @replacement: of a live patch: function and module, as far as they are known, or NULL
 * @purpose: for whom it was, by the recorder's snapshots: "kprobe probes/open", …; or NULL
 */
typedef struct {
  guint32 id;
  guint32 change;
  PenMoment moment;
  guint64 time;
  gboolean has_time;
  guint64 address;
  guint16 old_length;
  guint16 new_length;
  guint16 length; /* of the longer: set where it is stored */
  const guint8 *old_bytes;
  const guint8 *new_bytes;
  PenPokeEffect effect;
  guint32 tenure;
  guint32 revision;
  gboolean has_task;
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  const char *comm;

  guint32 function;
  PenCause cause;
  PenConfidence confidence;
  const char *rule;
  const char *key;
  guint32 batch;
  gboolean breaks_chain;
  gboolean is_changed_early;
  guint32 break_loss;
  const char *site;
  gboolean is_at_entry;
  PenPokeSide before;
  PenPokeSide after;
  const char *programs;
  const char *replacement;
  const char *purpose;
} PenPoke;

static inline guint64
pen_poke_get_length (const PenPoke *poke)
{
  return MAX (poke->old_length, poke->new_length);
}

/* The effect of a batch of patches, as far as its cause does not say it. */
typedef enum {
  PEN_ACTION_CHANGED,
  PEN_ACTION_ON, /* a static key */
  PEN_ACTION_OFF,
  PEN_ACTION_SET, /* a call, jump or breakpoint; led to the target, if it has one */
  PEN_ACTION_REMOVED,
  PEN_ACTION_ATTACHED, /* entries of functions to ftrace */
  PEN_ACTION_DETACHED,
  PEN_ACTION_OWN_SET, /* ftrace's own call */
  PEN_ACTION_OWN_REMOVED,
  PEN_ACTIONS,
} PenBatchAction;

const char *pen_batch_action_to_string (PenBatchAction action);

/*
 * PenBatch: pokes of one task, one cause and one effect that do one thing: one switch of a key, one
 * new target of a call …
 * @first_poke, @last_poke: ids; pokes between them may be of other batches
 * @from, @to: ns
 * @confidence: the least of its pokes'
 * @n_sites: its pokes; no two are of one address
 * @key: the static key's or static call's own name, or NULL
 * @site: of the first poke, for a person; @target: where what is there now leads to, or NULL
 * @user, @programs, @replacement: of the first poke, @purpose: of the first that has one: see
 * PenPoke
 * @n_jumps: of a static key: sites where a jump is now
 * @pid, @tid, @comm: who patched, with @has_task; else -1 and "". @cpu: G_MAXUINT32: not recorded
 */
typedef struct {
  guint32 id; /* from 1, in the order of their first pokes */
  guint32 first_poke;
  guint32 last_poke;
  guint64 from;
  guint64 to;
  PenCause cause;
  PenConfidence confidence;
  PenPokeEffect effect;
  PenBatchAction action;
  guint32 n_sites;
  guint32 n_jumps;
  const char *key;
  const char *site;
  const char *target;
  const char *user;
  const char *programs;
  const char *replacement;
  const char *purpose;
  guint32 cpu;
  gboolean has_task;
  gint32 pid;
  gint32 tid;
  const char *comm;
} PenBatch;

G_END_DECLS
