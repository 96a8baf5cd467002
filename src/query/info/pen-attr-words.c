/* pen-attr-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-attr-words.h"

/* Two bits that are one number. */
#define PRECISE_IP_SHIFT 15
#define PRECISE_IP_MASK 3ull

/* Bit i has word i; NULL: it has none. */
static char *
list_bits (guint64 bits, const char *const *words, guint n_words)
{
  GString *list = g_string_new (NULL);
  guint64 rest = 0;

  for (guint bit = 0; bit < 64; bit++) {
    if (!(bits >> bit & 1))
      continue;
    if (bit >= n_words || !words[bit])
      rest |= 1ull << bit;
    else
      g_string_append_printf (list, "%s%s", list->len > 0 ? " " : "", words[bit]);
  }
  if (rest != 0)
    g_string_append_printf (list, "%s0x%" G_GINT64_MODIFIER "x", list->len > 0 ? " " : "", rest);
  return g_string_free (list, FALSE);
}

const char *
pen_attr_type_to_string (guint32 type)
{
  static const char *const words[]
      = { "hardware", "software", "tracepoint", "cache", "raw", "breakpoint" };

  return type < G_N_ELEMENTS (words) ? words[type] : NULL;
}

char *
pen_attr_sample_type_to_string (guint64 sample_type)
{
  static const char *const words[] = {
    "IP",
    "TID",
    "TIME",
    "ADDR",
    "READ",
    "CALLCHAIN",
    "ID",
    "CPU",
    "PERIOD",
    "STREAM_ID",
    "RAW",
    "BRANCH_STACK",
    "REGS_USER",
    "STACK_USER",
    "WEIGHT",
    "DATA_SRC",
    "IDENTIFIER",
    "TRANSACTION",
    "REGS_INTR",
    "PHYS_ADDR",
    "AUX",
    "CGROUP",
    "DATA_PAGE_SIZE",
    "CODE_PAGE_SIZE",
    "WEIGHT_STRUCT",
  };

  return list_bits (sample_type, words, G_N_ELEMENTS (words));
}

char *
pen_attr_read_format_to_string (guint64 read_format)
{
  static const char *const words[]
      = { "TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST" };

  return list_bits (read_format, words, G_N_ELEMENTS (words));
}

char *
pen_attr_flags_to_string (guint64 flags)
{
  static const char *const words[] = {
    "disabled",
    "inherit",
    "pinned",
    "exclusive",
    "exclude_user",
    "exclude_kernel",
    "exclude_hv",
    "exclude_idle",
    "mmap",
    "comm",
    "freq",
    "inherit_stat",
    "enable_on_exec",
    "task",
    "watermark",
    NULL,
    NULL,
    "mmap_data",
    "sample_id_all",
    "exclude_host",
    "exclude_guest",
    "exclude_callchain_kernel",
    "exclude_callchain_user",
    "mmap2",
    "comm_exec",
    "use_clockid",
    "context_switch",
    "write_backward",
    "namespaces",
    "ksymbol",
    "bpf_event",
    "aux_output",
    "cgroup",
    "text_poke",
    "build_id",
    "inherit_thread",
    "remove_on_exec",
    "sigtrap",
    "defer_callchain",
    "defer_output",
  };
  guint64 precise = flags >> PRECISE_IP_SHIFT & PRECISE_IP_MASK;
  g_autofree char *list
      = list_bits (flags & ~(PRECISE_IP_MASK << PRECISE_IP_SHIFT), words, G_N_ELEMENTS (words));

  if (precise == 0)
    return g_steal_pointer (&list);
  return g_strdup_printf ("%s%sprecise_ip=%" G_GUINT64_FORMAT, list, *list != '\0' ? " " : "",
                          precise);
}

const char *
pen_clock_id_to_string (gint64 clock_id)
{
  static const char *const words[] = {
    [0] = "realtime",
    [1] = "monotonic",
    [2] = "process_cputime_id",
    [3] = "thread_cputime_id",
    [4] = "monotonic_raw",
    [7] = "boottime",
    [11] = "tai",
  };

  return clock_id >= 0 && clock_id < (gint64) G_N_ELEMENTS (words) ? words[clock_id] : NULL;
}
