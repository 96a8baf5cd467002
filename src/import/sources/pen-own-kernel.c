/* pen-own-kernel.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-own-kernel.h"

#include "pen-build-id.h"
#include "pen-kallsyms.h"

#define NOTES "/sys/kernel/notes"

gboolean
pen_own_kernel_has_build_id (const guint8 *build_id, guint length)
{
  g_autofree char *notes = NULL;
  gsize n;
  guint own_length = 0;
  const guint8 *own;

  if (length == 0 || !g_file_get_contents (NOTES, &notes, &n, NULL))
    return FALSE;

  own = pen_build_id_find_in_notes ((const guint8 *) notes, n, &own_length);
  return own && pen_build_id_is_same (own, own_length, build_id, length);
}

PenKcore *
pen_own_kernel_open_kcore (const char *symbol, guint64 address, GCancellable *cancellable,
                           char **refused)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKallsyms) kallsyms = pen_kallsyms_load (PEN_OWN_KALLSYMS, cancellable, &error);
  PenKcore *kcore;

  if (!kallsyms || !symbol || pen_kallsyms_lookup (kallsyms, symbol) != address) {
    *refused = g_strdup ("Whether this kernel was started again since is not known, or it was");
    return NULL;
  }

  kcore = pen_kcore_open (PEN_OWN_KCORE, &error);
  if (!kcore)
    *refused = g_strdup (error->message);
  return kcore;
}
