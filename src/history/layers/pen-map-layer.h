/* pen-map-layer.h: the maps of one space as they are now (rules M1 and M2)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-tenure-builder.h"

G_BEGIN_DECLS

typedef struct _PenMapLayer PenMapLayer;

#define PEN_MAP_LAYER_NONE G_MAXUINT32

/* @builder is borrowed: what happens here is written into it. */
PenMapLayer *pen_map_layer_new (PenTenureBuilder *builder);
/* One that can end occupants. */
PenMapLayer *pen_map_layer_new_with_occupants (PenTenureBuilder *builder);
void pen_map_layer_free (PenMapLayer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenMapLayer, pen_map_layer_free)

/* A map takes its range (start to end of @tenure, not empty) at @tenure->from; but anonymous memory
 * does not take what a runtime wrote into it, and that does not take what is a file's (U6).
 * Returns: the tenure's index in the builder; PEN_MAP_LAYER_NONE: none, or several parts of it */
guint32 pen_map_layer_take (PenMapLayer *self, const PenTenure *tenure);

/* What was there before the first event: a part of @tenure, which is open in the builder. */
void pen_map_layer_go_on (PenMapLayer *self, guint32 tenure, const PenPart *part);

/* Ends the live maps of @occupant (interned). Costs no more than its parts, each of which ends
 * once.
 */
void pen_map_layer_end_occupant (PenMapLayer *self, const char *occupant, PenMoment moment);
/* How many parts pen_map_layer_take() will open besides the first: what is left of others on both
 * sides, and its own around those that stay (U6). Counts up to @max and one more. */
guint pen_map_layer_count_pieces (PenMapLayer *self, const PenTenure *tenure, guint max);

/* What is live of @tenure, that is, of what pen_map_layer_take() returned, ends: inferred. */
void pen_map_layer_end_tenure (PenMapLayer *self, guint32 tenure, PenMoment moment);

/* The space ends: so do its maps. */
void pen_map_layer_end (PenMapLayer *self, PenMoment moment);

/* How many tenures pen_map_layer_copy() would open, or a little more. */
guint pen_map_layer_count (PenMapLayer *self);

/* Copies what is live into the empty layer @child of the space with id @space (rule U1). */
void pen_map_layer_copy (PenMapLayer *self, PenMapLayer *child, guint32 space, PenMoment moment);

G_END_DECLS
