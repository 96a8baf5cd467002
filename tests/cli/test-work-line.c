/* test-work-line.c: the line of a command that works, on a terminal of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pen-work-line.h"

/* Stands in for standard error. */
typedef struct {
  int master;
  int kept;
  GString *text;
} Terminal;

static void
open_terminal (Terminal *self)
{
  int end;

  self->master = posix_openpt (O_RDWR | O_NOCTTY);
  g_assert_cmpint (self->master, >=, 0);
  g_assert_cmpint (grantpt (self->master), ==, 0);
  g_assert_cmpint (unlockpt (self->master), ==, 0);
  end = open (ptsname (self->master), O_RDWR | O_NOCTTY);
  g_assert_cmpint (end, >=, 0);
  self->kept = dup (STDERR_FILENO);
  g_assert_cmpint (dup2 (end, STDERR_FILENO), ==, STDERR_FILENO);
  close (end);
  self->text = g_string_new (NULL);
}

/* Waits until @part is there. */
static void
read_until (Terminal *self, const char *part)
{
  char octets[256];

  while (!strstr (self->text->str, part)) {
    ssize_t n = read (self->master, octets, sizeof octets);

    g_assert_cmpint (n, >, 0);
    g_string_append_len (self->text, octets, n);
  }
}

static void
close_terminal (Terminal *self)
{
  g_assert_cmpint (dup2 (self->kept, STDERR_FILENO), ==, STDERR_FILENO);
  close (self->kept);
  close (self->master);
  g_string_free (self->text, TRUE);
}

#define BEGIN "\r\033[K"

static void
test_shown (void)
{
  Terminal terminal;
  PenWorkLine line;

  open_terminal (&terminal);
  pen_work_line_begin (&line, "perf.data", FALSE);
  read_until (&terminal, BEGIN "perf.data: 1 s");
  pen_work_line_set (&line, 1, 4);
  read_until (&terminal, BEGIN "perf.data: 25 %");
  pen_work_line_set (&line, 9, 4);
  read_until (&terminal, BEGIN "perf.data: 100 %");
  pen_work_line_end (&line);
  /* It is gone. */
  g_assert_cmpint (write (STDERR_FILENO, "next", 4), ==, 4);
  read_until (&terminal, BEGIN "next");
  close_terminal (&terminal);
}

/* Where rows go to the terminal, there is no line among them, nor one that was not begun. */
static void
test_not_shown (void)
{
  Terminal terminal;
  PenWorkLine line = { 0 };

  open_terminal (&terminal);
  pen_work_line_end (&line);
  pen_work_line_begin (&line, "perf.data", TRUE);
  g_assert_null (line.thread);
  pen_work_line_end (&line);
  close_terminal (&terminal);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/work-line/shown", test_shown);
  g_test_add_func ("/cli/work-line/not-shown", test_not_shown);
  return g_test_run ();
}
