/* pen-kernel-release.h: which version of Linux a recording is of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* @release: (nullable): "6.12.95-amd64"; not known: FALSE */
static inline gboolean
pen_kernel_release_is_from (const char *release, guint major, guint minor)
{
  guint own_major;
  guint own_minor;

  return release && sscanf (release, "%u.%u", &own_major, &own_minor) == 2
         && (own_major > major || (own_major == major && own_minor >= minor));
}

/* Not known: FALSE */
static inline gboolean
pen_kernel_release_is_before (const char *release, guint major, guint minor)
{
  return pen_kernel_release_is_from (release, 0, 0)
         && !pen_kernel_release_is_from (release, major, minor);
}

G_END_DECLS
