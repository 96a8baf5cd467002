/* pen-test-lines.h: a capture's records as lines of text, to be compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-reader.h"

G_BEGIN_DECLS

/* One line: everything of @record but its position, file and offset. */
char *pen_test_describe (PenReader *reader, const PenRecord *record);

/*
 * pen_test_read_lines:
 * @problems: (out) (optional): one line each: action, type, count and reason
 *
 * Returns: (element-type utf8): of the kernel's records only
 */
GPtrArray *pen_test_read_lines (const char *path, GPtrArray **problems, GError **error);

/* Fails the test with the first line that differs. */
void pen_test_assert_same_lines (GPtrArray *actual, GPtrArray *expected);

/* Reads to the end without looking: returns how many records, or -1 if it could not be opened. */
gint64 pen_test_count_records (const char *path, GError **error);

/* A directory for the files of the test program, removed by pen_test_remove_directory(). */
char *pen_test_make_directory (void);
void pen_test_remove_directory (const char *path);

G_END_DECLS
