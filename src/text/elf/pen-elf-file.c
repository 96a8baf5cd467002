/* pen-elf-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-elf-file.h"

#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "pen-build-id.h"
#include "pen-debug-link.h"
#include "pen-elf-plt.h"
#include "pen-elf-sections.h"
#include "pen-elf-symbols.h"
#include "pen-regular-file.h"
#include "pen-xz.h"

#define MAX_SEGMENTS 256
#define MAX_CODE_SECTIONS 1024
/* Larger than the debug data of a browser. */
#define MAX_TABLE (1u << 30)
#define MAX_DEBUG_DATA (256u << 20)

typedef struct {
  guint64 offset;
  guint64 size;
  guint64 address;
} Segment;

struct _PenElfFile {
  char *path;
  int fd;
  Elf *elf;
  guint8 build_id[PEN_ELF_BUILD_ID_MAX];
  guint build_id_length;
  guint machine;
  char *debug_link;
  guint32 debug_link_crc;
  GArray *segments; /* Segment: executable, with contents */
  GArray *code;     /* Segment: executable sections; without an offset: they have no contents */
  PenElfSymbols *symbols;
  PenElfSymbols *stubs; /* or NULL */
};

static void
read_segments (PenElfFile *self)
{
  size_t n;

  if (elf_getphdrnum (self->elf, &n) != 0)
    return;

  for (size_t i = 0; i < MIN (n, MAX_SEGMENTS); i++) {
    GElf_Phdr header;
    Segment segment;

    if (!gelf_getphdr (self->elf, (int) i, &header) || header.p_type != PT_LOAD
        || (header.p_flags & PF_X) == 0 || header.p_filesz == 0)
      continue;

    segment = (Segment){ header.p_offset, header.p_filesz, header.p_vaddr };
    g_array_append_val (self->segments, segment);
  }
}

static void
read_code_sections (PenElfFile *self)
{
  Elf_Scn *section = NULL;
  GElf_Shdr header;

  while (self->code->len < MAX_CODE_SECTIONS && (section = elf_nextscn (self->elf, section)))
    if (gelf_getshdr (section, &header) && (header.sh_flags & SHF_EXECINSTR) != 0) {
      gboolean is_there = header.sh_type == SHT_PROGBITS;
      Segment kept = { is_there ? header.sh_offset : 0, header.sh_size, header.sh_addr };

      g_array_append_val (self->code, kept);
    }
}

static void
read_identity (PenElfFile *self)
{
  guint length = 0;
  const guint8 *id = pen_build_id_find_in_elf (self->elf, &length);

  if (id)
    memcpy (self->build_id, id, length);
  self->build_id_length = length;
  self->debug_link = pen_debug_link_read (self->elf, &self->debug_link_crc);
}

PenElfFile *
pen_elf_file_open (const char *path)
{
  g_autoptr (PenElfFile) self = g_new0 (PenElfFile, 1);
  GElf_Ehdr header;
  guint64 size;

  self->path = g_strdup (path);
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  self->code = g_array_new (FALSE, FALSE, sizeof (Segment));
  self->symbols = pen_elf_symbols_new ();
  self->fd = pen_regular_file_open (path, &size, NULL);
  if (self->fd < 0)
    return NULL;

  elf_version (EV_CURRENT);
  self->elf = elf_begin (self->fd, ELF_C_READ, NULL);
  if (!self->elf || elf_kind (self->elf) != ELF_K_ELF || !gelf_getehdr (self->elf, &header)
      || (header.e_type != ET_EXEC && header.e_type != ET_DYN)
      || !pen_elf_sections_fit (self->elf, size))
    return NULL;

  self->machine = header.e_machine;
  read_segments (self);
  read_code_sections (self);
  read_identity (self);
  return g_steal_pointer (&self);
}

static void
close_file (PenElfFile *self)
{
  g_clear_pointer (&self->elf, elf_end);
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

void
pen_elf_file_free (PenElfFile *self)
{
  if (!self)
    return;

  close_file (self);
  pen_elf_symbols_free (self->symbols);
  pen_elf_symbols_free (self->stubs);
  g_array_unref (self->segments);
  g_array_unref (self->code);
  g_free (self->debug_link);
  g_free (self->path);
  g_free (self);
}

const char *
pen_elf_file_get_path (PenElfFile *self)
{
  return self->path;
}

const guint8 *
pen_elf_file_get_build_id (PenElfFile *self, guint *length)
{
  *length = self->build_id_length;
  return self->build_id_length > 0 ? self->build_id : NULL;
}

const char *
pen_elf_file_get_debug_link (PenElfFile *self, guint32 *crc)
{
  *crc = self->debug_link_crc;
  return self->debug_link;
}

gboolean
pen_elf_file_find_bias (PenElfFile *self, guint64 file_offset, guint64 length, guint64 *bias)
{
  for (guint i = 0; i < self->segments->len; i++) {
    const Segment *segment = &g_array_index (self->segments, Segment, i);
    gboolean begins_before_end
        = segment->offset < file_offset || segment->offset - file_offset < length;
    gboolean ends_after_start
        = segment->offset >= file_offset || file_offset - segment->offset < segment->size;

    if (begins_before_end && ends_after_start) {
      *bias = segment->address - segment->offset;
      return TRUE;
    }
  }
  return FALSE;
}

guint
pen_elf_file_get_machine (PenElfFile *self)
{
  return self->machine;
}

/* Where the file has the code at @address, and how much of it lies in one piece. Sections decide
 * where there are any: those of a debug file have no contents. */
static gboolean
find_code (PenElfFile *self, guint64 address, guint64 *offset, guint64 *length)
{
  GArray *pieces = self->code->len > 0 ? self->code : self->segments;

  for (guint i = 0; i < pieces->len; i++) {
    const Segment *piece = &g_array_index (pieces, Segment, i);

    if (address < piece->address || address - piece->address >= piece->size)
      continue;
    *offset = piece->offset + (address - piece->address);
    *length = piece->size - (address - piece->address);
    return piece->offset > 0 || pieces == self->segments;
  }
  return FALSE;
}

GBytes *
pen_elf_file_read_code (PenElfFile *self, guint64 address, gsize length)
{
  g_autofree guint8 *bytes = NULL;
  guint64 offset;
  guint64 there;
  gsize done = 0;

  if (!self->elf || length == 0 || !find_code (self, address, &offset, &there)
      || offset > G_MAXINT64 - length)
    return NULL;

  length = MIN (length, (gsize) there);
  bytes = g_try_malloc (length);
  while (bytes && done < length) {
    gssize n = pread (self->fd, bytes + done, length - done, (off_t) (offset + done));

    if (n <= 0)
      break;
    done += (gsize) n;
  }
  return done > 0 ? g_bytes_new_take (g_steal_pointer (&bytes), done) : NULL;
}

/* Returns: how many symbols were taken */
static guint
take_table (PenElfFile *self, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Scn *names = elf_getscn (elf, header->sh_link);
  GElf_Shdr names_header;
  Elf_Data *symbols;
  Elf_Data *strings;

  if (!names || !gelf_getshdr (names, &names_header) || names_header.sh_type != SHT_STRTAB
      || names_header.sh_size > MAX_TABLE || header->sh_size > MAX_TABLE)
    return 0;

  symbols = elf_getdata (section, NULL);
  strings = elf_getdata (names, NULL);
  if (!symbols || !strings || !symbols->d_buf || !strings->d_buf)
    return 0;
  return pen_elf_symbols_add_table (self->symbols, elf, symbols, strings);
}

/* Returns: how many symbols the tables of @type gave */
static guint
take_tables (PenElfFile *self, Elf *elf, guint32 type)
{
  Elf_Scn *section = NULL;
  guint n = 0;

  while ((section = elf_nextscn (elf, section))) {
    GElf_Shdr header;

    if (gelf_getshdr (section, &header) && header.sh_type == type)
      n += take_table (self, elf, section, &header);
  }
  return n;
}

static GBytes *
read_debug_data (PenElfFile *self)
{
  Elf_Scn *section = NULL;
  size_t names;

  if (elf_getshdrstrndx (self->elf, &names) != 0)
    return NULL;

  while ((section = elf_nextscn (self->elf, section))) {
    GElf_Shdr header;
    const char *name;
    Elf_Data *data;

    if (!gelf_getshdr (section, &header) || header.sh_type != SHT_PROGBITS
        || header.sh_size > MAX_DEBUG_DATA)
      continue;
    name = elf_strptr (self->elf, names, header.sh_name);
    if (g_strcmp0 (name, ".gnu_debugdata") != 0)
      continue;

    data = elf_rawdata (section, NULL);
    return data && data->d_buf ? pen_xz_unpack (data->d_buf, data->d_size, MAX_DEBUG_DATA) : NULL;
  }
  return NULL;
}

static guint
take_debug_data (PenElfFile *self)
{
  g_autoptr (GBytes) bytes = read_debug_data (self);
  gsize length;
  gconstpointer data;
  guint n = 0;
  Elf *elf;

  if (!bytes)
    return 0;

  data = g_bytes_get_data (bytes, &length);
  elf = elf_memory ((char *) (gpointer) data, length);
  if (!elf)
    return 0;
  if (elf_kind (elf) == ELF_K_ELF && pen_elf_sections_fit (elf, length))
    n = take_tables (self, elf, SHT_SYMTAB);
  elf_end (elf);
  return n;
}

PenElfNames
pen_elf_file_load_symbols (PenElfFile *self, GCancellable *cancellable)
{
  PenElfNames found = PEN_ELF_NAMES_NONE;

  if (!self->elf)
    return PEN_ELF_NAMES_NONE;
  pen_elf_symbols_set_cancellable (self->symbols, cancellable);

  if (take_tables (self, self->elf, SHT_SYMTAB) > 0)
    found = PEN_ELF_NAMES_FULL;
  else if (take_tables (self, self->elf, SHT_DYNSYM) > 0)
    found = PEN_ELF_NAMES_DYNAMIC;
  if (found != PEN_ELF_NAMES_FULL && take_debug_data (self) > 0)
    found = PEN_ELF_NAMES_MINI;

  pen_elf_symbols_seal (self->symbols);
  self->stubs = pen_elf_plt_read (self->elf, self->symbols);
  close_file (self);
  return found;
}

guint
pen_elf_file_get_n_symbols (PenElfFile *self)
{
  return pen_elf_symbols_get_count (self->symbols);
}

gboolean
pen_elf_file_find_symbol (PenElfFile *self, guint64 address, PenSymbol *symbol)
{
  return pen_elf_symbols_find (self->symbols, address, symbol);
}

gboolean
pen_elf_file_find_stub (PenElfFile *self, guint64 address, PenSymbol *symbol)
{
  return self->stubs && pen_elf_symbols_find (self->stubs, address, symbol);
}
