/* pen-pprof-profile.c: profile.proto, of pprof
 *
 * https://github.com/google/pprof/blob/main/proto/profile.proto has the fields' numbers. A profile
 * has no time of a sample: samples that are alike are one, with labels. Fields may come in any
 * order; the strings, which all others name by number, come last.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "pen-profile-events.h"
#include "pen-profile-writers.h"
#include "pen-protobuf.h"
#include "pen-store-occupants.h"
#include "pen-store-records.h"
#include "pen-table-hash.h"

enum {
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLE = 2,
  PROFILE_MAPPING = 3,
  PROFILE_LOCATION = 4,
  PROFILE_FUNCTION = 5,
  PROFILE_STRING = 6,
  PROFILE_TIME = 9,
  PROFILE_DURATION = 10,
  PROFILE_PERIOD_TYPE = 11,
  PROFILE_PERIOD = 12,
  PROFILE_COMMENT = 13,
  PROFILE_DEFAULT_TYPE = 14,
  VALUE_TYPE = 1,
  VALUE_UNIT = 2,
  SAMPLE_LOCATIONS = 1,
  SAMPLE_VALUES = 2,
  SAMPLE_LABEL = 3,
  LABEL_KEY = 1,
  LABEL_TEXT = 2,
  LABEL_NUMBER = 3,
  MAPPING_ID = 1,
  MAPPING_FILE = 5,
  MAPPING_BUILD_ID = 6,
  MAPPING_HAS_FUNCTIONS = 7,
  LOCATION_ID = 1,
  LOCATION_MAPPING = 2,
  LOCATION_ADDRESS = 3,
  LOCATION_LINE = 4,
  LINE_FUNCTION = 1,
  FUNCTION_ID = 1,
  FUNCTION_NAME = 2,
  FUNCTION_SYSTEM_NAME = 3,
};

/* Samples that are alike; 16 million of them are some 1.3 GB. */
#define MAX_ALIKE (1u << 24)

/* @cause: plus 1; 0: none, or not asked for. What is not asked for is 0 */
typedef struct {
  guint32 stack;
  guint32 thread;
  guint32 event;
  guint32 function;
  guint32 revision;
  guint32 cause;
} Key;

typedef struct {
  Key key;
  guint64 n;
  guint64 period;
} Alike;

/*
 * @alike: Alike, by its key: a set
 * @order: (element-type Alike): as they came
 * @strings: text → number; the texts are owned by @texts, which is in order
 * @mappings: occupant and kind → number; @of_group: of each group, or 0: not yet
 */
typedef struct {
  PenWeightedStacks *stacks;
  PenQuery *query;
  const PenProfileOptions *options;
  GOutputStream *stream;
  GHashTable *alike;
  GPtrArray *order;
  GHashTable *strings;
  GPtrArray *texts;
  GHashTable *build_ids;
  GHashTable *mappings;
  GByteArray *file;
  GByteArray *message;
  GByteArray *inner;
  guint64 n_samples;
  guint64 first;
  guint64 last;
} Writing;

static guint
hash_alike (gconstpointer data)
{
  return pen_data_hash (data, sizeof (Key));
}

static gboolean
equal_alike (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Key)) == 0;
}

static void
writing_init (Writing *self, PenWeightedStacks *stacks, const PenProfileOptions *options,
              GOutputStream *stream)
{
  *self = (Writing){
    .stacks = stacks,
    .query = pen_weighted_stacks_get_query (stacks),
    .options = options,
    .stream = stream,
    .alike = g_hash_table_new (hash_alike, equal_alike),
    .order = g_ptr_array_new_with_free_func (g_free),
    .strings = g_hash_table_new (pen_str_hash, g_str_equal),
    .texts = g_ptr_array_new_with_free_func (g_free),
    .build_ids = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, g_free),
    .mappings = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL),
    .file = g_byte_array_new (),
    .message = g_byte_array_new (),
    .inner = g_byte_array_new (),
    .first = G_MAXUINT64,
  };
}

static void
writing_clear (Writing *self)
{
  g_hash_table_unref (self->alike);
  g_ptr_array_unref (self->order);
  g_hash_table_unref (self->strings);
  g_ptr_array_unref (self->texts);
  g_hash_table_unref (self->build_ids);
  g_hash_table_unref (self->mappings);
  g_byte_array_unref (self->file);
  g_byte_array_unref (self->message);
  g_byte_array_unref (self->inner);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writing, writing_clear)

/* ---- parts ---- */

#define PIECE 65536u

static gboolean
write_piece (Writing *self, gsize least, GError **error)
{
  if (self->file->len < least)
    return TRUE;
  if (!g_output_stream_write_all (self->stream, self->file->data, self->file->len, NULL, NULL,
                                  error))
    return FALSE;
  g_byte_array_set_size (self->file, 0);
  return TRUE;
}

/* Number 0 is the empty string. A protobuf's strings are UTF-8. */
static guint
get_string (Writing *self, const char *text)
{
  g_autofree char *shown = pen_display_text (text ? text : "");
  guint number;

  if (self->texts->len == 0) {
    g_ptr_array_add (self->texts, g_strdup (""));
    g_hash_table_insert (self->strings, self->texts->pdata[0], GUINT_TO_POINTER (1));
  }
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->strings, shown));
  if (number > 0)
    return number - 1;
  g_ptr_array_add (self->texts, g_steal_pointer (&shown));
  number = self->texts->len;
  g_hash_table_insert (self->strings, self->texts->pdata[number - 1], GUINT_TO_POINTER (number));
  return number - 1;
}

static void
append_value_type (Writing *self, guint field, const char *type, const char *unit)
{
  pen_protobuf_append_number (self->message, VALUE_TYPE, get_string (self, type));
  pen_protobuf_append_number (self->message, VALUE_UNIT, get_string (self, unit));
  pen_protobuf_append_message (self->file, field, self->message);
}

static void
append_text_label (Writing *self, const char *key, const char *text)
{
  pen_protobuf_append_number (self->inner, LABEL_KEY, get_string (self, key));
  pen_protobuf_append_number (self->inner, LABEL_TEXT, get_string (self, text));
  pen_protobuf_append_message (self->message, SAMPLE_LABEL, self->inner);
}

static void
append_number_label (Writing *self, const char *key, gint64 number)
{
  pen_protobuf_append_number (self->inner, LABEL_KEY, get_string (self, key));
  pen_protobuf_append_number (self->inner, LABEL_NUMBER, (guint64) number);
  pen_protobuf_append_message (self->message, SAMPLE_LABEL, self->inner);
}

/* ---- samples ---- */

static gboolean
add_sample (const PenWeightedSample *sample, gpointer user_data, GError **error)
{
  Writing *self = user_data;
  guint labels = self->options->suffixes;
  Key key = {
    .stack = sample->stack,
    .thread = sample->thread,
    .event = (guint32) sample->event,
    .function = labels & PEN_FOLD_OCCUPANT ? sample->function : 0,
    .revision = labels & PEN_FOLD_VERSION ? sample->revision : 0,
    .cause = labels & PEN_FOLD_CAUSE && sample->has_cause ? (guint32) sample->cause + 1 : 0,
  };
  Alike *alike = g_hash_table_lookup (self->alike, &key);

  if (!alike) {
    if (self->order->len >= MAX_ALIKE) {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                           _ ("more than 16,777,216 different stacks: narrow the filter"));
      return FALSE;
    }
    alike = g_new0 (Alike, 1);
    alike->key = key;
    g_ptr_array_add (self->order, alike);
    g_hash_table_add (self->alike, alike);
  }
  alike->n++;
  alike->period += sample->period;
  self->n_samples++;
  if (sample->has & PEN_SAMPLE_HAS_TIME) {
    self->first = MIN (self->first, sample->time);
    self->last = MAX (self->last, sample->time);
  }
  return TRUE;
}

static void
append_labels (Writing *self, const Key *key, const PenThread *threads, gboolean has_events)
{
  GPtrArray *events = pen_store_get_events (pen_query_get_store (self->query));
  const PenThread *thread = &threads[key->thread];
  guint n;
  const PenFunction *functions
      = pen_store_get_functions (pen_query_get_store (self->query), &n, NULL);

  append_text_label (self, "comm", thread->comm && *thread->comm ? thread->comm : "[unknown]");
  if (thread->has_task) {
    append_number_label (self, "pid", thread->pid);
    append_number_label (self, "tid", thread->tid);
  }
  if (has_events && key->event < events->len)
    append_text_label (self, "event", ((const PenStoreEvent *) events->pdata[key->event])->name);
  if (self->options->suffixes & PEN_FOLD_OCCUPANT && functions && key->function < n) {
    const PenFunction *function = &functions[key->function];

    append_text_label (self, "kind", pen_kind_to_string (function->kind));
    if (*function->occupant != '\0')
      append_text_label (self, "occupant", function->occupant);
  }
  /* Text, since pprof draws no tags that are numbers without a unit. */
  if (key->revision > 0) {
    g_autofree char *version = g_strdup_printf ("%" PRIu32, key->revision);

    append_text_label (self, "version", version);
  }
  if (key->cause > 0)
    append_text_label (self, "cause", pen_cause_to_string ((PenCause) (key->cause - 1)));
}

static gboolean
write_samples (Writing *self, GError **error)
{
  PenStore *store = pen_query_get_store (self->query);
  guint n_nodes, n_threads;
  const PenWeightedNode *nodes = pen_weighted_stacks_get_nodes (self->stacks, &n_nodes);
  const PenThread *threads = pen_store_get_threads (store, &n_threads, error);
  gboolean has_events = pen_store_get_events (store)->len > 1;
  g_autoptr (GArray) locations = g_array_new (FALSE, FALSE, sizeof (guint64));

  if (!threads)
    return FALSE;
  for (guint i = 0; i < self->order->len; i++) {
    const Alike *alike = self->order->pdata[i];
    guint64 values[] = { alike->n, alike->period };

    g_array_set_size (locations, 0);
    for (guint32 at = alike->key.stack; at != 0; at = nodes[at].parent) {
      guint64 location = (guint64) nodes[at].frame + 1;

      g_array_append_val (locations, location);
    }
    pen_protobuf_append_numbers (self->message, SAMPLE_LOCATIONS, (const guint64 *) locations->data,
                                 locations->len);
    pen_protobuf_append_numbers (self->message, SAMPLE_VALUES, values, G_N_ELEMENTS (values));
    append_labels (self, &alike->key, threads, has_events);
    pen_protobuf_append_message (self->file, PROFILE_SAMPLE, self->message);
    if (!pen_store_steps_on (store, i, error) || !write_piece (self, PIECE, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- what they name ---- */

/* Of an occupant that had one build-id only: key → hexadecimal, or "" where there are several. */
static gboolean
note_build_id (const PenTenure *tenure, gpointer user_data)
{
  Writing *self = user_data;
  g_autofree char *key = g_strdup_printf ("%u %s", (guint) tenure->kind, tenure->occupant);
  GString *text;
  const char *known;

  if (tenure->build_id_length == 0)
    return TRUE;
  text = g_string_new (NULL);
  for (guint i = 0; i < tenure->build_id_length; i++)
    g_string_append_printf (text, "%02x", tenure->build_id[i]);
  known = g_hash_table_lookup (self->build_ids, key);
  if (!known || !g_str_equal (known, text->str))
    g_hash_table_insert (self->build_ids, g_steal_pointer (&key),
                         g_strdup (known ? "" : text->str));
  g_string_free (text, TRUE);
  return TRUE;
}

/* A mapping is an occupant, without a range: what several processes mapped is one, and a range of
 * the kernel had several. It has names of functions, so that nobody looks for them. */
static guint
get_mapping (Writing *self, const PenStackGroup *group)
{
  g_autofree char *key = g_strdup_printf ("%u %s", (guint) group->kind, group->occupant);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->mappings, key));
  const char *build_id;

  if (number > 0)
    return number;
  number = g_hash_table_size (self->mappings) + 1;
  build_id = g_hash_table_lookup (self->build_ids, key);
  pen_protobuf_append_number (self->message, MAPPING_ID, number);
  pen_protobuf_append_number (
      self->message, MAPPING_FILE,
      get_string (self, *group->occupant ? group->occupant : pen_kind_to_string (group->kind)));
  pen_protobuf_append_number (self->message, MAPPING_BUILD_ID, get_string (self, build_id));
  pen_protobuf_append_number (self->message, MAPPING_HAS_FUNCTIONS, 1);
  pen_protobuf_append_message (self->file, PROFILE_MAPPING, self->message);
  g_hash_table_insert (self->mappings, g_steal_pointer (&key), GUINT_TO_POINTER (number));
  return number;
}

static void
append_function (Writing *self, guint number, const char *name)
{
  guint text = get_string (self, name);

  pen_protobuf_append_number (self->message, FUNCTION_ID, number);
  pen_protobuf_append_number (self->message, FUNCTION_NAME, text);
  pen_protobuf_append_number (self->message, FUNCTION_SYSTEM_NAME, text);
  pen_protobuf_append_message (self->file, PROFILE_FUNCTION, self->message);
}

/* A location is a frame; with addresses, several are of one function. */
static gboolean
write_locations (Writing *self, GError **error)
{
  PenStore *store = pen_query_get_store (self->query);
  guint n_frames = pen_weighted_stacks_count_frames (self->stacks);
  guint n_groups;
  const PenStackGroup *groups
      = pen_query_get_stack_groups (self->query, self->options->grouping, &n_groups, error);
  g_autofree guint8 *has_function = NULL;

  if (!groups)
    return FALSE;
  has_function = g_new0 (guint8, (gsize) n_groups + 1);
  for (guint32 i = 0; i < n_frames; i++) {
    PenWeightedFrame frame = pen_weighted_stacks_get_frame (self->stacks, i);
    guint group = (guint) (frame.group - groups);
    guint mapping = group == PEN_STACK_UNRECORDED ? 0 : get_mapping (self, frame.group);

    if (!has_function[group]) {
      g_autofree char *name
          = group == PEN_STACK_UNRECORDED ? NULL : pen_stack_group_get_name (frame.group);

      has_function[group] = TRUE;
      append_function (self, group + 1, name ? name : frame.name);
    }
    pen_protobuf_append_number (self->inner, LINE_FUNCTION, group + 1);
    pen_protobuf_append_number (self->message, LOCATION_ID, (guint64) i + 1);
    pen_protobuf_append_number (self->message, LOCATION_MAPPING, mapping);
    pen_protobuf_append_number (self->message, LOCATION_ADDRESS,
                                frame.has_address ? frame.address : 0);
    pen_protobuf_append_message (self->message, LOCATION_LINE, self->inner);
    pen_protobuf_append_message (self->file, PROFILE_LOCATION, self->message);
    if (!pen_store_steps_on (store, i, error) || !write_piece (self, PIECE, error))
      return FALSE;
  }
  return TRUE;
}

static void
append_head (Writing *self)
{
  PenStore *store = pen_query_get_store (self->query);
  PenProfileUnits units = pen_profile_units_find (self->query, self->options->filter);
  const char *unit = units.is_time ? "nanoseconds" : "count";
  const char *release = pen_store_get_fact (store, "osrelease");
  gint64 offset = pen_store_get_fact_int (store, "wall_clock_offset_ns", 0);
  guint64 comment;

  append_value_type (self, PROFILE_SAMPLE_TYPE, units.count, "count");
  append_value_type (self, PROFILE_SAMPLE_TYPE, units.amount, unit);
  if (self->options->measure == PEN_STACK_SAMPLES)
    pen_protobuf_append_number (self->file, PROFILE_DEFAULT_TYPE, get_string (self, units.count));
  else
    pen_protobuf_append_number (self->file, PROFILE_DEFAULT_TYPE, get_string (self, units.amount));
  if (units.period > 0) {
    append_value_type (self, PROFILE_PERIOD_TYPE, units.amount, unit);
    pen_protobuf_append_number (self->file, PROFILE_PERIOD, units.period);
  }
  if (self->first <= self->last) {
    if (offset != 0)
      pen_protobuf_append_number (self->file, PROFILE_TIME, self->first + (guint64) offset);
    pen_protobuf_append_number (self->file, PROFILE_DURATION, self->last - self->first);
  }
  if (release) {
    g_autofree char *text = g_strdup_printf ("Linux %s", release);

    comment = get_string (self, text);
    pen_protobuf_append_numbers (self->file, PROFILE_COMMENT, &comment, 1);
  }
}

static gboolean
write_strings (Writing *self, GError **error)
{
  for (guint i = 0; i < self->texts->len; i++) {
    const char *text = self->texts->pdata[i];

    pen_protobuf_append_bytes (self->file, PROFILE_STRING, (const guint8 *) text, strlen (text));
    if (!write_piece (self, PIECE, error))
      return FALSE;
  }
  return write_piece (self, 1, error);
}

gboolean
pen_pprof_profile_write (PenWeightedStacks *stacks, const PenProfileOptions *options,
                         GOutputStream *stream, guint64 *n_samples, GError **error)
{
  g_auto (Writing) self = { 0 };
  PenStore *store;

  writing_init (&self, stacks, options, stream);
  store = pen_query_get_store (self.query);
  get_string (&self, "");
  if (!pen_weighted_stacks_foreach (stacks, add_sample, &self, error)
      || !pen_store_foreach_tenure (store, TRUE, note_build_id, &self, error))
    return FALSE;
  append_head (&self);
  *n_samples = self.n_samples;
  return write_samples (&self, error) && write_locations (&self, error)
         && write_strings (&self, error);
}
