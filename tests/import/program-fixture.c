/* program-fixture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "program-fixture.h"

#include <stdio.h>
#include <string.h>

#include "pen-elf-file.h"

/* Addresses differ from offsets in a program that is not position-independent. */
static const char source[]
    = "static __attribute__((noinline, used)) int inner (int x) { return x * 3 + 1; }\n"
      "int shown (int) __asm__ (\"_ZN3pen5shownEi\");\n"
      "__attribute__((noinline)) int shown (int x) { return inner (x) ^ 5; }\n"
      "__attribute__((noinline)) int outer (int x) { return shown (x) + inner (x + 1); }\n";

char *
program_fixture_run (const char *format, ...)
{
  g_autofree char *command = NULL;
  g_autofree char *errors = NULL;
  char *output = NULL;
  GError *error = NULL;
  int status = 0;
  va_list arguments;

  va_start (arguments, format);
  command = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_spawn_command_line_sync (command, &output, &errors, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("%s: %s", command, errors);
  return output;
}

guint64
program_fixture_get_address (const char *names, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (names, "\n", -1);

  for (guint i = 0; lines[i]; i++)
    if (g_str_has_suffix (lines[i], name))
      return g_ascii_strtoull (lines[i], NULL, 16);
  g_assert_not_reached ();
}

void
program_fixture_read_program (ProgramFixture *self)
{
  g_autofree char *names = program_fixture_run ("nm %s", self->program);
  g_autofree char *headers = program_fixture_run ("readelf -lW %s", self->program);
  g_autoptr (PenElfFile) file = pen_elf_file_open (self->program);
  g_auto (GStrv) lines = g_strsplit (headers, "\n", -1);
  const guint8 *build_id;
  guint length;

  self->inner = program_fixture_get_address (names, " inner");
  self->shown = program_fixture_get_address (names, " _ZN3pen5shownEi");
  for (guint i = 0; lines[i]; i++)
    if (strstr (lines[i], " LOAD ") && strstr (lines[i], " R E "))
      g_assert_cmpint (sscanf (lines[i], " LOAD %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x",
                               &self->offset, &self->address),
                       ==, 2);
  g_assert_cmphex (self->address, !=, self->offset);
  build_id = pen_elf_file_get_build_id (file, &length);
  g_assert_cmpuint (length, ==, sizeof self->build_id);
  memcpy (self->build_id, build_id, length);
}

static gboolean
has_tools (void)
{
  static const char *const tools[] = { "cc", "nm", "readelf", "objcopy", "objdump", "strip", "xz" };

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++) {
    g_autofree char *path = g_find_program_in_path (tools[i]);

    if (!path)
      return FALSE;
  }
  return TRUE;
}

void
program_fixture_set_up (ProgramFixture *self, gconstpointer data)
{
  g_autofree char *code = NULL;

  import_fixture_set_up (&self->fixture, data);
  self->program = g_build_filename (self->fixture.directory, "program", NULL);
  if (!has_tools ())
    return;

  code = g_strconcat (self->program, ".c", NULL);
  g_assert_true (g_file_set_contents (code, source, -1, NULL));
  g_free (program_fixture_run (
      "cc -O1 -no-pie -static -nostdlib -Wl,-e,outer -Wl,--build-id=sha1 -o %s %s", self->program,
      code));
  program_fixture_read_program (self);
}

void
program_fixture_tear_down (ProgramFixture *self, gconstpointer data)
{
  g_autofree char *cache = g_build_filename (g_getenv ("HOME"), ".debug", NULL);

  import_fixture_remove (cache);
  import_fixture_tear_down (&self->fixture, data);
  g_free (self->program);
}

gboolean
program_fixture_can_run (void)
{
  if (has_tools ())
    return TRUE;
  g_test_skip ("needs a compiler, binutils and xz");
  return FALSE;
}

/* Where a process has the byte that the linker put at @address. */
guint64
program_fixture_place (const ProgramFixture *self, guint64 base, guint64 address)
{
  return base + (address - self->address);
}

static void
add_process (ProgramFixture *self, PenTestCapture *capture, gint32 pid, guint64 base,
             const guint8 *build_id)
{
  pen_test_capture_at (capture, 1000, pid, pid, 0);
  pen_test_capture_add_comm (capture, pid, pid, TRUE, "program");
  pen_test_capture_at (capture, 1001, pid, pid, 0);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, pid, pid, base, PAGE, self->offset, 5, 2,
                              build_id, self->program);
  pen_test_capture_at (capture, 1002, pid, pid, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_USER,
                               program_fixture_place (self, base, self->inner) + 1, 1);
  pen_test_capture_at (capture, 1003, pid, pid, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_USER,
                               program_fixture_place (self, base, self->shown), 1);
}

PenTestCapture *
program_fixture_make_capture (ProgramFixture *self, const guint8 *build_id)
{
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  add_process (self, capture, 10, BASE, build_id);
  add_process (self, capture, 11, OTHER_BASE, build_id);
  return capture;
}

PenStore *
program_fixture_import (ProgramFixture *self, PenTestCapture *capture, const char *symfs)
{
  const PenSources sources = { .symfs = symfs };

  return import_fixture_import_with (&self->fixture, capture, &sources);
}

PenStore *
program_fixture_import_recorded (ProgramFixture *self)
{
  g_autoptr (PenTestCapture) capture = program_fixture_make_capture (self, self->build_id);

  return program_fixture_import (self, capture, NULL);
}
