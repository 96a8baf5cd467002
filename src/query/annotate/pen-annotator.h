/* pen-annotator.h: instructions of ranges of text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-loaded-text.h"
#include "pen-query.h"

G_BEGIN_DECLS

/*
 * PenAnnotator: state that is kept between the ranges that are annotated one after the other
 * @n_found: holdings that were ever found
 * @shared: (nullable) (unowned): text of a range of which several parts are annotated
 * @leaves_targets: targets of lines as of a moment are not named: that takes longer than the rest
 * @text: that was loaded last: one range may be annotated for each who held it
 */
typedef struct {
  PenQuery *query;
  PenDecoder *decoder;
  GHashTable *targets; /* PenTarget */
  guint n_holdings;    /* of them, and how many they are */
  guint64 n_found;
  gboolean leaves_targets;
  PenLoadedText *shared;
  PenLoadedText *text;
} PenAnnotator;

PenAnnotator *pen_annotator_new (PenQuery *query, PenSyntax syntax, GError **error);
void pen_annotator_free (PenAnnotator *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenAnnotator, pen_annotator_free)

/* Returns: (transfer full) (nullable): what stands at @address at @moment, as the target of an
 * instruction is named: "vfs_read+0x10"; NULL: not known */
char *pen_annotator_name_target (PenAnnotator *self, guint64 address, PenMoment moment);

/* Appends what stands at @address at @moment as "vfs_read+0x10", and nothing where that is not
 * known; of a stub, whose memory is shared out as it comes, its name alone. Once a million holdings
 * were found, nothing is named any more: that is far more than all calls of a kernel lead to. */
void pen_annotator_name_place (PenAnnotator *self, guint64 address, PenMoment moment,
                               GString *name);

/*
 * pen_annotator_build:
 * @tenures: (element-type PenTenure): each with its own times
 * @buckets: (element-type PenBucket)
 *
 * Lines of [@start, @end), by address, then time; each tenure is decoded from where its own
 * instructions begin.
 */
GPtrArray *pen_annotator_build (PenAnnotator *self, guint64 start, guint64 end, GArray *tenures,
                                GArray *buckets, GError **error);

/* The lines of one tenure that have the byte at @byte: its function is decoded, of which as many
 * lines as it has are not kept. In no particular order, without samples, versions and rests. */
GPtrArray *pen_annotator_build_byte (PenAnnotator *self, const PenTenure *tenure, guint64 byte,
                                     GError **error);

/*
 * PenTextRead: the text of one tenure at one moment
 * @lines: (element-type PenAnnotationLine): what stood there; empty where machine code cannot be
 *   read
 * @known: 1 for each of the bytes that is known
 * @is_site: 1 where a poke begins
 */
typedef struct {
  GPtrArray *lines;
  guint8 *bytes;
  guint8 *known;
  guint8 *is_site;
} PenTextRead;

void pen_text_read_clear (PenTextRead *read);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenTextRead, pen_text_read_clear)

/*
 * pen_annotator_read_at:
 * @tenure: what it held of [@start, @end)
 * @read: (out): cleared also on failure
 *
 * Just before @moment. Cost: the range, twice, and a few searches for each site that was poked.
 */
gboolean pen_annotator_read_at (PenAnnotator *self, const PenTenure *tenure, guint64 start,
                                guint64 end, PenMoment moment, PenTextRead *read, GError **error);

G_END_DECLS
