/* pen-cause-finder.h: why was this patched?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"
#include "pen-poke.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* The occupant of an address around a patch: of the site, and of jump and call targets.
 * @occupant: NULL or "" where not known
 * @function_start, @function_name: 0 and NULL where not known. The name lives as long as what it is
 * looked up in, other strings until the next call only.
 * @is_unsure: that it was there then is inferred, or something contradicts it
 * @user: of a trampoline: the function that it is for, or the BPF programs; @programs: BPF programs
 * that were loaded for the function of a BPF trampoline. NULL where not known
 * @is_user_inferred: nothing but the trampoline's form shows that it is for @user */
typedef struct {
  PenKind kind;
  const char *occupant;
  guint64 function_start;
  const char *function_name;
  gboolean is_unsure;
  const char *user;
  const char *programs;
  gboolean is_user_inferred;
} PenPlace;

typedef void (*PenPlaceFunc) (guint64 address, PenMoment moment, PenPlace *place,
                              gpointer user_data);

/* The role of an address in the kernel's patching. */
typedef enum {
  PEN_ROLE_UNKNOWN,
  PEN_ROLE_TEXT, /* core kernel or module */
  PEN_ROLE_FTRACE,
  PEN_ROLE_LIVEPATCH, /* a trampoline of ftrace that calls live patching */
  PEN_ROLE_KPROBE_SLOT,
  PEN_ROLE_OPTPROBE_DETOUR,
  PEN_ROLE_BPF,
  PEN_ROLE_BPF_DISPATCHER_TEXT, /* of the core kernel, but there for a dispatcher */
} PenSpotRole;

typedef struct _PenCauseQuestion PenCauseQuestion;

/* Of which places a rule needs the occupants. */
typedef enum {
  PEN_NEEDS_NOTHING = 0,
  PEN_NEEDS_SITE = 1,
  PEN_NEEDS_TARGETS = 2,
} PenRuleNeeds;

/*
 * PenCauseRule: one reading of a patch; docs/causes.md lists them all
 * @fits: for causes/ only
 * @name: a word or two
 * @needs: PenRuleNeeds
 * @why: what makes it so, as one plain sentence, not translated
 */
typedef struct {
  gboolean (*fits) (const PenCauseQuestion *question);
  const char *name;
  PenCause cause;
  PenConfidence confidence;
  guint8 needs;
  const char *why;
} PenCauseRule;

/* Why @rule makes it so, as one plain sentence, translated; another, where @confidence is less than
 * the rule's: an occupant is not certain. A rule of another version: the cause cannot be found out.
 * Returns: (transfer full) */
char *pen_cause_explain (const char *rule, PenConfidence confidence);

/* A site that the kernel's own tables name: `__jump_table`, `.static_call_sites`.
 * @name: of the static key or static call
 * @jumps_when_off: of a static key: a jump is there while it is off, else while it is on */
typedef struct {
  PenCause cause;
  const char *name;
  gboolean jumps_when_off;
} PenSiteName;

/* The new state of a static key. */
typedef enum {
  PEN_SWITCH_UNKNOWN,
  PEN_SWITCH_ON,
  PEN_SWITCH_OFF,
} PenSwitch;

/* Returns: FALSE if the tables do not name the site at @address, or are not there. Strings in @name
 * live until the next call. */
typedef gboolean (*PenSiteNameFunc) (guint64 address, PenMoment moment, PenSiteName *name,
                                     gpointer user_data);

/*
 * PenCauseVerdict:
 * @confidence: the rule's, or less where the occupants that it needs are not certain
 * @key: the static key's or static call's own name, or NULL
 * @site: where, for a person, and @is_at_entry: a function begins there
 * @before_form, @before, @before_target: what the site held, where that leads to, or 0, and that
 * for a person, or NULL; @after_form, @after, @target: what it holds now
 * @before_user, @after_user: see PenPokeSide; @programs: see PenPlace
 * @role: of the site; @function: start of its function, or 0
 * @switched: a static key whose table is known
 * @is_entry: where ftrace attaches to a function, whose name is then @entry
 */
typedef struct {
  const PenCauseRule *rule;
  PenConfidence confidence;
  char *key;
  char *site;
  const char *entry; /* of the PenPlaceFunc */
  char *before_target;
  char *target;
  char *before_user;
  char *after_user;
  char *programs;
  PenSideForm before_form;
  PenSideForm after_form;
  guint64 before;
  guint64 after;
  PenSpotRole role;
  guint64 function;
  PenSwitch switched;
  gboolean is_entry;
  gboolean is_at_entry;
} PenCauseVerdict;

void pen_cause_verdict_clear (PenCauseVerdict *verdict);
/* Writes the verdict to @poke; strings stay the verdict's. */
void pen_cause_verdict_fill (const PenCauseVerdict *self, PenPoke *poke);

/* @find_name: (nullable): where there are no such tables */
typedef struct {
  PenPlaceFunc find_place;
  PenSiteNameFunc find_name;
  gpointer user_data;
} PenCauseSources;

/*
 * pen_cause_find:
 * @pokes: all pokes, in time order (a kprobe's jump is known by the breakpoint before it)
 * @index: the one in question
 * @decoder: of the capture's architecture
 *
 * Decides from the bytes, the target and its occupant. A cause that cannot be found is `unknown`;
 * the forms then show the change. Fills, clears and pokes that changed nothing are judged too.
 * Cost: two instructions decoded, and up to three calls of the sources.
 *
 * Clear the verdict with pen_cause_verdict_clear().
 */
PenCauseVerdict pen_cause_find (const PenPoke *pokes, guint n_pokes, guint index,
                                PenDecoder *decoder, const PenCauseSources *sources);

/* Do kernels of @arch ("x86_64", as uname -m prints it; nullable: unknown) record their patches?
 * Others than x86 have text_poke records in their interface and write none (Linux 5.9 to 7.2). */
gboolean pen_cause_is_recorded (const char *arch);

G_END_DECLS
