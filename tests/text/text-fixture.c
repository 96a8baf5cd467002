/* text-fixture.c: makes files, tenures and pokes for the tests of src/text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "text-fixture.h"

#include <elf.h>
#include <glib/gstdio.h>
#include <string.h>

char *
text_fixture_write (const char *name, gconstpointer data, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_dir_make_tmp ("pen-text-XXXXXX", &error);
  char *path;

  g_assert_no_error (error);
  path = g_build_filename (directory, name, NULL);
  g_file_set_contents (path, data, (gssize) length, &error);
  g_assert_no_error (error);
  return path;
}

void
text_fixture_remove (char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);

  g_unlink (path);
  g_rmdir (directory);
  g_free (path);
}

GBytes *
text_fixture_hex (const char *hex)
{
  gsize length = strlen (hex) / 2;
  guint8 *bytes = g_malloc (length);

  g_assert_cmpuint (strlen (hex) % 2, ==, 0);
  for (gsize i = 0; i < length; i++) {
    g_assert_true (g_ascii_isxdigit (hex[2 * i]) && g_ascii_isxdigit (hex[2 * i + 1]));
    bytes[i]
        = (guint8) (g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]));
  }
  return g_bytes_new_take (bytes, length);
}

/* ---- pokes ---- */

struct _TextPokes {
  GArray *pokes;
  GPtrArray *pointers;
  GPtrArray *bytes;
};

TextPokes *
text_pokes_new (void)
{
  TextPokes *self = g_new0 (TextPokes, 1);

  self->pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  self->pointers = g_ptr_array_new ();
  self->bytes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  return self;
}

void
text_pokes_free (TextPokes *self)
{
  g_array_unref (self->pokes);
  g_ptr_array_unref (self->pointers);
  g_ptr_array_unref (self->bytes);
  g_free (self);
}

void
text_pokes_add (TextPokes *self, guint32 tenure, guint64 address, const char *old_hex,
                const char *new_hex)
{
  GBytes *old_bytes = text_fixture_hex (old_hex);
  GBytes *new_bytes = text_fixture_hex (new_hex);
  guint32 id = self->pokes->len + 1;
  PenPoke poke = {
    .id = id,
    .moment = pen_moment (id * SECOND, id * 64),
    .address = address,
    .old_length = (guint16) g_bytes_get_size (old_bytes),
    .new_length = (guint16) g_bytes_get_size (new_bytes),
    .old_bytes = g_bytes_get_data (old_bytes, NULL),
    .new_bytes = g_bytes_get_data (new_bytes, NULL),
    .effect = PEN_POKE_PATCH,
    .tenure = tenure,
    .comm = "",
  };

  if (poke.old_length == 0)
    poke.effect = PEN_POKE_FILL;
  else if (poke.new_length == 0)
    poke.effect = PEN_POKE_CLEAR;
  else if (g_bytes_equal (old_bytes, new_bytes))
    poke.effect = PEN_POKE_SAME;
  g_ptr_array_add (self->bytes, old_bytes);
  g_ptr_array_add (self->bytes, new_bytes);
  g_array_append_val (self->pokes, poke);
}

const PenPoke *
text_pokes_get (TextPokes *self, guint *n)
{
  *n = self->pokes->len;
  return (const PenPoke *) self->pokes->data;
}

const PenPoke *const *
text_pokes_get_pointers (TextPokes *self, gsize *n)
{
  g_ptr_array_set_size (self->pointers, 0);
  for (guint i = 0; i < self->pokes->len; i++)
    g_ptr_array_add (self->pointers, &g_array_index (self->pokes, PenPoke, i));
  *n = self->pointers->len;
  return (const PenPoke *const *) self->pointers->pdata;
}

PenMoment
text_fixture_between (guint seconds)
{
  return pen_moment (seconds * SECOND + SECOND / 2, 0);
}

PenTenure
text_fixture_tenure (guint32 id, guint64 start, guint64 end)
{
  return (PenTenure){
    .id = id,
    .layer = PEN_LAYER_MAP,
    .kind = PEN_KIND_KERNEL,
    .occupant = "[kernel.kallsyms]",
    .name = "[kernel.kallsyms]_text",
    .start = start,
    .end = end,
    .from = PEN_MOMENT_START,
    .to = PEN_MOMENT_END,
    .evidence = PEN_EVIDENCE_RECORDED,
  };
}

char *
text_fixture_read (PenText *text, guint64 address, gsize length, PenMoment moment,
                   PenEvidence *evidence)
{
  g_autofree guint8 *buffer = g_malloc (length);
  g_autofree guint8 *known = g_malloc (length);
  GString *out = g_string_new (NULL);

  pen_text_read (text, address, length, moment, buffer, known, evidence);
  for (gsize i = 0; i < length; i++) {
    if (known[i])
      g_string_append_printf (out, "%02x", buffer[i]);
    else
      g_string_append (out, "??");
  }
  return g_string_free (out, FALSE);
}

/* ---- kcore ---- */

GByteArray *
text_fixture_make_core (const TextSegment *segments, guint n)
{
  GByteArray *file = g_byte_array_new ();
  Elf64_Ehdr header = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
    .e_type = ET_CORE,
    .e_machine = EM_X86_64,
    .e_version = EV_CURRENT,
    .e_phoff = sizeof header,
    .e_ehsize = sizeof header,
    .e_phentsize = sizeof (Elf64_Phdr),
    .e_phnum = (Elf64_Half) n,
  };
  guint64 offset = sizeof header + n * sizeof (Elf64_Phdr);

  g_byte_array_append (file, (const guint8 *) &header, sizeof header);
  for (guint i = 0; i < n; i++) {
    guint64 length = strlen (segments[i].hex) / 2;
    Elf64_Phdr segment = {
      .p_type = PT_LOAD,
      .p_flags = PF_R | PF_W | PF_X,
      .p_offset = offset,
      .p_vaddr = segments[i].address,
      .p_filesz = length,
      .p_memsz = length,
    };

    g_byte_array_append (file, (const guint8 *) &segment, sizeof segment);
    offset += length;
  }
  for (guint i = 0; i < n; i++) {
    g_autoptr (GBytes) bytes = text_fixture_hex (segments[i].hex);

    g_byte_array_append (file, g_bytes_get_data (bytes, NULL), (guint) g_bytes_get_size (bytes));
  }
  return file;
}

char *
text_fixture_find_capture (const char *name)
{
  const char *captures = g_getenv ("PENTIMENTO_CAPTURES");
  g_autofree char *path = NULL;

  if (!captures) {
    g_test_skip ("PENTIMENTO_CAPTURES is not set");
    return NULL;
  }
  path = g_build_filename (captures, name, NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("the capture is not there");
    return NULL;
  }
  return g_steal_pointer (&path);
}
