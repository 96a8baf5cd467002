/* test-user-lines.c: lines of source of user space, and debug information that is damaged
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "program-fixture.h"

#include "pen-query-resolve.h"
#include "pen-query-annotation.h"
#include "pen-query.h"
#include "pen-source-lines.h"

static void
read_line (guint64 address, const PenCodePlace *place, gpointer user_data)
{
  PenInlinedCall call;

  (void) address;
  if (place->file)
    g_assert_cmpuint (strlen (place->file) + place->line, >, 0);
  for (guint number = place->call; number != 0; number = call.outer) {
    pen_source_lines_get_call (user_data, number, &call);
    g_assert_cmpuint (call.outer, <, number);
    g_assert_cmpuint (strlen (call.name) + (call.file ? strlen (call.file) : 0), <, G_MAXINT);
  }
}

/* Each function of the source has a line of its own. */
static void
assert_lines (PenQuery *query)
{
  static const char *const functions[][2]
      = { { "inner", "program.c:1" }, { "pen::shown", "program.c:3" } };

  for (guint f = 0; f < G_N_ELEMENTS (functions); f++) {
    g_autoptr (GArray) found = pen_query_find_functions (query, functions[f][0], NULL);
    g_autoptr (PenAnnotated) annotated
        = pen_query_annotate (query, NULL, g_array_index (found, guint32, 0), PEN_SYNTAX_ATT, NULL);

    g_assert_cmpuint (annotated->lines->len, >, 1);
    for (guint i = 0; i < annotated->lines->len; i++) {
      const PenAnnotationLine *line = annotated->lines->pdata[i];
      g_autofree char *name = NULL;
      g_autofree char *shown = NULL;

      g_assert_nonnull (line->source_file);
      name = g_path_get_basename (line->source_file);
      shown = g_strdup_printf ("%s:%u", name, line->source_line);
      g_assert_cmpstr (shown, ==, functions[f][1]);
    }
  }
}

static void
compile_with_lines (ProgramFixture *self)
{
  g_free (program_fixture_run (
      "cc -g -O1 -no-pie -static -nostdlib -Wl,-e,outer -Wl,--build-id=sha1 -o %s %s.c",
      self->program, self->program));
}

static void
test_source_lines (ProgramFixture *self, gconstpointer data)
{
  g_autofree char *debug = g_strconcat (self->program, ".debug", NULL);

  (void) data;
  if (!program_fixture_can_run ())
    return;
  compile_with_lines (self);
  program_fixture_read_program (self);

  /* In the program, then in a debug file beside it. */
  for (guint i = 0; i < 2; i++) {
    g_autoptr (PenStore) store = program_fixture_import_recorded (self);
    g_autoptr (PenQuery) query = pen_query_new (store);

    assert_lines (query);
    if (i == 0) {
      g_free (program_fixture_run ("objcopy --only-keep-debug %s %s", self->program, debug));
      g_free (program_fixture_run ("strip %s", self->program));
      g_free (program_fixture_run ("objcopy --add-gnu-debuglink=%s %s", debug, self->program));
    }
  }
}

/* Bytes near to each other, or all over the file. */
static void
damage (char *bytes, gsize length, GRand *random)
{
  gsize middle = (gsize) g_rand_int_range (random, 64, (gint32) length);
  gboolean is_local = g_rand_boolean (random);

  for (guint n = 1u << g_rand_int_range (random, 0, 6); n > 0; n--) {
    gsize at = is_local ? middle + (gsize) g_rand_int_range (random, 0, 64)
                        : (gsize) g_rand_int_range (random, 64, (gint32) length);

    if (at < length)
      bytes[at] = (char) (g_rand_boolean (random) ? g_rand_int (random) : 0xff);
  }
}

/* What is not what it was, or damaged, has no lines; and reading it ends. */
static void
test_damaged_lines (ProgramFixture *self, gconstpointer data)
{
  const guint8 other[20] = { 1 };
  /* More of them, for those who try by hand. */
  const char *times = g_getenv ("PENTIMENTO_TEST_DAMAGES");
  g_autofree char *damaged = g_strconcat (self->program, ".damaged", NULL);
  g_autofree char *bytes = NULL;
  GRand *random = g_rand_new_with_seed (7);
  guint64 budget = 100;
  guint n_whole = 0;
  gboolean is_too_large;
  gsize length;

  (void) data;
  if (!program_fixture_can_run ())
    return;
  compile_with_lines (self);
  /* All of a file's debug information is read, or none. */
  g_assert_null (pen_source_lines_open (self->program, NULL, 0, &budget, &is_too_large, NULL));
  g_assert_true (is_too_large);
  g_assert_cmpuint (budget, ==, 100);
  budget = G_MAXUINT64;
  g_assert_null (
      pen_source_lines_open (self->program, other, sizeof other, &budget, &is_too_large, NULL));
  g_assert_false (is_too_large);

  g_assert_true (g_file_get_contents (self->program, &bytes, &length, NULL));
  for (guint i = times ? (guint) strtoul (times, NULL, 10) : 100; i > 0; i--) {
    g_autofree char *copy = g_memdup2 (bytes, length);
    g_autoptr (PenSourceLines) lines = NULL;

    damage (copy, length, random);
    g_assert_true (g_file_set_contents_full (damaged, copy, (gssize) length,
                                             G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    budget = G_MAXUINT64;
    lines = pen_source_lines_open (damaged, NULL, 0, &budget, &is_too_large, NULL);
    if (!lines)
      continue;
    pen_source_lines_foreach (lines, 0, G_MAXUINT64, read_line, lines);
    n_whole += !pen_source_lines_get_failure (lines);
  }
  g_assert_cmpuint (n_whole, >, 0);
  g_rand_free (random);
}

/* A program that breaks, says what cannot be, or is not there costs the lines, and no more. */
static void
test_broken_program (ProgramFixture *self, gconstpointer data)
{
  static const char *const scripts[] = {
    NULL,
    "exit 0",
    "kill -SEGV $$",
    "yes",
    /* A call of an unknown name; a text, but only half of it; a text without end. */
    "printf '\\1\\0\\0\\0\\0\\0\\0\\0\\1'; head -c 64 /dev/zero; sleep 100",
    "printf '\\0\\0\\0\\0\\100'; head -c 40 /dev/zero",
    "printf '\\0\\0\\0\\0\\377\\377\\377\\377'; cat /dev/zero",
  };
  g_autofree char *old = g_strdup (g_getenv ("PENTIMENTO_LIBEXEC"));
  g_autofree char *directory = g_path_get_dirname (self->program);
  g_autofree char *path = g_build_filename (directory, "pentimento-source-lines", NULL);

  (void) data;
  if (!program_fixture_can_run ())
    return;
  compile_with_lines (self);
  g_setenv ("PENTIMENTO_LIBEXEC", directory, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++) {
    guint64 budget = G_MAXUINT64;
    gboolean is_too_large;
    g_autoptr (PenSourceLines) lines = NULL;

    if (scripts[i]) {
      g_autofree char *script = g_strdup_printf ("#!/bin/sh\n%s\n", scripts[i]);

      g_assert_true (g_file_set_contents (path, script, -1, NULL));
      g_assert_cmpint (g_chmod (path, 0700), ==, 0);
    }
    lines = pen_source_lines_open (self->program, NULL, 0, &budget, &is_too_large, NULL);
    g_assert_nonnull (lines);
    pen_source_lines_foreach (lines, 0, G_MAXUINT64, read_line, lines);
    g_assert_nonnull (pen_source_lines_get_failure (lines));
    g_assert_nonnull (strstr (pen_source_lines_get_failure (lines), self->program));
    /* The program is gone. */
    pen_source_lines_foreach (lines, 0, G_MAXUINT64, read_line, lines);
  }

  /* The store says so. */
  program_fixture_read_program (self);
  {
    g_autoptr (PenStore) store = program_fixture_import_recorded (self);

    g_assert_cmpint (pen_store_get_fact_int (store, "source_lines_failed", 0), ==, 1);
    g_assert_nonnull (strstr (pen_store_get_fact (store, "source_lines_failure"), "damaged"));
  }
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_setenv ("PENTIMENTO_LIBEXEC", old, TRUE);
}

static void
add_tests (void)
{
  PROGRAM_FIXTURE_ADD ("/user-lines/source-lines", test_source_lines);
  PROGRAM_FIXTURE_ADD ("/user-lines/damaged-lines", test_damaged_lines);
  PROGRAM_FIXTURE_ADD ("/user-lines/broken-program", test_broken_program);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
