/* pen-test-fixture.h: a directory and a path in it, for a test that writes captures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-test-capture.h"

G_BEGIN_DECLS

typedef struct {
  char *directory;
  char *path; /* does not exist at first */
} Fixture;

void fixture_set_up (Fixture *fixture, gconstpointer data);
void fixture_tear_down (Fixture *fixture, gconstpointer data);

/* Makes these bytes the whole contents of @path. */
void fixture_write_bytes (Fixture *fixture, const char *bytes, gsize length);

/* Writes pen_test_make_everything() to @path; returns the file's bytes. */
char *fixture_write_everything (Fixture *fixture, PenTestCaptureFlags flags, gsize *length);

/* Whether a line of pen_test_read_lines()'s problems starts so; prints them all if not. */
gboolean pen_test_has_problem (GPtrArray *problems, const char *start);

G_END_DECLS
