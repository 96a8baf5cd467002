/* pen-kernel-facts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-facts.h"

#include <string.h>
#include <sys/utsname.h>

#include "pen-map-name.h"
#include "pen-module-space.h"
#include "pen-record.h"
#include "pen-table-hash.h"

static const PenTenure *
find_kernel (PenHistory *history)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (guint i = 0; i < n; i++)
    if (tenures[i].space == PEN_SPACE_KERNEL && tenures[i].layer == PEN_LAYER_MAP
        && tenures[i].kind == PEN_KIND_KERNEL
        && g_str_has_prefix (tenures[i].name, PEN_CORE_KERNEL))
      return &tenures[i];
  return NULL;
}

static void
take_build_id (PenKernelFacts *self, const guint8 *id, guint length)
{
  if (self->build_id_length > 0 || length == 0 || length > sizeof self->build_id)
    return;

  memcpy (self->build_id, id, length);
  self->build_id_length = length;
}

/* The recorder may have had a vmlinux to name it by. */
static gboolean
is_core_kernel (const char *name)
{
  const char *base = strrchr (name, '/');

  return g_str_has_prefix (name, "[kernel.")
         || g_str_has_prefix (base ? base + 1 : name, "vmlinux");
}

static gboolean
is_of_kernel_space (const PenBuildId *build_id)
{
  return (build_id->misc & PEN_MISC_CPUMODE_MASK) == PEN_CPUMODE_KERNEL && build_id->length > 0;
}

const guint8 *
pen_kernel_facts_find_listed_id (const PenFeatures *features, guint *length)
{
  const GPtrArray *list = features->build_ids;

  for (guint i = 0; list && i < list->len; i++) {
    const PenBuildId *build_id = g_ptr_array_index (list, i);

    if (is_of_kernel_space (build_id) && is_core_kernel (build_id->name)) {
      *length = MIN (build_id->length, (guint) sizeof build_id->id);
      return build_id->id;
    }
  }
  return NULL;
}

static void
take_list (PenKernelFacts *self, GPtrArray *build_ids)
{
  for (guint i = 0; build_ids && i < build_ids->len; i++) {
    PenBuildId *build_id = g_ptr_array_index (build_ids, i);
    gpointer known = build_id;

    if (!is_of_kernel_space (build_id))
      continue;
    if (is_core_kernel (build_id->name)) {
      take_build_id (self, build_id->id, MIN (build_id->length, sizeof self->build_id));
      continue;
    }
    if (g_hash_table_lookup_extended (self->module_ids, build_id->name, NULL, &known)
        && (!known || ((PenBuildId *) known)->length != build_id->length
            || memcmp (((PenBuildId *) known)->id, build_id->id, build_id->length) != 0))
      known = NULL;
    g_hash_table_insert (self->module_ids, build_id->name, known);
  }
}

/* Some recorders gave every module the first one's id: such a list tells nothing. */
static void
drop_repeated_ids (PenKernelFacts *self)
{
  g_autoptr (GHashTable) seen
      = g_hash_table_new_full (pen_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  gboolean is_defect = FALSE;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->module_ids);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const PenBuildId *build_id = value;

    if (build_id && !g_hash_table_add (seen, g_bytes_new (build_id->id, build_id->length)))
      is_defect = TRUE;
  }
  if (is_defect)
    g_hash_table_remove_all (self->module_ids);
}

PenKernelFacts *
pen_kernel_facts_new (const PenFeatures *features, PenHistory *history)
{
  PenKernelFacts *self = g_new0 (PenKernelFacts, 1);
  const PenTenure *kernel = find_kernel (history);

  self->release = g_strdup (features->os_release);
  self->hostname = g_strdup (features->hostname);
  self->module_ids = g_hash_table_new (pen_str_hash, g_str_equal);
  if (kernel) {
    const char *symbol = kernel->name + strlen (PEN_CORE_KERNEL);

    take_build_id (self, kernel->build_id, kernel->build_id_length);
    self->text_start = kernel->start;
    self->text_end = kernel->end;
    if (*symbol == '_') {
      self->symbol = g_strdup (symbol);
      self->symbol_address = kernel->file_offset;
    }
  }
  take_list (self, features->build_ids);
  drop_repeated_ids (self);
  return self;
}

void
pen_kernel_facts_assume_own (PenKernelFacts *self)
{
  struct utsname own;

  if (self->release || self->hostname || uname (&own) != 0)
    return;
  self->release = g_strdup (own.release);
  self->hostname = g_strdup (own.nodename);
}

void
pen_kernel_facts_free (PenKernelFacts *self)
{
  g_hash_table_unref (self->module_ids);
  g_free (self->release);
  g_free (self->hostname);
  g_free (self->symbol);
  g_free (self);
}

const guint8 *
pen_kernel_facts_get_module_id (const PenKernelFacts *self, const PenTenure *tenure, guint *length)
{
  const PenBuildId *listed = g_hash_table_lookup (self->module_ids, tenure->name);

  if (!listed)
    listed = g_hash_table_lookup (self->module_ids, tenure->occupant);
  if (tenure->build_id_length == 0 && listed) {
    *length = MIN (listed->length, (guint) sizeof listed->id);
    return listed->id;
  }
  *length = tenure->build_id_length;
  return tenure->build_id_length > 0 ? tenure->build_id : NULL;
}

gboolean
pen_kernel_facts_is_module_space (const PenKernelFacts *self, guint64 address)
{
  return pen_module_space_holds (self->text_start, self->text_end, address);
}
