/* pen-witness.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-witness.h"

#include <glib/gi18n-lib.h>

#ifdef PEN_HAS_WITNESS

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include "witness.skel.h"

struct PenWitness {
  struct pen_witness_bpf *object;
};

static gboolean
set_errno (GError **error, int number, const char *action)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", action,
               g_strerror (number));
  return FALSE;
}

/* It says nothing that the error does not. */
static int
say_nothing (enum libbpf_print_level level G_GNUC_UNUSED, const char *format G_GNUC_UNUSED,
             va_list values G_GNUC_UNUSED)
{
  return 0;
}

gboolean
pen_witness_is_built (void)
{
  return TRUE;
}

PenWitness *
pen_witness_load (gboolean reads_user, GError **error)
{
  g_autoptr (PenWitness) self = g_new0 (PenWitness, 1);
  int n_cpus = libbpf_num_possible_cpus ();
  int status;

  libbpf_set_print (say_nothing);
  self->object = pen_witness_bpf__open ();
  if (!self->object || n_cpus <= 0) {
    set_errno (error, self->object ? -n_cpus : errno, "bpf");
    return NULL;
  }
  self->object->rodata->reads_user = reads_user != FALSE;
  bpf_map__set_max_entries (self->object->maps.outputs, (guint32) n_cpus);
  status = pen_witness_bpf__load (self->object);
  if (status != 0) {
    set_errno (error, -status, "bpf");
    return NULL;
  }
  return g_steal_pointer (&self);
}

void
pen_witness_free (PenWitness *self)
{
  if (!self)
    return;
  pen_witness_bpf__destroy (self->object);
  g_free (self);
}

gboolean
pen_witness_add_output (PenWitness *self, guint cpu, int event, GError **error)
{
  guint32 key = cpu;

  if (bpf_map_update_elem (bpf_map__fd (self->object->maps.outputs), &key, &event, BPF_ANY) != 0)
    return set_errno (error, errno, "bpf-output");
  return TRUE;
}

gboolean
pen_witness_attach (PenWitness *self, int event, GError **error)
{
  if (ioctl (event, PERF_EVENT_IOC_SET_BPF, bpf_program__fd (self->object->progs.witness)) != 0)
    return set_errno (error, errno, "PERF_EVENT_IOC_SET_BPF");
  return TRUE;
}

gboolean
pen_witness_count (PenWitness *self, PenWitnessCounts *counts, GError **error)
{
  int n_cpus = libbpf_num_possible_cpus ();
  g_autofree guint64 *values = g_new0 (guint64, MAX (n_cpus, 1));

  for (guint32 counter = 0; counter < PEN_WITNESS_COUNTERS; counter++) {
    counts->values[counter] = 0;
    if (bpf_map_lookup_elem (bpf_map__fd (self->object->maps.counters), &counter, values) != 0)
      return set_errno (error, errno, "bpf");
    for (int cpu = 0; cpu < n_cpus; cpu++)
      counts->values[counter] += values[cpu];
  }
  return TRUE;
}

guint32
pen_witness_get_program (PenWitness *self)
{
  struct bpf_prog_info info = { 0 };
  guint32 size = sizeof info;

  if (bpf_obj_get_info_by_fd (bpf_program__fd (self->object->progs.witness), &info, &size) != 0)
    return 0;
  return info.id;
}

#else

gboolean
pen_witness_is_built (void)
{
  return FALSE;
}

PenWitness *
pen_witness_load (gboolean reads_user G_GNUC_UNUSED, GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                       _ ("this program was built without it"));
  return NULL;
}

void
pen_witness_free (PenWitness *self G_GNUC_UNUSED)
{
}

gboolean
pen_witness_add_output (PenWitness *self G_GNUC_UNUSED, guint cpu G_GNUC_UNUSED,
                        int event G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  g_assert_not_reached ();
}

gboolean
pen_witness_attach (PenWitness *self G_GNUC_UNUSED, int event G_GNUC_UNUSED,
                    GError **error G_GNUC_UNUSED)
{
  g_assert_not_reached ();
}

gboolean
pen_witness_count (PenWitness *self G_GNUC_UNUSED, PenWitnessCounts *counts G_GNUC_UNUSED,
                   GError **error G_GNUC_UNUSED)
{
  g_assert_not_reached ();
}

guint32
pen_witness_get_program (PenWitness *self G_GNUC_UNUSED)
{
  g_assert_not_reached ();
}

#endif
