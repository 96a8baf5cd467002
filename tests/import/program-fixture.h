/* program-fixture.h: a program of user space, compiled, and two processes of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "import-fixture.h"

G_BEGIN_DECLS

#define BASE G_GUINT64_CONSTANT (0x7f0000000000)
#define OTHER_BASE G_GUINT64_CONSTANT (0x7e0000100000)
#define PAGE G_GUINT64_CONSTANT (0x1000)

typedef struct {
  ImportFixture fixture;
  char *program;
  guint64 offset; /* of the executable segment, and */
  guint64 address;
  guint64 inner;
  guint64 shown;
  guint8 build_id[20];
} ProgramFixture;

#define PROGRAM_FIXTURE_ADD(name, func)                                                            \
  g_test_add (name, ProgramFixture, NULL, program_fixture_set_up, func, program_fixture_tear_down)

void program_fixture_set_up (ProgramFixture *self, gconstpointer data);
void program_fixture_tear_down (ProgramFixture *self, gconstpointer data);
/* Skips the test without a compiler. */
gboolean program_fixture_can_run (void);

/* Returns: (transfer full): what the command writes */
char *program_fixture_run (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* At the beginning of the line that ends with @name. */
guint64 program_fixture_get_address (const char *names, const char *name);
/* After it was compiled anew. */
void program_fixture_read_program (ProgramFixture *self);

/* Where a process has the byte that the linker put at @address. */
guint64 program_fixture_place (const ProgramFixture *self, guint64 base, guint64 address);
PenTestCapture *program_fixture_make_capture (ProgramFixture *self, const guint8 *build_id);
PenStore *program_fixture_import (ProgramFixture *self, PenTestCapture *capture, const char *symfs);
/* With the program's build-id. */
PenStore *program_fixture_import_recorded (ProgramFixture *self);

G_END_DECLS
