/* pen-pair-frames.c: frames of two recordings, matched as functions are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-frames.h"

#include "pen-pair-key.h"
#include "pen-query-private.h"
#include "pen-table-hash.h"

/*
 * @indexes: of each side: group → index of its frame and 1
 * @by_key: key → the same
 * @renamed: key in B → the row, whose name in A is that of the frame
 */
struct _PenPairFrames {
  GArray *frames;
  PenNames *strings;
  PenPairPrograms *programs[2];
  GHashTable *indexes[2];
  GHashTable *by_key;
  GHashTable *renamed;
  PenPairKey key;
};

static void
note_renamed (PenPairFrames *self, const PenPairSource *source, const PenPairRow *row)
{
  guint32 id = g_array_index (row->functions[1], guint32, 0);

  pen_pair_key_set (&self->key, pen_query_get_function (source->query, id), self->programs[1]);
  g_hash_table_insert (self->renamed, g_strdup (self->key.key->str), (gpointer) row);
}

PenPairFrames *
pen_pair_frames_new (const PenPairSource sources[2], const PenPairs *pairs, GArray *frames,
                     PenNames *strings, GError **error)
{
  g_autoptr (PenPairFrames) self = g_new0 (PenPairFrames, 1);
  PenCancelCheck check = pen_query_make_check (sources[0].query);

  self->frames = frames;
  self->strings = strings;
  self->by_key = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  self->renamed = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  pen_pair_key_init (&self->key);
  for (guint i = 0; i < 2; i++)
    self->indexes[i] = g_hash_table_new (pen_direct_hash, NULL);
  if (!pen_pair_programs_load_both (sources, self->programs, error))
    return NULL;
  for (guint i = 0; i < pairs->rows->len && pen_cancel_check_step (&check); i++)
    if (((const PenPairRow *) pairs->rows->pdata[i])->is_renamed)
      note_renamed (self, &sources[1], pairs->rows->pdata[i]);
  return pen_query_end_check (sources[0].query, &check, error) ? g_steal_pointer (&self) : NULL;
}

void
pen_pair_frames_free (PenPairFrames *self)
{
  if (!self)
    return;
  for (guint i = 0; i < 2; i++) {
    g_clear_pointer (&self->programs[i], pen_pair_programs_free);
    g_hash_table_unref (self->indexes[i]);
  }
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->renamed);
  pen_pair_key_clear (&self->key);
  g_free (self);
}

/* What the key is of. */
static PenPairFrame
make_frame (PenPairFrames *self, const PenStackGroup *group, gboolean is_unrecorded)
{
  return (PenPairFrame){
    .kind = group->kind,
    .occupant = pen_names_add (self->strings, self->key.occupant->str),
    .symbol = group->symbol ? pen_names_add (self->strings, self->key.symbol->str) : NULL,
    .is_unrecorded = is_unrecorded,
    .functions = { G_MAXUINT32, G_MAXUINT32 },
  };
}

/* Sets the key to that of A where the function was called so there. */
static void
follow_name (PenPairFrames *self, PenPairFrame *frame)
{
  const PenPairRow *row = g_hash_table_lookup (self->renamed, self->key.key->str);

  if (!row)
    return;
  frame->b_symbol = frame->symbol;
  frame->symbol = pen_names_add (self->strings, row->symbol);
  frame->occupant = pen_names_add (self->strings, row->occupant);
  pen_pair_key_set_words (&self->key, row->kind, row->occupant, row->symbol);
}

static guint32
find_frame (PenPairFrames *self, guint side, const PenStackGroup *group, gboolean is_unrecorded)
{
  const PenFunction named
      = { .kind = group->kind, .occupant = group->occupant, .symbol = group->symbol };
  PenPairFrame frame, *found;
  guint index;

  pen_pair_key_set (&self->key, &named, self->programs[side]);
  if (is_unrecorded)
    g_string_append (self->key.key, "\n");
  frame = make_frame (self, group, is_unrecorded);
  if (side == 1)
    follow_name (self, &frame);
  index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_key, self->key.key->str));
  if (index == 0) {
    g_array_append_val (self->frames, frame);
    index = self->frames->len;
    g_hash_table_insert (self->by_key, g_strdup (self->key.key->str), GUINT_TO_POINTER (index));
  }
  found = &g_array_index (self->frames, PenPairFrame, index - 1);
  if (frame.b_symbol)
    found->b_symbol = frame.b_symbol;
  if (found->functions[side] == G_MAXUINT32)
    found->functions[side] = group->function;
  return index - 1;
}

guint32
pen_pair_frames_get (PenPairFrames *self, guint side, const PenStackGroup *groups, guint32 index)
{
  guint32 found
      = GPOINTER_TO_UINT (g_hash_table_lookup (self->indexes[side], GUINT_TO_POINTER (index)));

  if (found > 0)
    return found - 1;
  found = find_frame (self, side, &groups[index], index == PEN_STACK_UNRECORDED);
  g_hash_table_insert (self->indexes[side], GUINT_TO_POINTER (index), GUINT_TO_POINTER (found + 1));
  return found;
}
