/* pen-query-pair-text.h: the text of one function in two recordings, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-query-pair.h"

G_BEGIN_DECLS

typedef enum {
  PEN_PAIR_LINE_SAME,
  PEN_PAIR_LINE_CHANGED,
  PEN_PAIR_LINE_ADDED,   /* only in B */
  PEN_PAIR_LINE_REMOVED, /* only in A */
  PEN_PAIR_LINE_UNKNOWN, /* the other text is not known there */
  PEN_PAIR_LINE_REST,    /* samples of what is no instruction of the text */
  PEN_PAIR_DIFFERENCES,
} PenPairDifference;

/* "same", "changed" …: as in tables */
const char *pen_pair_difference_to_string (PenPairDifference difference);

/*
 * PenPairLine: one instruction of both texts, or of one
 * @lines: (nullable elements): of each; @offset of a line is from the start of its function
 * @targets: (nullable elements): where jumps and calls lead, by name
 * @cause: of the patch that makes the difference; PEN_CAUSE_UNKNOWN: none is known
 * @is_masked: it has an address without a name, which is not compared
 * @rates: see PenPairRow
 * @test: of rates, or of shares where rates cannot be compared; at the annotation's level
 */
typedef struct {
  const PenAnnotationLine *lines[2];
  char *targets[2];
  PenPairDifference difference;
  PenCause cause;
  gboolean is_masked;
  PenRate rates[2];
  PenPairTest test;
} PenPairLine;

/*
 * PenPairSourceLine: one line of source: those of both whose instructions are mostly each other's
 * @files, @lines: of each; NULL and 0: not known, or no instruction of that text is of it. The last
 *   row may have neither: instructions of which nothing is known
 * @instructions: of each; @n_different: of both, that differ
 */
typedef struct {
  const char *files[2];
  guint32 lines[2];
  guint instructions[2];
  guint n_different;
  PenRate rates[2];
  PenPairTest test;
} PenPairSourceLine;

/*
 * PenPairFunction: of one function in each
 * @loads: of a BPF program or stub, how many loads of equal text these are; else 1; 0: there is
 * none
 * @functions: ids; G_MAXUINT32: there is none with samples or changes. @is_there: the recording has
 *   a function of that name nevertheless
 * @symbols: (nullable elements): as recorded
 * @moments: as of which the texts are
 * @versions: texts that were there, one after the other
 * @text: see PenPairRow; @n_different: lines
 * @samples: their sum is that of all lines
 * @lines: (element-type PenPairLine): in the order of both texts
 * @sources: (element-type PenPairSourceLine): sure differences first, then by samples; one without
 *   a place where the lines of neither are known
 */
typedef struct {
  guint loads[2];
  guint32 functions[2];
  gboolean is_there[2];
  const char *symbols[2];
  PenMoment moments[2];
  guint64 versions[2];
  guint64 samples[2];
  PenPairTextState text;
  guint n_different;
  GPtrArray *lines;
  GPtrArray *sources;
  gpointer texts[2];
} PenPairFunction;

/*
 * PenPairAnnotation:
 * @functions: (element-type PenPairFunction): where the row has several, those of equal text
 *   together; of the others the one with most samples of A with that of B, the second with the
 *   second, and so on
 * @alpha: level of the tests: 5 % for all lines with samples together; @source_alpha: the same of
 *   lines of source
 */
typedef struct {
  GPtrArray *functions;
  double alpha;
  double source_alpha;
  PenNames *strings;
} PenPairAnnotation;

void pen_pair_annotation_free (PenPairAnnotation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairAnnotation, pen_pair_annotation_free)

/*
 * pen_query_pair_annotate:
 * @sources: those of @pairs; @row: of @pairs
 * @most: functions that are wanted, at most
 *
 * Loads of a BPF program of equal text are one function, and so are those of which the text is not
 * known, with one of the same tag and length.
 *
 * Samples are those of all of the filter's time, at their offsets: also of other versions of the
 * text. Cost: the bytes and buckets of the functions, the tenures of the kernel's space, and an
 * alignment of a few million steps at most for each function.
 */
PenPairAnnotation *pen_query_pair_annotate (const PenPairSource sources[2], const PenPairs *pairs,
                                            const PenPairRow *row, PenSyntax syntax, guint most,
                                            GError **error);

/* A line of @row, see PenPairSourceLine. */
typedef struct {
  const PenPairRow *row;
  PenPairSourceLine line;
} PenPairFunctionLine;

/*
 * PenPairSourceList:
 * @lines: (element-type PenPairFunctionLine): sure differences first, then by samples; of each
 *   function, those without a place are one
 * @alpha: level of the tests: 5 % for all of them together
 */
typedef struct {
  GArray *lines;
  double alpha;
  PenNames *strings;
} PenPairSourceList;

void pen_pair_source_list_free (PenPairSourceList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairSourceList, pen_pair_source_list_free)

/* Lines of source with samples, of all functions. Cost: that of pen_query_pair_annotate() for each
 * row with samples. */
PenPairSourceList *pen_query_pair_lines (const PenPairSource sources[2], const PenPairs *pairs,
                                         GError **error);

/* What rows of a function are. */
typedef enum {
  PEN_PAIR_BY_INSTRUCTION,
  PEN_PAIR_BY_SOURCE_LINE,
} PenPairTextRows;

/* Writes a whole table, of the functions that are called @symbol; NULL: lines of source of all. */
gboolean pen_query_write_pair_text (const PenPairSource sources[2], const char *symbol,
                                    PenPairTextRows by, PenSyntax syntax, PenTableWriter *writer,
                                    GError **error);
/* The same of @rows: (element-type PenPairRow): of @pairs */
gboolean pen_query_write_pair_text_of (const PenPairSource sources[2], const PenPairs *pairs,
                                       const GPtrArray *rows, PenPairTextRows by, PenSyntax syntax,
                                       PenTableWriter *writer, GError **error);

G_END_DECLS
