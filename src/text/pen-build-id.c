/* pen-build-id.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-build-id.h"

#include <elf.h>
#include <string.h>

#define MAX_LENGTH 20u

char *
pen_build_id_to_string (const guint8 *id, guint length)
{
  GString *text = g_string_sized_new (2 * length);

  for (guint i = 0; i < length; i++)
    g_string_append_printf (text, "%02x", id[i]);

  return g_string_free (text, FALSE);
}

gboolean
pen_build_id_is_same (const guint8 *own, guint own_length, const guint8 *recorded,
                      guint recorded_length)
{
  while (recorded_length > own_length && recorded[recorded_length - 1] == 0)
    recorded_length--;

  return own_length > 0 && own_length == recorded_length && memcmp (own, recorded, own_length) == 0;
}

const guint8 *
pen_build_id_find_in_notes (const guint8 *notes, gsize length, guint *id_length)
{
  Elf64_Nhdr header;

  while (length >= sizeof header) {
    guint64 name;
    guint64 content;

    memcpy (&header, notes, sizeof header);
    name = ((guint64) header.n_namesz + 3) & ~(guint64) 3;
    content = ((guint64) header.n_descsz + 3) & ~(guint64) 3;
    notes += sizeof header;
    length -= sizeof header;
    if (name > length || content > length - name)
      break;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && memcmp (notes, "GNU", 4) == 0
        && header.n_descsz > 0 && header.n_descsz <= MAX_LENGTH) {
      *id_length = header.n_descsz;
      return notes + name;
    }
    notes += name + content;
    length -= name + content;
  }

  return NULL;
}
