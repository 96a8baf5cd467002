/* steep-tasks.c: tasks that come and go
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "steep.h"

#define TYPE_NAMESPACES 16
#define TYPE_CGROUP 19
#define TYPE_AUX 11
#define TYPE_UNKNOWN 60

static void
comms_of_one (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("c%u", i);

    steep_at (self, 7);
    pen_test_capture_add_comm (self->capture, 7, 7, FALSE, name);
    if (i % 2)
      steep_sample (self, KERNEL + 0x10);
  }
}

static void
execs_of_one (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    steep_at (self, 7);
    pen_test_capture_add_comm (self->capture, 7, 7, TRUE, "again");
    steep_map (self, 7, MEMORY + i % 5 * PAGE, 3 * PAGE, i);
  }
}

static void
comms_of_many (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("c%u", i);

    steep_at (self, (gint32) i + 10);
    pen_test_capture_add_comm (self->capture, (gint32) i + 10, (gint32) i + 10, FALSE, name);
  }
}

static void
add_fork (SteepMaker *self, gint32 parent, gint32 child)
{
  steep_at (self, parent);
  pen_test_capture_add_fork (self->capture, 0, child, parent, child, parent);
}

static void
forks_in_a_row (SteepMaker *self, guint n)
{
  steep_map (self, 7, MEMORY, PAGE, 0);
  for (guint i = 0; i < n; i++)
    add_fork (self, (gint32) i + 7, (gint32) i + 8);
}

/* What one has, all have: half are maps, half are children. */
static void
forks_with_maps (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 2; i++)
    steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  for (guint i = 0; i < n / 2; i++) {
    add_fork (self, 7, (gint32) i + 8);
    steep_map (self, (gint32) i + 8, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  }
}

/* Each child covers what it was given. */
static void
forks_covered (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 3; i++)
    steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  for (guint i = 0; i < n / 3; i++) {
    add_fork (self, 7, (gint32) i + 8);
    steep_map (self, (gint32) i + 8, MEMORY, 2 * PAGE * (guint64) n, i);
  }
}

/* Their processes have nothing to copy. */
static void
forks_of_nothing (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    add_fork (self, (gint32) i + 7, (gint32) i + 8);
}

static void
exits (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    gint32 pid = (gint32) (i % 3 ? i + 10 : 7);

    steep_at (self, pid);
    pen_test_capture_add_exit (self->capture, pid, 1, pid, 1);
  }
}

static void
forks_and_exits (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n / 64; i++)
    steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  for (guint i = 0; i < n / 2; i++) {
    add_fork (self, 7, 8);
    steep_at (self, 8);
    pen_test_capture_add_exit (self->capture, 8, 7, 8, 7);
  }
}

/* As compilers come and go: most records are maps, and forks copy as many again. */
static void
a_build (SteepMaker *self, guint n)
{
  for (guint i = 0; i < 6; i++)
    steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  for (guint i = 0; i < n / 9; i++) {
    gint32 pid = (gint32) i % 30000 + 8;

    add_fork (self, 7, pid);
    steep_at (self, pid);
    pen_test_capture_add_comm (self->capture, pid, pid, TRUE, "cc1");
    for (guint j = 0; j < 6; j++)
      steep_map (self, pid, MEMORY + 2 * PAGE * (guint64) j, PAGE, j);
    steep_at (self, pid);
    pen_test_capture_add_exit (self->capture, pid, 7, pid, 7);
  }
}

static void
namespaces (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body[2 + 2 * 2] = { 7 | (guint64) (i + 10) << 32, 2, 1, i, 2, i };

    steep_at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_NAMESPACES, 0, body, sizeof body, TRUE);
  }
}

static void
cgroups (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body[3] = { i, 0, 0 };

    g_snprintf ((char *) &body[1], 16, "/c/%u", i);
    steep_at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_CGROUP, 0, body, sizeof body, TRUE);
  }
}

static void
unknown_types (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body[2] = { i, i };

    steep_at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_UNKNOWN + i % 1000, 0, body, sizeof body, FALSE);
  }
}

static void
aux (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body[3] = { i, 64, i % 4 };

    steep_at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_AUX, 0, body, sizeof body, TRUE);
  }
}

/* Too short for what they are. */
static void
set_aside (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 body = i;

    pen_test_capture_add_raw (self->capture, 1 + i % 5, 0, &body, sizeof body, FALSE);
  }
}

const SteepKind steep_tasks[] = {
  STEEP_KIND (comms_of_one),     STEEP_KIND (execs_of_one),
  STEEP_KIND (comms_of_many),    STEEP_KIND (forks_in_a_row),
  STEEP_KIND (forks_with_maps),  STEEP_KIND (forks_covered),
  STEEP_KIND (forks_of_nothing), STEEP_KIND (exits),
  STEEP_KIND (forks_and_exits),  STEEP_KIND (a_build),
  STEEP_KIND (namespaces),       STEEP_KIND (cgroups),
  STEEP_KIND (unknown_types),    STEEP_KIND (aux),
  STEEP_KIND (set_aside),        { 0 },
};
