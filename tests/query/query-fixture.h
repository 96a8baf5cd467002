/* query-fixture.h: a small capture of known contents, imported
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"
#include "pen-query.h"
#include "pen-test-capture.h"

G_BEGIN_DECLS

#define ALPHA 0xffffffff81000000ull
#define BETA 0xffffffff81000040ull
#define MODULE 0xffffffffc0000000ull
/* Program A holds [A, A+0x20); program B begins eight bytes below it, and both lie in the module's
 * range. */
#define A 0xffffffffc0001000ull
#define B 0xffffffffc0000ff8ull

/*
 * What happens, in order of time (ns):
 *
 *   1000  sample alpha+0              cpu 0, pid 7, comm one
 *   1100  sample at A (the module's)
 *   1500  A is registered
 *   1600  sample A+0
 *   1700  sample A+5                  cpu 1, pid 8, comm two
 *   2000  alpha's nop becomes a call  by pid 7 on cpu 0
 *   2500  sample alpha+0
 *   2600  sample alpha+5
 *   3000  A is unregistered
 *   3100  sample at A (the module's again), twice
 *   3500  B is registered
 *   3600  sample B+10 (0xc0001002)
 *   4000  alpha's call becomes a nop  by pid 8 on cpu 1
 *   4500  sample alpha+0, three times
 *   4600  sample alpha+2 (inside the nop)
 *   4700  sample at an address that nobody holds
 *   4800  sample in user space, /bin/two, pid 8
 */
#define FIXTURE_SAMPLES 15

typedef struct {
  char *directory;
  char *capture;
  char *store_path;
  PenStore *store;
  PenQuery *query;
} QueryFixture;

/* Writes @capture as a directory and imports it. */
void query_fixture_import (QueryFixture *fixture, PenTestCapture *capture);
/* The same, with all of the kernel's text beside the store, as in the cache. */
void query_fixture_import_with_kernel_text (QueryFixture *fixture, PenTestCapture *capture);

/* A capture with callchains: the kernel's text is at ALPHA, with @kallsyms and, unless @text is
 * NULL,
 * @n bytes; task 7 is "one". Further records are the kernel's own (event 1) until another event is
 * chosen. */
PenTestCapture *query_fixture_new_with_chains (const char *kallsyms, const guint8 *text, gsize n);
/* The same, with that event as the third. @more: (nullable) */
PenTestCapture *query_fixture_new_with_event (const char *kallsyms, const guint8 *text, gsize n,
                                              const PenTestEvent *more);

/* Data: unused. For g_test_add(). */
void query_fixture_set_up (QueryFixture *fixture, gconstpointer data);
void query_fixture_tear_down (QueryFixture *fixture, gconstpointer data);

typedef struct {
  const char *path;
  void (*test) (QueryFixture *fixture, gconstpointer data);
} QueryFixtureTest;

/* Each with that capture. */
void query_fixture_add_tests (const QueryFixtureTest *tests, guint n);

/* Both ends are in it, ns. */
PenFilter *query_fixture_time_filter (guint64 from, guint64 to);

G_END_DECLS
