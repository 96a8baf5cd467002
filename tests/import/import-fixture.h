/* import-fixture.h: a directory for captures and stores, and the capture that most tests import
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"
#include "pen-store.h"
#include "pen-test-capture.h"

G_BEGIN_DECLS

#define KERNEL 0xffffffff81000000u
#define MODULE 0xffffffffa0000000u
#define PROGRAM 0xffffffffc0000004u

typedef struct {
  char *directory;
  char *capture; /* where a test may put one */
  char *store;
} ImportFixture;

void import_fixture_set_up (ImportFixture *self, gconstpointer data);
/* Removes all below the directory. */
void import_fixture_tear_down (ImportFixture *self, gconstpointer data);

/* Kernel, module, a BPF program that comes and goes, a patched function, a process, a loss. */
PenTestCapture *import_fixture_make_capture (void);

/* Writes and imports. Fails the test where that fails. */
void import_fixture_import (ImportFixture *self, PenTestCapture *capture,
                            PenTestCaptureFlags flags);
/* The same of a single file, in place of what was there. Returns: (transfer full) */
PenStore *import_fixture_import_with (ImportFixture *self, PenTestCapture *capture,
                                      const PenSources *sources);
PenStore *import_fixture_open (ImportFixture *self);

/* The sample table as text: one line per sample. */
char *import_fixture_dump_samples (PenStore *store);

/* The one text that a query in SQL gives. */
char *import_fixture_ask (PenStore *store, const char *sql);

/* File names in @directory, sorted, joined by blanks. */
char *import_fixture_list (const char *directory);
void import_fixture_remove (const char *path);

/* Runs the tests with a home of their own, where perf's cache is. */
int import_fixture_main (int argc, char **argv, void (*add_tests) (void));

G_END_DECLS
