/* pen-store-writer-rows.c: records, and what was found out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-source-line-block.h"
#include "pen-store-writer-private.h"
#include "pen-text-block.h"
#include "pen-text-limits.h"

/* A struct that is a row as it is. */
#define ADD(noun, Type, TABLE)                                                                     \
  gboolean pen_store_writer_add_##noun (PenStoreWriter *self, const Type *row, GError **error)     \
  {                                                                                                \
    return pen_store_writer_add_row (self, TABLE, row, error);                                     \
  }

ADD (loss, PenLoss, PEN_TABLE_LOSS)
ADD (map, PenMapEvent, PEN_TABLE_MAP)
ADD (ksymbol, PenKsymbolEvent, PEN_TABLE_KSYMBOL)
ADD (batch, PenBatch, PEN_TABLE_BATCH)
ADD (bpf_event, PenBpfEvent, PEN_TABLE_BPF_EVENT)
ADD (bpf_program, PenStoredBpfProgram, PEN_TABLE_BPF_PROGRAM)
ADD (bpf_function, PenStoredBpfFunction, PEN_TABLE_BPF_FUNCTION)
ADD (bpf_metadata, PenStoredBpfMetadata, PEN_TABLE_BPF_METADATA)
ADD (bpf_line, PenStoredBpfLine, PEN_TABLE_BPF_LINE)
ADD (build_id, PenStoredBuildId, PEN_TABLE_BUILD_ID)
ADD (module_event, PenModuleEvent, PEN_TABLE_MODULE_EVENT)
ADD (output, PenBpfOutput, PEN_TABLE_OUTPUT)
ADD (reading, PenReading, PEN_TABLE_READING)
ADD (task, PenTaskEvent, PEN_TABLE_TASK)
ADD (space, PenSpace, PEN_TABLE_SPACE)
ADD (tenure, PenTenure, PEN_TABLE_TENURE)
ADD (name_file, PenStoreNameFile, PEN_TABLE_NAME_FILE)
ADD (source, PenStoreSource, PEN_TABLE_SOURCE)
ADD (found_file, PenStoreFoundFile, PEN_TABLE_FOUND_FILE)
ADD (function, PenFunction, PEN_TABLE_FUNCTION)

gboolean
pen_store_writer_add_part (PenStoreWriter *self, const PenPart *part, GError **error)
{
  self->n_parts++;
  return pen_store_writer_add_row (self, PEN_TABLE_PART, part, error);
}

gboolean
pen_store_writer_add_poke (PenStoreWriter *self, const PenPoke *poke, GError **error)
{
  PenPoke row = *poke;

  row.length = (guint16) pen_poke_get_length (poke);
  self->longest_poke = MAX (self->longest_poke, row.length);
  return pen_store_writer_add_row (self, PEN_TABLE_TEXT_POKE, &row, error);
}

gboolean
pen_store_writer_add_btf (PenStoreWriter *self, guint32 id, GBytes *bytes, GError **error)
{
  PenBlockRow row = { .id = id };

  row.bytes = g_bytes_get_data (bytes, &row.length);
  return pen_store_writer_add_row (self, PEN_TABLE_BTF, &row, error);
}

gboolean
pen_store_writer_add_thread (PenStoreWriter *self, guint32 id, const PenThread *thread,
                             GError **error)
{
  PenThreadRow row = { id, *thread };

  return pen_store_writer_add_row (self, PEN_TABLE_THREAD, &row, error);
}

gboolean
pen_store_writer_add_text (PenStoreWriter *self, const PenStoredText *text, GError **error)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (text->bytes, &length);

  for (gsize done = 0; done < length; done += PEN_STORE_TEXT_MAX) {
    PenTextRow row = {
      .tenure = text->tenure,
      .start = text->start + done,
      .bytes = bytes + done,
      .length = MIN (length - done, PEN_STORE_TEXT_MAX),
      .evidence = text->evidence,
      .source = text->source,
    };

    if (!pen_store_writer_add_row (self, PEN_TABLE_TEXT, &row, error))
      return FALSE;
  }
  return TRUE;
}

/* Longer ones in several parts. */
static GArray *
cut_texts (const PenStoredText *texts, guint n)
{
  GArray *cut = g_array_new (FALSE, FALSE, sizeof (PenStoredText));

  for (guint i = 0; i < n; i++) {
    gsize length = g_bytes_get_size (texts[i].bytes);

    for (gsize done = 0; done < length; done += PEN_BLOCK_TEXT) {
      PenStoredText part = texts[i];

      part.start += done;
      part.bytes
          = g_bytes_new_from_bytes (texts[i].bytes, done, MIN (length - done, PEN_BLOCK_TEXT));
      g_array_append_val (cut, part);
    }
  }
  return cut;
}

static gboolean
add_text_block (PenStoreWriter *self, guint32 name_file, const PenStoredText *texts, guint n,
                GError **error)
{
  PenFileTextRow row = {
    .name_file = name_file,
    .first = G_MAXUINT64,
    .n = n,
    .evidence = texts->evidence,
    .source = texts->source,
  };

  for (guint i = 0; i < n; i++) {
    row.first = MIN (row.first, texts[i].start);
    row.last = MAX (row.last, texts[i].start + g_bytes_get_size (texts[i].bytes) - 1);
  }
  row.bytes = pen_text_block_pack (texts, n, self->packer, &row.length);
  return pen_store_writer_add_row (self, PEN_TABLE_FILE_TEXT_BLOCK, &row, error);
}

gboolean
pen_store_writer_add_file_texts (PenStoreWriter *self, guint32 name_file,
                                 const PenStoredText *texts, guint n, GError **error)
{
  g_autoptr (GArray) cut = cut_texts (texts, n);
  const PenStoredText *parts = (const PenStoredText *) (gpointer) cut->data;
  gboolean is_ok = TRUE;

  for (guint first = 0, end; is_ok && first < cut->len; first = end) {
    gsize length = 0;

    for (end = first; end < cut->len && length < PEN_BLOCK_TEXT; end++)
      length += g_bytes_get_size (parts[end].bytes);
    is_ok = add_text_block (self, name_file, parts + first, end - first, error);
  }
  for (guint i = 0; i < cut->len; i++)
    g_bytes_unref (parts[i].bytes);
  return is_ok;
}

gboolean
pen_store_writer_add_symbol_packs (PenStoreWriter *self, GArray *packs, GError **error)
{
  for (guint i = 0; i < packs->len; i++) {
    const PenSymbolPack *pack = &g_array_index (packs, PenSymbolPack, i);
    PenBlockRow row = { .name = pack->occupant, .n = pack->n };

    row.bytes = g_bytes_get_data (pack->bytes, &row.length);
    if (!pen_store_writer_add_row (self, PEN_TABLE_SYMBOL_BLOCK, &row, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_store_writer_add_absent_file (PenStoreWriter *self, const char *path, GError **error)
{
  return pen_store_writer_add_row (self, PEN_TABLE_ABSENT_FILE, &(PenStringRow){ 0, path }, error);
}

gboolean
pen_store_writer_add_named_tenure (PenStoreWriter *self, guint32 tenure, guint32 name_file,
                                   guint64 bias, GError **error)
{
  PenNamedTenureRow row = { tenure, name_file, bias };

  return pen_store_writer_add_row (self, PEN_TABLE_NAMED_TENURE, &row, error);
}

gboolean
pen_store_writer_add_source_file (PenStoreWriter *self, guint32 id, const char *path,
                                  GError **error)
{
  return pen_store_writer_add_row (self, PEN_TABLE_SOURCE_FILE, &(PenStringRow){ id, path }, error);
}

gboolean
pen_store_writer_add_inlined_function (PenStoreWriter *self, guint32 id, const char *name,
                                       GError **error)
{
  return pen_store_writer_add_row (self, PEN_TABLE_INLINED_FUNCTION, &(PenStringRow){ id, name },
                                   error);
}

gboolean
pen_store_writer_add_source_lines (PenStoreWriter *self, guint32 id, guint32 function,
                                   const PenFunctionLines *lines, GError **error)
{
  PenSourceLinesRow row = {
    .id = id,
    .function = function,
    .tenure = lines->tenure,
    .n = lines->lines->len,
    .n_calls = lines->calls->len,
  };

  row.bytes = pen_source_line_block_pack (lines, self->packer, &row.length);
  return pen_store_writer_add_row (self, PEN_TABLE_SOURCE_LINES, &row, error);
}
