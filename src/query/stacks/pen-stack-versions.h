/* pen-stack-versions.h: which text frames and samples were in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"
#include "pen-store-callchains.h"

G_BEGIN_DECLS

/* As in PenFlameVersion. */
typedef struct {
  guint32 tenure;
  guint32 revision;
  guint32 poke;
  PenCause cause;
} PenStackVersion;

/*
 * PenStackVersions:
 * @versions: (element-type PenStackVersion): the first is that of text which is not known to have
 *   any
 * @of_frame, @of_bucket: index in @versions
 * @of_function: of each function, that of all its frames and buckets, plus one; 0: it has none.
 *   PEN_STACK_SEVERAL: they have several, or one that is patched
 */
#define PEN_STACK_SEVERAL G_MAXUINT32

typedef struct {
  GArray *versions;
  guint32 *of_frame;
  guint32 *of_bucket;
  guint32 *of_function;
} PenStackVersions;

/* Cost: one step for each frame and for each bucket of text that may have versions, and the pokes
 * at each address that was patched. */
PenStackVersions *pen_stack_versions_new (PenQuery *query, const PenFrameColumns *frames,
                                          GError **error);
void pen_stack_versions_free (PenStackVersions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackVersions, pen_stack_versions_free)

static inline const PenStackVersion *
pen_stack_versions_get (const PenStackVersions *self, guint32 version)
{
  return &g_array_index (self->versions, PenStackVersion, version);
}

G_END_DECLS
