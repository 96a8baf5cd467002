/* steep-maps.c: maps of processes and modules
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep.h"

static void
maps_at_one_place (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    steep_map (self, 7, MEMORY, 16 * PAGE, i);
}

static void
maps_apart (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
}

/* None is cut, and none has a name of its own. */
static void
maps_of_one_name (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, 0);
}

/* Each lies in the one before. */
static void
maps_nested (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    steep_map (self, 7, MEMORY + PAGE * (guint64) i, 2 * PAGE * (guint64) (n - i), i);
}

/* One, and many small ones in it, then all of them once more below one. */
static void
maps_torn (SteepMaker *self, guint n)
{
  steep_map (self, 7, MEMORY, 2 * PAGE * (guint64) n, 0);
  for (guint i = 0; i < n; i++)
    steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, 1);
  steep_map (self, 7, MEMORY, 2 * PAGE * (guint64) n, 2);
}

static void
maps_of_processes (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    steep_map (self, (gint32) (i + 10), MEMORY, PAGE, i);
}

static void
maps_with_build_ids (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint8 id[20] = { 0 };

    memcpy (id, &i, sizeof i);
    steep_at (self, 7);
    pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, MEMORY + PAGE * (guint64) i,
                                3 * PAGE, 0, 5, 2, id, "/nowhere/one");
  }
}

static void
old_maps (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("/nowhere/%u", i);

    steep_at (self, 7);
    pen_test_capture_add_mmap (self->capture, PEN_TEST_USER, 7, 7,
                               MEMORY + PAGE * (guint64) (n - i), PAGE * (guint64) (2 * i + 1), 0,
                               name);
  }
}

static void
module (SteepMaker *self, guint64 start, guint64 length, guint number)
{
  g_autofree char *name = g_strdup_printf ("[module_%u]", number);

  steep_at (self, -1);
  pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0, start, length, 0, name);
}

static void
modules_apart (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    module (self, PROGRAM + PAGE * (guint64) i % 0x3000000, PAGE, i);
}

static void
modules_at_one_place (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    module (self, PROGRAM, 16 * PAGE, i);
}

static void
modules_nested (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    module (self, PROGRAM + 64 * (guint64) i, 128 * (guint64) (n - i), i);
}

const SteepKind steep_maps[] = {
  STEEP_KIND (maps_at_one_place),    STEEP_KIND (maps_apart),     STEEP_KIND (maps_of_one_name),
  STEEP_KIND (maps_nested),          STEEP_KIND (maps_torn),      STEEP_KIND (maps_of_processes),
  STEEP_KIND (maps_with_build_ids),  STEEP_KIND (old_maps),       STEEP_KIND (modules_apart),
  STEEP_KIND (modules_at_one_place), STEEP_KIND (modules_nested), { 0 },
};
