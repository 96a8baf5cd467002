/* pen-present-private.h: the inside of who is there now
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-names.h"
#include "pen-present.h"
#include "pen-tenure-builder.h"

G_BEGIN_DECLS

/* @space: the place of its space, as in PenTenure */
typedef struct {
  guint32 space;
  gint32 tid;
} PenPresentThread;

/*
 * @n_spaces, @n_tenures: ids that were given so far, but to the kernel's space
 * @spaces: (element-type PenSpace): element i has place i + 1
 * @threads: (element-type PenPresentThread)
 * @tenures: (element-type PenTenure): of processes, by id
 * @parts: (element-type PenPart): those that are open
 * @comms: tid → name, of @names
 * @known: (element-type PenKnownTenure): the kernel's
 */
struct _PenPresent {
  PenNames *names;
  guint32 n_spaces;
  guint32 n_tenures;
  GArray *spaces;
  GArray *threads;
  GArray *tenures;
  GArray *parts;
  GHashTable *comms;
  GArray *known;
};

/* Gives ids to @tenures, which are in the order of their beginnings: those that @self (nullable)
 * has keep theirs. Returns: whether they ascend, and the kernel's are those that were known */
gboolean pen_present_number (const PenPresent *self, GArray *tenures);

/* All of @builder's that is open in @spaces, and their @threads, in place of what was there.
 * @builder: finished and numbered */
void pen_present_take (PenPresent *self, const GArray *spaces, const GArray *threads,
                       PenTenureBuilder *builder);

G_END_DECLS
