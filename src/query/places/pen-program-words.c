/* pen-program-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-program-words.h"

#include <glib/gi18n-lib.h>

#include "pen-query-occupants.h"
#include "pen-store-programs.h"

/* As bpftool prints them, and as the window does: enum bpf_prog_type in include/uapi/linux/bpf.h,
 * Linux 7.2. */
static const struct {
  const char *word;
  const char *title;
} types[] = {
  { "unspec", NC_ ("BPF program", "unspecified") },
  { "socket_filter", NC_ ("BPF program", "socket filter") },
  { "kprobe", NC_ ("BPF program", "kprobe") },
  { "sched_cls", NC_ ("BPF program", "sched cls") },
  { "sched_act", NC_ ("BPF program", "sched act") },
  { "tracepoint", NC_ ("BPF program", "tracepoint") },
  { "xdp", NC_ ("BPF program", "xdp") },
  { "perf_event", NC_ ("BPF program", "perf event") },
  { "cgroup_skb", NC_ ("BPF program", "cgroup skb") },
  { "cgroup_sock", NC_ ("BPF program", "cgroup sock") },
  { "lwt_in", NC_ ("BPF program", "lwt in") },
  { "lwt_out", NC_ ("BPF program", "lwt out") },
  { "lwt_xmit", NC_ ("BPF program", "lwt xmit") },
  { "sock_ops", NC_ ("BPF program", "sock ops") },
  { "sk_skb", NC_ ("BPF program", "sk skb") },
  { "cgroup_device", NC_ ("BPF program", "cgroup device") },
  { "sk_msg", NC_ ("BPF program", "sk msg") },
  { "raw_tracepoint", NC_ ("BPF program", "raw tracepoint") },
  { "cgroup_sock_addr", NC_ ("BPF program", "cgroup sock addr") },
  { "lwt_seg6local", NC_ ("BPF program", "lwt seg6local") },
  { "lirc_mode2", NC_ ("BPF program", "lirc mode2") },
  { "sk_reuseport", NC_ ("BPF program", "sk reuseport") },
  { "flow_dissector", NC_ ("BPF program", "flow dissector") },
  { "cgroup_sysctl", NC_ ("BPF program", "cgroup sysctl") },
  { "raw_tracepoint_writable", NC_ ("BPF program", "raw tracepoint writable") },
  { "cgroup_sockopt", NC_ ("BPF program", "cgroup sockopt") },
  { "tracing", NC_ ("BPF program", "tracing") },
  { "struct_ops", NC_ ("BPF program", "struct ops") },
  { "ext", NC_ ("BPF program", "ext") },
  { "lsm", NC_ ("BPF program", "lsm") },
  { "sk_lookup", NC_ ("BPF program", "sk lookup") },
  { "syscall", NC_ ("BPF program", "syscall") },
  { "netfilter", NC_ ("BPF program", "netfilter") },
};

const char *
pen_bpf_type_to_string (guint32 type)
{
  return type < G_N_ELEMENTS (types) ? types[type].word : NULL;
}

const char *
pen_bpf_type_title (guint32 type)
{
  return type < G_N_ELEMENTS (types)
             ? g_dpgettext2 (GETTEXT_PACKAGE, "BPF program", types[type].title)
             : NULL;
}

static void
append_tag (GString *text, const guint8 tag[8])
{
  g_string_append (text, ", tag ");
  for (guint i = 0; i < 8; i++)
    g_string_append_printf (text, "%02x", tag[i]);
}

char *
pen_query_describe_metadata (PenQuery *self, const PenTenure *tenure, GError **error)
{
  g_autoptr (GArray) rows = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (tenure->kind == PEN_KIND_BPF) {
    rows = pen_store_load_bpf_metadata (pen_query_get_store (self), tenure->name, error);
    if (!rows)
      return NULL;
  }
  for (guint i = 0; rows && i < rows->len; i++) {
    const PenStoredBpfMetadata *row = &g_array_index (rows, PenStoredBpfMetadata, i);

    g_string_append_printf (text, "%s%s=%s", text->len > 0 ? ", " : "", row->key, row->value);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
pen_query_describe_program (PenQuery *self, const PenTenure *tenure, GError **error)
{
  g_autoptr (GString) text = NULL;
  g_autofree char *metadata = NULL;
  PenStoredBpfProgram program;
  GError *failure = NULL;

  if (tenure->bpf_id == 0)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "program %u", tenure->bpf_id);
  if (pen_store_find_bpf_program (pen_query_get_store (self), tenure->bpf_id, &program, &failure)) {
    const char *type = pen_bpf_type_to_string (program.type);

    if (*program.name != '\0')
      g_string_append_printf (text, " %s", program.name);
    if (type)
      g_string_append_printf (text, ", %s", type);
    else
      g_string_append_printf (text, ", type %u", program.type);
    append_tag (text, program.tag);
  } else if (failure) {
    g_propagate_error (error, failure);
    return NULL;
  } else {
    /* The tag of its BPF_EVENT: the whole program's. */
    append_tag (text, tenure->bpf_tag);
    g_string_append (text, ", gone before it was asked about");
  }
  metadata = pen_query_describe_metadata (self, tenure, error);
  if (!metadata)
    return NULL;
  if (*metadata != '\0')
    g_string_append_printf (text, ", %s", metadata);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
