/* pen-annotation.h: the text of a range of addresses over time, with the samples of each version
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"
#include "pen-text.h"

G_BEGIN_DECLS

/* Writes what stands at a jump or call's target just before @moment, e.g. "vfs_read+0x10"; leaves
 * @name alone where nothing is known. The initial state is asked for with a moment after all of
 * it. */
typedef void (*PenTargetFunc) (guint64 target, PenMoment moment, GString *name, gpointer user_data);

/*
 * PenAnnotationLine: one version of one instruction slot.
 * @version: counts the lines of one address in time order, from 0, through all its tenures
 * @from, @to: when this version stood there
 * @tenure: 0 only for samples that had none
 * @revision: of the byte at @address
 * @n_bytes: 0: bytes not known; then @instruction has a note in brackets
 * @is_patched: its slot has more than one version, or holds a byte that was patched
 * @is_inside: samples on an address inside another instruction (bytes and instruction are empty)
 * @is_rest: what a patch left of an instruction, and no instruction itself
 * @target: where a direct jump or call leads; NULL where there is none, or nothing is known there
 * @target_address: the same as a number, with @has_target
 * @poke: id of the poke that brought this version, 0 for the first
 * @first, @last: of its samples, ns; 0 without samples
 * @bytes_source: where unrecorded bytes came from: "kcore", "vmlinux" …; NULL: unknown
 * @source_file, @source_line: from which line of its source it was made; NULL and 0 where that is
 *   not known. Left alone here: whoever knows fills it in. Not owned by the line
 * @inlined: where that line is of a function that was inlined, which calls brought it here, the
 *   innermost first, one a line: "list_add at kernel/sched/fair.c:88". NULL: none
 */
typedef struct {
  guint64 address;
  guint64 offset; /* from the range's start */
  guint version;
  PenMoment from;
  PenMoment to;
  guint32 tenure;
  guint32 revision;
  guint8 bytes[16];
  guint8 n_bytes;
  gboolean is_patched;
  gboolean is_inside;
  gboolean is_rest;
  gboolean has_target;
  guint64 target_address;
  PenInstructionClass class;
  char *instruction;
  char *target;
  guint32 poke;
  guint64 samples;
  guint64 period;
  guint64 first;
  guint64 last;
  PenEvidence evidence;
  const char *bytes_source;
  const char *source_file;
  guint32 source_line;
  char *inlined;
} PenAnnotationLine;

/* Frees a line, and what it owns. */
void pen_annotation_line_free (PenAnnotationLine *line);

/* Did it stand there just before @moment? */
static inline gboolean
pen_annotation_line_stood (const PenAnnotationLine *line, PenMoment moment)
{
  return pen_moment_compare (line->from, moment) < 0 && pen_moment_compare (moment, line->to) <= 0;
}

/* One tenure's turn in the range: the text object and when the tenure held it. */
typedef struct {
  const PenTenure *tenure;
  PenText *text;
} PenAnnotationTenure;

/*
 * pen_annotation_build:
 * @start, @end: the range; @end - @start at most PEN_ANNOTATION_MAX. It begins with an instruction
 * @tenures: that held it, in time order
 * @pokes: that touch it, in time order
 * @buckets: the samples in it, any order; several buckets of one line are added up
 * @target_func: (nullable)
 * @check: (nullable)
 *
 * Lines sorted by address, then by time. No bucket of the range is dropped: samples off the
 * instruction boundaries of their version get lines of their own (is_inside), and so do samples
 * where bytes are not known. Where two lines of a tenure have the same address and revision, as
 * after a fill that follows a clear, the time of a bucket's first sample decides.
 *
 * A jump or a breakpoint that a patch wrote over a part of an instruction leaves a rest of it that
 * is never executed: it is shown as bytes (".byte  0x89,0x44"), and only where samples fell on it.
 *
 * Cost: one decode of the range per tenure, and of the patched slots per poke.
 *
 * Returns: (element-type PenAnnotationLine) (nullable): frees its lines with it; NULL: @check was
 * stopped
 */
#define PEN_ANNOTATION_MAX (1u << 20)

GPtrArray *pen_annotation_build (guint64 start, guint64 end, const PenAnnotationTenure *tenures,
                                 gsize n_tenures, const PenPoke *const *pokes, gsize n_pokes,
                                 const PenBucket *buckets, gsize n_buckets, PenDecoder *decoder,
                                 PenTargetFunc target_func, gpointer user_data,
                                 PenCancelCheck *check);

G_END_DECLS
