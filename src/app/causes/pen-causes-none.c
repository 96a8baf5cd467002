/* pen-causes-none.c: why a recording has no patches, and what to do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-causes-private.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"

char *
pen_causes_explain_none (const PenOpened *opened)
{
  const PenBetterRecording *better = opened ? opened->better : NULL;

  if (better && !better->can_have_pokes)
    return g_strdup (_ ("This architecture records no kernel text patches."));
  if (better && !better->has_pokes && better->command) {
    g_autofree char *command = pen_display_text (better->command);
    g_autofree char *escaped = g_markup_escape_text (command, -1);

    return g_strdup_printf (_ ("Kernel text patches were not recorded. Record again as root:\n%s"),
                            escaped);
  }
  return g_strdup (_ ("No kernel text was patched during this recording. To see patches, record "
                      "while a tracer, probe or BPF program is attached."));
}
