/* pen-metadata.c: what the recorder says of events and of the machine in records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-metadata.h"

#include "pen-byte-order.h"
#include "pen-feature-parser.h"
#include "pen-reason.h"
#include "pen-record.h"

#define UPDATE_NAME 2

#define METADATA_PROGRAM 512u
#define METADATA_KEY 64u
#define METADATA_VALUE 256u
#define METADATA_ENTRIES (8 + METADATA_PROGRAM + 8)

/* A variable, whose strings take as much as they may be long. */
#define METADATA_COST                                                                              \
  (sizeof (PenBpfMetadata) + METADATA_PROGRAM + METADATA_KEY + METADATA_VALUE + 128u)

/* Sizes of TIME_CONV: the first one, and that of Linux 5.8's recorder. */
#define TIME_CONV_SIZE 32
#define TIME_CONV_SIZE_WITH_CYCLES 50

/* A perf_event_attr of its own size, then ids up to the record's end. */
static const char *
apply_attr (PenEventTable *events, const guint8 *record, guint32 size, gboolean big_endian)
{
  guint32 attr_size;
  PenAttr *attr;

  if (size < 8 + PEN_ATTR_SIZE_MIN)
    return PEN_REASON_RECORD_TOO_SHORT;
  attr_size = MAX (pen_get_u32 (record + 8 + 4, big_endian), PEN_ATTR_SIZE_MIN);
  if (attr_size > size - 8)
    return PEN_REASON_EVENT_TOO_LARGE;
  if (events->attrs->len >= PEN_EVENTS_MAX)
    return PEN_REASON_TOO_MANY_EVENTS;

  attr = pen_attr_new_from_bytes (record + 8, attr_size, big_endian);
  for (guint32 at = 8 + attr_size; at + 8 <= size && events->ids->len < PEN_EVENT_IDS_MAX;
       at += 8) {
    guint64 id = pen_get_u64 (record + at, big_endian);

    g_array_append_val (attr->ids, id);
  }
  pen_event_table_add (events, attr);
  return NULL;
}

/* u64 feature bit, then what a file would have in that feature's section. */
static const char *
apply_feature (PenEventTable *events, PenFeatures *features, const guint8 *record, guint32 size,
               gboolean big_endian)
{
  g_autoptr (GBytes) section = NULL;
  guint64 bit;

  if (size < 16)
    return PEN_REASON_RECORD_TOO_SHORT;
  bit = pen_get_u64 (record + 8, big_endian);
  if (size == 16 || bit >= PEN_FEATURE_BITS)
    return NULL;
  section = g_bytes_new (record + 16, size - 16);
  return pen_feature_parse (features, events, (guint) bit, section, big_endian);
}

/* u64 kind, u64 id, then by kind; a name is a string. */
static const char *
apply_update (PenEventTable *events, const guint8 *record, guint32 size, gboolean big_endian)
{
  int event;

  if (size < 24)
    return PEN_REASON_RECORD_TOO_SHORT;
  if (pen_get_u64 (record + 8, big_endian) != UPDATE_NAME)
    return NULL;
  if (!memchr (record + 24, 0, size - 24))
    return PEN_REASON_NAME_WITHOUT_END;

  event = pen_event_table_find (events, pen_get_u64 (record + 16, big_endian));
  if (event >= 0)
    pen_attr_set_recorded_name (g_ptr_array_index (events->attrs, (guint) event),
                                (const char *) record + 24);
  return NULL;
}

static const char *
apply_build_id (PenEventTable *events, PenFeatures *features, const guint8 *record, guint32 size,
                gboolean big_endian)
{
  g_autoptr (GBytes) section = g_bytes_new (record, size);

  return pen_feature_parse (features, events, PEN_FEATURE_BUILD_ID, section, big_endian);
}

/* u64 shift, u64 multiplier, u64 zero; in newer ones u64 cycles, u64 mask, u8 has_zero, u8
 * has_short */
static const char *
apply_time_conversion (PenFeatures *features, const guint8 *record, guint32 size,
                       gboolean big_endian)
{
  PenTimeConversion *conversion = &features->time_conversion;

  if (size < TIME_CONV_SIZE)
    return PEN_REASON_RECORD_TOO_SHORT;
  *conversion = (PenTimeConversion){
    .shift = pen_get_u64 (record + 8, big_endian),
    .multiplier = pen_get_u64 (record + 16, big_endian),
    .zero = pen_get_u64 (record + 24, big_endian),
    .has_zero = TRUE,
  };
  if (size >= TIME_CONV_SIZE_WITH_CYCLES) {
    conversion->cycles = pen_get_u64 (record + 32, big_endian);
    conversion->mask = pen_get_u64 (record + 40, big_endian);
    conversion->has_zero = record[48] != 0;
    conversion->has_short = record[49] != 0;
  }
  features->has_time_conversion = TRUE;
  return NULL;
}

/* char program[512], u64 n, and n times char key[64] and char value[256] (tools/lib/perf/include/
 * perf/event.h, struct perf_record_bpf_metadata). */
static const char *
apply_bpf_metadata (PenFeatures *features, const guint8 *record, guint32 size, gboolean big_endian)
{
  const char *program = (const char *) record + 8;
  guint64 n;

  if (size < METADATA_ENTRIES)
    return PEN_REASON_RECORD_TOO_SHORT;
  n = pen_get_u64 (record + 8 + METADATA_PROGRAM, big_endian);
  if (n > (size - METADATA_ENTRIES) / (METADATA_KEY + METADATA_VALUE))
    return PEN_REASON_COUNT_TOO_LARGE;
  for (guint64 i = 0; i < n; i++) {
    const char *key
        = (const char *) record + METADATA_ENTRIES + i * (METADATA_KEY + METADATA_VALUE);
    PenBpfMetadata *metadata;

    if (!pen_features_keep (features, METADATA_COST))
      return PEN_REASON_COUNT_TOO_LARGE;
    metadata = g_new (PenBpfMetadata, 1);
    metadata->program = g_strndup (program, METADATA_PROGRAM);
    metadata->key = g_strndup (key, METADATA_KEY);
    metadata->value = g_strndup (key + METADATA_KEY, METADATA_VALUE);
    g_ptr_array_add (features->bpf_metadata, metadata);
  }
  return NULL;
}

const char *
pen_metadata_apply (PenEventTable *events, PenFeatures *features, guint32 type,
                    const guint8 *record, guint32 size, gboolean big_endian, gboolean is_pipe)
{
  switch (type) {
  case PEN_RECORD_HEADER_ATTR:
    return is_pipe ? apply_attr (events, record, size, big_endian) : NULL;
  case PEN_RECORD_HEADER_FEATURE:
    return is_pipe ? apply_feature (events, features, record, size, big_endian) : NULL;
  case PEN_RECORD_EVENT_UPDATE:
    return apply_update (events, record, size, big_endian);
  case PEN_RECORD_BUILD_ID:
    return apply_build_id (events, features, record, size, big_endian);
  case PEN_RECORD_BPF_METADATA:
    return apply_bpf_metadata (features, record, size, big_endian);
  case PEN_RECORD_TIME_CONV:
    return apply_time_conversion (features, record, size, big_endian);
  default:
    return NULL;
  }
}
