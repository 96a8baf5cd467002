/* pen-debug-link.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-debug-link.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pen-build-id.h"
#include "pen-elf-file.h"
#include "pen-file-roots.h"
#include "pen-regular-file.h"

#define MAX_LINK 4096
#define MAX_LINKED_FILE (G_GUINT64_CONSTANT (2) << 30)
#define BLOCK 65536u
#define DEBUG_DIRECTORY "/usr/lib/debug"

static Elf_Data *
find_section (Elf *elf, const char *wanted)
{
  Elf_Scn *section = NULL;
  size_t names;

  if (elf_getshdrstrndx (elf, &names) != 0)
    return NULL;

  while ((section = elf_nextscn (elf, section))) {
    GElf_Shdr header;
    const char *name
        = gelf_getshdr (section, &header) ? elf_strptr (elf, names, header.sh_name) : NULL;

    if (g_strcmp0 (name, wanted) == 0)
      return header.sh_size <= MAX_LINK ? elf_rawdata (section, NULL) : NULL;
  }
  return NULL;
}

/* A name that ends with a zero byte, filling up to four bytes, and the sum. */
char *
pen_debug_link_read (Elf *elf, guint32 *crc)
{
  Elf_Data *data = find_section (elf, ".gnu_debuglink");
  const char *link = data ? data->d_buf : NULL;
  const char *ident = elf_getident (elf, NULL);
  gsize length;

  if (!link || data->d_size <= sizeof *crc)
    return NULL;
  length = strnlen (link, data->d_size - sizeof *crc);
  if (length == 0 || length == data->d_size - sizeof *crc || length >= NAME_MAX
      || memchr (link, '/', length))
    return NULL;

  memcpy (crc, link + data->d_size - sizeof *crc, sizeof *crc);
  *crc = ident[EI_DATA] == ELFDATA2MSB ? GUINT32_FROM_BE (*crc) : GUINT32_FROM_LE (*crc);
  return g_strndup (link, length);
}

gboolean
pen_debug_link_has_crc (const char *path, guint32 crc, GCancellable *cancellable)
{
  g_autofree guint8 *block = g_malloc (BLOCK);
  guint64 size;
  guint64 done = 0;
  guint32 own = 0;
  int fd = pen_regular_file_open (path, &size, NULL);
  gssize n = 1;

  if (fd < 0)
    return FALSE;

  while (size <= MAX_LINKED_FILE && done < size && n > 0
         && !g_cancellable_is_cancelled (cancellable)) {
    n = read (fd, block, MIN (BLOCK, size - done));
    if (n > 0) {
      own = lzma_crc32 (block, (gsize) n, own);
      done += (guint64) n;
    }
  }
  close (fd);
  return done == size && own == crc;
}

char *
pen_debug_link_read_alternate (Elf *elf, const guint8 **build_id, guint *length)
{
  Elf_Data *data = find_section (elf, ".gnu_debugaltlink");
  const char *link = data ? data->d_buf : NULL;
  gsize n = link ? strnlen (link, data->d_size) : 0;

  if (n == 0 || n + 1 >= data->d_size || data->d_size - n - 1 > PEN_ELF_BUILD_ID_MAX)
    return NULL;

  *build_id = (const guint8 *) link + n + 1;
  *length = (guint) (data->d_size - n - 1);
  return g_strndup (link, n);
}

static void
add_by_build_id (GPtrArray *paths, const char *path, const char *before, gsize more,
                 const char *digits)
{
  const char *at = g_strrstr (path, before);

  if (at && strlen (digits) > 2)
    g_ptr_array_add (paths,
                     g_strdup_printf ("%.*s/.build-id/%.2s/%s.debug",
                                      (int) (at - path) + (int) more, path, digits, digits + 2));
}

/* By the link, seen from where the file really is; by build-id in the directory of debug files that
 * it is in. */
char **
pen_debug_link_list_alternates (const char *path, const char *link, const guint8 *build_id,
                                guint length)
{
  GPtrArray *paths = g_ptr_array_new ();
  g_autofree char *digits = pen_build_id_to_string (build_id, length);
  char *resolved = realpath (path, NULL);
  g_autofree char *directory = g_path_get_dirname (resolved ? resolved : path);

  free (resolved);
  if (*link != '/')
    g_ptr_array_add (paths, g_build_filename (directory, link, NULL));
  else if (!pen_file_roots_is_refused (link))
    g_ptr_array_add (paths, g_strdup (link));
  add_by_build_id (paths, path, "/.build-id/", 0, digits);
  add_by_build_id (paths, path, DEBUG_DIRECTORY "/", strlen (DEBUG_DIRECTORY), digits);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}
