/* pen-build-id.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-build-id.h"

#include <gelf.h>
#include <string.h>

#define MAX_LENGTH 20u
#define MAX_SEGMENTS 256
#define MAX_NOTES (16u << 20)

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

static const guint8 *
find_in_data (Elf_Data *data, guint *id_length)
{
  size_t position = 0;
  size_t name;
  size_t content;
  GElf_Nhdr header;

  while (data && (position = gelf_getnote (data, position, &header, &name, &content)) > 0) {
    const guint8 *bytes = data->d_buf;

    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof "GNU"
        && memcmp (bytes + name, "GNU", sizeof "GNU") == 0 && header.n_descsz > 0
        && header.n_descsz <= MAX_LENGTH) {
      *id_length = header.n_descsz;
      return bytes + content;
    }
  }
  return NULL;
}

static const guint8 *
find_in_segments (Elf *elf, guint *id_length)
{
  const guint8 *found = NULL;
  size_t n = 0;

  if (elf_getphdrnum (elf, &n) != 0)
    return NULL;

  for (size_t i = 0; !found && i < MIN (n, MAX_SEGMENTS); i++) {
    GElf_Phdr header;

    if (gelf_getphdr (elf, (int) i, &header) && header.p_type == PT_NOTE
        && header.p_filesz <= MAX_NOTES)
      found = find_in_data (elf_getdata_rawchunk (elf, (gint64) header.p_offset, header.p_filesz,
                                                  header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR),
                            id_length);
  }
  return found;
}

const guint8 *
pen_build_id_find_in_elf (Elf *elf, guint *id_length)
{
  Elf_Scn *section = elf_nextscn (elf, NULL);
  const guint8 *found = NULL;

  if (!section)
    return find_in_segments (elf, id_length);

  for (; section && !found; section = elf_nextscn (elf, section)) {
    GElf_Shdr header;

    if (gelf_getshdr (section, &header) && header.sh_type == SHT_NOTE
        && header.sh_size <= MAX_NOTES)
      found = find_in_data (elf_getdata (section, NULL), id_length);
  }
  return found;
}
