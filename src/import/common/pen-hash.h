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

/*
 * PenHashKey: what makes the hashes of one table its own
 *
 * pen_hash_mix() scatters well, but numbers can be chosen so that a change in one makes up for a
 * change in another, whatever the start. Where many numbers make one key, use these.
 */
typedef struct {
  guint64 a;
  guint64 b;
} PenHashKey;

static inline PenHashKey
pen_hash_key (void)
{
  return (PenHashKey){ pen_hash_seed (), pen_hash_seed () };
}

/* For tables that look at a few places only and forget the rest: whoever makes keys alike makes
 * them forget, and nothing slow. What is forgotten shows in a store, which shall be the same each
 * time. */
#define PEN_HASH_KEY_FIXED                                                                         \
  ((PenHashKey){ G_GUINT64_CONSTANT (0x243f6a8885a308d3), G_GUINT64_CONSTANT (0x13198a2e03707344) })

/* Both halves of the product of @a and @b. */
static inline guint64
pen_hash_fold (guint64 a, guint64 b)
{
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 Product;
  Product product = (Product) a * b;
  return (guint64) product ^ (guint64) (product >> 64);
#else
  guint64 low = (a & G_MAXUINT32) * (b & G_MAXUINT32);
  guint64 middle = (a >> 32) * (b & G_MAXUINT32) + (low >> 32);
  guint64 other = (a & G_MAXUINT32) * (b >> 32) + (middle & G_MAXUINT32);
  return (other << 32 | (low & G_MAXUINT32))
         ^ ((a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32));
#endif
}

/* The hash of two numbers. */
static inline guint64
pen_hash_pair (const PenHashKey *key, guint64 x, guint64 y)
{
  return pen_hash_fold (x ^ key->a, y ^ key->b);
}

/* The hash of @first, which determines @n, and @n more. */
static inline guint64
pen_hash_words (const PenHashKey *key, guint64 first, const guint64 *words, gsize n)
{
  guint64 one = first ^ key->b;
  guint64 other = key->a;
  gsize i = 0;

  if (n < 4) {
    for (; i < n; i++)
      one = pen_hash_fold (words[i] ^ key->a, one);
    return pen_hash_fold (one ^ key->a, other ^ key->b);
  }

  /* Two at a time, each waiting for its own last product only; the last four may overlap others. */
  for (; i + 4 < n; i += 4) {
    one = pen_hash_fold (words[i] ^ key->a, words[i + 1] ^ one);
    other = pen_hash_fold (words[i + 2] ^ key->b, words[i + 3] ^ other);
  }
  words += n - 4;
  one = pen_hash_fold (words[0] ^ key->a, words[1] ^ one);
  other = pen_hash_fold (words[2] ^ key->b, words[3] ^ other);
  return pen_hash_fold (one ^ key->a, other ^ key->b);
}

G_END_DECLS
