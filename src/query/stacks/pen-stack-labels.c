/* pen-stack-labels.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-labels.h"

#include <inttypes.h>

#include "pen-store-buckets.h"
#include "pen-table-hash.h"

/* What readers of folded stacks take for unknown callers. */
#define UNRECORDED "[callers unknown]"

typedef struct {
  PenStackIndex *index;
  const PenStackGroups *groups;
  guint suffixes;
  PenStackWords words;
  const PenStackVersions *versions; /* NULL: not asked for */
  PenStackLabels *self;
  GHashTable *known; /* word → number plus one; the words are the labels', or the keys' own */
  GString *text;
} Labelling;

static void
labelling_clear (Labelling *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_string_free (self->text, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Labelling, labelling_clear)

/* A ; would part frames, and a line feed stacks: it is shown escaped. */
static void
append_word (Labelling *labelling, const char *word)
{
  GString *text = labelling->text;
  gsize first = text->len;

  if (labelling->words != PEN_STACK_WORDS_FOLDED) {
    g_string_append (text, word);
    return;
  }
  pen_display_append (text, word);
  g_strdelimit (text->str + first, ";", ':');
}

static guint32
get_number (GHashTable *known, GPtrArray *words, const char *word)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (known, word));

  if (number == 0) {
    char *kept = g_strdup (word);

    g_ptr_array_add (words, kept);
    number = words->len;
    g_hash_table_insert (known, kept, GUINT_TO_POINTER (number));
  }
  return number - 1;
}

/* As `samples --callchain` has it: names of kernel and modules have brackets of their own; a
 * program or stub is its own occupant. */
static void
append_occupant (Labelling *labelling, const PenStackGroup *group)
{
  GString *text = labelling->text;
  gboolean is_known = group->kind != PEN_KIND_UNKNOWN && *group->occupant != '\0';
  const char *name = is_known ? group->occupant : pen_kind_to_string (group->kind);

  if (group->symbol && g_str_equal (group->symbol, name))
    return;
  g_string_append (text, *name == '[' ? " " : " [");
  append_word (labelling, name);
  if (*name != '[')
    g_string_append_c (text, ']');
}

typedef struct {
  guint32 function;
  guint32 tenure;
  guint32 revision;
  gboolean has_address;
  guint64 address;
  guint32 version; /* in the labelling's versions, if it has any */
} Place;

static void
append_offset (Labelling *labelling, const Place *place)
{
  PenQuery *query = labelling->index->query;
  const PenFunction *function = &query->functions[place->function];

  if (function->symbol)
    g_string_append_printf (
        labelling->text, "+0x%" PRIx64,
        pen_store_get_offset (query->store, function, place->tenure, place->address));
  else
    g_string_append_printf (labelling->text, " 0x%" PRIx64, place->address);
}

static void
append_cause (Labelling *labelling, const Place *place)
{
  const PenStackVersion *version = pen_stack_versions_get (labelling->versions, place->version);

  if (version->poke > 0)
    g_string_append_printf (labelling->text, " (%s)", pen_cause_to_string (version->cause));
}

static void
set_address (Labelling *labelling, const Place *place, PenKind kind, PenStackLabel *label)
{
  PenQuery *query = labelling->index->query;
  const PenFunction *function = &query->functions[place->function];

  if (!place->has_address)
    return;
  if (pen_query_is_kernel_kind (kind)) {
    label->has_address = TRUE;
    label->address = place->address;
  } else if (function->symbol && function->name_file > 0) {
    label->has_address = TRUE;
    label->address = function->start
                     + pen_store_get_offset (query->store, function, place->tenure, place->address);
  }
}

/* The number of the text, which is @label's. */
static guint32
get_label_number (Labelling *labelling, PenStackLabel label)
{
  PenStackLabels *self = labelling->self;
  g_autofree char *key = NULL;
  guint32 number;

  if (labelling->words != PEN_STACK_WORDS_DISTINCT) {
    number = get_number (labelling->known, self->words, labelling->text->str);
  } else {
    key = g_strdup_printf ("%" PRIu32 " %" PRIx64 " %s", label.group,
                           labelling->suffixes & PEN_FOLD_OFFSET ? label.address : 0,
                           labelling->text->str);
    number = GPOINTER_TO_UINT (g_hash_table_lookup (labelling->known, key));
    if (number > 0)
      return number - 1;
    g_ptr_array_add (self->words, g_strdup (labelling->text->str));
    number = self->words->len - 1;
    g_hash_table_insert (labelling->known, g_steal_pointer (&key), GUINT_TO_POINTER (number + 1));
  }
  if (number == self->labels->len)
    g_array_append_val (self->labels, label);
  return number;
}

static guint32
get_label (Labelling *labelling, const Place *place)
{
  guint32 number = labelling->groups->of_function[place->function];
  PenStackLabel label = { .group = number };
  const PenStackGroup *group = &g_array_index (labelling->groups->groups, PenStackGroup, number);
  g_autofree char *name = pen_stack_group_get_name (group);

  set_address (labelling, place, group->kind, &label);
  g_string_truncate (labelling->text, 0);
  append_word (labelling, name);
  if (labelling->suffixes & PEN_FOLD_OFFSET && place->has_address)
    append_offset (labelling, place);
  if (labelling->suffixes & PEN_FOLD_VERSION && place->revision > 0)
    g_string_append_printf (labelling->text, "@%" PRIu32, place->revision);
  if (labelling->versions)
    append_cause (labelling, place);
  if (labelling->suffixes & PEN_FOLD_OCCUPANT)
    append_occupant (labelling, group);
  return get_label_number (labelling, label);
}

static void
label_functions (Labelling *labelling)
{
  guint n = labelling->index->query->n_functions;

  labelling->self->of_function = g_new (guint32, (gsize) n + 1);
  for (guint32 i = 0; i < n; i++)
    labelling->self->of_function[i] = get_label (labelling, &(Place){ .function = i });
}

static gboolean
label_frames (Labelling *labelling, GError **error)
{
  const PenFrameColumns *frames = labelling->index->frames;

  labelling->self->of_frame = g_new (guint32, (gsize) frames->n + 1);
  for (guint32 i = 0; i < frames->n; i++) {
    Place place
        = { frames->function[i], frames->tenure[i],
            frames->revision[i], TRUE,
            frames->address[i],  labelling->versions ? labelling->versions->of_frame[i] : 0 };

    if (!pen_store_steps_on (labelling->index->query->store, i, error))
      return FALSE;
    labelling->self->of_frame[i] = get_label (labelling, &place);
  }
  return TRUE;
}

static gboolean
label_buckets (Labelling *labelling, GError **error)
{
  PenQuery *query = labelling->index->query;

  if (!pen_query_load_buckets (query, error))
    return FALSE;
  labelling->self->of_bucket = g_new (guint32, (gsize) query->n_buckets + 1);
  for (guint32 i = 0; i < query->n_buckets; i++) {
    const PenBucket *bucket = &query->buckets[i];
    Place place = { bucket->function, bucket->tenure,
                    bucket->revision, bucket->has_address,
                    bucket->address,  labelling->versions ? labelling->versions->of_bucket[i] : 0 };

    if (!pen_store_steps_on (query->store, i, error))
      return FALSE;
    labelling->self->of_bucket[i] = get_label (labelling, &place);
  }
  return TRUE;
}

static gboolean
label_threads (Labelling *labelling, GError **error)
{
  PenQuery *query = labelling->index->query;
  g_autoptr (GHashTable) known = g_hash_table_new (pen_str_hash, g_str_equal);

  if (!pen_query_load_threads (query, error))
    return FALSE;
  labelling->self->of_thread = g_new (guint32, (gsize) query->n_threads + 1);
  for (guint32 i = 0; i < query->n_threads; i++) {
    const char *comm = query->threads[i].comm;

    g_string_truncate (labelling->text, 0);
    append_word (labelling, comm && *comm != '\0' ? comm : "[unknown]");
    if (labelling->words == PEN_STACK_WORDS_FOLDED)
      g_strdelimit (labelling->text->str, " ", '_');
    labelling->self->of_thread[i]
        = get_number (known, labelling->self->comms, labelling->text->str);
  }
  return TRUE;
}

/* Where each word is one number, the labels own the texts that are known; else the keys are. */
static GHashTable *
new_known (PenStackWords words)
{
  return g_hash_table_new_full (pen_str_hash, g_str_equal,
                                words == PEN_STACK_WORDS_DISTINCT ? g_free : NULL, NULL);
}

PenStackLabels *
pen_stack_labels_new (PenStackIndex *index, PenStackGrouping grouping, guint suffixes,
                      PenStackWords words, GError **error)
{
  g_autoptr (PenStackLabels) self = g_new0 (PenStackLabels, 1);
  g_auto (Labelling) labelling = { .index = index,
                                   .groups = index->groups[grouping],
                                   .suffixes = suffixes,
                                   .words = words,
                                   .self = self,
                                   .known = new_known (words),
                                   .text = g_string_new (UNRECORDED) };

  self->words = g_ptr_array_new_with_free_func (g_free);
  self->labels = g_array_new (FALSE, FALSE, sizeof (PenStackLabel));
  self->comms = g_ptr_array_new_with_free_func (g_free);
  get_label_number (&labelling, (PenStackLabel){ .group = PEN_STACK_UNRECORDED });
  if (suffixes & PEN_FOLD_CAUSE) {
    labelling.versions = pen_stack_index_get_versions (index, error);
    if (!labelling.versions)
      return NULL;
  }
  if (!(suffixes & (PEN_FOLD_OFFSET | PEN_FOLD_VERSION | PEN_FOLD_CAUSE)))
    label_functions (&labelling);
  else if (!label_frames (&labelling, error) || !label_buckets (&labelling, error))
    return NULL;
  return label_threads (&labelling, error) ? g_steal_pointer (&self) : NULL;
}

void
pen_stack_labels_free (PenStackLabels *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->words, g_ptr_array_unref);
  g_clear_pointer (&self->labels, g_array_unref);
  g_clear_pointer (&self->comms, g_ptr_array_unref);
  g_free (self->of_function);
  g_free (self->of_frame);
  g_free (self->of_bucket);
  g_free (self->of_thread);
  g_free (self);
}
