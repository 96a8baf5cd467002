/* pen-test-capture-features.c: what a test's capture says of its machine
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <elf.h>
#include <string.h>

#include "pen-test-capture-private.h"

static PenTestBytes *
start_feature (PenTestCapture *self, guint feature)
{
  g_assert_cmpuint (feature, <, TEST_FEATURES);
  g_clear_pointer (&self->features[feature], pen_test_bytes_free);
  self->features[feature] = pen_test_bytes_new ();
  return self->features[feature];
}

void
pen_test_capture_set_text (PenTestCapture *self, guint feature, const char *text)
{
  pen_test_bytes_string (start_feature (self, feature), text);
}

void
pen_test_capture_set_os_release (PenTestCapture *self, const char *os_release)
{
  pen_test_capture_set_text (self, TEST_FEATURE_OSRELEASE, os_release);
}

void
pen_test_capture_set_arch (PenTestCapture *self, const char *arch)
{
  pen_test_capture_set_text (self, TEST_FEATURE_ARCH, arch);
}

void
pen_test_capture_set_cpus (PenTestCapture *self, guint32 available, guint32 online)
{
  PenTestBytes *bytes = start_feature (self, TEST_FEATURE_NRCPUS);

  pen_test_bytes_u32 (bytes, available);
  pen_test_bytes_u32 (bytes, online);
}

void
pen_test_capture_set_total_memory (PenTestCapture *self, guint64 kb)
{
  pen_test_bytes_u64 (start_feature (self, TEST_FEATURE_TOTAL_MEM), kb);
}

void
pen_test_capture_set_command_line (PenTestCapture *self, const char *const *arguments)
{
  PenTestBytes *bytes = start_feature (self, TEST_FEATURE_CMDLINE);

  pen_test_bytes_u32 (bytes, g_strv_length ((char **) arguments));
  for (guint i = 0; arguments[i]; i++)
    pen_test_bytes_string (bytes, arguments[i]);
}

void
pen_test_capture_set_clock (PenTestCapture *self, guint32 clock_id, guint64 wall_clock_ns,
                            guint64 clock_ns, guint64 resolution_ns)
{
  PenTestBytes *bytes = start_feature (self, TEST_FEATURE_CLOCK_DATA);

  pen_test_bytes_u32 (bytes, 1);
  pen_test_bytes_u32 (bytes, clock_id);
  pen_test_bytes_u64 (bytes, wall_clock_ns);
  pen_test_bytes_u64 (bytes, clock_ns);
  pen_test_bytes_u64 (start_feature (self, TEST_FEATURE_CLOCKID), resolution_ns);
}

void
pen_test_capture_add_build_id (PenTestCapture *self, gint32 pid, guint16 misc, const guint8 *id,
                               guint8 length, const char *name)
{
  PenTestBytes *bytes = self->features[TEST_FEATURE_BUILD_ID];
  guint8 slot[24] = { 0 };
  gsize name_size = (strlen (name) + 1 + 63) / 64 * 64;

  if (!bytes)
    bytes = start_feature (self, TEST_FEATURE_BUILD_ID);
  memcpy (slot, id, length);
  slot[20] = length;
  pen_test_bytes_u32 (bytes, 67);
  pen_test_bytes_u16 (bytes, misc | 1u << 15);
  pen_test_bytes_u16 (bytes, (guint16) (36 + name_size));
  pen_test_bytes_u32 (bytes, (guint32) pid);
  pen_test_bytes_raw (bytes, slot, sizeof slot);
  pen_test_bytes_name (bytes, name, 64);
}

static guint
round_up_8 (gsize length)
{
  return (guint) ((length + 7) & ~(gsize) 7);
}

/* struct bpf_prog_info up to and with nr_prog_tags, and the three arrays that matter. */
void
pen_test_capture_add_bpf_program (PenTestCapture *self, guint32 id, const char *name,
                                  const guint8 tag[8], guint32 btf_id, const guint64 *addresses,
                                  const guint32 *lengths, guint n, const guint8 *image,
                                  gsize image_length)
{
  PenTestBytes *bytes = self->bpf_programs;
  char short_name[16] = { 0 };
  guint image_size = round_up_8 (image_length);
  guint addresses_size = 8 * n;
  guint lengths_size = round_up_8 (4 * n);

  memcpy (short_name, name, MIN (strlen (name), sizeof short_name - 1));
  pen_test_bytes_u32 (bytes, 192);
  pen_test_bytes_u32 (bytes, image_size + addresses_size + lengths_size);
  pen_test_bytes_u64 (bytes, 1u << 0 | 1u << 3 | 1u << 4);

  pen_test_bytes_u32 (bytes, 6);
  pen_test_bytes_u32 (bytes, id);
  pen_test_bytes_raw (bytes, tag, 8);
  pen_test_bytes_u32 (bytes, (guint32) image_length);
  pen_test_bytes_u32 (bytes, 0);
  pen_test_bytes_u64 (bytes, 0); /* image: first in the data */
  pen_test_bytes_u64 (bytes, 0);
  pen_test_bytes_u64 (bytes, 123456789); /* load_time */
  pen_test_bytes_zeros (bytes, 16);
  pen_test_bytes_raw (bytes, short_name, 16);
  pen_test_bytes_zeros (bytes, 24);
  pen_test_bytes_u32 (bytes, n);
  pen_test_bytes_u32 (bytes, n);
  pen_test_bytes_u64 (bytes, image_size);
  pen_test_bytes_u64 (bytes, image_size + addresses_size);
  pen_test_bytes_u32 (bytes, btf_id);
  pen_test_bytes_zeros (bytes, 60);

  pen_test_bytes_raw (bytes, image, image_length);
  pen_test_bytes_zeros (bytes, image_size - image_length);
  for (guint i = 0; i < n; i++)
    pen_test_bytes_u64 (bytes, addresses[i]);
  for (guint i = 0; i < n; i++)
    pen_test_bytes_u32 (bytes, lengths[i]);
  pen_test_bytes_zeros (bytes, lengths_size - 4 * n);

  self->n_bpf_programs++;
  pen_test_bytes_u32 (start_feature (self, TEST_FEATURE_BPF_PROG_INFO), self->n_bpf_programs);
  pen_test_bytes_append (self->features[TEST_FEATURE_BPF_PROG_INFO], bytes);
}

void
pen_test_capture_add_btf (PenTestCapture *self, guint32 id, gconstpointer data, gsize length)
{
  pen_test_bytes_u32 (self->btf, id);
  pen_test_bytes_u32 (self->btf, (guint32) length);
  pen_test_bytes_raw (self->btf, data, length);
  self->n_btf++;
  pen_test_bytes_u32 (start_feature (self, TEST_FEATURE_BPF_BTF), self->n_btf);
  pen_test_bytes_append (self->features[TEST_FEATURE_BPF_BTF], self->btf);
}

void
pen_test_capture_set_raw_feature (PenTestCapture *self, guint feature, gconstpointer data,
                                  gsize length)
{
  pen_test_bytes_raw (start_feature (self, feature), data, length);
}

GBytes *
pen_test_capture_make_kcore (PenTestCapture *self)
{
  GByteArray *core = g_byte_array_new ();
  Elf64_Ehdr header = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
    .e_type = ET_CORE,
    .e_machine = EM_X86_64,
    .e_version = EV_CURRENT,
    .e_phoff = sizeof (Elf64_Ehdr),
    .e_ehsize = sizeof (Elf64_Ehdr),
    .e_phentsize = sizeof (Elf64_Phdr),
    .e_phnum = (Elf64_Half) self->segments->len,
  };
  guint64 offset = sizeof header + self->segments->len * sizeof (Elf64_Phdr);

  g_byte_array_append (core, (const guint8 *) &header, sizeof header);
  for (guint i = 0; i < self->segments->len; i++) {
    const TestSegment *segment = g_ptr_array_index (self->segments, i);
    gsize length = g_bytes_get_size (segment->bytes);
    Elf64_Phdr program = {
      .p_type = PT_LOAD,
      .p_flags = PF_R | PF_W | PF_X,
      .p_offset = offset,
      .p_vaddr = segment->address,
      .p_filesz = length,
      .p_memsz = length,
      .p_align = 4096,
    };

    g_byte_array_append (core, (const guint8 *) &program, sizeof program);
    offset += length;
  }
  for (guint i = 0; i < self->segments->len; i++) {
    const TestSegment *segment = g_ptr_array_index (self->segments, i);
    gsize length;
    const guint8 *data = g_bytes_get_data (segment->bytes, &length);

    g_byte_array_append (core, data, (guint) length);
  }
  return g_byte_array_free_to_bytes (core);
}
