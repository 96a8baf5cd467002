/* pen-thumbnail.h: a recording as small as an icon: no word could be read there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "pen-words.h"

G_BEGIN_DECLS

/* Pixels of the longer side. File managers ask for 128 to 1024. */
#define PEN_THUMBNAIL_SMALLEST 16
#define PEN_THUMBNAIL_LARGEST 2048

/*
 * PenThumbnail: equal steps of time
 * @samples: n × PEN_KINDS
 * @patches: n × PEN_CAUSES
 * @n_read: steps of which something is known; what follows was not read
 */
typedef struct {
  guint n;
  guint n_read;
  guint64 *samples;
  guint64 *patches;
} PenThumbnail;

/* How many steps a picture of @size has. */
guint pen_thumbnail_count_steps (guint size);

/* All counts 0. */
PenThumbnail *pen_thumbnail_new (guint n);
void pen_thumbnail_free (PenThumbnail *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenThumbnail, pen_thumbnail_free)

/* Returns: (transfer full): a PNG of @size × 3/4 @size pixels, samples above patches; NULL: there
 * is no memory */
GByteArray *pen_thumbnail_draw (const PenThumbnail *self, guint size);

G_END_DECLS
