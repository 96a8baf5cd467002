/* pen-features.c: what a capture says of its machine and of its BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-features.h"

#include <string.h>

#include "pen-bpf-program.h"
#include "pen-reason.h"

/* BPF programs, BTF and build-ids of a busy server together. In pipe form they come in any number
 * of records, and would fill the memory if a file wanted to. */
#define KEPT_MAX (256ull * 1024 * 1024)
/* The blob, and twice its formats, which are taken apart by those who ask for them. */
#define TRACING_DATA_COPIES 3u

static void
build_id_free (gpointer data)
{
  PenBuildId *build_id = data;

  g_free (build_id->name);
  g_free (build_id);
}

static void
pmu_free (gpointer data)
{
  PenPmu *pmu = data;

  g_free (pmu->name);
  g_free (pmu);
}

static void
group_free (gpointer data)
{
  PenEventGroup *group = data;

  g_free (group->name);
  g_free (group);
}

static void
cache_free (gpointer data)
{
  PenCpuCache *cache = data;

  g_free (cache->type);
  g_free (cache->size);
  g_free (cache->cpus);
  g_free (cache);
}

static void
bpf_metadata_free (gpointer data)
{
  PenBpfMetadata *metadata = data;

  g_free (metadata->program);
  g_free (metadata->key);
  g_free (metadata->value);
  g_free (metadata);
}

static int
compare_ids (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return GPOINTER_TO_UINT (a) < GPOINTER_TO_UINT (b) ? -1
                                                     : GPOINTER_TO_UINT (a) > GPOINTER_TO_UINT (b);
}

PenFeatures *
pen_features_new (void)
{
  PenFeatures *self = g_new0 (PenFeatures, 1);

  self->kept_max = KEPT_MAX;
  self->bpf_programs = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_bpf_program_free);
  self->bpf_metadata = g_ptr_array_new_with_free_func (bpf_metadata_free);
  self->build_ids = g_ptr_array_new_with_free_func (build_id_free);
  self->pmus = g_ptr_array_new_with_free_func (pmu_free);
  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->caches = g_ptr_array_new_with_free_func (cache_free);
  self->btf = g_tree_new_full (compare_ids, NULL, NULL, (GDestroyNotify) g_bytes_unref);
  return self;
}

void
pen_features_free (PenFeatures *self)
{
  g_free (self->hostname);
  g_free (self->os_release);
  g_free (self->perf_version);
  g_free (self->arch);
  g_free (self->cpu_description);
  g_free (self->cpu_id);
  g_free (self->command_line);
  g_ptr_array_unref (self->bpf_programs);
  g_ptr_array_unref (self->bpf_metadata);
  g_ptr_array_unref (self->build_ids);
  g_tree_unref (self->btf);
  g_ptr_array_unref (self->pmus);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->caches);
  g_clear_pointer (&self->tracing_data, g_bytes_unref);
  g_free (self);
}

gboolean
pen_features_keep (PenFeatures *self, gsize size)
{
  if (self->kept_bytes > self->kept_max || size > self->kept_max - self->kept_bytes)
    return FALSE;
  self->kept_bytes += size;
  return TRUE;
}

void
pen_features_limit (PenFeatures *self, guint64 more)
{
  self->kept_max = MIN (KEPT_MAX, self->kept_bytes + MIN (more, KEPT_MAX));
}

const char *
pen_features_take_tracing_data (PenFeatures *self, GBytes *data)
{
  static const char magic[] = "\x17\x08\x44"
                              "tracing";
  gsize length;
  const char *bytes = g_bytes_get_data (data, &length);
  g_autoptr (GBytes) owned = data;

  if (length < sizeof magic - 1 || memcmp (bytes, magic, sizeof magic - 1) != 0)
    return PEN_REASON_FORMATS_DAMAGED;
  if (self->tracing_data)
    return NULL;
  if (!pen_features_keep (self, TRACING_DATA_COPIES * length))
    return PEN_REASON_FORMATS_TOO_LONG;
  self->tracing_data = g_steal_pointer (&owned);
  return NULL;
}
