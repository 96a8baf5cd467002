/* pen-compared.h: what the open recording is compared with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-span.h"

G_BEGIN_DECLS

/*
 * PenCompared: never changes, kept by its reference
 * @path: of the other capture or store
 * @has_time, @time: only this time of it, on its own clock, both ends included; else it is that
 *   share of it which the filter's time is of the open one
 */
typedef struct {
  char *path;
  gboolean has_time;
  PenSpan time;
} PenCompared;

/* All of it, whatever the filter's time is. */
#define PEN_COMPARED_ENTIRE                                                                        \
  {                                                                                                \
    0, G_MAXUINT64                                                                                 \
  }

/* @time: (nullable). Returns: (transfer full) */
PenCompared *pen_compared_new (const char *path, const PenSpan *time);
PenCompared *pen_compared_ref (PenCompared *self);
void pen_compared_unref (PenCompared *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCompared, pen_compared_unref)

/* @a, @b: (nullable): nothing */
gboolean pen_compared_is_same_recording (const PenCompared *a, const PenCompared *b);
gboolean pen_compared_equal (const PenCompared *a, const PenCompared *b);

G_END_DECLS
