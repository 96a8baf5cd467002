/* pen-record-lack.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-lack.h"

#include <glib/gi18n-lib.h>

void
pen_record_lack_free (PenRecordLack *self)
{
  if (!self)
    return;
  g_free (self->detail);
  g_free (self);
}

GPtrArray *
pen_record_lacks_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) pen_record_lack_free);
}

void
pen_record_lacks_add (GPtrArray *lacks, PenLackKind kind, const char *detail)
{
  PenRecordLack *lack = g_new0 (PenRecordLack, 1);

  lack->kind = kind;
  lack->detail = g_strdup (detail);
  g_ptr_array_add (lacks, lack);
}

const PenRecordLack *
pen_record_lacks_find (const GPtrArray *lacks, PenLackKind kind)
{
  for (guint i = 0; i < lacks->len; i++) {
    const PenRecordLack *lack = lacks->pdata[i];

    if (lack->kind == kind)
      return lack;
  }
  return NULL;
}

char *
pen_record_lack_describe (const PenRecordLack *self)
{
  const char *detail = self->detail ? self->detail : "";

  switch (self->kind) {
  case PEN_LACK_KCORE:
    /* Translators: %s: why, such as “Permission denied” */
    return g_strdup_printf (
        _ ("no copy of the kernel's text: /proc/kcore cannot be read (%s); it needs root, "
           "CONFIG_PROC_KCORE, and no lockdown"),
        detail);
  case PEN_LACK_MODULES:
    return g_strdup_printf (_ ("no times of module loads: %s"), detail);
  case PEN_LACK_SOME_MODULES:
    return g_strdup (
        _ ("not all module loads: -F and -c are for them, too; give them to the events "
           "that are sampled: -e cpu-clock/freq=997/"));
  case PEN_LACK_NAMES:
    return g_strdup (_ ("no names of kernel functions: /proc/kallsyms has no addresses; it needs "
                        "root or CAP_SYSLOG"));
  case PEN_LACK_BUILD_IDS:
    return g_strdup (_ ("no build IDs in the maps of files: they need perf 5.12 and Linux 5.12"));
  case PEN_LACK_WITNESS:
    return g_strdup_printf (_ ("no witness (the bytes at each sample): %s"), detail);
  case PEN_LACK_COUNTS:
    return g_strdup_printf (_ ("no counters of the witness: %s"), detail);
  case PEN_LACK_LISTS:
    return g_strdup_printf (_ ("not all users of patches that came and went meanwhile: %s"),
                            detail);
  case PEN_LACK_PATCHES:
    return g_strdup_printf (_ ("no patches of kernel text: %s"), detail);
  case PEN_LACK_DIRECTORY:
    return g_strdup (_ ("no copy of the kernel's text, no witness and no copies of what the kernel "
                        "lists: a stream has no place for them; record to a directory"));
  case PEN_LACK_SNAPSHOTS:
    return g_strdup_printf (_ ("no snapshots of %s"), detail);
  default:
    g_return_val_if_reached (NULL);
  }
}
