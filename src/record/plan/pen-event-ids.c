/* pen-event-ids.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-event-ids.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define MAGIC 0x32454c4946524550ull /* "PERFILE2" */

/* More are a damaged header. A machine with 8,192 CPUs has as many ids of an event. */
#define ENTRY_SIZE_MAX 4096u
#define EVENTS_MAX 4096u
#define IDS_MAX 65536u

typedef struct {
  guint64 offset;
  guint64 size;
} Section;

typedef struct {
  guint64 magic;
  guint64 size;
  guint64 entry_size;
  Section entries;
} Header;

static gboolean
set_damaged (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       _ ("perf's header is not as expected"));
  return FALSE;
}

static gboolean
read_whole (int file, guint64 offset, void *buffer, gsize size, GError **error)
{
  guint8 *to = buffer;

  if (offset > G_MAXINT64 - size)
    return set_damaged (error);
  while (size > 0) {
    gssize n = pread (file, to, size, (off_t) offset);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return set_damaged (error);
    to += n;
    offset += (guint64) n;
    size -= (gsize) n;
  }
  return TRUE;
}

/* Entries of an older perf are shorter: the rest is 0. */
static gboolean
find_role (const struct perf_event_attr *attr, PenEventRole *role)
{
  if (attr->type != PERF_TYPE_SOFTWARE || attr->config1 != PEN_EVENT_MARK)
    return FALSE;
  *role = attr->config == PERF_COUNT_SW_BPF_OUTPUT ? PEN_EVENT_OUTPUT : PEN_EVENT_LOOK;
  return attr->config == PERF_COUNT_SW_BPF_OUTPUT || attr->config == PERF_COUNT_SW_CPU_CLOCK;
}

static gboolean
read_ids (int file, const Section *section, PenEventRole role, GArray *ids, GError **error)
{
  guint64 n = section->size / sizeof (guint64);
  g_autofree guint64 *values = NULL;

  if (section->size % sizeof (guint64) != 0 || n > IDS_MAX - ids->len)
    return set_damaged (error);
  values = g_new (guint64, MAX (n, 1));
  if (!read_whole (file, section->offset, values, (gsize) section->size, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const PenEventId id = { .id = values[i], .index = i, .role = role };

    g_array_append_val (ids, id);
  }
  return TRUE;
}

static gboolean
read_entry (int file, guint64 offset, gsize size, GArray *ids, GError **error)
{
  guint8 bytes[ENTRY_SIZE_MAX];
  gsize attr_size = size - sizeof (Section);
  struct perf_event_attr attr = { 0 };
  Section section;
  PenEventRole role;

  if (!read_whole (file, offset, bytes, size, error))
    return FALSE;
  memcpy (&attr, bytes, MIN (attr_size, sizeof attr));
  memcpy (&section, bytes + attr_size, sizeof section);
  return !find_role (&attr, &role) || read_ids (file, &section, role, ids, error);
}

static gint
compare_ids (gconstpointer a, gconstpointer b)
{
  const PenEventId *left = a;
  const PenEventId *right = b;

  return (left->id > right->id) - (left->id < right->id);
}

GArray *
pen_event_ids_read (int file, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (PenEventId));
  Header header;
  guint64 n;

  if (!read_whole (file, 0, &header, sizeof header, error))
    return NULL;
  if (header.magic != MAGIC || header.entry_size > ENTRY_SIZE_MAX
      || header.entry_size < PERF_ATTR_SIZE_VER0 + sizeof (Section)
      || header.entries.size % header.entry_size != 0
      || header.entries.offset > G_MAXINT64 - G_MAXUINT32) {
    set_damaged (error);
    return NULL;
  }
  n = header.entries.size / header.entry_size;
  if (n > EVENTS_MAX) {
    set_damaged (error);
    return NULL;
  }
  for (guint64 i = 0; i < n; i++) {
    if (!read_entry (file, header.entries.offset + i * header.entry_size, (gsize) header.entry_size,
                     ids, error))
      return NULL;
  }
  g_array_sort (ids, compare_ids);
  return g_steal_pointer (&ids);
}

const PenEventId *
pen_event_ids_find (const GArray *ids, guint64 id)
{
  const PenEventId wanted = { .id = id };
  guint at;

  if (!g_array_binary_search ((GArray *) ids, &wanted, compare_ids, &at))
    return NULL;
  return &g_array_index (ids, PenEventId, at);
}

guint
pen_event_ids_count (const GArray *ids, PenEventRole role)
{
  guint n = 0;

  for (guint i = 0; i < ids->len; i++)
    n += g_array_index (ids, PenEventId, i).role == role;
  return n;
}
