/* pen-map-name.c: what a map's name says about its occupant
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-map-name.h"

#include <string.h>

static gboolean
is_bracketed (const char *name)
{
  return name[0] == '[' && g_str_has_suffix (name, "]");
}

static gboolean
has_prefix_of (const char *name, const char *const *prefixes)
{
  for (; *prefixes; prefixes++) {
    if (g_str_has_prefix (name, *prefixes))
      return TRUE;
  }
  return FALSE;
}

static void
cut_suffix (char *name, const char *suffix)
{
  if (g_str_has_suffix (name, suffix))
    name[strlen (name) - strlen (suffix)] = '\0';
}

static void
cut_compression (char *name)
{
  static const char *const suffixes[] = { ".gz", ".xz", ".zst", ".bz2", ".lzma" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    if (g_str_has_suffix (name, suffixes[i])) {
      cut_suffix (name, suffixes[i]);
      return;
    }
  }
}

char *
pen_map_name_get_kernel_occupant (const char *name)
{
  const char *slash = strrchr (name, '/');
  g_autofree char *base = NULL;

  if (g_str_has_prefix (name, PEN_CORE_KERNEL))
    return g_strdup (PEN_CORE_KERNEL);

  base = g_strdup (slash && !is_bracketed (name) ? slash + 1 : name);
  g_strdelimit (base, "-", '_');
  if (is_bracketed (base))
    return g_steal_pointer (&base);

  cut_compression (base);
  cut_suffix (base, ".ko");
  return g_strconcat ("[", base, "]", NULL);
}

PenKind
pen_map_name_get_kernel_kind (const char *name)
{
  return g_str_has_prefix (name, PEN_CORE_KERNEL) ? PEN_KIND_KERNEL : PEN_KIND_MODULE;
}

PenKind
pen_map_name_get_process_kind (const char *name)
{
  static const char *const anon[]
      = { "[stack", "/dev/zero", "/anon_hugepage", "/SYSV", "/memfd:", "[anon", NULL };

  if (g_str_has_prefix (name, "[vdso") || g_str_equal (name, "[vsyscall]")
      || g_str_equal (name, "[uprobes]"))
    return PEN_KIND_VDSO;
  if (g_str_equal (name, "//anon") || g_str_equal (name, "[heap]") || has_prefix_of (name, anon))
    return PEN_KIND_ANON;
  return PEN_KIND_DSO;
}

gboolean
pen_map_name_is_guest_kernel (const char *name)
{
  return g_str_has_prefix (name, "[guest.kernel");
}
