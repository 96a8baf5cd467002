/* pen-kernel-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-file.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "pen-build-id.h"
#include "pen-debug-link.h"
#include "pen-elf-sections.h"
#include "pen-elf-symbols.h"
#include "pen-kernel-file-private.h"
#include "pen-module-load.h"
#include "pen-module-relocation.h"
#include "pen-reason.h"
#include "pen-regular-file.h"
#include "pen-rewritten-text.h"
#include "pen-unpacked.h"

#define MAX_UNPACKED (512u << 20)

/* ---- opening ---- */

static gboolean
set_invalid (GError **error, const char *path, const char *word)
{
  return pen_reason_set_error (error, G_IO_ERROR_INVALID_DATA, word, path, NULL);
}

static gboolean
read_all (int fd, guint8 *buffer, gsize length)
{
  gsize done = 0;

  while (done < length) {
    gssize got = pread (fd, buffer + done, length - done, (off_t) done);

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return FALSE;
    done += (gsize) got;
  }
  return TRUE;
}

static gboolean
unpack (PenKernelFile *self, GError **error)
{
  g_autofree guint8 *packed = NULL;

  if (self->size > MAX_UNPACKED)
    return set_invalid (error, self->path, PEN_REASON_MODULE_TOO_LARGE);

  packed = g_malloc (self->size);
  if (!read_all (self->fd, packed, self->size))
    return set_invalid (error, self->path, PEN_REASON_FILE_UNREADABLE);
  self->unpacked = pen_unpacked_new (packed, self->size, MAX_UNPACKED);
  return self->unpacked || set_invalid (error, self->path, PEN_REASON_MODULE_DAMAGED);
}

static gboolean
open_elf (PenKernelFile *self, GError **error)
{
  GElf_Ehdr header;
  guint8 magic[8];
  guint64 size;

  self->fd = pen_regular_file_open (self->path, &self->size, error);
  if (self->fd < 0)
    return FALSE;

  elf_version (EV_CURRENT);
  if (self->size >= sizeof magic && read_all (self->fd, magic, sizeof magic)
      && pen_unpacked_is_packed (magic, sizeof magic)) {
    gsize length;
    gconstpointer bytes;

    if (!unpack (self, error))
      return FALSE;
    bytes = g_bytes_get_data (self->unpacked, &length);
    self->elf = elf_memory ((char *) (gpointer) bytes, length);
    size = length;
  } else {
    size = self->size;
    self->elf = elf_begin (self->fd, ELF_C_READ, NULL);
  }

  if (!self->elf || elf_kind (self->elf) != ELF_K_ELF || !gelf_getehdr (self->elf, &header)
      || (header.e_type != ET_EXEC && header.e_type != ET_DYN && header.e_type != ET_REL)
      || !pen_elf_sections_fit (self->elf, size))
    return set_invalid (error, self->path, PEN_REASON_NOT_KERNEL);

  self->type = header.e_type;
  self->machine = header.e_machine;
  self->is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
  return TRUE;
}

static void
read_sections (PenKernelFile *self)
{
  Elf_Scn *scn = NULL;
  size_t names = 0;

  elf_getshdrstrndx (self->elf, &names);
  while ((scn = elf_nextscn (self->elf, scn))) {
    size_t index = elf_ndxscn (scn);
    PenKernelSection *section;
    GElf_Shdr header;
    const char *name;

    if (index >= SHN_LORESERVE || !gelf_getshdr (scn, &header))
      break;
    if (index >= self->sections->len)
      g_array_set_size (self->sections, (guint) index + 1);
    name = elf_strptr (self->elf, names, header.sh_name);
    section = &g_array_index (self->sections, PenKernelSection, index);
    section->scn = scn;
    section->header = header;
    section->name = name ? name : "";
    section->address = header.sh_addr;
    /* Sections of per-CPU data begin at 0: theirs are no addresses. */
    section->is_placed = (header.sh_flags & SHF_ALLOC) != 0
                         && (self->type == ET_REL || header.sh_addr != 0)
                         && header.sh_size <= G_MAXUINT64 - header.sh_addr;
  }
}

static void
read_build_id (PenKernelFile *self)
{
  guint length = 0;
  const guint8 *id = pen_build_id_find_in_elf (self->elf, &length);

  if (id)
    memcpy (self->build_id, id, length);
  self->build_id_length = length;
}

PenKernelFile *
pen_kernel_file_open (const char *path, GError **error)
{
  g_autoptr (PenKernelFile) self = g_new0 (PenKernelFile, 1);

  self->path = g_strdup (path);
  self->fd = -1;
  self->sections = g_array_new (FALSE, TRUE, sizeof (PenKernelSection));
  self->names = pen_elf_symbols_new ();
  pen_elf_symbols_keep_labels (self->names);
  if (!open_elf (self, error))
    return NULL;

  read_sections (self);
  read_build_id (self);
  return g_steal_pointer (&self);
}

void
pen_kernel_file_free (PenKernelFile *self)
{
  if (!self)
    return;

  g_clear_pointer (&self->rewritten, pen_rewritten_text_free);
  g_clear_pointer (&self->relocations, g_hash_table_unref);
  g_clear_pointer (&self->objects, g_array_unref);
  g_clear_pointer (&self->elf, elf_end);
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->unpacked, g_bytes_unref);
  pen_elf_symbols_free (self->names);
  g_array_unref (self->sections);
  g_free (self->path);
  g_free (self);
}

const char *
pen_kernel_file_get_path (PenKernelFile *self)
{
  return self->path;
}

gboolean
pen_kernel_file_is_module (PenKernelFile *self)
{
  return self->type == ET_REL;
}

gboolean
pen_kernel_file_is_big_endian (PenKernelFile *self)
{
  return self->is_big_endian;
}

guint
pen_kernel_file_get_machine (PenKernelFile *self)
{
  return self->machine;
}

guint64
pen_kernel_file_get_bias (PenKernelFile *self)
{
  return self->bias;
}

const guint8 *
pen_kernel_file_get_build_id (PenKernelFile *self, guint *length)
{
  *length = self->build_id_length;
  return self->build_id_length > 0 ? self->build_id : NULL;
}

char *
pen_kernel_file_read_debug_link (PenKernelFile *self, guint32 *crc)
{
  return pen_debug_link_read (self->elf, crc);
}

/* ---- placing ---- */

static gboolean
is_code (const PenKernelSection *section)
{
  return section->is_placed && (section->header.sh_flags & SHF_EXECINSTR) != 0;
}

static gboolean
is_for_start (const PenKernelSection *section)
{
  return section->scn && g_str_has_prefix (section->name, ".init");
}

static guint64
lay_out (PenKernelFile *self, guint64 address, gboolean code)
{
  for (guint i = 0; i < self->sections->len; i++) {
    PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);
    guint64 alignment = MAX (section->header.sh_addralign, 1);

    if (!section->is_placed || is_code (section) != code || is_for_start (section))
      continue;
    if (alignment > PEN_KERNEL_FILE_PAGE || (alignment & (alignment - 1)) != 0)
      alignment = 1;
    address = (address + alignment - 1) & ~(alignment - 1);
    section->address = address;
    address += MIN (section->header.sh_size, MAX_UNPACKED);
  }
  return address;
}

static void
place_module (PenKernelFile *self, guint64 start)
{
  guint64 end;

  end = lay_out (self, start, TRUE);
  for (guint i = 0; i < self->sections->len; i++) {
    PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);

    if (is_for_start (section))
      section->is_placed = FALSE;
  }
  end = lay_out (self, (end + PEN_KERNEL_FILE_PAGE - 1) & ~(guint64) (PEN_KERNEL_FILE_PAGE - 1),
                 FALSE);
  self->extern_start = (end + 2 * PEN_KERNEL_FILE_PAGE - 1) & ~(guint64) (PEN_KERNEL_FILE_PAGE - 1);
  pen_kernel_file_find_symbol_table (self);
  /* References of 32 bits reach no farther. */
  self->n_extern = MIN (self->n_symbols, (1u << 30) / PEN_KERNEL_FILE_PAGE);
}

void
pen_kernel_file_place (PenKernelFile *self, guint64 address)
{
  if (self->type == ET_REL)
    place_module (self, address);
  else
    self->bias = address;

  for (guint i = 0; i < self->sections->len; i++) {
    PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);

    section->address += self->bias;
    /* None lies across the end of the address space. */
    if (section->header.sh_size > G_MAXUINT64 - section->address)
      section->is_placed = FALSE;
  }
}

gboolean
pen_kernel_section_has_code (const PenKernelSection *section, guint64 address)
{
  return is_code (section) && address >= section->address
         && address - section->address < section->header.sh_size;
}

const PenKernelSection *
pen_kernel_file_find_code (PenKernelFile *self, guint64 address)
{
  for (guint i = 0; i < self->sections->len; i++) {
    const PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);

    if (pen_kernel_section_has_code (section, address))
      return section;
  }
  return NULL;
}

gboolean
pen_kernel_file_has_code (PenKernelFile *self, guint64 address)
{
  return pen_kernel_file_find_code (self, address) != NULL;
}

guint64
pen_kernel_file_get_code_end (PenKernelFile *self)
{
  guint64 end = 0;

  for (guint i = 0; i < self->sections->len; i++) {
    const PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);

    if (is_code (section))
      end = MAX (end, section->address + section->header.sh_size);
  }
  return end;
}

/* ---- bytes ---- */

/* Returns: (nullable): the contents of @section, owned by the ELF file */
static const guint8 *
get_bytes (const PenKernelSection *section, gsize *length)
{
  Elf_Data *data;

  if (section->header.sh_type == SHT_NOBITS || (section->header.sh_flags & SHF_COMPRESSED) != 0)
    return NULL;

  data = elf_rawdata (section->scn, NULL);
  if (!data || !data->d_buf)
    return NULL;
  *length = MIN (data->d_size, section->header.sh_size);
  return data->d_buf;
}

gboolean
pen_kernel_file_peek (PenKernelFile *self, guint64 address, guint8 *byte)
{
  const PenKernelSection *section = pen_kernel_file_find_code (self, address);
  gsize length = 0;
  const guint8 *bytes = section ? get_bytes (section, &length) : NULL;

  if (!bytes || address - section->address >= length)
    return FALSE;
  *byte = bytes[address - section->address];
  return TRUE;
}

/* The linker has put the table into another section, between two symbols. */
static const PenKernelSection *
find_between (PenKernelFile *self, const char *start, const char *stop, guint64 *from, guint64 *to)
{
  guint64 first = start ? pen_kernel_file_lookup (self, start) : 0;
  guint64 last = first != 0 ? pen_kernel_file_lookup (self, stop) : 0;

  for (guint i = 0; last > first && i < self->sections->len; i++) {
    const PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);
    const GElf_Shdr *header = &section->header;

    if (section->is_placed && first >= header->sh_addr
        && last - header->sh_addr <= header->sh_size) {
      *from = first - header->sh_addr;
      *to = last - header->sh_addr;
      return section;
    }
  }
  return NULL;
}

GBytes *
pen_kernel_file_load_table (PenKernelFile *self, const char *name, const char *start,
                            const char *stop, guint64 *address)
{
  const PenKernelSection *found = NULL;
  const guint8 *bytes;
  guint8 *copy;
  guint64 from = 0;
  guint64 to = G_MAXUINT64;
  gsize length;

  for (guint i = 0; i < self->sections->len && !found; i++) {
    const PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);

    if (section->is_placed && strcmp (section->name, name) == 0)
      found = section;
  }
  if (!found && self->type != ET_REL)
    found = find_between (self, start, stop, &from, &to);
  bytes = found ? get_bytes (found, &length) : NULL;
  if (!bytes)
    return NULL;

  to = MIN (to, length);
  if (from >= to || to - from > PEN_KERNEL_FILE_MAX_TABLE)
    return NULL;
  copy = g_memdup2 (bytes + from, to - from);
  *address = found->address + from;
  pen_module_relocation_apply (self, found, from, to - from, copy, NULL, NULL, NULL);
  return g_bytes_new_take (copy, to - from);
}

gboolean
pen_kernel_file_read_linked (PenKernelFile *self, const PenKernelSection *section, guint64 offset,
                             gsize length, guint8 *buffer, guint8 *states,
                             const PenModuleLoad *load)
{
  gsize in_file = 0;
  const guint8 *bytes = get_bytes (section, &in_file);

  if (!bytes || offset > in_file || length > in_file - offset)
    return FALSE;

  memcpy (buffer, bytes + offset, length);
  memset (states, PEN_FILE_BYTE_SAME, length);
  pen_module_relocation_apply (self, section, offset, length, buffer, states,
                               load ? load->resolve : NULL, load ? load->user_data : NULL);
  return TRUE;
}

static void
read_section (PenKernelFile *self, const PenKernelSection *section, guint64 offset, gsize length,
              guint8 *buffer, guint8 *states, const PenModuleLoad *load)
{
  gsize in_file = 0;

  if (!get_bytes (section, &in_file) || offset >= in_file)
    return;

  length = MIN (length, in_file - offset);
  pen_kernel_file_read_linked (self, section, offset, length, buffer, states, load);
  if (!self->rewritten)
    self->rewritten = pen_rewritten_text_new (self);
  if (self->type == ET_REL)
    pen_module_load_settle (self, section, offset, length, buffer, states, load);
  else
    pen_rewritten_text_mark (self->rewritten, section->address + offset, length, states);
}

void
pen_kernel_file_read (PenKernelFile *self, guint64 address, gsize length, guint8 *buffer,
                      guint8 *states, const PenModuleLoad *load)
{
  memset (buffer, 0, length);
  memset (states, PEN_FILE_BYTE_UNKNOWN, length);
  length = MIN (length, G_MAXUINT64 - address);

  for (guint i = 0; i < self->sections->len; i++) {
    const PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);
    guint64 from = MAX (address, section->address);
    guint64 to = MIN (address + length, section->address + section->header.sh_size);

    if (is_code (section) && from < to)
      read_section (self, section, from - section->address, to - from, buffer + (from - address),
                    states + (from - address), load);
  }
}
