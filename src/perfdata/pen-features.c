/* pen-features.c: what a capture says of its machine and of its BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-features.h"

#include "pen-bpf-program.h"

static void
build_id_free (gpointer data)
{
  PenBuildId *build_id = data;

  g_free (build_id->name);
  g_free (build_id);
}

PenFeatures *
pen_features_new (void)
{
  PenFeatures *self = g_new0 (PenFeatures, 1);

  self->bpf_programs = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_bpf_program_free);
  self->build_ids = g_ptr_array_new_with_free_func (build_id_free);
  self->btf = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_bytes_unref);
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
  g_ptr_array_unref (self->build_ids);
  g_hash_table_unref (self->btf);
  g_free (self);
}
