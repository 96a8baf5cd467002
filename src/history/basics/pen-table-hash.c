/* pen-table-hash.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-table-hash.h"

#include <sodium.h>
#include <string.h>

static guint8 hash_key[crypto_shorthash_KEYBYTES];

void
pen_table_hash_init (void)
{
  static gsize once;

  if (g_once_init_enter (&once)) {
    /* It fails where the kernel gives no random bytes; what follows ends the program then. */
    if (sodium_init () < 0)
      g_warning ("libsodium cannot be used");
    randombytes_buf (hash_key, sizeof hash_key);
    g_once_init_leave (&once, 1);
  }
}

guint
pen_data_hash (gconstpointer data, gsize size)
{
  guint8 hash[crypto_shorthash_BYTES];
  guint result;

  pen_table_hash_init ();
  crypto_shorthash (hash, data, size, hash_key);
  memcpy (&result, hash, sizeof result);
  return result;
}

guint
pen_str_hash (gconstpointer string)
{
  return pen_data_hash (string, strlen (string));
}

guint
pen_int64_hash (gconstpointer number)
{
  return pen_data_hash (number, sizeof (gint64));
}

guint
pen_bytes_hash (gconstpointer bytes)
{
  gsize size;
  gconstpointer data = g_bytes_get_data ((GBytes *) bytes, &size);

  return pen_data_hash (data, size);
}

guint
pen_direct_hash (gconstpointer number)
{
  return pen_data_hash (&number, sizeof number);
}
