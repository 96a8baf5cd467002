/* filed-capture.c: a capture of a program of several source files, and that program
 *
 * Usage: filed-capture DIRECTORY
 *
 * Writes DIRECTORY/perf.data, in which start() calls bare(), that middle(), and that leaf(), where
 * all samples are, and DIRECTORY/program. Of bare() no line is known. Exit status 77: there are no
 * tools to make the program with.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pen-test-capture.h"

#define N_SAMPLES 50

typedef struct {
  const char *folder;
  const char *name;
  const char *code;
  const char *options;
} Source;

static const Source sources[] = {
  { "begin", "start", "int bare (int); int start (int n) { return bare (n) + 3; }\n", "-g" },
  { "begin", "bare", "int middle (int); int bare (int n) { return middle (n) + 2; }\n", "-g0" },
  { "a/long/way/down", "middle", "int leaf (int); int middle (int n) { return leaf (n) * 3; }\n",
    "-g" },
  { "end", "leaf", "int leaf (int n) { return n * 7 + 1; }\n", "-g" },
};

/* Returns: (transfer full): what it writes */
static char *
run (const char *directory, const char *command)
{
  const char *words[] = { "/bin/sh", "-c", command, NULL };
  char *output = NULL;
  int status = 0;

  if (!g_spawn_sync (directory, (char **) words, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL,
                     &status, NULL)
      || status != 0) {
    fprintf (stderr, "%s\n", command);
    exit (1);
  }
  return output;
}

static void
build (const char *directory)
{
  g_autoptr (GString) objects = g_string_new (NULL);
  g_autofree char *link = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    const Source *source = &sources[i];
    g_autofree char *folder = g_build_filename (directory, source->folder, NULL);
    g_autofree char *name = g_strdup_printf ("%s/%s.c", folder, source->name);
    g_autofree char *compile
        = g_strdup_printf ("cc %s -O1 -fno-pie -c -o %s.o %s/%s.c", source->options, source->name,
                           source->folder, source->name);

    if (g_mkdir_with_parents (folder, 0700) != 0
        || !g_file_set_contents (name, source->code, -1, NULL))
      exit (1);
    g_free (run (directory, compile));
    g_string_append_printf (objects, " %s.o", source->name);
  }
  link = g_strdup_printf ("cc -no-pie -static -nostdlib -Wl,-e,start -Wl,--build-id=sha1 "
                          "-o program%s",
                          objects->str);
  g_free (run (directory, link));
}

static guint64
find_function (const char *names, const char *function)
{
  g_auto (GStrv) lines = g_strsplit (names, "\n", -1);
  g_autofree char *wanted = g_strconcat (" ", function, NULL);

  for (guint i = 0; lines[i]; i++) {
    if (g_str_has_suffix (lines[i], wanted))
      return g_ascii_strtoull (lines[i], NULL, 16);
  }
  exit (1);
}

static void
add_program (PenTestCapture *capture, const char *directory)
{
  g_autofree char *program = g_build_filename (directory, "program", NULL);
  g_autofree char *headers = run (directory, "readelf -lW program");
  g_autofree char *notes = run (directory, "readelf -nW program");
  g_auto (GStrv) lines = g_strsplit (headers, "\n", -1);
  const char *digits = strstr (notes, "Build ID: ");
  guint64 offset = 0, address = 0;
  guint8 id[20];

  for (guint i = 0; lines[i]; i++) {
    if (strstr (lines[i], " LOAD ") && strstr (lines[i], " R E "))
      sscanf (lines[i], " LOAD %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x", &offset, &address);
  }
  if (address == 0 || !digits || strlen (digits) < 10 + 2 * sizeof id)
    exit (1);
  for (guint i = 0; i < sizeof id; i++)
    id[i] = (guint8) (g_ascii_xdigit_value (digits[10 + 2 * i]) << 4
                      | g_ascii_xdigit_value (digits[11 + 2 * i]));
  pen_test_capture_at (capture, 1000, 10, 10, 0);
  pen_test_capture_add_comm (capture, 10, 10, TRUE, "program");
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 10, 10, address, 0x1000, offset, 5, 2, id,
                              program);
}

static void
write_capture (const char *directory)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autofree char *path = g_build_filename (directory, "perf.data", NULL);
  g_autofree char *names = run (directory, "nm program");
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  guint64 chain[5] = { (guint64) -512 };

  event.sample_type |= 1 << 5;
  pen_test_capture_add_event (capture, &event);
  add_program (capture, directory);
  /* Callers as the addresses that calls return to. */
  chain[1] = find_function (names, "leaf");
  chain[2] = find_function (names, "middle") + 5;
  chain[3] = find_function (names, "bare") + 5;
  chain[4] = find_function (names, "start") + 5;
  for (guint i = 0; i < N_SAMPLES; i++) {
    pen_test_capture_at (capture, 2000 + 1000 * (guint64) i, 10, 10, 0);
    pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_USER, chain[1], 1, chain, 5);
  }
  if (!pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_FILE, NULL))
    exit (1);
}

int
main (int argc, char **argv)
{
  static const char *const tools[] = { "cc", "nm", "readelf" };

  if (argc != 2)
    return 2;
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++) {
    g_autofree char *found = g_find_program_in_path (tools[i]);

    if (!found)
      return 77;
  }
  build (argv[1]);
  write_capture (argv[1]);
  return 0;
}
