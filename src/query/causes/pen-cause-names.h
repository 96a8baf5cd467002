/* pen-cause-names.h: what patches are for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke-sites.h"

G_BEGIN_DECLS

/*
 * PenCauseName:
 * @name: of static keys and calls their own; of ftrace and live patches whom the trampoline calls,
 *   or where the call leads to; of BPF its trampoline or dispatcher; of a probe its place; else
 * what holds the site
 * @is_place: no name is known: it is the place of the first site
 */
typedef struct {
  const char *name;
  gboolean is_place;
} PenCauseName;

typedef struct _PenCauseNames PenCauseNames;

/*
 * pen_cause_names_new:
 *
 * A site of a static key or call belongs to one: sites that were ever patched together are of one
 * key, and a name that any of its patches has is that of all. Where several names meet, each patch
 * has its own, or that of its site.
 */
PenCauseNames *pen_cause_names_new (PenQuery *query, const PenPokeSites *sites, GError **error);
void pen_cause_names_free (PenCauseNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCauseNames, pen_cause_names_free)

/* The name for poke @poke, a patch; it lives as long as @self. */
PenCauseName pen_cause_names_get (PenCauseNames *self, guint poke);

/* (nullable): what holds the bytes of a poke. */
const PenTenure *pen_cause_names_get_tenure (PenCauseNames *self, guint32 tenure);

G_END_DECLS
