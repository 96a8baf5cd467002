/* pen-callchain-cells.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-callchain-cells.h"

#include <glib/gi18n-lib.h>

#include "pen-store-callchains.h"

struct _PenCallchainCells {
  PenQuery *query;
  const PenFrame *frames;
  guint n_frames;
  char **frame_texts;  /* by frame; NULL until it is needed */
  char **bucket_texts; /* by bucket */
  GPtrArray *places;   /* of the sample at hand: not owned */
};

PenCallchainCells *
pen_callchain_cells_new (PenQuery *query, GError **error)
{
  guint n_frames;
  const PenFrame *frames = pen_store_get_frames (query->store, &n_frames, error);
  PenCallchainCells *self;

  if (!frames)
    return NULL;
  self = g_new0 (PenCallchainCells, 1);
  self->query = query;
  self->frames = frames;
  self->n_frames = n_frames;
  self->frame_texts = g_new0 (char *, (gsize) n_frames + 1);
  self->bucket_texts = g_new0 (char *, (gsize) query->n_buckets + 1);
  self->places = g_ptr_array_new ();
  return self;
}

static void
free_texts (char **texts, guint n)
{
  for (guint i = 0; i < n; i++)
    g_free (texts[i]);
  g_free (texts);
}

void
pen_callchain_cells_free (PenCallchainCells *self)
{
  free_texts (self->frame_texts, self->n_frames);
  free_texts (self->bucket_texts, self->query->n_buckets);
  g_ptr_array_unref (self->places);
  g_free (self);
}

/* ---- places in words ---- */

/* Names of kernel and modules have brackets of their own; a program or stub is its own occupant. */
static void
append_occupant (GString *text, PenKind kind, const char *occupant, const char *symbol)
{
  gboolean is_known = kind != PEN_KIND_UNKNOWN && occupant && *occupant != '\0';
  const char *name = is_known ? occupant : pen_kind_to_string (kind);

  if (symbol && g_str_equal (symbol, name))
    return;
  g_string_append_printf (text, *name == '[' ? " %s" : " [%s]", name);
}

static char *
describe_frame (const PenFrame *frame)
{
  GString *text = g_string_new (NULL);

  if (frame->symbol)
    g_string_append_printf (text, "%s+0x%" G_GINT64_MODIFIER "x", frame->symbol, frame->offset);
  else
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", frame->address);
  append_occupant (text, frame->kind, frame->occupant, frame->symbol);
  return g_string_free (text, FALSE);
}

static char *
describe_bucket (PenQuery *query, const PenBucket *bucket)
{
  const PenFunction *function = pen_query_get_function (query, bucket->function);
  PenFrame frame = { .address = bucket->address, .kind = bucket->kind };

  if (!bucket->has_address)
    return g_strdup ("[unknown]");
  if (function) {
    frame.symbol = function->symbol;
    frame.offset = pen_store_get_offset (query->store, function, bucket->tenure, bucket->address);
    frame.occupant = function->occupant;
  }
  return describe_frame (&frame);
}

static const char *
get_frame_text (PenCallchainCells *self, guint32 frame)
{
  if (!self->frame_texts[frame])
    self->frame_texts[frame] = describe_frame (&self->frames[frame]);
  return self->frame_texts[frame];
}

static const char *
get_bucket_text (PenCallchainCells *self, guint32 bucket)
{
  if (!self->bucket_texts[bucket])
    self->bucket_texts[bucket] = describe_bucket (self->query, &self->query->buckets[bucket]);
  return self->bucket_texts[bucket];
}

/* ---- chains ---- */

static gboolean
refuse_damage (PenCallchainCells *self, GError **error)
{
  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
               _ ("%s: the store is damaged: a callchain is missing; import the recording again"),
               pen_store_get_path (self->query->store));
  return FALSE;
}

/* Ids descend from a chain to its callers. */
static gboolean
add_callers (PenCallchainCells *self, guint32 chain, GError **error)
{
  guint32 n_chains = pen_store_count_chains (self->query->store);

  while (chain != 0) {
    PenChainNode node;

    if (chain > n_chains)
      return refuse_damage (self, error);
    if (!pen_store_read_chain (self->query->store, chain, &node, error))
      return FALSE;
    if (node.frame >= self->n_frames || node.parent >= chain)
      return refuse_damage (self, error);
    g_ptr_array_add (self->places, (gpointer) get_frame_text (self, node.frame));
    chain = node.parent;
  }
  return TRUE;
}

gboolean
pen_callchain_cells_write (PenCallchainCells *self, const PenSampleBlock *block, guint row,
                           PenTableWriter *writer, GError **error)
{
  guint8 has = block->has[row];

  if (!(has & PEN_SAMPLE_HAS_CHAIN)) {
    pen_table_writer_empty (writer);
    return TRUE;
  }
  g_ptr_array_set_size (self->places, 0);
  if (!(has & PEN_SAMPLE_CHAIN_IS_WHOLE))
    g_ptr_array_add (self->places, (gpointer) get_bucket_text (self, block->bucket[row]));
  if (!add_callers (self, block->chain[row], error))
    return FALSE;
  pen_table_writer_list (writer, (const char *const *) self->places->pdata, self->places->len);
  return TRUE;
}

gboolean
pen_callchain_cells_write_output (PenCallchainCells *self, const PenBpfOutput *output,
                                  const PenBucket *bucket, PenTableWriter *writer, GError **error)
{
  g_autofree char *place = NULL;

  if (!(output->has & PEN_SAMPLE_HAS_CHAIN)) {
    pen_table_writer_empty (writer);
    return TRUE;
  }
  g_ptr_array_set_size (self->places, 0);
  if (!(output->has & PEN_SAMPLE_CHAIN_IS_WHOLE))
    g_ptr_array_add (self->places, place = describe_bucket (self->query, bucket));
  if (!add_callers (self, output->chain, error))
    return FALSE;
  pen_table_writer_list (writer, (const char *const *) self->places->pdata, self->places->len);
  return TRUE;
}
