/* pen-query-verdict.h: did it get slower? Samples of a place while each cause was on, and while off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-compare.h"

G_BEGIN_DECLS

/* The text of a place, as one cause left it. */
typedef enum {
  PEN_TEXT_UNKNOWN, /* records were lost, or a change is missing */
  PEN_TEXT_OFF,     /* not patched; where on and off mean nothing: as it was at first */
  PEN_TEXT_ON,
  PEN_TEXT_OTHER, /* another cause had its bytes, or some of its sites were on, others off */
  PEN_TEXT_STATES,
} PenTextState;

/* "unknown", "off", "on", "other" */
const char *pen_text_state_to_string (PenTextState state);

/*
 * PenPhase: all stretches of one text state, as one
 * @stretches: with recorded time
 * @rate: see PenRate; samples of time that was lost do not count
 * @all: samples of that time that the filter leaves, of whatever is compared: @rate.share is of
 *   these
 * @period: sum of the samples' periods; of one event only: see PenVerdictReport
 * @is_uneven: rates of its stretches differ: the load was not the same all along
 */
typedef struct {
  guint stretches;
  PenRate rate;
  guint64 all;
  guint64 period;
  gboolean is_uneven;
} PenPhase;

/*
 * PenTwoPhases: on against off
 * @rate_test, @rate: of samples per second
 * @share_test, @share: of the share of samples: where the whole machine was busier, or a task ran
 *   longer, the rate differs and the share does not
 */
typedef struct {
  PenPhase phases[PEN_TEXT_STATES];
  PenRateTest rate_test;
  PenVerdict rate;
  PenRateTest share_test;
  PenVerdict share;
} PenTwoPhases;

/*
 * PenVerdictTask: the samples of tasks of one name
 * @two: shares are of these tasks' own samples; only off and on
 * @others: the samples of all other tasks
 * @differs: its ratio differs from that of the others: their intervals part
 */
typedef struct {
  char *comm;
  PenTwoPhases two;
  PenTwoPhases others;
  gboolean differs;
} PenVerdictTask;

/*
 * PenVerdictCause: what one cause did
 * @cause: kprobe stands for optprobe, too, into which the kernel makes it
 * @address: of its first site; @sites: in the place
 * @is_switch: on and off are known; else off is the first text, and on all others
 * @key: of a static key or static call; @target, @user: as PenPoke has them, of the last poke that
 *   turned it on; NULL where not known
 * @period_test: of the mean period, which is what a sample stands for (cycles); NAN where the
 * report has no event; its bounds are NAN where the stretches are too few
 * @overlap: index of the cause that was on in more of one phase than of the other, or -1;
 *   @overlap_on, @overlap_off: in which part of them, 0–1
 * @tasks: (element-type PenVerdictTask): most samples first; none where they were not asked for
 */
typedef struct {
  PenCause cause;
  guint64 address;
  guint sites;
  guint pokes;
  gboolean is_switch;
  char *key;
  char *target;
  char *user;
  PenTwoPhases two;
  PenRateTest period_test;
  int overlap;
  double overlap_on;
  double overlap_off;
  GPtrArray *tasks;
} PenVerdictCause;

/*
 * PenVerdictReport:
 * @recorded: seconds of recorded time; @known: of them, those in which its text is known
 * @traced: of the known, with a probe, tracer, program or live patch on it; @patched: with any
 * cause on
 * @patchers: who patched, "sh [132]", "bpfcycle" for several processes of a name; most patches
 *   first. Kernel threads only where there is no other task
 * @event: of all samples, where their periods say more than their number, because they differ, as
 *   they do where the kernel keeps to a frequency; NULL elsewhere
 * @causes: (element-type PenVerdictCause): the largest difference first; none where it was not
 *   patched
 * @stride: every @stride-th block of samples was read for tasks
 *
 * The intervals of the causes' tests hold together with 95 %: where there are several, each is
 * wider (Bonferroni).
 */
typedef struct {
  char *symbol;
  guint64 start;
  guint64 end;
  gboolean is_coarse;
  double recorded;
  double known;
  double traced;
  double patched;
  GPtrArray *patchers;
  char *event;
  GPtrArray *causes;
  guint stride;
} PenVerdictReport;

void pen_verdict_report_free (PenVerdictReport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenVerdictReport, pen_verdict_report_free)

/* Cost: the buckets of the function; for each change what two ends of a stretch cost, or all
 * blocks, whichever is less; and for tasks 64 blocks at most. */
PenVerdictReport *pen_query_verdict_of_function (PenQuery *self, const PenFilter *filter,
                                                 guint32 function, GError **error);
/* The same of the bytes that pokes of @address covered. */
PenVerdictReport *pen_query_verdict_of_address (PenQuery *self, const PenFilter *filter,
                                                guint64 address, GError **error);

/* ---- in words ---- */

/* "Traced 61 % of the time.", then a sentence for each cause, the strongest first, then who
 * patched. Empty where nothing was patched. Text that is unknown most of the time is what it begins
 * with. Names in it are as recorded. */
char *pen_verdict_report_describe (const PenVerdictReport *self);
/* Notes on the numbers: tasks that differ, uneven load, periods, lost time; a line
 * for each. */
char *pen_verdict_report_describe_more (const PenVerdictReport *self);

/* ---- as a table ---- */

/* A row for each phase of each cause, and of each of its tasks; finishes the writer. In a table for
 * people, below the sentences. */
gboolean pen_verdict_report_write (const PenVerdictReport *self, PenTableWriter *writer,
                                   GError **error);
/* The same. @target: as for pen_query_write_comparison() */
gboolean pen_query_write_phases (PenQuery *self, const PenFilter *filter, const char *target,
                                 PenTableWriter *writer, GError **error);

G_END_DECLS
