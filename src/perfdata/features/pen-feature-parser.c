/* pen-feature-parser.c: takes the features of a capture apart
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-feature-parser.h"

#include "pen-bpf-program.h"
#include "pen-cursor.h"
#include "pen-reason.h"

/* The same bounds as perf's own reader has. */
#define ARGUMENTS_MAX (1u << 20)
#define BPF_PROGRAMS_MAX 131072
#define BPF_BTF_MAX 131072
#define PMUS_MAX 4096
#define GROUPS_MAX 32768
#define CACHES_MAX 65536
/* A build-id, and where an import finds it again: 139 bytes with a short name. */
#define BUILD_ID_COST 144u

/* A build-id record's length is in its 21st byte if this is set in misc. */
#define MISC_BUILD_ID_SIZE (1u << 15)

typedef struct {
  PenFeatures *features;
  PenEventTable *events;
  GBytes *section;
  PenCursor cursor;
} Parser;

typedef const char *(*ParseFunc) (Parser *self, gpointer field);

/* u32 length, and that many bytes, which hold a string and its NUL. */
static char *
take_string (PenCursor *cursor)
{
  guint32 length = pen_cursor_u32 (cursor);
  const guint8 *bytes = pen_cursor_take (cursor, length);

  if (!bytes || !memchr (bytes, 0, length)) {
    cursor->failed = TRUE;
    return NULL;
  }
  return g_strdup ((const char *) bytes);
}

static const char *
parse_string (Parser *self, gpointer field)
{
  char **string = field;
  char *value = take_string (&self->cursor);

  if (!value)
    return PEN_REASON_FEATURE_DAMAGED;
  g_free (*string);
  *string = value;
  return NULL;
}

static const char *
parse_u64 (Parser *self, gpointer field)
{
  guint64 value = pen_cursor_u64 (&self->cursor);

  if (self->cursor.failed)
    return PEN_REASON_FEATURE_DAMAGED;
  *(guint64 *) field = value;
  return NULL;
}

static const char *
parse_cpus (Parser *self, gpointer field G_GNUC_UNUSED)
{
  guint32 available = pen_cursor_u32 (&self->cursor);
  guint32 online = pen_cursor_u32 (&self->cursor);

  if (self->cursor.failed)
    return PEN_REASON_FEATURE_DAMAGED;
  self->features->cpus_available = available;
  self->features->cpus_online = online;
  return NULL;
}

static gboolean
needs_quotes (const char *argument)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_./,:=@%+";

  return argument[0] == '\0' || argument[strspn (argument, plain)] != '\0';
}

static const char *
parse_command_line (Parser *self, gpointer field G_GNUC_UNUSED)
{
  guint32 count = pen_cursor_u32 (&self->cursor);
  g_autoptr (GString) line = g_string_new (NULL);

  if (self->cursor.failed)
    return PEN_REASON_FEATURE_DAMAGED;
  if (count > ARGUMENTS_MAX)
    return PEN_REASON_LIST_TOO_LONG;
  for (guint32 i = 0; i < count; i++) {
    g_autofree char *argument = take_string (&self->cursor);
    g_autofree char *quoted = NULL;

    if (!argument)
      return PEN_REASON_FEATURE_DAMAGED;
    if (needs_quotes (argument))
      quoted = g_shell_quote (argument);
    if (i > 0)
      g_string_append_c (line, ' ');
    g_string_append (line, quoted ? quoted : argument);
  }
  g_free (self->features->command_line);
  self->features->command_line = g_string_free (g_steal_pointer (&line), FALSE);
  return NULL;
}

void
pen_attr_set_recorded_name (PenAttr *attr, const char *name)
{
  g_free (attr->name);
  attr->name = g_strdup (name);
}

/* By id, since that is exact; by place in the list, where events have none. */
static PenAttr *
find_described_event (Parser *self, guint32 index, const guint8 *ids, guint32 n_ids)
{
  for (guint32 i = 0; i < n_ids; i++) {
    guint64 id = pen_get_u64 (ids + 8 * (gsize) i, self->cursor.big_endian);
    int event = pen_event_table_find (self->events, id);

    if (event >= 0)
      return g_ptr_array_index (self->events->attrs, (guint) event);
  }
  if (index < self->events->attrs->len)
    return g_ptr_array_index (self->events->attrs, index);
  return NULL;
}

static const char *
parse_event_names (Parser *self, gpointer field G_GNUC_UNUSED)
{
  PenCursor *cursor = &self->cursor;
  guint32 count = pen_cursor_u32 (cursor);
  guint32 attr_size = pen_cursor_u32 (cursor);

  if (cursor->failed)
    return PEN_REASON_FEATURE_DAMAGED;
  if (count > PEN_EVENTS_MAX)
    return PEN_REASON_LIST_TOO_LONG;
  for (guint32 i = 0; i < count; i++) {
    g_autofree char *name = NULL;
    const guint8 *ids;
    guint32 n_ids;
    PenAttr *attr;

    pen_cursor_take (cursor, attr_size);
    n_ids = pen_cursor_u32 (cursor);
    name = take_string (cursor);
    ids = pen_cursor_take_array (cursor, n_ids, 8);
    if (!name || !ids)
      return PEN_REASON_FEATURE_DAMAGED;
    attr = find_described_event (self, i, ids, n_ids);
    if (attr)
      pen_attr_set_recorded_name (attr, name);
  }
  return NULL;
}

/*
 * {u32 type, u16 misc, u16 size}, s32 pid, 24 bytes of id, a name to the record's end. Before the
 * pid was added, the id came in its place.
 */
static const char *
take_build_id (Parser *self, const guint8 *record, guint16 size, gboolean has_pid)
{
  guint id_at = has_pid ? 12 : 8;
  guint name_at = id_at + 24;
  gboolean big_endian = self->cursor.big_endian;
  PenBuildId *build_id;

  if (size <= name_at)
    return NULL;
  if (!pen_features_keep (self->features, BUILD_ID_COST + (size - name_at)))
    return PEN_REASON_LIST_TOO_LONG;
  build_id = g_new0 (PenBuildId, 1);
  build_id->misc = pen_get_u16 (record + 4, big_endian);
  build_id->pid = has_pid ? (gint32) pen_get_u32 (record + 8, big_endian) : -1;
  memcpy (build_id->id, record + id_at, sizeof build_id->id);
  build_id->length = sizeof build_id->id;
  if (build_id->misc & MISC_BUILD_ID_SIZE)
    build_id->length = MIN (record[id_at + 20], sizeof build_id->id);
  build_id->name = g_strndup ((const char *) record + name_at, size - name_at);
  g_ptr_array_add (self->features->build_ids, build_id);
  return NULL;
}

/* A record without a pid, read as if it had one, loses the start of its name. */
static gboolean
is_without_pid (PenCursor cursor)
{
  static const char rest[] = "nel.kallsyms]";
  const guint8 *record = pen_cursor_take (&cursor, 36 + sizeof rest);

  return record && memcmp (record + 36, rest, sizeof rest - 1) == 0;
}

/* These lists grow, and hold on to the section; other features replace what was there. */
static gboolean
keep_section (Parser *self)
{
  return pen_features_keep (self->features, g_bytes_get_size (self->section));
}

static const char *
parse_build_ids (Parser *self, gpointer field G_GNUC_UNUSED)
{
  PenCursor *cursor = &self->cursor;
  gboolean has_pid = !is_without_pid (*cursor);

  while (pen_cursor_left (cursor) >= 8) {
    const guint8 *record = cursor->data + cursor->position;
    guint16 size = pen_get_u16 (record + 6, cursor->big_endian);
    const char *reason;

    if (size < 8 || !pen_cursor_take (cursor, size))
      return PEN_REASON_FEATURE_DAMAGED;
    reason = take_build_id (self, record, size, has_pid);
    if (reason)
      return reason;
  }
  return NULL;
}

static const char *
parse_tracing_data (Parser *self, gpointer field G_GNUC_UNUSED)
{
  return pen_features_take_tracing_data (self->features, g_bytes_ref (self->section));
}

/* u32 count, {u32 type, string name} of each */
static const char *
parse_pmus (Parser *self, gpointer field G_GNUC_UNUSED)
{
  guint32 count = pen_cursor_u32 (&self->cursor);

  if (count > PMUS_MAX)
    return PEN_REASON_LIST_TOO_LONG;
  g_ptr_array_set_size (self->features->pmus, 0);
  for (guint32 i = 0; i < count; i++) {
    guint32 type = pen_cursor_u32 (&self->cursor);
    char *name = take_string (&self->cursor);
    PenPmu *pmu;

    if (!name)
      return PEN_REASON_FEATURE_DAMAGED;
    pmu = g_new0 (PenPmu, 1);
    pmu->type = type;
    pmu->name = name;
    g_ptr_array_add (self->features->pmus, pmu);
  }
  return self->cursor.failed ? PEN_REASON_FEATURE_DAMAGED : NULL;
}

/* u32 level, u32 line size, u32 sets, u32 ways, string type, string size, string CPUs */
static PenCpuCache *
take_cache (PenCursor *cursor)
{
  PenCpuCache *cache = g_new0 (PenCpuCache, 1);

  cache->level = pen_cursor_u32 (cursor);
  pen_cursor_take (cursor, 12);
  cache->type = take_string (cursor);
  cache->size = take_string (cursor);
  cache->cpus = take_string (cursor);
  return cache;
}

/* u32 version, u32 count, the caches */
static const char *
parse_caches (Parser *self, gpointer field G_GNUC_UNUSED)
{
  guint32 version = pen_cursor_u32 (&self->cursor);
  guint32 count = pen_cursor_u32 (&self->cursor);

  if (self->cursor.failed || version != 1)
    return PEN_REASON_FEATURE_DAMAGED;
  if (count > CACHES_MAX)
    return PEN_REASON_LIST_TOO_LONG;
  g_ptr_array_set_size (self->features->caches, 0);
  for (guint32 i = 0; i < count && !self->cursor.failed; i++)
    g_ptr_array_add (self->features->caches, take_cache (&self->cursor));
  if (!self->cursor.failed)
    return NULL;
  g_ptr_array_set_size (self->features->caches, 0);
  return PEN_REASON_FEATURE_DAMAGED;
}

/* u32 count, {string name, u32 leader, u32 members} of each */
static const char *
parse_groups (Parser *self, gpointer field G_GNUC_UNUSED)
{
  guint32 count = pen_cursor_u32 (&self->cursor);

  if (count > GROUPS_MAX)
    return PEN_REASON_LIST_TOO_LONG;
  g_ptr_array_set_size (self->features->groups, 0);
  for (guint32 i = 0; i < count; i++) {
    g_autofree char *name = take_string (&self->cursor);
    guint32 leader = pen_cursor_u32 (&self->cursor);
    guint32 members = pen_cursor_u32 (&self->cursor);
    PenEventGroup *group;

    if (self->cursor.failed)
      return PEN_REASON_FEATURE_DAMAGED;
    group = g_new0 (PenEventGroup, 1);
    group->name = g_steal_pointer (&name);
    group->leader = leader;
    group->members = members;
    g_ptr_array_add (self->features->groups, group);
  }
  return self->cursor.failed ? PEN_REASON_FEATURE_DAMAGED : NULL;
}

/* u64 first, u64 last */
static const char *
parse_sample_times (Parser *self, gpointer field G_GNUC_UNUSED)
{
  guint64 first = pen_cursor_u64 (&self->cursor);
  guint64 last = pen_cursor_u64 (&self->cursor);

  if (self->cursor.failed)
    return PEN_REASON_FEATURE_DAMAGED;
  self->features->has_sample_times = TRUE;
  self->features->first_sample_time = first;
  self->features->last_sample_time = last;
  return NULL;
}

/* Several arrays of a program, and those of several, may be made of the same bytes. */
static gsize
get_program_cost (const PenBpfProgram *program)
{
  return sizeof *program + program->functions->len * sizeof (PenBpfFunction)
         + program->lines->len * sizeof (PenBpfLine);
}

static const char *
parse_bpf_programs (Parser *self, gpointer field G_GNUC_UNUSED)
{
  guint32 count = pen_cursor_u32 (&self->cursor);

  if (self->cursor.failed)
    return PEN_REASON_FEATURE_DAMAGED;
  if (count > BPF_PROGRAMS_MAX - self->features->bpf_programs->len || !keep_section (self))
    return PEN_REASON_LIST_TOO_LONG;
  for (guint32 i = 0; i < count; i++) {
    PenBpfProgram *program = pen_bpf_program_take (&self->cursor, self->section);

    if (!program)
      return PEN_REASON_FEATURE_DAMAGED;
    if (!pen_features_keep (self->features, get_program_cost (program))) {
      pen_bpf_program_free (program);
      return PEN_REASON_LIST_TOO_LONG;
    }
    g_ptr_array_add (self->features->bpf_programs, program);
  }
  return NULL;
}

static const char *
parse_btf (Parser *self, gpointer field G_GNUC_UNUSED)
{
  PenCursor *cursor = &self->cursor;
  guint32 count = pen_cursor_u32 (cursor);

  if (cursor->failed)
    return PEN_REASON_FEATURE_DAMAGED;
  if (count > BPF_BTF_MAX || (guint) g_tree_nnodes (self->features->btf) > BPF_BTF_MAX
      || !keep_section (self))
    return PEN_REASON_LIST_TOO_LONG;
  for (guint32 i = 0; i < count; i++) {
    guint32 id = pen_cursor_u32 (cursor);
    guint32 size = pen_cursor_u32 (cursor);
    gsize offset = cursor->position;

    if (!pen_cursor_take (cursor, size))
      return PEN_REASON_FEATURE_DAMAGED;
    g_tree_replace (self->features->btf, GUINT_TO_POINTER (id),
                    g_bytes_new_from_bytes (self->section, offset, size));
  }
  return NULL;
}

/* u32 version, u32 type, u32 level, u32 ratio, u32 mmap_len */
static const char *
parse_compression (Parser *self, gpointer field G_GNUC_UNUSED)
{
  PenCursor *cursor = &self->cursor;
  guint32 type, ratio, mmap_length;

  pen_cursor_take (cursor, 4);
  type = pen_cursor_u32 (cursor);
  pen_cursor_take (cursor, 4);
  ratio = pen_cursor_u32 (cursor);
  mmap_length = pen_cursor_u32 (cursor);
  if (cursor->failed)
    return PEN_REASON_FEATURE_DAMAGED;
  self->features->compression_type = type;
  self->features->compression_ratio = ratio;
  self->features->compression_mmap_length = mmap_length;
  return NULL;
}

/* u32 version, u32 clockid, u64 wall clock, u64 that clock, both in ns and read together */
static const char *
parse_clock_data (Parser *self, gpointer field G_GNUC_UNUSED)
{
  PenCursor *cursor = &self->cursor;
  guint32 version = pen_cursor_u32 (cursor);
  guint32 clock_id = pen_cursor_u32 (cursor);
  guint64 wall_clock = pen_cursor_u64 (cursor);
  guint64 clock = pen_cursor_u64 (cursor);

  if (cursor->failed || version != 1)
    return PEN_REASON_FEATURE_DAMAGED;
  self->features->has_clock_data = TRUE;
  self->features->clock_id = clock_id;
  self->features->wall_clock_ns = wall_clock;
  self->features->clock_ns = clock;
  return NULL;
}

static const struct {
  PenFeatureBit bit;
  ParseFunc parse;
  gsize field; /* for parse_string and parse_u64 */
} parsers[] = {
  { PEN_FEATURE_TRACING_DATA, parse_tracing_data, 0 },
  { PEN_FEATURE_BUILD_ID, parse_build_ids, 0 },
  { PEN_FEATURE_HOSTNAME, parse_string, G_STRUCT_OFFSET (PenFeatures, hostname) },
  { PEN_FEATURE_OSRELEASE, parse_string, G_STRUCT_OFFSET (PenFeatures, os_release) },
  { PEN_FEATURE_VERSION, parse_string, G_STRUCT_OFFSET (PenFeatures, perf_version) },
  { PEN_FEATURE_ARCH, parse_string, G_STRUCT_OFFSET (PenFeatures, arch) },
  { PEN_FEATURE_NRCPUS, parse_cpus, 0 },
  { PEN_FEATURE_CPUDESC, parse_string, G_STRUCT_OFFSET (PenFeatures, cpu_description) },
  { PEN_FEATURE_CPUID, parse_string, G_STRUCT_OFFSET (PenFeatures, cpu_id) },
  { PEN_FEATURE_TOTAL_MEM, parse_u64, G_STRUCT_OFFSET (PenFeatures, total_memory_kb) },
  { PEN_FEATURE_CMDLINE, parse_command_line, 0 },
  { PEN_FEATURE_EVENT_DESC, parse_event_names, 0 },
  { PEN_FEATURE_PMU_MAPPINGS, parse_pmus, 0 },
  { PEN_FEATURE_GROUP_DESC, parse_groups, 0 },
  { PEN_FEATURE_CACHE, parse_caches, 0 },
  { PEN_FEATURE_SAMPLE_TIME, parse_sample_times, 0 },
  { PEN_FEATURE_CLOCKID, parse_u64, G_STRUCT_OFFSET (PenFeatures, clock_resolution_ns) },
  { PEN_FEATURE_BPF_PROG_INFO, parse_bpf_programs, 0 },
  { PEN_FEATURE_BPF_BTF, parse_btf, 0 },
  { PEN_FEATURE_COMPRESSED, parse_compression, 0 },
  { PEN_FEATURE_CLOCK_DATA, parse_clock_data, 0 },
};

gboolean
pen_feature_is_known (guint bit)
{
  for (guint i = 0; i < G_N_ELEMENTS (parsers); i++) {
    if (parsers[i].bit == bit)
      return TRUE;
  }
  return FALSE;
}

const char *
pen_feature_parse (PenFeatures *features, PenEventTable *events, guint bit, GBytes *section,
                   gboolean big_endian)
{
  Parser self = { .features = features, .events = events, .section = section };
  gsize length;
  const guint8 *data = g_bytes_get_data (section, &length);

  self.cursor = pen_cursor_init (data, length, big_endian);
  for (guint i = 0; i < G_N_ELEMENTS (parsers); i++) {
    if (parsers[i].bit == bit)
      return parsers[i].parse (&self, G_STRUCT_MEMBER_P (features, parsers[i].field));
  }
  return NULL;
}
