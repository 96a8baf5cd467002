/* pen-hash.h: hashes that a capture cannot aim at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_hash_mix: one more number into @hash
 *
 * Start from a number that is random for each table: whoever makes a capture chooses the keys, and
 * must not be able to choose them alike.
 */
static inline guint64
pen_hash_mix (guint64 hash, guint64 value)
{
  /* The multiplier is 2^64 / φ. */
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static inline guint64
pen_hash_seed (void)
{
  return (guint64) g_random_int () << 32 | g_random_int ();
}

G_END_DECLS
