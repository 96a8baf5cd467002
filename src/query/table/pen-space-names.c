/* pen-space-names.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-space-names.h"

#include "pen-store-occupants.h"

struct _PenSpaceNames {
  GPtrArray *names; /* by id */
};

static int
compare_images (gconstpointer a, gconstpointer b)
{
  const PenSpace *x = a;
  const PenSpace *y = b;
  int order = (x->pid > y->pid) - (x->pid < y->pid);

  if (order == 0)
    order = pen_moment_compare (x->from, y->from);
  return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

/* Images of one pid stand together, in time order. */
static GArray *
sort_images (GArray *spaces)
{
  GArray *images = g_array_sized_new (FALSE, FALSE, sizeof (PenSpace), spaces->len);

  for (guint i = 0; i < spaces->len; i++) {
    const PenSpace *space = &g_array_index (spaces, PenSpace, i);

    if (space->id != PEN_SPACE_KERNEL)
      g_array_append_val (images, *space);
  }
  g_array_sort (images, compare_images);
  return images;
}

static guint
count_images (GArray *images, guint first)
{
  gint32 pid = g_array_index (images, PenSpace, first).pid;
  guint n = 1;

  while (first + n < images->len && g_array_index (images, PenSpace, first + n).pid == pid)
    n++;
  return n;
}

static void
name_images (PenSpaceNames *self, GArray *images)
{
  for (guint first = 0; first < images->len;) {
    guint n = count_images (images, first);

    for (guint i = 0; i < n; i++) {
      const PenSpace *space = &g_array_index (images, PenSpace, first + i);

      self->names->pdata[space->id] = n == 1 ? g_strdup_printf ("%d", space->pid)
                                             : g_strdup_printf ("%d/%u", space->pid, i + 1);
    }
    first += n;
  }
}

PenSpaceNames *
pen_space_names_load (PenStore *store, GError **error)
{
  g_autoptr (GArray) spaces = pen_store_load_spaces (store, error);
  g_autoptr (GArray) images = NULL;
  PenSpaceNames *self;

  if (!spaces)
    return NULL;
  self = g_new0 (PenSpaceNames, 1);
  self->names = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_set_size (self->names, (int) spaces->len);
  if (spaces->len > 0)
    self->names->pdata[PEN_SPACE_KERNEL] = g_strdup ("kernel");
  images = sort_images (spaces);
  name_images (self, images);
  return self;
}

void
pen_space_names_free (PenSpaceNames *self)
{
  g_ptr_array_unref (self->names);
  g_free (self);
}

const char *
pen_space_names_get (const PenSpaceNames *self, guint32 space)
{
  return space < self->names->len ? self->names->pdata[space] : "";
}
