/* pen-table-hash.h: hashes for GHashTable that a capture cannot aim at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Whoever makes a capture chooses the keys of nearly every table: names, addresses, process ids.
 * With GLib's own hashes, which everybody can compute, n keys made alike cost n squared. These are
 * SipHash-2-4 with a key that is random for each process; they may be used from any thread.
 *
 * The order of a table's entries differs from run to run. Where it would show, sort, or use a
 * GTree.
 */

/* Makes the key now, not at the first hash: for a process that will not be able to ask for random
 * bytes. */
void pen_table_hash_init (void);

/* @data: @size bytes; for the keys of a table that have several parts, without padding */
guint pen_data_hash (gconstpointer data, gsize size);

/* In place of g_str_hash(), g_int64_hash(), g_bytes_hash() and g_direct_hash(). */
guint pen_str_hash (gconstpointer string);
guint pen_int64_hash (gconstpointer number);
guint pen_bytes_hash (gconstpointer bytes);
guint pen_direct_hash (gconstpointer number);

G_END_DECLS
