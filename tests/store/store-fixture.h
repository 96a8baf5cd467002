/* store-fixture.h: a store with something in every table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

#define KERNEL 0xffffffff81000000u
#define STORE_FIXTURE_PARTS 3

#define OK(call)                                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gboolean is_ok = (call);                                                                       \
    g_assert_no_error (error);                                                                     \
    g_assert_true (is_ok);                                                                         \
  }                                                                                                \
  G_STMT_END

typedef struct {
  char *directory;
  char *path;
} StoreFixture;

void store_fixture_set_up (StoreFixture *fixture, gconstpointer data);
void store_fixture_tear_down (StoreFixture *fixture, gconstpointer data);

extern const PenTenure store_fixture_kernel;
extern const PenTenure store_fixture_program;
/* In a process, and cut in two by a later map. */
extern const PenTenure store_fixture_dso;
extern const PenPart store_fixture_parts[STORE_FIXTURE_PARTS];
extern const PenPoke store_fixture_poke;
extern const PenBatch store_fixture_batch;

/* All but changes and samples. */
void store_fixture_write_history (PenStoreWriter *writer);
void store_fixture_write (const char *path);
PenStore *store_fixture_open (const char *path);

/* As somebody else would who opens the file with SQLite. */
void store_fixture_change (const char *path, const char *sql);

guint store_fixture_count_files (const char *directory);
