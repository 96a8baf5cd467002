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

/* An array of the element's data: where it starts, and its bytes padded to a multiple of eight. */
static guint32
put_array (PenTestBytes *data, PenTestBytes *array)
{
  guint32 at = pen_test_bytes_get_length (data);
  guint length = pen_test_bytes_get_length (array);

  pen_test_bytes_append (data, array);
  pen_test_bytes_zeros (data, round_up_8 (length) - length);
  pen_test_bytes_free (array);
  return at;
}

static guint32
put_tags (PenTestBytes *data, const PenTestBpfProgram *program)
{
  PenTestBytes *array = pen_test_bytes_new ();

  for (guint i = 0; program->tags && i < program->n; i++)
    pen_test_bytes_raw (array, program->tags[i], 8);
  return put_array (data, array);
}

static guint32
put_types (PenTestBytes *data, const PenTestBpfProgram *program)
{
  PenTestBytes *array = pen_test_bytes_new ();

  for (guint i = 0; program->type_ids && i < program->n; i++) {
    pen_test_bytes_u32 (array, 100 * i);
    pen_test_bytes_u32 (array, program->type_ids[i]);
    pen_test_bytes_zeros (array, program->surplus);
  }
  return put_array (data, array);
}

static guint32
put_lines (PenTestBytes *data, const PenTestBpfProgram *program)
{
  PenTestBytes *array = pen_test_bytes_new ();

  for (guint i = 0; i < program->n_lines; i++) {
    for (guint k = 0; k < 4; k++)
      pen_test_bytes_u32 (array, program->lines[i][k]);
    pen_test_bytes_zeros (array, program->surplus);
  }
  return put_array (data, array);
}

static guint32
put_line_addresses (PenTestBytes *data, const PenTestBpfProgram *program)
{
  PenTestBytes *array = pen_test_bytes_new ();

  for (guint i = 0; i < program->n_lines; i++)
    pen_test_bytes_u64 (array, program->line_addresses[i]);
  return put_array (data, array);
}

static guint32
put_functions (PenTestBytes *data, const PenTestBpfProgram *program, guint32 *lengths_at)
{
  PenTestBytes *addresses = pen_test_bytes_new ();
  PenTestBytes *lengths = pen_test_bytes_new ();
  guint32 at;

  for (guint i = 0; i < program->n; i++) {
    pen_test_bytes_u64 (addresses, program->addresses[i]);
    pen_test_bytes_u32 (lengths, program->lengths[i]);
  }
  at = put_array (data, addresses);
  *lengths_at = put_array (data, lengths);
  return at;
}

/* struct bpf_prog_info up to and with attach_btf_id, and all arrays but the untranslated program.
 */
void
pen_test_capture_add_bpf_details (PenTestCapture *self, const PenTestBpfProgram *program)
{
  PenTestBytes *bytes = self->bpf_programs;
  g_autoptr (PenTestBytes) data = pen_test_bytes_new ();
  PenTestBytes *image = pen_test_bytes_new ();
  char short_name[16] = { 0 };
  guint32 addresses_at, lengths_at, types_at, lines_at, line_addresses_at, tags_at;

  memcpy (short_name, program->name, MIN (strlen (program->name), sizeof short_name - 1));
  pen_test_bytes_raw (image, program->image, program->image_length);
  put_array (data, image);
  addresses_at = put_functions (data, program, &lengths_at);
  types_at = put_types (data, program);
  lines_at = put_lines (data, program);
  line_addresses_at = put_line_addresses (data, program);
  tags_at = put_tags (data, program);

  pen_test_bytes_u32 (bytes, program->target_type != 0 ? 232 : 192);
  pen_test_bytes_u32 (bytes, pen_test_bytes_get_length (data));
  pen_test_bytes_u64 (bytes, 0x1f9);

  pen_test_bytes_u32 (bytes, 6);
  pen_test_bytes_u32 (bytes, program->id);
  pen_test_bytes_raw (bytes, program->tag, 8);
  pen_test_bytes_u32 (bytes, (guint32) program->image_length);
  pen_test_bytes_u32 (bytes, 0);
  pen_test_bytes_u64 (bytes, 0); /* image: first in the data */
  pen_test_bytes_u64 (bytes, 0);
  pen_test_bytes_u64 (bytes, 123456789); /* load_time */
  pen_test_bytes_zeros (bytes, 16);
  pen_test_bytes_raw (bytes, short_name, 16);
  pen_test_bytes_zeros (bytes, 24);
  pen_test_bytes_u32 (bytes, program->n);
  pen_test_bytes_u32 (bytes, program->n);
  pen_test_bytes_u64 (bytes, addresses_at);
  pen_test_bytes_u64 (bytes, lengths_at);
  pen_test_bytes_u32 (bytes, program->btf_id);
  pen_test_bytes_u32 (bytes, program->type_ids ? 8 + program->surplus : 0);
  pen_test_bytes_u64 (bytes, types_at);
  pen_test_bytes_u32 (bytes, program->type_ids ? program->n : 0);
  pen_test_bytes_u32 (bytes, program->n_lines);
  pen_test_bytes_u64 (bytes, lines_at);
  pen_test_bytes_u64 (bytes, line_addresses_at);
  pen_test_bytes_u32 (bytes, program->n_lines);
  pen_test_bytes_u32 (bytes, program->n_lines ? 16 + program->surplus : 0);
  pen_test_bytes_u32 (bytes, program->n_lines ? 8 : 0);
  pen_test_bytes_u32 (bytes, program->tags ? program->n : 0);
  pen_test_bytes_u64 (bytes, tags_at);
  if (program->target_type != 0) {
    pen_test_bytes_zeros (bytes, 28);
    pen_test_bytes_u32 (bytes, program->target_btf_id);
    pen_test_bytes_u32 (bytes, program->target_type);
    pen_test_bytes_u32 (bytes, 0);
  }
  pen_test_bytes_append (bytes, data);

  self->n_bpf_programs++;
  pen_test_bytes_u32 (start_feature (self, TEST_FEATURE_BPF_PROG_INFO), self->n_bpf_programs);
  pen_test_bytes_append (self->features[TEST_FEATURE_BPF_PROG_INFO], bytes);
}

void
pen_test_capture_add_bpf_program (PenTestCapture *self, guint32 id, const char *name,
                                  const guint8 tag[8], guint32 btf_id, const guint64 *addresses,
                                  const guint32 *lengths, guint n, const guint8 *image,
                                  gsize image_length)
{
  PenTestBpfProgram program = { .id = id,
                                .name = name,
                                .tag = tag,
                                .btf_id = btf_id,
                                .n = n,
                                .addresses = addresses,
                                .lengths = lengths,
                                .image = image,
                                .image_length = image_length };

  pen_test_capture_add_bpf_details (self, &program);
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
pen_test_capture_set_feature (PenTestCapture *self, guint feature, PenTestBytes *bytes)
{
  pen_test_bytes_append (start_feature (self, feature), bytes);
  pen_test_bytes_free (bytes);
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
