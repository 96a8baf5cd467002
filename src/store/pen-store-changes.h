/* pen-store-changes.h: changes of a store: every map, register, unregister and poke, in time order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenChange:
 * @id: rank among all changes, in time order
 * @time: as recorded, with @has_time
 * @change: "map", "register", "unregister", "poke"
 * @poke: its id, or 0; from there on to @n_sites, what is known of a poke
 * @n_sites: of its batch
 */
typedef struct {
  guint32 id;
  gboolean has_time;
  PenMoment moment;
  guint64 time;
  const char *change;
  guint64 address;
  guint64 length;
  PenKind kind;
  const char *occupant;
  const char *symbol; /* or NULL */
  guint64 offset;
  guint32 tenure;
  guint32 poke;
  PenCause cause;
  PenConfidence confidence;
  PenPokeEffect effect;
  const guint8 *old_bytes;
  guint16 old_length;
  const guint8 *new_bytes;
  guint16 new_length;
  const char *key; /* or NULL */
  guint32 batch;   /* 0: none */
  guint32 n_sites;
  guint32 cpu; /* G_MAXUINT32: not known */
  gint32 pid;
  gint32 tid;
  gboolean has_task;
  const char *comm;
  PenEvidence evidence;
} PenChange;

/* Strings live until @func returns. Return FALSE from @func to stop. */
typedef gboolean (*PenChangeFunc) (const PenChange *change, gpointer user_data);
gboolean pen_store_foreach_change (PenStore *self, PenChangeFunc func, gpointer user_data,
                                   GError **error);

/* The changes with these ids, in that order; ids that no change has are passed over. Cost: one
 * look-up for each. */
gboolean pen_store_foreach_change_of (PenStore *self, const guint32 *ids, guint n,
                                      PenChangeFunc func, gpointer user_data, GError **error);

/* First and last time of a change, ns; @has_any: FALSE: none has a time. Cost: a few rows. */
gboolean pen_store_load_change_times (PenStore *self, gboolean *has_any, guint64 *first,
                                      guint64 *last, GError **error);

G_END_DECLS
