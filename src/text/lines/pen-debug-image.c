/* pen-debug-image.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-debug-image.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* It is held in memory. The largest kernels have some 400 MiB. */
#define MAX_SIZE (G_GUINT64_CONSTANT (1) << 30)
/* More than any header that libdw reads past an end. */
#define PADDING 256u
#define STEP (16u << 20)
#define MAX_NAMES 512u
/* The largest there are: an image may be mapped. */
#define PAGE 65536u

static const char *const wanted_names[] = {
  ".debug_info",   ".debug_abbrev", ".debug_line",     ".debug_line_str",    ".debug_str",
  ".debug_ranges", ".debug_addr",   ".debug_rnglists", ".debug_str_offsets",
};

typedef struct {
  Elf_Scn *section;
  GElf_Shdr header;
  guint64 size;  /* unpacked */
  guint64 place; /* in the image */
} Part;

struct _PenDebugImage {
  int fd;
  guint8 *bytes; /* mapped */
  gsize length;
};

void
pen_debug_image_free (PenDebugImage *self)
{
  if (!self)
    return;

  if (self->bytes)
    munmap (self->bytes, self->length);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

int
pen_debug_image_get_fd (PenDebugImage *self)
{
  return self->fd;
}

/* ---- which sections ---- */

static gboolean
read_at (int fd, guint64 offset, guint8 *buffer, gsize length, GCancellable *cancellable)
{
  gsize done = 0;

  while (done < length) {
    gssize got;

    if (g_cancellable_is_cancelled (cancellable))
      return FALSE;
    got = pread (fd, buffer + done, MIN (length - done, STEP), (off_t) (offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return FALSE;
    done += (gsize) got;
  }
  return TRUE;
}

/* libelf would read the whole section for it. Returns: FALSE: there is none */
static gboolean
read_unpacked_size (const PenDebugInput *input, const GElf_Shdr *header, guint64 *size)
{
  gboolean is_wide = gelf_getclass (input->elf) == ELFCLASS64;
  Elf64_Chdr bytes; /* as long as either, and aligned */
  Elf64_Chdr wide;
  Elf32_Chdr narrow;
  GElf_Ehdr file;
  Elf_Data from = { .d_buf = &bytes, .d_type = ELF_T_CHDR, .d_version = EV_CURRENT };
  Elf_Data to = { .d_type = ELF_T_CHDR, .d_version = EV_CURRENT };

  to.d_buf = is_wide ? (void *) &wide : (void *) &narrow;
  to.d_size = from.d_size = is_wide ? sizeof wide : sizeof narrow;
  if (header->sh_size < from.d_size || !gelf_getehdr (input->elf, &file))
    return FALSE;
  if (input->fd < 0)
    memcpy (&bytes, input->bytes + header->sh_offset, from.d_size);
  else if (!read_at (input->fd, header->sh_offset, (guint8 *) &bytes, from.d_size, NULL))
    return FALSE;

  if (!(is_wide ? elf64_xlatetom : elf32_xlatetom) (&to, &from, file.e_ident[EI_DATA]))
    return FALSE;
  *size = is_wide ? wide.ch_size : narrow.ch_size;
  return TRUE;
}

/* Returns: FALSE where its size or place is impossible */
static gboolean
take_part (const PenDebugInput *input, Elf_Scn *section, Part *part)
{
  *part = (Part){ .section = section };
  if (!gelf_getshdr (section, &part->header) || part->header.sh_type == SHT_NOBITS
      || part->header.sh_size > input->size
      || part->header.sh_offset > input->size - part->header.sh_size)
    return FALSE;

  part->size = part->header.sh_size;
  if ((part->header.sh_flags & SHF_COMPRESSED) != 0
      && !read_unpacked_size (input, &part->header, &part->size))
    return FALSE;
  return part->size <= MAX_SIZE;
}

/* @parts: of wanted_names; without @section: there is none. Returns: FALSE: nothing can be read */
static gboolean
find_parts (const PenDebugInput *input, Part *parts, guint64 *size)
{
  Elf_Scn *section = NULL;
  size_t names;

  memset (parts, 0, G_N_ELEMENTS (wanted_names) * sizeof *parts);
  *size = 0;
  if (elf_getshdrstrndx (input->elf, &names) != 0)
    return FALSE;

  while ((section = elf_nextscn (input->elf, section))) {
    GElf_Shdr header;
    const char *name
        = gelf_getshdr (section, &header) ? elf_strptr (input->elf, names, header.sh_name) : NULL;

    for (guint i = 0; name && i < G_N_ELEMENTS (wanted_names); i++)
      if (!parts[i].section && strcmp (name, wanted_names[i]) == 0
          && !take_part (input, section, &parts[i]))
        parts[i].section = NULL;
  }

  for (guint i = 0; i < G_N_ELEMENTS (wanted_names); i++)
    *size += parts[i].section != NULL ? parts[i].size : 0;

  /* Units, their forms, and lines. */
  return parts[0].size > 0 && parts[1].size > 0 && (parts[2].size > 0 || input->is_alternate)
         && *size <= MAX_SIZE;
}

guint64
pen_debug_image_measure (const PenDebugInput *input)
{
  Part parts[G_N_ELEMENTS (wanted_names)];
  guint64 size;

  return find_parts (input, parts, &size) ? size : 0;
}

/* ---- their contents ---- */

static gboolean
read_packed (const Part *part, guint8 *buffer)
{
  Elf_Data *data
      = elf_compress (part->section, 0, 0) >= 0 ? elf_rawdata (part->section, NULL) : NULL;

  if (!data || !data->d_buf || data->d_size != part->size)
    return FALSE;
  memcpy (buffer, data->d_buf, data->d_size);
  return TRUE;
}

static gboolean
read_part (const PenDebugInput *input, const Part *part, guint8 *buffer, GCancellable *cancellable)
{
  if ((part->header.sh_flags & SHF_COMPRESSED) != 0)
    return read_packed (part, buffer);
  if (input->fd >= 0)
    return read_at (input->fd, part->header.sh_offset, buffer, part->size, cancellable);
  memcpy (buffer, input->bytes + part->header.sh_offset, part->size);
  return TRUE;
}

/* ---- the file around them ---- */

typedef struct {
  guint class;
  guint order;
  guint machine;
} Kind;

static void
put (const Kind *kind, guint8 *place, gpointer value, gsize size, Elf_Type type)
{
  Elf_Data from = { .d_buf = value, .d_type = type, .d_size = size, .d_version = EV_CURRENT };
  Elf_Data to = { .d_buf = place, .d_type = type, .d_size = size, .d_version = EV_CURRENT };

  if (kind->class == ELFCLASS64)
    elf64_xlatetof (&to, &from, kind->order);
  else
    elf32_xlatetof (&to, &from, kind->order);
}

static void
put_file_header (const Kind *kind, guint8 *place, guint64 sections, guint n_sections,
                 guint64 alternate)
{
  Elf64_Ehdr wide = {
    .e_type = ET_EXEC,
    .e_machine = (Elf64_Half) kind->machine,
    .e_version = EV_CURRENT,
    .e_entry = alternate,
    .e_shoff = sections,
    .e_ehsize = sizeof wide,
    .e_shentsize = sizeof (Elf64_Shdr),
    .e_shnum = (Elf64_Half) n_sections,
    .e_shstrndx = (Elf64_Half) (n_sections - 1),
  };
  Elf32_Ehdr narrow = {
    .e_type = ET_EXEC,
    .e_machine = (Elf32_Half) kind->machine,
    .e_version = EV_CURRENT,
    .e_entry = (Elf32_Addr) alternate,
    .e_shoff = (Elf32_Off) sections,
    .e_ehsize = sizeof narrow,
    .e_shentsize = sizeof (Elf32_Shdr),
    .e_shnum = (Elf32_Half) n_sections,
    .e_shstrndx = (Elf32_Half) (n_sections - 1),
  };
  const guint8 ident[] = {
    ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, (guint8) kind->class, (guint8) kind->order, EV_CURRENT
  };

  memcpy (wide.e_ident, ident, sizeof ident);
  memcpy (narrow.e_ident, ident, sizeof ident);
  if (kind->class == ELFCLASS64)
    put (kind, place, &wide, sizeof wide, ELF_T_EHDR);
  else
    put (kind, place, &narrow, sizeof narrow, ELF_T_EHDR);
}

static void
put_section_header (const Kind *kind, guint8 *table, guint index, guint32 type, guint name,
                    guint64 place, guint64 size)
{
  Elf64_Shdr wide = {
    .sh_name = name,
    .sh_type = type,
    .sh_offset = place,
    .sh_size = size,
    .sh_addralign = 1,
  };
  Elf32_Shdr narrow = {
    .sh_name = name,
    .sh_type = type,
    .sh_offset = (Elf32_Off) place,
    .sh_size = (Elf32_Word) size,
    .sh_addralign = 1,
  };

  if (kind->class == ELFCLASS64)
    put (kind, table + index * sizeof wide, &wide, sizeof wide, ELF_T_SHDR);
  else
    put (kind, table + index * sizeof narrow, &narrow, sizeof narrow, ELF_T_SHDR);
}

static guint64
align (guint64 place, guint64 to)
{
  return (place + to - 1) & ~(to - 1);
}

/* The layout of an image. */
typedef struct {
  const PenDebugInput *input;
  Part parts[G_N_ELEMENTS (wanted_names)];
  Kind kind;
  guint64 names; /* where the names of sections are, and after them the headers */
  guint64 length;
} Plan;

static gboolean
plan_image (Plan *plan, const PenDebugInput *input)
{
  guint64 place = sizeof (Elf64_Ehdr);
  GElf_Ehdr header;
  guint64 size;

  plan->input = input;
  if (!find_parts (input, plan->parts, &size) || !gelf_getehdr (input->elf, &header))
    return FALSE;

  plan->kind = (Kind){ header.e_ident[EI_CLASS], header.e_ident[EI_DATA], header.e_machine };
  for (guint i = 0; i < G_N_ELEMENTS (wanted_names); i++) {
    plan->parts[i].place = align (place, 16);
    if (plan->parts[i].section)
      place = plan->parts[i].place + plan->parts[i].size + PADDING;
  }
  plan->names = align (place, 16);
  plan->length = align (
      plan->names + MAX_NAMES + (G_N_ELEMENTS (wanted_names) + 2) * sizeof (Elf64_Shdr), PAGE);
  return TRUE;
}

static void
put_sections (const Plan *plan, guint8 *bytes, guint64 alternate)
{
  guint8 *table = bytes + plan->names + MAX_NAMES;
  char *name = (char *) bytes + plan->names;
  guint n_names = 1;
  guint n = 1;

  for (guint i = 0; i < G_N_ELEMENTS (wanted_names); i++) {
    const Part *part = &plan->parts[i];

    if (!part->section)
      continue;
    put_section_header (&plan->kind, table, n++, SHT_PROGBITS, n_names, part->place, part->size);
    g_strlcpy (name + n_names, wanted_names[i], MAX_NAMES - n_names);
    n_names += (guint) strlen (wanted_names[i]) + 1;
  }
  put_section_header (&plan->kind, table, n++, SHT_STRTAB, 0, plan->names, n_names);
  put_file_header (&plan->kind, bytes, plan->names + MAX_NAMES, n, alternate);
}

static gboolean
put_image (const Plan *plan, guint8 *bytes, guint64 alternate, PenRelocateFunc relocate,
           gpointer user_data, GCancellable *cancellable)
{
  for (guint i = 0; i < G_N_ELEMENTS (wanted_names); i++) {
    const Part *part = &plan->parts[i];

    if (!part->section)
      continue;
    if (!read_part (plan->input, part, bytes + part->place, cancellable)
        || (relocate && !relocate (part->section, bytes + part->place, part->size, user_data)))
      return FALSE;
  }
  put_sections (plan, bytes, alternate);
  return TRUE;
}

/* Zero bytes, at first. */
static gboolean
map_bytes (PenDebugImage *self)
{
  gpointer bytes;

  self->fd = memfd_create ("debug-image", MFD_CLOEXEC);
  if (self->fd < 0 || ftruncate (self->fd, (off_t) self->length) != 0)
    return FALSE;
  bytes = mmap (NULL, self->length, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, 0);
  if (bytes == MAP_FAILED)
    return FALSE;
  self->bytes = bytes;
  return TRUE;
}

PenDebugImage *
pen_debug_image_new (const PenDebugInput *input, const PenDebugInput *alternate,
                     PenRelocateFunc relocate, gpointer user_data, GCancellable *cancellable)
{
  g_autoptr (PenDebugImage) self = g_new0 (PenDebugImage, 1);
  Plan own;
  Plan other = { 0 };

  self->fd = -1;
  if (!plan_image (&own, input) || (alternate && !plan_image (&other, alternate)))
    return NULL;
  self->length = own.length + other.length;
  if (!map_bytes (self)
      || !put_image (&own, self->bytes, alternate ? own.length : 0, relocate, user_data,
                     cancellable)
      || (alternate && !put_image (&other, self->bytes + own.length, 0, NULL, NULL, cancellable)))
    return NULL;
  return g_steal_pointer (&self);
}
