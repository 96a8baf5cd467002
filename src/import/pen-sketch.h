/* pen-sketch.h: what an import has seen so far, to be looked at while it goes on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-tenure.h"

G_BEGIN_DECLS

/* However large the capture is, a sketch is not: what is more of these is counted only. */
#define PEN_SKETCH_BINS 4096
#define PEN_SKETCH_BARS 1024
#define PEN_SKETCH_LOSSES 1024

/*
 * PenSketchFacts: what the header says. NULL or 0 where it does not say, or not yet: what comes
 * through a pipe tells some of it at its end only.
 * @events: their names, some of them where there are many
 * @has_pokes, @has_ksymbols: they were asked for
 * @has_kcore: the kernel's code was kept with the recording
 */
typedef struct {
  char *shape;
  guint64 size;
  char *hostname;
  char *os_release;
  char *arch;
  char *processor;
  guint32 cpus_online;
  char *perf_version;
  char *command_line;
  char *events;
  gboolean has_pokes;
  gboolean has_ksymbols;
  gboolean has_kcore;
} PenSketchFacts;

/* Made with g_atomic_rc_box_new0(). */
void pen_sketch_facts_unref (PenSketchFacts *self);

/* A program, stub or module: as recorded, until the history is built; then as it was. @to:
 * G_MAXUINT64 while it is there */
typedef struct {
  PenKind kind;
  guint64 start;
  guint64 end;
  guint64 from;
  guint64 to;
  GRefString *name;
} PenSketchBar;

/*
 * PenSketch: not changed once made; shared between threads by reference (g_atomic_rc_box).
 * @from, @to: first and last time of samples and changes so far, ns; both 0: there is none
 * @is_read: all records were read: times and numbers are what they will be
 * @has_expected: the header tells first and last time of the samples: @expected_from, @expected_to
 * @bins_from: where the first bin begins; each is 1 << @bin_shift ns wide
 * @samples: n_bins × PEN_KINDS; until a sample is placed, its kind is what the CPU was in: kernel,
 *   a file of user space ("dso"), guest
 * @patches: n_bins × PEN_CAUSES; until the text is looked at, no cause is known
 * @placed_to: samples before this time have the kind that they will have
 * @has_causes: causes are known
 * @bars: (element-type PenSketchBar): at most PEN_SKETCH_BARS
 * @losses: (element-type PenLoss): at most PEN_SKETCH_LOSSES
 */
typedef struct {
  PenSketchFacts *facts; /* or NULL */
  guint64 from;
  guint64 to;
  gboolean is_read;
  gboolean has_expected;
  guint64 expected_from;
  guint64 expected_to;
  guint64 bins_from;
  guint bin_shift;
  guint n_bins;
  guint32 *samples;
  guint32 *patches;
  guint64 placed_to;
  gboolean has_causes;
  GArray *bars;
  GArray *losses;
  guint64 n_samples;
  guint64 n_patches;
  guint64 n_programs; /* registered, or mapped in the kernel */
  guint64 n_lost;     /* records and samples, where a number is known */
} PenSketch;

PenSketch *pen_sketch_ref (PenSketch *self);
void pen_sketch_unref (PenSketch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSketch, pen_sketch_unref)

/*
 * pen_sketch_read:
 * @path: a file with records, as pen_reader_open() has it
 * @microseconds: after so long the rest is left unread
 * @part: (out): how much of the file was read, 0–1
 *
 * What records alone say: samples by what the CPU was in, patches without a cause.
 *
 * Returns: (transfer full): NULL: nothing can be read, as pen_reader_open() and pen_reader_next()
 */
PenSketch *pen_sketch_read (const char *path, gint64 microseconds, double *part, GError **error);

G_END_DECLS
