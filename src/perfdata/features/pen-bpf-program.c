/* pen-bpf-program.c: BPF programs as BPF_PROG_INFO holds them
 *
 * An element is {u32 info_len, u32 data_len, u64 arrays}, a struct bpf_prog_info (linux/bpf.h) of
 * info_len bytes whose pointers have become offsets into the data_len bytes after it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bpf-program.h"

/* Bits of the element's `arrays`: which of the pointers are offsets. */
#define ARRAY_JITED_INSTRUCTIONS (1u << 0)
#define ARRAY_JITED_KSYMS (1u << 3)
#define ARRAY_JITED_FUNCTION_LENGTHS (1u << 4)
#define ARRAY_FUNCTION_INFO (1u << 5)
#define ARRAY_LINE_INFO (1u << 6)
#define ARRAY_JITED_LINE_INFO (1u << 7)
#define ARRAY_TAGS (1u << 8)

/* The smallest records of these arrays; newer kernels may have larger ones, and say so. */
#define FUNCTION_INFO_SIZE 8
#define LINE_INFO_SIZE 16
#define JITED_LINE_INFO_SIZE 8
#define TAG_SIZE 8

/* bpf_line_info.line_col */
#define COLUMN_BITS 10

/* Offsets of the members of struct bpf_prog_info. */
enum {
  AT_TYPE = 0,
  AT_ID = 4,
  AT_TAG = 8,
  AT_JITED_LENGTH = 16,
  AT_JITED_INSTRUCTIONS = 24,
  AT_LOAD_TIME = 40,
  AT_NAME = 64,
  AT_N_KSYMS = 104,
  AT_N_FUNCTION_LENGTHS = 108,
  AT_KSYMS = 112,
  AT_FUNCTION_LENGTHS = 120,
  AT_BTF_ID = 128,
  AT_FUNCTION_INFO_SIZE = 132,
  AT_FUNCTION_INFO = 136,
  AT_N_FUNCTION_INFO = 144,
  AT_N_LINE_INFO = 148,
  AT_LINE_INFO = 152,
  AT_JITED_LINE_INFO = 160,
  AT_N_JITED_LINE_INFO = 168,
  AT_LINE_INFO_SIZE = 172,
  AT_JITED_LINE_INFO_SIZE = 176,
  AT_N_TAGS = 180,
  AT_TAGS = 184,
  AT_TARGET_BTF_ID = 220, /* since Linux 6.0 */
  AT_TARGET_TYPE = 224,
};

/* The kernel's first bpf_prog_info that had everything above; shorter ones are filled up with 0. */
#define INFO_SIZE 228

typedef struct {
  guint8 info[INFO_SIZE];
  guint64 arrays;
  const guint8 *data;
  gsize data_length;
  gsize data_offset; /* in the section */
  gboolean big_endian;
} Element;

static guint32
info_u32 (const Element *element, guint at)
{
  return pen_get_u32 (element->info + at, element->big_endian);
}

static guint64
info_u64 (const Element *element, guint at)
{
  return pen_get_u64 (element->info + at, element->big_endian);
}

static gboolean
take_element (PenCursor *cursor, Element *element)
{
  guint32 info_length = pen_cursor_u32 (cursor);
  guint32 data_length = pen_cursor_u32 (cursor);
  const guint8 *info;

  memset (element, 0, sizeof *element);
  element->big_endian = cursor->big_endian;
  element->arrays = pen_cursor_u64 (cursor);
  info = pen_cursor_take (cursor, info_length);
  element->data_offset = cursor->position;
  element->data = pen_cursor_take (cursor, data_length);
  element->data_length = data_length;
  if (!info || !element->data)
    return FALSE;

  memcpy (element->info, info, MIN (info_length, INFO_SIZE));
  return TRUE;
}

/* An array of the element, if it was fetched and lies within the data. */
static gboolean
find_array (const Element *element, guint64 bit, guint pointer_at, guint64 count, gsize size,
            gsize *offset)
{
  guint64 start = info_u64 (element, pointer_at);

  if (!(element->arrays & bit) || count == 0 || start > element->data_length
      || count > (element->data_length - start) / size)
    return FALSE;
  *offset = (gsize) start;
  return TRUE;
}

static const guint8 *
take_image (PenBpfProgram *self, const Element *element, GBytes *section, guint32 *length)
{
  gsize offset;

  *length = info_u32 (element, AT_JITED_LENGTH);
  if (!find_array (element, ARRAY_JITED_INSTRUCTIONS, AT_JITED_INSTRUCTIONS, *length, 1, &offset)) {
    *length = 0;
    return NULL;
  }
  self->image = g_bytes_new_from_bytes (section, element->data_offset + offset, *length);
  return element->data + offset;
}

/* An array whose records are as large as the element says. */
static gboolean
find_sized_array (const Element *element, guint64 bit, guint pointer_at, guint count_at,
                  guint size_at, guint32 size_min, const guint8 **start, guint32 *count,
                  guint32 *size)
{
  gsize offset;

  *count = info_u32 (element, count_at);
  *size = info_u32 (element, size_at);
  if (*size < size_min || !find_array (element, bit, pointer_at, *count, *size, &offset))
    return FALSE;
  *start = element->data + offset;
  return TRUE;
}

/* Function i has tag i and type i, if there are as many of them as of functions. */
static void
take_function_details (const Element *element, guint32 i, guint32 n, PenBpfFunction *function)
{
  const guint8 *types;
  guint32 n_types, type_size;
  gsize tags;

  if (info_u32 (element, AT_N_TAGS) == n
      && find_array (element, ARRAY_TAGS, AT_TAGS, n, TAG_SIZE, &tags)) {
    memcpy (function->tag, element->data + tags + TAG_SIZE * (gsize) i, TAG_SIZE);
    function->has_tag = TRUE;
  }
  if (find_sized_array (element, ARRAY_FUNCTION_INFO, AT_FUNCTION_INFO, AT_N_FUNCTION_INFO,
                        AT_FUNCTION_INFO_SIZE, FUNCTION_INFO_SIZE, &types, &n_types, &type_size)
      && n_types == n)
    function->type_id = pen_get_u32 (types + (gsize) type_size * i + 4, element->big_endian);
}

/* Line i of the source was translated to what starts at address i. */
static void
take_lines (PenBpfProgram *self, const Element *element)
{
  const guint8 *lines, *addresses;
  guint32 n_lines, line_size, n_addresses, address_size;
  gboolean big_endian = element->big_endian;

  if (!find_sized_array (element, ARRAY_LINE_INFO, AT_LINE_INFO, AT_N_LINE_INFO, AT_LINE_INFO_SIZE,
                         LINE_INFO_SIZE, &lines, &n_lines, &line_size)
      || !find_sized_array (element, ARRAY_JITED_LINE_INFO, AT_JITED_LINE_INFO,
                            AT_N_JITED_LINE_INFO, AT_JITED_LINE_INFO_SIZE, JITED_LINE_INFO_SIZE,
                            &addresses, &n_addresses, &address_size))
    return;

  for (guint32 i = 0; i < MIN (n_lines, n_addresses); i++) {
    const guint8 *record = lines + (gsize) line_size * i;
    guint32 line_and_column = pen_get_u32 (record + 12, big_endian);
    PenBpfLine line = {
      .address = pen_get_u64 (addresses + (gsize) address_size * i, big_endian),
      .instruction = pen_get_u32 (record, big_endian),
      .file_name = pen_get_u32 (record + 4, big_endian),
      .text = pen_get_u32 (record + 8, big_endian),
      .line = line_and_column >> COLUMN_BITS,
      .column = line_and_column & ((1u << COLUMN_BITS) - 1),
    };

    /* Address 0: hidden from the recorder. */
    if (line.address != 0)
      g_array_append_val (self->lines, line);
  }
}

static void
take_functions (PenBpfProgram *self, const Element *element, GBytes *section)
{
  guint32 n_ksyms = info_u32 (element, AT_N_KSYMS);
  guint32 n_lengths = info_u32 (element, AT_N_FUNCTION_LENGTHS);
  guint32 image_length;
  const guint8 *image = take_image (self, element, section, &image_length);
  guint64 sum = 0;
  gsize ksyms, lengths;

  if (!find_array (element, ARRAY_JITED_KSYMS, AT_KSYMS, n_ksyms, 8, &ksyms)
      || !find_array (element, ARRAY_JITED_FUNCTION_LENGTHS, AT_FUNCTION_LENGTHS, n_lengths, 4,
                      &lengths))
    return;

  for (guint32 i = 0; i < MIN (n_ksyms, n_lengths); i++) {
    PenBpfFunction function = {
      .address = pen_get_u64 (element->data + ksyms + 8 * (gsize) i, element->big_endian),
      .length = pen_get_u32 (element->data + lengths + 4 * (gsize) i, element->big_endian),
    };

    if (image && sum + function.length <= image_length)
      function.bytes = image + sum;
    sum += function.length;
    take_function_details (element, i, n_ksyms, &function);

    /* Address 0: hidden from the recorder. */
    if (function.address != 0)
      g_array_append_val (self->functions, function);
  }
}

PenBpfProgram *
pen_bpf_program_take (PenCursor *cursor, GBytes *section)
{
  g_autoptr (PenBpfProgram) self = NULL;
  Element element;

  if (!take_element (cursor, &element))
    return NULL;

  self = g_new0 (PenBpfProgram, 1);
  self->functions = g_array_new (FALSE, FALSE, sizeof (PenBpfFunction));
  self->lines = g_array_new (FALSE, FALSE, sizeof (PenBpfLine));
  self->id = info_u32 (&element, AT_ID);
  self->type = info_u32 (&element, AT_TYPE);
  self->btf_id = info_u32 (&element, AT_BTF_ID);
  self->target_btf_id = info_u32 (&element, AT_TARGET_BTF_ID);
  self->target_type = info_u32 (&element, AT_TARGET_TYPE);
  self->load_time = info_u64 (&element, AT_LOAD_TIME);
  memcpy (self->tag, element.info + AT_TAG, sizeof self->tag);
  memcpy (self->name, element.info + AT_NAME, sizeof self->name - 1);
  take_functions (self, &element, section);
  take_lines (self, &element);
  return g_steal_pointer (&self);
}

void
pen_bpf_program_free (PenBpfProgram *self)
{
  g_array_unref (self->functions);
  g_array_unref (self->lines);
  g_clear_pointer (&self->image, g_bytes_unref);
  g_free (self);
}
