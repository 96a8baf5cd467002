/* pen-bpf-list.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bpf-list.h"

#include <glib/gi18n-lib.h>

#ifdef PEN_HAS_WITNESS

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define OBJECTS_MAX 65536u
#define FUNCTIONS_MAX 4096u
/* Of a link, that fit into a line that an import reads. */
#define ADDRESSES_MAX 64u

/* What kernels since 6.6 tell of these links (include/uapi/linux/bpf.h); headers to build with may
 * be older. */
typedef struct {
  guint32 type;
  guint32 id;
  guint32 program;
  guint32 padding;
  union {
    struct {
      guint32 kind; /* enum bpf_perf_event_type */
      guint32 padding;
      guint64 function_name;
      guint32 name_length;
      guint32 offset;
      guint64 address;
    } probe;
    struct {
      guint64 addresses;
      guint32 n_addresses;
      guint32 flags;
    } functions;
    guint8 room[128];
  };
} LinkOfProbe;

#define KIND_KPROBE 3u
#define KIND_KRETPROBE 4u

/* Names of the kernel's have letters, digits, _ and dots; others are escaped. */
static void
append_text (GString *json, const char *name, const char *text, gsize length)
{
  g_string_append_printf (json, ",\"%s\":\"", name);
  for (gsize i = 0; i < length && text[i] != '\0'; i++) {
    if (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\')
      g_string_append_printf (json, "\\u%04x", (guint) (guint8) text[i]);
    else
      g_string_append_c (json, text[i]);
  }
  g_string_append_c (json, '"');
}

/* A type that this libbpf does not know is a number. */
static void
append_type (GString *json, const char *name, const char *known, guint32 type)
{
  if (known)
    append_text (json, name, known, strlen (known));
  else
    g_string_append_printf (json, ",\"%s\":%u", name, type);
}

/* Addresses and lengths of the functions of a program: those of perf's KSYMBOL records. */
static void
append_functions (GString *json, int program, guint32 n)
{
  guint32 count = MIN (n, FUNCTIONS_MAX);
  g_autofree guint64 *addresses = g_new0 (guint64, MAX (count, 1));
  g_autofree guint32 *lengths = g_new0 (guint32, MAX (count, 1));
  struct bpf_prog_info info = {
    .nr_jited_ksyms = count,
    .nr_jited_func_lens = count,
    .jited_ksyms = (guint64) (gsize) addresses,
    .jited_func_lens = (guint64) (gsize) lengths,
  };
  guint32 size = sizeof info;

  if (count == 0 || bpf_obj_get_info_by_fd (program, &info, &size) != 0)
    return;
  g_string_append (json, ",\"functions\":[");
  for (guint32 i = 0; i < MIN (count, MIN (info.nr_jited_ksyms, info.nr_jited_func_lens)); i++)
    g_string_append_printf (json, "%s{\"address\":\"0x%" PRIx64 "\",\"length\":%u}",
                            i > 0 ? "," : "", addresses[i], lengths[i]);
  g_string_append_c (json, ']');
}

static gboolean
append_program (GString *json, int program)
{
  struct bpf_prog_info info = { 0 };
  guint32 size = sizeof info;

  if (bpf_obj_get_info_by_fd (program, &info, &size) != 0)
    return FALSE;
  g_string_append_printf (json, "{\"id\":%u", info.id);
  append_type (json, "type", libbpf_bpf_prog_type_str (info.type), info.type);
  append_text (json, "name", info.name, sizeof info.name);
  g_string_append (json, ",\"tag\":\"");
  for (guint i = 0; i < G_N_ELEMENTS (info.tag); i++)
    g_string_append_printf (json, "%02x", info.tag[i]);
  g_string_append_printf (json,
                          "\",\"loaded_at_ns\":%" PRIu64
                          ",\"uid\":%u,\"bytes_xlated\":%u,\"bytes_jited\":%u,\"btf_id\":%u",
                          (guint64) info.load_time, info.created_by_uid, info.xlated_prog_len,
                          info.jited_prog_len, info.btf_id);
  if (info.attach_btf_id != 0)
    g_string_append_printf (json, ",\"attach_btf_obj_id\":%u,\"attach_btf_id\":%u",
                            info.attach_btf_obj_id, info.attach_btf_id);
  append_functions (json, program, info.nr_jited_ksyms);
  g_string_append_c (json, '}');
  return TRUE;
}

/* Hidden addresses (kptr_restrict) are 0. */
static void
append_addresses (GString *json, const guint64 *addresses, guint32 n)
{
  guint32 told = 0;

  g_string_append (json, ",\"addresses\":[");
  for (guint32 i = 0; i < n; i++)
    if (addresses[i] != 0)
      g_string_append_printf (json, "%s\"0x%" PRIx64 "\"", told++ > 0 ? "," : "", addresses[i]);
  g_string_append_c (json, ']');
}

/* The function of a kprobe that belongs to a perf event. */
static void
append_probe (GString *json, int link)
{
  char name[128] = "";
  LinkOfProbe info = {
    .probe = { .function_name = (guint64) (gsize) name, .name_length = sizeof name },
  };
  guint32 size = sizeof info;

  if (bpf_obj_get_info_by_fd (link, (struct bpf_link_info *) (gpointer) &info, &size) != 0
      || (info.probe.kind != KIND_KPROBE && info.probe.kind != KIND_KRETPROBE))
    return;
  append_type (json, "attach_type", info.probe.kind == KIND_KPROBE ? "kprobe" : "kretprobe", 0);
  append_addresses (json, &info.probe.address, 1);
}

static void
append_probes (GString *json, int link)
{
  guint64 addresses[ADDRESSES_MAX] = { 0 };
  LinkOfProbe info = {
    .functions
    = { .addresses = (guint64) (gsize) addresses, .n_addresses = G_N_ELEMENTS (addresses) },
  };
  guint32 size = sizeof info;

  /* Of more, the kernel tells the first, and that there are more. */
  if (bpf_obj_get_info_by_fd (link, (struct bpf_link_info *) (gpointer) &info, &size) == 0
      || errno == ENOSPC)
    append_addresses (json, addresses, G_N_ELEMENTS (addresses));
}

static gboolean
append_link (GString *json, int link)
{
  char name[128] = "";
  struct bpf_link_info info = { 0 };
  guint32 size = sizeof info;

  if (bpf_obj_get_info_by_fd (link, &info, &size) != 0)
    return FALSE;
  g_string_append_printf (json, "{\"id\":%u", info.id);
  append_type (json, "type", libbpf_bpf_link_type_str (info.type), info.type);
  g_string_append_printf (json, ",\"prog_id\":%u", info.prog_id);
  if (info.type == BPF_LINK_TYPE_TRACING) {
    append_type (json, "attach_type", libbpf_bpf_attach_type_str (info.tracing.attach_type),
                 info.tracing.attach_type);
    g_string_append_printf (json, ",\"target_obj_id\":%u,\"target_btf_id\":%u",
                            info.tracing.target_obj_id, info.tracing.target_btf_id);
  } else if (info.type == BPF_LINK_TYPE_RAW_TRACEPOINT) {
    info = (struct bpf_link_info){ 0 };
    info.raw_tracepoint.tp_name = (guint64) (gsize) name;
    info.raw_tracepoint.tp_name_len = sizeof name;
    size = sizeof info;
    if (bpf_obj_get_info_by_fd (link, &info, &size) == 0)
      append_text (json, "tp_name", name, sizeof name);
  } else if (info.type == BPF_LINK_TYPE_PERF_EVENT) {
    append_probe (json, link);
  } else if (info.type == BPF_LINK_TYPE_KPROBE_MULTI) {
    append_probes (json, link);
  }
  g_string_append_c (json, '}');
  return TRUE;
}

/* One that goes away meanwhile is left out. */
static GString *
list (int (*next) (guint32 id, guint32 *next_id), int (*open_one) (guint32 id),
      gboolean (*append) (GString *json, int object), GError **error)
{
  GString *json = g_string_new ("[");
  guint32 id = 0;
  guint n = 0;

  while (n < OBJECTS_MAX && next (id, &id) == 0) {
    int object = open_one (id);
    gsize before = json->len;

    if (object < 0 && errno == ENOENT)
      continue;
    if (object < 0)
      break;
    g_string_append (json, n > 0 ? ",\n" : "\n");
    if (append (json, object))
      n++;
    else
      g_string_truncate (json, before);
    close (object);
  }
  if (errno == ENOENT) {
    g_string_append (json, "\n]\n");
    return json;
  }
  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
  g_string_free (json, TRUE);
  return NULL;
}

GString *
pen_bpf_list_programs (GError **error)
{
  return list (bpf_prog_get_next_id, bpf_prog_get_fd_by_id, append_program, error);
}

GString *
pen_bpf_list_links (GError **error)
{
  return list (bpf_link_get_next_id, bpf_link_get_fd_by_id, append_link, error);
}

#else

static GString *
refuse (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                       _ ("this program was built without libbpf"));
  return NULL;
}

GString *
pen_bpf_list_programs (GError **error)
{
  return refuse (error);
}

GString *
pen_bpf_list_links (GError **error)
{
  return refuse (error);
}

#endif
