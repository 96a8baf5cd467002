/* test-table-hash.c: keys that are alike for GLib's hashes are not for ours
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-table-hash.h"

#include <string.h>

#include "pen-names.h"

#define LETTERS 12
#define N_KEYS (1u << LETTERS)

/* "bB" and "ac" are alike for g_str_hash(), and so are rows of them. */
static void
write_name (char *name, guint number)
{
  *name = '\0';
  for (guint i = 0; i < LETTERS; i++)
    strcat (name, (number >> i & 1) != 0 ? "bB" : "ac");
}

/* Of 4,096 random numbers of 32 bits, ten alike would be one in very many. */
static void
check_distinct (const guint *hashes)
{
  g_autoptr (GHashTable) distinct = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < N_KEYS; i++)
    g_hash_table_add (distinct, GUINT_TO_POINTER (hashes[i]));
  g_assert_cmpuint (g_hash_table_size (distinct), >, N_KEYS - 10);
}

static void
test_strings (void)
{
  guint hashes[N_KEYS];
  guint of_bytes[N_KEYS];
  char first[2 * LETTERS + 1];

  write_name (first, 0);
  for (guint i = 0; i < N_KEYS; i++) {
    char name[2 * LETTERS + 1];
    char copy[2 * LETTERS + 1];
    g_autoptr (GBytes) bytes = NULL;
    g_autoptr (GBytes) same = NULL;

    write_name (name, i);
    write_name (copy, i);
    g_assert_cmpuint (g_str_hash (name), ==, g_str_hash (first));
    hashes[i] = pen_str_hash (name);
    g_assert_cmpuint (hashes[i], ==, pen_str_hash (copy));

    bytes = g_bytes_new (name, sizeof name);
    same = g_bytes_new (copy, sizeof copy);
    of_bytes[i] = pen_bytes_hash (bytes);
    g_assert_cmpuint (of_bytes[i], ==, pen_bytes_hash (same));
  }
  check_distinct (hashes);
  check_distinct (of_bytes);
}

static void
test_numbers (void)
{
  guint hashes[N_KEYS];
  guint direct[N_KEYS];

  /* For g_int64_hash() only the lower half counts, in GLib 2.74. */
  for (guint64 i = 0; i < N_KEYS; i++) {
    gint64 number = (gint64) (i << 32);
    gint64 copy = number;

    hashes[i] = pen_int64_hash (&number);
    g_assert_cmpuint (hashes[i], ==, pen_int64_hash (&copy));
    direct[i] = pen_direct_hash (GUINT_TO_POINTER ((guint) i * 4093u));
    g_assert_cmpuint (direct[i], ==, pen_direct_hash (GUINT_TO_POINTER ((guint) i * 4093u)));
  }
  check_distinct (hashes);
  check_distinct (direct);
}

static void
test_names (void)
{
  g_autoptr (PenNames) names = pen_names_new ();
  const char *kept[N_KEYS];
  char name[2 * LETTERS + 1];

  for (guint i = 0; i < N_KEYS; i++) {
    write_name (name, i);
    kept[i] = pen_names_add (names, name);
    g_assert_cmpstr (kept[i], ==, name);
  }
  for (guint i = 0; i < N_KEYS; i++) {
    write_name (name, i);
    g_assert_true (pen_names_add (names, name) == kept[i]);
  }
  g_assert_cmpstr (pen_names_add (names, NULL), ==, "");
  g_assert_true (pen_names_add (names, NULL) == pen_names_add (names, ""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table-hash/strings", test_strings);
  g_test_add_func ("/table-hash/numbers", test_numbers);
  g_test_add_func ("/table-hash/names", test_names);
  return g_test_run ();
}
