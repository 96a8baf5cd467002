/* pen-digests.h: which rows differ from those that were written last
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-hash.h"

G_BEGIN_DECLS

/* @digests: (element-type guint64): of row @i, if it was written; is set to @digest.
 * Returns: whether it is another one */
static inline gboolean
pen_digests_set (GArray *digests, guint i, guint64 digest)
{
  if (i < digests->len && g_array_index (digests, guint64, i) == digest)
    return FALSE;
  if (i >= digests->len)
    g_array_set_size (digests, i + 1);
  g_array_index (digests, guint64, i) = digest;
  return TRUE;
}

static inline guint64
pen_digest (const guint64 *words, guint n)
{
  guint64 digest = n;

  for (guint i = 0; i < n; i++)
    digest = pen_hash_mix (digest, words[i]);
  return digest;
}

G_END_DECLS
