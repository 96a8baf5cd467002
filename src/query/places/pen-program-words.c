/* pen-program-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-program-words.h"

#include "pen-query-occupants.h"
#include "pen-store-programs.h"

const char *
pen_bpf_type_to_string (guint32 type)
{
  static const char *const words[] = {
    "unspec",
    "socket_filter",
    "kprobe",
    "sched_cls",
    "sched_act",
    "tracepoint",
    "xdp",
    "perf_event",
    "cgroup_skb",
    "cgroup_sock",
    "lwt_in",
    "lwt_out",
    "lwt_xmit",
    "sock_ops",
    "sk_skb",
    "cgroup_device",
    "sk_msg",
    "raw_tracepoint",
    "cgroup_sock_addr",
    "lwt_seg6local",
    "lirc_mode2",
    "sk_reuseport",
    "flow_dissector",
    "cgroup_sysctl",
    "raw_tracepoint_writable",
    "cgroup_sockopt",
    "tracing",
    "struct_ops",
    "ext",
    "lsm",
    "sk_lookup",
    "syscall",
    "netfilter",
  };

  return type < G_N_ELEMENTS (words) ? words[type] : NULL;
}

static void
append_tag (GString *text, const guint8 tag[8])
{
  g_string_append (text, ", tag ");
  for (guint i = 0; i < 8; i++)
    g_string_append_printf (text, "%02x", tag[i]);
}

char *
pen_query_describe_program (PenQuery *self, const PenTenure *tenure, GError **error)
{
  g_autoptr (GString) text = NULL;
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
  return g_string_free (g_steal_pointer (&text), FALSE);
}
