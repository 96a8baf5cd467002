/* pen-page-file.c: pages, and where they are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-page-places.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "pen-page-vfs.h"
#include "pen-table-hash.h"

#define PREFIX "/pentimento-pages/"

/* A place that the state @number was the last to have. */
typedef struct {
  guint32 place;
  guint64 number;
} Left;

/*
 * @places: (element-type guint32): of each page
 * @is_new: (element-type guint8): it was written since the last state: no state has its place
 * @left: (element-type Left): in the order of their numbers; @first_left: those before are free
 * @held: (element-type guint64): numbers of states that are held, ascending
 */
struct _PenPageFile {
  gint refs; /* atomic */
  int fd;
  char *name;
  GMutex lock;
  GArray *places;
  GByteArray *is_new;
  guint32 n_places;
  GArray *left;
  guint first_left;
  GArray *free; /* guint32 */
  GArray *held;
  guint64 number; /* of the next state */
};

struct _PenPageState {
  gint refs; /* atomic */
  PenPageFile *file;
  char *name;
  guint64 number;
  guint32 *places;
  guint32 n;
};

/* Names of what there is. The lock is taken before that of a file. */
static GMutex names_lock;
static GHashTable *files;  /* name → PenPageFile */
static GHashTable *states; /* name → PenPageState */
static guint64 n_files;

/* ---- names ---- */

gboolean
pen_page_file_has_name (const char *name)
{
  return name && g_str_has_prefix (name, PREFIX);
}

static void
add_name (GHashTable **table, char *name, gpointer value)
{
  if (!*table)
    *table = g_hash_table_new (pen_str_hash, g_str_equal);
  g_hash_table_insert (*table, name, value);
}

PenPageFile *
pen_page_file_find (const char *name)
{
  PenPageFile *found;

  g_mutex_lock (&names_lock);
  found = files ? g_hash_table_lookup (files, name) : NULL;
  if (found)
    pen_page_file_ref (found);
  g_mutex_unlock (&names_lock);
  return found;
}

PenPageState *
pen_page_state_find (const char *name)
{
  PenPageState *found;

  g_mutex_lock (&names_lock);
  found = states ? g_hash_table_lookup (states, name) : NULL;
  if (found)
    pen_page_state_ref (found);
  g_mutex_unlock (&names_lock);
  return found;
}

/* ---- files ---- */

const char *
pen_page_file_get_vfs (void)
{
  return pen_page_vfs_register ();
}

PenPageFile *
pen_page_file_new (const char *directory, GError **error)
{
  PenPageFile *self;
  int fd = open (directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  /* Not every file system has files without names. */
  if (fd < 0) {
    g_autofree char *path = g_build_filename (directory, ".pages-XXXXXX", NULL);

    fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
      unlink (path);
  }
  if (fd < 0) {
    int code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot write in “%s”: %s",
                 directory, g_strerror (code));
    return NULL;
  }

  self = g_new0 (PenPageFile, 1);
  self->refs = 1;
  self->fd = fd;
  g_mutex_init (&self->lock);
  self->places = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->is_new = g_byte_array_new ();
  self->left = g_array_new (FALSE, FALSE, sizeof (Left));
  self->free = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->held = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_mutex_lock (&names_lock);
  self->name = g_strdup_printf (PREFIX "%" G_GUINT64_FORMAT, ++n_files);
  add_name (&files, self->name, self);
  g_mutex_unlock (&names_lock);
  return self;
}

PenPageFile *
pen_page_file_ref (PenPageFile *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
pen_page_file_unref (PenPageFile *self)
{
  gboolean is_last;

  if (!self)
    return;
  g_mutex_lock (&names_lock);
  is_last = g_atomic_int_dec_and_test (&self->refs);
  if (is_last)
    g_hash_table_remove (files, self->name);
  g_mutex_unlock (&names_lock);
  if (!is_last)
    return;

  close (self->fd);
  g_array_unref (self->places);
  g_byte_array_unref (self->is_new);
  g_array_unref (self->left);
  g_array_unref (self->free);
  g_array_unref (self->held);
  g_mutex_clear (&self->lock);
  g_free (self->name);
  g_free (self);
}

const char *
pen_page_file_get_name (PenPageFile *self)
{
  return self->name;
}

guint64
pen_page_file_get_size (PenPageFile *self)
{
  guint64 size;

  g_mutex_lock (&self->lock);
  size = (guint64) self->n_places * PEN_PAGE_SIZE;
  g_mutex_unlock (&self->lock);
  return size;
}

guint32
pen_page_file_count (PenPageFile *self)
{
  guint32 n;

  g_mutex_lock (&self->lock);
  n = self->places->len;
  g_mutex_unlock (&self->lock);
  return n;
}

/* With the lock. Places that no state has any more. */
static void
free_left (PenPageFile *self)
{
  guint64 oldest = self->held->len > 0 ? g_array_index (self->held, guint64, 0) : G_MAXUINT64;

  for (; self->first_left < self->left->len; self->first_left++) {
    const Left *left = &g_array_index (self->left, Left, self->first_left);

    if (left->number >= oldest)
      break;
    g_array_append_val (self->free, left->place);
  }
  if (self->first_left > self->left->len / 2) {
    g_array_remove_range (self->left, 0, self->first_left);
    self->first_left = 0;
  }
}

/* With the lock. */
static guint32
take_place (PenPageFile *self)
{
  guint32 place;

  if (self->free->len == 0)
    free_left (self);
  if (self->free->len == 0)
    return self->n_places++;
  place = g_array_index (self->free, guint32, self->free->len - 1);
  g_array_set_size (self->free, self->free->len - 1);
  return place;
}

/* With the lock. */
static void
leave_place (PenPageFile *self, guint32 page)
{
  guint32 place = g_array_index (self->places, guint32, page);

  if (place == PEN_PAGE_NOWHERE)
    return;
  if (self->is_new->data[page] || self->number == 0) {
    g_array_append_val (self->free, place);
  } else {
    Left left = { place, self->number - 1 };

    g_array_append_val (self->left, left);
  }
}

void
pen_page_file_truncate (PenPageFile *self, guint32 n)
{
  g_mutex_lock (&self->lock);
  for (guint32 page = n; page < self->places->len; page++)
    leave_place (self, page);
  if (n < self->places->len) {
    g_array_set_size (self->places, n);
    g_byte_array_set_size (self->is_new, n);
  }
  g_mutex_unlock (&self->lock);
}

/* The place where @page is to be written. */
static guint32
renew_place (PenPageFile *self, guint32 page)
{
  const guint32 nowhere = PEN_PAGE_NOWHERE;
  const guint8 none = FALSE;
  guint32 *place;

  g_mutex_lock (&self->lock);
  while (self->places->len <= page) {
    g_array_append_val (self->places, nowhere);
    g_byte_array_append (self->is_new, &none, 1);
  }
  if (!self->is_new->data[page]) {
    leave_place (self, page);
    place = &g_array_index (self->places, guint32, page);
    *place = take_place (self);
    self->is_new->data[page] = TRUE;
  }
  place = &g_array_index (self->places, guint32, page);
  page = *place;
  g_mutex_unlock (&self->lock);
  return page;
}

gboolean
pen_page_file_write (PenPageFile *self, guint32 page, gconstpointer bytes)
{
  const guint8 *from = bytes;
  off_t at = (off_t) renew_place (self, page) * PEN_PAGE_SIZE;

  for (gsize done = 0; done < PEN_PAGE_SIZE;) {
    gssize n = pwrite (self->fd, from + done, PEN_PAGE_SIZE - done, at + (off_t) done);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    done += (gsize) n;
  }
  return TRUE;
}

/* @place: may be PEN_PAGE_NOWHERE: zeros */
static gboolean
read_place (PenPageFile *self, guint32 place, guint offset, gpointer bytes, gsize n)
{
  guint8 *to = bytes;
  off_t at = (off_t) place * PEN_PAGE_SIZE + offset;

  if (place == PEN_PAGE_NOWHERE) {
    memset (bytes, 0, n);
    return TRUE;
  }
  for (gsize done = 0; done < n;) {
    gssize got = pread (self->fd, to + done, n - done, at + (off_t) done);

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return FALSE;
    done += (gsize) got;
  }
  return TRUE;
}

gboolean
pen_page_file_read (PenPageFile *self, guint32 page, guint offset, gpointer bytes, gsize n)
{
  guint32 place;

  g_mutex_lock (&self->lock);
  place = page < self->places->len ? g_array_index (self->places, guint32, page) : PEN_PAGE_NOWHERE;
  g_mutex_unlock (&self->lock);
  return read_place (self, place, offset, bytes, n);
}

/* ---- states ---- */

PenPageState *
pen_page_file_publish (PenPageFile *self)
{
  PenPageState *state = g_new0 (PenPageState, 1);

  state->refs = 1;
  state->file = pen_page_file_ref (self);
  g_mutex_lock (&self->lock);
  state->number = self->number++;
  g_array_append_val (self->held, state->number);
  state->n = self->places->len;
  state->places = g_memdup2 (self->places->data, state->n * sizeof *state->places);
  memset (self->is_new->data, FALSE, self->is_new->len);
  g_mutex_unlock (&self->lock);

  state->name = g_strdup_printf ("%s-%" G_GUINT64_FORMAT, self->name, state->number);
  g_mutex_lock (&names_lock);
  add_name (&states, state->name, state);
  g_mutex_unlock (&names_lock);
  return state;
}

PenPageState *
pen_page_state_ref (PenPageState *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

static void
release (PenPageFile *file, guint64 number)
{
  g_mutex_lock (&file->lock);
  for (guint i = 0; i < file->held->len; i++) {
    if (g_array_index (file->held, guint64, i) == number) {
      g_array_remove_index (file->held, i);
      break;
    }
  }
  g_mutex_unlock (&file->lock);
}

void
pen_page_state_unref (PenPageState *self)
{
  gboolean is_last;

  if (!self)
    return;
  g_mutex_lock (&names_lock);
  is_last = g_atomic_int_dec_and_test (&self->refs);
  if (is_last)
    g_hash_table_remove (states, self->name);
  g_mutex_unlock (&names_lock);
  if (!is_last)
    return;

  release (self->file, self->number);
  pen_page_file_unref (self->file);
  g_free (self->places);
  g_free (self->name);
  g_free (self);
}

const char *
pen_page_state_get_name (PenPageState *self)
{
  return self->name;
}

guint32
pen_page_state_count (PenPageState *self)
{
  return self->n;
}

gboolean
pen_page_state_read (PenPageState *self, guint32 page, guint offset, gpointer bytes, gsize n)
{
  return read_place (self->file, page < self->n ? self->places[page] : PEN_PAGE_NOWHERE, offset,
                     bytes, n);
}
