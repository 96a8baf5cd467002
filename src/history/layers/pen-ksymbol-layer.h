/* pen-ksymbol-layer.h: the ksymbols as they are now, and what is known of their past (rules K1–K4,
 * K6)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-events.h"
#include "pen-tenure-builder.h"

G_BEGIN_DECLS

typedef struct _PenKsymbolLayer PenKsymbolLayer;

/* @builder is borrowed: what happens here is written into it. */
PenKsymbolLayer *pen_ksymbol_layer_new (PenTenureBuilder *builder);
void pen_ksymbol_layer_free (PenKsymbolLayer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKsymbolLayer, pen_ksymbol_layer_free)

/* In time order. Names are interned. */
void pen_ksymbol_layer_register (PenKsymbolLayer *self, PenMoment moment,
                                 const PenKsymbolEvent *event);
void pen_ksymbol_layer_unregister (PenKsymbolLayer *self, PenMoment moment,
                                   const PenKsymbolEvent *event);
/* After all of the initial state: what of it only a snapshot lists. */
void pen_ksymbol_layer_list (PenKsymbolLayer *self, const PenListedItem *item);
/* After all of the above, in time order: a map takes [@start, @end), which must not be empty. What
 * was only listed there ends, unless a record has told that it ended, or ends, otherwise. */
void pen_ksymbol_layer_take_listed (PenKsymbolLayer *self, PenMoment moment, guint64 start,
                                    guint64 end);
/* @addresses: @load->n_addresses of them */
void pen_ksymbol_layer_load (PenKsymbolLayer *self, const PenBpfLoadItem *load,
                             const guint64 *addresses);

guint64 pen_ksymbol_layer_get_ignored (PenKsymbolLayer *self);
guint64 pen_ksymbol_layer_get_repeated (PenKsymbolLayer *self);

G_END_DECLS
