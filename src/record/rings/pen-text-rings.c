/* pen-text-rings.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-rings.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pen-ring.h"

/* A tracer that is switched on patches 40,000 functions at once, 64 bytes each. Who may not lock as
 * much gets less (perf_event_mlock_kb). */
#define RING_MAX (2u << 20)
#define RING_MIN (64u << 10)
#define PAGE ((gsize) sysconf (_SC_PAGESIZE))

/* perf_event_attr.text_poke is bit 33 of its flags, newer than the headers of some systems. */
#define FLAG_TEXT_POKE (1ull << 33)
#define FLAGS_AT 40

/* PERF_RECORD_HEADER_ATTR of tools/perf */
#define HEADER_ATTR 64u

typedef struct {
  struct perf_event_mmap_page *page; /* NULL: the CPU went offline */
  gsize size;
  int events[PEN_TEXT_EVENTS]; /* -1: not open */
} Ring;

struct _PenTextRings {
  GArray *rings; /* Ring */
  struct pollfd *polled;
  struct perf_event_attr attrs[PEN_TEXT_EVENTS];
  GArray *ids[PEN_TEXT_EVENTS]; /* guint64 */
  char *formats[PEN_TEXT_EVENTS];
  guint8 scratch[PEN_RING_RECORD_MAX];
};

static const char *const tracepoints[PEN_TEXT_EVENTS] = {
  [PEN_TEXT_EVENT_MODULE_LOAD] = "module/module_load",
  [PEN_TEXT_EVENT_MODULE_FREE] = "module/module_free",
};

static const char *const places[] = {
  "/sys/kernel/tracing/events",
  "/sys/kernel/debug/tracing/events",
};

/* ---- attributes ---- */

static guint64
get_flags (const struct perf_event_attr *attr)
{
  guint64 flags;

  memcpy (&flags, (const guint8 *) attr + FLAGS_AT, sizeof flags);
  return flags;
}

static void
set_text_poke (struct perf_event_attr *attr, gboolean is_set)
{
  guint64 flags = get_flags (attr);

  flags = is_set ? flags | FLAG_TEXT_POKE : flags & ~FLAG_TEXT_POKE;
  memcpy ((guint8 *) attr + FLAGS_AT, &flags, sizeof flags);
}

static void
init_common (struct perf_event_attr *attr)
{
  *attr = (struct perf_event_attr){
    .size = sizeof *attr,
    .type = PERF_TYPE_SOFTWARE,
    .config = PERF_COUNT_SW_DUMMY,
    .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
    .sample_id_all = 1,
    .use_clockid = 1,
    .clockid = CLOCK_MONOTONIC,
    .watermark = 1,
    .wakeup_watermark = RING_MIN / 4,
  };
}

static char *
read_file (const char *tracepoint, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autofree char *path = g_build_filename (places[i], tracepoint, name, NULL);
    char *text;

    if (g_file_get_contents (path, &text, NULL, NULL))
      return text;
  }
  return NULL;
}

static void
init_attrs (PenTextRings *self, PenTextRingsKind kind)
{
  struct perf_event_attr *changes = &self->attrs[PEN_TEXT_EVENT_CHANGES];

  init_common (changes);
  set_text_poke (changes, TRUE);
  if (kind == PEN_TEXT_RINGS_PATCHES)
    return;
  changes->comm = 1;
  changes->task = 1;
  changes->ksymbol = 1;
  changes->bpf_event = 1;
  for (guint i = PEN_TEXT_EVENT_MODULE_LOAD; i < PEN_TEXT_EVENTS; i++) {
    g_autofree char *id = read_file (tracepoints[i], "id");

    self->formats[i] = id ? read_file (tracepoints[i], "format") : NULL;
    if (!self->formats[i])
      continue;
    init_common (&self->attrs[i]);
    self->attrs[i].type = PERF_TYPE_TRACEPOINT;
    self->attrs[i].config = g_ascii_strtoull (id, NULL, 10);
    self->attrs[i].sample_type |= PERF_SAMPLE_RAW;
    self->attrs[i].sample_period = 1;
  }
}

/* ---- events ---- */

static int
open_event (const struct perf_event_attr *attr, guint cpu)
{
  return (int) syscall (SYS_perf_event_open, attr, -1, (int) cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Kernels before 5.9 refuse a flag that they do not know. */
static int
open_changes (PenTextRings *self, guint cpu)
{
  struct perf_event_attr *attr = &self->attrs[PEN_TEXT_EVENT_CHANGES];
  int event = open_event (attr, cpu);

  if (event < 0 && (errno == EINVAL || errno == E2BIG) && pen_text_rings_has_pokes (self)
      && self->rings->len == 0) {
    set_text_poke (attr, FALSE);
    event = open_event (attr, cpu);
  }
  return event;
}

static void
keep_id (PenTextRings *self, PenTextEvent which, int event)
{
  guint64 id = 0;

  if (ioctl (event, PERF_EVENT_IOC_ID, &id) == 0)
    g_array_append_val (self->ids[which], id);
}

/* Modules are seen only where this works on all CPUs. */
static gboolean
open_tracepoint (PenTextRings *self, Ring *ring, guint cpu, PenTextEvent which)
{
  int event = open_event (&self->attrs[which], cpu);

  if (event < 0)
    return FALSE;
  if (ioctl (event, PERF_EVENT_IOC_SET_OUTPUT, ring->events[PEN_TEXT_EVENT_CHANGES]) != 0) {
    close (event);
    return FALSE;
  }
  ring->events[which] = event;
  keep_id (self, which, event);
  return TRUE;
}

/* The largest ring that may be locked in memory. */
static gboolean
map_ring (Ring *ring)
{
  for (gsize size = RING_MAX; size >= RING_MIN; size /= 2) {
    void *page = mmap (NULL, size + PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
                       ring->events[PEN_TEXT_EVENT_CHANGES], 0);

    if (page != MAP_FAILED) {
      ring->page = page;
      ring->size = size;
      return TRUE;
    }
    if (errno != EPERM && errno != ENOMEM)
      return FALSE;
  }
  return FALSE;
}

static gboolean
fail (GError **error, int code)
{
  if (code == EACCES || code == EPERM)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                 _ ("events of all CPUs: %s; it needs root, or CAP_PERFMON, and CAP_SYSLOG for "
                    "names (see docs/recording.md)"),
                 g_strerror (code));
  else
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("events of all CPUs: %s"),
                 g_strerror (code));
  return FALSE;
}

static gboolean
open_ring (PenTextRings *self, guint cpu, GError **error)
{
  Ring ring = { .events = { -1, -1, -1 } };

  ring.events[PEN_TEXT_EVENT_CHANGES] = open_changes (self, cpu);
  if (ring.events[PEN_TEXT_EVENT_CHANGES] < 0)
    return errno == ENODEV || fail (error, errno);
  if (!map_ring (&ring)) {
    fail (error, errno);
    close (ring.events[PEN_TEXT_EVENT_CHANGES]);
    return FALSE;
  }
  keep_id (self, PEN_TEXT_EVENT_CHANGES, ring.events[PEN_TEXT_EVENT_CHANGES]);
  for (guint i = PEN_TEXT_EVENT_MODULE_LOAD; i < PEN_TEXT_EVENTS; i++)
    if (self->formats[i] && !open_tracepoint (self, &ring, cpu, (PenTextEvent) i))
      g_clear_pointer (&self->formats[i], g_free);
  g_array_append_val (self->rings, ring);
  return TRUE;
}

PenTextRings *
pen_text_rings_open (const GArray *cpus, PenTextRingsKind kind, GError **error)
{
  g_autoptr (PenTextRings) self = g_new0 (PenTextRings, 1);

  self->rings = g_array_new (FALSE, FALSE, sizeof (Ring));
  for (guint i = 0; i < PEN_TEXT_EVENTS; i++)
    self->ids[i] = g_array_new (FALSE, FALSE, sizeof (guint64));
  init_attrs (self, kind);
  for (guint i = 0; i < cpus->len; i++)
    if (!open_ring (self, g_array_index (cpus, guint, i), error))
      return NULL;
  if (self->rings->len == 0) {
    fail (error, ENODEV);
    return NULL;
  }
  self->polled = g_new0 (struct pollfd, self->rings->len + 1);
  for (guint i = 0; i < self->rings->len; i++)
    self->polled[i] = (struct pollfd){
      .fd = g_array_index (self->rings, Ring, i).events[PEN_TEXT_EVENT_CHANGES],
      .events = POLLIN,
    };
  return g_steal_pointer (&self);
}

void
pen_text_rings_free (PenTextRings *self)
{
  if (!self)
    return;
  for (guint i = 0; i < self->rings->len; i++) {
    Ring *ring = &g_array_index (self->rings, Ring, i);

    munmap (ring->page, ring->size + PAGE);
    for (guint k = 0; k < PEN_TEXT_EVENTS; k++)
      if (ring->events[k] >= 0)
        close (ring->events[k]);
  }
  g_array_unref (self->rings);
  for (guint i = 0; i < PEN_TEXT_EVENTS; i++) {
    g_array_unref (self->ids[i]);
    g_free (self->formats[i]);
  }
  g_free (self->polled);
  g_free (self);
}

gboolean
pen_text_rings_has_pokes (PenTextRings *self)
{
  return (get_flags (&self->attrs[PEN_TEXT_EVENT_CHANGES]) & FLAG_TEXT_POKE) != 0;
}

gboolean
pen_text_rings_has_event (PenTextRings *self, PenTextEvent event)
{
  return event == PEN_TEXT_EVENT_CHANGES || self->formats[event];
}

guint
pen_text_rings_get_n_cpus (PenTextRings *self)
{
  return self->rings->len;
}

int
pen_text_rings_get_descriptor (PenTextRings *self, guint cpu)
{
  return g_array_index (self->rings, Ring, cpu).events[PEN_TEXT_EVENT_CHANGES];
}

const guint8 *
pen_text_rings_get_attr (PenTextRings *self, PenTextEvent event, gsize *n)
{
  *n = sizeof self->attrs[event];
  return (const guint8 *) &self->attrs[event];
}

const GArray *
pen_text_rings_get_ids (PenTextRings *self, PenTextEvent event)
{
  return self->ids[event];
}

/* struct perf_record_header_attr: the header, the attributes, the identifiers */
void
pen_text_rings_describe (PenTextRings *self, PenTextEvent event, GByteArray *to)
{
  const GArray *ids = self->ids[event];
  gsize n = sizeof self->attrs[event];
  guint most = (guint) (G_MAXUINT16 - sizeof (struct perf_event_header) - n) / sizeof (guint64);
  guint n_ids = MIN (ids->len, most);
  struct perf_event_header header = {
    .type = HEADER_ATTR,
    .size = (guint16) (sizeof header + n + n_ids * sizeof (guint64)),
  };

  g_byte_array_append (to, (const guint8 *) &header, sizeof header);
  g_byte_array_append (to, (const guint8 *) &self->attrs[event], (guint) n);
  g_byte_array_append (to, (const guint8 *) ids->data, (guint) (n_ids * sizeof (guint64)));
}

const char *
pen_text_rings_get_format (PenTextRings *self, PenTextEvent event)
{
  return self->formats[event];
}

void
pen_text_rings_provoke (PenTextRings *self)
{
  struct perf_event_attr attr = self->attrs[PEN_TEXT_EVENT_CHANGES];
  int event;

  memset ((guint8 *) &attr + FLAGS_AT, 0, sizeof (guint64));
  attr.clockid = 0;
  attr.wakeup_watermark = 0;
  attr.disabled = 1;
  event = (int) syscall (SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (event >= 0)
    close (event);
}

/* ---- reading ---- */

void
pen_text_rings_wait (PenTextRings *self, int milliseconds, int cancel)
{
  struct pollfd *last = &self->polled[self->rings->len];

  *last = (struct pollfd){ .fd = cancel, .events = POLLIN };
  poll (self->polled, self->rings->len + 1, milliseconds);
  /* An event of a CPU that went offline is ready for ever. */
  for (guint i = 0; i < self->rings->len; i++)
    if (self->polled[i].revents & (POLLHUP | POLLERR))
      self->polled[i].fd = -1;
}

gsize
pen_text_rings_drain (PenTextRings *self, PenTextRingFunc func, gpointer user_data)
{
  gsize given_up = 0;

  for (guint i = 0; i < self->rings->len; i++) {
    const Ring *ring = &g_array_index (self->rings, Ring, i);
    const guint8 *data = (const guint8 *) ring->page + ring->page->data_offset;
    guint64 head = __atomic_load_n (&ring->page->data_head, __ATOMIC_ACQUIRE);
    guint64 tail = ring->page->data_tail;

    given_up += pen_ring_take (data, ring->size, tail, head, self->scratch, func, user_data);
    __atomic_store_n (&ring->page->data_tail, head, __ATOMIC_RELEASE);
  }
  return given_up;
}
