/* pen-attr.c: one event of a capture, as perf_event_attr describes it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-attr.h"

#include <string.h>

#include "pen-byte-order.h"

/* Offsets of the fields in bytes: linux/perf_event.h. */
enum {
  AT_TYPE = 0,
  AT_SIZE = 4,
  AT_CONFIG = 8,
  AT_PERIOD = 16,
  AT_SAMPLE_TYPE = 24,
  AT_READ_FORMAT = 32,
  AT_FLAGS = 40,
  AT_BREAKPOINT_TYPE = 52,
  AT_BREAKPOINT_ADDRESS = 56,
  AT_BRANCH_SAMPLE_TYPE = 72,
  AT_REGS_USER = 80,
  AT_CLOCKID = 92,
  AT_REGS_INTR = 96,
};

PenAttr *
pen_attr_new_from_bytes (const guint8 *bytes, gsize length, gboolean big_endian)
{
  PenAttr *self = g_new0 (PenAttr, 1);
  guint8 all[PEN_ATTR_SIZE_KNOWN] = { 0 };
  guint32 size = pen_get_u32 (bytes + AT_SIZE, big_endian);

  /* The first version of the structure had no need of a size, and some writers left it 0. */
  if (size < PEN_ATTR_SIZE_MIN)
    size = PEN_ATTR_SIZE_MIN;
  memcpy (all, bytes, MIN (MIN (length, size), sizeof all));

  self->size = size;
  self->type = pen_get_u32 (all + AT_TYPE, big_endian);
  self->config = pen_get_u64 (all + AT_CONFIG, big_endian);
  self->period_or_frequency = pen_get_u64 (all + AT_PERIOD, big_endian);
  self->sample_type = pen_get_u64 (all + AT_SAMPLE_TYPE, big_endian);
  self->read_format = pen_get_u64 (all + AT_READ_FORMAT, big_endian);
  self->flags = pen_get_bits (all + AT_FLAGS, big_endian);
  self->breakpoint_type = pen_get_u32 (all + AT_BREAKPOINT_TYPE, big_endian);
  self->breakpoint_address = pen_get_u64 (all + AT_BREAKPOINT_ADDRESS, big_endian);
  self->branch_sample_type = pen_get_u64 (all + AT_BRANCH_SAMPLE_TYPE, big_endian);
  self->sample_regs_user = pen_get_u64 (all + AT_REGS_USER, big_endian);
  self->sample_regs_intr = pen_get_u64 (all + AT_REGS_INTR, big_endian);
  self->clockid = (gint32) pen_get_u32 (all + AT_CLOCKID, big_endian);
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->name = pen_attr_derive_name (self);
  return self;
}

void
pen_attr_free (PenAttr *self)
{
  g_free (self->name);
  g_array_unref (self->ids);
  g_free (self);
}

static const char *
get_hardware_name (guint64 config)
{
  static const char *const names[] = {
    "cycles",
    "instructions",
    "cache-references",
    "cache-misses",
    "branches",
    "branch-misses",
    "bus-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "ref-cycles",
  };

  /* The upper half chooses a PMU where a machine has several kinds of CPU. */
  config &= G_MAXUINT32;
  return config < G_N_ELEMENTS (names) ? names[config] : "unknown-hardware";
}

static const char *
get_software_name (guint64 config)
{
  static const char *const names[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
  };
  return config < G_N_ELEMENTS (names) ? names[config] : "unknown-software";
}

static char *
get_cache_name (guint64 config)
{
  static const char *const caches[]
      = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node" };
  static const char *const operations[] = { "load", "store", "prefetch" };
  static const char *const plurals[] = { "loads", "stores", "prefetches" };
  guint cache = config & 0xff;
  guint operation = (config >> 8) & 0xff;
  guint result = (config >> 16) & 0xff;

  if (cache >= G_N_ELEMENTS (caches))
    return g_strdup ("unknown-ext-hardware-cache-type");
  if (operation >= G_N_ELEMENTS (operations))
    return g_strdup ("unknown-ext-hardware-cache-op");
  if (result > 1)
    return g_strdup ("unknown-ext-hardware-cache-result");
  if (result == 1)
    return g_strdup_printf ("%s-%s-misses", caches[cache], operations[operation]);
  return g_strdup_printf ("%s-%s", caches[cache], plurals[operation]);
}

static char *
get_breakpoint_name (const PenAttr *self)
{
  GString *name = g_string_new (NULL);

  g_string_printf (name, "mem:0x%" G_GINT64_MODIFIER "x:", self->breakpoint_address);
  if (self->breakpoint_type & 1)
    g_string_append_c (name, 'r');
  if (self->breakpoint_type & 2)
    g_string_append_c (name, 'w');
  if (self->breakpoint_type & 4)
    g_string_append_c (name, 'x');
  return g_string_free (name, FALSE);
}

/* Letters after a colon tell where the event counts. Which of them are shown depends on what is the
 * default: with none of :k :u :h and :p given, guests are left out unless asked for. */
static void
append_modifiers (GString *name, const PenAttr *self)
{
  static const struct {
    guint64 flag;
    char letter;
  } privileges[] = {
    { PEN_ATTR_EXCLUDE_KERNEL, 'k' },
    { PEN_ATTR_EXCLUDE_USER, 'u' },
    { PEN_ATTR_EXCLUDE_HV, 'h' },
  };
  guint precise = (guint) (self->flags >> PEN_ATTR_PRECISE_IP_SHIFT) & PEN_ATTR_PRECISE_IP_MASK;
  gboolean excludes_guest = (self->flags & PEN_ATTR_EXCLUDE_GUEST) != 0;
  gboolean guest_default = FALSE;
  g_autoptr (GString) letters = g_string_new (NULL);

  if (self->flags & (PEN_ATTR_EXCLUDE_KERNEL | PEN_ATTR_EXCLUDE_USER | PEN_ATTR_EXCLUDE_HV)) {
    for (guint i = 0; i < G_N_ELEMENTS (privileges); i++) {
      if (!(self->flags & privileges[i].flag))
        g_string_append_c (letters, privileges[i].letter);
    }
    guest_default = TRUE;
  }
  for (guint i = 0; i < precise; i++)
    g_string_append_c (letters, 'p');
  if (precise > 0)
    guest_default = TRUE;

  if ((self->flags & PEN_ATTR_EXCLUDE_HOST) || excludes_guest == guest_default) {
    if (!(self->flags & PEN_ATTR_EXCLUDE_HOST))
      g_string_append_c (letters, 'H');
    if (!excludes_guest)
      g_string_append_c (letters, 'G');
  }
  if (letters->len > 0)
    g_string_append_printf (name, ":%s", letters->str);
}

char *
pen_attr_derive_name (const PenAttr *self)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree char *made = NULL;

  switch (self->type) {
  case PEN_ATTR_TYPE_HARDWARE:
    g_string_append (name, get_hardware_name (self->config));
    break;
  case PEN_ATTR_TYPE_SOFTWARE:
    g_string_append (name, get_software_name (self->config));
    break;
  case PEN_ATTR_TYPE_CACHE:
    made = get_cache_name (self->config);
    g_string_append (name, made);
    break;
  case PEN_ATTR_TYPE_RAW:
    g_string_append_printf (name, "raw 0x%" G_GINT64_MODIFIER "x", self->config);
    break;
  case PEN_ATTR_TYPE_BREAKPOINT:
    made = get_breakpoint_name (self);
    g_string_append (name, made);
    break;
  case PEN_ATTR_TYPE_TRACEPOINT:
    return g_strdup ("unknown tracepoint");
  default:
    return g_strdup_printf ("unknown attr type: %u", self->type);
  }

  append_modifiers (name, self);
  return g_string_free (g_steal_pointer (&name), FALSE);
}
